"""The application, driven by keys and the mouse: where they lead, and what is then shown."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager

import pytest
from support_golden import GOLDEN, golden_log
from support_logs import edited, events_of, without
from support_terminal import FakeTimer, cards_named, hidden_from, shown
from textual.pilot import Pilot

from ginrummy.replay.ink import Ink, width
from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.app import Prove, ReplayApp
from ginrummy.replay.terminal.course import Course, Place
from ginrummy.replay.terminal.proving import Finding, Proof
from ginrummy.replay.terminal.telling import address_of
from ginrummy.rules.cards import cards_in
from ginrummy.rules.view import Perspective

LOG = golden_log("classic")
REPLAY = Replay(LOG)
LAST = REPLAY.last
SECOND, THIRD = REPLAY.hand(2).first, REPLAY.hand(3).first
LETTERS = Ink(symbols=False)
USUAL = (80, 24)


def app_at(
    seq: int = 1,
    perspective: Perspective = "full",
    *,
    course: Course | None = None,
    ink: Ink = LETTERS,
    prove: Prove | None = None,
    timer: FakeTimer | None = None,
) -> ReplayApp:
    course = course or Course(REPLAY)
    return ReplayApp(course, course.place(seq, perspective), ink, prove=prove, timer=timer)


@asynccontextmanager
async def running(app: ReplayApp, size: tuple[int, int] = USUAL) -> AsyncIterator[Pilot[None]]:
    """Run an application without a terminal, once it has drawn itself."""
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def text(app: ReplayApp) -> str:
    return "\n".join(shown(app))


def place(app: ReplayApp) -> Place:
    return app.table.place


# --- keys ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "keys", "seq"),
    [
        (5, "right", 6),
        (5, "l", 6),
        (5, "down", 6),
        (5, "enter", 6),
        (5, "left", 4),
        (5, "h", 4),
        (5, "up", 4),
        (5, "backspace", 4),
        (1, "left", 1),
        (LAST, "right", LAST),
        (50, "home", 1),
        (5, "end", LAST),
        (50, "pageup", 46),
        (50, "pagedown", 54),
        (1, "n n", SECOND),
        (THIRD, "n", LAST),
        (THIRD, "p", SECOND),
        (SECOND + 3, "p", SECOND),
        (1, "k", REPLAY.knocks[0]),
        (LAST, "K", REPLAY.knocks[-1]),
        (5, "g 5 7 enter", 57),
        (5, "g 5 7 escape", 5),
        (5, "g enter", 5),
        (5, "g 9 9 enter 4 2 enter", 42),
        (5, "g 0 enter 3 enter", 3),
        (5, "x", 5),
    ],
)
async def test_keys_lead_where_they_say(start: int, keys: str, seq: int) -> None:
    app = app_at(start)
    async with running(app) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
        assert place(app).seq == seq
        assert f"event {seq} of {LAST}" in shown(app)[0]


async def test_a_number_that_there_is_not_is_said_to_be_so() -> None:
    app = app_at(5)
    async with running(app) as pilot:
        await pilot.press("g", "9", "9", "enter")
        await pilot.pause()
        assert "There is no event 99: 1 to 84" in text(app)


@pytest.mark.parametrize(
    ("keys", "seen"),
    [
        ("v", 0),
        ("tab v", 1),
        ("v v v", "public"),
        ("v v v v", "full"),
        ("0", 0),
        ("1", 1),
        ("e", "public"),
        ("e a", "full"),
    ],
)
async def test_keys_change_whose_eyes(keys: str, seen: Perspective) -> None:
    app = app_at(20)
    async with running(app) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
        assert place(app) == Place(20, seen)
        chosen = re.search(r"\[(.+?)\]", shown(app)[1])
        assert chosen is not None
        names = {"full": "All cards", 0: "Alice", 1: "Bob", "public": "Everybody"}
        assert chosen[1] == names[seen]


async def test_a_sealed_log_has_nobody_else_s_eyes() -> None:
    app = app_at(20, course=Course(Replay(golden_log("unrevealed"))))
    async with running(app) as pilot:
        await pilot.press("0")
        await pilot.pause()
        assert place(app) == Place(20, "public")
        assert "no deck is out yet" in shown(app)[1]


async def test_the_address_is_copied() -> None:
    app = app_at(57)
    async with running(app) as pilot:
        await pilot.press("y")
        await pilot.pause()
        assert app.clipboard == address_of(REPLAY.at(57))
        assert "address of event 57 copied" in shown(app)[1]
        assert app.clipboard in text(app)
        await pilot.press("right")
        await pilot.pause()
        assert "copied" not in text(app)


async def test_four_colours_are_switched_on_and_off() -> None:
    app = app_at(20, ink=Ink(colour=True))
    async with running(app) as pilot:
        before = app.export_screenshot()
        await pilot.press("4")
        await pilot.pause()
        assert "#1557c0" not in before
        assert "#1557c0" in app.export_screenshot()
        await pilot.press("4")
        await pilot.pause()
        assert "#1557c0" not in app.export_screenshot()


@pytest.mark.parametrize("keys", ["q", "ctrl+c", "r ctrl+c", "space q"])
async def test_leaving_ends_it(keys: str) -> None:
    app = app_at(20)
    async with running(app) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
        assert not app.is_running


@pytest.mark.parametrize(
    ("key", "title"), [("question_mark", "Keys"), ("s", "Score sheet"), ("r", "Proof")]
)
async def test_papers_are_laid_over_and_taken_away(key: str, title: str) -> None:
    app = app_at(LAST)
    async with running(app) as pilot:
        before = shown(app)
        await pilot.press(key)
        await pilot.pause()
        assert re.search(rf"\+- {title} -+\+", text(app))
        assert "esc closes" in text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert shown(app) == before


async def test_a_paper_that_is_longer_than_the_terminal_is_scrolled() -> None:
    app = app_at(5)
    async with running(app, (60, 12)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        assert "home, end" in text(app)
        assert "the mouse" not in text(app)
        await pilot.press("end")
        await pilot.pause()
        assert "the mouse" in text(app)
        await pilot.press("pageup", "home")
        await pilot.pause()
        assert "home, end" in text(app)


# --- the mouse ----------------------------------------------------------------------------------


async def press(app: ReplayApp, pilot: Pilot[None], wanted: str, rows: slice = slice(None)) -> None:
    """Press the first place where a text is on the screen."""
    lines = shown(app)
    row = next(at for at in range(*rows.indices(len(lines))) if wanted in lines[at])
    await pilot.click(offset=(lines[row].index(wanted), row))
    await pilot.pause()


async def test_a_move_that_is_pressed_is_gone_to() -> None:
    app = app_at(50)
    async with running(app) as pilot:
        await press(app, pilot, "   48   ")
        assert place(app).seq == 48
        await press(app, pilot, "   46   ")
        assert place(app).seq == 46


async def test_a_heading_that_is_pressed_leads_to_the_deal() -> None:
    app = app_at(SECOND + 1)
    async with running(app) as pilot:
        await press(app, pilot, "-- Hand 2")
        assert place(app).seq == SECOND


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("Bob  Everybody", Place(20, 1)),
        ("Everybody", Place(20, "public")),
        ("right step", Place(21, "full")),
        ("left", Place(19, "full")),
        ("n hand", Place(SECOND, "full")),
        ("k knock", Place(REPLAY.knocks[0], "full")),
        ("v eyes", Place(20, 0)),
    ],
)
async def test_bars_are_pressed(wanted: str, expected: Place) -> None:
    app = app_at(20)
    async with running(app) as pilot:
        rows = slice(1, 2) if wanted in shown(app)[1] else slice(23, 24)
        await press(app, pilot, wanted, rows)
        assert place(app) == expected


async def test_the_way_is_pressed() -> None:
    app = app_at(20)
    async with running(app) as pilot:
        row = next(at for at, line in enumerate(shown(app)) if "O--" in line)
        await pilot.click(offset=(79, row))
        await pilot.pause()
        assert place(app).seq == LAST
        await pilot.click(offset=(0, row))
        await pilot.pause()
        assert place(app).seq == 1


async def test_the_list_is_scrolled_and_comes_back() -> None:
    app = app_at(50)
    async with running(app, (130, 40)) as pilot:
        moves = app.table.query_one("#moves")
        moves.scroll_end(animate=False)
        await pilot.pause()
        assert "   84   " in text(app)
        assert "    50   " not in text(app)
        await pilot.press("right")
        await pilot.pause()
        assert ">   51   " in text(app)


# --- playing ------------------------------------------------------------------------------------


async def test_it_plays_to_the_end_by_itself() -> None:
    timer = FakeTimer()
    app = app_at(LAST - 2, timer=timer)
    async with running(app) as pilot:
        await pilot.press("space")
        await pilot.pause()
        assert ">> steady" in shown(app)[1]
        assert "space stop" in shown(app)[-1]
        assert timer.run() == 1.2
        await pilot.pause()
        assert place(app).seq == LAST - 1
        assert ">> steady" in shown(app)[1]
        timer.run()
        await pilot.pause()
        assert (place(app).seq, timer.due) == (LAST, [])
        assert "steady" not in shown(app)[1]
        assert "space play" in shown(app)[-1]


async def test_at_the_end_it_begins_again() -> None:
    timer = FakeTimer()
    app = app_at(LAST, timer=timer)
    async with running(app) as pilot:
        await pilot.press("space")
        assert place(app).seq == 1
        timer.run()
        assert place(app).seq == 2


@pytest.mark.parametrize("key", ["space", "right", "home", "n", "g", "s", "question_mark"])
async def test_whoever_takes_over_stops_it(key: str) -> None:
    timer = FakeTimer()
    app = app_at(20, timer=timer)
    async with running(app) as pilot:
        await pilot.press("space")
        assert len(timer.due) == 1
        await pilot.press(key)
        assert timer.due == []


@pytest.mark.parametrize("key", ["v", "4", "y"])
async def test_looking_otherwise_does_not_stop_it(key: str) -> None:
    timer = FakeTimer()
    app = app_at(20, timer=timer)
    async with running(app) as pilot:
        await pilot.press("space", key)
        assert len(timer.due) == 1


async def test_the_pace_is_changed() -> None:
    timer = FakeTimer()
    app = app_at(20, timer=timer)
    async with running(app) as pilot:
        await pilot.press("space", "plus")
        await pilot.pause()
        assert "pace: brisk" in shown(app)[1]
        assert timer.run() == 0.6
        await pilot.press("minus", "minus")
        assert timer.run() == 2.4


# --- sizes --------------------------------------------------------------------------------------


SIZES = [(80, 24), (60, 20), (200, 50), (120, 30), (100, 30), (40, 12), (20, 5), (10, 3), (1, 1)]


@pytest.mark.parametrize("ink", [Ink(), Ink(colour=True), LETTERS], ids=["plain", "colour", "a"])
async def test_every_size_is_drawn_and_changed_to(ink: Ink) -> None:
    app = app_at(50, ink=ink)
    async with running(app, (80, 24)) as pilot:
        for size in [*SIZES, *reversed(SIZES)]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            lines = shown(app)
            assert len(lines) == size[1]
            assert {width(line) for line in lines} == {size[0]}


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (200, 50)])
async def test_a_screen_shows_all_that_is_needed(size: tuple[int, int]) -> None:
    app = app_at(49, 1)
    async with running(app, size):
        said = text(app)
        for wanted in (
            *("Golden classic", "event 49 of 84", "[Bob]"),
            *("Alice, dealer", "8H", "0 points", "deadwood 13", "Bob, to discard or knock"),
            *("pile", "*8C", "-9H", "stock 13", "knock at 10 or less"),
            *("Bob draws 5C", "thought 1.5 s", "rule T1", "by Bob"),
            address_of(REPLAY.at(49))[:20],
            *(">   49", "? help", "q quit"),
        ):
            assert wanted in said, wanted
        assert {"2H", "2D", "4D", "9S", "9H", "9D", "9C", "4C", "5C", "6C"} <= set(
            re.findall("[A23456789TJQK][SHDC]", said)
        )


async def test_the_picture_in_the_docs_is_what_is_shown() -> None:
    app = app_at(49, 1, ink=Ink(), prove=lambda _: Proof("audited, no fault", is_good=True))
    page = (GOLDEN.parents[1] / "docs" / "replays.md").read_text(encoding="utf-8")
    async with running(app) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "\n".join(f"    {line}".rstrip() for line in shown(app)) in page


async def test_a_wide_terminal_has_the_moves_of_a_whole_hand_and_the_sheet() -> None:
    app = app_at(60)
    async with running(app, (200, 50)):
        said = text(app)
        assert "   53   Hand 2: Bob deals" in said
        assert "1    undercut" in said
        assert ">   60" in said


async def test_what_does_not_fit_is_scrolled() -> None:
    app = app_at(50)
    async with running(app, (30, 8)) as pilot:
        table = app.table.query_one("#table")
        assert table.max_scroll_y > 0
        table.scroll_end(animate=False)
        await pilot.pause()
        assert "[4H 5H 6H 7H 8H]" in text(app)


# --- secrecy ------------------------------------------------------------------------------------


def widget_texts(app: ReplayApp) -> Iterator[str]:
    """Yield all the text that the widgets hold, on the screen or scrolled out of it."""
    for widget in app.screen.walk_children():
        yield "\n".join(getattr(widget, "lines", ()))
        if hasattr(widget, "bar"):
            yield widget.bar.text


@pytest.mark.parametrize("perspective", [0, 1, "public"])
async def test_no_widget_holds_what_is_hidden(perspective: Perspective) -> None:
    app = app_at(1, perspective)
    async with running(app, (200, 50)):
        for seq in [*range(1, LAST + 1, 7), *REPLAY.knocks]:
            app.table.go(seq)
            held = cards_named("\n".join(widget_texts(app)))
            hidden = hidden_from(REPLAY, seq, perspective)
            assert not held & hidden, (seq, cards_in(held & hidden))


async def test_other_eyes_leave_nothing_behind() -> None:
    """What was on the screen for one perspective is not there for the next."""
    app = app_at(20, "full")
    async with running(app) as pilot:
        await pilot.press("e")
        await pilot.pause()
        (*above, _, _, _, _, _, keys) = shown(app)
        drawn = cards_named("\n".join([*above, keys]))
        assert not drawn & hidden_from(REPLAY, 20, "public")


# --- the log and its audit ----------------------------------------------------------------------


def one_fault() -> Prove:
    """Return an audit that finds one fault, once it has gone through the lines."""

    def prove(lines: Iterable[bytes]) -> Proof:
        assert list(lines) == LOG
        return Proof(
            "1 fault found",
            is_good=False,
            findings=(Finding(50, "deck, rule K2", "5D is not the card that Bob held"),),
        )

    return prove


async def test_the_audit_runs_beside_and_says_what_it_found() -> None:
    app = app_at(20, prove=one_fault())
    async with running(app) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "! 1 fault found" in shown(app)[1]
        await pilot.press("f")
        await pilot.pause()
        assert place(app).seq == 50
        assert "! deck, rule K2: 5D is not the card that Bob held" in text(app)
        assert re.search(r">   50 ! Bob knocks", text(app))
        await pilot.press("r")
        await pilot.pause()
        assert "The log: 1 fault found" in text(app)


async def test_a_log_without_faults_has_none_to_go_to() -> None:
    app = app_at(20, prove=lambda _: Proof("audited, no fault", is_good=True))
    async with running(app) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "ok: audited, no fault" in shown(app)[1]
        await pilot.press("f")
        await pilot.pause()
        assert place(app).seq == 20
        assert "no fault is found" in shown(app)[1]


async def test_leaving_does_not_wait_for_a_long_audit() -> None:
    """The lines stop coming as soon as nobody is there to see the result."""
    begun = threading.Event()

    def prove(lines: Iterable[bytes]) -> Proof:
        begun.set()
        while True:
            for _ in lines:
                pass

    app = app_at(20, prove=prove)
    async with running(app) as pilot:
        await asyncio.to_thread(begun.wait)
        assert "auditing the log" in shown(app)[1]
        await pilot.press("q")
    assert app.return_code == 0


async def test_a_log_that_breaks_off_is_shown_up_to_there() -> None:
    course = Course(Replay(without(LOG, 30)))
    app = app_at(1, course=course)
    async with running(app) as pilot:
        assert "breaks off after event 30" in shown(app)[1]
        await pilot.press("end")
        await pilot.pause()
        assert place(app).seq == 30
        assert "event 32 comes next: no more can be followed" in text(app)
        await press(app, pilot, "event 32 comes next")
        assert place(app).seq == 30
        await pilot.press("r")
        await pilot.pause()
        assert "cannot be followed past event 30" in text(app)


async def test_an_event_of_an_unknown_type_ends_the_replay_by_its_name() -> None:
    """D5 nothing is passed over."""
    app = app_at(1, course=Course(Replay(edited(LOG, 40, type="melted"))))
    async with running(app) as pilot:
        await pilot.press("end")
        await pilot.pause()
        assert place(app).seq == 40
        assert "melted in version 1 is known to no reader here" in text(app)


async def test_notes_are_shown_with_their_events() -> None:
    app = app_at(10, course=Course(REPLAY, [Note(10, "Why not the 8?")]))
    async with running(app):
        assert "* Why not the 8?" in text(app)


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.log")))
async def test_every_golden_log_is_stepped_through(name: str) -> None:
    """Each event of every form that ever shipped, and its words, are on the screen."""
    course = Course(Replay(golden_log(name)))
    app = app_at(1, course=course)
    types = events_of(golden_log(name), "stock_drawn", "discarded", "discard_taken")
    wanted = [seq for seq in range(1, course.last + 1) if seq - 1 not in types]
    async with running(app) as pilot:
        for seq in wanted:
            app.table.go(seq)
            await pilot.pause()
            assert f"event {seq} of {course.last}" in shown(app)[0]
            assert f">{seq:>5} " in text(app)
