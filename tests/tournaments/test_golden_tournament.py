"""A tournament that a server has run once means for ever what it meant (D5).

`golden/tournament/` holds its stream and those of its matches: four programs, two duplicate boards,
with a seeding, a pause, a ruling, one that resigned whenever it was to move and one that left.
"""

from collections.abc import Iterable

from support_golden import GOLDEN
from support_tournament_events import folded

from ginrummy.audit.audit import audit
from ginrummy.log.lines import line_hash
from ginrummy.tournaments.checking import check
from ginrummy.tournaments.event.summary import summary

TOURNAMENT = "t_p8z2qxn64nn3vsqjmhv1gv11a1"
HEAD = "0e84c62db85f71b76d397111de984ebb48681230c4bd8a77f24cc8bc6842cda1"

STANDINGS = [
    ("Cleo", 1, 5, (2, 1, 0), 0, (225, 10)),
    ("Ann", 2, 4, (2, 0, 1), 0, (235, 35)),
    ("Dan", 3, 2, (1, 0, 2), 1, (210, 25)),
    ("Bo", 4, 1, (0, 1, 2), 0, (0, 600)),
]
"""Name, place, score; matches won, drawn and lost; own forfeits; points for and against."""


def log_of(stream: str) -> list[bytes]:
    """Return a stream's stored lines."""
    return (GOLDEN / "tournament" / f"{stream}.log").read_bytes().splitlines()


def match_log(match: str) -> Iterable[bytes] | None:
    """Return a match's stored lines, or None where there is no such match."""
    return log_of(match) if (GOLDEN / "tournament" / f"{match}.log").exists() else None


def test_its_lines_fold_to_the_standings_that_they_had() -> None:
    lines = log_of(TOURNAMENT)
    assert line_hash(lines[-1]) == HEAD
    tournament = folded(lines)
    found = summary(tournament)
    names = {each.id: each.entrant.name for each in tournament.entries}
    assert [
        (
            names[row.entrant],
            row.place,
            row.score,
            (row.wins, row.draws, row.losses),
            row.forfeits,
            (row.points, row.points_against),
        )
        for row in found.standings.rows
    ] == STANDINGS
    reasons = {reason: number for reason, number in found.standings.reasons.items() if number}
    assert reasons == {"played": 4, "withdrawn": 1, "ruling": 1}
    sittings = {reason: number for reason, number in found.sittings.items() if number}
    assert sittings == {"played": 8, "resigned": 12, "withdrawn": 2}
    assert (tournament.end_reason, tournament.revealed) == ("complete", 2)


def test_nothing_is_found_in_it_nor_in_its_matches() -> None:
    report = check(log_of(TOURNAMENT), match_log)
    assert not report.faults
    assert report.matches_read == report.sittings == 22
    for path in (GOLDEN / "tournament").glob("m_*.log"):
        assert not audit(path.read_bytes().splitlines()).faults, path.name
