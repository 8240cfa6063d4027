// The score sheet: the hands that are over at an event, and how the match ended.

const sheet = (() => {
  const root = document.getElementById("rows");
  const KINDS = { big_gin: "big gin", gin: "gin", knock: "knock", undercut: "undercut", void: "void", ruling: "by ruling" };

  const signed = (points) => (points > 0 ? `+${points}` : `−${-points}`);

  function rowOf(row, view) {
    const link = make("a", { href: place.addressOf(row.seq, view) }, String(row.hand ?? "–"));
    link.addEventListener("click", (click) => {
      click.preventDefault();
      place.go(row.seq, { isJump: true });
    });
    const gains = row.gains.map((gain, seat) =>
      make("td", { class: "number" },
        gain === 0 ? "" : make("b", {}, signed(gain)),
        make("small", {}, ` ${row.totals[seat]}`)));
    return make("tr", {}, make("th", { scope: "row" }, link), make("td", {}, KINDS[row.kind]), ...gains);
  }

  function tableOf(seq, view) {
    const head = ["Hand", "", ...match.names].map((text, index) =>
      make("th", { scope: "col", class: index > 1 ? "number" : null }, text));
    const over = match.model.sheet.filter((row) => row.seq <= seq);
    const rows = over.map((row) => rowOf(row, view));
    return rows.length === 0
      ? make("p", { class: "quiet" }, "No hand is over yet.")
      : make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
  }

  /** How the totals came about (X2). */
  function accountOf(outcome) {
    const account = make("div", { class: "account" }, make("p", {}, make("b", {}, outcome.told)));
    if (String(outcome.totals) === String(outcome.points)) return account;
    for (const seat of [0, 1]) {
      let sum = `${outcome.points[seat]} points`;
      if (outcome.game[seat]) sum += ` + ${outcome.game[seat]} for the match`;
      if (outcome.doubled && seat === outcome.winner) sum = `2 × (${sum})`;
      if (outcome.boxes[seat]) sum += ` + ${outcome.boxes[seat]} for hands won`;
      account.append(make("p", {}, `${match.names[seat]}: ${sum} = `, make("b", {}, String(outcome.totals[seat]))));
    }
    return account;
  }

  function parts(state, view) {
    const shown = [tableOf(state.seq, view)];
    if (state.outcome !== null) shown.push(accountOf(state.outcome));
    return shown;
  }

  return {
    show: ({ seq, view }) => root.replaceChildren(...parts(match.state(seq, view), view)),
    parts,
  };
})();
