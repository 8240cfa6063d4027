"""What the tests of single cards, melds and lay-offs are written in."""

import csv
from pathlib import Path

from hypothesis import strategies as st

from ginrummy.rules.cards import DECK, Card, CardSet, card_set, cards_in, parse_cards
from ginrummy.rules.events import Meld

VECTORS = Path(__file__).parent / "vectors"


def vector_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a file of test vectors, by the names in its first line."""
    with (VECTORS / name).open(encoding="ascii", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def held(text: str) -> CardSet:
    """Read a set of cards."""
    return card_set(parse_cards(text))


def melds(*texts: str) -> tuple[Meld, ...]:
    """Read melds, one a text."""
    return tuple(map(parse_cards, texts))


def names(cards: CardSet | Meld) -> frozenset[str]:
    """Return the cards' names alone, as the naive solver takes them."""
    return frozenset(map(str, cards_in(cards) if isinstance(cards, int) else cards))


@st.composite
def decks(draw: st.DrawFn) -> tuple[Card, ...]:
    """Return the whole deck, or a few ranks in sequence of it, where melds compete for cards."""
    ranks = draw(st.integers(4, 6) | st.just(13))
    lowest = draw(st.integers(0, 13 - ranks))
    return tuple(card for card in DECK if lowest <= card.rank < lowest + ranks)


def card_sets(most: int) -> st.SearchStrategy[CardSet]:
    """Return sets of at most `most` cards, many of them rich in melds."""
    return decks().flatmap(lambda deck: st.sets(st.sampled_from(deck), max_size=most)).map(card_set)
