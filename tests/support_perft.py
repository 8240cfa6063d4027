"""Counting legal command sequences, and reading the files that pin the counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support_rules import after, dealt

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import Deck, Seat, parse_cards
from ginrummy.rules.commands import Move
from ginrummy.rules.hand import Hand

PERFT = Path(__file__).parent / "perft"


@dataclass(frozen=True)
class Position:
    """A deal and how many command sequences of each length it has."""

    id: str
    rules: str
    """A preset, and `field=value` where it is changed."""
    dealer: Seat
    deck: Deck
    counts: tuple[int, ...]
    """The counts of length 1, 2, and so on."""

    @property
    def hand(self) -> Hand:
        """The hand as it is dealt."""
        preset, *changes = self.rules.split()
        fields = dict(change.split("=") for change in changes)
        return dealt(self.deck, self.dealer, preset, **{k: int(v) for k, v in fields.items()})


def positions() -> Iterator[Position]:
    """Read every position of every file: paragraphs of lines `word value`, `#` for remarks."""
    for file in sorted(PERFT.glob("*.perft")):
        lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
        for paragraph in "\n".join(lines).strip().split("\n\n"):
            yield _position(paragraph)


def _position(paragraph: str) -> Position:
    words = [line.partition(" ")[::2] for line in paragraph.splitlines()]
    value = dict(words)
    counts = [text.split() for word, text in words if word == "perft"]
    assert [int(length) for length, _ in counts] == list(range(1, len(counts) + 1))
    deck = parse_cards(value["deck"])
    assert len(deck) == 52
    return Position(
        id=value["id"],
        rules=value["rules"],
        dealer=1 if value["dealer"] == "1" else 0,
        deck=deck,
        counts=tuple(int(count) for _, count in counts),
    )


def perft(hand: Hand, length: int) -> int:
    """Return how many sequences of that many legal commands there are."""
    if length == 1:
        return len(hands.legal_moves(hand))
    return sum(count for _, count in divided(hand, length))


def divided(hand: Hand, length: int) -> list[tuple[Move, int]]:
    """Return the count under each first move."""
    seat = hands.to_move(hand)
    if seat is None:
        return []
    return [
        (move, perft(after(hand, *hands.decide(hand, seat, move)), length - 1) if length > 1 else 1)
        for move in hands.legal_moves(hand)
    ]
