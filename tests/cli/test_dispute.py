"""gin dispute open, appeal, rule, list and show: with nothing but the database."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support_court import CENTURY, Court, gin
from support_disputes import JUDGE, SECOND_JUDGE
from support_logs import played

from ginrummy.cli.dispute.looking import _table
from ginrummy.cli.dispute.place import Where
from ginrummy.cli.dispute.sheet import write_sheet
from ginrummy.log.lines import read_line
from ginrummy.rules.disputes.events import DisputeOpened


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return Court(tmp_path / "club.db")


def types_after_the_end(court: Court) -> list[str]:
    types = [read_line(raw).type for raw in court.lines()]
    return types[types.index("match_ended") + 1 :]


def is_clean(court: Court) -> bool:
    return gin("audit", court.match, "--db", court.db).exit_code == 0


# --- what is claimed ------------------------------------------------------------------------------


def test_a_player_disputes_a_hand_and_is_told_how_it_stands(court: Court) -> None:
    told = court.opened("Bob", reason="card_not_in_deck", text="Two sevens.")
    event = read_line(court.lines()[-1]).event
    assert isinstance(event, DisputeOpened)
    assert (told["match"], told["dispute"], told["status"]) == (court.match, 1, "open")
    assert (told["seat"], told["player"], told["name"]) == (1, court.table.players[1], "Bob")
    assert (told["hand"], told["event"], told["reason"]) == (1, event.event, "card_not_in_deck")
    assert (told["text"], told["rulings"], told["appeal"]) == ("Two sevens.", [], None)
    assert told["result"] == told["as_played"]
    assert told["opened"] == json.loads(court.lines()[-1])["at"]


@pytest.mark.parametrize("player", ["1", "Bob", "bob", "id"])
def test_a_player_is_named_by_seat_name_or_id(court: Court, player: str) -> None:
    told = court.opened(court.table.players[1] if player == "id" else player)
    assert told["player"] == court.table.players[1]


def test_without_a_hand_it_is_the_one_of_the_event_or_the_match(court: Court) -> None:
    of_hand = court.opened(hand=None, event=7)
    assert (of_hand["hand"], of_hand["event"]) == (1, 7)
    of_all = court.opened(hand=None, reason="conduct")
    assert (of_all["dispute"], of_all["hand"]) == (2, None)


# --- what is ruled --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruling", "more", "follows"),
    [
        ("dismiss", (), []),
        ("uphold", (), []),
        ("adjust", ("--points", "Alice=+3"), ["result_adjusted"]),
        ("adjust", ("--points", "0=3", "--points", "1=+4"), ["result_adjusted"]),
        ("void", (), ["result_adjusted"]),
        ("replay", (), ["result_adjusted"]),
        ("forfeit", ("--loser", "Alice"), ["result_adjusted"]),
    ],
)
def test_every_ruling_is_an_event_and_what_follows_another(
    court: Court, ruling: str, more: tuple[str, ...], follows: list[str]
) -> None:
    court.opened()
    told = court.ruled(ruling, *more)
    assert types_after_the_end(court)[-2 - len(follows) :] == [
        "dispute_opened",
        "dispute_ruled",
        *follows,
    ]
    (given,) = told["rulings"]
    assert (given["ruling"], given["rule"], given["why"]) == (ruling, "S1", "The log says so.")
    assert (given["director"], given["name"], given["instance"]) == (JUDGE, "Dee", 1)
    assert (told["status"], told["appeal_until"] is not None) == ("ruled", True)
    assert (told["result"] != told["as_played"]) == bool(follows)
    assert is_clean(court)


def test_points_are_added_and_taken_off(court: Court) -> None:
    court.opened()
    told = court.ruled("adjust", "--points", "Alice=-3", "--points", "1=+4")
    before, after = told["as_played"]["points"], told["result"]["points"]
    assert (after[0] - before[0], after[1] - before[1]) == (-3, 4)
    assert told["rulings"][0]["points"] == [-3, 4]


def test_who_forfeits_has_lost(court: Court) -> None:
    court.opened()
    winner = court.ruled("forfeit", "--loser", "bob")
    assert (winner["result"]["winner"], winner["result"]["reason"]) == (0, "ruling")


def test_a_hand_that_is_to_be_played_again_has_its_match(court: Court) -> None:
    court.opened()
    told = court.ruled("replay")
    (given,) = told["rulings"]
    rows = [
        json.loads(line) for line in gin("matches", "--db", court.db, "--json").stdout.splitlines()
    ]
    assert {(row["id"], row["replay_of"]) for row in rows} == {
        (given["replay"], court.match),
        (court.match, ""),
    }
    shown = court.asked("show", court.match, 1).stdout
    assert f"    gin play --match {given['replay']}\n" in shown
    assert "may appeal until" in shown


def test_r9_on_appeal_a_second_director_rules_and_that_is_final(court: Court) -> None:
    """R9"""
    court.opened()
    court.ruled("forfeit", "--loser", "Alice")
    told = court.appealed("Alice")
    assert (told["status"], told["appeal"]["name"]) == ("appealed", "Alice")
    again = court.asked(
        *("rule", court.match, 1, "uphold", "--rule", "S1", "--why", "So.", "--director", "Dee")
    )
    assert (again.exit_code, again.stdout) == (2, "")
    assert "another director" in again.stderr
    told = court.ruled("dismiss", by="Dan")
    assert told["status"] == "closed"
    assert [each["director"] for each in told["rulings"]] == [JUDGE, SECOND_JUDGE]
    assert told["result"] == told["as_played"]
    assert is_clean(court)


def test_r5_nobody_rules_on_a_match_of_their_own(court: Court) -> None:
    """R5, under the id of the player, and under another of the same name."""
    court.opened()
    before = court.lines()
    because = ("--rule", "S1", "--why", "So.", "--director")
    court.let_in(court.table.players[0], "Alice as a judge", "director")
    own = court.asked("rule", court.match, 1, "dismiss", *because, "Alice as a judge")
    assert (own.exit_code, "match of their own" in own.stderr) == (2, True)
    namesake = "p_" + "3" * 26
    court.let_in(namesake, "Bob", "director")
    same = court.asked("rule", court.match, 1, "dismiss", *because, "Bob")
    assert (same.exit_code, f"by id, {namesake}" in " ".join(same.stderr.split())) == (2, True)
    assert court.lines() == before
    other = court.asked("rule", court.match, 1, "dismiss", *because, namesake)
    assert other.exit_code == 0


RULE = ("rule", "MATCH", 1, "dismiss", "--rule", "S1", "--why", "So.")
OPEN = ("open", "MATCH", "--text", "So.", "--player", "Alice")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((*OPEN, "--reason", "score_wrong", "--hand", 1), "for the same reason: dispute 1 (R4)"),
        ((*OPEN, "--reason", "other", "--hand", 9), "no such hand"),
        ((*OPEN, "--reason", "other", "--hand", 1, "--event", 2), "is not of hand 1"),
        ((*OPEN, "--reason", "nonsense"), "'nonsense' is not one of"),
        (("open", "MATCH", "--text", "So.", "--reason", "other"), "--player NAME"),
        ((*OPEN[:-1], "Zoe", "--reason", "other"), "Alice at seat 0 and Bob at seat 1"),
        (("open", "MATCH", "--text", "", "--player", "0", "--reason", "other"), "characters"),
        (("open", "MATCH", "--text", "a\nb", "--player", "0", "--reason", "other"), "characters"),
        (("open", "m_" + "0" * 26, *OPEN[2:], "--reason", "other"), "there is no match"),
        (("appeal", "MATCH", 1, "--text", "No.", "--player", "Bob"), "nobody has ruled"),
        (("appeal", "MATCH", 2, "--text", "No.", "--player", "Bob"), "there is no dispute 2"),
        (RULE, "--director NAME"),
        ((*RULE, "--director", "Zoe"), "there are Dee, Dan"),
        ((*RULE, "--director", "Pat"), "but a player"),
        ((*RULE, "--director", "Dee", "--points", "Alice=3"), "--points"),
        ((*RULE, "--director", "Dee", "--loser", "Alice"), "--loser"),
        ((*RULE[:3], "adjust", *RULE[4:], "--director", "Dee"), "--points"),
        ((*RULE[:3], "forfeit", *RULE[4:], "--director", "Dee"), "--loser"),
        (
            (*RULE[:3], "adjust", *RULE[4:], "--director", "Dee", "--points", "Alice"),
            "of the form Ann=-10",
        ),
        (
            (*RULE[:3], "adjust", *RULE[4:], "--director", "Dee", "--points", "Zoe=1"),
            "does not name one of its players",
        ),
        (
            (*RULE[:3], "adjust", *RULE[4:], "--director", "Dee", "--points", "Alice=-999999"),
            "below 0",
        ),
        (("rule", "MATCH", 1, "dismiss", "--rule", "S9", *RULE[6:], "--director", "Dee"), "'S9'"),
        (("show", "MATCH", 3), "there is no dispute 3 over this match: the last one is 1"),
        (("show", "MATCH", 0), "not in the range"),
    ],
)
def test_what_is_refused_says_why_exits_with_2_and_stores_nothing(
    court: Court, arguments: tuple[object, ...], why: str
) -> None:
    court.let_in("p_" + "4" * 26, "Pat", "player")
    court.opened()
    before = court.lines()
    named = [court.match if each == "MATCH" else each for each in arguments]
    result = court.asked(*named)
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert court.lines() == before


def test_a_name_that_two_directors_have_is_refused_with_their_ids(court: Court) -> None:
    court.opened()
    other = "p_" + "5" * 26
    court.let_in(other, "Dee", "director")
    result = court.asked(*RULE[:1], court.match, *RULE[2:], "--director", "Dee")
    assert result.exit_code == 2
    assert JUDGE in result.stderr
    assert other in result.stderr


def test_a_database_without_directors_says_how_to_make_one(tmp_path: Path) -> None:
    court = Court(tmp_path / "club.db")
    bare = tmp_path / "bare.db"
    gin("player", "Pat", "--db", court.db)
    table = court.table
    empty = Court.__new__(Court)
    empty.db, empty.table, empty.match = bare, table, table.stream
    empty.store(table)
    empty.opened()
    result = empty.asked(*RULE[:1], table.stream, *RULE[2:], "--director", "Dee")
    assert result.exit_code == 2
    assert "gin player NAME --role director" in " ".join(result.stderr.split())


@pytest.mark.parametrize("terms", [{"dispute_ms": 0}, {"dispute_ms": 1}])
def test_r4_the_time_to_dispute_is_the_matchs_own(tmp_path: Path, terms: dict[str, Any]) -> None:
    """R4"""
    court = Court(tmp_path / "club.db", played(5, "classic", hands=2, **terms))
    result = court.asked(*OPEN[:1], court.match, *OPEN[2:], "--reason", "other")
    assert result.exit_code == 2
    assert "(R4)" in result.stderr


def test_a_match_that_runs_is_not_disputed(tmp_path: Path) -> None:
    running = played(5, "classic", hands=2, dispute_ms=CENTURY)
    ended = next(place for place, line in enumerate(running.lines) if line.type == "match_ended")
    scored = next(place for place, line in enumerate(running.lines) if line.type == "hand_scored")
    assert scored < ended
    running.lines = running.lines[: scored - 5]
    court = Court(tmp_path / "club.db", running)
    result = court.asked(*OPEN[:1], court.match, *OPEN[2:], "--reason", "other")
    assert (result.exit_code, "not while it runs" in result.stderr) == (2, True)
    assert court.asked("show", court.match, 1).exit_code == 2
    listed = court.asked("list", court.match)
    assert (listed.exit_code, listed.stdout) == (0, "")


@pytest.mark.parametrize("option", ["--player", "--director"])
def test_at_a_server_the_token_says_who_one_is(option: str) -> None:
    command = OPEN[:4] if option == "--player" else RULE
    reason = ("--reason", "other") if option == "--player" else ()
    result = gin("dispute", *command, *reason, option, "Ann", "--server", "127.0.0.1:1")
    assert result.exit_code == 2
    assert "your token says who you are" in result.stderr


# --- lists ----------------------------------------------------------------------------------------


def test_disputes_are_listed_a_line_each(court: Court) -> None:
    first = court.opened()
    court.opened("Bob", hand=None, reason="conduct")
    court.ruled("uphold", dispute=2)
    result = court.asked("list")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    event = str(first["event"])
    assert [row[:7] for row in rows] == [
        [court.match, "1", "open", "1", event, "score_wrong", "Alice"],
        [court.match, "2", "ruled", "-", rows[1][4], "conduct", "Bob"],
    ]
    assert [row[8] for row in rows] == ["-", "uphold"]
    assert rows[0][7] == first["opened"]


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ((), [1, 2]),
        (("--status", "open"), [1]),
        (("--status", "ruled"), [2]),
        (("--status", "closed"), []),
        (("--player", "PLAYER"), [1, 2]),
        (("--player", "p_" + "0" * 26), []),
        (("MATCH",), [1, 2]),
        (("MATCH", "--status", "ruled"), [2]),
    ],
)
def test_lists_are_of_what_is_asked_for(
    court: Court, options: tuple[str, ...], numbers: list[int]
) -> None:
    court.opened()
    court.opened("Bob", hand=None, reason="conduct")
    court.ruled("uphold", dispute=2)
    # One over which there is none.
    court.store(played(6, "classic", hands=2, dispute_ms=CENTURY))
    named = {"MATCH": court.match, "PLAYER": court.table.players[0]}
    result = court.asked("list", *(named.get(each, each) for each in options), "--json")
    assert result.exit_code == 0
    assert [json.loads(line)["dispute"] for line in result.stdout.splitlines()] == numbers
    assert result.stderr == ("" if numbers else "There are no such disputes.\n")


def test_on_a_terminal_disputes_stand_under_their_matches(tmp_path: Path) -> None:
    court = Court(tmp_path / "club.db")
    other = played(6, "classic", hands=2, dispute_ms=CENTURY)
    court.store(other)
    court.opened()
    court.opened("Bob", reason="card_not_in_deck")
    court.ruled("forfeit", "--loser", "Bob", dispute=2)
    court.match = other.stream
    court.opened("Bob", hand=None, reason="conduct")

    async def cases(place: Any) -> list[Any]:  # noqa: ANN401 -- wherever it is
        return [case async for case in place.cases("", "", None)]

    lines = list(_table(Where(str(court.db), None, "").ask(cases)))
    assert max(map(len, lines)) <= 80
    assert [re.sub(r"\d{4}-\d\d-\d\d", "DATE", line) for line in lines] == [
        f"{other.stream}  Alice against Bob",
        "  1  open   match   conduct           Bob    DATE",
        "",
        f"{court.table.stream}  Alice against Bob",
        "  1  open   hand 1  score_wrong       Alice  DATE",
        "  2  ruled  hand 1  card_not_in_deck  Bob    DATE  forfeit",
    ]


# --- the sheet ------------------------------------------------------------------------------------


def test_the_sheet_tells_a_dispute_from_its_opening_to_the_ruling_on_appeal(court: Court) -> None:
    court.opened("Bob", text="It was 14, not 24.")
    court.ruled("forfeit", "--loser", "Alice")
    court.appealed("Alice")
    court.ruled("dismiss", by="Dan")
    shown = court.asked("show", court.match, 1).stdout
    lines = shown.splitlines()
    assert lines[0] == f"Dispute 1 over {court.match}"
    assert lines[1] == "Alice against Bob: closed, ruled on for good."
    headings = [line.partition(", 20")[0] for line in lines if line[:1].isalpha()][2:]
    assert headings == [
        "The claim",
        "The ruling by Dee",
        "The appeal by Alice",
        "The ruling on appeal by Dan",
        "The result",
    ]
    for said in ('"It was 14, not 24."', '"The log says so."', '"No."'):
        assert f"    {said}" in lines
    assert "  Upheld, Alice loses the match (S1)" in lines
    assert "  Dismissed (S1)" in lines


def test_the_sheet_fits_the_terminal_whatever_was_said(court: Court) -> None:
    court.opened("Bob", text="A very long story. " * 50)
    result = court.asked("show", court.match, 1)
    shown = [line for line in result.stdout.splitlines() if str(court.db) not in line]
    assert max(map(len, shown)) <= 80
    said = " ".join(line.strip() for line in shown)
    assert "A very long story. " * 10 in said


def test_the_sheet_says_what_is_next_and_the_commands_can_be_typed(court: Court) -> None:
    court.opened()
    shown = court.asked("show", court.match, 1).stdout
    typed = " ".join(shown.partition("What is next\n")[2].replace("\\\n", " ").split())
    place = f"--db {court.db}"
    assert f"gin dispute bundle {court.match} 1 -o evidence.zip {place}" in typed
    assert f"gin dispute rule {court.match} 1 RULING --rule RULE --why TEXT {place}" in typed
    assert typed.endswith("--director NAME")
    court.ruled("uphold")
    shown = court.asked("show", court.match, 1).stdout
    assert f"gin dispute appeal {court.match} 1 --text TEXT" in shown
    assert "--player NAME" in shown


def test_the_sheet_says_when_the_time_to_appeal_is_over(tmp_path: Path) -> None:
    table = played(5, "classic", hands=2, dispute_ms=CENTURY)
    court = Court(tmp_path / "club.db", table)
    court.opened()
    court.ruled("uphold")

    async def case(place: Any) -> Any:  # noqa: ANN401 -- wherever it is
        return await place.case(court.match, 1)

    where = Where(str(court.db), None, "")
    found = where.ask(case)
    assert "may appeal until" in write_sheet(found, datetime.now(UTC), where)
    later = datetime(2300, 1, 1, tzinfo=UTC)
    assert "The time to appeal was over at" in write_sheet(found, later, where)


def test_a_database_with_a_password_is_not_shown() -> None:
    assert Where("postgresql://ann:secret@host/db", None, "").options() == "--db DATABASE"
    assert Where("gin.db", None, "").options("--player NAME") == "--player NAME"
    assert Where("gin.db", "host:1", "").options("--player NAME") == "--server host:1"
