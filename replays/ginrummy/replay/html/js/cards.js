// Elements, and the cards as elements and as words.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const cards = (() => {
  const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
  const SYMBOLS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
  const IN_TEXT = /([A2-9TJQK])([♠♥♦♣])/u;
  const SVG = "http://www.w3.org/2000/svg";

  const nameOf = (card) => `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
  const split = (text) => text.match(/../g) ?? [];

  function drawn(id, label, kind) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", `card ${kind}`.trim());
    svg.setAttribute("viewBox", "0 0 60 84");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${id}`);
    svg.append(use);
    return svg;
  }

  const face = (card, kind = "", more = "") => drawn(`card-${card}`, nameOf(card) + more, kind);
  const back = (label = "a card that is not known", kind = "") => drawn("card-back", label, kind);

  /** A seat's cards, as the layers write them. */
  function read(text) {
    const [melds, deadwood, hidden] = text.split("|");
    return {
      melds: melds === "" ? [] : melds.split(" ").map((meld) => {
        const [own, ...added] = meld.split("+");
        return { own: split(own), added };
      }),
      deadwood: split(deadwood),
      hidden: Number(hidden),
    };
  }

  /** A meld with what was laid off on it: a run grows at either end, a set behind. */
  function ordered(own, added) {
    const isRun = own[0][1] === own[1][1];
    const place = (card) => "A23456789TJQK".indexOf(card[0]);
    return isRun ? [...own, ...added].sort((one, another) => place(one) - place(another)) : [...own, ...added];
  }

  /** The discard pile's history, as the layers write it. */
  const readPile = (text) =>
    text.split(" ").map((thrown) => ({
      card: thrown.slice(0, 2),
      by: thrown[2] === "-" ? null : Number(thrown[2]),
      taker: thrown[3] === "." ? null : Number(thrown[3]),
    }));

  /** A card in a line of text. */
  const chip = (card) => {
    const symbol = Object.keys(SYMBOLS).find((each) => SYMBOLS[each] === card[1]);
    const text = `${card[0] === "T" ? "10" : card[0]}${symbol}`;
    return make("b", { class: `ink ${card[1]}` }, text);
  };

  /** A sentence with its cards in their colours. */
  function inked(sentence) {
    const parts = sentence.split(new RegExp(IN_TEXT, "gu"));
    const line = document.createDocumentFragment();
    for (let at = 0; at < parts.length; at += 3) {
      line.append(parts[at]);
      if (at + 1 < parts.length) line.append(chip(parts[at + 1] + SYMBOLS[parts[at + 2]]));
    }
    return line;
  }

  /** A sentence as it is read out. */
  const spoken = (sentence) =>
    sentence.replace(new RegExp(IN_TEXT, "gu"), (_, rank, suit) => nameOf(rank + SYMBOLS[suit]));

  return { nameOf, split, face, back, read, ordered, readPile, chip, inked, spoken };
})();
