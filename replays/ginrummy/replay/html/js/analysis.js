// The section with the analysis: the decision at hand, the graph, the table, and the match.

const analysis = (() => {
  const root = document.getElementById("analysis");
  if (!judged.isThere) {
    root.remove();
    return { show() {}, acts: {} };
  }
  document.querySelector("main").classList.add("judged");
  const decision = document.getElementById("decision");
  const figureBox = document.getElementById("graph");
  const details = document.getElementById("decisions");
  const body = document.getElementById("decisions-table");
  const tallies = document.getElementById("tallies");
  let drawn = { key: null, graph: null };

  function link(seq) {
    const to = make("a", { href: place.addressOf(seq, place.present.view) }, String(seq));
    to.addEventListener("click", (click) => {
      if (click.ctrlKey || click.metaKey || click.shiftKey) return;
      click.preventDefault();
      place.go(seq, { isJump: true });
    });
    return to;
  }

  /** Why nothing is said of an event. */
  function silence({ seq, view }, hand) {
    if (view === "public") {
      return "What a decision was worth follows from cards that not everybody has seen. Choose a player's eyes, or all cards.";
    }
    if (hand && !judged.isJudged(hand)) return `Hand ${hand.number} was not analysed.`;
    const { seat, type } = match.event(seq);
    const decides = /^(upcard_passed|discard_taken|stock_drawn|discarded|knocked|laid_off)$/.test(type);
    if (decides && String(seat) !== view && view !== "full") {
      return `What this decision was worth follows from cards that ${viewName(view)} did not see.`;
    }
    return "Nobody decides anything here.";
  }

  function showGraph(hand, view) {
    const isThere = Boolean(hand && judged.isJudged(hand) && judged.ofHand(hand, view).length > 0);
    // What is hidden has no width.
    figureBox.hidden = details.hidden = !isThere;
    const width = Math.max(280, Math.min(figureBox.clientWidth, 960));
    const key = isThere ? `${hand.number} ${view} ${width}` : null;
    if (key === drawn.key) return;
    drawn = { key, graph: null };
    if (!isThere) return figureBox.replaceChildren();
    const made = graph.of(hand, view, width, width < 500 ? 200 : 230);
    made.svg.addEventListener("click", (click) => {
      const box = made.svg.getBoundingClientRect();
      const seq = made.nearest(((click.clientX - box.left) / box.width) * width);
      if (seq !== null) place.go(seq, { isJump: true });
    });
    figureBox.replaceChildren(
      make("figcaption", {}, `Expected score over hand ${hand.number}`), made.svg, graph.legend(view));
    drawn.graph = made;
    body.replaceChildren();
  }

  function showTable(hand, { seq, view }) {
    if (!details.open || details.hidden) return;
    if (body.childElementCount === 0) body.replaceChildren(verdicts.table(judged.ofHand(hand, view), view, link));
    body.querySelector("[aria-current]")?.removeAttribute("aria-current");
    body.querySelector(`[data-seq="${seq}"]`)?.setAttribute("aria-current", "step");
  }

  function show(present) {
    const { seq, view } = present;
    const hand = match.handAt(seq);
    const isSaid = judged.at(seq, view) !== null;
    decision.replaceChildren(isSaid ? verdicts.decision(seq, view) : make("p", { class: "quiet" }, silence(present, hand)));
    showGraph(hand, view);
    drawn.graph?.point(seq);
    showTable(hand, present);
    for (const [id, step] of [["costly-before", -1], ["next-costly", 1]]) {
      document.getElementById(id).toggleAttribute("aria-disabled", judged.nextCostly(seq, view, step) === null);
    }
    if (tallies.dataset.view !== view) {
      const parts = verdicts.tallies(view);
      tallies.dataset.view = view;
      tallies.replaceChildren(...parts);
      document.getElementById("tallies-title").hidden = parts.length === 0;
    }
  }

  const jump = (step) => () => {
    const { seq, view } = place.present;
    const found = judged.nextCostly(seq, view, step);
    if (found !== null) place.go(found, { isJump: true });
  };

  document.getElementById("worlds").textContent = judged.analysis.worlds.join(" or ");
  document.getElementById("skipped").replaceChildren(
    ...judged.analysis.skipped.map((why) => make("p", { class: "quiet" }, `${why}.`)));
  details.addEventListener("toggle", () => showTable(match.handAt(place.present.seq), place.present));
  addEventListener("resize", () => show(place.present));

  return { show, acts: { "costly-before": jump(-1), "next-costly": jump(1) } };
})();
