"""Moves, from messages to the rules' own values.

Whatever cannot be read raises InvalidFieldError with its path; whether it is allowed is for the
rules to say.
"""

from collections.abc import Sequence, Sized

from ginrummy.api.errors import InvalidFieldError
from ginrummy.rules.cards import DECK, Card, UnreadableCardError, parse_card
from ginrummy.rules.commands import (
    BigGin,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Resign,
    Take,
)
from ginrummy.rules.events import LayOffCard, Meld
from ginrummy.v1 import events_pb2
from ginrummy.v1 import match_pb2 as pb

__all__ = ["move_from"]

_CARDS = {str(card): card for card in DECK}

_LONGEST_CARD = 8
"""More letters than any way to write a card has; a longer text is not even quoted."""


def move_from(message: pb.Move, path: str = "move") -> Move:
    """Return the move that a message holds. Raises InvalidFieldError, under `path`."""
    match message.WhichOneof("move"):
        case "pass_upcard":
            return Pass()
        case "take":
            return Take()
        case "draw":
            return Draw()
        case "discard":
            return Discard(_card(f"{path}.discard.card", message.discard.card))
        case "knock":
            knock = message.knock
            return Knock(
                _card(f"{path}.knock.card", knock.card),
                _arranged(f"{path}.knock.arrangement", knock),
            )
        case "big_gin":
            return BigGin(_arranged(f"{path}.big_gin.arrangement", message.big_gin))
        case "lay_off":
            return _lay_off(f"{path}.lay_off", message.lay_off)
        case "resign":
            return Resign()
        case _:
            raise InvalidFieldError(path, "no move is set")


def _lay_off(path: str, message: pb.LayOff) -> LayOff:
    arranged = message.HasField("arrangement")
    if message.auto:
        if arranged or message.layoffs:
            raise InvalidFieldError(
                f"{path}.auto", "the server finds the melds and lay-offs, so name none beside it"
            )
        return LayOff()
    if not arranged and not message.layoffs:
        raise InvalidFieldError(
            path, "set auto to be served, or an arrangement: an empty one lays down nothing"
        )
    _check_size(f"{path}.layoffs", message.layoffs)
    layoffs = tuple(
        LayOffCard(_card(f"{path}.layoffs[{index}].card", layoff.card), layoff.meld)
        for index, layoff in enumerate(message.layoffs)
    )
    return LayOff(_arranged(f"{path}.arrangement", message) or (), layoffs)


def _arranged(path: str, message: pb.Knock | pb.BigGin | pb.LayOff) -> tuple[Meld, ...] | None:
    """Return the arrangement that a message names; None where it leaves it to the server."""
    if not message.HasField("arrangement"):
        return None
    melds: Sequence[events_pb2.Meld] = message.arrangement.melds
    _check_size(f"{path}.melds", melds)
    return tuple(_meld(f"{path}.melds[{index}].cards", meld) for index, meld in enumerate(melds))


def _meld(path: str, message: events_pb2.Meld) -> Meld:
    _check_size(path, message.cards)
    return tuple(_card(f"{path}[{index}]", text) for index, text in enumerate(message.cards))


def _check_size(path: str, field: Sized) -> None:
    # A message may be far larger than a hand, and nobody is to wait while it is read.
    if len(field) > len(DECK):
        raise InvalidFieldError(path, f"{len(field)} of them: there are only {len(DECK)} cards")


def _card(path: str, text: str) -> Card:
    card = _CARDS.get(text)
    if card is not None:
        return card
    if not text:
        raise InvalidFieldError(path, "no card is named")
    if len(text) > _LONGEST_CARD:
        raise InvalidFieldError(path, f"{len(text)} letters are not a card")
    try:
        return parse_card(text)
    except UnreadableCardError as error:
        raise InvalidFieldError(path, str(error)) from error
