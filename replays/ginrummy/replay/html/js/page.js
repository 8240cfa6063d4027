// The page: what its keys and buttons do, and how all its parts follow the reader's place.

const player = (() => {
  const button = document.getElementById("auto");
  const pace = document.getElementById("pace");
  const icon = document.getElementById("auto-icon");
  const ICONS = { play: "M2 3 8 8 2 13ZM8 3 14 8 8 13Z", stop: "M3 3H7V13H3ZM9 3H13V13H9Z" };
  let timer = null;

  function show() {
    const isOn = timer !== null;
    icon.setAttribute("d", isOn ? ICONS.stop : ICONS.play);
    button.setAttribute("aria-label", isOn ? "Stop" : "Play");
    button.setAttribute("aria-pressed", String(isOn));
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    show();
  }

  function next() {
    timer = setTimeout(() => {
      place.go(place.present.seq + 1);
      if (place.present.seq < match.last) next();
      else stop();
    }, Number(pace.value));
  }

  function toggle() {
    if (timer !== null) return stop();
    if (place.present.seq >= match.last) place.go(1, { isJump: true });
    next();
    return show();
  }

  const paced = (by) => () => {
    pace.selectedIndex = Math.max(0, Math.min(pace.options.length - 1, pace.selectedIndex + by));
  };

  return { stop, toggle, faster: paced(1), slower: paced(-1) };
})();

const acts = (() => {
  const step = (by) => () => place.go(place.present.seq + by);
  const jump = (where) => () => place.go(where(place.present.seq), { isJump: true });
  const all = {
    first: jump(() => 1),
    back: step(-1),
    on: step(1),
    last: jump(() => match.last),
    "hand-before": jump(match.handBefore),
    "next-hand": jump(match.nextHand),
    "next-knock": jump(match.nextKnock),
    ...analysis.acts,
  };
  for (const [name, act] of Object.entries(all)) {
    all[name] = () => {
      player.stop();
      act();
    };
    document.getElementById(name).addEventListener("click", all[name]);
  }
  document.getElementById("auto").addEventListener("click", player.toggle);
  return all;
})();

// --- keys -----------------------------------------------------------------------------------------

const otherEyes = () => {
  const index = match.views.indexOf(place.present.view) + 1;
  place.go(place.present.seq, { view: match.views[index % match.views.length], isJump: true });
};

const KEYS = {
  ArrowLeft: acts.back,
  ArrowRight: acts.on,
  Home: acts.first,
  End: acts.last,
  " ": player.toggle,
  n: acts["next-hand"],
  p: acts["hand-before"],
  k: acts["next-knock"],
  x: acts["costly-before"],
  c: acts["next-costly"],
  v: otherEyes,
  "+": player.faster,
  "=": player.faster,
  "-": player.slower,
};

const IN_THE_LIST = { ArrowUp: acts.back, ArrowDown: acts.on };

addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // Where somebody writes or chooses, keys are theirs.
  if (target.matches("textarea, select, input:not([type=range])")) return;
  if (key === " " && target.closest("button, a, summary")) return;
  const act = (moves.has(target) && IN_THE_LIST[key]) || KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

// --- whose eyes, and looks ------------------------------------------------------------------------

const views = match.views.map((view) => {
  const button = make("button", { type: "button", "data-view": view }, viewName(view));
  button.addEventListener("click", () => place.go(place.present.seq, { view, isJump: true }));
  return button;
});
document.getElementById("views").append(...views);

function toggle(id, attribute, begin) {
  const button = document.getElementById(id);
  const name = `ginrummy-${id}`;
  const isOn = () => button.getAttribute("aria-pressed") === "true";
  const put = (on) => {
    button.setAttribute("aria-pressed", String(on));
    document.documentElement.setAttribute(attribute, on ? "on" : "off");
  };
  const stored = kept.get(name);
  if (stored !== null) put(stored === "on");
  else if (begin) button.setAttribute("aria-pressed", "true");
  button.addEventListener("click", () => {
    put(!isOn());
    kept.set(name, isOn() ? "on" : "off");
  });
}

toggle("colours", "data-four", false);
toggle("dark", "data-dark", matchMedia("(prefers-color-scheme: dark)").matches);

document.getElementById("link").addEventListener("click", async () => {
  const { seq, view } = place.present;
  const address = location.href.split("#")[0] + place.addressOf(seq, view);
  const said = document.getElementById("copied");
  try {
    await navigator.clipboard.writeText(address);
    said.replaceChildren("The link to this event is copied.");
  } catch {
    // A browser may keep its clipboard from pages on disk.
    const field = make("input", { readonly: true, "aria-label": "Link to this event", value: address });
    said.replaceChildren("Copy this link: ", field);
    field.focus();
    field.select();
  }
});

// --- all together ---------------------------------------------------------------------------------

const scrub = document.getElementById("scrub");
scrub.max = String(match.last);
scrub.addEventListener("input", () => {
  player.stop();
  place.go(Number(scrub.value));
});

function tell({ seq, view }) {
  const event = match.event(seq);
  const { told } = match.state(seq, view);
  const spoken = `Event ${seq} of ${match.last}: ${cards.spoken(told)}`;
  const more = [`event ${seq} of ${match.last}`];
  const hand = match.handAt(seq);
  if (hand) more.unshift(`hand ${hand.number}`);
  if (event.thought !== undefined) more.push(`${seconds(event.thought)} s`);
  if (event.server) more.push(event.server);
  if (event.signed) more.push("signed");
  more.push(new Date(event.at).toISOString().slice(0, 19).replace("T", " "));
  document.getElementById("told").replaceChildren(
    make("span", { class: "unseen" }, spoken),
    make("span", { class: "sentence", "aria-hidden": "true" }, cards.inked(told)),
    make("small", { "aria-hidden": "true" }, more.join(" · ")),
    event.text === undefined ? "" : make("q", { class: "written" }, event.text),
    ...notes.on(seq).map((note) => make("span", { class: "note" }, note.text)),
  );
}

function banners() {
  const { broken, hidden, only } = match.model;
  const lines = match.origin === null ? [] : [match.origin];
  if (broken !== null) lines.push(`What came before is shown: ${broken}.`);
  if (hidden !== null) lines.push(hidden);
  else if (only !== null && only !== "full") {
    const who = only === "public" ? "everybody" : match.names[Number(only)];
    lines.push(`This file shows the match as ${who} saw it. What was hidden then is not in it.`);
  }
  const shown = lines.map((line) => make("p", { class: "banner" }, line));
  if (match.later.length > 0) {
    const link = make("a", { href: place.addressOf(match.later[0], place.present.view) }, `event ${match.later[0]}`);
    shown.push(make("p", { class: "banner" }, "The result was disputed. What was said and ruled begins at ", link, "."));
  }
  document.getElementById("banners").replaceChildren(...shown);
}

document.getElementById("about").textContent = [
  match.names.join(" against "), match.rules, match.clock, match.begun.slice(0, 10),
].join(" · ");
banners();

place.listen(({ seq, view }) => {
  table.draw(match.state(seq, view), view);
  scrub.value = String(seq);
  scrub.setAttribute("aria-valuetext", `event ${seq} of ${match.last}`);
  for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.view === view));
  for (const id of ["first", "back"]) document.getElementById(id).toggleAttribute("aria-disabled", seq === 1);
  for (const id of ["on", "last"]) document.getElementById(id).toggleAttribute("aria-disabled", seq === match.last);
});
for (const part of [tell, moves.show, sheet.show, notes.show, analysis.show]) place.listen(part);
place.begin();
proof.begin();
