"""What a bot is: an object with one method a decision, and a few more if it likes.

A method gets the `View` of its seat and returns a move. It may be `async`; one that is not runs in
the event loop, so it should not take longer than the keepalive of the connection (seconds).
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from ginrummy.rules.commands import Move
from ginrummy.v1.events_pb2 import Event, HandScored, HandVoided, Knocked, LaidOff
from ginrummy.v1.match_pb2 import (
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_LAY_OFF,
    PHASE_OFFER,
    Phase,
    View,
)

__all__ = ["HOOKS", "Bot", "Decision", "HandEnds", "HandOver", "decision", "tell", "to_decide"]

Decision: TypeAlias = Move | Awaitable[Move]
"""A move, or what one is awaited from."""


class Bot(Protocol):
    """A player that is a program.

    It may also have any of the methods named in `HOOKS`, each of which may be `async`:

    - `saw(event)`: an `Event` as its seat may see it; every event of the match, in order, and
      before the decision that follows from it.
    - `hand_over(hand)`: a hand has ended; `hand` is a `HandOver`.
    - `match_over(outcome)`: the match has ended; `outcome` is a `MatchEnded`.
    - `refused(view, error)`: its move was refused, with the `RefusedError`; it is asked again.
      Without this method a refused move ends the play with that error.
    """

    def offer(self, view: View) -> Decision:
        """Decide whether to take the upcard: `Take()` or `Pass()` (D2)."""
        ...

    def draw(self, view: View) -> Decision:
        """Decide where to draw from: `Draw()` or `Take()` (T1)."""
        ...

    def discard(self, view: View) -> Decision:
        """Decide how the turn ends: `Discard(card)`, `Knock(card)` or `BigGin()` (T1, K1, K5)."""
        ...

    def lay_off(self, view: View) -> Decision:
        """Decide what to lay off after the opponent's knock: `LayOff()` for the best (L1)."""
        ...


HOOKS = ("saw", "hand_over", "match_over", "refused")
"""The methods that a bot may have beside its decisions."""


class HandOver(NamedTuple):
    """How a hand ended."""

    number: int
    """The hand's number in its match, from 1."""
    knocked: Knocked | None
    """What the knocker laid down; None for a void hand."""
    laid_off: LaidOff | None
    """What the opponent laid down and laid off; None for a void hand."""
    result: HandScored | HandVoided
    """The score, or why there is none."""


class HandEnds:
    """What the events of a hand's end add up to."""

    def __init__(self) -> None:
        """Begin before any hand."""
        self._knocked: Knocked | None = None
        self._laid_off: LaidOff | None = None

    def add(self, event: Event) -> HandOver | None:
        """Take in the next event; return how the hand ended where it ends one."""
        match event.WhichOneof("event"):
            case "hand_dealt":
                self._knocked = self._laid_off = None
            case "knocked":
                self._knocked = event.knocked
            case "laid_off":
                self._laid_off = event.laid_off
            case "hand_scored":
                result = event.hand_scored
                return HandOver(result.hand, self._knocked, self._laid_off, result)
            case "hand_voided":
                return HandOver(event.hand_voided.hand, None, None, event.hand_voided)
            case _:
                pass
        return None


def to_decide(view: View) -> bool:
    """Say whether the seat that sees `view` has a move to make now."""
    return (
        view.HasField("seat")
        and not view.clock.paused
        and view.hand.HasField("to_move")
        and view.hand.to_move == view.seat
        and view.hand.HasField("legal")
    )


def decision(bot: Bot, view: View) -> Decision:
    """Ask `bot` for the decision that `view` waits for.

    Raises ValueError where it waits for none of this seat's.
    """
    ask = _ASKED_IN.get(view.hand.phase) if to_decide(view) else None
    if ask is None:
        raise ValueError(f"seat {view.seat} has nothing to decide at event {view.seq}")
    return ask(bot, view)


_ASKED_IN: Mapping[Phase.ValueType, Callable[[Bot, View], Decision]] = {
    PHASE_OFFER: lambda bot, view: bot.offer(view),
    PHASE_DRAW: lambda bot, view: bot.draw(view),
    PHASE_DISCARD: lambda bot, view: bot.discard(view),
    PHASE_LAY_OFF: lambda bot, view: bot.lay_off(view),
}


async def tell(bot: Bot, hook: str, *what: object) -> None:
    """Call one of the methods that a bot may have, if it has it."""
    method = getattr(bot, hook, None)
    if method is not None:
        answer = method(*what)
        if inspect.isawaitable(answer):
            await answer
