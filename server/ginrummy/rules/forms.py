"""What the stored forms of several kinds of events are made of."""

from typing import Annotated, Literal, TypeAlias

import msgspec

__all__ = ["AbortReason", "EndReason", "ForfeitReason", "Hex16", "Hex32"]

ForfeitReason: TypeAlias = Literal["illegal_moves", "crash", "stall", "no_show", "withdrawn"]
"""Why a seat is made to lose (X3): too many refused moves in a row; its program died; its program
was silent though its time was not over; nobody came; its player left the event."""

AbortReason: TypeAlias = Literal["aborted", "round_clock"]
"""Why a match is ended from outside without anybody's fault: it was given up and counts for nobody,
or its round's time was over and it counts as it stood."""

EndReason: TypeAlias = Literal[
    "target",
    "hands",
    "hands_exhausted",
    "resigned",
    "clock",
    "illegal_moves",
    "abandoned",
    "crash",
    "stall",
    "no_show",
    "withdrawn",
    "aborted",
    "round_clock",
    "ruling",
]
"""Why a match ended: X1 by points, by hands, or with no committed deck left; X3 otherwise. By a
director's ruling it only ever stands so afterwards, and never ends (R7)."""

Hex16: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]
"""16 bytes as 32 lower-case hex digits; checked when read."""

Hex32: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""32 bytes as 64 lower-case hex digits; checked when read."""
