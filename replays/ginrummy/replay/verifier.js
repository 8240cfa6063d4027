// The independent verifier of a match's log: all that `gin audit` checks, written a second time.
//
//     bytes ──> lines ──> chain ──> secrets, nonces, decks ──> the play, event by event ──> faults
//
// It is written from docs/log-format.md and docs/rules.md and shares nothing with the program: no
// code, no table. It runs unchanged in a browser, from a file and without a network, and under
// node; `verify.mjs` beside it is its command line. It is one classic script that defines
// `ginrummyVerifier`.
//
//     const report = await ginrummyVerifier.verify(textOrBytes);
//     report.clean, report.faults[0]  // {seq, check, message}
//
// A hand whose secret is not out is judged by what everybody could see.

const ginrummyVerifier = (() => {
  "use strict";

  // --- cards ------------------------------------------------------------------------------------
  // A card is its place in the unshuffled deck: A to K of S, then of H, of D, of C.

  const RANKS = "A23456789TJQK";
  const SUITS = "SHDC";

  const rankOf = (card) => card % 13;
  const suitOf = (card) => Math.floor(card / 13);
  const cardName = (card) => RANKS[rankOf(card)] + SUITS[suitOf(card)];
  const namesOf = (cards) => [...cards].map(cardName).join(" ");
  const valueOf = (card) => Math.min(rankOf(card) + 1, 10);
  const countOf = (cards) => [...cards].reduce((sum, card) => sum + valueOf(card), 0);
  const inDeckOrder = (cards) => [...cards].sort((one, another) => one - another);
  const other = (seat) => 1 - seat;

  // --- one line ---------------------------------------------------------------------------------
  // An event has one spelling. So a line is not parsed and compared, but read by what has to stand
  // in it, character by character; whatever else a JSON parser would take is no line.

  class MalformedLine extends Error {}
  class UnknownEvent extends MalformedLine {}

  class Reader {
    constructor(text) {
      this.text = text;
      this.at = 0;
    }

    stop(wanted) {
      const found = this.text.slice(this.at, this.at + 24);
      throw new MalformedLine(
        `from character ${this.at + 1} on: ${JSON.stringify(found)} where ${wanted} should stand`,
      );
    }

    take(literal) {
      if (!this.text.startsWith(literal, this.at)) this.stop(literal);
      this.at += literal.length;
    }

    takes(literal) {
      const there = this.text.startsWith(literal, this.at);
      if (there) this.at += literal.length;
      return there;
    }

    match(pattern, wanted) {
      pattern.lastIndex = this.at;
      const found = pattern.exec(this.text);
      if (found === null) this.stop(wanted);
      this.at = pattern.lastIndex;
      return found[0];
    }
  }

  // A form reads one value and returns it.

  function integer(reader) {
    const start = reader.at;
    const digits = reader.match(/-?(?:0|[1-9][0-9]*)/y, "a whole number");
    if (digits === "-0") {
      reader.at = start;
      reader.stop("0");
    }
    const number = Number(digits);
    return Number.isSafeInteger(number) ? number : BigInt(digits);
  }

  const between = (lowest, highest) => (reader) => {
    const start = reader.at;
    const number = integer(reader);
    if (number < lowest || number > highest) {
      reader.at = start;
      reader.stop(`a whole number from ${lowest} to ${highest}`);
    }
    return number;
  };

  function boolean(reader) {
    if (reader.takes("true")) return true;
    if (reader.takes("false")) return false;
    return reader.stop("true or false");
  }

  const TEXT =
    /"[^"\\\u0000-\u001f]*(?:\\(?:["\\bfnrt]|u00(?:0[0-7bef]|1[0-9a-f]))[^"\\\u0000-\u001f]*)*"/y;
  const text = (reader) => JSON.parse(reader.match(TEXT, "a text"));

  function fullText(reader) {
    const start = reader.at;
    const found = text(reader);
    if (found === "") {
      reader.at = start;
      reader.stop("a text that is not empty");
    }
    return found;
  }

  const hex = (digits) => {
    const pattern = new RegExp(`"[0-9a-f]{${digits}}"`, "y");
    return (reader) => reader.match(pattern, `${digits} lower-case hex digits`).slice(1, -1);
  };

  const oneOf =
    (...words) =>
    (reader) =>
      words.find((word) => reader.takes(JSON.stringify(word))) ??
      reader.stop(`one of ${words.join(", ")}`);

  const orNull = (form) => (reader) => (reader.takes("null") ? null : form(reader));

  const card = (reader) => {
    const found = reader.match(/"[A2-9TJQK][SHDC]"/y, "a card");
    return 13 * SUITS.indexOf(found[2]) + RANKS.indexOf(found[1]);
  };

  const listOf = (form) => (reader) => {
    const found = [];
    reader.take("[");
    while (!reader.takes("]")) {
      if (found.length > 0) reader.take(",");
      found.push(form(reader));
    }
    return found;
  };

  const pairOf = (form) => (reader) => {
    reader.take("[");
    const first = form(reader);
    reader.take(",");
    const second = form(reader);
    reader.take("]");
    return [first, second];
  };

  const objectOf = (fields) => {
    const entries = Object.entries(fields);
    return (reader) => {
      const found = {};
      reader.take("{");
      entries.forEach(([name, form], index) => {
        reader.take(`${index > 0 ? "," : ""}"${name}":`);
        found[name] = form(reader);
      });
      reader.take("}");
      return found;
    };
  };

  const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z$/;

  // A time is a number of microseconds since 1970, more than fit a floating-point number.
  function time(reader) {
    const start = reader.at;
    const found = TIME.exec(text(reader));
    if (found !== null) {
      const [year, month, day, hour, minute, second, micros] = found.slice(1).map(Number);
      const date = new Date(0);
      date.setUTCFullYear(year, month - 1, day);
      date.setUTCHours(hour, minute, second);
      if (year > 0 && date.toISOString().slice(0, 19) === found[0].slice(0, 19)) {
        return BigInt(date.getTime()) * 1000n + BigInt(micros);
      }
    }
    reader.at = start;
    return reader.stop("a time like 2026-11-29T22:48:58.123456Z");
  }

  // --- the events -------------------------------------------------------------------------------

  const seat = between(0, 1);
  const cards = listOf(card);
  const points = between(0, 1000000);
  const forfeits = ["illegal_moves", "crash", "stall", "no_show", "withdrawn"];
  const endReason = oneOf(
    "target",
    "hands",
    "hands_exhausted",
    "resigned",
    "clock",
    "abandoned",
    "aborted",
    "round_clock",
    "ruling",
    ...forfeits,
  );
  const account = {
    reason: endReason,
    winner: orNull(seat),
    points: pairOf(integer),
    hands_won: pairOf(integer),
    game_bonus: pairOf(integer),
    box_bonus: pairOf(integer),
    doubled: boolean,
    totals: pairOf(integer),
  };
  const number = between(1, Infinity);
  const words = (reader) => {
    const start = reader.at;
    const found = text(reader);
    if (found !== "" && [...found].length <= 1000) return found;
    reader.at = start;
    return reader.stop("a text of 1 to 1000 characters");
  };
  const scored = orNull(objectOf({ winner: seat, points: between(0, 10000000) }));

  const RULES = {
    knock_limit: between(0, 10),
    gin_only: boolean,
    oklahoma: boolean,
    spades_double: boolean,
    run_max: orNull(between(5, 13)),
    may_return_taken_card: boolean,
    gin_bonus: points,
    undercut_bonus: points,
    big_gin: boolean,
    big_gin_bonus: points,
    stock_floor: between(0, 31),
    max_discard_draws: between(1, 1000000),
    next_dealer: oneOf("alternate", "loser", "winner"),
    target: between(1, 1000000),
    hands: orNull(between(1, 1000)),
    game_bonus: points,
    box_bonus: points,
    shutout_doubles: boolean,
  };
  const CLOCK = { bank_ms: orNull(integer), increment_ms: integer, decision_ms: orNull(integer) };
  const LIMITS = { illegal_moves: integer, start_ms: integer, idle_ms: integer };
  const BOARD = { tournament: text, number: between(1, 2 ** 31 - 1), mix: hex(64) };

  const ORIGIN = {
    kind: oneOf("fork", "replay"),
    match: text,
    seq: between(1, Infinity),
    hash: hex(64),
    hand: between(1, Infinity),
    scores: pairOf(integer),
    hands_won: pairOf(integer),
    unseen: oneOf("same", "reshuffled", "fresh"),
    seat: orNull(seat),
    position: orNull(hex(64)),
    moves: between(0, Infinity),
  };
  const DEALT = { board: orNull(objectOf(BOARD)), first_dealer: orNull(seat) };
  const SIGNED = {
    signing: oneOf("off", "optional", "required"),
    dispute_ms: between(0, Infinity),
    origin: orNull(objectOf(ORIGIN)),
  };

  const matchCreated = (dealt, signed) => ({
    rules: objectOf(RULES),
    clock: orNull(objectOf(CLOCK)),
    limits: objectOf(LIMITS),
    reveal: oneOf("match", "hand", "director"),
    commitment: hex(64),
    chain: integer,
    ...dealt,
    seats: pairOf(orNull(text)),
    name: text,
    ...signed,
  });

  const playerJoined = (orNot) => ({
    seat,
    player: text,
    name: text,
    nonce_commitment: orNot(hex(64)),
    nonce_by: orNot(oneOf("player", "server")),
    key: orNull(hex(64)),
  });

  // What `data` holds, by the event and its version.
  const FORMS = {
    "match_created 1": matchCreated({}, {}),
    "match_created 2": matchCreated(DEALT, {}),
    "match_created 3": matchCreated(DEALT, SIGNED),
    "player_joined 1": playerJoined((form) => form),
    "player_joined 2": playerJoined(orNull),
    "nonce_revealed 1": { seat, nonce: hex(32) },
    "hand_dealt 1": { hand: integer, dealer: seat, upcard: card },
    "upcard_passed 1": { seat },
    "stock_drawn 1": { seat },
    "discard_taken 1": { seat, card },
    "discarded 1": { seat, card },
    "knocked 1": { seat, melds: listOf(cards), deadwood: cards, gin: boolean },
    "laid_off 1": {
      seat,
      melds: listOf(cards),
      layoffs: listOf(objectOf({ card, meld: integer })),
      deadwood: cards,
    },
    "hand_scored 1": {
      hand: integer,
      kind: oneOf("knock", "undercut", "gin", "big_gin"),
      winner: seat,
      points: integer,
      deadwood: pairOf(integer),
      difference: integer,
      bonus: integer,
      doubled: boolean,
    },
    "hand_voided 1": { hand: integer, reason: oneOf("stock", "discard_draws") },
    "secret_revealed 1": { hand: integer, secret: hex(64) },
    "position_revealed 1": { salt: hex(32), cards: listOf(orNull(card)) },
    "clock_paused 1": {},
    "clock_resumed 1": {},
    "clock_expired 1": { seat },
    "resigned 1": { seat },
    "forfeited 1": { seat, reason: oneOf(...forfeits) },
    "match_ended 1": account,
    "dispute_opened 1": {
      dispute: number,
      seat,
      hand: orNull(number),
      event: number,
      scored,
      reason: oneOf(
        "card_not_in_deck",
        "move_denied",
        "score_wrong",
        "clock_wrong",
        "log_changed",
        "cards_seen",
        "rule_broken",
        "collusion",
        "conduct",
        "other",
      ),
      text: words,
    },
    "dispute_ruled 1": {
      dispute: number,
      instance: between(1, 2),
      ruling: oneOf("dismiss", "uphold", "adjust", "void", "replay", "forfeit"),
      points: pairOf(between(-1000000, 1000000)),
      seat: orNull(seat),
      rule: text,
      why: words,
    },
    "dispute_appealed 1": { dispute: number, seat, text: words },
    "hand_replayed 1": {
      dispute: number,
      instance: between(1, 2),
      match: text,
      seq: number,
      hash: hex(64),
      reason: endReason,
      scored,
    },
    "result_adjusted 1": { dispute: number, ...account },
  };
  for (const [name, fields] of Object.entries(FORMS)) FORMS[name] = objectOf(fields);

  const HASH = hex(64);
  const SIGNATURE = hex(128);

  function readLine(line) {
    const reader = new Reader(line);
    const field = (name, form) => {
      reader.take(`"${name}":`);
      const found = form(reader);
      reader.take(",");
      return found;
    };
    reader.take("{");
    const v = field("v", between(1, Infinity));
    const stream = field("stream", fullText);
    const seq = field("seq", between(1, Infinity));
    const at = field("at", time);
    const by = field("by", fullText);
    const cmd = field("cmd", text);
    const type = field("type", text);
    const form = Object.hasOwn(FORMS, `${type} ${v}`) ? FORMS[`${type} ${v}`] : undefined;
    if (form === undefined) {
      if (!/,"prev":"[0-9a-f]{64}"\}$/.test(line)) reader.stop("a whole line");
      throw new UnknownEvent(
        `nothing is known here of ${type} in version ${v}: it was changed, or is of a later time`,
      );
    }
    const data = field("data", form);
    const sig = reader.text.startsWith('"sig":', reader.at) ? field("sig", SIGNATURE) : null;
    reader.take('"prev":');
    const prev = HASH(reader);
    reader.take("}");
    if (reader.at < line.length) reader.stop("the end of the line");
    if (type === "match_created" && v === 1) data.board = data.first_dealer = null;
    if (type === "match_created" && v < 3) {
      Object.assign(data, { signing: "off", dispute_ms: 0, origin: null });
    }
    return { v, stream, seq, at, by, cmd, type, data, sig, prev };
  }

  // --- bytes and hashes -------------------------------------------------------------------------

  const encoder = new TextEncoder();
  const utf8 = (string) => encoder.encode(string);
  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const fromHex = (digits) =>
    Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16));
  const uint32 = (number) => Uint8Array.from([24, 16, 8, 0], (shift) => number >>> shift);

  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  // The first bits of the fractional part of a root, computed in whole numbers.
  function fractionOfRoot(number, degree, bits) {
    const scaled = BigInt(number) << BigInt(bits * degree);
    let low = 0n;
    let high = 1n << BigInt(bits + 8);
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** BigInt(degree) <= scaled) low = middle;
      else high = middle;
    }
    return BigInt.asUintN(bits, low);
  }

  const PRIMES = [];
  for (let number = 2; PRIMES.length < 80; number++) {
    if (PRIMES.every((prime) => number % prime > 0)) PRIMES.push(number);
  }
  const shortRoot = (prime, degree) => Number(fractionOfRoot(prime, degree, 32)) | 0;
  const ROUND = Int32Array.from(PRIMES.slice(0, 64), (prime) => shortRoot(prime, 3));
  const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => shortRoot(prime, 2));

  // SHA-256 (FIPS 180-4), for where a page has no WebCrypto: browsers keep it from some files.
  function ownSha256(bytes) {
    const blocks = Math.floor((bytes.length + 72) / 64);
    const padded = new Uint8Array(64 * blocks);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, bytes.length << 3);
    const state = Int32Array.from(INITIAL);
    const w = new Int32Array(64);
    const turn = (word, by) => (word >>> by) | (word << (32 - by));
    for (let block = 0; block < blocks; block++) {
      for (let i = 0; i < 16; i++) w[i] = view.getInt32(64 * block + 4 * i);
      for (let i = 16; i < 64; i++) {
        const early = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const late = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = w[i - 16] + early + w[i - 7] + late;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i++) {
        const mixed = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const first = (h + mixed + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
        const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = (d + first) | 0;
        d = c;
        c = b;
        b = a;
        a = (first + second) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
    }
    const digest = new Uint8Array(32);
    const out = new DataView(digest.buffer);
    state.forEach((word, i) => out.setInt32(4 * i, word));
    return digest;
  }

  // HMAC (RFC 2104). All keys here are 32 bytes, shorter than a block.
  function ownHmac(key, message) {
    const padded = joined(key, new Uint8Array(64 - key.length));
    const inner = ownSha256(joined(padded.map((byte) => byte ^ 0x36), message));
    return ownSha256(joined(padded.map((byte) => byte ^ 0x5c), inner));
  }

  const ROUND_512 = PRIMES.map((prime) => fractionOfRoot(prime, 3, 64));
  const INITIAL_512 = PRIMES.slice(0, 8).map((prime) => fractionOfRoot(prime, 2, 64));

  // SHA-512 (FIPS 180-4), which Ed25519 takes. Only signatures need it, so it may be slow.
  function ownSha512(bytes) {
    const blocks = Math.floor((bytes.length + 144) / 128);
    const padded = new Uint8Array(128 * blocks);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
    const state = [...INITIAL_512];
    const cut = (number) => BigInt.asUintN(64, number);
    const turn = (number, by) => (number >> by) | cut(number << (64n - by));
    for (let block = 0; block < blocks; block++) {
      const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(128 * block + 8 * i));
      for (let i = 16; i < 80; i++) {
        const early = turn(w[i - 15], 1n) ^ turn(w[i - 15], 8n) ^ (w[i - 15] >> 7n);
        const late = turn(w[i - 2], 19n) ^ turn(w[i - 2], 61n) ^ (w[i - 2] >> 6n);
        w.push(cut(w[i - 16] + early + w[i - 7] + late));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 80; i++) {
        const mixed = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
        const first = h + mixed + ((e & f) ^ (cut(~e) & g)) + ROUND_512[i] + w[i];
        const majority = (a & b) ^ (a & c) ^ (b & c);
        const second = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + majority;
        [a, b, c, d, e, f, g, h] = [cut(first + second), a, b, c, cut(d + first), e, f, g];
      }
      [a, b, c, d, e, f, g, h].forEach((found, i) => (state[i] = cut(state[i] + found)));
    }
    const digest = new Uint8Array(64);
    const out = new DataView(digest.buffer);
    state.forEach((found, i) => out.setBigUint64(8 * i, found));
    return digest;
  }

  const ownHashes = {
    name: "own",
    sha256: async (bytes) => ownSha256(bytes),
    hmac: async (key, message) => ownHmac(key, message),
    isSigned: async (key, message, signature) => ownIsSigned(key, message, signature),
  };

  const webHashes = (subtle) => ({
    name: "WebCrypto",
    sha256: async (bytes) => new Uint8Array(await subtle.digest("SHA-256", bytes)),
    hmac: async (key, message) => {
      const use = { name: "HMAC", hash: "SHA-256" };
      const imported = await subtle.importKey("raw", key, use, false, ["sign"]);
      return new Uint8Array(await subtle.sign("HMAC", imported, message));
    },
    isSigned: async (key, message, signature) => {
      let imported;
      try {
        imported = await subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
      } catch {
        // Not every browser has Ed25519.
        return ownIsSigned(key, message, signature);
      }
      return subtle.verify({ name: "Ed25519" }, imported, signature, message);
    },
  });

  const bestHashes = () =>
    globalThis.crypto?.subtle ? webHashes(globalThis.crypto.subtle) : ownHashes;

  // --- Ed25519 (RFC 8032) -----------------------------------------------------------------------
  // Points are [X, Y, Z, T] with x = X/Z, y = Y/Z, xy = T/Z. Nothing here is secret.

  const P = 2n ** 255n - 19n;
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const inField = (number) => ((number % P) + P) % P;

  function power(base, exponent) {
    let found = 1n;
    for (let bit = exponent.toString(2), i = 0; i < bit.length; i++) {
      found = (found * found) % P;
      if (bit[i] === "1") found = (found * base) % P;
    }
    return found;
  }

  const D = inField(-121665n * power(121666n, P - 2n));
  const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);
  const IDENTITY = [0n, 1n, 1n, 0n];

  const littleEndian = (bytes) => BigInt(`0x${toHex(Uint8Array.from(bytes).reverse())}`);

  // Return the point that 32 bytes spell; null where they spell none.
  function readPoint(bytes) {
    const number = littleEndian(bytes);
    const y = BigInt.asUintN(255, number);
    const sign = number >> 255n;
    if (y >= P) return null;
    const u = inField(y * y - 1n);
    const v = inField(D * y * y + 1n);
    let x = inField(u * power(v, 3n) * power(inField(u * power(v, 7n)), (P - 5n) / 8n));
    if (u !== 0n && inField(v * x * x) === P - u) x = inField(x * ROOT_OF_MINUS_1);
    if (inField(v * x * x) !== u || (x === 0n && sign === 1n)) return null;
    if ((x & 1n) !== sign) x = P - x;
    return [x, y, 1n, inField(x * y)];
  }

  function writePoint([x, y, z]) {
    const inverse = power(z, P - 2n);
    const sign = inField(x * inverse) & 1n;
    const digits = (inField(y * inverse) | (sign << 255n)).toString(16).padStart(64, "0");
    return fromHex(digits).reverse();
  }

  function sumOf([x1, y1, z1, t1], [x2, y2, z2, t2]) {
    const a = ((y1 - x1) * (y2 - x2)) % P;
    const b = ((y1 + x1) * (y2 + x2)) % P;
    const c = (((2n * D * t1) % P) * t2) % P;
    const d = (2n * z1 * z2) % P;
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [inField(e * f), inField(g * h), inField(f * g), inField(e * h)];
  }

  // Return one number times a point plus another times another.
  function combined(one, point, another, other) {
    const both = sumOf(point, other);
    const [first, second] = [one, another].map((number) => number.toString(2).padStart(256, "0"));
    let found = IDENTITY;
    for (let bit = 0; bit < 256; bit++) {
      found = sumOf(found, found);
      if (first[bit] === "1" && second[bit] === "1") found = sumOf(found, both);
      else if (first[bit] === "1") found = sumOf(found, point);
      else if (second[bit] === "1") found = sumOf(found, other);
    }
    return found;
  }

  const BASE = readPoint(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x58 : 0x66)));
  const isIdentity = ([x, y, z]) => inField(x) === 0n && inField(y - z) === 0n;

  // A public key is a point of the base point's order. There are others, under which nobody can
  // sign, or one signature holds for many texts.
  function isPublicKey(key) {
    const point = readPoint(key);
    if (point === null || isIdentity(point)) return false;
    return isIdentity(combined(ORDER, point, 0n, IDENTITY));
  }

  function ownIsSigned(key, message, signature) {
    const point = readPoint(key);
    const s = littleEndian(signature.slice(32));
    if (point === null || s >= ORDER) return false;
    const r = signature.slice(0, 32);
    const h = littleEndian(ownSha512(joined(r, key, message))) % ORDER;
    const [x, y, z, t] = point;
    const found = combined(s, BASE, h, [P - x, y, z, P - t]);
    return toHex(writePoint(found)) === toHex(r);
  }

  // --- the committed deck -----------------------------------------------------------------------

  async function* wordsOf(hashes, key) {
    for (let i = 0; ; i++) {
      const block = await hashes.hmac(key, uint32(i));
      const view = new DataView(block.buffer, block.byteOffset);
      for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
    }
  }

  async function shuffle(order, words) {
    for (let i = order.length - 1; i >= 1; i--) {
      const limit = Math.floor(2 ** 32 / (i + 1)) * (i + 1);
      let word;
      do word = (await words.next()).value;
      while (word >= limit);
      const j = word % (i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  const unshuffled = () => Array.from({ length: 52 }, (_, index) => index);

  // Return a hand's deck, and the seat that the next word names.
  async function matchDeck(hashes, secret, match, hand, nonces) {
    const place = utf8(`ginrummy/v1/deck\0${match}\0`);
    const key = await hashes.hmac(secret, joined(place, uint32(hand), ...nonces));
    const words = wordsOf(hashes, key);
    const deck = await shuffle(unshuffled(), words);
    return { deck, dealer: (await words.next()).value % 2 };
  }

  async function boardDeck(hashes, secret, match, board) {
    const place = utf8(`ginrummy/v1/board\0${board.tournament}\0`);
    const mixed = joined(place, uint32(board.number), fromHex(board.mix));
    const words = wordsOf(hashes, await hashes.hmac(secret, mixed));
    const deck = await shuffle(unshuffled(), words);
    const dealer = (await words.next()).value % 2;
    const suitsKey = await hashes.hmac(secret, utf8(`ginrummy/v1/suits\0${match}`));
    const suits = await shuffle([0, 1, 2, 3], wordsOf(hashes, suitsKey));
    return { deck: deck.map((held) => 13 * suits[suitOf(held)] + rankOf(held)), dealer };
  }

  // --- melds ------------------------------------------------------------------------------------

  const isSet = (meld) =>
    (meld.length === 3 || meld.length === 4) &&
    new Set(meld).size === meld.length &&
    meld.every((held) => rankOf(held) === rankOf(meld[0]));

  const isRun = (meld) =>
    meld.length >= 3 &&
    inDeckOrder(meld).every(
      (held, index, run) => suitOf(held) === suitOf(run[0]) && held === run[0] + index,
    );

  // Return why cards cannot be laid down as a meld (M1, M2); null where they can.
  function whyNoMeld(meld, runMax) {
    if (isSet(meld)) return null;
    if (!isRun(meld)) return `${namesOf(meld) || "nothing"} is no meld (M1)`;
    if (runMax !== null && meld.length > runMax) {
      return `${namesOf(meld)} is a run of more than ${runMax} cards (M2)`;
    }
    return null;
  }

  // Least deadwood (M4), by trying whatever the lowest card can be in.
  function leastDeadwood(held) {
    if (held.length === 0) return 0;
    const [lowest, ...rest] = inDeckOrder(held);
    const without = (meld) => rest.filter((one) => !meld.includes(one));
    let least = valueOf(lowest) + leastDeadwood(rest);
    const run = [lowest];
    while (rest.includes(run.at(-1) + 1) && rankOf(run.at(-1)) < 12) {
      run.push(run.at(-1) + 1);
      if (run.length >= 3) least = Math.min(least, leastDeadwood(without(run)));
    }
    const alike = rest.filter((one) => rankOf(one) === rankOf(lowest));
    if (alike.length >= 2) least = Math.min(least, leastDeadwood(without(alike)));
    if (alike.length === 3) {
      for (const spared of alike) {
        const set = alike.filter((one) => one !== spared);
        least = Math.min(least, leastDeadwood(without(set)));
      }
    }
    return least;
  }

  // The sequences of three or more cards of a suit, low ones first.
  function sequencesIn(held) {
    const sequences = [];
    for (const one of inDeckOrder(held)) {
      const last = sequences.at(-1);
      if (last !== undefined && last.at(-1) + 1 === one && suitOf(last[0]) === suitOf(one)) {
        last.push(one);
      } else sequences.push([one]);
    }
    return sequences.filter((sequence) => sequence.length >= 3);
  }

  // Every way to take sets out of cards, in the order in which the server tries them.
  function* setChoices(held, rank = 0) {
    if (rank === 13) {
      yield [];
      return;
    }
    const alike = inDeckOrder(held.filter((one) => rankOf(one) === rank));
    const choices = [[]];
    if (alike.length === 4) {
      choices.unshift(...alike.map((spared) => [alike.filter((one) => one !== spared)]));
    }
    if (alike.length >= 3) choices.unshift([alike]);
    for (const choice of choices) {
      for (const later of setChoices(held, rank + 1)) yield [...choice, ...later];
    }
  }

  function split(sequence, runMax) {
    const parts = runMax === null ? 1 : Math.ceil(sequence.length / runMax);
    const cut = (part) => Math.floor((sequence.length * part) / parts);
    return Array.from({ length: parts }, (_, part) => sequence.slice(cut(part), cut(part + 1)));
  }

  // What the server lays down of these cards: the first arrangement of least deadwood.
  function serversArrangement(held, runMax) {
    const least = leastDeadwood(held);
    for (const sets of setChoices(held)) {
      const inSets = sets.flat();
      const sequences = sequencesIn(held.filter((one) => !inSets.includes(one)));
      const melded = [...inSets, ...sequences.flat()];
      const deadwood = inDeckOrder(held.filter((one) => !melded.includes(one)));
      if (countOf(deadwood) === least) {
        const runs = sequences.flatMap((sequence) => split(sequence, runMax));
        return { melds: [...sets, ...runs], deadwood };
      }
    }
    throw new Error("no arrangement has the least deadwood");
  }

  // --- the lines of a log -----------------------------------------------------------------------

  class UnusableLog extends Error {}

  const LONGEST_LINE = 1 << 20;

  function splitLines(bytes) {
    const lines = [];
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(10, start);
      const end = found < 0 ? bytes.length : found;
      if (end - start > LONGEST_LINE) {
        throw new UnusableLog("it has a line of more than a megabyte: this is no log");
      }
      lines.push(bytes.subarray(start, end));
      start = end + 1;
    }
    return lines;
  }

  function decoded(raw) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
    } catch {
      throw new MalformedLine("it is not UTF-8");
    }
  }

  // The lines' events in their order; null stands for one that cannot be read.
  function readLines(raws, fault) {
    let known = 0;
    const lines = raws.map((raw, index) => {
      try {
        const line = readLine(decoded(raw));
        known += index < 100;
        return line;
      } catch (error) {
        if (!(error instanceof MalformedLine)) throw error;
        known += index < 100 && error instanceof UnknownEvent;
        fault("line-form", index + 1, `this is no line of a log: ${error.message}`);
        return null;
      }
    });
    if (raws.length === 0) throw new UnusableLog("there is no line in it");
    if (known === 0) throw new UnusableLog("none of its lines is an event of a match");
    return lines;
  }

  const BATCH = 1000;

  async function hashesOf(raws, hashes) {
    const found = [];
    for (let start = 0; start < raws.length; start += BATCH) {
      const batch = raws.slice(start, start + BATCH).map((raw) => hashes.sha256(raw));
      found.push(...(await Promise.all(batch)).map(toHex));
    }
    return found;
  }

  // Check each line's number, stream and link; the place of a line is where it stands.
  function checkChain(lines, lineHashes, fault) {
    const stream = lines.find((line) => line !== null)?.stream;
    // By how much the numbers are ahead of the places: a line that is missing is named once.
    let ahead = 0;
    lines.forEach((line, index) => {
      if (line === null) return;
      const place = index + 1;
      if (line.stream !== stream) {
        fault("stream", place, `this line is of ${line.stream}, and the log of ${stream}`);
      }
      if (line.seq !== place + ahead) {
        const right = `event ${place + ahead} has to stand there`;
        fault("sequence", place, `line ${place} of the log is numbered ${line.seq}: ${right}`);
        if (lines[index + 1]?.seq === line.seq + 1) ahead = line.seq - place;
      }
      if (line.prev !== (index === 0 ? "0".repeat(64) : lineHashes[index - 1])) {
        const before = index === 0 ? "64 zeros, as in a first line" : `the hash of line ${index}`;
        fault("chain", place, `its prev is not ${before}: one of the two was changed`);
      }
    });
  }

  // --- signatures -------------------------------------------------------------------------------

  function laidDown(what, melds, layoffs, deadwood) {
    const parts = [what, ...melds.map(namesOf)];
    const laidOff = layoffs.map(({ card, meld }) => `${cardName(card)}>${meld}`);
    if (laidOff.length > 0) parts.push(laidOff.join(" "));
    if (deadwood.length > 0) parts.push(`deadwood ${namesOf(deadwood)}`);
    return parts.join(" | ");
  }

  // The moves of players, each as its player signs it.
  const MOVES = {
    upcard_passed: () => "pass",
    stock_drawn: () => "draw",
    discard_taken: () => "take",
    discarded: ({ card }) => `discard ${cardName(card)}`,
    knocked: ({ melds, deadwood }) => {
      const laid = melds.flat().length + deadwood.length;
      return laidDown(laid === 11 ? "big_gin" : "knock", melds, [], deadwood);
    },
    laid_off: ({ melds, layoffs, deadwood }) => laidDown("lay_off", melds, layoffs, deadwood),
    resigned: () => "resign",
  };

  const isMove = ({ type, by }) => Object.hasOwn(MOVES, type) && by !== SERVER;

  const signedText = ({ stream, prev, type, data }) =>
    utf8(`ginrummy/v1/move\n${stream}\n${prev}\n${MOVES[type](data)}\n`);

  // Check each line's signature by the key of its seat, and return how many were checked.
  async function checkSignatures(lines, hashes, fault) {
    const keys = [undefined, undefined];
    let policy;
    let checked = 0;
    for (const line of lines) {
      if (line === null) continue;
      const { seq, type, data, sig } = line;
      const wrong = (message) => fault("signatures", seq, message);
      if (isMove(line)) {
        const why = await whySigned(line, policy, keys[data.seat], hashes);
        if (why !== null) wrong(why);
        if (sig !== null) checked++;
      } else if (sig !== null) wrong(`${type} by ${line.by} is no move, and has a signature`);
      else if (type === "match_created") policy ??= data.signing;
      else if (type === "player_joined") {
        keys[data.seat] = data.key;
        if (data.key !== null && !isPublicKey(fromHex(data.key))) {
          wrong(`the key of seat ${data.seat} is no Ed25519 key that anybody can sign by`);
        }
      }
    }
    return checked;
  }

  // Return what is wrong with a move's signature, or with there being none; null where nothing is.
  async function whySigned(line, policy, key, hashes) {
    const { seat } = line.data;
    if (line.sig === null) {
      return policy === "required" ? `this move of seat ${seat} is not signed` : null;
    }
    if (policy === "off") return `this move of seat ${seat} is signed, and nobody signs here`;
    // Where the line with the policy or the key could not be read, that is a fault by itself.
    if (policy === undefined || key === undefined) return null;
    if (key === null) return `this move is signed, and seat ${seat} has no key`;
    const holds = await hashes.isSigned(fromHex(key), signedText(line), fromHex(line.sig));
    return holds ? null : `the signature is not that of seat ${seat}'s key over this move`;
  }

  // --- secrets and decks ------------------------------------------------------------------------

  const LONGEST_CHAIN = 1000000;

  // A fork's position: of each place of its first deck, the card, or null where it is open.
  async function positionCommitment(hashes, { salt, cards }) {
    const places = cards.map((held) => (held === null ? "--" : cardName(held)));
    return toHex(await hashes.sha256(joined(fromHex(salt), utf8(places.join("")))));
  }

  function isPosition(places) {
    const fixed = places.filter((held) => held !== null);
    return places.length === 52 && new Set(fixed).size === fixed.length;
  }

  const beginsInPosition = (terms) => terms.origin !== null && terms.origin.position !== null;

  // The open places take the other cards in the order in which they lie in the match's own deck.
  function filled(places, own) {
    const others = own.filter((held) => !places.includes(held));
    return places.map((held) => held ?? others.shift());
  }

  // The number in the committed chain of a hand's secret: at a board, the board's.
  const secretNumber = (terms, hand) =>
    terms.board === null ? Number(hand) : terms.board.number + Number(hand) - 1;

  async function hashedDown(hashes, secret, times) {
    let found = secret;
    for (let i = 0; i < times; i++) found = await hashes.sha256(found);
    return found;
  }

  // Return the lines with a secret or a nonce that is not the committed one, and the last secret
  // that is proven: {wrong, number, secret}.
  async function openCommitments(lines, hashes) {
    const terms = lines[0].data;
    const wrong = new Set();
    const nonceCommitments = [null, null];
    const nonces = [null, null];
    let [number, secret, dealt] = [0, fromHex(terms.commitment), 0];
    let position = null;
    for (const { type, data, seq } of lines) {
      if (type === "hand_dealt") dealt++;
      if (type === "player_joined") nonceCommitments[data.seat] ??= data.nonce_commitment;
      if (type === "nonce_revealed") {
        nonces[data.seat] ??= fromHex(data.nonce);
        const hash = toHex(await hashes.sha256(fromHex(data.nonce)));
        if (hash !== nonceCommitments[data.seat]) wrong.add(seq);
      }
      if (type === "position_revealed") {
        const committed = (await positionCommitment(hashes, data)) === terms.origin?.position;
        if (committed && isPosition(data.cards)) position ??= data.cards;
        else wrong.add(seq);
      }
      if (type === "secret_revealed") {
        const claimed = secretNumber(terms, data.hand);
        const steps = claimed - number;
        const most = Math.min(secretNumber(terms, dealt), number + LONGEST_CHAIN);
        const fits = Number.isSafeInteger(claimed) && steps > 0 && claimed <= most;
        const down = fits ? await hashedDown(hashes, fromHex(data.secret), steps) : null;
        if (down !== null && toHex(down) === toHex(secret)) {
          [number, secret] = [claimed, fromHex(data.secret)];
        } else wrong.add(seq);
      }
    }
    const noncesHold = !lines.some((line) => line.type === "nonce_revealed" && wrong.has(line.seq));
    const known = noncesHold ? nonces : [null, null];
    return { terms, wrong, number, secret, dealt, position, nonces: known };
  }

  // The decks of all hands whose secret is out, by the hand's number. That of a fork's first hand
  // takes the position as well.
  async function openDecks(opened, stream, hashes) {
    const decks = await openOwnDecks(opened, stream, hashes);
    const { terms, position } = opened;
    if (beginsInPosition(terms)) {
      const own = decks.get(1)?.deck ?? null;
      decks.delete(1);
      if (position !== null && (own !== null || !position.includes(null))) {
        decks.set(1, { deck: filled(position, own ?? []), dealer: null });
      }
    }
    return decks;
  }

  async function openOwnDecks(opened, stream, hashes) {
    const { terms, nonces, dealt } = opened;
    const decks = new Map();
    let { number, secret } = opened;
    if (terms.board !== null) {
      if (number === terms.board.number) {
        decks.set(1, await boardDeck(hashes, secret, stream, terms.board));
      }
      return decks;
    }
    if (nonces.includes(null)) return decks;
    for (; number >= 1; number--) {
      if (number <= dealt) {
        decks.set(number, await matchDeck(hashes, secret, stream, number, nonces));
      }
      secret = await hashes.sha256(secret);
    }
    return decks;
  }

  // --- hands that are played again --------------------------------------------------------------

  const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

  // The id of the match that the server opens with this request.
  function openedId(request) {
    const digest = ownSha256(utf8(`server\0${request}`));
    const bits = BigInt(`0x${toHex(digest)}`) >> BigInt(256 - 130);
    const letter = (place) => BASE32[Number((bits >> BigInt(5 * place)) & 31n)];
    return `m_${Array.from({ length: 26 }, (_, i) => letter(25 - i)).join("")}`;
  }

  const BROUGHT_BY_NOBODY = ["hands_exhausted", "aborted", "round_clock"];

  // Whether a match over one hand can end so, and bring that (R8).
  function mayBring({ gin_bonus }, reason, scored) {
    if (reason === "target" || reason === "ruling") return false;
    if (scored === null) return true;
    if (reason === "hands") return scored.points > 0;
    return !BROUGHT_BY_NOBODY.includes(reason) && scored.points === gin_bonus;
  }

  // --- the course of a match --------------------------------------------------------------------

  // Nobody can say how the match stands after this.
  class Lost extends Error {
    constructor(check, message) {
      super(message);
      this.check = check;
    }
  }

  const SERVER = "server";
  const MS = 1000n;
  const micros = (ms) => BigInt(ms) * MS;
  const leader = ([first, second]) => (first === second ? null : first > second ? 0 : 1);

  // What has to come at once in these phases, and by the server.
  const AT_ONCE = {
    "board is opened": ["player_joined", "actors"],
    "board is dealt": ["hand_dealt", "dealing"],
    "gin is counted": ["laid_off", "moves"],
    "hand is scored": ["hand_scored", "scores"],
    "hand is void": ["hand_voided", "moves"],
    "match is over": ["match_ended", "scores"],
    "result is adjusted": ["result_adjusted", "rulings"],
  };

  // What it is that has to come is known from what was before.
  const FORCED = ["hand is scored", "hand is void", "match is over", "result is adjusted"];

  const TURNS = ["offer", "draw", "discard", "lay off"];

  // The moves that a fork can take over.
  const TAKEN_OVER = ["upcard_passed", "stock_drawn", "discard_taken", "discarded", "knocked"];

  // The beginning of a fork's first hand: where the cards of its deck went, and which were shown.
  class Beginning {
    constructor(dealer, upcard) {
      this.owner = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? other(dealer) : dealer));
      this.owner.push(null);
      this.upcard = upcard;
      this.shown = [new Set(), new Set()];
      this.faceUp = [new Set(), new Set()];
      this.moves = [];
    }

    take({ type, data }) {
      this.moves.push({ type, data });
      const show = (card) => this.faceUp[data.seat].has(card) || this.shown[data.seat].add(card);
      if (type === "stock_drawn") this.owner.push(data.seat);
      if (type === "discard_taken") this.faceUp[data.seat].add(data.card);
      if (type === "discarded") {
        show(data.card);
        this.faceUp[data.seat].delete(data.card);
      }
      if (type === "knocked") [...data.melds.flat(), ...data.deadwood].forEach(show);
    }

    // Return in what a position is not what the terms say of it; null where it is.
    whyUnlike({ unseen, seat: kept }, places) {
      const open = places.filter((held) => held === null).length;
      if (places[20] !== this.upcard) return "it turns another upcard than the one turned";
      if (unseen === "same") return open === 0 ? null : `all cards stay, and ${open} places are open`;
      for (const seat of [0, 1]) {
        const own = places.filter((_, place) => this.owner[place] === seat);
        const fixed = own.filter((held) => held !== null);
        const shown = this.shown[seat];
        if (seat === kept && own.includes(null)) return `not all cards of seat ${seat} stay`;
        const asShown = fixed.length === shown.size && fixed.every((held) => shown.has(held));
        if (seat !== kept && !asShown) return `of seat ${seat} stay others than it has shown`;
      }
      const stock = places.filter((_, place) => place > 20 && (this.owner[place] ?? null) === null);
      return stock.every((held) => held === null) ? null : "cards of the stock stay";
    }
  }

  // Return where two values differ, in words; empty where they are the same.
  function differences(found, right) {
    const spelled = (value) =>
      JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part));
    return Object.keys(right)
      .filter((name) => spelled(found[name]) !== spelled(right[name]))
      .map((name) => `${name} is ${spelled(found[name])}, but has to be ${spelled(right[name])}`)
      .join("; ");
  }

  class Course {
    constructor(opened, decks, fault) {
      this.terms = opened.terms;
      this.rules = opened.terms.rules;
      this.board = opened.terms.board;
      this.wrong = opened.wrong;
      this.decks = decks;
      this.noteFault = fault;
      this.counts = {};
      this.phase = "not begun";
      this.players = [null, null];
      const { origin } = opened.terms;
      this.points = [...(origin?.scores ?? [0, 0])];
      this.won = [...(origin?.hands_won ?? [0, 0])];
      this.handMoves = [];
      // How many moves a fork is still to take over, and what it has begun with.
      this.copies = 0;
      this.beginning = null;
      this.positionOut = false;
      this.number = 0;
      this.hands = [];
      this.revealed = 0;
      this.outcome = null;
      this.lastAt = null;
      this.cause = null;
      this.bank = null;
      this.paused = false;
      // What nobody can count any more, and what is known only as it is written.
      this.banksLost = false;
      this.isWritten = false;
    }

    count(check) {
      this.counts[check] = (this.counts[check] ?? 0) + 1;
    }

    fault(check, message) {
      this.noteFault(check, this.line.seq, message);
    }

    demand(holds, check, message) {
      if (!holds) throw new Lost(check, message);
    }

    // Judge the next event, and go on to what it makes of the match. Throws Lost.
    judge(line) {
      this.line = line;
      this.checkTime(line);
      const [wanted, check] = AT_ONCE[this.phase] ?? [];
      if (wanted !== undefined && line.type !== wanted && this.isForced()) {
        this.fault(check, `${wanted} has to follow event ${this.cause.seq} at once, and is missing`);
        while (this.isForced()) this.suppose();
        this.line = line;
        this.cause = line;
      } else if (wanted !== undefined) {
        this.demand(
          line.type === wanted,
          check,
          `${wanted} has to follow event ${this.cause.seq} at once, and ${line.type} comes`,
        );
        this.checkActor(SERVER);
        this.checkAppend(line);
      } else if (this.copies > 0) {
        const message = `not all moves are taken over, and ${line.type} comes`;
        this.demand(TAKEN_OVER.includes(line.type), "moves", message);
        this.checkAppend(line);
        this.count("position");
        this.beginning.take(line);
      } else {
        if (line.by === SERVER && line.cmd !== "" && this.cause !== null) this.checkAppend(line);
        this.cause = line;
      }
      this.count("clocks");
      if (line.type === "hand_dealt") this.handMoves = [];
      if (TAKEN_OVER.includes(line.type)) this.handMoves.push({ type: line.type, data: line.data });
      const isTakenOver = this.copies > 0;
      this[line.type](line.data, line.at);
      if (isTakenOver) {
        this.copies--;
        const goesOn = TURNS.includes(this.phase);
        this.demand(goesOn, "moves", "no match branches off where a hand is over");
      }
    }

    // --- what is missing --------------------------------------------------------------------------

    // Whether it is known what comes next, whatever is written.
    isForced() {
      return FORCED.includes(this.phase);
    }

    // What has to come next is taken to have come.
    suppose() {
      const [type] = AT_ONCE[this.phase];
      const right = {
        hand_scored: () => this.score,
        hand_voided: () => ({ hand: this.number, reason: this.voidFor }),
        match_ended: () => this.rightAccount(...this.account),
        result_adjusted: () => this.court.result,
      }[type]();
      this.line = { ...this.line, type, by: SERVER };
      this[type](right, this.lastAt);
    }

    // The next hand is taken to have been dealt. Return whether it is known how.
    supposeDeal() {
      const isDue = this.terms.reveal !== "hand" || this.revealed >= this.number;
      const known = this.decks.get(this.number + 1) ?? null;
      if (this.phase !== "dealing" || !isDue || known === null) return false;
      const dealer = this.rightDealer(known);
      if (dealer === null) return false;
      this.line = { ...this.line, type: "hand_dealt", by: SERVER };
      const hand = this.number + 1;
      try {
        this.hand_dealt({ hand, dealer, upcard: known.deck[20] }, this.lastAt);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        return false;
      }
      return true;
    }

    // Go on without some events. Return from which one on nothing can be judged; null for none.
    miss(first, last) {
      for (let seq = first; seq <= last; seq++) {
        if (this.line === undefined) return seq;
        this.line = { ...this.line, seq };
        if (this.isForced()) this.suppose();
        else if (!this.supposeDeal()) return seq;
      }
      return null;
    }

    // Where nobody could say how the match stood, go on from a hand's result as it is written.
    // Return whether the line is such a one.
    findFooting(line) {
      const { type, data, seq } = line;
      if (type === "secret_revealed" && this.wrong.has(seq)) {
        this.noteFault("reveal", seq, `the secret of hand ${data.hand} is not the committed one`);
      }
      if (type === "position_revealed" && this.wrong.has(seq)) {
        this.noteFault("position", seq, "the position is not the one that was committed to");
      }
      if (type === "match_ended") this.outcome = data;
      const hand = this.hands.at(-1);
      const isIt = type === "hand_scored" || type === "hand_voided";
      if (!isIt || hand === undefined || hand.result !== null || data.hand !== hand.number) {
        return false;
      }
      if (this.outcome !== null) return false;
      this.line = this.cause = line;
      this.lastAt = line.at;
      if (type === "hand_scored") {
        this.points[data.winner] += Number(data.points);
        this.won[data.winner]++;
      }
      this.endHand(data);
      this.phase = "dealing";
      this.copies = 0;
      this.bank = null;
      this.banksLost = this.isWritten = true;
      return true;
    }

    finish(seq) {
      if (AT_ONCE[this.phase] !== undefined) {
        const [wanted] = AT_ONCE[this.phase];
        const message = `${wanted} has to follow event ${this.cause.seq} at once`;
        this.noteFault("end", seq + 1, `${message}: the end is cut off`);
      } else if (this.copies > 0) {
        this.noteFault("end", seq + 1, "not all moves are taken over: the end is cut off");
      }
    }

    checkTime({ at }) {
      if (this.lastAt !== null && at < this.lastAt) {
        this.fault("clocks", "its time is before that of the event before");
      }
      this.lastAt = at;
    }

    // What the server stores for a command is one append, with one request id and one time.
    checkAppend({ cmd, at }) {
      if (cmd !== this.cause.cmd) {
        this.fault("actors", `it comes with event ${this.cause.seq}, but has another request id`);
      } else if (at !== this.cause.at) {
        this.fault("clocks", `it comes with event ${this.cause.seq}, but has another time`);
      }
    }

    checkActor(by) {
      this.count("actors");
      if (this.line.by !== by) {
        this.fault("actors", `${this.line.type} is by ${this.line.by}, but can only be by ${by}`);
      }
    }

    checkPlayer(seat) {
      const player = this.players[seat];
      this.demand(player !== null, "actors", `nobody sits at seat ${seat}`);
      this.checkActor(player.id);
    }

    // --- gathering ------------------------------------------------------------------------------

    match_created(terms, at) {
      this.demand(this.phase === "not begun", "moves", "the match was created before");
      this.count("commitment");
      const { rules, board } = this;
      const { chain, seats } = terms;
      if (chain < 1) this.fault("commitment", `it covers ${chain} hands: not even one`);
      if (rules.oklahoma && (rules.gin_only || rules.knock_limit !== 10)) {
        this.fault("line-form", "with oklahoma the upcard alone sets the knock limit (K6)");
      }
      if (board === null && rules.hands !== null && rules.hands > chain) {
        this.fault("commitment", `it covers ${chain} hands, and the match is over ${rules.hands}`);
      }
      if (terms.origin !== null) this.checkOrigin(terms, terms.origin);
      this.since = at;
      this.phase = board === null ? "gathering" : "board is opened";
      if (board === null) return;
      if (board.number > chain) {
        this.fault("commitment", `it covers ${chain} boards, and this is board ${board.number}`);
      }
      const kept = seats[0] !== null && seats[1] !== null && seats[0] !== seats[1];
      this.demand(kept, "moves", "both seats of a board are kept, each for another player");
      this.demand(terms.reveal === "director", "moves", "a director reveals a board's secret");
      this.demand(!rules.spades_double, "moves", "no board is played with spades_double");
      this.demand(terms.first_dealer === null, "moves", "a board's deck says who deals it");
    }

    checkOrigin(terms, origin) {
      if (origin.kind === "replay") this.checkReplay(terms, origin);
      else this.checkFork(terms, origin);
    }

    checkReplay({ seats, first_dealer, dispute_ms }, origin) {
      const { by, cmd, stream } = this.line;
      if (by !== SERVER) this.fault("origin", `a replay is opened by the server, not by ${by}`);
      const isRuled = cmd.startsWith(`${origin.match}/`);
      if (!isRuled || !/^[1-9][0-9]*\/[12]$/.test(cmd.slice(origin.match.length + 1))) {
        this.fault("origin", `its request id is not ${origin.match}/dispute/instance`);
      } else if (stream !== openedId(cmd)) {
        this.fault("origin", `by the ruling its id has to be ${openedId(cmd)}`);
      }
      const demand = (holds, message) => this.demand(holds, "moves", message);
      const kept = seats[0] !== null && seats[1] !== null && seats[0] !== seats[1];
      demand(kept, "both seats of a replay are kept for those who played the hand");
      const isOneHand = this.board === null && this.rules.hands === 1 && first_dealer !== null;
      demand(isOneHand, "a replay is one hand of its own decks, and who dealt it is known");
      demand(dispute_ms === 0, "nobody disputes a replay: the ruling behind it is appealed");
      const { scores, hands_won, unseen, seat, position, moves } = origin;
      const nothing = [...scores, ...hands_won, moves].every((number) => number === 0);
      const isFresh = nothing && unseen === "fresh" && seat === null && position === null;
      demand(isFresh, "a replay starts from nothing, with a fresh deck");
    }

    checkFork(terms, { scores, hands_won, unseen, seat, position, moves }) {
      const demand = (holds, message) => this.demand(holds, "moves", message);
      const { target, hands } = this.rules;
      demand(this.board === null, "a fork is no board");
      demand(terms.dispute_ms === 0, "a fork is for practice: nobody disputes it");
      demand((position === null) === (unseen === "fresh"), "it begins in a position or afresh");
      demand(position !== null || moves === 0, "moves are taken over, but no position");
      demand(position === null || terms.first_dealer !== null, "nobody is said to have dealt");
      demand(seat === null || unseen === "reshuffled", "the cards of one seat alone stay");
      const most = 2 ** 31 - 1;
      const isPossible = [...scores, ...hands_won].every((number) => number >= 0 && number <= most);
      const isOver = () =>
        hands === null ? scores.some((scored) => scored >= target) : hands_won[0] + hands_won[1] >= hands;
      demand(isPossible && !isOver(), "with that score the match is over before it starts");
    }

    player_joined({ seat, player, name, nonce_commitment, nonce_by, key }) {
      const atBoard = this.board !== null;
      const gathering = this.phase === "gathering" || this.phase === "board is opened";
      this.demand(gathering, "actors", "no seat is taken any more");
      if (!atBoard) this.checkActor(player);
      this.demand(this.players[seat] === null, "actors", `seat ${seat} is taken`);
      this.demand(this.players[other(seat)]?.id !== player, "actors", "they sit there already");
      const kept = this.terms.seats[seat];
      this.demand(kept === null || kept === player, "actors", `seat ${seat} is kept for ${kept}`);
      const hasNone = nonce_commitment === null && nonce_by === null;
      const hasOne = nonce_commitment !== null && nonce_by !== null;
      if (atBoard && !hasNone) this.fault("nonces", "a board takes no nonces");
      if (!atBoard && !hasOne) this.fault("nonces", "each player of a match is bound to a nonce");
      const { signing } = this.terms;
      this.demand(key !== null || signing !== "required", "signatures", "they join without a key");
      this.demand(key === null || signing !== "off", "signatures", "nobody signs here: no key");
      this.players[seat] = { id: player, name, nonceBy: nonce_by, nonceOut: false };
      if (atBoard && !this.players.includes(null)) this.gathered("board is dealt");
    }

    nonce_revealed({ seat }) {
      this.count("nonces");
      this.demand(this.phase === "gathering", "nonces", "no nonce comes out at this point");
      this.demand(!this.players.includes(null), "nonces", "a seat is not taken yet");
      const player = this.players[seat];
      this.checkActor(player.nonceBy === "server" ? SERVER : player.id);
      this.demand(!player.nonceOut, "nonces", "this nonce is out already");
      if (this.wrong.has(this.line.seq)) {
        this.fault("nonces", "the nonce is not the one committed to in player_joined");
      }
      player.nonceOut = true;
      if (this.players.every((one) => one.nonceOut)) this.gathered("dealing");
    }

    gathered(phase) {
      this.phase = phase;
      const bank = this.terms.clock?.bank_ms ?? null;
      this.bank = bank === null ? null : [micros(bank), micros(bank)];
    }

    // --- dealing --------------------------------------------------------------------------------

    hand_dealt({ hand, dealer, upcard }, at) {
      const dealing = this.phase === "dealing" || this.phase === "board is dealt";
      this.demand(dealing, "dealing", "no hand is to be dealt");
      if (this.board === null) this.checkActor(SERVER);
      if (this.terms.reveal === "hand" && this.revealed < this.number) {
        this.fault("reveal", `the secret of hand ${this.number} has to come out before this deal`);
      }
      this.number++;
      this.isWritten = false;
      const known = this.decks.get(this.number) ?? null;
      const right = {
        hand: this.number,
        dealer: this.rightDealer(known) ?? dealer,
        upcard: known === null ? upcard : known.deck[20],
      };
      this.compare("dealing", { hand, dealer, upcard }, right);
      if (known !== null) this.count("deck");
      this.startHand(right, known === null ? null : known.deck, at);
    }

    // Return who deals (D3, T3); null where only the deck could say.
    rightDealer(known) {
      const last = this.hands.at(-1);
      if (last === undefined) return this.terms.first_dealer ?? known?.dealer ?? null;
      if (last.result.type === "hand_voided") return last.dealer;
      const { winner } = last.result.data;
      const { next_dealer: next } = this.rules;
      if (next === "alternate") return other(last.dealer);
      return next === "winner" ? winner : other(winner);
    }

    startHand({ hand, dealer, upcard }, deck, at) {
      const { rules } = this;
      const limit = rules.oklahoma ? valueOf(upcard) : rules.knock_limit;
      const ginOnly = rules.gin_only || (rules.oklahoma && rankOf(upcard) === 0);
      const dealt = (first) => new Set(deck.slice(0, 20).filter((_, i) => i % 2 === first));
      const { seq } = this.line;
      this.hands.push({ number: hand, dealer, upcard, deck, result: null, seq, last: null });
      this.limit = ginOnly ? 0 : limit;
      this.upcard = upcard;
      this.deck = deck;
      // The non-dealer gets the first card. Without the deck nobody's cards are known.
      this.held = deck === null ? null : [0, 1].map((seat) => dealt(seat === dealer ? 1 : 0));
      // What everybody has seen go to a hand; what lies face up; what can only lie face down.
      this.shown = [new Set(), new Set()];
      this.pile = [upcard];
      this.faceDown = new Set();
      this.stock = 31;
      this.discardDraws = 0;
      this.taken = null;
      this.passes = 0;
      this.since = at;
      this.paused = false;
      const { origin } = this.terms;
      if (this.number === 1 && origin !== null) {
        this.copies = Number(origin.moves);
        this.beginning = new Beginning(dealer, upcard);
      }
      this.startTurn("offer", other(dealer));
      const goesOn = TURNS.includes(this.phase) || this.number > 1 || !beginsInPosition(this.terms);
      this.demand(goesOn, "dealing", "no match branches off where a hand is over");
    }

    // A turn begins, or the hand is void instead (T3, T4).
    startTurn(phase, seat) {
      [this.phase, this.turn] = [phase, seat];
      if (this.stock <= this.rules.stock_floor) this.voidFor = "stock";
      else if (this.discardDraws >= this.rules.max_discard_draws) this.voidFor = "discard_draws";
      else return;
      this.phase = "hand is void";
    }

    // --- moves ----------------------------------------------------------------------------------

    // A decision of a seat: in its turn, by its player, in time. Then the clock goes on.
    decide(seat, phases, at) {
      this.count("moves");
      if (this.deck !== null && TURNS.includes(this.phase)) this.count("deck");
      if (this.copies > 0) this.checkActor(SERVER);
      else this.checkPlayer(seat);
      const may = phases.includes(this.phase);
      this.demand(may, "moves", `${this.line.type} cannot come at this point (${this.phase})`);
      this.demand(seat === this.turn, "moves", `it is the turn of seat ${this.turn}`);
      if (this.copies > 0) {
        // It was decided elsewhere, in another match's time.
        this.since = at;
        return;
      }
      this.checkInTime(at);
      if (this.bank !== null) {
        this.bank[seat] += micros(this.terms.clock.increment_ms) - (at - this.since);
      }
      this.since = at;
    }

    checkInTime(at) {
      if (this.paused) this.fault("clocks", "the match is paused");
      else if (at > this.deadline()) this.fault("clocks", "the time for this decision was over");
    }

    idle() {
      return micros(this.terms.limits.idle_ms);
    }

    // How long the seat to decide may think; null where no clock says so.
    thinkingTime() {
      const decision = this.terms.clock?.decision_ms ?? null;
      const limits = [];
      if (decision !== null) limits.push(micros(decision));
      if (this.bank !== null) limits.push(this.bank[this.turn]);
      return limits.reduce((least, one) => (least === null || one < least ? one : least), null);
    }

    deadline() {
      const thinking = this.thinkingTime();
      const idle = this.idle();
      return this.since + (thinking !== null && thinking < idle ? thinking : idle);
    }

    upcard_passed({ seat }, at) {
      this.decide(seat, ["offer"], at);
      this.passes++;
      this.turn = other(seat);
      if (this.passes === 2) this.phase = "draw";
    }

    stock_drawn({ seat }, at) {
      this.decide(seat, ["draw"], at);
      if (this.deck !== null) this.held[seat].add(this.deck[52 - this.stock]);
      this.stock--;
      [this.phase, this.taken] = ["discard", null];
    }

    discard_taken({ seat, card }, at) {
      const passed = this.phase === "draw" && this.passes === 2 && this.stock === 31;
      this.decide(seat, ["offer", "draw"], at);
      this.demand(!passed, "moves", "both have passed the upcard: only the stock is left (D2)");
      const top = this.pile.pop();
      this.compare("moves", { card: cardName(card) }, { card: cardName(top) });
      this.held?.[seat].add(top);
      this.shown[seat].add(top);
      this.discardDraws++;
      [this.phase, this.taken] = ["discard", top];
    }

    discarded({ seat, card }, at) {
      this.decide(seat, ["discard"], at);
      this.checkHolds(seat, [card], 11);
      this.checkReturned(card);
      this.held?.[seat].delete(card);
      this.shown[seat].delete(card);
      this.pile.push(card);
      this.startTurn("draw", other(seat));
    }

    checkReturned(card) {
      const allowed = this.rules.may_return_taken_card || card !== this.taken;
      this.demand(allowed, "moves", `${cardName(card)} was just taken from the discard pile (T2)`);
    }

    // The cards are in the hand, or nothing that everybody has seen speaks against it.
    checkHolds(seat, cards, size) {
      if (this.held !== null) {
        const stray = cards.filter((one) => !this.held[seat].has(one));
        this.demand(stray.length === 0, "deck", `${namesOf(stray)} is not in the hand`);
        return;
      }
      const seen = new Set([...this.pile, ...this.shown[other(seat)], ...this.faceDown]);
      const elsewhere = cards.filter((one) => seen.has(one) && !this.shown[seat].has(one));
      const none = elsewhere.length === 0;
      this.demand(none, "moves", `${namesOf(elsewhere)} is known to be elsewhere`);
      const most = new Set([...this.shown[seat], ...cards]).size;
      const held = `with what everybody has seen the hand holds ${most} cards`;
      this.demand(most <= size, "moves", held);
    }

    checkLaid(laid, melds, deadwood) {
      this.demand(new Set(laid).size === laid.length, "moves", "a card is laid down twice (M3)");
      for (const meld of melds) {
        const why = whyNoMeld(meld, this.rules.run_max);
        this.demand(why === null, "moves", why);
      }
      const ordered = differences({ deadwood }, { deadwood: inDeckOrder(deadwood) }) === "";
      this.demand(ordered, "moves", "the deadwood does not stand in the deck's order");
    }

    knocked({ seat, melds, deadwood, gin }, at) {
      this.decide(seat, ["discard"], at);
      const laid = [...melds.flat(), ...deadwood];
      this.checkLaid(laid, melds, deadwood);
      const big = laid.length === 11;
      const [count, limit] = [countOf(deadwood), big ? 0 : this.limit];
      this.demand(!big || this.rules.big_gin, "moves", "there is no big gin in this match (K5)");
      this.demand(big || laid.length === 10, "moves", `${laid.length} cards are laid down (K2)`);
      this.checkHolds(seat, laid, 11);
      const kept = [...(this.held ?? this.shown)[seat]].filter((one) => !laid.includes(one));
      this.demand(kept.length <= 11 - laid.length, "moves", `${namesOf(kept)} is not laid down`);
      kept.forEach((one) => this.checkReturned(one));
      const over = `${count} points of deadwood are left, and the knock limit is ${limit} (K1, K6)`;
      this.demand(count <= limit, "moves", over);
      this.compare("moves", { gin }, { gin: count === 0 });
      this.knock = { seat, melds: melds.map((meld) => [...meld]), count, gin: count === 0, big };
      this.shown[seat] = new Set(laid);
      this.faceDown = new Set(kept);
      [this.phase, this.turn] = [count === 0 ? "gin is counted" : "lay off", other(seat)];
    }

    laid_off({ seat, melds, layoffs, deadwood }, at) {
      if (this.phase === "gin is counted") {
        this.count("moves");
        this.demand(seat === this.turn, "moves", `seat ${this.turn} lays down after gin (L2)`);
      } else this.decide(seat, ["lay off"], at);
      const laid = [...melds.flat(), ...layoffs.map((one) => one.card), ...deadwood];
      this.checkLaid(laid, melds, deadwood);
      this.demand(laid.length === 10, "moves", `${laid.length} cards are laid down, not ten`);
      this.checkHolds(seat, laid, 10);
      if (this.knock.gin) this.checkServersArrangement(laid, { melds, layoffs, deadwood });
      else layoffs.forEach((layoff) => this.layOff(layoff));
      this.scoreHand(countOf(deadwood));
    }

    // After gin the server lays down for the opponent: nothing is laid off (L2).
    checkServersArrangement(laid, found) {
      const { melds, deadwood } = serversArrangement(laid, this.rules.run_max);
      const names = ({ melds, layoffs, deadwood }) => ({
        melds: melds.map(namesOf),
        layoffs: layoffs.map((one) => `${cardName(one.card)} on meld ${one.meld}`),
        deadwood: namesOf(deadwood),
      });
      const why = differences(names(found), names({ melds, layoffs: [], deadwood }));
      this.demand(why === "", "moves", `laid_off: ${why}`);
    }

    layOff({ card, meld }) {
      const lying = this.knock.melds[meld];
      this.demand(lying !== undefined, "moves", `the knocker has no meld ${meld} (L1)`);
      const grown = [...lying, card];
      // A set takes the fourth card of its rank, a run the next one on either end.
      const fits = isSet(lying) ? isSet(grown) : isRun(grown);
      this.demand(fits, "moves", `${cardName(card)} does not fit ${namesOf(lying)} (L1)`);
      this.knock.melds[meld] = grown;
    }

    // --- scores ---------------------------------------------------------------------------------

    scoreHand(opponents) {
      const { seat: knocker, count, gin, big } = this.knock;
      const { rules } = this;
      const undercut = !gin && opponents <= count;
      const kind = big ? "big_gin" : gin ? "gin" : undercut ? "undercut" : "knock";
      const bonus = {
        big_gin: rules.big_gin_bonus,
        gin: rules.gin_bonus,
        undercut: rules.undercut_bonus,
        knock: 0,
      }[kind];
      const difference = Math.abs(opponents - count);
      const doubled = rules.spades_double && suitOf(this.upcard) === 0;
      this.score = {
        hand: this.number,
        kind,
        winner: undercut ? other(knocker) : knocker,
        points: (difference + bonus) * (doubled ? 2 : 1),
        deadwood: knocker === 0 ? [count, opponents] : [opponents, count],
        difference,
        bonus,
        doubled,
      };
      this.phase = "hand is scored";
    }

    compare(check, found, right) {
      const why = differences(found, right);
      if (why !== "") this.fault(check, `${this.line.type}: ${why}`);
    }

    hand_scored(found) {
      this.demand(this.phase === "hand is scored", "scores", "no hand is to be scored");
      this.count("scores");
      const right = this.score;
      this.compare("scores", found, right);
      this.points[right.winner] += right.points;
      this.won[right.winner]++;
      this.endHand(right);
    }

    hand_voided(found) {
      this.demand(this.phase === "hand is void", "moves", "the hand is not void");
      const right = { hand: this.number, reason: this.voidFor };
      this.compare("moves", found, right);
      this.endHand(right);
    }

    // The hand is over; the match may be as well (X1).
    endHand(data) {
      const { rules, points, won } = this;
      const isVoid = this.line.type === "hand_voided";
      Object.assign(this.hands.at(-1), {
        result: { type: this.line.type, data },
        scored: isVoid ? null : { winner: data.winner, points: data.points },
        last: this.line.seq,
      });
      this.phase = "match is over";
      if (this.board !== null) this.account = ["hands", isVoid ? null : data.winner];
      else if (rules.hands === null && !isVoid && points[data.winner] >= rules.target) {
        this.account = ["target", data.winner];
      } else if (rules.hands !== null && won[0] + won[1] >= rules.hands) {
        this.account = ["hands", leader(points)];
      } else if (this.number === this.terms.chain) {
        this.account = ["hands_exhausted", leader(points)];
      } else this.phase = "dealing";
    }

    // --- the end --------------------------------------------------------------------------------

    inHand() {
      return TURNS.includes(this.phase);
    }

    // Whether the match can go on from here elsewhere: nothing follows at once.
    mayBranchOff() {
      const isBetween = ["gathering", "dealing"].includes(this.phase);
      return this.copies === 0 && (isBetween || this.inHand());
    }

    over() {
      return this.phase === "ended";
    }

    endsWith(reason, winner) {
      [this.phase, this.account] = ["match is over", [reason, winner]];
    }

    clock_expired({ seat }, at) {
      this.checkActor(SERVER);
      this.demand(this.inHand() && !this.paused, "clocks", "no clock runs at this point");
      const thinking = this.thinkingTime();
      const isOver = at > this.deadline() && thinking !== null && thinking <= this.idle();
      if (!isOver && !this.banksLost) {
        this.fault("clocks", "the time of the seat to decide is not over");
      }
      this.compare("clocks", { seat }, { seat: this.turn });
      this.endsWith("clock", other(this.turn));
    }

    resigned({ seat }) {
      this.demand(!this.over(), "end", "the match had ended");
      this.checkPlayer(seat);
      this.endsWith("resigned", this.phase === "gathering" ? null : other(seat));
    }

    forfeited({ seat, reason }) {
      this.checkActor(SERVER);
      this.demand(!this.over(), "end", "the match had ended");
      this.endsWith(reason, other(seat));
    }

    match_ended(found, at) {
      this.count("scores");
      if (this.isWritten && this.phase === "dealing") this.account = [found.reason, found.winner];
      else if (this.phase !== "match is over") this.endFromOutside(found.reason, at);
      this.compare("scores", found, this.rightAccount(...this.account));
      this.outcome = found;
      this.phase = "ended";
      const hand = this.hands.at(-1);
      const isBrokenOff = hand !== undefined && hand.result === null;
      if (isBrokenOff) hand.last = this.line.seq;
      this.court = new Court(this, isBrokenOff ? hand.number : null);
      this.court.since = at;
    }

    // Nothing in the play has ended the match: only time or whoever runs it can.
    endFromOutside(reason, at) {
      this.checkActor(SERVER);
      this.demand(!this.over(), "end", "the match had ended");
      if (reason === "aborted") this.account = [reason, null];
      else if (reason === "round_clock") {
        this.account = [reason, this.phase === "gathering" ? null : leader(this.points)];
      } else if (reason === "abandoned") this.account = [reason, this.abandonedTo(at)];
      else throw new Lost("scores", `nothing ends the match by ${reason} here`);
    }

    // Return who wins a match that nobody has played on.
    abandonedTo(at) {
      if (this.phase === "gathering") {
        const isOver = at > this.since + micros(this.terms.limits.start_ms);
        if (!isOver) this.fault("clocks", "the time to start the match is not over");
        return null;
      }
      this.demand(this.inHand() && !this.paused, "clocks", "nothing is waited for at this point");
      const thinking = this.thinkingTime();
      const ranOut = thinking !== null && thinking <= this.idle();
      const isOver = at > this.since + this.idle() && !ranOut;
      if (!isOver && !this.banksLost) this.fault("clocks", "nobody has been idle for so long");
      return other(this.turn);
    }

    // The final account (X2), of these points and hands won.
    rightAccount(reason, winner, points = this.points, won = this.won) {
      const { rules } = this;
      const toTarget = reason === "target";
      const game_bonus = [0, 1].map((seat) => (toTarget && seat === winner ? rules.game_bonus : 0));
      const box_bonus = won.map((hands) => (toTarget ? hands * rules.box_bonus : 0));
      const doubled = toTarget && rules.shutout_doubles && won[other(winner)] === 0;
      const totals = points.map((scored, seat) => {
        const times = doubled && seat === winner ? 2 : 1;
        return times * (scored + game_bonus[seat]) + box_bonus[seat];
      });
      const account = { points: [...points], hands_won: [...won], game_bonus, box_bonus };
      return { reason, winner, ...account, doubled, totals };
    }

    // --- clocks and secrets ---------------------------------------------------------------------

    clock_paused(_, at) {
      this.demand(this.inHand(), "clocks", "no clock runs at this point");
      this.checkInTime(at);
      if (this.bank !== null && !this.paused) this.bank[this.turn] -= at - this.since;
      [this.since, this.paused] = [at, true];
    }

    clock_resumed(_, at) {
      this.demand(this.inHand(), "clocks", "no decision is waited for at this point");
      [this.since, this.paused] = [at, false];
    }

    secret_revealed({ hand }, at) {
      this.count("reveal");
      if (this.terms.reveal !== "director") this.checkActor(SERVER);
      const finished = this.number - (this.inHand() ? 1 : 0);
      const isDue = this.over() || this.terms.reveal === "hand";
      if (beginsInPosition(this.terms) && !this.positionOut) {
        this.fault("reveal", "the position in which the match began comes out first");
      }
      const comes = isDue && hand > this.revealed && hand <= finished;
      if (!comes) this.fault("reveal", `the secret of hand ${hand} may not come out here`);
      if (this.wrong.has(this.line.seq)) {
        this.fault("reveal", `the secret of hand ${hand} is not the one committed to`);
      }
      this.revealed = hand;
      if (this.over()) this.court.since = at;
    }

    // --- after the end --------------------------------------------------------------------------

    inCourt() {
      this.demand(this.over(), "disputes", `${this.line.type} comes while the match runs (R4)`);
      return this.court;
    }

    dispute_opened(found, at) {
      this.inCourt().open(found, at);
    }

    dispute_appealed(found, at) {
      this.inCourt().appeal(found, at);
    }

    dispute_ruled(found, at) {
      this.inCourt().rule(found, at);
    }

    hand_replayed(found, at) {
      this.checkActor(SERVER);
      this.inCourt().takeBack(found, at);
    }

    result_adjusted(found) {
      const isDue = this.phase === "result is adjusted";
      this.demand(isDue, "rulings", "no ruling has changed the result just before");
      this.count("rulings");
      this.compare("rulings", found, this.court.result);
      this.outcome = found;
      this.phase = "ended";
    }

    position_revealed({ cards }) {
      this.count("position");
      if (this.terms.reveal !== "director") this.checkActor(SERVER);
      const finished = this.number - (this.inHand() ? 1 : 0);
      const isDue = (this.over() || this.terms.reveal === "hand") && finished >= 1;
      if (!beginsInPosition(this.terms) || this.positionOut || !isDue) {
        this.fault("reveal", "no position may come out here");
      } else if (this.wrong.has(this.line.seq)) {
        this.fault("position", "the position is not the one that the match is committed to");
      } else {
        const why = this.beginning.whyUnlike(this.terms.origin, cards);
        if (why !== null) this.fault("position", why);
      }
      this.positionOut = true;
    }
  }

  // --- disputes ---------------------------------------------------------------------------------
  // What comes after a match's end: claims, rulings, appeals, hands played again (R4 to R9).

  const LAST_RULES = { C: 2, M: 4, D: 3, T: 4, K: 6, L: 4, S: 4, X: 3, R: 9 };
  const isRule = (rule) =>
    rule.length === 2 && rule[1] >= "1" && rule[1] <= "9" && LAST_RULES[rule[0]] >= rule[1];
  const MOST_DISPUTES = 16;
  // What would break the line, or turn the direction in which it is read.
  const UNPRINTABLE =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
  const BY_POINTS = ["target", "hands", "hands_exhausted", "round_clock"];

  class Court {
    constructor(course, brokenOff) {
      this.course = course;
      this.brokenOff = brokenOff;
      this.ended = course.line.seq;
      this.asPlayed = course.rightAccount(...course.account);
      this.result = this.asPlayed;
      this.disputes = [];
    }

    demand(holds, message) {
      this.course.demand(holds, "disputes", message);
    }

    // The seat of whoever has caused the line; nobody else may dispute or appeal.
    participant() {
      const seat = this.course.players.findIndex((one) => one?.id === this.course.line.by);
      this.demand(seat >= 0, "only who has played a match disputes it, or appeals (R4)");
      return seat;
    }

    checkWindow(since, at) {
      const window = micros(this.course.terms.dispute_ms);
      this.demand(window > 0n, "by its terms this match cannot be disputed (R4)");
      this.demand(at <= since + window, "the time for this was over (R4, R9)");
    }

    checkWords(words) {
      const isReadable = /[^ ]/.test(words) && !UNPRINTABLE.test(words);
      this.demand(isReadable, "the text is empty, or has what cannot be printed");
    }

    find(number) {
      const found = this.disputes.find((one) => one.number === number);
      this.demand(found !== undefined, `there is no dispute ${number}`);
      return found;
    }

    count() {
      this.course.count("disputes");
    }

    open({ dispute, seat, hand, event, scored, reason, text }, at) {
      this.count();
      const who = this.participant();
      const whole = { seq: 1, last: this.ended, scored: null };
      const about = hand === null ? whole : this.course.hands.find((one) => one.number === hand);
      this.demand(about !== undefined, `there is no hand ${hand}`);
      this.checkWindow(this.since, at);
      const isOfIt = event >= about.seq && event <= about.last;
      this.demand(isOfIt, `event ${event} is not of what is disputed (R4)`);
      const own = this.disputes.filter((one) => one.seat === who);
      const isNew = !own.some((one) => one.hand === hand && one.reason === reason);
      this.demand(isNew, "they have disputed this already (R4)");
      this.demand(own.length < MOST_DISPUTES, "they have opened too many disputes (R4)");
      this.checkWords(text);
      const right = { dispute: this.disputes.length + 1, seat: who, scored: about.scored ?? null };
      this.course.compare("disputes", { dispute, seat, scored }, right);
      const opened = { number: right.dispute, seat: who, hand, scored: right.scored, reason };
      this.disputes.push({ ...opened, rulings: [], isAppealed: false });
    }

    appeal({ dispute, seat, text }, at) {
      this.count();
      const found = this.find(dispute);
      const who = this.participant();
      const ruling = found.rulings.at(-1);
      this.demand(ruling !== undefined, "nobody has ruled on this dispute yet (R9)");
      this.demand(!found.isAppealed, "a ruling is appealed once (R9)");
      this.checkWindow(ruling.since, at);
      this.checkWords(text);
      this.course.compare("disputes", { seat }, { seat: who });
      found.isAppealed = true;
    }

    rule({ dispute, instance, ruling, points, seat, rule, why }, at) {
      this.count();
      const found = this.find(dispute);
      const { by } = this.course.line;
      const isTheirs = this.course.players.some((one) => one?.id === by);
      this.demand(!isTheirs, "nobody rules on a dispute over a match of their own (R5)");
      const isWaiting = found.rulings.length === (found.isAppealed ? 1 : 0);
      this.demand(isWaiting, "the dispute waits for no ruling (R5)");
      const isOther = found.rulings.every((one) => one.by !== by);
      this.demand(isOther, "on appeal another director rules (R9)");
      this.demand(isRule(rule), `there is no rule ${rule}`);
      this.checkWords(why);
      this.checkRuling(found, ruling, points, seat);
      this.course.compare("disputes", { instance }, { instance: found.rulings.length + 1 });
      found.rulings.push({ by, ruling, points, seat, since: at, replay: undefined });
      this.adjust(dispute);
    }

    checkRuling(found, ruling, points, seat) {
      const adds = points[0] !== 0 || points[1] !== 0;
      this.demand((ruling === "adjust") === adds, "adjust adds points, and nothing else (R6)");
      const names = seat !== null;
      this.demand((ruling === "forfeit") === names, "forfeit names a seat, and nothing else (R6)");
      if (ruling !== "void" && ruling !== "replay") return;
      this.demand(found.hand !== null, "the dispute is about no hand (R6)");
      const before = this.disputes.some(
        (one) => one !== found && one.hand === found.hand && this.isVoid(one),
      );
      this.demand(!before, `hand ${found.hand} is void already (R6)`);
      const isWhole = ruling === "void" || !this.course.players.includes(null);
      this.demand(isWhole, "a hand is played again by both players (R8)");
    }

    takeBack({ dispute, instance, reason, scored }, at) {
      this.count();
      const found = this.find(dispute);
      const ruling = found.rulings.at(-1);
      const isAwaited = ruling?.ruling === "replay" && ruling.replay === undefined;
      this.demand(isAwaited, "no hand is being played again by a ruling that stands (R8)");
      this.demand(instance === found.rulings.length, "another ruling had it played again (R8)");
      const isPossible = mayBring(this.course.rules, reason, scored);
      this.demand(isPossible, `a hand does not end by ${reason} and bring that (R8)`);
      ruling.replay = scored;
      ruling.since = at;
      this.adjust(dispute);
    }

    isVoid(one) {
      return ["void", "replay"].includes(one.rulings.at(-1)?.ruling);
    }

    // The result by all rulings that stand (R7). Where it is another one, an event has to say so.
    adjust(dispute) {
      const { course, asPlayed } = this;
      const voided = this.disputes.filter((one) => this.isVoid(one));
      const points = [...course.points];
      const won = [...course.won];
      const countHand = (hand, times) => {
        if (!hand) return;
        points[hand.winner] += times * hand.points;
        won[hand.winner] += times;
      };
      for (const one of voided) {
        countHand(one.scored, -1);
        countHand(one.rulings.at(-1).replay, 1);
      }
      const standing = this.disputes.filter((one) => one.rulings.length > 0);
      for (const one of standing) {
        if (voided.some((gone) => gone.hand === one.hand)) continue;
        one.rulings.at(-1).points.forEach((more, seat) => (points[seat] += more));
      }
      this.demand(Math.min(...points) >= 0, "nobody's points go below 0 (R6)");
      const losers = new Set(standing.map((one) => one.rulings.at(-1).seat));
      losers.delete(null);
      const end = this.endBy(losers, points, voided);
      const right = course.rightAccount(...end, points, won);
      if (differences(this.result, right) === "") return;
      this.result = { dispute, ...right };
      course.phase = "result is adjusted";
    }

    // Why and by whom the match is won.
    endBy(losers, points, voided) {
      const { rules, points: scored } = this.course;
      const { reason, winner } = this.asPlayed;
      const byPoints = (reason) =>
        reason === "target" && (rules.hands !== null || Math.max(...points) < rules.target)
          ? ["ruling", leader(points)]
          : [reason, leader(points)];
      if (losers.size > 0) return ["ruling", losers.size > 1 ? null : other([...losers][0])];
      if (BY_POINTS.includes(reason)) {
        return differences(points, scored) === "" ? [reason, winner] : byPoints(reason);
      }
      const isGone = voided.some((one) => one.hand === this.brokenOff);
      const goesWithHand = reason !== "aborted" && this.brokenOff !== null && isGone;
      return goesWithHand ? byPoints("target") : [reason, winner];
    }
  }

  // --- the whole --------------------------------------------------------------------------------

  // Return the lines that are at their place, in order: a line that cannot be read has its place,
  // and one whose number was there before has none.
  function followable(lines, fault) {
    const whole = [];
    let next = 1;
    for (const line of lines) {
      if (line === null) next++;
      else if (line.seq >= next) {
        whole.push(line);
        next = Number(line.seq) + 1;
      }
    }
    if (whole.length > 0 && (whole[0].type !== "match_created" || whole[0].seq !== 1)) {
      const isFirst = whole[0].seq === 1;
      if (isFirst) fault("moves", 1, `the log begins with ${whole[0].type}, not with match_created`);
      return [];
    }
    return whole;
  }

  // Judge the lines one after the other, up to event `last`. Where nobody can say how the match
  // stood, go on from the next hand's result. Return [first, last] of the events not judged so.
  function follow(course, lines, last, fault) {
    const unjudged = [];
    let lost = null;
    let next = 1;
    const miss = (seq) => {
      if (lost === null && next < seq) lost = course.miss(next, seq - 1);
      next = seq + 1;
    };
    for (const line of lines) {
      miss(Number(line.seq));
      if (lost !== null) {
        if (course.findFooting(line)) {
          unjudged.push([lost, line.seq]);
          lost = null;
        }
        continue;
      }
      try {
        course.judge(line);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        fault(error.check, line.seq, error.message);
        lost = line.seq + 1;
      }
    }
    miss(last + 1);
    if (lost === null) course.finish(last);
    else if (lost <= last) unjudged.push([lost, last]);
    return unjudged;
  }

  // --- the origin -------------------------------------------------------------------------------

  // Compare a fork's beginning with the log of the match from which it branches off.
  async function checkOrigin(input, fork, hashes, fault) {
    const wrong = (seq, message) => fault("origin", seq, message);
    const { origin, first_dealer: dealer } = fork.terms;
    if (origin === null) return wrong(1, "this match branches off from no other one");
    if (origin.kind === "replay") return checkOrder(input, fork, hashes, wrong);
    const there = await followedTo(input, Number(origin.seq), hashes);
    if (typeof there === "string") {
      return wrong(1, `its origin cannot be followed to event ${origin.seq}: ${there}`);
    }
    const { course, stream, hash, deck } = there;
    const isPlayed = course.inHand();
    const found = {
      match: stream,
      hash,
      hand: course.number + (isPlayed ? 0 : 1),
      scores: course.points,
      hands_won: course.won,
    };
    if (origin.position !== null) found.moves = course.handMoves.length;
    else if (isPlayed) wrong(1, "a hand was being played there, and it begins with another");
    const why = differences(origin, found);
    if (why !== "") wrong(1, why);
    if (origin.position === null || !isPlayed || hash !== origin.hash) return undefined;
    const last = course.hands.at(-1);
    if (dealer !== last.dealer) wrong(1, `seat ${last.dealer} dealt there`);
    return compareHand(fork, course, last, deck, wrong);
  }

  function compareHand(fork, course, last, deck, wrong) {
    const { beginning, hands, terms } = fork;
    if (beginning === null) return;
    if (beginning.upcard !== last.upcard) {
      wrong(hands[0].seq, `${cardName(last.upcard)} was turned in the origin`);
    }
    beginning.moves.forEach((move, index) => {
      const before = course.handMoves[index];
      const isSame = before?.type === move.type && differences(move.data, before.data) === "";
      if (!isSame) wrong(hands[0].seq + index + 1, "this was another move in the origin");
    });
    const { position } = fork;
    if (position === null || deck === null) return;
    const stays = (place) =>
      terms.origin.unseen === "same" ||
      (terms.origin.seat !== null && beginning.owner[place] === terms.origin.seat);
    const others = position.filter((held, place) => stays(place) && held !== deck[place]);
    if (others.length > 0) wrong(hands[0].seq, "cards that stay are others than in the origin's deck");
  }

  // Compare the terms of a hand that is played again with the ruling in its origin's log.
  async function checkOrder(input, { terms, cmd }, hashes, wrong) {
    const seq = Number(terms.origin.seq);
    const there = await linkedTo(input, seq, hashes);
    const order = typeof there === "string" ? null : orderAt(there.lines, there.lineHashes, seq);
    if (order === null) {
      const why = typeof there === "string" ? there : "that is no ruling on a hand that was dealt";
      wrong(1, `its origin cannot be followed to event ${terms.origin.seq}: ${why}`);
      return;
    }
    if (cmd !== order.request) wrong(1, `its request id is not the ruling's, ${order.request}`);
    const why = differences(terms, order.terms);
    if (why !== "") wrong(1, why);
  }

  // Return the terms that follow from a ruling of `replay`, and the request id; null for no such
  // line. Of what is there twice the first counts.
  function orderAt(lines, lineHashes, seq) {
    const before = lines.slice(0, seq).filter((line) => line !== null);
    const ruled = lines[seq - 1] ?? null;
    if (ruled?.type !== "dispute_ruled" || ruled.data.ruling !== "replay") return null;
    const { dispute, instance } = ruled.data;
    const first = (type, holds) =>
      before.find((line) => line.type === type && holds(line.data))?.data;
    const hand = first("dispute_opened", (data) => data.dispute === dispute)?.hand ?? null;
    const dealt = first("hand_dealt", (data) => data.hand === hand);
    const terms = first("match_created", () => true);
    const playerAt = (seat) => first("player_joined", (data) => data.seat === seat)?.player ?? null;
    if (hand === null || dealt === undefined || terms === undefined) return null;
    const { rules, clock, limits, signing } = terms;
    const { start_ms } = limits;
    const origin = {
      ...{ kind: "replay", match: ruled.stream, seq, hash: lineHashes[seq - 1], hand },
      ...{ scores: [0, 0], hands_won: [0, 0], unseen: "fresh" },
      ...{ seat: null, position: null, moves: 0 },
    };
    const right = {
      rules: { ...rules, hands: 1 },
      clock,
      limits: { ...limits, start_ms: start_ms > terms.dispute_ms ? start_ms : terms.dispute_ms },
      first_dealer: dealt.dealer,
      seats: [0, 1].map(playerAt),
      signing,
      origin,
    };
    return { request: `${ruled.stream}/${dispute}/${instance}`, terms: right };
  }

  // Return the lines of a log up to an event, with their hashes; or why they do not lead there.
  async function linkedTo(input, seq, hashes) {
    const faults = [];
    const fault = (check, at, message) => faults.push(`event ${at}, ${check}: ${message}`);
    let raws;
    let lines;
    try {
      raws = splitLines(typeof input === "string" ? utf8(input) : input);
      lines = readLines(raws.slice(0, seq), fault);
    } catch (error) {
      if (!(error instanceof UnusableLog)) throw error;
      return error.message;
    }
    if (lines.length < seq) return `its last event is ${lines.length}`;
    const lineHashes = await hashesOf(raws.slice(0, seq), hashes);
    checkChain(lines, lineHashes, fault);
    return faults.length > 0 ? faults[0] : { lines, lineHashes };
  }

  // Compare what is told of hands that were played again with the logs in which they were, as far
  // as these are given. Return how many there are, and how many were compared.
  async function checkReplays(given, lines, lineHashes, hashes, fault) {
    const told = lines.filter((line) => line !== null && line.type === "hand_replayed");
    let compared = 0;
    for (const { seq, stream, data } of told) {
      const wrong = (message) => fault("replays", seq, message);
      const right = openedId(`${stream}/${data.dispute}/${data.instance}`);
      if (data.match !== right) wrong(`the match in which it was has to be ${right}`);
      const log = given.get(data.match);
      if (log === undefined) continue;
      compared++;
      const isRuling = ({ type, data: { dispute, instance } }) =>
        type === "dispute_ruled" && dispute === data.dispute && instance === data.instance;
      const ruled = lines.findLastIndex((line) => line !== null && isRuling(line));
      const order = ruled < 0 ? null : orderAt(lines, lineHashes, ruled + 1);
      const why = await replayFault(data, order, log, hashes);
      if (why !== null) wrong(`the log of ${data.match} is not what is told of it: ${why}`);
    }
    return { told: told.length, compared };
  }

  const bytesOf = (input) => (typeof input === "string" ? utf8(input) : input);

  // Return which match a log is of, as its first readable line says.
  function streamOf(input) {
    const lines = readable(splitLines(bytesOf(input)));
    return lines.find((line) => line !== null)?.stream ?? null;
  }

  const readable = (raws) => {
    try {
      return readLines(raws, () => undefined);
    } catch (error) {
      if (!(error instanceof UnusableLog)) throw error;
      return [];
    }
  };

  async function replayFault({ match, seq, hash, reason, scored }, order, log, hashes) {
    let found;
    try {
      found = await verify(log, { hashes });
    } catch (error) {
      if (!(error instanceof UnusableLog)) throw error;
      return error.message;
    }
    const [fault] = found.faults;
    if (found.stream !== match) return `it is the log of ${found.stream}`;
    if (fault !== undefined) return `event ${fault.seq}: ${fault.message}`;
    const raws = splitLines(bytesOf(log)).slice(0, Number(seq));
    const isIt = raws.length === Number(seq) && toHex(await hashes.sha256(raws.at(-1))) === hash;
    if (!isIt) return `its event ${seq} is not the line that the match names`;
    const lines = readable(raws);
    const end = lines.find((line) => line.type === "match_ended");
    if (end === undefined) return `it has not ended with event ${seq}`;
    if (order === null) return "no ruling has had it played";
    const terms = lines[0].data;
    const why = differences(terms, order.terms);
    if (why !== "") return `by the ruling its ${why}`;
    const { winner, points } = end.data;
    // Whoever gives it up, or is made to lose it, loses as much as by gin.
    const brought = end.data.reason === "hands" ? points[winner] : terms.rules.gin_bonus;
    const right = winner === null ? null : { winner, points: brought };
    const other = differences({ reason, scored }, { reason: end.data.reason, scored: right });
    return other === "" ? null : `it has brought something else than the match says: ${other}`;
  }

  // Return how a match stood after an event of its log, or why that cannot be said.
  async function followedTo(input, seq, hashes) {
    const there = await linkedTo(input, seq, hashes);
    if (typeof there === "string") return there;
    const { lines, lineHashes } = there;
    const faults = [];
    const fault = (check, at, message) => faults.push(`event ${at}, ${check}: ${message}`);
    const whole = followable(lines, fault);
    if (faults.length > 0) return faults[0];
    const opened = await openCommitments(whole, hashes);
    const decks = await openDecks(opened, whole[0].stream, hashes);
    const course = new Course(opened, decks, fault);
    for (const line of whole.slice(0, seq)) {
      try {
        course.judge(line);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        return `event ${line.seq}, ${error.check}: ${error.message}`;
      }
    }
    if (!course.mayBranchOff()) return "nobody has anything to decide there";
    const deck = decks.get(course.number)?.deck ?? null;
    return { course, stream: whole[0].stream, hash: lineHashes[seq - 1], deck };
  }

  const written = (hand) => ({
    ...hand,
    upcard: cardName(hand.upcard),
    deck: hand.deck === null ? null : hand.deck.map(cardName),
  });

  function checkReceipt(receipt, lineHashes, fault) {
    if (receipt === undefined) return;
    const { seq, hash } = receipt;
    if (seq > lineHashes.length) {
      fault("receipt", seq, `the receipt is for event ${seq}, and the end of the log is cut off`);
    } else if (lineHashes[seq - 1] !== hash) {
      fault("receipt", seq, `the receipt is for another event ${seq}: the log was rewritten`);
    }
  }

  /**
   * Check an exported log by itself.
   *
   * `input` is the log: its text, or better its bytes (Uint8Array). Of `options`, `receipt` is
   * {seq, hash} of a line that somebody was given earlier, `origin` the log of the match from which
   * this one branches off, `replays` a Map from matches' ids to the logs of hands that were played
   * again in them, and `hashes` is `ownHashes` where WebCrypto is not to be used. Return {clean,
   * stream, head, faults: [{seq, check, message}], checked: {check: how often}, followed: the last
   * event before the first that could not be judged, unjudged: [first, last] of all these, waiting:
   * the hands whose secret is not out, unshown: {origin: whether the log that it branches off from
   * would have to be given, replays: how many logs of hands that were played again}, hands,
   * outcome, players}. Throws UnusableLog where there is nothing to check.
   */
  async function verify(input, options = {}) {
    const hashes = options.hashes ?? bestHashes();
    const faults = [];
    const fault = (check, seq, message) => faults.push({ seq, check, message });
    const raws = splitLines(bytesOf(input));
    const lines = readLines(raws, fault);
    const lineHashes = await hashesOf(raws, hashes);
    checkChain(lines, lineHashes, fault);
    const given = options.replays ?? new Map();
    const { told, compared } = await checkReplays(given, lines, lineHashes, hashes, fault);
    checkReceipt(options.receipt, lineHashes, fault);
    const signatures = await checkSignatures(lines, hashes, fault);
    const whole = followable(lines, fault);
    const report = {
      clean: false,
      stream: lines.find((line) => line !== null)?.stream ?? null,
      head: { seq: raws.length, hash: lineHashes.at(-1) },
      faults,
      checked: {
        ...{ "line-form": raws.length, chain: raws.length, signatures },
        replays: compared,
      },
      followed: 0,
      unjudged: [[1, raws.length]],
      waiting: [],
      unshown: { origin: false, replays: told - compared },
      hands: [],
      outcome: null,
      players: [null, null],
    };
    if (whole.length > 0) {
      const fork = await judgePlay(report, whole, lastOf(lines), hashes, fault);
      if (options.origin !== undefined) await checkOrigin(options.origin, fork, hashes, fault);
      else report.unshown.origin = fork.terms.origin !== null;
    }
    faults.sort((one, another) => one.seq - another.seq);
    report.clean = faults.length === 0;
    return report;
  }

  // The number of the last event, be it one that cannot be read.
  const lastOf = (lines) =>
    lines.reduce((last, line) => (line === null ? last + 1 : Math.max(last, Number(line.seq))), 0);

  async function judgePlay(report, whole, last, hashes, fault) {
    const opened = await openCommitments(whole, hashes);
    const decks = await openDecks(opened, whole[0].stream, hashes);
    const course = new Course(opened, decks, fault);
    report.unjudged = follow(course, whole, last, fault);
    report.followed = report.unjudged.length > 0 ? report.unjudged[0][0] - 1 : last;
    Object.assign(report.checked, course.counts);
    report.waiting = course.hands.filter((hand) => hand.deck === null).map((hand) => hand.number);
    report.hands = course.hands.map(written);
    report.outcome = course.outcome;
    report.players = course.players.map((player) => player && { id: player.id, name: player.name });
    return Object.assign(course, { position: opened.position, cmd: whole[0].cmd });
  }

  return Object.freeze({
    verify,
    streamOf,
    UnusableLog,
    ownHashes,
    webHashes,
    leastDeadwood,
    serversArrangement,
  });
})();

if (typeof module === "object" && module.exports) module.exports = ginrummyVerifier;
