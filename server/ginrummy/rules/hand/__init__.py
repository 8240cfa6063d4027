"""One hand as a state machine: a shape for each phase, `decide` and `evolve` over them.

    Offering ──> Drawing <──> Discarding ──> LayingOff ──> Counting ──> Finished
        └────────────^            │ gin: laid off by the server  ^
                                  └──────────── void ────────────┘

`decide` holds the rules and says which events a move causes; `evolve` only writes down what an
event says. A hand whose deck is known holds every card; one folded from a log alone holds the
cards that everybody has seen, and the same functions serve both.
"""

from ginrummy.rules.hand.decisions import deal, decide, legal_moves, void_reason
from ginrummy.rules.hand.evolution import evolve
from ginrummy.rules.hand.states import (
    Counting,
    Dealt,
    Discarding,
    Drawing,
    Finished,
    Hand,
    LayingOff,
    Layout,
    Offering,
    start,
    to_move,
    with_deck,
)

__all__ = [
    "Counting",
    "Dealt",
    "Discarding",
    "Drawing",
    "Finished",
    "Hand",
    "LayingOff",
    "Layout",
    "Offering",
    "deal",
    "decide",
    "evolve",
    "legal_moves",
    "start",
    "to_move",
    "void_reason",
    "with_deck",
]
