// What a log and what was kept of it say of a claim (docs/disputes.md): borne out, refuted, or not
// shown either way. It is not for a verifier to rule.

const ANSWERING = {
  card_not_in_deck: ["commitment", "reveal", "nonces", "dealing", "deck"],
  move_denied: ["actors", "signatures"],
  score_wrong: ["moves", "scores", "rulings", "replays"],
  clock_wrong: ["clocks"],
  log_changed: ["line-form", "stream", "sequence", "chain", "receipt"],
  cards_seen: ["reveal"],
  rule_broken: ["dealing", "deck", "moves", "scores", "clocks", "actors", "end"],
  collusion: [],
  conduct: [],
  other: [],
};
const OF_THE_WHOLE = [
  ...["line-form", "stream", "sequence", "chain", "receipt"],
  ...["commitment", "nonces", "reveal", "actors", "rulings", "replays"],
];
const NEEDS_DECKS = ["commitment", "reveal", "nonces", "dealing", "deck"];
const NEVER_REFUTED = ["cards_seen", "collusion", "conduct", "other"];

// Return what is found of a claim: `span` is the first and the last event of what is disputed,
// `log` what verifier.js says, `isSigned` whether the disputed line is, `headsTo` the last event
// whose hash somebody has kept.
export function find({ reason, hand, event }, { span, log, isSigned, headsTo }) {
  const checks = ANSWERING[reason];
  const [first, last] = span;
  const faults = log.faults.filter(({ check, seq }) => {
    if (!checks.includes(check)) return false;
    if (check === "signatures") return seq === event;
    return OF_THE_WHOLE.includes(check) || (first <= seq && seq <= last);
  });
  const finding = (outcome, why) => ({ reason, outcome, why, checks, faults });
  if (faults.length > 0) {
    return finding("borne_out", `event ${faults[0].seq}: ${faults[0].message}`);
  }
  const [other] = log.faults;
  if (other !== undefined) {
    const where = `event ${other.seq}, ${other.check}`;
    return finding("not_shown", `the log has a fault elsewhere (${where}), and so refutes nothing`);
  }
  const isHidden = hand === null ? log.waiting.length > 0 : log.waiting.includes(hand);
  if (checks.includes("replays") && log.unshown.replays > 0) {
    return finding("not_shown", "a hand was played again, and the log of it is not there");
  }
  if (isHidden && checks.some((check) => NEEDS_DECKS.includes(check))) {
    return finding("not_shown", "the secret of the hand is not out");
  }
  if (NEVER_REFUTED.includes(reason)) return finding("not_shown", "no log can refute this");
  if (reason === "move_denied" && !isSigned) {
    return finding("not_shown", "the move is not signed");
  }
  if (reason === "log_changed" && headsTo < event) {
    return finding("not_shown", "no hash that a player was told is there to compare it with");
  }
  return finding("refuted", `no fault in ${checks.join(", ")}`);
}
