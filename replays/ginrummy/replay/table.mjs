// What a bundle tells of the table, worked out a second time from the log's lines: who saw which
// cards after an event, and how long each decision took (docs/log-format.md, docs/disputes.md).

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const indexOf = (card) => 13 * SUITS.indexOf(card[1]) + RANKS.indexOf(card[0]);
const inDeckOrder = (cards) => [...cards].sort((one, another) => indexOf(one) - indexOf(another));
const other = (seat) => 1 - seat;

const laidDown = ({ melds, layoffs = [], deadwood }) => [
  ...melds.flat(),
  ...layoffs.map((layoff) => layoff.card),
  ...deadwood,
];

// --- cards --------------------------------------------------------------------------------------

class Table {
  constructor({ hand, dealer, upcard }, deck) {
    Object.assign(this, { number: hand, dealer, upcard, deck });
    // The non-dealer gets the first card. Without the deck nobody's cards are known.
    const dealt = (first) => new Set(deck?.slice(0, 20).filter((_, index) => index % 2 === first));
    this.held = [0, 1].map((seat) => dealt(seat === dealer ? 1 : 0));
    this.shown = [new Set(), new Set()];
    this.pile = [upcard];
    this.stock = 31;
    this.drawer = null;
    this.laid = [false, false];
    this.faceDown = null;
    this.knocker = null;
  }

  follow({ type, data }) {
    const { seat, card } = data;
    if (type === "stock_drawn") {
      if (this.deck !== null) this.held[seat].add(this.deck[52 - this.stock]);
      this.stock--;
      this.drawer = seat;
    } else if (type === "discard_taken") {
      this.pile.pop();
      this.held[seat].add(card);
      this.shown[seat].add(card);
      this.drawer = seat;
    } else if (type === "discarded") {
      this.held[seat].delete(card);
      this.shown[seat].delete(card);
      this.pile.push(card);
      this.drawer = null;
    } else if (type === "knocked" || type === "laid_off") {
      const laid = laidDown(data);
      if (type === "knocked") {
        const kept = [...this.held[seat]].filter((one) => !laid.includes(one));
        this.faceDown = this.deck !== null && kept.length === 1 ? kept[0] : null;
        this.knocker = seat;
      } else this.laid = [true, true];
      this.held[seat] = new Set(laid);
      this.shown[seat] = new Set(laid);
      this.laid[seat] = true;
      this.drawer = null;
    }
  }

  // What a pair of eyes, 0, 1 or "public", sees.
  seenBy(eyes) {
    const hands = [0, 1].map((seat) => {
      const size = this.laid[seat] ? this.shown[seat].size : this.drawer === seat ? 11 : 10;
      const known = seat === eyes && this.deck !== null ? this.held[seat] : this.shown[seat];
      return { cards: inDeckOrder(known), hidden: size - known.size };
    });
    const { number, dealer, upcard, pile, stock } = this;
    const face_down = eyes === this.knocker ? this.faceDown : null;
    return { number, dealer, upcard, hands, pile: [...pile], stock, face_down };
  }
}

// Return what each pair of eyes sees after the event `seq`; null ahead of the first deal. `decks`
// is a Map of the decks that are known, by the hand's number.
export function tableAfter(lines, seq, decks) {
  let table = null;
  for (const line of lines.slice(0, seq)) {
    if (line.type === "hand_dealt") {
      const deck = decks.get(line.data.hand) ?? null;
      // A hand that was not dealt from its deck is told as everybody saw it.
      table = new Table(line.data, deck?.[20] === line.data.upcard ? deck : null);
    } else table?.follow(line);
  }
  return table && new Map([0, 1, "public"].map((eyes) => [String(eyes), table.seenBy(eyes)]));
}

// --- time ---------------------------------------------------------------------------------------

const MOVES = ["upcard_passed", "stock_drawn", "discard_taken", "discarded", "knocked", "laid_off"];

// A time is a number of microseconds since 1970, which a double holds.
const micros = (at) => Date.parse(`${at.slice(0, 19)}Z`) * 1000 + Number(at.slice(20, 26));

class Clock {
  constructor({ clock, limits, origin = null }) {
    // A fork takes over some moves first, which took their time elsewhere.
    this.copies = origin?.moves ?? 0;
    this.increment = (clock?.increment_ms ?? 0) * 1000;
    this.limits = [limits.idle_ms * 1000];
    if (clock !== null && clock.decision_ms !== null) this.limits.push(clock.decision_ms * 1000);
    const bank = clock?.bank_ms ?? null;
    this.bank = bank === null ? null : [bank * 1000, bank * 1000];
    [this.turn, this.since, this.paused] = [null, 0, false];
  }

  // Return [time passed, time allowed] ahead of an event; null where no decision is waited for.
  ahead(at) {
    if (this.turn === null || this.paused || this.copies > 0) return null;
    const own = this.bank === null ? [] : [this.bank[this.turn]];
    return [at - this.since, Math.min(...this.limits, ...own)];
  }

  follow({ type, data }, at) {
    if (type === "hand_dealt") {
      [this.turn, this.since, this.dealer] = [other(data.dealer), at, data.dealer];
    } else if (type === "clock_paused") {
      if (this.bank !== null && this.turn !== null && !this.paused) {
        this.bank[this.turn] -= at - this.since;
      }
      [this.since, this.paused] = [at, true];
    } else if (type === "clock_resumed") [this.since, this.paused] = [at, false];
    else if (["hand_scored", "hand_voided", "match_ended"].includes(type)) this.turn = null;
    else if (MOVES.includes(type) && this.turn !== null) this.move(type, data, at);
  }

  move(type, data, at) {
    if (this.copies > 0) this.copies--;
    else if (this.bank !== null) this.bank[this.turn] += this.increment - (at - this.since);
    this.since = at;
    if (type === "knocked") this.turn = data.gin ? null : other(data.seat);
    else if (type === "laid_off") this.turn = null;
    else if (type === "discarded" || type === "upcard_passed") this.turn = other(data.seat);
  }
}

const FOLLOWS = ["match_created", "player_joined", "hand_dealt", "hand_scored", "hand_voided"];
const FROM_OUTSIDE = ["abandoned", "aborted", "round_clock"];
const AWAY = ["crash", "stall", "no_show", "withdrawn"];

// Say whether somebody has decided something by an event, before the match's end or with it.
function isDecision({ type, by, data }) {
  if (FOLLOWS.includes(type) || type.endsWith("_revealed")) {
    return type === "nonce_revealed" && by === "server";
  }
  return type === "match_ended" ? FROM_OUTSIDE.includes(data.reason) : true;
}

const isAbsent = ({ type, by, data }) =>
  by === "server" &&
  (type === "clock_expired" ||
    (type === "forfeited" && AWAY.includes(data.reason)) ||
    (type === "match_ended" && data.reason === "abandoned"));

// Return the decisions of a match up to its end: who made each, what time passed over it, what
// there was for it, and what both banks held after it, in milliseconds.
export function decisionsOf(lines) {
  const found = [];
  if (lines[0]?.type !== "match_created") return found;
  const clock = new Clock(lines[0].data);
  const players = new Set();
  for (const line of lines) {
    const { seq, type, by, data } = line;
    const at = micros(line.at);
    const ahead = clock.ahead(at);
    clock.follow(line, at);
    if (type === "player_joined") players.add(data.player);
    if (isDecision(line)) {
      found.push({
        ...{ seq, seat: data.seat ?? null, act: type, at: line.at },
        made_by: by === "server" ? "server" : players.has(by) ? "player" : "director",
        ...{ by, absent: isAbsent(line) },
        thought_ms: ahead && ahead[0] / 1000,
        allowed_ms: ahead && ahead[1] / 1000,
        bank_ms: clock.bank && clock.bank.map((left) => left / 1000),
      });
    }
    if (type === "match_ended") break;
  }
  return found;
}
