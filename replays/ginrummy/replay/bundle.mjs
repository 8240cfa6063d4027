// An evidence bundle checked a second time: written from docs/disputes.md alone, like the verifier
// of logs beside it, and sharing nothing with the program that makes bundles.
//
//     const report = await verifyBundle(bytes, { key });
//     report.clean, report.faults[0]   // {check, member, message}
//     report.log                       // what verifier.js says of the log in it
//     report.finding                   // {reason, outcome, why, checks, faults}, of a dispute
//
// What is for people alone (the statement, the audit's reports, the drawn views) is only hashed.

import { readArchive, UnusableArchive } from "./archive.mjs";
import { find } from "./finding.mjs";
import { readHeads, readKey, readReceipt, rootOf, sha256, signatureFault } from "./receipts.mjs";
import { decisionsOf, tableAfter } from "./table.mjs";
import verifier from "./verifier.js";

export { UnusableArchive };

const MANIFEST = "manifest.json";
const VIEWS = ["seat-0", "seat-1", "public"];
const ALWAYS = [
  ...["statement.txt", "match.log", "audit.txt", "audit.json", "audit.html"],
  ...["clock.json", "server.json", "SHA256SUMS"],
];
const SOMETIMES = [
  ...[MANIFEST, "receipt.tlog-proof", "checkpoint", "server.key", "dispute.json"],
  ...VIEWS.flatMap((eyes) => [`views/${eyes}.jsonl`, `views/${eyes}.txt`]),
];
const GIVEN = /^heads\/(?:seat-[01]|other-[1-9][0-9]?)\.jsonl$|^replays\/m_[0-9a-z]{26}\.log$/;
const FORMAT = "ginrummy/evidence/v1";

const text = (bytes) => bytes.toString("utf8");
const parsed = (json) => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
const same = (one, another) => JSON.stringify(one) === JSON.stringify(another);

// --- the bundle ---------------------------------------------------------------------------------

class Bundle {
  constructor(bytes, options) {
    const { members, damaged } = readArchive(bytes);
    this.members = members;
    this.options = options;
    this.faults = [];
    for (const [name, why] of damaged) this.fault("archive", name, why);
    this.readManifest(damaged);
    this.raws = [];
    this.lines = [];
  }

  fault(check, member, message) {
    this.faults.push({ check, member, message });
  }

  demand(holds, check, member, message) {
    if (!holds) this.fault(check, member, message);
    return holds;
  }

  // Return what a member holds in JSON; undefined where there is none.
  json(name) {
    if (!this.members.has(name)) return undefined;
    const found = parsed(text(this.members.get(name)));
    this.demand(found !== undefined, "contents", name, "it is no JSON");
    return found;
  }

  // Make a check of a member, which may be anything.
  within(name, check) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.fault("contents", name, "it is not what such a file is");
    }
  }

  readManifest(damaged) {
    const manifest = this.members.has(MANIFEST) ? this.json(MANIFEST) : undefined;
    if (manifest?.format !== FORMAT || !Array.isArray(manifest.members)) {
      throw new UnusableArchive(`${MANIFEST} is missing, damaged, or of no bundle`);
    }
    this.subject = manifest.subject;
    const listed = new Map(manifest.members.map((one) => [one.name, one]));
    for (const [name, data] of this.members) {
      if (name === MANIFEST) continue;
      const one = listed.get(name);
      if (one === undefined) this.fault("manifest", name, "the manifest does not list it");
      else if (one.bytes !== data.length || one.sha256 !== sha256(data).toString("hex")) {
        this.fault("manifest", name, "it is another file than the manifest lists");
      }
    }
    const isThere = (name) => this.members.has(name) || damaged.has(name);
    for (const name of listed.keys()) this.demand(isThere(name), "manifest", name, "it is missing");
    for (const name of ALWAYS) this.demand(isThere(name), "contents", name, "it is missing");
    for (const name of this.members.keys()) {
      const isKnown = ALWAYS.includes(name) || SOMETIMES.includes(name) || GIVEN.test(name);
      this.demand(isKnown, "contents", name, "nothing in the log makes it");
    }
    const seen = SOMETIMES.filter((name) => name.startsWith("views/") && isThere(name));
    this.demand(seen.length % 6 === 0, "contents", "views/", "there are some views, and not all");
  }

  async verify() {
    if (!this.members.has("match.log")) {
      this.fault("contents", "match.log", "there is no log to judge by");
      return this.report(null, null);
    }
    const log = this.members.get("match.log");
    const replays = new Map();
    for (const [name, replay] of this.members) {
      const match = /^replays\/(.*)\.log$/.exec(name)?.[1];
      if (match !== undefined) replays.set(match, replay);
    }
    const found = await verifier.verify(log, { ...this.options, replays });
    this.readLines(log, found);
    this.checkReceipt(found);
    this.checkHeads(found);
    found.faults.sort((one, another) => one.seq - another.seq);
    found.clean = found.faults.length === 0;
    const opened = this.checkDispute();
    this.checkReplays(found);
    this.within("server.json", () => this.checkRuleset());
    this.checkViews(found);
    this.within("clock.json", () => this.checkClock(found));
    return this.report(found, opened && this.find(opened.data, found));
  }

  report(log, finding) {
    const isIntact = this.faults.length === 0;
    const { subject, faults } = this;
    const clean = isIntact && log !== null && log.clean;
    return { subject, clean, intact: isIntact, faults, log, finding, key: this.key?.line ?? null };
  }

  // Keep the lines that can be read; the verifier has said of the others that they cannot.
  readLines(log, found) {
    this.raws = text(log).replace(/\n$/, "").split("\n");
    const isForm = ({ check }) => check === "line-form";
    const unreadable = new Set(found.faults.filter(isForm).map(({ seq }) => seq));
    this.lines = this.raws
      .map((raw, index) => (unreadable.has(index + 1) ? undefined : parsed(raw)))
      .filter((line) => line !== undefined);
    // Behind the first fault there is no telling how far either program has followed the log.
    const others = found.faults.filter(({ check }) => check !== "receipt");
    this.soundTo = Math.min(...others.map(({ seq }) => Number(seq) - 1), this.raws.length);
  }

  // --- what was kept of the log -----------------------------------------------------------------

  checkReceipt(found) {
    const own = this.members.has("server.key")
      ? readKey(text(this.members.get("server.key")).replace(/\n$/, ""))
      : null;
    const given = this.options.key === undefined ? null : readKey(this.options.key);
    if (this.members.has("server.key")) {
      this.demand(own !== null, "key", "server.key", "it is no Ed25519 key of a signed note");
      const isKnown = given === null || own === null || given.line === own.line;
      this.demand(isKnown, "key", "server.key", `it is ${own?.line}, and you know ${given?.line}`);
    }
    this.key = given ?? own;
    if (!this.members.has("receipt.tlog-proof")) return;
    const fault = (seq, message) => found.faults.push({ seq, check: "receipt", message });
    const raw = text(this.members.get("receipt.tlog-proof"));
    const receipt = readReceipt(raw);
    if (receipt === null) {
      this.fault("contents", "receipt.tlog-proof", "it is no receipt");
      return;
    }
    const isItsOwn = this.members.has("checkpoint") && text(this.members.get("checkpoint"));
    this.demand(isItsOwn === receipt.note, "contents", "checkpoint", "it is not the receipt's");
    const seq = receipt.seq ?? this.raws.length;
    if (this.key !== null) {
      const why = signatureFault(receipt.note, this.key);
      if (why !== null) fault(seq, why);
    }
    if (receipt.stream !== null && receipt.stream !== found.stream) {
      fault(seq, `the receipt is for ${receipt.stream}, which is another log`);
    } else if (seq > this.raws.length) {
      fault(seq, `the receipt is for event ${seq}: the end of the log was cut off`);
    } else if (!rootOf(receipt, this.raws[seq - 1])?.equals(receipt.root)) {
      fault(seq, `event ${seq} is not the line that the receipt is for: the log was rewritten`);
    }
  }

  checkHeads(found) {
    this.headsTo = 0;
    const inside = [...this.members].filter(([name]) => name.startsWith("heads/"));
    // Hashes that somebody has kept themselves stand for no member.
    const own = (this.options.heads ?? []).map((data) => ["your own hashes", data]);
    for (const [name, data] of [...inside, ...own]) {
      for (const head of readHeads(text(data))) {
        if (!this.demand(head !== null, "contents", name, "a line of it keeps no head")) continue;
        const { seq, hash } = head;
        this.headsTo = Math.max(this.headsTo, seq);
        const own = seq <= this.raws.length ? sha256(this.raws[seq - 1]).toString("hex") : null;
        if (own === hash) continue;
        const message =
          own === null
            ? `${name} has event ${seq}, and the end of the log is cut off`
            : `${name} has another event ${seq}, with the hash ${hash}: the log was rewritten`;
        found.faults.push({ seq, check: "receipt", message });
      }
    }
  }

  // --- what follows from the log ----------------------------------------------------------------

  // Return the line that opened the dispute; null where the bundle is about none.
  checkDispute() {
    const { dispute, hand, event, match } = this.subject;
    const isItsMatch = this.lines[0]?.stream === match;
    this.demand(isItsMatch, "contents", MANIFEST, `the log is not of ${match}`);
    if (dispute === null) return null;
    const own = this.lines.filter((line) => line.data.dispute === dispute);
    const of = (type) => own.filter((line) => line.type === type).map(noted);
    const [opened = null] = of("dispute_opened");
    const isThere = opened !== null;
    if (!this.demand(isThere, "contents", MANIFEST, "the log has no such dispute")) return null;
    const isAbout = opened.data.hand === hand && opened.data.event === event;
    this.demand(isAbout, "contents", MANIFEST, "the dispute is about something else");
    const ends = this.lines.filter((line) => RESULTS.includes(line.type));
    const right = {
      match: ends.at(-1)?.stream ?? "",
      ...{ dispute, opened, rulings: of("dispute_ruled") },
      ...{ appeal: of("dispute_appealed")[0] ?? null, replays: of("hand_replayed") },
      adjustments: of("result_adjusted"),
      as_played: ends.filter((line) => line.type === "match_ended").map(noted)[0] ?? null,
      stands: ends.map(noted).at(-1) ?? null,
    };
    const isSaid = same(this.json("dispute.json"), right);
    this.demand(isSaid, "contents", "dispute.json", "it is not what the log has of the dispute");
    return opened;
  }

  checkRuleset() {
    const server = this.json("server.json");
    const rules = parsed(this.raws[0])?.data?.rules;
    const right = rules === undefined ? null : sha256(JSON.stringify(rules)).toString("hex");
    const isSaid = server !== undefined && server.ruleset === right;
    this.demand(isSaid, "contents", "server.json", "its ruleset is not that of the log");
  }

  checkViews(found) {
    const decks = new Map(found.hands.map((hand) => [hand.number, hand.deck]));
    // With a secret or a nonce that is not the committed one nobody knows what was dealt.
    this.areDecksSound = !found.faults.some(({ check }) => OF_DECKS.includes(check));
    for (const viewer of VIEWS) {
      const [name, eyes] = [`views/${viewer}.jsonl`, viewer.replace("seat-", "")];
      if (!this.members.has(name)) continue;
      const told = text(this.members.get(name)).split("\n").slice(0, -1).map(parsed);
      const { event } = this.subject;
      const seqs = told.map((one) => one?.seq);
      if (event > this.soundTo) continue;
      const isAround = same(seqs, event > 1 ? [event - 1, event] : [event]);
      if (!this.demand(isAround, "contents", name, `it is not about event ${event}`)) continue;
      for (const position of told) {
        this.within(name, () => this.checkView(name, position, eyes, decks));
      }
    }
  }

  checkView(name, position, eyes, decks) {
    const { seq, view } = position;
    const line = this.lines[seq - 1];
    const isIt = FIELDS.every((field) => same(position[field], line?.[field]));
    // An old form of an event is told in its newest one, which has more fields.
    const isTold = ([field, value]) => same(position.data[field], value);
    const isSaid = isIt && Object.entries(line.data).every(isTold);
    this.demand(isSaid, "contents", name, `it is not event ${seq} that it tells`);
    if (!this.areDecksSound) return;
    const right = tableAfter(this.lines, seq, decks)?.get(eyes) ?? null;
    const isSeen = same(right, view.hand && seenOf(view.hand));
    this.demand(isSeen, "contents", name, `these cards were not seen after event ${seq}`);
  }

  checkClock(found) {
    const clock = this.json("clock.json");
    const terms = this.lines[0]?.data;
    if (!this.demand(clock !== undefined, "contents", "clock.json", "it is missing")) return;
    if (this.soundTo < 1) return;
    const isTerms = same(clock.time_control, terms.clock) && same(clock.limits, terms.limits);
    this.demand(isTerms, "contents", "clock.json", "the time control is not that of the log");
    const { hand } = this.subject;
    const sound = this.lines.slice(0, this.soundTo);
    const isDeal = ({ type, data }) => type === "hand_dealt" && data.hand === hand;
    const first = hand === null ? 1 : sound.find(isDeal)?.seq;
    // Where the log has faults ahead of the hand, neither can say where it begins.
    if (first === undefined && !found.clean) return;
    const next = sound.find((one) => one.seq > first && one.type === "hand_dealt");
    const last = hand === null || next === undefined ? Infinity : next.seq - 1;
    const within = decisionsOf(sound).filter(({ seq }) => first <= seq && seq <= last);
    const told = clock.decisions.filter(({ seq }) => seq <= this.soundTo);
    const seqs = (decisions) => decisions.map(({ seq }) => seq);
    const others = "these are not the decisions of it";
    const areIts = same(seqs(told), seqs(within));
    if (!this.demand(areIts, "contents", "clock.json", others)) return;
    told.forEach((one, index) => {
      const isRight = same(one, within[index]);
      this.demand(isRight, "contents", "clock.json", `event ${one.seq} is not told as it was`);
    });
  }

  // Hands that were played again by a ruling: is each replay what the log says of it?
  checkReplays(found) {
    const told = this.lines.filter(({ type }) => type === "hand_replayed");
    for (const name of this.members.keys()) {
      if (!name.startsWith("replays/")) continue;
      const own = told.filter(({ data }) => name === `replays/${data.match}.log`);
      this.demand(own.length > 0, "replays", name, "the log has no such replay");
      const isItsFault = ({ check, seq }) =>
        check === "replays" && own.some((line) => line.seq === seq);
      for (const { message } of found.faults.filter(isItsFault)) {
        this.fault("replays", name, message);
      }
    }
  }

  // --- what is found of a claim -----------------------------------------------------------------

  find(claim, log) {
    const { headsTo } = this;
    const isSigned = this.raws.map(parsed).some((line) => line?.seq === claim.event && line.sig);
    return find(claim, { span: this.spanOf(claim.hand), log, isSigned, headsTo });
  }

  // The first and the last event of what is disputed; of what is not there, those of the log.
  spanOf(hand) {
    const ends = ["hand_scored", "hand_voided", "match_ended"];
    const found = new Map();
    let deal = null;
    for (const { seq, type, data } of this.lines) {
      if (type === "hand_dealt") deal = { hand: data.hand, seq };
      if (type === "match_ended") found.set(null, [1, seq]);
      if (ends.includes(type) && deal !== null) {
        found.set(deal.hand, [deal.seq, seq]);
        deal = null;
      }
    }
    return found.get(hand) ?? [1, this.raws.length];
  }
}

const RESULTS = ["match_ended", "result_adjusted"];
const OF_DECKS = ["commitment", "position", "reveal", "nonces", "dealing"];
const FIELDS = ["seq", "at", "by", "type"];

const noted = ({ seq, at, by, data }) => ({ seq, at, by, data });

// Of a hand in a view, as much as is worked out here, in the same order.
const seenOf = ({ number, dealer, upcard, hands, pile, stock, face_down }) => ({
  ...{ number, dealer, upcard },
  hands: hands.map(({ cards, hidden }) => ({ cards, hidden })),
  ...{ pile, stock, face_down },
});

/**
 * Check an evidence bundle by itself: `bytes` is the zip file. Of `options`, `key` is the server's
 * verifier key and `heads` are files of hashes (Buffers), where you have them from elsewhere; the
 * others are those of the verifier of logs. Throws
 * UnusableArchive where it is no bundle, and what the verifier of logs throws.
 */
export const verifyBundle = (bytes, options = {}) => new Bundle(bytes, options).verify();
