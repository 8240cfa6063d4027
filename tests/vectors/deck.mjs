// The committed deck, written a second time and apart from the program, to check it by.
//
// Standard input: lines `secret<TAB>match<TAB>hand<TAB>nonce0<TAB>nonce1` (hex, hand in decimal),
// or, for a board at that match, `secret<TAB>match<TAB>tournament<TAB>number<TAB>mix`.
// Standard output, a line each: `the 52 cards<TAB>first dealer`, the latter for hand 1 only.
// It follows docs/log-format.md, "The committed deck" and "Boards".
//
//     node deck.mjs < rows.tsv

import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const hmac = (key, ...parts) => {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

const uint32 = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

function* wordsOf(key) {
  for (let i = 0; ; i++) {
    const block = hmac(key, uint32(i));
    for (let at = 0; at < block.length; at += 4) yield block.readUInt32BE(at);
  }
}

function uniform(words, bound) {
  const limit = Math.floor(2 ** 32 / bound) * bound;
  for (;;) {
    const word = words.next().value;
    if (word < limit) return word % bound;
  }
}

function shuffled(order, words) {
  for (let i = order.length - 1; i >= 1; i--) {
    const j = uniform(words, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const unshuffled = () =>
  [..."SHDC"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));

function committedDeck(secret, match, hand, nonce0, nonce1) {
  const key = hmac(
    Buffer.from(secret, "hex"),
    "ginrummy/v1/deck\0",
    `${match}\0`,
    uint32(hand),
    Buffer.from(nonce0, "hex"),
    Buffer.from(nonce1, "hex"),
  );
  const words = wordsOf(key);
  const deck = shuffled(unshuffled(), words);
  const firstDealer = hand === 1 ? words.next().value % 2 : "";
  return `${deck.join(" ")}\t${firstDealer}`;
}

function boardDeck(secret, match, tournament, number, mix) {
  const board = Buffer.from(secret, "hex");
  const words = wordsOf(
    hmac(board, `ginrummy/v1/board\0${tournament}\0`, uint32(number), Buffer.from(mix, "hex")),
  );
  const deck = shuffled(unshuffled(), words);
  const dealer = words.next().value % 2;
  const suits = shuffled([..."SHDC"], wordsOf(hmac(board, `ginrummy/v1/suits\0${match}`)));
  const relabelled = deck.map(([rank, suit]) => rank + suits["SHDC".indexOf(suit)]);
  return `${relabelled.join(" ")}\t${dealer}`;
}

for (const row of readFileSync(0, "utf8").split("\n")) {
  if (row === "") continue;
  const [secret, match, place, fourth, fifth] = row.split("\t");
  console.log(
    place.startsWith("t_")
      ? boardDeck(secret, match, place, Number(fourth), fifth)
      : committedDeck(secret, match, Number(place), fourth, fifth),
  );
}
