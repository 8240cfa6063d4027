"""Stepping with keys: what each does, what is then shown, and that the terminal is given back."""

import os
import re
import signal

import pytest
from support_golden import golden_log

from ginrummy.replay.ink import Ink, width
from ginrummy.replay.pager import Place, keys_in, page, press, screen
from ginrummy.replay.stepping import Replay

REPLAY = Replay(golden_log("classic"))
LAST = REPLAY.last
SECOND = REPLAY.hand(2).first
THIRD = REPLAY.hand(3).first
RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


def seq_after(start: int, *keys: str) -> int | None:
    place: Place | None = Place(start, "full")
    for key in keys:
        assert place is not None
        place = press(REPLAY, place, key)
    return None if place is None else place.seq


@pytest.mark.parametrize(
    ("start", "keys", "seq"),
    [
        (5, [RIGHT], 6),
        (5, [" "], 5),
        (5, ["\r"], 6),
        (5, [LEFT], 4),
        (5, ["\x7f"], 4),
        (1, [LEFT], 1),
        (LAST, [RIGHT], LAST),
        (50, [HOME], 1),
        (50, ["\x1b[1~"], 1),
        (5, [END], LAST),
        (5, ["\x1bOF"], LAST),
        (1, ["n", "n"], SECOND),
        (SECOND, ["n"], THIRD),
        (THIRD, ["n"], LAST),
        (THIRD, ["p"], SECOND),
        (THIRD + 3, ["p"], THIRD),
        (3, ["p"], 1),
        (5, ["x"], 5),
        (5, ["\x1b[15~"], 5),
        (5, ["q"], None),
        (5, ["\x03"], None),
        (5, ["\x1b"], None),
    ],
)
def test_keys_lead_where_they_say(start: int, keys: list[str], seq: int | None) -> None:
    assert seq_after(start, *keys) == seq


def test_tab_goes_through_all_perspectives() -> None:
    place: Place | None = Place(5, "full")
    seen = []
    for _ in range(4):
        assert place is not None
        place = press(REPLAY, place, "\t")
        assert place is not None
        seen.append(place.perspective)
    assert seen == [0, 1, "public", "full"]
    assert place == Place(5, "full")


def test_keys_that_come_at_once_are_told_apart() -> None:
    assert keys_in("\x1b[C\x1b[C n\x1b[1~\x1bOFq\x1b") == [
        *("\x1b[C", "\x1b[C", " ", "n", "\x1b[1~", "\x1bOF", "q", "\x1b")
    ]
    assert keys_in("") == []


@pytest.mark.parametrize("size", [(80, 24), (80, 25), (100, 50), (60, 20), (40, 12), (20, 5)])
def test_a_screen_fits_its_terminal(size: tuple[int, int]) -> None:
    for seq in range(1, LAST + 1):
        lines = screen(REPLAY, Place(seq, "full"), size, Ink(colour=True))
        assert len(lines) == size[1]
        assert max(map(width, lines)) <= size[0]


def test_a_usual_screen_shows_table_past_and_keys() -> None:
    lines = screen(REPLAY, Place(20, 0), (80, 24), Ink(symbols=False))
    assert "event 20 of 84" in lines[0]
    assert lines[1].endswith("as Alice sees it")
    assert [line.split()[0] for line in lines[15:23]] == [str(seq) for seq in range(13, 21)]
    assert "left/right step" in lines[-1]


def test_the_last_screen_of_a_match_shows_how_it_came_about() -> None:
    shown = "\n".join(screen(REPLAY, Place(LAST, "full"), (80, 24), Ink()))
    assert "Alice wins the match on points, 482 to 0" in shown
    assert "for hands won = 482" in shown
    assert "q quit" in shown


def run(*typed: str, waits: list[float | None] | None = None) -> str:
    """Return all that was written to the terminal while these keys were typed."""
    written: list[str] = []
    keys = iter(typed)

    def read_keys(seconds: float | None) -> str:
        if waits is not None:
            waits.append(seconds)
        return next(keys)

    page(REPLAY, Place(1, "full"), Ink(), read_keys, written.append)
    return "".join(written)


def test_a_terminal_gets_its_screen_back() -> None:
    written = run(RIGHT, "q")
    assert written.startswith("\x1b[?1049h\x1b[?25l\x1b[?7l")
    assert written.endswith("\x1b[?7h\x1b[?25h\x1b[?1049l")
    assert written.count("event 2 of 84") == 1


def test_a_terminal_gets_its_screen_back_whatever_happens() -> None:
    written: list[str] = []

    def interrupted(_: float | None) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        page(REPLAY, Place(1, "full"), Ink(), interrupted, written.append)
    assert written[-1] == "\x1b[?7h\x1b[?25h\x1b[?1049l"


def test_several_keys_are_one_drawing() -> None:
    assert run(RIGHT * 5 + "n", "q").count("\x1b[H") == 2


def test_space_plays_on_until_a_key_stops_it() -> None:
    waits: list[float | None] = []
    written = run(" ", "", "", "", LEFT, " ", "", " ", "q", waits=waits)
    shown = [int(seq) for seq in re.findall(r"event (\d+) of 84", written)]
    assert shown == [1, 1, 2, 3, 4, 3, 3, 4, 4]
    assert [wait is None for wait in waits] == [
        *(True, False, False, False, False, True, False, False, True)
    ]


def test_playing_on_ends_with_the_log() -> None:
    waits: list[float | None] = []
    run(END, LEFT, " ", "", "q", waits=waits)
    assert [wait is None for wait in waits] == [True, True, True, False, True]


def test_nothing_is_drawn_after_leaving() -> None:
    assert run("q" + RIGHT).count("\x1b[H") == 1


def test_a_resized_terminal_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([(80, 24), (70, 20), (70, 20)])
    monkeypatch.setattr("shutil.get_terminal_size", lambda: next(sizes))
    written: list[str] = []

    def resized(_: float | None) -> str:
        if len(written) == 2:
            os.kill(os.getpid(), signal.SIGWINCH)
            return RIGHT
        return "q"

    before = signal.getsignal(signal.SIGWINCH)
    page(REPLAY, Place(1, "full"), Ink(), resized, written.append)
    drawn = [text for text in written if text.startswith("\x1b[H")]
    assert [text.count("\r\n") + 1 for text in drawn] == [24, 20, 20]
    assert signal.getsignal(signal.SIGWINCH) == before
