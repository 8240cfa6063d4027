// The match as it is shown: the layers put on each other, event by event.
//
// A state is what a perspective sees after an event. Nothing is worked out here: the rules were
// asked when the page was made.

const match = (() => {
  const model = JSON.parse(document.getElementById("model").textContent);
  const LAYERS = { public: [], 0: ["0"], 1: ["1"], full: ["0", "1", "stock"] };
  const last = model.events.length;
  const courses = new Map();

  function courseOf(view) {
    if (!courses.has(view)) courses.set(view, follow(LAYERS[view].map((name) => model.layers[name])));
    return courses.get(view);
  }

  function follow(layers) {
    const states = [null];
    let open = {};
    const known = layers.map(() => ({}));
    model.events.forEach((event, index) => {
      const seq = index + 1;
      let { told } = event;
      open = { ...open, ...event.set };
      layers.forEach((layer, each) => {
        const { told: better, ...changed } = layer[seq] ?? {};
        told = better ?? told;
        known[each] = { ...known[each], ...changed };
      });
      const result = open.result ? begun(open.result) : null;
      const outcome = open.outcome ? { ...open.outcome, told: begun(open.outcome.told) } : null;
      states.push(Object.assign({}, open, ...known, { seq, told: begun(told), result, outcome }));
    });
    return states;
  }

  /** A sentence that does not begin with somebody's name begins with a capital. */
  const begun = (told) => told.replace(/^(the|hand|board|dispute)(?= )/, (word) => word[0].toUpperCase() + word.slice(1));

  const nextOf = (seqs, seq) => seqs.find((each) => each > seq) ?? last;
  const beforeOf = (seqs, seq) => seqs.findLast((each) => each < seq) ?? 1;
  const firsts = model.hands.map((hand) => hand.first);
  const knocks = model.events.flatMap((event, index) => (event.type === "knocked" ? [index + 1] : []));

  // What comes after a match's end: its disputes, what was ruled on them, and what follows from it.
  const LATER = /^(dispute_|hand_replayed$|result_adjusted$)/;
  const later = model.events.flatMap((event, index) => (LATER.test(event.type) ? [index + 1] : []));

  return {
    ...model.match,
    model,
    last,
    views: model.views,
    event: (seq) => model.events[seq - 1],
    state: (seq, view) => courseOf(view)[seq],
    later,
    handAt: (seq) => (seq >= later[0] ? undefined : model.hands.find((hand) => hand.first <= seq && seq <= hand.last)),
    nextHand: (seq) => nextOf(firsts, seq),
    handBefore: (seq) => beforeOf(firsts, seq),
    nextKnock: (seq) => nextOf(knocks, seq),
  };
})();

const viewName = (view) =>
  ({ full: "All cards", public: "Everybody", 0: match.names[0], 1: match.names[1] })[view];

const seconds = (ms) => (ms < 10_000 ? (ms / 1000).toFixed(1) : String(Math.round(ms / 1000)));

function clockTime(ms) {
  const tenths = Math.floor(ms / 100);
  const rest = tenths % 600;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(rest / 10)).padStart(2, "0")}.${rest % 10}`;
}
