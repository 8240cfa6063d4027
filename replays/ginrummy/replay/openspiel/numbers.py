"""OpenSpiel's numbers for cards, moves and melds, and how it counts where it counts otherwise.

All of it are facts about another program's `gin_rummy`, at its release 2.0.2.
"""

from collections.abc import Iterable, Iterator, Sequence

from ginrummy.rules.cards import Card, CardSet, cards_in, points
from ginrummy.rules.events import Meld
from ginrummy.rules.melds import RUNS, SETS, deadwood

__all__ = [
    "DRAW",
    "KNOCK",
    "LONGEST_RUN",
    "PASS",
    "TAKE",
    "card_number",
    "lay_off_numbers",
    "meld_action",
    "surely_offers_knock",
]

TAKE, DRAW, PASS, KNOCK = 52, 53, 54, 55
"""The upcard or the discard pile's top; the stock; no to the upcard, or done; a knock."""

_FIRST_MELD = 56
LONGEST_RUN = 5
"""Cards in the longest run that it has an action for."""

_SUITS = (0, 3, 2, 1)
"""Our S H D C in its order S C D H."""

_FIRST_RUN = {3: 65, 4: 65 + 44, 5: 65 + 44 + 40}
"""The number of the lowest run of that length among the melds: after all sets and shorter runs."""


def card_number(card: Card) -> int:
    """Return the number of a card, which is that of dealing, discarding and laying it off too."""
    return 13 * _SUITS[card.suit] + card.rank


def meld_action(meld: Meld) -> int:
    """Return the action that lays down a meld of at most LONGEST_RUN cards."""
    numbers = sorted(map(card_number, meld))
    lowest, suits = meld[0].rank, [number // 13 for number in numbers]
    if len(set(suits)) == len(suits):
        # The three of a rank go by the suit that is missing, all four come last.
        missing = min(set(range(4)) - set(suits), default=4)
        return _FIRST_MELD + 5 * lowest + missing
    length = len(numbers)
    lowest = min(card.rank for card in meld)
    return _FIRST_MELD + _FIRST_RUN[length] + (14 - length) * suits[0] + lowest


def lay_off_numbers(spread: Iterable[Meld], laid_off: Sequence[Card]) -> frozenset[int]:
    """Return the cards that may be laid off next: a run grows by two at each end and no more."""
    fitting: set[int] = set()
    before = {card_number(card) for card in laid_off}
    for meld in spread:
        numbers = sorted(map(card_number, meld))
        if len({card.rank for card in meld}) == 1:
            ranks = {13 * suit + meld[0].rank for suit in range(4)}
            fitting |= ranks - set(numbers)
            continue
        lowest, highest = numbers[0], numbers[-1]
        low, high = _below(lowest), _above(highest)
        fitting |= {_below(low) if low in before else low, _above(high) if high in before else high}
    return frozenset(fitting - {_NONE})


_NONE = -1


def _below(number: int) -> int:
    return _NONE if number in (_NONE, 0, 13, 26, 39) else number - 1


def _above(number: int) -> int:
    return _NONE if number in (_NONE, 12, 25, 38, 51) else number + 1


# --- the least deadwood of eleven cards ---------------------------------------------------------


def surely_offers_knock(held: CardSet, limit: int) -> bool:
    """Say whether it offers a knock to whoever holds these eleven cards.

    It takes one of the arrangements in which all eleven leave least, and throws the highest card of
    what that leaves; a throw from a meld that would leave less is not found. Which arrangement it
    takes is its own affair, so all of them have to do.
    """
    least = deadwood(held)
    return all(_thrown(left) <= limit for left in _leaving(held, least))


def _thrown(left: CardSet) -> int:
    cards = cards_in(left)
    highest = max((card.points for card in cards), default=0)
    return points(left) - highest


_MELDS = tuple(
    sorted(SETS | {run for run in RUNS if run.bit_count() <= LONGEST_RUN}),
)


def _leaving(held: CardSet, least: int) -> Iterator[CardSet]:
    """Yield what is left over in each arrangement of the cards that leaves `least` points."""
    possible = [meld for meld in _MELDS if not meld & ~held]
    seen: set[CardSet] = set()

    def search(left: CardSet, first: int) -> Iterator[CardSet]:
        if points(left) == least and left not in seen:
            seen.add(left)
            yield left
        for index in range(first, len(possible)):
            if not possible[index] & ~left:
                yield from search(left & ~possible[index], index + 1)

    yield from search(held, 0)
