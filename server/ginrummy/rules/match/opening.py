"""Which matches can be opened: matches of their own, boards, and forks of other matches."""

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import Event, MatchCreated, Origin, PlayerJoined
from ginrummy.rules.match.refusing import not_now
from ginrummy.rules.match.states import Score
from ginrummy.rules.ruleset import Ruleset

__all__ = ["check_key", "open_match"]

_MOST = 2**31 - 1
"""More points than any match can have, and few enough for every client's integers."""


def open_match(
    terms: MatchCreated,
    names: BySeat[str] | None,
    keys: BySeat[str | None] = BySeat(None, None),  # noqa: B008 -- an immutable value
) -> tuple[Event, ...]:
    """Return the events that open a match.

    At a board both players, of these names and with these public keys, sit down at once, and
    nothing else is awaited. Raises IllegalMoveError for terms that cannot be.
    """
    if terms.origin is not None:
        _check_origin(terms, terms.origin)
    if terms.board is None:
        return (terms,)
    first, second = terms.seats
    if first is None or second is None or first == second:
        raise not_now("both seats of a board are kept for somebody, each for another player")
    if terms.reveal != "director":
        raise not_now("a board's secret comes out when all its tables are done, not with a match")
    if terms.rules.spades_double:
        raise not_now("a board cannot be played with spades_double: each table has its own suits")
    if terms.first_dealer is not None:
        raise not_now("who deals a board comes with its deck")
    if names is None:
        return (terms,)
    joining = (_seated(0, first, names[0], keys[0]), _seated(1, second, names[1], keys[1]))
    for joined in joining:
        check_key(terms, joined.key)
    return terms, *joining


def _seated(seat: Seat, player: str, name: str, key: str | None) -> PlayerJoined:
    return PlayerJoined(
        seat=seat, player=player, name=name, nonce_commitment=None, nonce_by=None, key=key
    )


def check_key(terms: MatchCreated, key: str | None) -> None:
    """Let a player sit down with the key, or without one, that the match asks for.

    Raises IllegalMoveError.
    """
    if terms.signing == "required" and key is None:
        why = "everybody signs their moves here: join with your Ed25519 public key"
        raise IllegalMoveError(Reason.KEY_MISSING, "", why)
    if terms.signing == "off" and key is not None:
        why = "nobody signs their moves here: join without a key"
        raise IllegalMoveError(Reason.SIGNING_OFF, "", why)


def _check_origin(terms: MatchCreated, origin: Origin) -> None:
    """Let a match branch off from another where what it starts from can be."""
    if origin.kind == "replay":
        _check_replay(terms, origin)
        return
    if terms.board is not None:
        raise not_now("a fork has decks of its own, and is no board")
    if terms.dispute_ms:
        raise not_now("a fork is for practice: there is nothing to dispute, dispute_ms is 0")
    if (origin.position is None) != (origin.unseen == "fresh"):
        raise not_now("a fork begins in a position, unless its first deck is a fresh one")
    if origin.position is None and origin.moves:
        raise not_now("where a fork begins with a deal of its own there are no moves to copy")
    if origin.position is not None and terms.first_dealer is None:
        raise not_now("who dealt the hand that a fork goes on with is known")
    if origin.seat is not None and origin.unseen != "reshuffled":
        raise not_now("whose cards stay is said only where the others are dealt anew")
    rules, score = terms.rules, (*origin.scores, *origin.hands_won)
    if not 0 <= min(score) <= max(score) <= _MOST or _is_over(
        rules, Score(origin.scores, origin.hands_won)
    ):
        raise not_now("with that score the match would be over before it starts, or cannot be")


def _check_replay(terms: MatchCreated, origin: Origin) -> None:
    """Let a hand be played again as a ruling has it (R8)."""
    first, second = terms.seats
    if first is None or second is None or first == second:
        raise not_now("both seats of a replay are kept for those who played the hand")
    if terms.board is not None or terms.rules.hands != 1 or terms.first_dealer is None:
        raise not_now("a replay is one hand of decks of its own, and who dealt it is known")
    if terms.dispute_ms:
        raise not_now("a replay is not disputed, the ruling behind it is appealed: dispute_ms is 0")
    fresh = Origin(
        kind="replay",
        match=origin.match,
        seq=origin.seq,
        hash=origin.hash,
        hand=origin.hand,
        scores=BySeat(0, 0),
        unseen="fresh",
        position=None,
        moves=0,
    )
    if origin != fresh:
        raise not_now("a replay starts from nothing: no points, no moves, and a fresh deck")


def _is_over(rules: Ruleset, score: Score) -> bool:
    """Say whether a match ends as it stands (X1)."""
    if rules.hands is not None:
        return sum(score.hands_won) >= rules.hands
    return max(score.points) >= rules.target
