"""gin analyse: the page of a hand, its JSON, what is said of a player, and what is refused."""

import json
from pathlib import Path

from click.testing import CliRunner, Result
from support_golden import GOLDEN
from support_logs import Table, in_hand

from ginrummy.cli import main
from ginrummy.log.lines import read_line
from ginrummy.store import Append, SqliteStore

CLASSIC = str(GOLDEN / "classic.log")


def gin(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["analyse", *arguments], prog_name="gin")


def test_a_page_has_a_line_a_decision_within_eighty_columns() -> None:
    result = gin(CLASSIC, "--worlds", "4")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "Hand 3: " in result.stdout


def test_json_has_the_graph_of_the_seats_asked_for() -> None:
    hand = json.loads(gin(CLASSIC, "--hand", "2", "--seat", "1", "--worlds", "4", "--json").stdout)
    assert hand["number"] == 2
    assert {each["seat"] for each in hand["decisions"]} == {1}
    assert hand["graph"][0] == []
    weighed = [each["seq"] for each in hand["decisions"] if each["expected"] is not None]
    assert [point["seq"] for point in hand["graph"][1]] == weighed


def test_a_hand_that_is_not_open_is_refused_in_words() -> None:
    result = gin(str(GOLDEN / "board_unrevealed.log"))
    assert result.exit_code == 2
    assert "hand 1 cannot be analysed yet: its secret is not out" in result.stderr


def test_hands_that_are_not_open_do_not_keep_the_others_back(tmp_path: Path) -> None:
    """What cannot be judged is said on standard error, and what can be is judged."""
    log = Table(13, reveal="hand").seated().play(until=in_hand(3)).log
    path = tmp_path / "running.log"
    path.write_bytes(b"".join(raw + b"\n" for raw in log))
    result = gin(str(path), "--worlds", "4", "--json")
    assert result.exit_code == 0
    assert [json.loads(line)["number"] for line in result.stdout.splitlines()] == [1, 2]
    assert result.stderr == f"{path}: hand 3 cannot be analysed yet: it is still being played\n"
    refused = gin(str(path), "--hand", "3")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "hand 3 cannot be analysed yet" in refused.stderr
    missing = gin(str(path), "--hand", "9")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "there is no hand 9" in missing.stderr


def test_a_players_hands_are_gathered_from_a_database(tmp_path: Path) -> None:
    table = Table(5, hands=3).seated().play()
    store = SqliteStore(tmp_path / "gin.db")
    store.append([Append(table.stream, 0, tuple(map(read_line, table.log)))])
    store.close()
    db = ("--db", str(tmp_path / "gin.db"), "--worlds", "4")
    result = gin("--player", table.players[0], *db)
    assert result.exit_code == 0
    assert "draws: too little to say anything" in result.stdout
    assert gin("--player", "p_nobody", *db).exit_code == 2
