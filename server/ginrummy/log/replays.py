"""The match in which a hand is played again: its terms and its id follow from the ruling (R8)."""

from msgspec.structs import replace

from ginrummy.log.ids import match_id_for
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.events import HandPoints, Instance
from ginrummy.rules.events import Limits, MatchCreated, Origin
from ginrummy.rules.match import Ended
from ginrummy.rules.ruleset import Ruleset

__all__ = [
    "brought",
    "replay_id",
    "replay_limits",
    "replay_origin",
    "replay_request",
    "replay_rules",
]

_SERVER = "server"


def replay_request(match: str, dispute: int, instance: Instance) -> str:
    """Return the request id with which the server opens the replay that a ruling has ordered."""
    return f"{match}/{dispute}/{instance}"


def replay_id(match: str, dispute: int, instance: Instance) -> str:
    """Return the id of the replay that a ruling has ordered."""
    return match_id_for(_SERVER, replay_request(match, dispute, instance))


def replay_origin(match: str, seq: int, hash_: str, hand: int) -> Origin:
    """Return what a replay says of where it comes from: the line of the ruling, and the hand."""
    return Origin(
        kind="replay",
        match=match,
        seq=seq,
        hash=hash_,
        hand=hand,
        scores=BySeat(0, 0),
        unseen="fresh",
        position=None,
        moves=0,
    )


def replay_rules(rules: Ruleset) -> Ruleset:
    """Return the rules of a replay: those of the match, over one hand."""
    return replace(rules, hands=1)


def replay_limits(terms: MatchCreated) -> Limits:
    """Return the limits of a replay: those of the match, with as long to come as to dispute."""
    return replace(terms.limits, start_ms=max(terms.limits.start_ms, terms.dispute_ms))


def brought(replayed: Ended) -> HandPoints | None:
    """Return what a hand has brought that was played again; None where nobody has won it."""
    outcome = replayed.outcome
    winner: Seat | None = outcome.winner
    if winner is None:
        return None
    if outcome.reason == "hands":
        return HandPoints(winner, outcome.points[winner])
    # Whoever gives it up, or is made to lose it, loses as much as by gin against no deadwood.
    return HandPoints(winner, replayed.terms.rules.gin_bonus)
