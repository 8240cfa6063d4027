"""Bars: what stands in them, and that what is pressed is what stands there."""

import pytest
from support_golden import GOLDEN, golden_log

from ginrummy.replay.ink import Ink, width
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.bars import (
    Bar,
    draw_keys,
    draw_title,
    draw_views,
    draw_way,
    seq_on_way,
)
from ginrummy.replay.terminal.course import Course

COURSE = Course(Replay(golden_log("classic")))
INKS = (Ink(), Ink(symbols=False), Ink(colour=True))
LETTERS = Ink(symbols=False)


def pressed(bar: Bar, text: str) -> str | None:
    return bar.action_at(bar.text.index(text))


def test_the_title_says_where_one_is() -> None:
    title = draw_title(COURSE, COURSE.place(50, "full"), 80, LETTERS)
    assert title.startswith("Golden classic, to 100, knock at 10, no clock ")
    assert title.endswith(" hand 1, event 50 of 84")
    assert draw_title(COURSE, COURSE.place(1, "full"), 80, LETTERS).endswith(" event 1 of 84")


def test_a_narrow_title_keeps_the_event() -> None:
    assert "event 50 of 84" in draw_title(COURSE, COURSE.place(50, "full"), 24, LETTERS)


@pytest.mark.parametrize("columns", [5, 20, 40, 60, 80, 200])
@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.log")))
def test_bars_keep_within_their_columns(columns: int, name: str) -> None:
    course = Course(Replay(golden_log(name)))
    place = course.place(course.last, "full")
    for ink in INKS:
        for text in (
            draw_title(course, place, columns, ink),
            draw_views(course, place, "3 faults found", columns, ink).text,
            draw_way(course, place.seq, columns, ink).text,
            draw_keys(columns, ink, is_playing=False).text,
        ):
            assert width(text) <= max(columns, 14)


def test_whose_eyes_there_are_can_be_pressed() -> None:
    bar = draw_views(COURSE, COURSE.place(50, 0), "audited", 80, LETTERS)
    assert bar.text.startswith(" All cards [Alice] Bob  Everybody ")
    assert pressed(bar, "All cards") == "eyes('full')"
    assert pressed(bar, "Alice") == "eyes('0')"
    assert pressed(bar, "Bob") == "eyes('1')"
    assert pressed(bar, "Everybody") == "eyes('public')"
    assert pressed(bar, "audited") == "report"
    assert bar.action_at(40) is None


def test_a_sealed_log_says_why_there_is_one_pair_of_eyes() -> None:
    course = Course(Replay(golden_log("unrevealed")))
    bar = draw_views(course, course.place(9, "public"), "", 80, LETTERS)
    assert bar.text == "[Everybody] no deck is out yet; r says why"


def test_the_keys_can_be_pressed_and_those_that_matter_stay() -> None:
    wide = draw_keys(120, LETTERS, is_playing=False)
    for text, action in (
        ("left", "step(-1)"),
        ("right", "step(1)"),
        ("space", "play"),
        ("n hand", "next_hand"),
        ("k knock", "next_knock"),
        ("v eyes", "other_eyes"),
        ("g go to", "ask"),
        ("s sheet", "sheet"),
        ("r proof", "report"),
        ("y copy", "copy"),
        ("? help", "help"),
        ("q quit", "leave"),
    ):
        assert pressed(wide, text) == action
    narrow = draw_keys(40, LETTERS, is_playing=True)
    assert pressed(narrow, "? help") == "help"
    assert pressed(narrow, "q quit") == "leave"
    assert narrow.text.endswith("q quit")
    assert width(narrow.text) == 40
    assert "space stop" in draw_keys(80, LETTERS, is_playing=True).text


@pytest.mark.parametrize("columns", [1, 2, 10, 80, 83, 84, 85, 200])
def test_the_way_leads_where_it_is_pressed(columns: int) -> None:
    for seq in range(1, COURSE.last + 1):
        way = draw_way(COURSE, seq, columns, LETTERS)
        assert width(way.text) == columns
        here = way.text.index("O")
        assert way.action_at(here) == f"way({here})"
        near = seq_on_way(COURSE, here, columns)
        assert draw_way(COURSE, near, columns, LETTERS).text.index("O") == here
        # No more events stand behind a column than there have to.
        assert abs(near - seq) <= (COURSE.last - 1) // max(1, columns - 1) + 1
    assert seq_on_way(COURSE, columns - 1, columns) == (COURSE.last if columns > 1 else 1)


def test_the_hands_are_marked_on_the_way() -> None:
    assert draw_way(COURSE, 1, 84, LETTERS).text.count("+") == 3


def test_a_log_of_one_event_has_a_way_too() -> None:
    course = Course(Replay(golden_log("classic")[:1]))
    assert draw_way(course, 1, 10, LETTERS).text == "O---------"
    assert seq_on_way(course, 9, 10) == 1
