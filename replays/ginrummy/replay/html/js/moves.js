// The list of moves: all events under their hands, each a link to itself.

const moves = (() => {
  const root = document.getElementById("list");
  let links = [];
  let held = null;
  let shownFor = null;

  function entry(seq, view) {
    const event = match.event(seq);
    const told = match.state(seq, view).told;
    const link = make(
      "a",
      { href: place.addressOf(seq, view), tabindex: "-1", "data-seq": seq },
      make("span", { class: "seq" }, String(seq)),
      make("span", { class: event.seat === undefined ? "what" : `what by-${event.seat}` }, cards.inked(told)),
      make("span", { class: "thought" }, ...costOf(seq, view), timeOf(event)),
    );
    link.addEventListener("click", (click) => {
      if (click.ctrlKey || click.metaKey || click.shiftKey) return;
      click.preventDefault();
      place.go(seq, { isJump: true });
    });
    return link;
  }

  function costOf(seq, view) {
    if (!judged.costly(seq, view)) return [];
    const cost = judged.at(seq, view).gave[0].toFixed(1);
    return [make("span", { class: "unseen" }, "gave away "), make("b", { class: "cost" }, `−${cost}`), " "];
  }

  function timeOf(event) {
    if (event.server) return event.server;
    return event.thought === undefined ? "" : `${seconds(event.thought)} s`;
  }

  function fill(view) {
    links = [null];
    const parts = [];
    let list = make("ol");
    parts.push(list);
    const begin = (title) => {
      list = make("ol", { "aria-label": title });
      parts.push(make("h3", {}, title), list);
    };
    for (let seq = 1; seq <= match.last; seq++) {
      const hand = match.handAt(seq);
      if (hand?.first === seq) begin(`Hand ${hand.number}`);
      if (match.later[0] === seq) begin("After the match");
      links.push(entry(seq, view));
      list.append(make("li", {}, links[seq]));
    }
    for (const each of parts) each.style.setProperty("--rows", each.childElementCount);
    root.replaceChildren(...parts);
    shownFor = view;
  }

  function mark(seq) {
    const hadFocus = root.contains(document.activeElement);
    const before = root.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    const link = links[seq];
    link.setAttribute("aria-current", "step");
    link.setAttribute("tabindex", "0");
    if (hadFocus) link.focus({ preventScroll: true });
    held = link;
    centre(link);
  }

  /** Move the list, and not the page, so that a link is in its middle. */
  function centre(link) {
    const [list, line] = [root, link].map((each) => each.getBoundingClientRect());
    root.scrollTop += line.top - list.top - (root.clientHeight - line.height) / 2;
  }

  // A hand gets its true height only when it comes into sight, and then pushes the move off, unless
  // the reader has moved the list meanwhile.
  root.addEventListener("contentvisibilityautostatechange", () =>
    requestAnimationFrame(() => held !== null && centre(held)));
  for (const own of ["wheel", "touchmove", "pointerdown"]) {
    root.addEventListener(own, () => { held = null; }, { passive: true });
  }

  return {
    show({ seq, view }) {
      if (shownFor !== view) fill(view);
      mark(seq);
    },
    has: (element) => root.contains(element),
    /** Mark the events that are not as they should be. */
    blame(seqs) {
      for (const seq of seqs) links[seq]?.classList.add("faulty");
    },
  };
})();
