"""Tournaments to messages and back: every choice there is, and every one that cannot be."""

from math import inf
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from ginrummy.api.errors import answer_to
from ginrummy.api.standings_messages import standings_message
from ginrummy.api.tournament_messages import (
    OUTCOMES,
    REASONS,
    STAGES,
    kind_from,
    list_message,
    news_message,
    outcome_from,
    points_from,
    progress_message,
    tournament_message,
    tournament_stage_from,
)
from ginrummy.api.tournament_terms_messages import (
    sprt_text,
    tournament_terms_from,
    tournament_terms_message,
)
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import Limits, TimeControl
from ginrummy.rules.ruleset import PRESETS, Ruleset
from ginrummy.tournaments.entrants import Absence, Bye, Entrant, Pairing, Round
from ginrummy.tournaments.event.events import EntrantKind, SittingEnded, TestEnded
from ginrummy.tournaments.event.states import Entry, Stage, Tournament
from ginrummy.tournaments.event.summary import summary
from ginrummy.tournaments.event.terms import Boards, Elsewhere, Matches, TournamentTerms
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import END_REASONS, Outcome, Result
from ginrummy.tournaments.running.attendance import Call
from ginrummy.tournaments.running.news import NonceDue, Over
from ginrummy.tournaments.running.pace import Progress
from ginrummy.tournaments.scoring import Scoring
from ginrummy.tournaments.standings import Terms
from ginrummy.tournaments.statistics.sprt import Course, Sprt, parse_sprt
from ginrummy.tournaments.tie_breaks import TIE_BREAKS, TieBreak
from ginrummy.v1 import ruleset_pb2 as rules
from ginrummy.v1 import tournament_pb2 as pb
from ginrummy.v1 import tournament_service_pb2 as calls

THREE = Scoring(win=3, draw=1, loss=0, bye=1)

TERMS = [
    TournamentTerms(name="Cup", format=RoundRobin(), play=Matches()),
    TournamentTerms(
        name="Cup",
        format=RoundRobin(double=True),
        play=Boards(20),
        clock=TimeControl(None, 0, 1000),
        limits=Limits(illegal_moves=3),
        sprt=Sprt(h0=-1.5, h1=20, alpha=0.01),
        open_entry=False,
        check_in=True,
        tables=4,
        round_ms=60_000,
        reconnect_ms=0,
        arrival_ms=1,
    ),
    TournamentTerms(name="♥", format=Gauntlet(3, double=True), play=Boards(1, 0)),
    TournamentTerms(
        name="Cup",
        format=Swiss(5, THREE),
        play=Matches(),
        rules=PRESETS["classic"],
        standings=Terms(THREE, ("lot", "buchholz")),
    ),
    TournamentTerms(name="Cup", format=Elimination(double=True, play_offs=0), play=Matches()),
    TournamentTerms(name="Cup", format=Elimination(), play=Boards(2)),
    TournamentTerms(
        name="Cup", format=Manual(), play=Elsewhere(), rules=Ruleset(hands=3, run_max=None)
    ),
]


@pytest.mark.parametrize("terms", TERMS, ids=lambda terms: type(terms.format).__name__)
def test_terms_come_back_as_they_went(terms: TournamentTerms) -> None:
    message = tournament_terms_message(terms)
    assert tournament_terms_from(message) == terms
    raw = pb.TournamentTerms.FromString(message.SerializeToString())
    assert tournament_terms_from(raw) == terms


def test_what_is_not_said_is_the_usual() -> None:
    asked = pb.TournamentTerms(
        name="Cup", gauntlet=pb.Gauntlet(), boards=pb.Boards(boards=8), preset="eaai"
    )
    assert tournament_terms_from(asked) == TournamentTerms(
        name="Cup", format=Gauntlet(1), play=Boards(8, 50), rules=PRESETS["eaai"]
    )
    asked = pb.TournamentTerms(
        name="Cup", elimination=pb.Elimination(), matches=pb.Matches(), sprt=""
    )
    assert tournament_terms_from(asked).format == Elimination(play_offs=5)


def test_a_swiss_event_is_paired_by_the_scoring_of_its_standings() -> None:
    asked = pb.TournamentTerms(
        name="Cup",
        swiss=pb.Swiss(rounds=3),
        matches=pb.Matches(),
        scoring=pb.Scoring(win=3, draw=1, loss=0, bye=1),
    )
    assert tournament_terms_from(asked).format == Swiss(3, THREE)


@pytest.mark.parametrize(
    "text", ["elo0=0,elo1=20", "points0=-1.5,points1=5,alpha=0.01", "nelo0=0,nelo1=3.25,beta=0.1"]
)
def test_a_sequential_test_is_written_as_it_is_read(text: str) -> None:
    test = parse_sprt(text)
    assert sprt_text(test).split(",")[:2] == text.split(",")[:2]
    assert parse_sprt(sprt_text(test)) == test


def asked(**fields: Any) -> pb.TournamentTerms:  # noqa: ANN401 -- whatever terms there are
    """Return terms that could be, but for some fields."""
    usual: dict[str, Any] = {"name": "Cup"}
    if not fields.keys() & {"swiss", "gauntlet", "elimination", "manual"}:
        usual["round_robin"] = pb.RoundRobin()
    if not fields.keys() & {"boards", "elsewhere"}:
        usual["matches"] = pb.Matches()
    return pb.TournamentTerms(**(usual | fields))


CANNOT_BE = [
    ("terms.name", asked(name="")),
    ("terms.name", asked(name=" ")),
    ("terms.name", asked(name="A" * 101)),
    ("terms.name", asked(name="A\x1b[2J")),
    ("terms.format", pb.TournamentTerms(name="Cup", matches=pb.Matches())),
    ("terms.play", pb.TournamentTerms(name="Cup", manual=pb.ManualPairing())),
    ("terms.gauntlet.challengers", asked(gauntlet=pb.Gauntlet(challengers=-1))),
    ("terms.swiss.rounds", asked(swiss=pb.Swiss())),
    ("terms.swiss.rounds", asked(swiss=pb.Swiss(rounds=-3))),
    ("terms.elimination.play_offs", asked(elimination=pb.Elimination(play_offs=-1))),
    ("terms.elimination.play_offs", asked(elimination=pb.Elimination(play_offs=1 << 30))),
    ("terms.boards.boards", asked(boards=pb.Boards())),
    ("terms.boards.boards", asked(boards=pb.Boards(boards=-1))),
    ("terms.boards.boards", asked(boards=pb.Boards(boards=1 << 30))),
    ("terms.boards.boards", asked(boards=pb.Boards(boards=9999), swiss=pb.Swiss(rounds=999))),
    ("terms.boards.forfeit_points", asked(boards=pb.Boards(boards=1, forfeit_points=-1))),
    ("terms.preset", asked(preset="bridge")),
    ("terms.rules.target", asked(rules=rules.Ruleset(target=0))),
    ("terms.rules.hands", asked(boards=pb.Boards(boards=1), rules=rules.Ruleset(hands=2))),
    (
        "terms.rules.spades_double",
        asked(boards=pb.Boards(boards=1), rules=rules.Ruleset(spades_double=True)),
    ),
    ("terms.clock.bank_ms", asked(clock=rules.TimeControl(bank_ms=0))),
    ("terms.limits.idle_ms", asked(limits=rules.Limits(idle_ms=-1))),
    ("terms.scoring.win", asked(scoring=pb.Scoring())),
    ("terms.scoring.win", asked(scoring=pb.Scoring(win=1 << 30))),
    ("terms.scoring", asked(scoring=pb.Scoring(win=1, draw=1))),
    ("terms.scoring", asked(scoring=pb.Scoring(win=2, bye=3))),
    ("terms.tie_breaks[1]", asked(tie_breaks=[pb.TIE_BREAK_LOT, pb.TIE_BREAK_UNSPECIFIED])),
    ("terms.tie_breaks[0]", asked(tie_breaks=[77])),
    ("terms.tie_breaks", asked(tie_breaks=[pb.TIE_BREAK_LOT, pb.TIE_BREAK_LOT])),
    ("terms.sprt", asked(boards=pb.Boards(boards=1), sprt="elo0=0")),
    ("terms.sprt", asked(boards=pb.Boards(boards=1), sprt="elo0=20,elo1=0")),
    ("terms.sprt", asked(sprt="elo0=0,elo1=20")),
    ("terms.tables", asked(tables=-1)),
    ("terms.round_ms", asked(round_ms=-1)),
    ("terms.reconnect_ms", asked(reconnect_ms=-1)),
    ("terms.arrival_ms", asked(arrival_ms=0)),
]


@pytest.mark.parametrize(("field", "terms"), CANNOT_BE, ids=lambda value: str(value)[:40])
def test_terms_that_cannot_be_are_refused_by_their_field(
    field: str, terms: pb.TournamentTerms
) -> None:
    with pytest.raises(Exception) as refused:  # noqa: PT011 -- of several kinds
        tournament_terms_from(terms)
    answer = answer_to(refused.value)
    assert answer.field == field
    assert answer.code.name == "INVALID_ARGUMENT"
    assert len(answer.message) > 10


def test_every_value_has_a_message_and_comes_back() -> None:
    assert set(STAGES) == set(get_args(Stage))
    assert set(OUTCOMES) == set(get_args(Outcome))
    assert tuple(REASONS) == END_REASONS
    assert [tournament_stage_from(value) for value in STAGES.values()] == list(STAGES)
    assert [outcome_from(value) for value in OUTCOMES.values()] == list(OUTCOMES)
    kinds = [kind_from(value) for value in pb.EntrantKind.values()]
    assert kinds == ["bot", "bot", "person"]
    assert set(kinds) == set(get_args(EntrantKind))
    assert set(get_args(TieBreak)) == set(TIE_BREAKS)
    every = replace(TERMS[0], standings=Terms(tie_breaks=TIE_BREAKS))
    assert len(set(tournament_terms_message(every).tie_breaks)) == len(TIE_BREAKS)
    assert tournament_stage_from(pb.TOURNAMENT_STAGE_UNSPECIFIED) is None
    assert points_from([]) is None
    assert points_from([0, 120]) == BySeat(0, 120)


# --- a tournament -------------------------------------------------------------------------------


def entry(name: str, seed: int, **more: Any) -> Entry:  # noqa: ANN401 -- an entry's fields
    return Entry(Entrant(name, name.upper(), seed), "bot", "", "00" * 32, "player", **more)


def sitting(round_number: int, table: int, match: str, board: int = 0) -> SittingEnded:
    return SittingEnded(
        round_number,
        table,
        board,
        1 if board else 0,
        match,
        9 if match else 0,
        "00" * 32 if match else "",
        "first",
        "played",
        BySeat(3, 1),
        "first" if board else None,
    )


ONE, TWO = Pairing(1, 1, "a", "b"), Pairing(2, 1, "b", "a", "W2.1", dealt_by_lot=True)

TOURNAMENT = Tournament(
    id="t_" + "0" * 26,
    terms=TERMS[0],
    director="dee",
    commitment="11" * 32,
    chain=1,
    lots="22" * 32,
    created_at=1_500_000,
    stage="playing",
    paused=True,
    entries=(entry("b", 2), entry("a", 1, checked_in=True), entry("c", 3, left="removed")),
    mix="33" * 32,
    starters=frozenset("abc"),
    rounds=(
        Round(1, (ONE,), (Bye(1, "c"),)),
        Round(2, (TWO,), absences=(Absence(2, "c", "W2.2"),)),
    ),
    sittings=(sitting(1, 1, "m_1"), sitting(2, 1, "m_2")),
    round_sittings=(sitting(1, 1, "m_1"), sitting(2, 1, "m_2")),
    records=(Result(ONE, "first", "played", BySeat(3, 1)), Bye(1, "c")),
)


def told(tournament: Tournament) -> pb.Tournament:
    return tournament_message(
        tournament, seq=12, head_hash="44" * 32, is_there=lambda entrant: entrant == "b"
    )


def test_a_tournament_is_told_with_all_that_there_is() -> None:
    message = told(TOURNAMENT)
    assert message == pb.Tournament(
        id=TOURNAMENT.id,
        terms=tournament_terms_message(TERMS[0]),
        stage=pb.TOURNAMENT_STAGE_PLAYING,
        paused=True,
        entrants=[
            pb.TournamentEntrant(
                player_id="a",
                name="A",
                kind=pb.ENTRANT_KIND_BOT,
                seed=1,
                entered=1,
                present=True,
                checked_in=True,
            ),
            pb.TournamentEntrant(
                player_id="b",
                name="B",
                kind=pb.ENTRANT_KIND_BOT,
                seed=2,
                entered=1,
                present=True,
                attending=True,
            ),
            pb.TournamentEntrant(
                player_id="c", name="C", kind=pb.ENTRANT_KIND_BOT, seed=3, entered=1
            ),
        ],
        rounds=[
            pb.TournamentRound(
                number=1,
                pairings=[
                    pb.TournamentPairing(
                        round=1,
                        table=1,
                        first="a",
                        second="b",
                        outcome=pb.OUTCOME_FIRST,
                        reason=pb.RESULT_REASON_PLAYED,
                        points=[3, 1],
                        match_ids=["m_1"],
                    )
                ],
                byes=["c"],
            ),
            pb.TournamentRound(
                number=2,
                pairings=[
                    pb.TournamentPairing(
                        round=2,
                        table=1,
                        first="b",
                        second="a",
                        label="W2.1",
                        dealt_by_lot=True,
                        match_ids=["m_2"],
                    )
                ],
                absent=["c"],
            ),
        ],
        commitment="11" * 32,
        lots_commitment="22" * 32,
        mix="33" * 32,
        created_at=message.created_at,
        seq=12,
        head_hash="44" * 32,
        sittings_over=1,
        sittings=1,
    )
    assert message.created_at.ToMicroseconds() == 1_500_000


def test_on_boards_a_tournament_names_no_match() -> None:
    """There may be a hundred thousand of them, and a message has an end."""
    sittings = (sitting(2, 1, "m_1", 1), sitting(2, 1, "m_2", 2))
    boards = replace(TOURNAMENT, terms=TERMS[1], sittings=sittings, round_sittings=sittings)
    message = told(boards)
    assert (message.sittings_over, message.sittings) == (2, 40)
    assert not any(one.match_ids for each in message.rounds for one in each.pairings)


def test_where_nothing_is_played_here_there_are_no_sittings() -> None:
    elsewhere = replace(TOURNAMENT, terms=TERMS[-1], sittings=(), round_sittings=())
    assert told(elsewhere).sittings == 0
    assert told(replace(TOURNAMENT, rounds=(), records=(), sittings=())).sittings == 0


def test_why_a_tournament_ended() -> None:
    ended = replace(TOURNAMENT, stage="ended", end_reason="too_few")
    assert told(ended).end_reason == "too_few"


def test_a_list_counts_those_who_are_there() -> None:
    message = list_message(TOURNAMENT)
    assert (message.id, message.name) == (TOURNAMENT.id, "Cup")
    assert (message.entrants, message.rounds) == (2, 2)
    assert message.stage == pb.TOURNAMENT_STAGE_PLAYING
    assert message.created_at.ToMicroseconds() == 1_500_000


# --- standings and news -------------------------------------------------------------------------


def test_standings_are_told_in_their_order() -> None:
    message = standings_message(TOURNAMENT, summary(TOURNAMENT), seq=7, head_hash="55" * 32)
    assert (message.seq, message.hash) == (7, "55" * 32)
    assert [(row.place, row.player_id, row.name) for row in message.standings] == [
        (1, "c", "C"),
        (2, "a", "A"),
        (3, "b", "B"),
    ]
    c, a, b = message.standings
    assert (a.score, a.matches, a.wins, a.points, a.points_against) == (2, 1, 1, 3, 1)
    assert (c.score, c.byes, c.matches) == (2, 1, 0)
    assert (b.losses, b.forfeits) == (1, 0)
    assert [value.HasField("value") for value in b.tie_breaks] == [False] * len(TIE_BREAKS)
    assert [value.HasField("value") for value in a.tie_breaks] != [False] * len(TIE_BREAKS)
    assert a.rating.low < a.rating.value < a.rating.high
    assert not c.HasField("rating")
    assert not a.HasField("points_a_board")
    assert not message.HasField("test")


def test_one_board_says_nothing_of_its_spread() -> None:
    halves = (
        sitting(1, 1, "m_1", 1),
        replace(sitting(1, 1, "m_2", 1), half=2, dealer="second"),
    )
    assert TERMS[1].sprt is not None
    course = Course(TERMS[1].sprt)
    boards = replace(
        TOURNAMENT,
        terms=TERMS[1],
        sittings=halves,
        course=course,
        test=TestEnded("no_decision", 0, 0.0),
    )
    message = standings_message(boards, summary(boards), seq=7, head_hash="55" * 32)
    points = message.standings[1].points_a_board
    assert message.standings[1].player_id == "a"
    assert (points.value, points.low, points.high) == (4, -inf, inf)
    assert message.test == pb.SequentialTest(
        sprt="elo0=-1.5,elo1=20,alpha=0.01,beta=0.05",
        status="no_decision",
        boards=0,
        llr=0.0,
        lower=course.test.lower,
        upper=course.test.upper,
    )


def test_news_of_every_kind() -> None:
    call = news_message(Call("m_1", 1, 2, 3, 4, "Ann"))
    assert call.call == calls.TableCall(
        match_id="m_1", seat=1, round=2, table=3, board=4, opponent="Ann"
    )
    assert news_message(NonceDue()).WhichOneof("news") == "nonce_due"
    assert news_message(Over("decided")).over.reason == "decided"


def test_what_is_not_known_of_the_pace_is_not_said() -> None:
    message = progress_message(Progress(1, 2, 10, 3, None, None))
    assert (message.round, message.sittings_over, message.sittings) == (1, 2, 10)
    assert message.under_way == 3
    assert not message.HasField("left_ms")
    assert not message.HasField("at_most_ms")
    message = progress_message(Progress(1, 10, 10, 0, 0, 0))
    assert message.HasField("left_ms")
    assert message.HasField("at_most_ms")
