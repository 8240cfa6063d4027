"""What a terminal replay shows, read back as text, and a timer that a test lets run.

scenery(course, place)   all that is drawn of a place, part by part
shown(app)               the screen as it stands, row by row
"""

from collections.abc import Callable

from ginrummy.replay.ink import Ink
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.app import ReplayApp, TableScreen
from ginrummy.replay.terminal.bars import draw_title, draw_views
from ginrummy.replay.terminal.course import Course, Place
from ginrummy.replay.terminal.moves import draw_move
from ginrummy.replay.terminal.papers import draw_sheet
from ginrummy.replay.terminal.scene import scene_at
from ginrummy.replay.terminal.table import draw_table
from ginrummy.replay.terminal.telling import draw_telling
from ginrummy.rules.cards import CardSet, card_set, cards_in, parse_cards
from ginrummy.rules.view import Perspective, view

__all__ = ["FakeTimer", "hidden_from", "scenery", "shown", "table_of"]

LETTERS = Ink(symbols=False)


def scenery(course: Course, place: Place, columns: int = 80, rows: int = 12) -> list[str]:
    """Return what is drawn of a place, but for the list of moves, in letters."""
    return [
        draw_title(course, place, columns, LETTERS),
        draw_views(course, place, "", columns, LETTERS).text,
        *draw_table(scene_at(course.replay, place), columns, rows, LETTERS),
        *draw_telling(course, place, (), columns, LETTERS),
        *draw_sheet(course, place, LETTERS),
    ]


def moves_of(course: Course, perspective: Perspective, columns: int = 120) -> list[str]:
    """Return the whole list of moves."""
    place = course.place(1, perspective)
    return [draw_move(course, row, place, (), columns, LETTERS) for row in range(course.rows)]


def hidden_from(replay: Replay, seq: int, perspective: Perspective) -> CardSet:
    """Return the cards that a viewer may not know, and that have never lain open in this hand."""
    match = replay.at(seq).match
    full, seen = view(match, "full").hand, view(match, perspective).hand
    if full is None or seen is None:
        return 0
    held = card_set(card for hand in full.hands for card in hand.cards)
    known = card_set(card for hand in seen.hands for card in hand.cards)
    down = 0 if full.face_down is None or seen.face_down is not None else full.face_down.bit
    thrown = scene_at(replay, Place(seq, "public")).thrown
    return (held & ~known | down) & ~card_set(each.card for each in thrown)


def cards_named(text: str) -> CardSet:
    """Return the cards that a text in letters names, wherever they stand in it."""
    names = (text[at : at + 2] for at in range(len(text) - 1))
    return card_set(
        card
        for name in names
        if name[0] in "A23456789TJQK" and name[1] in "SHDC"
        for card in parse_cards(name)
    )


def table_of(app: ReplayApp) -> TableScreen:
    """Return the screen with the table, whatever is laid over it."""
    return app.table


def shown(app: ReplayApp) -> list[str]:
    """Return what is on the screen, row by row."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


class FakeTimer:
    """A timer whose time a test lets pass."""

    def __init__(self) -> None:
        """Nothing is due."""
        self.due: list[_Call] = []

    def __call__(self, seconds: float, call: Callable[[], None]) -> "_Call":
        """Make a call due."""
        made = _Call(self, seconds, call)
        self.due.append(made)
        return made

    def run(self) -> float:
        """Let the only call that is due be made; return after how many seconds it was to be."""
        (made,) = self.due
        self.due = []
        made.call()
        return made.seconds


class _Call:
    def __init__(self, timer: FakeTimer, seconds: float, call: Callable[[], None]) -> None:
        self.seconds = seconds
        self.call = call
        self._timer = timer

    def stop(self) -> None:
        if self in self._timer.due:
            self._timer.due.remove(self)


__all__ += ["cards_in", "cards_named", "moves_of"]
