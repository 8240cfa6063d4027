"""A match as a state machine: seats, nonces, one hand after the other, clocks, and the end.

    Gathering ──> Dealing <──> Playing ──> Ended
        └──────────────────────────────────^

Times are data here: `decide` and `evolve` take the instant at which something happens, in
microseconds since 1970 UTC, and no clock is read. What is hidden comes in with the command that
needs it, and goes under the state with `with_deck`; without it the same fold is the public one.
"""

from ginrummy.rules.match.decisions import decide, next_dealer
from ginrummy.rules.match.evolution import evolve, with_deck
from ginrummy.rules.match.states import (
    BOTH_SEATS,
    MS,
    Clock,
    Dealing,
    Due,
    Ended,
    Gathering,
    Instant,
    Match,
    Playing,
    Score,
    Seated,
    Seats,
    begins_in_a_position,
    hands_dealt,
    seat_of,
    starting_score,
)
from ginrummy.rules.match.waiting import deadline, due, is_position_hidden, nonce_to_reveal

__all__ = [
    "BOTH_SEATS",
    "MS",
    "Clock",
    "Dealing",
    "Due",
    "Ended",
    "Gathering",
    "Instant",
    "Match",
    "Playing",
    "Score",
    "Seated",
    "Seats",
    "begins_in_a_position",
    "deadline",
    "decide",
    "due",
    "evolve",
    "hands_dealt",
    "is_position_hidden",
    "next_dealer",
    "nonce_to_reveal",
    "seat_of",
    "starting_score",
    "with_deck",
]
