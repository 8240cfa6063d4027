"""Forks at the tables: what one is to be, what is kept of it beside the log, and what comes of it.

Branch, NewFork ──> terms, with the position and the moves kept in the vault
the first deal ──> the moves, one after the other, as the server's own
the reveal ──> the position
"""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from ginrummy.log.branching import Branch, Kept, branch, position
from ginrummy.log.copies import read_copy, write_copies
from ginrummy.log.deck import SecretChain
from ginrummy.log.errors import LineError
from ginrummy.log.lines import read_line
from ginrummy.log.positions import Position, position_of
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import Copy, RevealPosition
from ginrummy.rules.events import (
    Limits,
    MatchCreated,
    MatchEnded,
    Origin,
    RevealPolicy,
    TimeControl,
)
from ginrummy.rules.match import Playing
from ginrummy.rules.wishes import wish_of
from ginrummy.store import Store, copies_name, kept_chain, position_name
from ginrummy.store.protocol import Vault
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError

__all__ = ["NewFork", "branch_of", "kept_origin", "next_copy", "position_reveal"]

_ENDED = b'"type":"match_ended"'
_LONGEST_NAME = 100


class NewFork(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody wishes a fork to be."""

    kept: Kept = "same"
    """What becomes of the cards that were not seen where it branches off."""
    seat: Seat | None = None
    """Whose cards stay where the unseen ones are dealt anew; None for what all have seen."""
    clock: TimeControl | None = None
    limits: Limits = Limits()
    reveal: RevealPolicy = "match"
    seats: BySeat[str | None] = BySeat(None, None)
    """The players for whom seats are kept."""
    name: str = ""
    """What it is called in lists; empty for a name that says where it comes from."""

    def named(self, at: Branch) -> str:
        """Return what the fork is called."""
        return self.name or f"From event {at.seq} of {at.terms.name or at.match}"[:_LONGEST_NAME]


def branch_of(store: Store, match: str, seq: int, *, may_open: bool) -> Branch:
    """Return how a stored match stood after event `seq`.

    The cards of a hand are in it once its secret is out, and, for whoever may open them, from the
    match's end on: while a match runs a fork gives none of its cards away, to nobody. A board's
    cards are other tables' too, and wait for their secret. Raises NoSuchMatchError, BranchError,
    or LogDamagedError.
    """
    lines = list(store.read(match))
    if not lines:
        raise NoSuchMatchError(match)
    try:
        created = read_line(lines[0]).event
        own = None
        if may_open and isinstance(created, MatchCreated) and _is_over(lines):
            own = _own_secrets(store, match, created)
        return branch(lines, seq, own or revealed_secrets(lines))
    except (LineError, ValueError) as error:
        raise LogDamagedError(match, str(error)) from error


def _is_over(lines: list[bytes]) -> bool:
    return any(_ENDED in raw and isinstance(read_line(raw).event, MatchEnded) for raw in lines)


def _own_secrets(vault: Vault, match: str, terms: MatchCreated) -> SecretChain | None:
    return None if terms.board is not None else kept_chain(vault, match, terms)


def kept_origin(
    vault: Vault, match: str, at: Branch, wish: NewFork, entropy: Callable[[int], bytes]
) -> tuple[Origin, Position | None]:
    """Keep what a fork begins with, and return its origin and position.

    Durable when it returns, and the same again for the same wish: what was kept first stays.
    Raises HiddenCardsError, and nothing is kept, where the wish takes cards that are not known.
    """
    begun = position(at, wish.kept, wish.seat, entropy)
    origin = Origin(
        kind="fork",
        match=at.match,
        seq=at.seq,
        hash=at.hash,
        hand=at.hand,
        scores=at.score.points,
        hands_won=at.score.hands_won,
        unseen="fresh" if begun is None else wish.kept,
        seat=None if begun is None or wish.kept == "same" else wish.seat,
        position=None,
        moves=len(at.moves),
    )
    if begun is None:
        return origin, None
    vault.keep_secret(match, copies_name(origin), write_copies(at.moves))
    begun = position_of(vault.keep_secret(match, position_name(origin), begun.written))
    return replace(origin, position=begun.commitment), begun


def next_copy(vault: Vault, match_id: str, match: Playing) -> Copy:
    """Return the next move that a fork takes over. Raises LogDamagedError where it is lost."""
    origin = match.terms.origin
    assert origin is not None
    kept = vault.secret(match_id, copies_name(origin))
    try:
        wish = wish_of(match, read_copy(kept or b"", origin.moves - match.copies))
    except ValueError as error:
        raise LogDamagedError(match_id, f"the moves that it takes over: {error}") from error
    if not isinstance(wish, Copy):
        raise LogDamagedError(match_id, "a move that it takes over does not fit its deck")
    return wish


def position_reveal(match_id: str, secrets: SecretChain) -> RevealPosition:
    """Return the command that lets a fork's position out."""
    if secrets.position is None:
        raise LogDamagedError(match_id, "the position in which it began is lost")
    return RevealPosition(secrets.position.salt.hex(), secrets.position.places)
