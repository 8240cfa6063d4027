"""From a match that has ended to what it means for its pairing."""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from ginrummy.rules.cards import BySeat, Seat, other
from ginrummy.rules.events import EndReason as MatchEndReason
from ginrummy.rules.match import BOTH_SEATS, Ended
from ginrummy.tournaments.event.events import SittingAdjusted, SittingEnded
from ginrummy.tournaments.event.schedule import Sitting
from ginrummy.tournaments.event.terms import Boards, Play
from ginrummy.tournaments.results import EndReason, Outcome

__all__ = ["sitting_adjusted", "sitting_ended"]

_REASONS: Mapping[MatchEndReason, EndReason] = {
    "target": "played",
    "hands": "played",
    "hands_exhausted": "played",
    "resigned": "resigned",
    "clock": "time",
    "illegal_moves": "illegal_moves",
    "abandoned": "stall",
    "crash": "crash",
    "stall": "stall",
    "no_show": "no_show",
    "withdrawn": "withdrawn",
    "round_clock": "round_clock",
    "aborted": "aborted",
    "ruling": "ruling",
}


def sitting_ended(
    sitting: Sitting, play: Play, match: Ended, last: tuple[str, int, str], silent: Seat | None
) -> SittingEnded:
    """Return what is recorded of a sitting whose match has ended.

    `last` is the match's id with its last line's number and hash. `silent` is a seat at which
    nobody ever sat: if its time ran out, it has stalled.
    """
    reason = _REASONS[match.outcome.reason]
    winner = match.outcome.winner
    if reason == "stall" and match.last is None:
        return _record(sitting, _nobody(match, sitting), "no_show", match, last, BySeat(0, 0))
    if reason == "time" and winner is not None and silent == other(winner):
        reason = "stall"
    outcome = _outcome(sitting, winner, reason)
    points = match.outcome.points
    if isinstance(play, Boards) and reason != "played":
        award = play.forfeit_points if winner is not None and reason != "round_clock" else 0
        points = BySeat(award if winner == 0 else 0, award if winner == 1 else 0)
    return _record(sitting, outcome, reason, match, last, points)


def sitting_adjusted(
    sitting: Sitting, play: Play, match: Ended, last: tuple[str, int, str]
) -> SittingAdjusted:
    """Return what is recorded of a sitting on whose match a ruling was given.

    `match` is as it stands after the line with that number and hash, which says its result. Where
    a seat has forfeited it by the ruling, the other one scores what the terms give for that.
    """
    ended = sitting_ended(sitting, play, match, last, None)
    account = match.outcome
    if account != match.as_played:
        reason, losers = _REASONS[account.reason], _who_forfeits(match)
        outcome, points = _outcome(sitting, account.winner, reason), account.points
        if reason == "ruling" and account.winner is None:
            outcome = "neither" if losers else "draw"
        if isinstance(play, Boards) and losers:
            award = play.forfeit_points
            points = BySeat(award if losers == {1} else 0, award if losers == {0} else 0)
        if reason in ("played", "ruling"):
            # What else a ruling leaves as it was, is worth what it was.
            ended = replace(ended, outcome=outcome, reason=reason, points=sitting.by_seat(points))
    return SittingAdjusted(
        round=ended.round,
        table=ended.table,
        board=ended.board,
        half=ended.half,
        match=ended.match,
        seq=ended.seq,
        hash=ended.hash,
        outcome=ended.outcome,
        reason=ended.reason,
        points=ended.points,
    )


def _who_forfeits(match: Ended) -> set[Seat]:
    """Return the seats that lose the match by a ruling that stands."""
    standing = (each.standing for each in match.disputes)
    return {each.seat for each in standing if each is not None and each.seat is not None}


def _record(
    sitting: Sitting,
    outcome: Outcome,
    reason: EndReason,
    match: Ended,
    last: tuple[str, int, str],
    points: BySeat[int],
) -> SittingEnded:
    """Return the record, with the points by seat turned to the pairing's order."""
    round_, table, board, _ = sitting.key
    match_id, seq, hash_ = last
    return SittingEnded(
        round=round_,
        table=table,
        board=board,
        half=sitting.half,
        match=match_id,
        seq=seq,
        hash=hash_,
        outcome=outcome,
        reason=reason,
        points=sitting.by_seat(points),
        dealer=_dealer(sitting, match),
    )


def _outcome(sitting: Sitting, winner: Seat | None, reason: EndReason) -> Outcome:
    if reason == "aborted":
        return "void"
    if winner is None:
        return "draw" if reason in ("played", "round_clock") else "neither"
    return "first" if sitting.seats[winner] == sitting.pairing.first else "second"


def _nobody(match: Ended, sitting: Sitting) -> Outcome:
    """Return who has lost a match that never started: whoever did not come, or stayed silent."""
    missing = [
        sitting.seats[seat]
        for seat in BOTH_SEATS
        if (seated := match.seats[seat]) is None or seated.nonce is None
    ]
    if len(missing) != 1:
        return "neither"
    return "second" if missing[0] == sitting.pairing.first else "first"


def _dealer(sitting: Sitting, match: Ended) -> Literal["first", "second"] | None:
    if not sitting.board or match.last is None:
        return None
    dealer = sitting.seats[match.last.layout.dealt.dealer]
    return "first" if dealer == sitting.pairing.first else "second"
