"""What a tournament's results add up to: on boards, in matches, at every moment."""

from collections.abc import Iterable
from math import inf
from typing import Literal

import pytest

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Bye, Pairing
from ginrummy.tournaments.event import evolve
from ginrummy.tournaments.event.events import (
    EntrantEntered,
    LotsDrawn,
    RegistrationClosed,
    ResultRecorded,
    ResultRuled,
    RoundPaired,
    SittingEnded,
    TestEnded,
    TournamentCreated,
    TournamentEvent,
    TournamentStarted,
)
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.event.summary import Encounter, standings_of, summary
from ginrummy.tournaments.event.terms import (
    Boards,
    Matches,
    Play,
    TournamentFormat,
    TournamentTerms,
)
from ginrummy.tournaments.lots import draw_lots
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.results import EndReason, Outcome
from ginrummy.tournaments.statistics.intervals import mean_by_board, mean_points, narrowing
from ginrummy.tournaments.statistics.pairs import Pair, tally
from ginrummy.tournaments.statistics.sprt import Sprt

NAME = "t_" + "0" * 26
SECRET = "5e" * 32


def after(tournament: Tournament | None, events: Iterable[TournamentEvent]) -> Tournament:
    """Return the tournament after some events."""
    for event in events:
        tournament = evolve(tournament, event, 0, NAME, "server")
    assert tournament is not None
    return tournament


def started(
    entrants: str, play: Play, event: TournamentFormat | None = None, sprt: Sprt | None = None
) -> Tournament:
    """Return a tournament of entrants with ids of one letter, the strongest first."""
    terms = TournamentTerms(name="Cup", format=event or RoundRobin(), play=play, sprt=sprt)
    entered = [
        EntrantEntered(each, each.upper(), "bot", seed, 1, "", "00" * 32, "server")
        for seed, each in enumerate(entrants, start=1)
    ]
    created = TournamentCreated(terms, "00" * 32, 100, "00" * 32)
    return after(None, [created, *entered, RegistrationClosed(), TournamentStarted("00" * 32)])


def paired(number: int, *tables: str, byes: str = "") -> RoundPaired:
    """Return a round of tables such as `ab`."""
    pairings = tuple(Pairing(number, table, *each) for table, each in enumerate(tables, start=1))
    return RoundPaired(number, pairings, tuple(Bye(number, each) for each in byes), ())


def halves(
    table: int, board: int, one: int, two: int, reason: EndReason = "played", number: int = 1
) -> tuple[SittingEnded, SittingEnded]:
    """Return a board's two hands: what the first named scored less the other, in either seat.

    In half 1 the one named first deals.
    """
    points = {1: one, 2: two}

    def ended(half: Literal[1, 2]) -> SittingEnded:
        scored = points[half]
        return SittingEnded(
            round=number,
            table=table,
            board=board,
            half=half,
            match=f"m_{table}.{board}.{half}",
            seq=9,
            hash="00" * 32,
            outcome="first" if scored > 0 else "second" if scored < 0 else "draw",
            reason=reason,
            points=BySeat(max(scored, 0), max(-scored, 0)),
            dealer="first" if half == 1 else "second",
        )

    return ended(1), ended(2)


def result(
    number: int, table: int, outcome: Outcome, reason: EndReason = "played"
) -> ResultRecorded:
    return ResultRecorded(number, table, outcome, reason, BySeat(0, 0))


def counts(met: Encounter) -> tuple[str, int, int, int]:
    return met.one + met.two, met.wins, met.draws, met.losses


# --- on boards ----------------------------------------------------------------------------------


def test_two_on_boards() -> None:
    """By hand: 10 and -4 are a pair of 6; -20 and -20 one of -40; 5 and -5 a drawn one."""
    tournament = after(
        started("ab", Boards(3)),
        [
            paired(1, "ab"),
            *halves(1, 1, 10, -4),
            *halves(1, 2, -20, -20),
            *halves(1, 3, 5, -5),
        ],
    )
    found = summary(tournament)
    pairs = [Pair(10, -4), Pair(-20, -20), Pair(5, -5)]
    (met,) = found.crosstable
    assert met == Encounter(
        one="a",
        two="b",
        wins=1,
        draws=1,
        losses=1,
        chance=1.0,
        boards=tally(pairs),
        points_a_board=mean_points(tally(pairs)),
    )
    assert met.points_a_board is not None
    assert met.points_a_board.value == pytest.approx(-34 / 3)
    a, b = found.entrant("a"), found.entrant("b")
    assert (a.boards, a.pairs_won, a.pairs_drawn, a.pairs_lost) == (3, 1, 1, 1)
    assert a.points_a_board is not None
    assert a.points_a_board.margin == pytest.approx(met.points_a_board.margin)
    assert a.points_a_board.value == met.points_a_board.value
    assert b.points_a_board is not None
    assert b.points_a_board.value == -met.points_a_board.value
    assert found.narrowing == narrowing(pairs)
    with pytest.raises(KeyError):
        found.entrant("c")


def test_a_meeting_is_told_from_the_better_seed_s_side() -> None:
    """Whoever was named first, and whoever dealt: b sat first and won both hands."""
    tournament = after(started("ab", Boards(1)), [paired(1, "ba"), *halves(1, 1, 30, 12)])
    found = summary(tournament)
    (met,) = found.crosstable
    assert counts(met) == ("ab", 0, 0, 1)
    assert met.boards == tally([Pair(as_dealer=-12, as_non_dealer=-30)])
    a, b = found.entrant("a"), found.entrant("b")
    assert a.rating is not None
    assert b.rating is not None
    assert a.rating.value == pytest.approx(-b.rating.value)
    assert a.rating.value < 0


def test_a_board_is_one_observation_however_many_play_it() -> None:
    """Three entrants, two boards: a plays each of them against both others."""
    scores = {1: ("ab", [(1, 8, 2), (2, -6, 1)]), 2: ("ac", [(1, 20, 4), (2, 3, 3)])}
    tournament = started("abc", Boards(2))
    tournament = after(
        tournament,
        [
            paired(1, "ab", "ac"),
            *(
                each
                for table, (_, played) in scores.items()
                for board, one, two in played
                for each in halves(table, board, one, two)
            ),
        ],
    )
    found = summary(tournament)
    board_1 = tally([Pair(8, 2), Pair(20, 4)])
    board_2 = tally([Pair(-6, 1), Pair(3, 3)])
    a = found.entrant("a")
    assert a.boards == 4
    assert a.points_a_board == mean_by_board([board_1, board_2])
    assert a.points_a_board is not None
    assert a.points_a_board.value == pytest.approx((10 + 24 - 5 + 6) / 4)
    assert [counts(each) for each in found.crosstable] == [("ab", 1, 0, 1), ("ac", 2, 0, 0)]
    assert sum(each.boards for each in found.entrants) == 2 * 4


def test_half_a_board_counts_for_nobody() -> None:
    """Nor does an aborted one; but both are sittings that ended, and are counted as such."""
    tournament = after(
        started("ab", Boards(3)),
        [
            paired(1, "ab"),
            *halves(1, 1, 10, 10),
            halves(1, 2, 40, 0)[0],
            *halves(1, 3, 0, 0, "aborted"),
        ],
    )
    found = summary(tournament)
    assert found.entrant("a").boards == 1
    assert found.sittings["played"] == 3
    assert found.sittings["aborted"] == 2
    assert sum(found.sittings.values()) == len(tournament.sittings) == 5
    assert found.narrowing is None
    points = found.entrant("a").points_a_board
    assert points is not None
    assert (points.value, points.low, points.high) == (20, -inf, inf)


def test_boards_that_were_forfeited_count() -> None:
    tournament = after(
        started("ab", Boards(1)), [paired(1, "ab"), *halves(1, 1, -50, -50, "crash")]
    )
    found = summary(tournament)
    assert found.entrant("b").pairs_won == 1
    assert found.sittings["crash"] == 2


def test_a_pair_that_meets_again_plays_other_boards() -> None:
    tournament = after(
        started("ab", Boards(1), RoundRobin(double=True)),
        [
            paired(1, "ab"),
            *halves(1, 1, 7, 7),
            result(1, 1, "first"),
            paired(2, "ba"),
            *halves(1, 2, 9, 9, number=2),
        ],
    )
    (met,) = summary(tournament).crosstable
    assert counts(met) == ("ab", 1, 0, 1)
    assert met.boards is not None
    assert met.boards.points == 14 - 18


def test_boards_of_a_pairing_that_was_ruled_void_count_for_nobody() -> None:
    played: list[TournamentEvent] = [paired(1, "ab"), *halves(1, 1, 10, 10), result(1, 1, "first")]
    tournament = after(started("ab", Boards(1)), played)
    assert summary(tournament).entrant("a").boards == 1
    void = ResultRuled(1, 1, "void", BySeat(0, 0), "the wrong program played", "")
    found = summary(after(tournament, [void]))
    assert found.entrant("a").boards == 0
    assert found.entrant("a").rating is None
    assert found.crosstable == ()
    assert found.sittings["played"] == 2
    # Any other ruling decides the match, and changes nothing of what was played.
    lost = ResultRuled(1, 1, "second", BySeat(0, 0), "a program of somebody else's", "")
    assert summary(after(tournament, [lost])).entrant("a").pairs_won == 1


# --- in matches ---------------------------------------------------------------------------------


def test_matches_are_counted_as_their_results_stand() -> None:
    """A ruling takes the place of what was recorded; void and lost by both are no encounter."""
    tournament = after(
        started("abcd", Matches()),
        [
            paired(1, "ab", "cd"),
            result(1, 1, "second"),
            result(1, 2, "neither", "no_show"),
            paired(2, "ca", "db"),
            result(2, 1, "draw"),
            result(2, 2, "void", "aborted"),
            ResultRuled(1, 1, "first", BySeat(100, 0), "b had an engine", ""),
        ],
    )
    found = summary(tournament)
    assert [counts(each) for each in found.crosstable] == [("ab", 1, 0, 0), ("ac", 0, 1, 0)]
    assert all(each.boards is None for each in found.crosstable)
    assert [each.entrant for each in found.entrants] == [
        row.entrant for row in found.standings.rows
    ]
    assert found.standings.reasons["no_show"] == 1
    assert found.standings.matches == sum(found.standings.reasons.values()) == 4
    assert found.entrant("d").rating is None
    ratings = {each: found.entrant(each).rating for each in "abc"}
    values = [rating.value for rating in ratings.values() if rating is not None]
    assert len(values) == 3
    a, b, _ = values
    assert a > b
    assert found.entrant("a").points_a_board is None
    assert found.narrowing is None


def test_the_crosstable_says_how_likely_so_uneven_a_count_is() -> None:
    rounds: list[TournamentEvent] = []
    for number in range(1, 6):
        rounds += [paired(number, "ab"), result(number, 1, "first")]
    (met,) = summary(after(started("ab", Matches()), rounds)).crosstable
    assert met.chance == 2 / 2**5


# --- at every moment ----------------------------------------------------------------------------


def test_before_anything_was_played_there_is_nothing_to_say() -> None:
    terms = TournamentTerms(name="Cup", format=RoundRobin(), play=Boards(10))
    created = TournamentCreated(terms, "00" * 32, 100, "00" * 32)
    found = summary(after(None, [created]))
    assert not found.entrants
    assert not found.crosstable
    assert not found.standings.rows
    found = summary(started("ab", Boards(10)))
    assert [each.rating for each in found.entrants] == [None, None]
    assert [each.points_a_board for each in found.entrants] == [None, None]
    assert (found.narrowing, found.test, found.placings) == (None, None, ())
    assert not any(found.sittings.values())


def test_lots_count_once_their_secret_is_out() -> None:
    tournament = after(started("ab", Matches()), [paired(1, "ab"), result(1, 1, "draw")])
    assert [row.place for row in standings_of(tournament).rows] == [1, 1]
    drawn = after(tournament, [LotsDrawn(SECRET)])
    rows = standings_of(drawn).rows
    assert [row.place for row in rows] == [1, 2]
    assert tuple(row.entrant for row in rows) == draw_lots(bytes.fromhex(SECRET), NAME, "ab")
    assert summary(drawn).standings.rows == rows


def test_the_test_s_course_goes_with_the_boards_in_their_order() -> None:
    test = Sprt(h0=0, h1=50)
    tournament = after(
        started("ab", Boards(50), sprt=test),
        [paired(1, "ab"), *halves(1, 1, 10, 10), *halves(1, 3, 10, 10)],
    )
    course = summary(tournament).test
    assert course is not None
    assert (course.test, course.status, course.counted.boards) == (test, "running", 1)
    over = after(tournament, [TestEnded("no_decision", 1, round(course.llr, 6))])
    ended = summary(over).test
    assert ended is not None
    assert (ended.status, ended.counted, ended.llr) == (
        "no_decision",
        course.counted,
        course.llr,
    )


def test_a_bracket_is_told_place_by_place_between_its_rounds() -> None:
    tournament = after(started("abcd", Matches(), Elimination()), [paired_bracket(1, "ad", "bc")])
    assert summary(tournament).placings == ()
    tournament = after(tournament, [result(1, 1, "first"), result(1, 2, "second")])
    assert summary(tournament).placings == (("a", "c"), ("b", "d"))


def paired_bracket(number: int, *tables: str) -> RoundPaired:
    """Return a first round of a bracket."""
    return RoundPaired(
        number,
        tuple(
            Pairing(number, table, each[0], each[1], f"W{number}.{table}")
            for table, each in enumerate(tables, start=1)
        ),
        (),
        (),
    )
