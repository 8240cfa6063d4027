"""The boards of a tournament: decks that several tables play, fixed before the event starts.

    boards' secrets ──┐
                      ├──> a board's deck and dealer ──> the same with a match's own suits
    entrants' nonces ─┘

The secrets are a chain like a match's own (`deck`), committed to before any entrant commits to a
nonce; board k uses secret k. At each table the suits change places, so that what is said or seen
of one table does not tell the cards of another. The construction is described in
docs/log-format.md, *Boards*.
"""

import hmac
from collections.abc import Mapping
from hashlib import sha256

from ginrummy.log.deck import (
    NONCE_BYTES,
    SECRET_BYTES,
    Shuffle,
    check_size,
    drawn_seat,
    shuffled,
    words,
)
from ginrummy.rules.cards import DECK, RANKS, SUITS, Card
from ginrummy.rules.events import Board, MatchCreated

__all__ = ["board_deck", "mix_of", "secret_number", "sitting_deck"]

_BOARD_DOMAIN = b"ginrummy/v1/board\0"
_SUITS_DOMAIN = b"ginrummy/v1/suits\0"


def mix_of(nonces: Mapping[str, bytes]) -> str:
    """Return what the entrants' nonces, by the entrants' ids, make together: 32 bytes in hex.

    Raises ValueError for a nonce that is not 16 bytes long.
    """
    mixed = sha256()
    for entrant in sorted(nonces):
        check_size("nonce", nonces[entrant], NONCE_BYTES)
        mixed.update(entrant.encode() + b"\0" + nonces[entrant])
    return mixed.hexdigest()


def board_deck(secret: bytes, board: Board) -> Shuffle:
    """Return a board's deck, in the suits of no table, and its dealer's seat.

    `secret` is that of the board's number. Raises ValueError for one that is not 32 bytes long.
    """
    check_size("secret", secret, SECRET_BYTES)
    place = board.tournament.encode() + b"\0" + board.number.to_bytes(4)
    numbers = words(hmac.digest(secret, _BOARD_DOMAIN + place + bytes.fromhex(board.mix), "sha256"))
    deck = shuffled(DECK, numbers)
    return Shuffle(deck, drawn_seat(numbers))


def sitting_deck(secret: bytes, board: Board, match: str) -> Shuffle:
    """Return a board's deck as the match of that id plays it: in suits of its own.

    Raises ValueError as `board_deck` does.
    """
    deck, dealer = board_deck(secret, board)
    numbers = words(hmac.digest(secret, _SUITS_DOMAIN + match.encode(), "sha256"))
    suits = shuffled(range(len(SUITS)), numbers)
    return Shuffle(tuple(_in_suit(card, suits[card.suit]) for card in deck), dealer)


def _in_suit(card: Card, suit: int) -> Card:
    return DECK[len(RANKS) * suit + card.rank]


def secret_number(terms: MatchCreated, hand: int) -> int:
    """Return the number, in the chain that a match is committed to, of its hand's secret.

    It is the hand's own number; at a board, whose only hand is 1, it is the board's.
    """
    return hand if terms.board is None else terms.board.number + hand - 1
