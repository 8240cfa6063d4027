"""A tournament told to programs: one JSON object a line."""

from typing import Any

import click
import msgspec

from ginrummy.api.tournament_terms_messages import sprt_text
from ginrummy.log.instants import write_instant
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.event.summary import EntrantSummary, Summary
from ginrummy.tournaments.standings import Standing
from ginrummy.tournaments.statistics.intervals import Estimate

__all__ = ["event_told", "say", "standings_told"]

_TOLD = (
    "round_paired",
    "sitting_ended",
    "sitting_adjusted",
    "result_recorded",
    "result_ruled",
    "test_ended",
)
"""What a program that watches a run is told; the log has the rest."""


def say(told: dict[str, Any]) -> None:
    """Print one object as one line."""
    click.echo(msgspec.json.encode(told))


def event_told(line: TournamentLine) -> dict[str, Any] | None:
    """Return an event as it is told; None for one that is not."""
    if line.type not in _TOLD:
        return None
    data = msgspec.to_builtins(line.event)
    return {"seq": line.seq, "type": line.type, "at": write_instant(line.at), "data": data}


def standings_told(
    tournament: Tournament, results: Summary, *, seq: int, head_hash: str
) -> dict[str, Any]:
    """Return the standings as of an event, with all that the statistics say."""
    names = {each.id: each.entrant.name for each in tournament.entries}
    test = results.test
    return {
        "type": "standings",
        "tournament": tournament.id,
        "name": tournament.terms.name,
        "seq": seq,
        "hash": head_hash,
        "stage": tournament.stage,
        "end_reason": tournament.end_reason,
        "rounds": len(tournament.rounds),
        "standings": [
            _standing(tournament, row, names[row.entrant], results.entrant(row.entrant))
            for row in results.standings.rows
        ],
        "placings": results.placings,
        "crosstable": [
            {
                "one": each.one,
                "two": each.two,
                "wins": each.wins,
                "draws": each.draws,
                "losses": each.losses,
                "chance": each.chance,
                "points_a_board": _estimate(each.points_a_board),
            }
            for each in results.crosstable
        ],
        "results": _counted(results.standings.reasons),
        "sittings": _counted(results.sittings),
        "width_ratio": _estimate(results.narrowing.width_ratio if results.narrowing else None),
        "test": None
        if test is None
        else {
            "sprt": sprt_text(test.test),
            "status": test.status,
            "boards": test.counted.boards,
            "llr": test.llr,
            "lower": test.test.lower,
            "upper": test.test.upper,
        },
    }


def _standing(
    tournament: Tournament, row: Standing, name: str, own: EntrantSummary
) -> dict[str, Any]:
    told = msgspec.structs.asdict(row)
    told["tie_breaks"] = dict(
        zip(tournament.terms.standings.tie_breaks, row.tie_breaks, strict=True)
    )
    return {
        **told,
        "name": name,
        "boards": own.boards,
        "points_a_board": _estimate(own.points_a_board),
        "rating": _estimate(own.rating),
    }


def _estimate(estimate: Estimate | None) -> dict[str, float] | None:
    """Return a figure with its bounds; a bound that is infinite is null on the line."""
    return None if estimate is None else msgspec.structs.asdict(estimate)


def _counted(reasons: dict[Any, int]) -> dict[str, int]:
    return {reason: count for reason, count in reasons.items() if count}
