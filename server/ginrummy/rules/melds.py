"""Least deadwood, the arrangement that has it, and the check of a named one (rules M1 to M4).

Runs leave nothing to choose. A sequence of three or more cards of a suit can always be laid down
whole, as one run or, under a cap, as several (M2); so one table, with an entry for each of the
8,192 sets of a suit's ranks, says what its runs leave over. What is left to choose is which cards
go into sets, and only among the ranks of which three or four cards are held: seldom more than one.
"""

from collections.abc import Iterable, Iterator
from itertools import product

import msgspec

from ginrummy.rules.cards import RANKS, Card, CardSet, card_set, cards_in, points, write_cards
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import Meld

__all__ = [
    "RUNS",
    "SETS",
    "Arrangement",
    "arrange",
    "check_melds",
    "deadwood",
    "lay_down",
    "outside_runs",
    "set_choices",
]

_FOUR_OF_A_KIND = tuple(card_set(card for card in Card if card.rank == rank) for rank in range(13))

_SETS_OF: dict[CardSet, tuple[CardSet, ...]] = {}
"""Of the three or four cards held of a rank: the sets they make, in the order of `set_choices`."""

for _four in _FOUR_OF_A_KIND:
    _threes = tuple(_four & ~card.bit for card in cards_in(_four))
    _SETS_OF |= {_four: (_four, *_threes)} | {_three: (_three,) for _three in _threes}

SETS: frozenset[CardSet] = frozenset(_SETS_OF)
"""All 65 sets (M1)."""

RUNS: frozenset[CardSet] = frozenset(
    ((1 << length) - 1) << (13 * suit + lowest)
    for suit in range(4)
    for length in range(3, 14)
    for lowest in range(14 - length)
)
"""All 264 runs, of whatever length (M1): the cap on laid-down ones is the ruleset's (M2)."""


def _outside_runs(ranks: int) -> int:
    lowest_of_three = ranks & ranks >> 1 & ranks >> 2
    return ranks & ~(lowest_of_three | lowest_of_three << 1 | lowest_of_three << 2)


# For every set of one suit's ranks: those that no run can hold, and what these count in points.
_OUTSIDE = tuple(map(_outside_runs, range(8192)))
_LEFT = tuple(map(points, _OUTSIDE))


class Arrangement(msgspec.Struct, frozen=True, gc=False):
    """Cards as laid down: melds, and what is in none."""

    melds: tuple[Meld, ...]
    """Sets from the ace up, then runs by suit in the order S H D C, the low ones first."""
    deadwood: tuple[Card, ...]
    """In the unshuffled deck's order."""
    points: int
    """What the deadwood counts (M4)."""


def deadwood(cards: CardSet) -> int:
    """Return the least deadwood of `cards`, in points (M4).

    Exact for any number of cards. It takes about half a microsecond for a hand, a millisecond for
    thirty cards, and seconds for most of the deck, as the ranks held thrice multiply the choices.
    """
    low, high = cards & 0x3FFFFFF, cards >> 26
    s, h, d, c = low & 8191, low >> 13, high & 8191, high >> 13
    thrice = s & h & (d | c) | d & c & (s | h)
    if thrice:
        return _least(s, h, d, c, thrice)
    return _LEFT[s] + _LEFT[h] + _LEFT[d] + _LEFT[c]


def _least(s: int, h: int, d: int, c: int, ranks: int) -> int:
    """Return the least deadwood where those of `ranks`, all held thrice or more, may be sets.

    A set is worth its cards only where one of them is in no run: were all of them in runs, these
    would take them back at no loss. So a card that is in no run decides which rank comes next,
    and all such cards of that rank are in its set, if it is one.
    """
    if not ranks:
        return _LEFT[s] + _LEFT[h] + _LEFT[d] + _LEFT[c]
    out_s, out_h, out_d, out_c = _OUTSIDE[s], _OUTSIDE[h], _OUTSIDE[d], _OUTSIDE[c]
    undecided = ranks & (out_s | out_h | out_d | out_c)
    if not undecided:
        return _LEFT[s] + _LEFT[h] + _LEFT[d] + _LEFT[c]
    rank = undecided & -undecided
    ranks ^= rank
    other = ~rank
    least = _least(s & other, h & other, d & other, c & other, ranks)
    if s & h & d & c & rank:
        # One of the four may stay in its run instead.
        if not out_s & rank:
            least = min(least, _least(s, h & other, d & other, c & other, ranks))
        if not out_h & rank:
            least = min(least, _least(s & other, h, d & other, c & other, ranks))
        if not out_d & rank:
            least = min(least, _least(s & other, h & other, d, c & other, ranks))
        if not out_c & rank:
            least = min(least, _least(s & other, h & other, d & other, c, ranks))
    if not (out_s & out_h & (out_d | out_c) | out_d & out_c & (out_s | out_h)) & rank:
        # Fewer than three are outside runs, so no set at all may be best.
        least = min(least, _least(s, h, d, c, ranks))
    return least


def outside_runs(cards: CardSet) -> CardSet:
    """Return those of `cards` that are left over when every run among them is laid down."""
    return (
        _OUTSIDE[cards & 8191]
        | _OUTSIDE[cards >> 13 & 8191] << 13
        | _OUTSIDE[cards >> 26 & 8191] << 26
        | _OUTSIDE[cards >> 39] << 39
    )


def set_choices(cards: CardSet) -> Iterator[CardSet]:
    """Yield every way to take sets out of `cards`, as the cards that the sets take.

    This is the documented order of arrangements (K2, L4), in which the first of least deadwood is
    chosen. The ranks are gone through from the ace up, and of each the choices come in this order:
    all its cards as a set; of four cards a set of three, without S, without H, without D, without
    C; no set. A later rank's choices change before an earlier one's.
    """
    held = (cards & four for four in _FOUR_OF_A_KIND)
    # The sets of a choice are disjoint, so their sum is their union.
    return map(sum, product(*((*_SETS_OF[group], 0) for group in held if group in _SETS_OF)))


def arrange(cards: CardSet, run_max: int | None) -> Arrangement:
    """Return the arrangement of least deadwood that comes first in the documented order (K2).

    Sets are preferred to runs, and large sets to small ones (`set_choices`). What the sets leave
    is laid down in runs wherever three or more cards follow each other, and a sequence longer
    than `run_max`, which is 5 or more, in as few runs as it lets, as even as can be, the shorter
    ones at the low end (M2). The same cards always give the same arrangement.
    """
    least = deadwood(cards)
    in_sets, left = next(
        (in_sets, left)
        for in_sets in set_choices(cards)
        if points(left := outside_runs(cards ^ in_sets)) == least
    )
    melds = lay_down(in_sets, cards ^ in_sets ^ left, run_max)
    return Arrangement(melds, cards_in(left), least)


def lay_down(in_sets: CardSet, in_runs: CardSet, run_max: int | None) -> tuple[Meld, ...]:
    """Return the melds that these cards make up, in the order of `Arrangement.melds`."""
    sets = [cards_in(group) for four in _FOUR_OF_A_KIND if (group := in_sets & four)]
    runs = [run for sequence in _sequences(in_runs) for run in _split(sequence, run_max)]
    return (*sets, *runs)


def _sequences(cards: CardSet) -> list[Meld]:
    """Return `cards` cut wherever a card does not follow the one before it in its suit."""
    sequences: list[Meld] = []
    for card in cards_in(cards):
        before = sequences[-1][-1] if sequences else None
        if before and (before.suit, before.rank + 1) == (card.suit, card.rank):
            sequences[-1] += (card,)
        else:
            sequences.append((card,))
    return sequences


def _split(sequence: Meld, run_max: int | None) -> tuple[Meld, ...]:
    """Return a sequence as runs of at most `run_max` cards: 6 = 3+3, 7 = 3+4, 11 = 3+4+4 (M2)."""
    size = len(sequence)
    runs = 1 if run_max is None else -(-size // run_max)
    return tuple(sequence[size * i // runs : size * (i + 1) // runs] for i in range(runs))


def check_melds(melds: Iterable[Meld], cards: CardSet, run_max: int | None) -> CardSet:
    """Return the cards in `melds`, which are to be melds of `cards` alone.

    A meld's cards may stand in any order. Raises IllegalMoveError at the first fault, going
    through the melds and in each through its cards: NOT_IN_HAND, CARD_USED_TWICE (M3), and then
    NOT_A_MELD (M1) or RUN_TOO_LONG (M2).
    """
    melded = 0
    for meld in melds:
        for card in meld:
            if not cards & card.bit:
                raise IllegalMoveError(
                    Reason.NOT_IN_HAND, "", f"{card} is not among the cards that you lay down"
                )
            if melded & card.bit:
                raise IllegalMoveError(
                    Reason.CARD_USED_TWICE, "M3", f"{card} is melded twice: one meld at a time"
                )
            melded |= card.bit
        _check_meld(meld, run_max)
    return melded


def _check_meld(meld: Meld, run_max: int | None) -> None:
    bits = card_set(meld)
    if bits in SETS:
        return
    if bits not in RUNS:
        named = write_cards(meld) or "a meld of no cards"
        raise IllegalMoveError(Reason.NOT_A_MELD, "M1", f"{named} is no meld: {_why_no_meld(meld)}")
    if run_max is not None and len(meld) > run_max:
        parts = " and ".join(map(write_cards, _split(cards_in(bits), run_max)))
        raise IllegalMoveError(
            Reason.RUN_TOO_LONG,
            "M2",
            f"{write_cards(meld)} is a run of {len(meld)} cards, and a run has at most {run_max}: "
            f"lay down {parts}",
        )


def _why_no_meld(meld: Meld) -> str:
    """Say why cards that are no meld are none."""
    if len(meld) < 3:
        return "a meld has at least three cards"
    ranks = {RANKS[card.rank] for card in meld}
    if len({card.suit for card in meld}) == 1 and {"A", "K"} <= ranks:
        return "the ace is low only, so a run never goes from king to ace"
    return "a set is 3 or 4 cards of one rank, a run 3 or more cards of one suit in sequence"
