"""The table: every card where it lies, in every form that a room asks for."""

import re
from collections.abc import Iterator

import pytest
from support_golden import GOLDEN, expect_golden, golden_log
from support_play import soak
from support_terminal import cards_named

from ginrummy.replay.ink import Ink, width
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.course import Course
from ginrummy.replay.terminal.scene import scene_at
from ginrummy.replay.terminal.table import draw_table
from ginrummy.rules.cards import card_set
from ginrummy.rules.view import Perspective, view

NAMES = sorted(path.stem for path in GOLDEN.glob("*.log"))
PERSPECTIVES: tuple[Perspective, ...] = ("full", 0, 1, "public")
SIZES = [(200, 50), (120, 21), (79, 12), (59, 10), (39, 7), (30, 3), (8, 2)]


def table(
    name: str, seq: int, perspective: Perspective, size: tuple[int, int], ink: Ink | None = None
) -> list[str]:
    course = Course(Replay(golden_log(name)))
    scene = scene_at(course.replay, course.place(seq, perspective))
    return draw_table(scene, *size, ink or Ink(symbols=False))


def some(course: Course) -> Iterator[int]:
    """Yield events of a match, those around its knocks among them; all of them in a long count."""
    knocks = {seq + by for seq in course.replay.knocks for by in range(4)}
    for seq in range(1, course.last + 1):
        if seq % soak(1, 9) == 0 or seq in knocks or seq == course.last:
            yield min(seq, course.last)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_table_keeps_within_its_columns(name: str, size: tuple[int, int]) -> None:
    course = Course(Replay(golden_log(name)))
    inks = (Ink(), Ink(symbols=False), Ink(colour=True))
    for seq in some(course):
        for perspective in course.views:
            scene = scene_at(course.replay, course.place(seq, perspective))
            for line in draw_table(scene, *size, inks[seq % 3]):
                assert width(line) <= size[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_usual_terminal_shows_the_whole_table(name: str) -> None:
    """In 80 columns and 24 rows nothing of it has to be scrolled."""
    course = Course(Replay(golden_log(name)))
    for seq in some(course):
        scene = scene_at(course.replay, course.place(seq, "full"))
        assert len(draw_table(scene, 79, 12, Ink(symbols=False))) <= 12


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [(140, 40), (79, 12), (59, 12), (39, 60)])
def test_every_card_that_is_held_is_on_the_table(name: str, size: tuple[int, int]) -> None:
    course = Course(Replay(golden_log(name)))
    for seq in some(course):
        for perspective in course.views:
            place = course.place(seq, perspective)
            hand = view(course.at(seq).match, place.perspective).hand
            if hand is None:
                continue
            drawn = draw_table(scene_at(course.replay, place), *size, Ink(symbols=False))
            held = card_set(card for each in hand.hands for card in each.cards)
            assert held & ~cards_named("\n".join(drawn)) == 0


MOMENTS: dict[str, tuple[str, int, Perspective, tuple[int, int]]] = {
    "opened": ("standard", 1, "public", (79, 12)),
    "dealt": ("classic", 6, "full", (79, 12)),
    "drawn": ("classic", 9, 1, (79, 12)),
    "knocked": ("classic", 50, 0, (79, 12)),
    "laid off": ("classic", 51, "full", (79, 12)),
    "won": ("classic", 83, "full", (79, 12)),
    "won, in a large room": ("classic", 83, "full", (120, 40)),
    "large": ("standard", 120, 1, (79, 21)),
    "long pile": ("straight", 79, "full", (79, 12)),
    "long pile, narrow": ("straight", 79, "full", (59, 10)),
    "flat": ("classic", 50, 0, (59, 10)),
    "least": ("classic", 50, 0, (38, 7)),
    "big gin": ("oklahoma", 114, "full", (79, 12)),
    "paused": ("clock", 53, "public", (79, 12)),
    "hidden": ("unrevealed", 40, "public", (79, 12)),
}


@pytest.mark.parametrize("ink", [Ink(), Ink(symbols=False)], ids=["symbols", "letters"])
def test_tables_are_drawn_as_they_were(ink: Ink) -> None:
    pictures = []
    for moment, (name, seq, perspective, size) in MOMENTS.items():
        lines = table(name, seq, perspective, size, ink)
        pictures.append(f"== {moment}: {size[0]} by {size[1]}\n" + "\n".join(lines) + "\n")
    form = "symbols" if ink.symbols else "letters"
    expect_golden(f"terminal.{form}.txt", "\n".join(pictures))


def test_letters_are_ascii() -> None:
    for name, seq, perspective, size in MOMENTS.values():
        assert "\n".join(table(name, seq, perspective, size)).isascii()


def test_whoever_looks_sits_at_the_lower_edge() -> None:
    assert table("classic", 20, 0, (79, 12))[0].lstrip("> ").startswith("Bob")
    assert table("classic", 20, 1, (79, 12))[0].lstrip("> ").startswith("Alice")


def test_the_pile_says_who_threw_and_what_was_taken() -> None:
    pile = [line for line in table("classic", 50, 0, (90, 12)) if "QH" in line or "TH" in line]
    bob, alice = pile
    assert bob.split() == [
        *("pile", "Bob", "TH", "JH", "KH", "JC", "8D", "7S", "KC", "7D", "6S", "-8H")
    ]
    assert alice.split() == [
        *("Alice", "QH", "TD", "JD", "KD", "-9H", "QC", "QS", "-9D", "8S", "QD", "*8C")
    ]


def test_the_newest_of_a_long_pile_is_kept() -> None:
    """Where there is no room for all of it, what lies on top is shown, and that there was more."""
    thrown = scene_at(
        Replay(golden_log("straight")), Course(Replay(golden_log("straight"))).place(79, "full")
    ).thrown
    row = next(line for line in table("straight", 79, "full", (38, 7)) if "pile" in line)
    assert f"*{thrown[-2].card}" in row or f"*{thrown[-1].card}" in row
    assert ".." in row


def test_what_was_just_drawn_is_marked() -> None:
    upper = table("classic", 9, "full", (79, 12))
    marked = next(number for number, line in enumerate(upper) if "*." in line)
    at = upper[marked].index("*")
    assert upper[marked + 1][at - 1 : at + 1] == "JC"


def test_colours_change_nothing_but_colours() -> None:
    plain = table("classic", 50, "full", (79, 12), Ink())
    for ink in (Ink(colour=True), Ink(colour=True, four_colours=True)):
        coloured = table("classic", 50, "full", (79, 12), ink)
        assert coloured != plain
        assert [re.sub("\x1b\\[[0-9;]*m", "", line) for line in coloured] == plain


def test_four_colours_tell_the_suits_apart() -> None:
    text = "\n".join(table("classic", 50, "full", (79, 12), Ink(colour=True, four_colours=True)))
    assert "\x1b[34;47m4♦" in text
    assert "\x1b[32;47m4♣" in text
    assert "\x1b[31;47m9♥" in text
    assert "\x1b[30;47m9♠" in text
