"""What is laid over the table: a sheet to read, and the question for an event's number."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ginrummy.replay.ink import width
from ginrummy.replay.terminal.widgets import Lines

__all__ = ["Paper", "Question"]


class Paper(ModalScreen[None]):
    """Lines to read, as large as they need, at most as large as the terminal."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,question_mark,r,s,f1", "app.pop_screen", "close"),
        Binding("up,k", "move(-1)", "up"),
        Binding("down,j", "move(1)", "down"),
        Binding("pageup", "page(-1)", "page up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("home", "move(-1000000)", "top"),
        Binding("end", "move(1000000)", "bottom"),
        Binding("ctrl+c", "app.quit", "quit"),
    ]

    def __init__(self, title: str, draw: Callable[[int], Sequence[str]]) -> None:
        """Take a title, and what draws the lines for so many columns."""
        super().__init__()
        self._title = title
        self._draw = draw

    def compose(self) -> ComposeResult:
        """Make the sheet."""
        lines = Lines(id="paper")
        lines.border_title = self._title
        lines.border_subtitle = "esc closes"
        yield lines

    def on_resize(self, event: events.Resize) -> None:
        """Draw the lines for the room that there is."""
        self.draw(event.size.width, event.size.height)

    def draw(self, columns: int, rows: int) -> None:
        """Draw the lines in a terminal of this size."""
        sheet = self.query_one("#paper", Lines)
        lines = self._draw(max(10, min(columns, 100) - 4))
        longest = max((*map(width, lines), len(self._title) + 4))
        # The border, a blank column at both sides, and the scroll bar.
        sheet.styles.width = min(columns, longest + 5)
        sheet.styles.height = min(rows, len(lines) + 2)
        sheet.show(lines)

    def action_move(self, by: int) -> None:
        """Scroll by some lines."""
        self.query_one("#paper", Lines).scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll by some pages."""
        sheet = self.query_one("#paper", Lines)
        sheet.scroll_relative(y=by * max(1, sheet.size.height - 1), animate=False)


class Question(ModalScreen[int | None]):
    """Asks for the number of an event."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "give_up", "close")]

    def __init__(self, last: int) -> None:
        """Take the number of the last event."""
        super().__init__()
        self._last = last

    def compose(self) -> ComposeResult:
        """Make the line that is typed into."""
        yield Static(f"Go to event, 1 to {self._last}:", id="asked")
        yield Input(type="integer", id="answer", max_length=12, compact=True)

    def on_mount(self) -> None:
        """Take what is typed."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the number back; one that there is not is said to be so."""
        typed = event.value.strip()
        if not typed:
            self.dismiss(None)
        elif typed.isdecimal() and 1 <= int(typed) <= self._last:
            self.dismiss(int(typed))
        else:
            said = f"There is no event {typed}: 1 to {self._last}:"
            self.query_one("#asked", Static).update(said)
            event.input.clear()

    def action_give_up(self) -> None:
        """Stay where one is."""
        self.dismiss(None)
