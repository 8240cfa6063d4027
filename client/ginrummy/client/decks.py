"""The committed deck of a hand, from what a client has been told of its match by then."""

from collections.abc import Mapping

from ginrummy.log.boards import sitting_deck
from ginrummy.log.deck import Shuffle, shuffle
from ginrummy.log.positions import Position
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.events import MatchCreated
from ginrummy.rules.match import begins_in_a_position

__all__ = ["committed_deck"]


def committed_deck(
    terms: MatchCreated,
    match: str,
    hand: int,
    secret: bytes,
    nonces: Mapping[Seat, bytes],
    position: Position | None,
) -> Shuffle:
    """Return the deck that a match's hand has by its secret.

    `nonces` are those that are out; `position` is what a fork begins in, once it is. Raises
    ValueError where one of these should be out by now, and is not.
    """
    if terms.board is not None:
        return sitting_deck(secret, terms.board, match)
    if len(nonces) != len(BySeat._fields):
        raise ValueError("a hand is dealt before both nonces are out")
    own = shuffle(secret, match, hand, BySeat(nonces[0], nonces[1]))
    if hand > 1 or not begins_in_a_position(terms):
        return own
    if position is None:
        raise ValueError("the position in which the match began is not out")
    return Shuffle(position.filled(own.deck), None)
