// Notes on events: those that came with the page, and the reader's own, kept by the browser.

function saveFile(name, parts, type = "text/plain;charset=utf-8") {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = make("a", { href: address, download: name });
  link.click();
  // The browser needs the address for a moment longer.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** What the browser keeps for the next time; where it keeps nothing, for as long as the page is open. */
const kept = (() => {
  const memory = new Map();
  let lasts = true;
  try {
    localStorage.setItem("ginrummy-try", "1");
    localStorage.removeItem("ginrummy-try");
  } catch {
    lasts = false;
  }
  return {
    lasts: () => lasts,
    get(name) {
      return lasts ? localStorage.getItem(name) : memory.get(name) ?? null;
    },
    set(name, value) {
      memory.set(name, value);
      if (!lasts) return;
      try {
        localStorage.setItem(name, value);
      } catch {
        lasts = false;
      }
    },
  };
})();

const notes = (() => {
  const NAME = `ginrummy-notes-${match.id}`;
  const field = document.getElementById("note");
  const list = document.getElementById("noted");
  const own = readOwn();

  function readOwn() {
    try {
      const stored = Object.entries(JSON.parse(kept.get(NAME) ?? "{}"));
      return new Map(stored.map(([seq, text]) => [Number(seq), String(text)]));
    } catch {
      return new Map();
    }
  }

  function write(seq, text) {
    if (text.trim() === "") own.delete(seq);
    else own.set(seq, text);
    kept.set(NAME, JSON.stringify(Object.fromEntries(own)));
    fill();
  }

  function all() {
    const mine = [...own].map(([seq, text]) => ({ seq, text, isOwn: true }));
    return [...match.model.notes, ...mine].sort((one, another) => one.seq - another.seq);
  }

  function fill() {
    const { seq: here, view } = place.present;
    const items = all().map(({ seq, text, isOwn }) => {
      const link = make("a", { href: place.addressOf(seq, view) }, `Event ${seq}`);
      const whose = isOwn ? "" : make("small", {}, " came with the page");
      return make("li", { class: seq === here ? "here" : null }, link, whose, make("p", {}, text));
    });
    list.replaceChildren(...items);
    for (const id of ["save-text", "save-notes"]) document.getElementById(id).disabled = items.length === 0;
    document.getElementById("kept").textContent = kept.lasts()
      ? ""
      : "This browser keeps nothing for pages from disk: save your notes before you close the page.";
  }

  const asText = () =>
    [`${match.name} (${match.id})`, ""]
      .concat(all().map(({ seq, text }) => `Event ${seq}, ${match.event(seq)?.told ?? ""}\n  ${text.replaceAll("\n", "\n  ")}\n`))
      .join("\n");
  const asLines = () => all().map(({ seq, text }) => `${JSON.stringify({ seq, text })}\n`).join("");

  field.addEventListener("input", () => write(place.present.seq, field.value));
  document.getElementById("save-text").addEventListener("click", () => saveFile(`${match.id}-notes.txt`, [asText()]));
  document.getElementById("save-notes").addEventListener("click", () => saveFile(`${match.id}-notes.jsonl`, [asLines()]));

  return {
    show({ seq }) {
      document.getElementById("note-label").textContent = `Your note on event ${seq}`;
      field.value = own.get(seq) ?? "";
      fill();
    },
    on: (seq) => all().filter((note) => note.seq === seq),
    all,
    asText,
    asLines,
  };
})();
