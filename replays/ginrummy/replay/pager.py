"""A replay on a terminal, stepped through with keys.

    key ──> press ──> Place ──> screen ──> terminal

What a key does and what is then shown are pure functions. `page` alone talks to the terminal, and
through nothing but a function that reads keys and one that writes text.
"""

import re
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from ginrummy.replay.ink import WIDTH, Ink, clip, spread
from ginrummy.replay.jumps import hand_before, next_hand, next_knock
from ginrummy.replay.notes import Note, note_lines
from ginrummy.replay.render import draw_heading, draw_view
from ginrummy.replay.rulings import text_lines
from ginrummy.replay.stepping import Replay
from ginrummy.replay.words import describe
from ginrummy.rules.view import Perspective, view

__all__ = ["Place", "keys_in", "page", "press", "screen"]

_PERSPECTIVES: tuple[Perspective, ...] = ("full", 0, 1, "public")
"""In the order in which the tab key goes through them."""

_KEYS = re.compile("\x1b\\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.", re.DOTALL)

Size: TypeAlias = tuple[int, int]
"""Columns and rows."""


class Place(msgspec.Struct, frozen=True):
    """Where a viewer is in a replay, and whose eyes they see it with."""

    seq: int
    perspective: Perspective


# --- what keys do -------------------------------------------------------------------------------


def keys_in(typed: str) -> list[str]:
    """Return the keys in what was typed: a terminal may hand over several at once."""
    return _KEYS.findall(typed)


def press(replay: Replay, place: Place, key: str) -> Place | None:
    """Return where a key leads; None where it ends the replay."""
    if key in _QUIT:
        return None
    step = _STEPS.get(key)
    return place if step is None else step(replay, place)


_Step: TypeAlias = Callable[[Replay, Place], Place]


def _forward(replay: Replay, place: Place) -> Place:
    return replace(place, seq=min(place.seq + 1, replay.last))


def _back(_: Replay, place: Place) -> Place:
    return replace(place, seq=max(place.seq - 1, 1))


def _first(_: Replay, place: Place) -> Place:
    return replace(place, seq=1)


def _last(replay: Replay, place: Place) -> Place:
    return replace(place, seq=replay.last)


def _to(leap: Callable[[Replay, int], int]) -> _Step:
    return lambda replay, place: replace(place, seq=leap(replay, place.seq))


def _other_eyes(_: Replay, place: Place) -> Place:
    index = _PERSPECTIVES.index(place.perspective) + 1
    return replace(place, perspective=_PERSPECTIVES[index % len(_PERSPECTIVES)])


_PLAY = " "
"""Plays on by itself, until any key stops it."""

_PACE = 0.8
"""Seconds that each event is shown while it plays."""

_QUIT = frozenset({"q", "Q", "\x1b", "\x03", "\x04"})

_STEPS: dict[str, _Step] = {
    key: step
    for step, keys in (
        (_forward, ("\x1b[C", "\x1bOC", "\r", "\n", "l")),
        (_back, ("\x1b[D", "\x1bOD", "\x7f", "\b", "h")),
        (_first, ("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "g")),
        (_last, ("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "G")),
        (_to(next_hand), ("n", "\x1b[6~", "\x1b[B", "\x1bOB")),
        (_to(hand_before), ("p", "\x1b[5~", "\x1b[A", "\x1bOA")),
        (_to(next_knock), ("k",)),
        (_other_eyes, ("\t", "v")),
    )
    for key in keys
}


# --- what is shown ------------------------------------------------------------------------------


def screen(
    replay: Replay, place: Place, size: Size, ink: Ink, notes: Sequence[Note] = ()
) -> list[str]:
    """Return the lines that show a place on a terminal of that size, no more than it has rows."""
    position = replay.at(place.seq)
    seen = view(position.match, place.perspective)
    rows = size[1]
    table = [*draw_heading(seen, place.seq, replay.last, ink), ink.rule]
    table += [*draw_view(seen, ink), ink.rule]
    table = _squeezed(table, rows - 2)
    said = text_lines(position.line.event, WIDTH)
    said += [line for note in notes if note.seq == place.seq for line in note_lines(note, WIDTH)]
    room = max(1, rows - 1 - len(table))
    said = said[: room - 1]
    past = [*_past(replay, place, room - len(said), ink), *said]
    filler = [""] * max(0, rows - 1 - len(table) - len(past))
    lines = [*table, *past, *filler, _footer(ink)]
    return [clip(line, size[0]) for line in lines[-rows:]]


def _squeezed(lines: Sequence[str], rows: int) -> list[str]:
    """Return lines without as many of the empty ones as it takes to fit, from the last one up."""
    kept = list(lines)
    while len(kept) > rows and "" in kept:
        del kept[len(kept) - 1 - kept[::-1].index("")]
    return kept[: max(rows, 0)]


def _past(replay: Replay, place: Place, rows: int, ink: Ink) -> list[str]:
    """Return the last events up to here in words, this one standing out."""
    lines = []
    for position in replay.between(max(1, place.seq - rows + 1), place.seq):
        is_past = position.line.seq < place.seq
        told = describe(position, place.perspective, replace(ink, colour=False) if is_past else ink)
        line = f"{position.line.seq:>6}  {told}"
        lines.append(ink.faint(line) if is_past else line)
    return lines


def _footer(ink: Ink) -> str:
    steps = "←/→ step" if ink.symbols else "left/right step"
    keys = f"  {steps}  space play  n/p hand  k knock  home/end  tab whose eyes"
    return ink.faint(spread(keys, "q quit  "))


# --- the terminal -------------------------------------------------------------------------------


def page(
    replay: Replay,
    place: Place,
    ink: Ink,
    read_keys: Callable[[float | None], str],
    write: Callable[[str], None],
    notes: Sequence[Note] = (),
) -> None:
    """Show a replay from `place` on, until whoever watches wants to leave.

    `read_keys` waits so many seconds, or for ever, and returns what was typed meanwhile; `write`
    writes to the terminal at once. `notes` stand under the events that they are on.
    """
    here: Place | None = place
    playing = False

    def show() -> None:
        if here is not None:
            lines = screen(replay, here, shutil.get_terminal_size(), ink, notes)
            # Each line is emptied ahead of its text: after a full one there is no place left.
            write("\x1b[H" + "\r\n".join(f"\x1b[2K{line}" for line in lines))

    with _full_screen(write), _on_resize(show):
        while here is not None:
            show()
            typed = keys_in(read_keys(_PACE if playing else None))
            if playing and not typed:
                here = _forward(replay, here)
            for key in typed:
                playing = key == _PLAY and not playing
                here = press(replay, here, key)
                if here is None:
                    return
            playing = playing and here.seq < replay.last


@contextmanager
def _full_screen(write: Callable[[str], None]) -> Iterator[None]:
    """Use the terminal's other screen, without cursor and line wrap, and give it back."""
    write("\x1b[?1049h\x1b[?25l\x1b[?7l")
    try:
        yield
    finally:
        write("\x1b[?7h\x1b[?25h\x1b[?1049l")


@contextmanager
def _on_resize(show: Callable[[], None]) -> Iterator[None]:
    """Draw again when the terminal changes its size."""
    if not hasattr(signal, "SIGWINCH"):
        yield
        return
    before = signal.signal(signal.SIGWINCH, lambda *_: show())
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)
