// The match on paper: a hand history with the final spreads, made when it is printed.

const paper = (() => {
  const root = document.getElementById("paper");

  function handOf(hand, view) {
    const dealt = match.state(hand.first, view);
    const over = match.state(hand.last, view);
    return make("section", { class: "hand" },
      make("h2", {}, `Hand ${hand.number}`, make("small", {}, ` ${dealt.limit}`)),
      spreads(dealt, "as dealt"),
      movesOf(hand.first + 1, Math.min(hand.last, (match.later[0] ?? Infinity) - 1), view),
      judgedOf(hand, view),
      over.result === null ? null : make("p", { class: "result" }, cards.inked(over.result)),
      spreads(over, over.result === null ? "as it stood" : "at the end"));
  }

  function spreads(state, when) {
    return make("div", { class: "spreads" }, ...[0, 1].map((seat) => {
      const count = state[`deadwood${seat}`];
      const told = count === null ? "" : `, deadwood ${count}`;
      return make("figure", {},
        make("figcaption", {}, make("b", {}, match.names[seat]), ` ${when}${told}`),
        table.cardsOf(state, seat));
    }));
  }

  function movesOf(first, last, view) {
    const items = [];
    for (let seq = first; seq <= last; seq++) {
      const state = match.state(seq, view);
      const said = notes.on(seq).map((note) => make("em", {}, note.text));
      const { text } = match.event(seq);
      if (text !== undefined) said.unshift(make("q", {}, text));
      items.push(make("li", { value: seq }, cards.inked(state.told), ...said));
    }
    return make("ol", {}, ...items);
  }

  function disputes(view) {
    if (match.later.length === 0) return null;
    return make("section", { class: "later" }, make("h2", {}, "After the match"),
      movesOf(match.later[0], match.last, view));
  }

  function judgedOf(hand, view) {
    const seqs = judged.ofHand(hand, view);
    if (seqs.length === 0) return null;
    return make("section", { class: "judged" },
      graph.of(hand, view, 640, 200).svg, graph.legend(view),
      verdicts.table(seqs, view, (seq) => String(seq)));
  }

  function tallies(view) {
    const parts = judged.isThere ? verdicts.tallies(view) : [];
    return parts.length === 0 ? null
      : make("section", { class: "judged" }, make("h2", {}, "Analysis of the match"), ...parts);
  }

  function build() {
    const { view } = place.present;
    const end = match.state(match.last, view);
    root.replaceChildren(...[
      make("h1", {}, match.name),
      make("p", {}, `${match.names.join(" against ")} · ${match.rules} · ${match.begun.slice(0, 10)} · seen by: ${viewName(view)}`),
      match.origin === null ? null : make("p", {}, match.origin),
      ...match.model.hands.map((hand) => handOf(hand, view)),
      disputes(view),
      make("section", { class: "score" }, make("h2", {}, "Score sheet"), ...sheet.parts(end, view)),
      tallies(view),
      make("p", { class: "end" }, `${match.id} · ${document.getElementById("verdict").textContent} · last line `,
        make("code", {}, match.model.log.head)),
    ].filter(Boolean));
  }

  addEventListener("beforeprint", build);
  matchMedia("print").addEventListener("change", (media) => media.matches && build());
  return { build };
})();
