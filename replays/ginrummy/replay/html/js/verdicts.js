// What the analysis says of one decision, and of all of a hand and of the match, in words.

const verdicts = (() => {
  const CARD = /\b([A2-9TJQK][SHDC])\b/u;
  const all = (text) => cards.split(text).flatMap((card) => [cards.chip(card), " "]);

  /** A move by its name, such as `discard 7H`, with its card in its colour. */
  function move(name) {
    const part = document.createDocumentFragment();
    name.replaceAll("_", " ").split(CARD).forEach((text, index) =>
      part.append(index % 2 === 1 ? cards.chip(text) : text));
    return part;
  }

  const isBest = (said) => said.best === said.did || said.choices === 1;

  function best(said) {
    if (said.choices === 1) return ["there was no other choice"];
    if (said.best === said.did) return [`this one, of ${said.choices} choices`];
    // It looked better in one half of the worlds, and was not in the other.
    if (said.gave[0] <= 0) return [`this one, of ${said.choices} choices; next to it `, move(said.best)];
    const more = `${figure(said.gave).slice(1)} points more`;
    if (said.clear) return [move(said.best), ", ", make("b", { class: "bad" }, more)];
    return [move(said.best), `, ${more} `, make("small", {}, "(chance explains as much)")];
  }

  function outs([melding, lowering, dead]) {
    const number = melding.length / 2;
    const parts = number === 0 ? ["none"] : [make("b", {}, String(number)), ": ", ...all(melding)];
    if (lowering) parts.push(make("small", {}, ` ${lowering.length / 2} more would only lower the deadwood. `));
    if (dead) parts.push(make("small", {}, " Dead: ", ...all(dead)));
    return parts;
  }

  function knock(said, real) {
    const { card, deadwood, made, likely, undercut } = said.knock;
    const what = deadwood === 0 ? "gin" : `with ${deadwood}`;
    const thrown = made || card === null ? [] : [", throwing ", cards.chip(card)];
    const scores = made ? "scores" : "would have scored";
    const parts = [what, ...thrown, `: ${scores} `];
    if (real !== undefined) parts.push(make("b", {}, points(real).replace(/\.0$/, "")), " against the hand that lay there, ");
    parts.push(`${figure(likely)} on average against likely hands`);
    if (deadwood > 0) parts.push(`, of which ${Math.round(100 * undercut)}% undercut it`);
    return parts;
  }

  const spread = ({ spread: melds, better }) =>
    [...melds.flatMap((meld) => [...all(meld), "· "]).slice(0, -1), ` scores ${figure(better).slice(1)} points more on average`];

  function laid({ left, least, missed }) {
    if (left === least) return [`${left} points left, the least that could be`];
    const parts = [make("b", { class: "bad" }, `${left} points left, where ${least} could have been`)];
    if (missed.length > 0) {
      parts.push("; missed: ", ...missed.flatMap(([card, meld]) => [cards.chip(card), ` on meld ${meld + 1} `]));
    } else parts.push(", with other melds and lay-offs");
    return parts;
  }

  const change = ({ before, after }) => (before === after ? String(before) : `${before} → ${after}`);
  const unchanged = ({ before, after }) => (before === after ? " before and after" : "");

  /** All that is said of a decision, as a list of terms. */
  function decision(seq, view) {
    const said = judged.at(seq, view);
    const rows = [["Deadwood", [change(said), unchanged(said)]]];
    if (said.outs) rows.push(["Outs", outs(said.outs)]);
    if (said.expects) rows.push(["Expected", [`${figure(said.expects)} points in this hand`]]);
    if (said.gave) rows.push(["Best found", best(said)]);
    if (said.knock) rows.push([said.knock.made ? "The knock" : "A knock", knock(said, judged.real(seq, view))]);
    if (said.knock?.better && said.knock.better[0] > 0) rows.push(["Best spread", spread(said.knock)]);
    if (said.laid) rows.push(["Laying off", laid(said.laid)]);
    return make("dl", { class: "said" }, ...rows.map(([term, told]) =>
      make("div", {}, make("dt", {}, term), make("dd", {}, ...told))));
  }

  function cost(said) {
    if (said.laid) return said.laid.left > said.laid.least ? [`${said.laid.left - said.laid.least} left too much`] : ["–"];
    if (said.choices === 1) return [make("small", {}, "no choice")];
    if (isBest(said)) return ["–"];
    return [said.clear ? make("b", { class: "bad" }, figure(said.gave)) : figure(said.gave), ": ", move(said.best)];
  }

  /** The decisions of a hand as a table; `link` makes an event's number, and what it leads to. */
  function table(seqs, view, link) {
    const head = ["Event", "Who", "Did", "Deadwood", "Outs", "Expects", "Gave away"];
    const rows = seqs.map((seq) => {
      const said = judged.at(seq, view);
      return make("tr", { "data-seq": seq },
        make("th", { scope: "row" }, link(seq)),
        make("td", { class: `by-${said.seat}` }, match.names[said.seat]),
        make("td", {}, move(said.did)),
        make("td", { class: "wide" }, change(said)),
        make("td", { class: "wide" }, said.outs ? String(said.outs[0].length / 2) : ""),
        make("td", {}, said.expects ? points(said.expects[0]) : ""),
        make("td", {}, ...cost(said)));
    });
    return make("table", { class: "decisions" },
      make("thead", {}, make("tr", {}, ...head.map((text) =>
        make("th", { scope: "col", class: /Outs|Deadwood/.test(text) ? "wide" : null }, text)))),
      make("tbody", {}, ...rows));
  }

  /** What the decisions of the whole match come to. */
  function tallies(view) {
    const seats = judged.seats(view);
    if (seats.length === 0) return [];
    const rows = seats.map((seat) => {
      const { hands, choices, gave_away: gave, clear, lay_offs: laidOff, missed } = judged.analysis.tallies[seat];
      return make("tr", {}, make("th", { scope: "row" }, match.names[seat]),
        make("td", {}, `${figure(gave)}`), make("td", {}, hands ? points(gave[0] / hands) : "–"),
        make("td", {}, `${clear} of ${choices}`), make("td", {}, laidOff ? `${missed} in ${laidOff}` : "–"));
    });
    const head = ["", "Gave away, in all", "a hand", "Clearly", "Lay-offs missed"];
    return [make("table", { class: "tallies" },
      make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, ...rows)), ...sights(view)];
  }

  /** Whether a player plays as if they saw hidden cards, in the words in which it was said. */
  function sights(view) {
    const told = judged.sights(view).map(({ matches, hands, said }, seat) => {
      const where = matches > 1 ? `${hands} hands of ${matches} matches` : `${hands} hands`;
      const lines = said.map(([kind, figures, verdict]) =>
        make("p", {}, make("b", {}, kind[0].toUpperCase() + kind.slice(1)), `: ${figures}`, verdict ? make("span", {}, `: ${verdict}`) : "", "."));
      return make("div", {}, make("h4", {}, `${match.names[seat]} `, make("small", {}, where)), ...lines);
    });
    return told.length === 0 ? [] : [make("h3", {}, "Beyond what could be known"), make("div", { class: "sights" }, ...told)];
  }

  return { decision, table, tallies };
})();
