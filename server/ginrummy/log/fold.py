"""The fold: from stored lines to the match they tell, with as many cards as are known.

Live play, replay and audit all come through `Fold.add`. What differs is the secret they hold: the
server has the chain's end, an auditor the last one revealed, a spectator none.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from ginrummy.log.boards import secret_number, sitting_deck
from ginrummy.log.deck import SecretChain, Shuffle, shuffle
from ginrummy.log.lines import GENESIS, MatchLine
from ginrummy.log.positions import Position
from ginrummy.rules.cards import DECK, BySeat
from ginrummy.rules.events import HandDealt
from ginrummy.rules.match import Match, begins_in_a_position, evolve, with_deck

__all__ = ["Decks", "Fold", "RevealedSecret", "Secrets", "nonces_of", "shuffle_for"]


class Secrets(Protocol):
    """Whoever knows some secrets of a match's chain, by their numbers (`boards.secret_number`)."""

    @property
    def position(self) -> Position | None:
        """The position that a fork begins in; None for another match, or where it is not known."""

    def secret(self, number: int) -> bytes | None:
        """Return the secret of that number, or None where it is not known."""


class RevealedSecret:
    """What one revealed secret gives: its own number's and, hashed down, those of all before."""

    __slots__ = ("_chain", "position")

    def __init__(self, number: int, secret: bytes, position: Position | None = None) -> None:
        """Take the secret of that number, and the position of a fork that is out.

        Neither is checked against a commitment here.
        """
        self._chain = SecretChain(secret, number)
        self.position = position

    def secret(self, number: int) -> bytes | None:
        """Return the secret of a number, or None for one after the revealed one."""
        return self._chain.secret(number) if 0 <= number <= self._chain.length else None


def nonces_of(match: Match) -> BySeat[bytes] | None:
    """Return the seats' nonces, or None while one is not out."""
    first, second = match.seats
    if first is None or second is None or first.nonce is None or second.nonce is None:
        return None
    return BySeat(bytes.fromhex(first.nonce), bytes.fromhex(second.nonce))


def shuffle_for(
    match: Match, stream: str, hand: int, secrets: SecretChain | Secrets
) -> Shuffle | None:
    """Return the committed deck of a hand, or None where its secret or a nonce is not known.

    The first one of a fork that begins in a position takes the position as well.
    """
    if hand > 1 or not begins_in_a_position(match.terms):
        return _own_shuffle(match, stream, hand, secrets)
    position = secrets.position
    if position is None:
        return None
    own = None if position.is_whole else _own_shuffle(match, stream, hand, secrets)
    if own is None and not position.is_whole:
        return None
    # Who deals is agreed in the terms.
    return Shuffle(position.filled(DECK if own is None else own.deck), None)


def _own_shuffle(
    match: Match, stream: str, hand: int, secrets: SecretChain | Secrets
) -> Shuffle | None:
    """Return the deck that a hand has by its match's own secrets and nonces."""
    secret = secrets.secret(secret_number(match.terms, hand))
    if secret is None:
        return None
    if match.terms.board is not None:
        # A board is one hand; no other has a deck.
        return sitting_deck(secret, match.terms.board, stream) if hand == 1 else None
    nonces = nonces_of(match)
    return None if nonces is None else shuffle(secret, stream, hand, nonces)


Decks: TypeAlias = Callable[[Match, str, int, SecretChain | Secrets], Shuffle | None]
"""Where a hand's deck comes from: `shuffle_for`, but for whoever rehearses a hand of their own."""


class Fold:
    """A match as far as its lines have been added.

    Raises ValueError from `add` for a line that cannot follow, as only a damaged log holds. It
    checks no chain: that is the audit's.
    """

    __slots__ = ("_decks", "_secrets", "hash", "match", "seq")

    def __init__(
        self, secrets: SecretChain | Secrets | None = None, decks: Decks = shuffle_for
    ) -> None:
        """Start before the first line, with the secrets of some hands or without any."""
        self._secrets = secrets
        self._decks = decks
        self.match: Match | None = None
        """The match; None before its first line."""
        self.seq = 0
        """The last line's number."""
        self.hash = GENESIS
        """The last line's hash."""

    def add(self, line: MatchLine) -> Match:
        """Add the next line and return the match after it."""
        match = evolve(self.match, line.event, line.at, line.by)
        if isinstance(line.event, HandDealt) and self._secrets is not None:
            found = self._decks(match, line.stream, line.event.hand, self._secrets)
            if found is not None:
                match = with_deck(match, found.deck)
        self.match, self.seq, self.hash = match, line.seq, line.hash
        return match

    def copy(self) -> "Fold":
        """Return a fold that can go its own way from here: a draft of what may be stored."""
        draft = Fold(self._secrets, self._decks)
        draft.match, draft.seq, draft.hash = self.match, self.seq, self.hash
        return draft

    def adopt(self, line: MatchLine, match: Match) -> None:
        """Take over where a draft has come to, once its lines are stored."""
        self.match, self.seq, self.hash = match, line.seq, line.hash
