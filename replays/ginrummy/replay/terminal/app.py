"""The application: keys and the mouse lead to a place, and all parts of the screen follow it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeAlias

from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import Worker, get_current_worker

from ginrummy.replay import jumps
from ginrummy.replay.ink import Ink
from ginrummy.replay.terminal.bars import (
    Bar,
    draw_keys,
    draw_title,
    draw_views,
    draw_way,
    seq_on_way,
)
from ginrummy.replay.terminal.course import Course, Place
from ginrummy.replay.terminal.layout import Layout, lay_out
from ginrummy.replay.terminal.moves import draw_move
from ginrummy.replay.terminal.papers import draw_help, draw_report, draw_sheet
from ginrummy.replay.terminal.player import Player, Timer
from ginrummy.replay.terminal.proving import Finding, Proof
from ginrummy.replay.terminal.scene import scene_at
from ginrummy.replay.terminal.screens import Paper, Question
from ginrummy.replay.terminal.table import draw_table
from ginrummy.replay.terminal.telling import address_of, draw_telling
from ginrummy.replay.terminal.widgets import BarLine, Lines, Moves, put
from ginrummy.rules.view import Perspective

__all__ = ["Prove", "ReplayApp", "TableScreen"]

Prove: TypeAlias = Callable[[Iterable[bytes]], Proof]
"""Audits the lines of a match, in a thread of its own; it may go through them several times."""

_EYES: dict[str, Perspective] = {"full": "full", "0": 0, "1": 1, "public": "public"}


class TableScreen(Screen[None], inherit_bindings=False):
    """The table, the moves, and what is to be said of the event that the reader is at."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,down,j,enter", "step(1)", "on"),
        Binding("left,h,up,backspace", "step(-1)", "back"),
        Binding("home", "leap('first')", "first event"),
        Binding("end,G", "leap('last')", "last event"),
        Binding("pagedown", "page(1)", "a page on"),
        Binding("pageup", "page(-1)", "a page back"),
        Binding("n", "next_hand", "next hand"),
        Binding("p", "leap('hand_before')", "previous hand"),
        Binding("k", "next_knock", "next knock"),
        Binding("K", "leap('knock_before')", "previous knock"),
        Binding("f", "leap('next_fault')", "next fault"),
        Binding("space", "play", "play"),
        Binding("plus,equals_sign", "pace(1)", "faster"),
        Binding("minus", "pace(-1)", "slower"),
        Binding("g,colon", "ask", "go to an event"),
        Binding("v,tab", "other_eyes", "whose eyes"),
        Binding("a", "eyes('full')", "all cards"),
        Binding("0", "eyes('0')", "seat 0"),
        Binding("1", "eyes('1')", "seat 1"),
        Binding("e", "eyes('public')", "everybody"),
        Binding("4", "four_colours", "four colours"),
        Binding("s", "sheet", "score sheet"),
        Binding("r", "report", "audit"),
        Binding("y", "copy", "copy the address"),
        Binding("question_mark,f1", "help", "help"),
        Binding("q,ctrl+c,ctrl+q", "leave", "quit"),
        Binding("ctrl+z", "app.suspend_process", "suspend"),
    ]

    def __init__(
        self, course: Course, place: Place, ink: Ink, prove: Prove | None, timer: Timer | None
    ) -> None:
        """Begin at a place. `timer` is the one that steps are timed with, Textual's own if None."""
        super().__init__()
        self.course = course
        self.place = place
        """Where the reader is."""
        self.ink = ink
        self.proof: Proof | None = None
        """What the audit has found; None while it is under way."""
        self._prove = prove
        self._found: Mapping[int, Sequence[Finding]] = {}
        self._said = ""
        self._layout: Layout | None = None
        self.player = Player(timer or self.set_timer, self._play_on)

    def compose(self) -> ComposeResult:
        """Make the parts; where they go is said when the size is known."""
        yield BarLine(id="title")
        yield BarLine(id="views")
        yield Lines(id="table")
        yield BarLine(id="way")
        yield Lines(id="telling")
        yield Moves(self._draw_move, id="moves")
        yield Lines(id="sheet")
        yield BarLine(id="keys")

    def on_mount(self) -> None:
        """Begin to audit."""
        if self._prove is not None:
            self.run_worker(self._audit, thread=True, exit_on_error=False)

    def on_resize(self) -> None:
        """Lay the parts out anew."""
        self.show()

    # --- what is shown --------------------------------------------------------------------------

    def show(self) -> None:
        """Show the place that the reader is at."""
        columns, rows = self.size.width, self.size.height
        if not columns or not rows:
            return
        course, place, ink = self.course, self.place, self.ink
        findings = self._found.get(place.seq, ())
        wide = lay_out(columns, rows, 1).telling.columns
        telling = draw_telling(course, place, findings, wide, ink)
        layout = lay_out(columns, rows, len(telling))
        if layout != self._layout:
            # Laying out anew takes longer than drawing anew.
            self._layout = layout
            for name in layout.__struct_fields__:
                put(self.query_one(f"#{name}"), getattr(layout, name))
        self._bar("title").show(Bar(draw_title(course, place, columns, ink)))
        self._bar("views").show(draw_views(course, place, self._status(), columns, ink))
        self._bar("way").show(draw_way(course, place.seq, layout.way.columns, ink))
        self._bar("keys").show(draw_keys(columns, ink, is_playing=self.player.is_playing))
        scene = scene_at(course.replay, place)
        table = draw_table(scene, layout.table.columns - 1, layout.table.rows, ink)
        self._lines("table").show(table)
        self._lines("telling").show(telling)
        self._lines("sheet").show(draw_sheet(course, place, ink) if layout.sheet.rows else ())
        self.query_one("#moves", Moves).show(course.rows, course.row_of(place.seq))

    def _bar(self, name: str) -> BarLine:
        return self.query_one(f"#{name}", BarLine)

    def _lines(self, name: str) -> Lines:
        return self.query_one(f"#{name}", Lines)

    def _draw_move(self, number: int, columns: int) -> str:
        return draw_move(self.course, number, self.place, self._found, columns, self.ink)

    def _status(self) -> str:
        """Return what is under way, or what was found, in a few words."""
        ink = self.ink
        if self._said:
            return ink.strong(self._said)
        if self.player.is_playing:
            return ink.strong(f"{'▶▶' if ink.symbols else '>>'} {self.player.pace.name}")
        if self.course.replay.broken is not None and (self.proof is None or self.proof.is_good):
            return ink.alarm(f"breaks off after event {self.course.last}")
        if self.proof is None:
            if self._prove is None:
                return ""
            return ink.faint("auditing the log …" if ink.symbols else "auditing the log")
        good, bad = ("✓", "✗") if ink.symbols else ("ok:", "!")
        if self.proof.is_good:
            return f"{good} {self.proof.verdict}"
        return ink.alarm(f"{bad} {self.proof.verdict}")

    # --- where the reader goes ------------------------------------------------------------------

    def go(self, seq: int, perspective: Perspective | None = None) -> None:
        """Go to an event, or the nearest that there is, and look with these eyes, or the same."""
        self._said = ""
        seen = self.place.perspective if perspective is None else perspective
        self.place = self.course.place(seq, seen)
        self.show()

    def leap(self, seq: int) -> None:
        """Go to an event, and stop playing."""
        self.player.stop()
        self.go(seq)

    def _play_on(self) -> bool:
        self.go(self.place.seq + 1)
        more = self.place.seq < self.course.last
        if not more:
            # The status is that of the audit again.
            self.call_next(self.show)
        return more

    def action_step(self, by: int) -> None:
        """Go some events on, or back."""
        self.leap(self.place.seq + by)

    def action_page(self, by: int) -> None:
        """Go as many events on, or back, as the list shows."""
        self.leap(self.place.seq + by * max(1, self.query_one("#moves").size.height - 1))

    def action_leap(self, where: str) -> None:
        """Go where a name says."""
        replay, seq = self.course.replay, self.place.seq
        if where == "first":
            self.leap(1)
        elif where == "last":
            self.leap(self.course.last)
        elif where == "hand_before":
            self.leap(jumps.hand_before(replay, seq))
        elif where == "knock_before":
            self.leap(jumps.knock_before(replay, seq))
        else:
            self._next_fault()

    def action_next_hand(self) -> None:
        """Go to the next hand."""
        self.leap(jumps.next_hand(self.course.replay, self.place.seq))

    def action_next_knock(self) -> None:
        """Go to the next knock."""
        self.leap(jumps.next_knock(self.course.replay, self.place.seq))

    def _next_fault(self) -> None:
        """Go to the next event in which there is a fault, and after the last to the first."""
        faulty = sorted({min(seq, self.course.last) for seq in self._found})
        if not faulty:
            self._say("no fault is found" if self.proof else "the audit is not done yet")
            return
        self.leap(next((seq for seq in faulty if seq > self.place.seq), faulty[0]))

    def action_ask(self) -> None:
        """Ask for an event's number, and go there."""
        self.player.stop()
        self.app.push_screen(Question(self.course.last), self._answered)

    def _answered(self, seq: int | None) -> None:
        if seq is not None:
            self.leap(seq)

    def on_moves_chosen(self, chosen: Moves.Chosen) -> None:
        """Go to the move that was pressed."""
        self.leap(self.course.seq_in(chosen.number))

    def action_way(self, column: int) -> None:
        """Go to where the line across was pressed."""
        self.leap(seq_on_way(self.course, column, self.query_one("#way").size.width))

    # --- how it is looked at --------------------------------------------------------------------

    def action_eyes(self, whose: str) -> None:
        """Look with somebody's eyes."""
        wanted = _EYES[whose]
        if wanted not in self.course.views:
            self._say("no deck is out yet")
            return
        self.go(self.place.seq, wanted)

    def action_other_eyes(self) -> None:
        """Look with the next one's eyes."""
        self.go(self.place.seq, self.course.other_eyes(self.place).perspective)

    def action_four_colours(self) -> None:
        """Give each suit a colour of its own, or two of them one."""
        self.ink = replace(self.ink, four_colours=not self.ink.four_colours)
        self.show()

    def action_play(self) -> None:
        """Play on by itself, or stop; at the end, from the beginning again."""
        if self.player.is_playing:
            self.player.stop()
        else:
            if self.place.seq >= self.course.last:
                self.go(1)
            self.player.start()
        self._said = ""
        self.show()

    def action_pace(self, by: int) -> None:
        """Play faster, or slower."""
        self.player.change_pace(by)
        self._say(f"pace: {self.player.pace.name}")

    # --- what is laid over it -------------------------------------------------------------------

    def action_help(self) -> None:
        """Show what the keys do."""
        self._lay("Keys", lambda _: draw_help(self.ink))

    def action_sheet(self) -> None:
        """Show the score sheet."""
        self._lay("Score sheet", lambda _: draw_sheet(self.course, self.place, self.ink))

    def action_report(self) -> None:
        """Show what is known of the log."""
        proof = self.proof or Proof(
            "it is not audited" if self._prove is None else "it is being audited", is_good=True
        )
        self._lay(
            "Proof", lambda columns: draw_report(self.course, proof, self.place, columns, self.ink)
        )

    def _lay(self, title: str, draw: Callable[[int], Sequence[str]]) -> None:
        self.player.stop()
        self.show()
        self.app.push_screen(Paper(title, draw))

    def action_copy(self) -> None:
        """Copy the event's address to the terminal's clipboard."""
        self.app.copy_to_clipboard(address_of(self.course.at(self.place.seq)))
        self._say(f"address of event {self.place.seq} copied")

    def action_leave(self) -> None:
        """End the replay."""
        self.app.exit()

    def _say(self, text: str) -> None:
        """Say something until the reader goes on."""
        self._said = text
        self.show()

    # --- the audit ------------------------------------------------------------------------------

    def _audit(self) -> None:
        """Audit the log, in a thread of its own."""
        assert self._prove is not None
        worker = get_current_worker()
        try:
            proof = self._prove(_Given(self.course.replay.lines, worker))
        except _NobodyWaits:
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._audited, proof)

    def _audited(self, proof: Proof) -> None:
        self.proof, self._found = proof, proof.by_event()
        self.show()


class _NobodyWaits(Exception):  # noqa: N818 -- nothing has gone wrong
    """The replay was left while its log was audited."""


class _Given:
    """Lines that are given out until nobody waits for them any more."""

    def __init__(self, lines: Sequence[bytes], worker: Worker[None]) -> None:
        self._lines = lines
        self._worker = worker

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            if self._worker.is_cancelled:
                raise _NobodyWaits
            yield line


_BAIZE = Theme(
    name="baize",
    primary="#86cfa8",
    secondary="#f0c060",
    error="#f2a093",
    foreground="#e7e9e4",
    background="#141817",
    surface="#1d2321",
    panel="#1c3a2e",
    dark=True,
)


class ReplayApp(App[None]):
    """A replay on a terminal of its own."""

    TITLE = "gin replay"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "app.tcss"

    def __init__(
        self,
        course: Course,
        place: Place,
        ink: Ink,
        *,
        prove: Prove | None = None,
        timer: Timer | None = None,
    ) -> None:
        """Take a match, where to begin, and what may be drawn with.

        `prove` audits the log while it is looked at; `timer` is what playing is timed with.
        """
        # Without colours a terminal's own are left alone as well.
        super().__init__(ansi_color=not ink.colour)
        self.register_theme(_BAIZE)
        self.theme = "baize"
        self.set_class(not ink.symbols, "letters")
        self.table = TableScreen(course, place, ink, prove, timer)
        """The screen with the table."""

    def on_mount(self) -> None:
        """Show the table."""
        self.push_screen(self.table)
