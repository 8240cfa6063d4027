"""What a director reads while a tournament is played, and how it keeps within a page."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal
from unittest.mock import patch

from support_tournaments import entrants

from ginrummy.cli.tournament.columns import Column, columns
from ginrummy.cli.tournament.progress import Ticker, progress_text
from ginrummy.cli.tournament.results import results_text
from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Pairing, Round
from ginrummy.tournaments.event import Boards, Entry, Tournament, TournamentTerms
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.summary import summary
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.v1.tournament_service_pb2 import TournamentProgress


def sitting(board: int, half: Literal[1, 2], points: tuple[int, int]) -> SittingEnded:
    return SittingEnded(
        round=1,
        table=1,
        board=board,
        half=half,
        match=f"m_{board}{half}",
        seq=9,
        hash="",
        outcome="first" if points[0] > points[1] else "second",
        reason="played",
        points=BySeat(*points),
        dealer="first" if half == 1 else "second",
    )


def playing(*sittings: SittingEnded) -> Tournament:
    """Return a tournament of two in its only round."""
    two = entrants(2)
    return Tournament(
        id="t_some",
        terms=TournamentTerms(name="Some", format=RoundRobin(), play=Boards(4)),
        director="p_d",
        commitment="",
        chain=4,
        lots="",
        created_at=0,
        stage="playing",
        entries=tuple(Entry(each, "bot", "simple", "", "server") for each in two),
        starters=frozenset(each.id for each in two),
        rounds=(Round(1, (Pairing(1, 1, "a", "b"),)),),
        sittings=sittings,
        round_sittings=sittings,
    )


BEGUN = playing(
    sitting(1, 1, (30, 0)),
    sitting(1, 2, (0, 10)),
    sitting(2, 1, (44, 0)),
    sitting(2, 2, (20, 0)),
)


class Terminal(io.StringIO):
    """A terminal of eighty columns, as far as a line that is redrawn needs one."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@contextmanager
def clock() -> Iterator[list[float]]:
    """Let the time stand, until the list's only number is changed."""
    now = [100.0]
    with patch("ginrummy.cli.tournament.progress.time.monotonic", lambda: now[0]):
        yield now


def test_the_line_says_how_far_it_has_come_who_leads_and_how_long_it_takes() -> None:
    pace = TournamentProgress(round=1, under_way=2, left_ms=125_000, at_most_ms=3_600_000)
    assert progress_text(BEGUN, summary(BEGUN), pace) == (
        "Round 1 of 1, 4/8 sittings, 2 under way, No. 1 +42.0±279.5 a board, 2m05s left, at most 1h"
    )


def test_before_there_is_a_pace_or_a_board_nothing_is_said_of_them() -> None:
    begun = playing()
    assert progress_text(begun, summary(begun)) == "Round 1 of 1, 0/8 sittings"


def test_a_terminal_has_one_line_that_is_redrawn_at_most_twice_a_second() -> None:
    out = Terminal()
    with clock() as now:
        ticker = Ticker(out)
        ticker.update(BEGUN)
        ticker.update(BEGUN)
        assert out.getvalue().count("\r") == 1
        now[0] += 0.6
        ticker.update(BEGUN)
        assert out.getvalue().count("\r") == 2
        assert "\n" not in out.getvalue()
        ticker.say("a word")
    assert out.getvalue().endswith("\r\x1b[Ka word\n")


def test_elsewhere_a_line_is_written_for_a_round_and_for_what_takes_its_time() -> None:
    out = io.StringIO()
    with clock() as now:
        ticker = Ticker(out)
        ticker.update(playing())
        ticker.update(BEGUN)
        assert out.getvalue() == "Round 1 of 1, 0/8 sittings\n"
        now[0] += 6
        ticker.update(BEGUN)
        ticker.update(BEGUN)
    line = progress_text(BEGUN, summary(BEGUN))
    # Where nothing is known of what can be written, only the plainest characters are.
    assert out.getvalue().splitlines()[1:] == [line.replace("±", "+-")]


def test_the_quiet_say_only_what_has_to_be_said() -> None:
    out = Terminal()
    ticker = Ticker(out, quiet=True)
    ticker.update(BEGUN)
    ticker.say("not this")
    ticker.say("this", always=True)
    assert out.getvalue() == "this\n"


def test_the_standings_while_it_is_played() -> None:
    assert results_text(BEGUN, summary(BEGUN)).splitlines()[:5] == [
        "Some: round 1, 1 table open",
        "",
        "   entrant  score  W-D-L  points a board     rating",
        "1  No. 1        0  0-0-0   +42.0 ± 279.5  +74 ± 169",
        "1  No. 2        0  0-0-0   -42.0 ± 279.5  -74 ± 169",
    ]


def test_names_give_way_where_a_page_is_too_narrow() -> None:
    names = ["A name that is longer than any name ought to be", "Ben"]
    table = [
        Column("", ["1", "2"]),
        Column("entrant", names, left=True, gives_way=True),
        Column("score", ["12", "8"]),
    ]
    assert columns(table, 24) == [
        "   entrant         score",
        "1  A name that i…     12",
        "2  Ben                 8",
    ]
    assert columns(table, 80)[1] == f"1  {names[0]}     12"
