// The log that is in the page, checked in the reader's own browser, without a network.

const proof = (() => {
  const root = document.getElementById("report");
  const verdict = document.getElementById("verdict");
  const { log, only } = match.model;
  const bytes = unpacked();
  const fileName = log.kept === log.lines ? log.name : `first-${log.kept}-of-${log.name}`;

  function unpacked() {
    const packed = atob(document.getElementById("log").textContent);
    const found = new Uint8Array(packed.length);
    // A long log has megabytes, for which a call for each byte takes too long.
    for (let at = 0; at < packed.length; at++) found[at] = packed.charCodeAt(at);
    return found;
  }

  function say(text, kind) {
    verdict.textContent = text;
    verdict.classList.add(kind);
  }

  function whatIsIn() {
    if (log.kept === log.lines) return `All ${log.lines} lines of the log are in this file.`;
    const whose = only === "public" ? "not everybody" : `${match.names[Number(only)]} could not`;
    return (
      `The first ${log.kept} of the log's ${log.lines} lines are in this file. The others come after ` +
      `a secret that opens cards which ${only === "public" ? "not everybody has seen" : `${whose} see`}, ` +
      "so they were left out; the hash of the last one is below."
    );
  }

  function showReport(report) {
    const parts = report.clean ? clean(report) : faulty(report);
    parts.push(...comparison(report));
    const checks = Object.entries(report.checked).filter(([, number]) => number > 0);
    parts.push(make("p", {}, whatIsIn()));
    if (report.waiting.length > 0) {
      parts.push(make("p", {}, `Not open in these lines: the deck of hand ${report.waiting.join(", ")}. ` +
        "There the check is of what everybody could see."));
    }
    if (report.unshown.origin || report.unshown.replays > 0) {
      const logs = [
        ...(report.unshown.origin ? ["that of the match from which this one branches off"] : []),
        ...(report.unshown.replays > 0 ? ["those of hands that were played again"] : []),
      ];
      parts.push(make("p", {}, `What other logs would show is not checked here: ${logs.join(", and ")}.`));
    }
    if (checks.length > 0) {
      parts.push(make("dl", { class: "checks" }, ...checks.map(([check, number]) =>
        make("div", {}, make("dt", {}, check.replaceAll("-", " ")), make("dd", {}, String(number))))));
    }
    root.replaceChildren(...parts);
  }

  function clean(report) {
    say("✓ Checked, no fault", "good");
    return [make("p", { class: "good" },
      `Checked just now in your browser, by a second program that shares no code with the first: ${report.head.seq} lines, no fault.`)];
  }

  function faulty(report) {
    const number = report.faults.length;
    say(`✗ ${number} fault${number === 1 ? "" : "s"} in the log`, "bad");
    moves.blame(report.faults.map((fault) => fault.seq));
    const items = report.faults.map(({ seq, check, message }) =>
      make("li", {}, make("a", { href: place.addressOf(Math.min(seq, match.last), place.present.view) }, `Event ${seq}`),
        ` (${check}): ${message}`));
    return [
      make("p", { class: "bad" }, `Checked just now in your browser: this log is not as it should be.`),
      make("ul", { class: "faults" }, ...items),
    ];
  }

  /** The hands of which this page shows another deal than the log's deck gives. */
  function dealtOtherwise(report) {
    return report.hands.filter(({ deck, seq }) => {
      if (deck === null || seq > match.last || !match.views.includes("full")) return false;
      const state = match.state(seq, "full");
      const held = [0, 1].flatMap((seat) => {
        const { melds, deadwood } = cards.read(state[`cards${seat}`]);
        return [...melds.flatMap((meld) => meld.own), ...deadwood];
      });
      const shown = [...held.sort(), state.pile.slice(0, 2), state.order].join("");
      return shown !== [...deck.slice(0, 20).sort(), ...deck.slice(20)].join("");
    });
  }

  function comparison(report) {
    const wrong = dealtOtherwise(report);
    if (wrong.length > 0) {
      say("✗ Not what the log says", "bad");
      moves.blame(wrong.map((hand) => hand.seq));
      const numbers = wrong.map((hand) => hand.number).join(", ");
      return [make("p", { class: "bad" }, `The picture was changed: the deal of hand ${numbers} on this page is not the one that the log's deck gives.`)];
    }
    const isOpen = match.views.includes("full") && report.hands.some((hand) => hand.deck !== null);
    return isOpen ? [make("p", {}, "The deals that this page shows are those that the log's decks give.")] : [];
  }

  function showFailure(error) {
    say("✗ Not checked", "bad");
    root.replaceChildren(
      make("p", { class: "bad" }, `The check could not be made: ${error.message}`),
      make("p", {}, whatIsIn()),
    );
  }

  function byHand() {
    const commands = [
      `gin audit ${fileName}`,
      `tail -n 1 ${fileName} | tr -d '\\n' | sha256sum`,
      "jq -c 'select(.type == \"secret_revealed\") | .data' " + fileName,
    ].join("\n");
    return make("details", {},
      make("summary", {}, "How to check it yourself"),
      make("p", {}, "Whoever made this file could have made its check as well. To trust neither, save the log and check it with programs of your own: each line's ", make("code", {}, "prev"),
        " is the SHA-256 of the line before it, and the page on the log's format says how the secrets make the decks."),
      make("pre", {}, commands),
      make("p", {}, "The last line's hash, which stands for the whole log. Compare it with what you were told while you played:"),
      make("p", {}, make("code", { class: "hash" }, log.head)));
  }

  return {
    begin() {
      document.getElementById("by-hand").replaceChildren(byHand());
      document.getElementById("save-log").addEventListener("click", () =>
        saveFile(fileName, [bytes], "application/octet-stream"));
      // The table is to be there first.
      setTimeout(() => ginrummyVerifier.verify(bytes).then(showReport).catch(showFailure), 50);
    },
  };
})();
