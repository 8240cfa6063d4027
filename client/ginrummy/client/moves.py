"""Moves as messages: the rules' own values in, what goes over the wire out."""

from collections.abc import Iterable
from typing import assert_never

from ginrummy.rules import commands
from ginrummy.rules.events import Meld
from ginrummy.v1 import events_pb2, match_pb2

__all__ = ["move_message"]


def move_message(move: commands.Move) -> match_pb2.Move:
    """Return the message that wishes `move`."""
    match move:
        case commands.Pass():
            return match_pb2.Move(pass_upcard=match_pb2.PassUpcard())
        case commands.Take():
            return match_pb2.Move(take=match_pb2.Take())
        case commands.Draw():
            return match_pb2.Move(draw=match_pb2.Draw())
        case commands.Discard(card=card):
            return match_pb2.Move(discard=match_pb2.Discard(card=str(card)))
        case commands.Knock(card=card, melds=melds):
            return match_pb2.Move(
                knock=match_pb2.Knock(card=str(card), arrangement=_arrangement(melds))
            )
        case commands.BigGin(melds=melds):
            return match_pb2.Move(big_gin=match_pb2.BigGin(arrangement=_arrangement(melds)))
        case commands.LayOff():
            return match_pb2.Move(lay_off=_lay_off(move))
        case commands.Resign():
            return match_pb2.Move(resign=match_pb2.Resign())
        case _:
            assert_never(move)


def _lay_off(move: commands.LayOff) -> match_pb2.LayOff:
    if move.melds is None and not move.layoffs:
        return match_pb2.LayOff(auto=True)
    return match_pb2.LayOff(
        arrangement=_arrangement(move.melds or ()),
        layoffs=[
            events_pb2.LayOffCard(card=str(layoff.card), meld=layoff.meld)
            for layoff in move.layoffs
        ],
    )


def _arrangement(melds: Iterable[Meld] | None) -> match_pb2.Arrangement | None:
    # Not set is not the same as set without melds: the first leaves the choice to the server.
    if melds is None:
        return None
    return match_pb2.Arrangement(
        melds=[events_pb2.Meld(cards=[str(card) for card in meld]) for meld in melds]
    )
