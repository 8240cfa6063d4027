"""A bot's name in a command line: what it may be, and what is said where it is none."""

import json
import sys
from pathlib import Path

import pytest

from ginrummy.bots import BotSpecError, RandomBot, SimpleBot, load_bot

METHODS = """
    def offer(self, view): ...
    def draw(self, view): ...
    def discard(self, view): ...
    def lay_off(self, view): ...
"""


@pytest.fixture(autouse=True)
def _imports_as_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)


def written(directory: Path, text: str, name: str = "mybot.py") -> str:
    """Return the path of a file with that text."""
    (directory / name).write_text(text)
    return str(directory / name)


def test_the_bots_of_this_package_have_names() -> None:
    assert isinstance(load_bot("simple"), SimpleBot)
    assert isinstance(load_bot("random", seed=3), RandomBot)


def test_a_class_in_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, f"class MyBot:{METHODS}\nclass Other:{METHODS}")
    assert type(load_bot(f"{path}:MyBot")).__name__ == "MyBot"
    assert type(load_bot("./mybot.py:Other")).__name__ == "Other"


def test_the_only_bot_of_a_file_need_not_be_named(tmp_path: Path) -> None:
    text = f"from ginrummy.bots import SimpleBot\nclass Helper: ...\nclass Mine:{METHODS}"
    assert type(load_bot(written(tmp_path, text))).__name__ == "Mine"


def test_a_class_in_a_module_beside(tmp_path: Path) -> None:
    (tmp_path / "mybots").mkdir()
    written(tmp_path / "mybots", f"class MyBot:{METHODS}", "alpha.py")
    assert type(load_bot("mybots.alpha:MyBot")).__name__ == "MyBot"


def test_a_file_may_import_its_neighbour(tmp_path: Path) -> None:
    written(tmp_path, f"class Base:{METHODS}", "neighbour_of_mine.py")
    path = written(tmp_path, "from neighbour_of_mine import Base\nclass MyBot(Base): ...")
    assert type(load_bot(f"{path}:MyBot")).__name__ == "MyBot"


def test_a_file_does_not_take_the_place_of_a_module(tmp_path: Path) -> None:
    path = written(tmp_path, f"class MyBot:{METHODS}", "json.py")
    load_bot(f"{path}:MyBot")
    assert sys.modules["json"] is json


def test_the_seed_goes_to_whoever_takes_one(tmp_path: Path) -> None:
    text = f"class Seeded:{METHODS}\n    def __init__(self, seed=None): self.seed = seed"
    path = written(tmp_path, text)
    assert vars(load_bot(f"{path}:Seeded", seed=7)) == {"seed": 7}


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("class A: ...", ":A", "A has no method offer or draw or discard or lay_off"),
        (f"class A:{METHODS}", ":B", "no class B; it has A"),
        (f"class A:{METHODS}\nclass B:{METHODS}", "", "which class?; it has A, B"),
        ("x = 1", "", "which class?; it has no class with a bot's four methods"),
        ("import nowhere_at_all", ":A", "No module named 'nowhere_at_all'"),
        ("class A(", ":A", "SyntaxError"),
        (f"class A:{METHODS}\n    def __init__(self, x): ...", ":A", "A cannot be made: TypeError"),
        ("A = 1", ":A", "no class A"),
    ],
)
def test_a_file_without_the_bot_says_why(
    tmp_path: Path, text: str, name: str, message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BotSpecError) as caught:
        load_bot(path + name)
    assert message in str(caught.value)
    assert "mybot.py" in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("smple", "'smple' is no bot: write random, simple, expert, ./mybot.py:MyBot"),
        ("nowhere.at_all:Bot", "'nowhere.at_all' is no bot"),
        ("./nothing.py:Bot", "there is no file nothing.py"),
        ("needs_more:Bot", "needs_more cannot be loaded: No module named 'nowhere_at_all'"),
        ("breaks:Bot", "breaks cannot be loaded: ZeroDivisionError"),
    ],
)
def test_a_name_that_stands_for_nothing_says_what_would(
    tmp_path: Path, spec: str, message: str
) -> None:
    written(tmp_path, "import nowhere_at_all", "needs_more.py")
    written(tmp_path, "1 / 0", "breaks.py")
    with pytest.raises(BotSpecError) as caught:
        load_bot(spec)
    assert str(caught.value).startswith(message)
