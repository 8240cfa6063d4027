"""Which matches can be opened: matches of their own, boards, and forks of other matches."""

from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import Event, MatchCreated, Origin, PlayerJoined
from ginrummy.rules.match.refusing import not_now
from ginrummy.rules.match.states import Score
from ginrummy.rules.ruleset import Ruleset

__all__ = ["open_match"]

_MOST = 2**31 - 1
"""More points than any match can have, and few enough for every client's integers."""


def open_match(terms: MatchCreated, names: BySeat[str] | None) -> tuple[Event, ...]:
    """Return the events that open a match.

    At a board both players, of these names, sit down at once, and nothing else is awaited. Raises
    IllegalMoveError for terms that cannot be.
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
    if terms.signing != "off":
        raise not_now("at a board nobody signs: its players are seated without their keys")
    if names is None:
        return (terms,)
    sitting = ((0, first, names[0]), (1, second, names[1]))
    return terms, *(
        PlayerJoined(
            seat=1 if seat else 0, player=player, name=name, nonce_commitment=None, nonce_by=None
        )
        for seat, player, name in sitting
    )


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
