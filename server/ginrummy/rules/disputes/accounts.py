"""What a match's result is by the rulings that stand (R7): worked out anew from what was played."""

from collections.abc import Sequence

from ginrummy.rules.cards import BySeat, Seat, other
from ginrummy.rules.disputes.events import HandPoints
from ginrummy.rules.disputes.states import Dispute
from ginrummy.rules.events import EndReason, MatchCreated, MatchEnded
from ginrummy.rules.ruleset import Ruleset
from ginrummy.rules.scoring import end_match

__all__ = ["adjusted_account", "may_bring"]

_BY_POINTS = frozenset({"target", "hands", "hands_exhausted", "round_clock"})
"""The ends after which whoever has more points has won."""

_WON_BY_NOBODY = frozenset({"hands_exhausted", "aborted", "round_clock"})
"""The ends of a match over one hand in which no hand was scored, and nobody has lost."""


def may_bring(rules: Ruleset, reason: EndReason, scored: HandPoints | None) -> bool:
    """Say whether a hand that is played again can end so, and bring that (R8).

    `rules` are those of the disputed match. What was scored in it its own log shows.
    """
    if reason in ("target", "ruling"):
        # It is over one hand, and nobody disputes it.
        return False
    if scored is None:
        return True
    if reason == "hands":
        return scored.points > 0
    return reason not in _WON_BY_NOBODY and scored.points == rules.gin_bonus


def adjusted_account(
    terms: MatchCreated, as_played: MatchEnded, broken_off: int | None, disputes: Sequence[Dispute]
) -> MatchEnded:
    """Return a match's account by all rulings that stand.

    `as_played` is the account as the match ended; `broken_off` the number of the hand that its end
    broke off, if it did. Nobody's points are checked here to be 0 or more.
    """
    voided = {each.hand: each for each in disputes if each.voids}
    points, hands_won = as_played.points, as_played.hands_won
    for each in voided.values():
        points, hands_won = _counted(points, hands_won, each.scored, -1)
        if each.standing is not None and each.standing.replay is not None:
            points, hands_won = _counted(points, hands_won, each.standing.replay.scored, 1)
    for each in disputes:
        # What was put right of a hand goes with it.
        if each.standing is not None and each.hand not in voided:
            more = each.standing.points
            points = BySeat(points[0] + more[0], points[1] + more[1])
    reason, winner = as_played.reason, as_played.winner
    losers = {each.standing.seat for each in disputes if each.standing is not None} - {None}
    if losers:
        reason, winner = "ruling", _only_other(losers)
    elif as_played.reason in _BY_POINTS:
        if points != as_played.points:
            reason, winner = _by_points(terms, as_played.reason, points)
    elif as_played.reason != "aborted" and broken_off is not None and broken_off in voided:
        # With the hand goes the end that came in it.
        reason, winner = _by_points(terms, "target", points)
    return end_match(terms.rules, reason, winner, points, hands_won)


def _counted(
    points: BySeat[int], hands_won: BySeat[int], hand: HandPoints | None, times: int
) -> tuple[BySeat[int], BySeat[int]]:
    """Return the account with a hand counted so many times more."""
    if hand is None:
        return points, hands_won
    seat = hand.winner
    return (
        points.put(seat, points[seat] + times * hand.points),
        hands_won.put(seat, hands_won[seat] + times),
    )


def _only_other(losers: set[Seat | None]) -> Seat | None:
    """Return who has won where these have lost; None where both have."""
    (loser, *more) = losers
    return None if more or loser is None else other(loser)


def _by_points(
    terms: MatchCreated, reason: EndReason, points: BySeat[int]
) -> tuple[EndReason, Seat | None]:
    """Return why and by whom a match is won that goes by its points."""
    leader: Seat | None = None if points[0] == points[1] else 0 if points[0] > points[1] else 1
    if reason == "target" and (terms.rules.hands is not None or max(points) < terms.rules.target):
        return "ruling", leader
    return reason, leader
