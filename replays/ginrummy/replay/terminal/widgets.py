"""The parts of the screen: each shows lines of text that somebody has drawn, and no more."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from ginrummy.replay.terminal.bars import Bar
from ginrummy.replay.terminal.inked import strip_of
from ginrummy.replay.terminal.layout import Box

__all__ = ["BarLine", "Lines", "Moves", "put"]


def put(widget: Widget, box: Box) -> None:
    """Put a widget where the layout has it, or hide it."""
    widget.display = box.rows > 0 and box.columns > 0
    widget.styles.offset = (box.x, box.y)
    widget.styles.width, widget.styles.height = box.columns, box.rows


class Lines(ScrollView, can_focus=False):
    """Lines of text, scrolled where there are more than fit."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 -- Textual's name
        """Show nothing yet."""
        super().__init__(id=id)
        self.lines: Sequence[str] = ()
        """What is shown, and nothing else is in the widget."""

    def show(self, lines: Sequence[str]) -> None:
        """Show other lines, from the first one on."""
        self.lines = lines
        self.virtual_size = Size(0, len(lines))
        self.scroll_to(y=0, animate=False)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line of the screen."""
        number = y + self.scroll_offset.y
        line = self.lines[number] if number < len(self.lines) else ""
        return strip_of(line, self.scrollable_content_region.width, self.rich_style)


class BarLine(Widget, can_focus=False):
    """One line of text, parts of which do something when they are pressed."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 -- Textual's name
        """Show nothing yet."""
        super().__init__(id=id)
        self.bar = Bar("")

    def show(self, bar: Bar) -> None:
        """Show another bar."""
        self.bar = bar
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line of the screen."""
        return strip_of(self.bar.text if y == 0 else "", self.size.width, self.rich_style)

    async def on_click(self, event: events.Click) -> None:
        """Do what was pressed."""
        action = self.bar.action_at(event.x)
        if action is not None:
            event.stop()
            await self.screen.run_action(action)


class Moves(ScrollView, can_focus=False):
    """The list of moves, of which only those rows are drawn that are to be seen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"moves--here"}

    class Chosen(Message):
        """A row was pressed."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number
            """The row, counted from 0."""

    def __init__(self, draw: Callable[[int, int], str], *, id: str) -> None:  # noqa: A002 -- as above
        """Take what draws a row, by its number, in so many columns."""
        super().__init__(id=id)
        self._draw = draw
        self._rows = 0
        self._here = 0

    def show(self, rows: int, here: int) -> None:
        """Show the list anew, with row `here` in its middle, of so many rows."""
        self._rows, self._here = rows, here
        self.virtual_size = Size(0, rows)
        self.on_resize()
        self.refresh()

    def on_resize(self) -> None:
        """Keep the row in the middle."""
        self.scroll_to(y=max(0, self._here - self.size.height // 2), animate=False)

    def render_line(self, y: int) -> Strip:
        """Return a line of the screen."""
        number = y + self.scroll_offset.y
        columns = self.scrollable_content_region.width
        if not 0 <= number < self._rows or not columns:
            return strip_of("", columns, self.rich_style)
        base = self.rich_style
        if number == self._here:
            base += self.get_component_rich_style("moves--here")
        return strip_of(self._draw(number, columns), columns, base)

    def on_click(self, event: events.Click) -> None:
        """Say which row was pressed."""
        number = event.y + self.scroll_offset.y
        if 0 <= number < self._rows:
            event.stop()
            self.post_message(self.Chosen(number))
