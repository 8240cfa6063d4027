// What the analysis says of a decision, as far as the eyes that look may know it.

const judged = (() => {
  const { analysis } = match.model;
  const SEES = { full: [0, 1], 0: [0], 1: [1], public: [] };

  /** What is said of the decision at an event; null where there is none for these eyes. */
  function at(seq, view) {
    const said = analysis?.decisions[seq];
    return said !== undefined && SEES[view].includes(said.seat) ? said : null;
  }

  /** The events of a hand that are decisions, as far as these eyes may know what they were worth. */
  function ofHand(hand, view) {
    const seqs = [];
    for (let seq = hand.first; seq <= hand.last; seq++) if (at(seq, view) !== null) seqs.push(seq);
    return seqs;
  }

  const costly = (seq, view) => at(seq, view)?.clear === true;

  function nextCostly(seq, view, step) {
    for (let each = seq + step; each >= 1 && each <= match.last; each += step) {
      if (costly(each, view)) return each;
    }
    return null;
  }

  return {
    isThere: Boolean(analysis),
    analysis,
    seats: (view) => (analysis ? SEES[view] : []),
    at,
    ofHand,
    costly,
    nextCostly,
    isJudged: (hand) => analysis?.scored[hand.number] !== undefined,
    scored: (hand) => analysis.scored[hand.number],
    /** What a knock scores against the hand that really lay there: for those who see that hand. */
    real: (seq, view) => (view === "full" ? analysis.real?.[seq] : undefined),
    sights: (view) => (view === "full" ? analysis.sights ?? [] : []),
  };
})();

/** A figure with its sign, and its standard error. */
const points = (mean) => `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(1)}`;
const margin = (error) => (error === null || error === 0 ? "" : ` ± ${error.toFixed(1)}`);
const figure = ([mean, error]) => points(mean) + margin(error);
