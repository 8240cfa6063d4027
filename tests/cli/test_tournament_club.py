"""A club's evening without a server: announced, entered, paired, ruled on, and looked at."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginrummy.cli import main
from ginrummy.cli.tournament.columns import PAGE

Gin = Callable[..., Result]

NAMES = ("Ann", "Ben", "Cyd", "Dan-Eve")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tournament", *arguments], prog_name="gin")


class Club:
    """A tournament in a database, and `gin tournament` for it."""

    def __init__(self, db: Path, *terms: str) -> None:
        self.db = str(db)
        self.id = ""
        made = run("new", "--db", self.db, "--elsewhere", "--name", "Evening", *terms)
        assert made.exit_code == 0, made.output
        self.id = made.stdout.strip()

    def gin(self, command: str, *arguments: str) -> Result:
        return run(command, self.id, *arguments, "--db", self.db)

    def said(self, command: str, *arguments: str) -> str:
        result = self.gin(command, *arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    def refused(self, command: str, *arguments: str) -> str:
        result = self.gin(command, *arguments)
        assert result.exit_code == 2, result.output
        assert isinstance(result.exception, SystemExit)
        assert not result.stdout
        return result.stderr


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Give an evening that has begun, paired by the director."""
    club = Club(tmp_path / "club.db", "--format", "manual")
    club.said("add", *NAMES)
    club.said("start")
    return club


@pytest.fixture
def played(club: Club) -> Club:
    """Give an evening after its first round."""
    club.said("pair", "Ann-Ben", "Dan-Eve-Cyd")
    club.said("rule", "1", "1", "ben", "--points", "62-100", "--why", "played at table 1")
    club.said("rule", "1", "2", "draw", "--why", "the hall closed", "--rule", "X1")
    return club


# --- the acts -----------------------------------------------------------------------------------


def test_an_evening_goes_from_its_announcement_to_its_end(tmp_path: Path) -> None:
    club = Club(tmp_path / "club.db", "--format", "manual")
    assert club.said("add", *NAMES) == "Evening: registration is open, 4 entered\n"
    assert club.said("check-in", "Ann") == "Evening: registration is open, 4 entered\n"
    assert club.said("start") == "Evening: started, no round is paired yet\n"
    assert club.said("pair", "Ann-Ben", "Dan-Eve-Cyd") == "Evening: round 1, 2 tables open\n"
    assert club.said("rule", "1", "1", "Ann", "--why", "told") == "Evening: round 1, 1 table open\n"
    said = club.said("rule", "1", "2", "second", "--points", "3:5", "--why", "told")
    assert said == "Evening: round 1, no tables open\n"
    assert club.said("remove", "Ben", "--why", "ill") == said
    assert club.said("pair", "Cyd-Ann") == "Evening: round 2, 1 table open\n"
    assert club.said("return", "ben") == "Evening: round 2, 1 table open\n"
    assert club.said("rule", "2", "1", "void", "--why", "wrong deck")
    assert club.said("end") == "Evening: over after 2 rounds\n"
    assert club.gin("audit").exit_code == 0


def test_a_pause_and_its_end(club: Club) -> None:
    assert club.said("pause") == "Evening: started, no round is paired yet, paused\n"
    assert "paused already" in club.refused("pause")
    assert club.said("resume") == "Evening: started, no round is paired yet\n"
    assert "is not paused" in club.refused("resume")


def test_seeds_are_the_order_of_the_names_and_then_of_before(tmp_path: Path) -> None:
    club = Club(tmp_path / "club.db")
    club.said("add", *NAMES)
    club.said("seed", "Cyd", "Ben")
    shown = [line.split()[:2] for line in club.said("show").splitlines() if " person" in line]
    assert shown == [["1", "Cyd"], ["2", "Ben"], ["3", "Ann"], ["4", "Dan-Eve"]]


def test_a_format_pairs_by_itself_as_results_come_in(tmp_path: Path) -> None:
    club = Club(tmp_path / "club.db", "--format", "elimination")
    club.said("add", *NAMES)
    assert club.said("start") == "Evening: round 1, 2 tables open\n"
    for table in ("1", "2"):
        club.said("rule", "1", table, "first", "--why", "told")
    assert "Round 2" in club.said("show")
    assert (
        club.said("rule", "2", "1", "second", "--why", "told") == "Evening: over after 2 rounds\n"
    )
    assert "Places in the bracket: 1 " in club.said("standings")


def test_what_is_given_up_counts_for_nobody(club: Club) -> None:
    club.said("pair", "Ann-Ben")
    assert club.said("abort", "--why", "no light") == "Evening: over after 1 round, given up\n"
    assert "aborted 1" in club.said("standings")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rule", "1", "1", "Zoe", "--why", "x"), "first, second, draw, neither, void"),
        (("rule", "1", "1", "Cyd", "--why", "x"), "or who has won, Ann or Ben"),
        (("rule", "1", "3", "draw", "--why", "x"), "round 1 has the tables 1 to 2, not 3"),
        (("rule", "4", "1", "draw", "--why", "x"), "the rounds so far are 1 to 1"),
        (("rule", "1", "1", "draw", "--why", " "), "a ruling says why"),
        (("rule", "1", "1", "draw"), "Missing option '--why'"),
        (("rule", "1", "1", "draw", "--why", "x", "--points", "5"), "not of the form 5-3"),
        (("remove", "Zoe"), "there are Ann, Ben, Cyd, Dan-Eve"),
        (("pair", "Ann-Zoe"), "'Zoe' has not entered"),
        (("pair", "Ann"), "is not two entrants as in Ann-Ben"),
        (("pair", "Ann-Ann"), "Ann is named twice"),
        (("start",), "registration is closed already"),
        (("add", "\x1b[2J"), "PLAYER"),
        (("add", "p_00000000000000000000000000"), "there is no player p_0"),
        (("sheet", "--round", "7"), "there is no round 7"),
        (("standings", "--as-of", "9999"), "there is no event 9999"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(
    played: Club, arguments: tuple[str, ...], said: str
) -> None:
    before = played.said("log")
    assert said in played.refused(*arguments)
    assert played.said("log") == before


def test_a_tournament_that_is_not_there_is_refused(tmp_path: Path) -> None:
    club = Club(tmp_path / "club.db")
    unknown = f"t_{'0' * 26}"
    for command in ("start", "pause", "show", "standings", "log", "audit", "watch", "sheet"):
        for db, name in ((club.db, unknown), (club.db, "nothing"), (f"{club.db}.gone", club.id)):
            result = run(command, name, "--db", db)
            assert result.exit_code == 2
            assert isinstance(result.exception, SystemExit)
            assert result.stderr.startswith("Error: ")


def test_two_of_one_name_are_told_apart_by_id(tmp_path: Path) -> None:
    club = Club(tmp_path / "club.db", "--format", "manual")
    first = CliRunner().invoke(main, ["player", "Ann", "--db", club.db])
    CliRunner().invoke(main, ["player", "Ann", "--db", club.db])
    known = first.stderr.split()[-1]
    assert "is the name of 2 players: use an id" in club.refused("add", "Ann")
    club.said("add", known, "Ben")
    assert known in club.said("show")


# --- looking ------------------------------------------------------------------------------------


def test_the_sheet_has_room_for_what_is_open_and_fits_a_page(club: Club) -> None:
    club.said("pair", "Ann-Ben")
    sheet = club.said("sheet")
    assert sheet.startswith("Evening, round 1\n================\n")
    assert "\n    1  Ann    Ben     _____ : _____\n" in sheet
    assert "\nBye: Cyd, Dan-Eve\n" in sheet
    assert "\nStandings: round 1, 1 table open\n" in sheet
    assert max(map(len, sheet.splitlines())) <= PAGE


def test_standings_are_as_of_any_event(played: Club) -> None:
    events = [json.loads(line) for line in played.said("log").splitlines()]
    ruled = next(each["seq"] for each in events if each["type"] == "result_ruled")
    before, now = (
        json.loads(played.said("standings", "--json", "--as-of", str(seq)))["standings"]
        for seq in (ruled - 1, len(events))
    )
    assert [row["score"] for row in before] == [0, 0, 0, 0]
    assert [(row["name"], row["score"]) for row in now] == [
        ("Ben", 2),
        ("Cyd", 1),
        ("Dan-Eve", 1),
        ("Ann", 0),
    ]


def test_the_standings_name_what_they_rest_on(played: Club) -> None:
    lines = played.said("standings").splitlines()
    assert lines[0] == "Evening: round 1, no tables open"
    assert lines[2].split() == ["entrant", "score", "W-D-L", "points"]
    assert lines[3].split() == ["1", "Ben", "2", "1-0-0", "100-62"]
    assert "How 2 results ended: ruling 2." in lines
    assert lines[-1] == f"Tournament {played.id}"


def test_a_watch_tells_every_event_until_the_end(played: Club) -> None:
    played.said("end")
    told = played.said("watch").splitlines()
    assert len(told) == len(played.said("log").splitlines())
    assert told[0].endswith("Evening is announced")
    assert told[-1].endswith("The lots are drawn")
    assert any(
        line.endswith("Round 1 table 1: Ann - Ben 62:100  Ben (ruling): played at table 1")
        for line in told
    )
    *events, last = map(json.loads, played.said("watch", "--json").splitlines())
    assert [each["type"] for each in events] == ["round_paired", "result_ruled", "result_ruled"]
    assert last["type"] == "standings"


def test_the_list_has_the_newest_first(tmp_path: Path) -> None:
    first = Club(tmp_path / "club.db")
    second = Club(tmp_path / "club.db", "--format", "manual")
    second.said("add", *NAMES)
    listed = run("list", "--db", first.db).stdout.splitlines()
    assert [line.split("\t")[:4] for line in listed] == [
        [second.id, "registration", "4", "0"],
        [first.id, "registration", "0", "0"],
    ]
    only = json.loads(run("list", "--db", first.db, "--json").stdout.splitlines()[1])
    assert only["id"] == first.id
    assert run("list", "--db", first.db, "--stage", "ended").stdout == ""


def test_people_are_rated_over_all_tournaments(played: Club) -> None:
    again = Club(Path(played.db), "--format", "manual")
    again.said("add", "Ann", "Ben")
    again.said("start")
    again.said("pair", "Ben-Ann")
    again.said("rule", "1", "1", "Ben", "--why", "told")
    rated = [
        json.loads(line) for line in run("ratings", "--db", played.db, "--json").stdout.splitlines()
    ]
    assert [(each["name"], each["matches"], each["wins"]) for each in rated][:1] == [("Ben", 2, 2)]
    assert [each["name"] for each in rated][-1] == "Ann"
    assert run("ratings", "--db", played.db).stdout.splitlines()[1].split()[:2] == ["1", "Ben"]


def test_an_export_is_audited_elsewhere(played: Club, tmp_path: Path) -> None:
    file = tmp_path / "evening.log"
    played.said("export", "-o", str(file))
    assert file.read_text() == played.said("log")
    assert run("audit", str(file)).exit_code == 0
    assert "is there already" in played.refused("export", "-o", str(file))
    nowhere = str(tmp_path / "nowhere" / "a.log")
    assert f"{nowhere}: No such file" in played.refused("export", "-o", nowhere)
    file.write_text(file.read_text().replace('"outcome":"second"', '"outcome":"first"', 1))
    audited = run("audit", str(file))
    assert audited.exit_code == 1
    assert "NOT CLEAN" in audited.stdout
    for content in ("", "hello\n", "{}\n"):
        file.write_text(content)
        assert run("audit", str(file)).exit_code == 2
