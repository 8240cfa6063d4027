"""Laying off on the knocker's melds: the best way, and the check of a named one (rules L1 to L4).

The cards of the knocker's runs lengthen the opponent's sequences, so what can neither be melded
nor laid off on a run is read from the same table as least deadwood is (`outside_runs`): one looks
up the opponent's cards together with the runs on the table. Whatever stands beside such a run is
in a sequence of more than three, and all of it can go, one card after the other (L1).
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

import msgspec

from ginrummy.rules.cards import DECK, Card, CardSet, card_set, cards_in, points, write_cards
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import LayOffCard, Meld
from ginrummy.rules.melds import RUNS, SETS, check_melds, lay_down, outside_runs, set_choices

__all__ = ["LayOffPlan", "best_lay_off", "check_lay_off"]

_MELDS = SETS | RUNS

_FITTING: dict[CardSet, CardSet] = {
    meld: card_set(card for card in DECK if not meld & card.bit and meld | card.bit in _MELDS)
    for meld in _MELDS
}
"""For every meld, the cards of which each makes a larger meld of it (L1)."""


class LayOffPlan(msgspec.Struct, frozen=True, gc=False):
    """What the knocker's opponent lays down: melds of their own, lay-offs, and what is left."""

    melds: tuple[Meld, ...]
    """In the order of `Arrangement.melds`."""
    layoffs: tuple[LayOffCard, ...]
    """In an order in which every card fits the meld as it lies by then."""
    deadwood: tuple[Card, ...]
    """In the unshuffled deck's order."""
    points: int
    """What the deadwood counts (M4)."""


def best_lay_off(spread: Sequence[Meld], cards: CardSet, run_max: int | None) -> LayOffPlan:
    """Return the melds and lay-offs that leave least of `cards` in all (L1, L4).

    `spread` is what the knocker melded. Among the choices of one's own sets, the first that leaves
    least is taken, in the documented order (`set_choices`). Then one's own runs are laid down as
    `arrange` does, and of the cards in no meld all that fit are laid off: on runs before sets, on
    the meld laid down first, the card that comes first in the deck.
    """
    on_table = [card_set(meld) for meld in spread]
    runs = reduce(or_, (meld for meld in on_table if meld in RUNS), 0)
    fourths = reduce(or_, (_FITTING[meld] for meld in on_table if meld in SETS), 0)

    def left_beside(in_sets: CardSet) -> CardSet:
        return outside_runs(cards ^ in_sets | runs) & ~fourths

    in_sets = min(set_choices(cards), key=lambda choice: points(left_beside(choice)))
    unset = cards ^ in_sets
    unmelded = outside_runs(unset)
    left = left_beside(in_sets)
    return LayOffPlan(
        lay_down(in_sets, unset ^ unmelded, run_max),
        _lay_off_all(on_table, unmelded ^ left),
        cards_in(left),
        points(left),
    )


def _lay_off_all(on_table: list[CardSet], cards: CardSet) -> tuple[LayOffCard, ...]:
    """Return an order in which all of `cards`, each of which is known to fit in the end, go."""
    # A card that fits a set and a run goes on the run, where another may follow it.
    runs_first = sorted(range(len(on_table)), key=lambda index: on_table[index] in SETS)
    lying = list(on_table)
    layoffs: list[LayOffCard] = []
    while cards:
        index, fitting = next((i, fit) for i in runs_first if (fit := cards & _FITTING[lying[i]]))
        card = cards_in(fitting)[0]
        layoffs.append(LayOffCard(card, index))
        lying[index] |= card.bit
        cards ^= card.bit
    return tuple(layoffs)


def check_lay_off(
    spread: Sequence[Meld],
    cards: CardSet,
    melds: Iterable[Meld],
    layoffs: Iterable[LayOffCard],
    run_max: int | None,
) -> tuple[Card, ...]:
    """Return what these melds and lay-offs leave of `cards`, in the deck's order.

    A lay-off names its meld by the index in `spread` and has to fit it as it lies by then, earlier
    lay-offs included. Raises IllegalMoveError at the first fault: those of `check_melds`, and then
    lay-off by lay-off NOT_IN_HAND, CARD_USED_TWICE (M3), NO_SUCH_MELD or DOES_NOT_FIT (both L1).
    """
    used = check_melds(melds, cards, run_max)
    lying = [card_set(meld) for meld in spread]
    for layoff in layoffs:
        card = layoff.card
        if not cards & card.bit:
            raise IllegalMoveError(Reason.NOT_IN_HAND, "L1", f"{card} is not in your hand")
        if used & card.bit:
            raise IllegalMoveError(
                Reason.CARD_USED_TWICE, "M3", f"{card} is melded or laid off already"
            )
        _check_fits(card, layoff.meld, lying)
        lying[layoff.meld] |= card.bit
        used |= card.bit
    return cards_in(cards & ~used)


def _check_fits(card: Card, index: int, lying: Sequence[CardSet]) -> None:
    if not 0 <= index < len(lying):
        raise IllegalMoveError(
            Reason.NO_SUCH_MELD,
            "L1",
            f"{card} cannot go on meld {index}: cards are laid off on the knocker's melds alone, "
            + (f"numbered 0 to {len(lying) - 1}" if lying else "and there are none"),
        )
    fitting = _FITTING[lying[index]]
    if not fitting & card.bit:
        meld = write_cards(cards_in(lying[index]))
        would = " or ".join(map(str, cards_in(fitting))) or "no card"
        raise IllegalMoveError(
            Reason.DOES_NOT_FIT, "L1", f"{card} does not extend {meld} as it lies: {would} would"
        )
