"""Signed moves: which text a player signs, and whether a line has the signature that it needs.

    a line ──> its event's move_text ──> signed_text(stream, prev, …) ──> Ed25519 ──> the line's sig

The text is made of nothing but what the public line shows (docs/log-format.md, *Signed moves*). A
knock's face-down card is not in it: a signature over a hidden card could be tried with each of the
cards that it may be, until one fits.

Nothing here needs a library before it signs or checks.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias, assert_never

from ginrummy.rules.cards import Card, CardSet, card_set, cards_in, write_cards
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
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    Event,
    Knocked,
    LaidOff,
    LayOffCard,
    Meld,
    Resigned,
    StockDrawn,
    UpcardPassed,
)

__all__ = [
    "MOVE_EVENTS",
    "SIGNATURE_BYTES",
    "MoveEvent",
    "is_move_signed",
    "is_text_signed",
    "move_text",
    "sign_text",
    "signed_text",
    "wish_text",
]

SIGNATURE_BYTES = 64
"""How long an Ed25519 signature is."""

_CONTEXT = "ginrummy/v1/move"
_BIG_GIN_CARDS = 11

MoveEvent: TypeAlias = (
    UpcardPassed | StockDrawn | DiscardTaken | Discarded | Knocked | LaidOff | Resigned
)
"""What the line says that answers a player's move."""

MOVE_EVENTS = (StockDrawn, Discarded, DiscardTaken, UpcardPassed, Knocked, LaidOff, Resigned)
"""The events of `MoveEvent`; any of them that is by a player is a move of theirs."""


def move_text(event: MoveEvent) -> str:
    """Return the move that an event shows, as its player signs it."""
    match event:
        case StockDrawn():
            return "draw"
        case Discarded(card=card):
            return f"discard {card}"
        case DiscardTaken():
            return "take"
        case UpcardPassed():
            return "pass"
        case Knocked(melds=melds, deadwood=deadwood):
            laid = sum(map(len, melds)) + len(deadwood)
            return _laid("big_gin" if laid == _BIG_GIN_CARDS else "knock", melds, (), deadwood)
        case LaidOff(melds=melds, layoffs=layoffs, deadwood=deadwood):
            return _laid("lay_off", melds, layoffs, deadwood)
        case Resigned():
            return "resign"
        case _:
            assert_never(event)


def wish_text(move: Move, cards: CardSet) -> str:
    """Return the text that the line of a move will have, made by a seat that holds `cards`.

    What the move lays down has to be named (`arrangements.arranged`). A move that is not legal has
    a text too, and no line.
    """
    match move:
        case Draw():
            return "draw"
        case Discard(card=card):
            return f"discard {card}"
        case Take():
            return "take"
        case Pass():
            return "pass"
        case Knock(card=card, melds=melds):
            return _left("knock", melds or (), (), cards & ~card.bit)
        case BigGin(melds=melds):
            return _left("big_gin", melds or (), (), cards)
        case LayOff(melds=melds, layoffs=layoffs):
            return _left("lay_off", melds or (), layoffs, cards)
        case Resign():
            return "resign"
        case _:
            assert_never(move)


def _left(word: str, melds: Sequence[Meld], layoffs: Sequence[LayOffCard], cards: CardSet) -> str:
    """Write what is laid down of `cards`; all that is in no meld and not laid off is deadwood."""
    gone = card_set((*chain.from_iterable(melds), *(layoff.card for layoff in layoffs)))
    return _laid(word, melds, layoffs, cards_in(cards & ~gone))


def _laid(
    word: str, melds: Iterable[Meld], layoffs: Iterable[LayOffCard], deadwood: Iterable[Card]
) -> str:
    parts = [word, *map(write_cards, melds)]
    if laid_off := " ".join(f"{layoff.card}>{layoff.meld}" for layoff in layoffs):
        parts.append(laid_off)
    if left := write_cards(deadwood):
        parts.append(f"deadwood {left}")
    return " | ".join(parts)


def signed_text(stream: str, prev: str, move: str) -> bytes:
    """Return what is signed: a move of a match, decided on the line whose hash is `prev`."""
    return f"{_CONTEXT}\n{stream}\n{prev}\n{move}\n".encode()


def sign_text(secret: bytes, text: bytes) -> str:
    """Return the signature over a text, in hex as a line holds it.

    Raises ModuleNotFoundError where no library for Ed25519 is installed.
    """
    from ginrummy.log.ed25519 import sign  # noqa: PLC0415 -- it needs a library

    return sign(secret, text).hex()


def is_text_signed(key: str, text: bytes, sig: str) -> bool:
    """Say whether `sig` is the signature of a key over a text, both in hex as lines hold them.

    Raises ModuleNotFoundError where no library for Ed25519 is installed.
    """
    from ginrummy.log.ed25519 import is_signed  # noqa: PLC0415 -- it needs a library

    return is_signed(bytes.fromhex(key), text, bytes.fromhex(sig))


def is_move_signed(key: str, stream: str, prev: str, event: Event, sig: str) -> bool:
    """Say whether `sig` is that of a key over the move that the event after line `prev` shows.

    No event but a move's can be signed. Raises ModuleNotFoundError as `is_text_signed` does.
    """
    if not isinstance(event, MOVE_EVENTS):
        return False
    return is_text_signed(key, signed_text(stream, prev, move_text(event)), sig)
