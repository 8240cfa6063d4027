// The graph of a hand: what each seat could expect to score, decision by decision.
//
// There is one scale. What is above zero is good for whoever sits at the lower end of the table, so
// the other seat's expectation hangs upside down, and where both know the same the lines meet.

const graph = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000];
  const LEFT = 36, RIGHT = 14, TOP = 22, BOTTOM = 20;

  function draw(tag, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const near = (view) => (view === "1" ? 1 : 0);

  /** All that is drawn of a hand, in points for the near seat. */
  function dataOf(hand, view) {
    const seqs = judged.ofHand(hand, view).filter((seq) => judged.at(seq, view).expects !== null);
    const marks = seqs.map((seq) => {
      const { seat, expects: [mean, error], gave, clear } = judged.at(seq, view);
      const sign = seat === near(view) ? 1 : -1;
      const missed = clear ? sign * (mean + gave[0]) : null;
      return { seq, seat, mean: sign * mean, error: error ?? 0, missed };
    });
    return { marks, end: judged.scored(hand)[near(view)] };
  }

  function scaleOf({ marks, end }, first, width, height) {
    const all = marks.flatMap(({ mean, error, missed }) => [mean - error, mean + error, missed ?? mean]);
    const low = Math.min(0, end, ...all), high = Math.max(0, end, ...all);
    const room = Math.max(high - low, 10);
    const step = STEPS.find((each) => room / each <= 5) ?? room;
    const bottom = Math.floor(low / step) * step, top = Math.ceil(Math.max(high, low + 10) / step) * step;
    const last = Math.max(first + 1, ...marks.map(({ seq }) => seq)) + 1;
    return {
      ticks: Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => bottom + index * step),
      last,
      x: (seq) => LEFT + ((Math.min(seq, last) - first) / (last - first)) * (width - LEFT - RIGHT),
      y: (value) => TOP + ((top - value) / (top - bottom)) * (height - TOP - BOTTOM),
      seqAt: (x) => first + ((x - LEFT) / (width - LEFT - RIGHT)) * (last - first),
    };
  }

  const at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;

  function band(marks, { x, y }) {
    const upper = marks.map(({ seq, mean, error }) => at(x(seq), y(mean + error)));
    const lower = marks.map(({ seq, mean, error }) => at(x(seq), y(mean - error))).reverse();
    return `M${[...upper, ...lower].join("L")}Z`;
  }

  /** A seat's mark: round for the one, on its point for the other, so that colour is not needed. */
  function mark(seat, x, y, size) {
    if (seat === 0) return draw("circle", { class: "mark", cx: x, cy: y, r: size });
    const far = size * 1.25;
    return draw("path", { class: "mark", d: `M${at(x, y - far)}L${at(x + far, y)}L${at(x, y + far)}L${at(x - far, y)}Z` });
  }

  function series(seat, marks, scale) {
    const { x, y } = scale;
    const own = marks.filter((each) => each.seat === seat);
    const group = draw("g", { class: `of-${seat}` });
    if (own.length === 0) return group;
    group.append(draw("path", { class: "band", d: band(own, scale) }),
      draw("path", { class: "line", d: `M${own.map(({ seq, mean }) => at(x(seq), y(mean))).join("L")}` }));
    for (const { seq, mean, missed } of own) {
      if (missed !== null) group.append(draw("path", { class: "missed",
        d: `M${at(x(seq), y(mean))}V${y(missed).toFixed(1)}m-4 0h8` }));
      group.append(mark(seat, x(seq), y(mean), 2.6));
    }
    return group;
  }

  function frame(hand, view, { ticks, x, y, last }, width, height) {
    const parts = ticks.map((tick) => draw("g", { class: tick === 0 ? "tick zero" : "tick" },
      draw("path", { d: `M${LEFT} ${y(tick)}H${width - RIGHT}` }),
      draw("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, String(Math.abs(tick)))));
    parts.push(
      draw("text", { class: "side", x: LEFT, y: TOP - 9 }, `↑ points for ${match.names[near(view)]}`),
      draw("text", { class: "side", x: LEFT, y: height - 5 }, `↓ points for ${match.names[1 - near(view)]}`),
      draw("text", { class: "side", x: x(last), y: height - 5, "text-anchor": "end" }, "scored"));
    return parts;
  }

  function labelOf(hand, view, { marks }) {
    const parts = judged.seats(view).flatMap((seat) => {
      const own = marks.filter((each) => each.seat === seat);
      if (own.length === 0) return [];
      const [first, last] = [own[0], own.at(-1)].map(({ mean }) => points(seat === near(view) ? mean : -mean));
      return [`${match.names[seat]} from ${first} to ${last}`];
    });
    const scored = judged.scored(hand);
    const winner = scored.findIndex((each) => each > 0);
    const end = winner < 0 ? "nobody scored" : `${match.names[winner]} scored ${scored[winner]}`;
    return `Expected score over hand ${hand.number}: ${parts.join(", ")}; ${end}. The table of decisions has all figures.`;
  }

  /** Return the graph of a hand, `width` pixels wide, and a function that moves its cursor. */
  function of(hand, view, width, height = 230) {
    const data = dataOf(hand, view);
    const scale = scaleOf(data, hand.first, width, height);
    const { x, y, last } = scale;
    const cursor = draw("g", { class: "cursor" });
    const end = draw("g", { class: "end" },
      draw("path", { d: `M${at(x(last) - 5, y(data.end))}h10m-5 -5v10` }),
      draw("text", { x: x(last) + 4, y: y(data.end) - 8, "text-anchor": "end" }, String(Math.abs(data.end))));
    const svg = draw("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": labelOf(hand, view, data) },
      ...frame(hand, view, scale, width, height),
      cursor, ...[0, 1].map((seat) => series(seat, data.marks, scale)), end);

    function point(seq) {
      const present = data.marks.find((each) => each.seq === seq);
      cursor.replaceChildren(draw("path", { d: `M${x(seq).toFixed(1)} ${TOP}V${height - BOTTOM}` }));
      if (present) cursor.append(draw("circle", { cx: x(seq), cy: y(present.mean), r: 7 }));
    }

    /** The decision nearest to a place in the graph. */
    function nearest(left) {
      const wanted = scale.seqAt(left);
      const far = ({ seq }) => Math.abs(seq - wanted);
      return data.marks.reduce((best, each) => (best === null || far(each) < far(best) ? each : best), null)?.seq ?? null;
    }

    return { svg, point, nearest };
  }

  /** What the graph's marks mean. */
  function legend(view) {
    const sample = (seat) => draw("svg", { class: "graph", width: 26, height: 12, viewBox: "0 0 26 12", "aria-hidden": "true" },
      draw("g", { class: `of-${seat}` }, draw("path", { class: "line", d: "M0 6H26" }), mark(seat, 13, 6, 3)));
    const lost = draw("svg", { class: "graph", width: 12, height: 14, viewBox: "0 0 12 14", "aria-hidden": "true" },
      draw("path", { class: "missed", d: "M6 13V3m-4 0h8" }));
    const items = judged.seats(view).map((seat) =>
      make("span", {}, sample(seat), ` what ${match.names[seat]} could expect`));
    items.push(make("span", {}, lost, " what the best choice found would have brought"));
    return make("p", { class: "legend" }, ...items);
  }

  return { of, legend };
})();
