// The table: both seats, the stock and the discard pile between them, and how it ended.

const table = (() => {
  const root = document.getElementById("table");
  const TO_DO = {
    offer: "the upcard is on offer",
    draw: "to draw",
    discard: "to discard or knock",
    lay_off: "to lay off",
  };

  /** More discards than this are pushed together, so that they fit a row. */
  const ROOM = 24;

  const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

  // --- a seat -------------------------------------------------------------------------------------

  function seatOf(state, seat) {
    const isMoving = state.hand !== null && state.turn === seat;
    const box = make("section", {
      class: `seat seat-${seat}${isMoving ? " moving" : ""}`,
      "aria-label": match.names[seat],
    });
    box.append(heading(state, seat, isMoving));
    if (state.hand !== null) box.append(cardsOf(state, seat));
    return box;
  }

  function heading(state, seat, isMoving) {
    const about = [];
    if (state.hand !== null && state.dealer === seat) about.push("dealer");
    if (isMoving) about.push(state.paused ? "paused" : TO_DO[state.phase]);
    const facts = [plural(state.points[seat], "point"), make("span", { class: "wide" }, ` · ${plural(state.won[seat], "hand")}`)];
    if (state.bank !== null) facts.push(` · ${clockTime(state.bank[seat])}`);
    const count = state.hand === null ? undefined : state[`deadwood${seat}`];
    const badge = make("span", { class: "deadwood" }, "deadwood ", make("b", {}, String(count ?? "?")));
    return make(
      "div",
      { class: "who" },
      make("h3", {}, match.names[seat]),
      make("span", { class: "about" }, about.join(" · ")),
      make("span", { class: "facts" }, ...facts),
      count === undefined ? null : badge,
    );
  }

  function cardsOf(state, seat) {
    const lie = cards.read(state[`cards${seat}`]);
    const isLaid = state[`laid${seat}`];
    const drawn = state[`drawn${seat}`];
    const row = make("div", { class: isLaid ? "cards laid" : "cards" });
    const shown = (card) => (card === drawn ? cards.face(card, "new", ", just drawn") : cards.face(card));
    for (const { own, added } of lie.melds) {
      const faces = cards.ordered(own, added).map((card) =>
        added.includes(card) ? cards.face(card, "added", ", laid off") : shown(card));
      row.append(group("meld", isLaid ? "meld on the table" : "meld", faces));
    }
    if (lie.deadwood.length > 0) {
      const isKnown = lie.hidden === 0;
      const label = isKnown ? "deadwood" : "known to be held";
      row.append(group("loose", label, lie.deadwood.map(shown)));
    }
    if (lie.hidden > 0) row.append(hiddenOf(lie.hidden));
    if (state[`down${seat}`]) row.append(faceDown(state[`down${seat}`]));
    return row;
  }

  function group(kind, label, faces) {
    return make("div", { class: `group ${kind}`, role: "group", "aria-label": label }, ...faces);
  }

  function hiddenOf(number) {
    const label = `${plural(number, "card")} that ${number === 1 ? "is" : "are"} not known`;
    const backs = Array.from({ length: number }, () => {
      const back = cards.back();
      back.setAttribute("aria-hidden", "true");
      return back;
    });
    return make("div", { class: "group backs", role: "img", "aria-label": label }, ...backs);
  }

  function faceDown(card) {
    const known = card !== "??";
    const svg = known ? cards.face(card, "", ", face down") : cards.back("a card, face down");
    return make("div", { class: "group down", role: "group", "aria-label": "face down" }, svg,
      make("span", { class: "tag", "aria-hidden": "true" }, "face down"));
  }

  // --- between them -------------------------------------------------------------------------------

  function middleOf(state) {
    if (state.hand === null) {
      return make("div", { class: "middle empty" }, "No hand is dealt yet.");
    }
    const box = make("div", { class: "middle" }, stockOf(state), pileOf(state));
    for (const told of [state.result, state.outcome?.told]) {
      if (told) box.append(make("p", { class: "result" }, cards.inked(told)));
    }
    return box;
  }

  function stockOf(state) {
    const label = `stock, ${plural(state.stock, "card")}`;
    const back = cards.back(label, "deep");
    return make("div", { class: "stock" }, back,
      make("span", { class: "tag" }, `${state.stock} left`),
      make("span", { class: "tag" }, state.limit));
  }

  function pileOf(state) {
    const thrown = cards.readPile(state.pile);
    const top = thrown.findLastIndex((each) => each.taker === null);
    const faces = thrown.map((each, index) => {
      const by = each.by === null ? ", upcard" : `, thrown by ${match.names[each.by]}`;
      const taken = each.taker === null ? "" : `, taken by ${match.names[each.taker]}`;
      const kinds = [`by-${each.by ?? "none"}`];
      if (each.taker !== null) kinds.push("taken", `to-${each.taker}`);
      if (index === top) kinds.push("top");
      const more = by + taken + (index === top ? ", on top" : "");
      return make("span", { class: `thrown ${kinds.join(" ")}` }, cards.face(each.card, "", more));
    });
    const kind = thrown.length > ROOM ? "pile long" : "pile";
    return make("div", { class: kind, role: "group", "aria-label": "discard pile, oldest first" }, ...faces);
  }

  function orderOf(state) {
    if (!state.order) return null;
    const chips = cards.split(state.order).flatMap((card) => [cards.chip(card), " "]);
    return make("p", { class: "order" }, make("span", {}, "Stock, next first "), ...chips);
  }

  // The table never gets lower again: what is pressed below it is to stay under the finger.
  let tallest = 0;
  addEventListener("resize", () => {
    tallest = 0;
    root.style.minHeight = "";
  });

  function keepHeight() {
    tallest = Math.max(tallest, Math.ceil(root.getBoundingClientRect().height));
    root.style.minHeight = `${tallest}px`;
  }

  return {
    /** Draw a state; whoever looks sits at the lower end. */
    draw(state, view) {
      const near = view === "1" ? 1 : 0;
      root.replaceChildren(
        ...[seatOf(state, 1 - near), middleOf(state), seatOf(state, near), orderOf(state)].filter(Boolean),
      );
      keepHeight();
    },
    /** A seat's cards alone, for paper. */
    cardsOf,
  };
})();
