"""Standings as messages, with what the statistics have to say beside them."""

from ginrummy.api.tournament_terms_messages import sprt_text
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.event.summary import EntrantSummary, Summary
from ginrummy.tournaments.standings import Standing
from ginrummy.tournaments.statistics.intervals import Estimate
from ginrummy.tournaments.statistics.sprt import Course
from ginrummy.v1 import tournament_pb2 as pb
from ginrummy.v1 import tournament_service_pb2 as calls

__all__ = ["standings_message"]


def standings_message(
    tournament: Tournament, results: Summary, *, seq: int, head_hash: str
) -> calls.GetStandingsResponse:
    """Return the standings as of event `seq`, with what the statistics have to say."""
    names = {each.id: each.entrant.name for each in tournament.entries}
    message = calls.GetStandingsResponse(
        standings=[
            _standing(row, names[row.entrant], own)
            for row, own in zip(results.standings.rows, results.entrants, strict=True)
        ],
        seq=seq,
        hash=head_hash,
    )
    if results.test is not None:
        message.test.CopyFrom(_test(results.test))
    return message


def _standing(row: Standing, name: str, own: EntrantSummary) -> pb.Standing:
    message = pb.Standing(
        place=row.place,
        player_id=row.entrant,
        name=name,
        score=row.score,
        matches=row.matches,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        byes=row.byes,
        forfeits=row.forfeits,
        points=row.points,
        points_against=row.points_against,
        tie_breaks=[pb.TieBreakValue(value=value) for value in row.tie_breaks],
    )
    if own.points_a_board is not None:
        message.points_a_board.CopyFrom(_interval(own.points_a_board))
    if own.rating is not None:
        message.rating.CopyFrom(_interval(own.rating))
    return message


def _interval(estimate: Estimate) -> pb.Interval:
    return pb.Interval(value=estimate.value, low=estimate.low, high=estimate.high)


def _test(course: Course) -> pb.SequentialTest:
    return pb.SequentialTest(
        sprt=sprt_text(course.test),
        status=course.status,
        boards=course.counted.boards,
        llr=course.llr,
        lower=course.test.lower,
        upper=course.test.upper,
    )
