"""A position as JSON, for programs: `gin replay --json`. The fields are a contract.

Cards are their two characters, a hidden hand says how many cards are hidden, times are spelled as
in the log. What the viewer may not know is not in it.
"""

from typing import Any, assert_never

import msgspec

from ginrummy.log.instants import Instant, InvalidInstantError, write_instant
from ginrummy.replay.stepping import Position
from ginrummy.replay.words import describe
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Resign, Take
from ginrummy.rules.match import Clock
from ginrummy.rules.view import HandView, MatchView, Perspective, view

__all__ = ["write_position"]

_encode = msgspec.json.Encoder().encode


def write_position(position: Position, perspective: Perspective) -> bytes:
    """Return a position, with the event that led to it, as one line of JSON without a line end."""
    line = position.line
    return _encode(
        {
            "match": line.stream,
            "seq": line.seq,
            "at": write_instant(line.at),
            "by": line.by,
            "type": line.type,
            "data": line.event,
            "text": describe(position, perspective),
            "seat": "all" if perspective == "full" else perspective,
            "view": _match(view(position.match, perspective)),
        }
    )


def _match(seen: MatchView) -> dict[str, Any]:
    return {
        "stage": seen.stage,
        "practice": seen.terms.is_practice,
        "players": [None if seated is None else seated.name for seated in seen.seats],
        "points": seen.score.points,
        "hands_won": seen.score.hands_won,
        "clock": None if seen.clock is None else _clock(seen.clock),
        "deadline": None if seen.deadline is None else _instant(seen.deadline),
        "hand": None if seen.hand is None else _hand(seen.hand),
        "outcome": seen.outcome,
    }


def _instant(at: Instant) -> str | None:
    """Return an instant as text; None for one so far away that it has none."""
    try:
        return write_instant(at)
    except InvalidInstantError:
        return None


def _clock(clock: Clock) -> dict[str, Any]:
    bank = None if clock.bank is None else [left // 1000 for left in clock.bank]
    return {"bank_ms": bank, "since": write_instant(clock.since), "paused": clock.paused}


def _hand(hand: HandView) -> dict[str, Any]:
    fields = msgspec.structs.asdict(hand)
    fields["legal"] = [_move(move) for move in hand.legal]
    return fields


def _move(move: Move) -> dict[str, Any]:
    """Return a move as `gin script` takes it."""
    match move:
        case Pass():
            return {"do": "pass"}
        case Take():
            return {"do": "take"}
        case Draw():
            return {"do": "draw"}
        case Discard(card=card):
            return {"do": "discard", "card": card}
        case Knock(card=card):
            return {"do": "knock", "card": card}
        case BigGin():
            return {"do": "big_gin"}
        case LayOff():
            return {"do": "lay_off", "auto": True}
        case Resign():
            return {"do": "resign"}
        case _:
            assert_never(move)
