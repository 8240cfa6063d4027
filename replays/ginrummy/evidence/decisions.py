"""One decision: who made it, how long it took, what time was left, and who could know what.

Position ──> decision_of ──> Decision, or nothing where the event only follows from one
"""

from typing import Literal, TypeAlias

import msgspec

from ginrummy.evidence.knowing import Knowing, knowing
from ginrummy.log.instants import Instant, write_instant
from ginrummy.replay.acting import act_of
from ginrummy.replay.ink import PLAIN, Ink
from ginrummy.replay.stepping import Position
from ginrummy.replay.words import describe
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Event,
    Forfeited,
    HandDealt,
    HandScored,
    HandVoided,
    LaidOff,
    MatchCreated,
    MatchEnded,
    NonceRevealed,
    PlayerJoined,
    PositionRevealed,
    SecretRevealed,
)
from ginrummy.rules.match import MS, Match, Playing, deadline
from ginrummy.rules.view import Perspective

__all__ = ["Decision", "Maker", "decision_of"]

Maker: TypeAlias = Literal["player", "server", "director"]
"""Who made a decision: the player at the seat, the server, or whoever directs the match."""

_FOLLOWS = (
    MatchCreated,
    PlayerJoined,
    HandDealt,
    HandScored,
    HandVoided,
    SecretRevealed,
    PositionRevealed,
)
"""Events by which nobody decides anything in the play: they open a match, or follow from it."""


class Decision(msgspec.Struct, frozen=True):
    """One decision of a match."""

    seq: int
    seat: Seat | None
    """Whose it was to make; None where it is about both."""
    act: str
    """The event's stored name."""
    told: str
    """What was done, in words."""
    rule: str
    """The rule that it stands under; empty where it is none of the game's."""
    at: str
    """When, in UTC, as the line spells it."""
    made_by: Maker
    by: str
    """Their id; `server` for the server."""
    absent: bool
    """The server made it because a player was not there, or did nothing."""
    why: str
    """Why the server made it; empty for whatever a player or a director did."""
    thought_ms: float | None
    """What time passed over it, to the microsecond; None where no decision was waited for."""
    allowed_ms: float | None
    """What time there was for it, to the microsecond; None likewise."""
    bank_ms: BySeat[float] | None
    """What both banks held after it; None where the match has no bank."""
    knew: Knowing | None
    """What everybody could know ahead of it; None where no hand was being played."""


def decision_of(
    position: Position, reader: Perspective, ink: Ink = PLAIN, *, with_knowledge: bool = True
) -> Decision | None:
    """Return the decision that the position's event is, as far as `reader` may be told of it.

    None for an event that only follows from another one. `ink` is what its words are written with.
    `with_knowledge` can be left out where only times are wanted.
    """
    line, before = position.line, position.before
    if isinstance(line.event, _FOLLOWS) or _is_account(line.event, before):
        return None
    made_by = _maker(position)
    if isinstance(line.event, NonceRevealed) and made_by == "player":
        return None
    why, absent = _reason(line.event, before) if made_by == "server" else ("", False)
    act = act_of(position)
    playing = before if isinstance(before, Playing) else None
    thought, allowed = (None, None) if playing is None else _time(playing, line.at)
    return Decision(
        seq=line.seq,
        seat=act.seat,
        act=line.type,
        told=describe(position, reader, ink),
        rule=act.rule,
        at=write_instant(line.at),
        made_by=made_by,
        by=line.by,
        absent=absent,
        why=why,
        thought_ms=thought,
        allowed_ms=allowed,
        bank_ms=_bank(position.match),
        knew=knowing(playing, reader) if playing is not None and with_knowledge else None,
    )


def _is_account(event: Event, before: Match | None) -> bool:
    """Say whether a match's end only follows, as from a score or a resignation."""
    if not isinstance(event, MatchEnded):
        return False
    if event.reason in ("abandoned", "aborted", "round_clock"):
        return False
    return before is not None


def _maker(position: Position) -> Maker:
    line, match = position.line, position.match
    if line.by == "server":
        return "server"
    seated = {each.player for each in match.seats if each is not None}
    return "player" if line.by in seated else "director"


_FORFEITS = {
    "illegal_moves": ("too many of its moves in a row were refused", False),
    "crash": ("the seat's program had died", True),
    "stall": ("the seat's program was silent", True),
    "no_show": ("nobody came to the seat", True),
    "withdrawn": ("the player had left the tournament", True),
}


def _reason(event: Event, before: Match | None) -> tuple[str, bool]:
    """Return why the server made a decision, and whether it was for somebody who was not there."""
    if isinstance(before, Playing) and before.copies:
        return "it is taken over from the match that this one branches off from", False
    match event:
        case LaidOff():
            return (
                "after gin nothing is laid off, and the opponent's melds are laid down (L2)",
                False,
            )
        case NonceRevealed():
            return "the player left it to the server to draw a nonce", False
        case ClockExpired():
            return "the seat's time was over", True
        case Forfeited(reason=reason):
            return _FORFEITS.get(reason, (reason, False))
        case MatchEnded(reason="abandoned"):
            if isinstance(before, Playing):
                return "nobody decided anything within the limit for being idle", True
            return "not everybody was there in time", True
        case MatchEnded(reason="round_clock"):
            return "the time of the tournament's round was over", False
        case ClockPaused() | ClockResumed():
            return "the server had been away, and nobody is to lose time by it", False
        case _:
            return "the server acted by itself", False


def _time(match: Playing, at: Instant) -> tuple[float | None, float | None]:
    """Return the time that passed over a decision, and the time that there was for it."""
    since, end = match.clock.since, deadline(match)
    if end is None or match.copies:
        # Play is paused, after gin there is nothing left to decide, or it was decided elsewhere.
        return None, None
    return (at - since) / MS, (end - since) / MS


def _bank(match: Match) -> BySeat[float] | None:
    clock = getattr(match, "clock", None)
    bank = None if clock is None else clock.bank
    return None if bank is None else BySeat(bank[0] / MS, bank[1] / MS)
