"""Pictures of positions, held by golden files; GINRUMMY_RENEW=1 renews them."""

import re
from collections.abc import Iterator

import pytest
from support_golden import GOLDEN, expect_golden, golden_log
from support_logs import Table, played
from support_play import soak

from ginrummy.replay.history import tell
from ginrummy.replay.ink import BACK, WIDTH, Ink, width
from ginrummy.replay.render import draw
from ginrummy.replay.stepping import Position, Replay
from ginrummy.rules.cards import cards_in, write_cards
from ginrummy.rules.events import TimeControl
from ginrummy.rules.match import Playing
from ginrummy.rules.view import Perspective

PERSPECTIVES: tuple[Perspective, ...] = (0, 1, "public", "full")
INKS = (Ink(), Ink(symbols=False), Ink(colour=True))
NAMES = sorted(path.stem for path in GOLDEN.glob("*.log"))


@pytest.mark.parametrize("name", NAMES)
def test_histories_are_told_as_they_were(name: str) -> None:
    replay = Replay(golden_log(name))
    expect_golden(f"{name}.txt", "".join(f"{line}\n" for line in _told(replay, "full", Ink())))


@pytest.mark.parametrize("perspective", [0, 1, "public"])
def test_histories_are_told_to_each_viewer(perspective: Perspective) -> None:
    replay = Replay(golden_log("classic"))
    told = "".join(f"{line}\n" for line in _told(replay, perspective, Ink(symbols=False)))
    expect_golden(f"classic.{perspective}.txt", told)


MOMENTS = {
    # What is to be seen there, and the log and the event after which it is.
    "opened": ("standard", 1),
    "one seat taken": ("standard", 2),
    "dealt": ("standard", 6),
    "void": ("straight", 81),
    "pile of two lines": ("straight", 58),
    "drawn": ("classic", 9),
    "knocked": ("classic", 50),
    "laid off": ("classic", 51),
    "won": ("classic", 83),
    "big gin": ("oklahoma", 114),
    "gin": ("oklahoma", 175),
    "on the clock": ("clock", 52),
    "paused": ("clock", 53),
    "time over": ("clock", 63),
    "resigned": ("resigned", 96),
    "no winner": ("abandoned", 2),
    "hidden": ("unrevealed", 40),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_positions_are_drawn_as_they_were(moment: str) -> None:
    name, seq = MOMENTS[moment]
    replay = Replay(golden_log(name))
    drawn = "\n".join(
        draw(replay.at(seq), perspective, last=replay.last, ink=ink)
        for perspective in PERSPECTIVES
        for ink in (Ink(), Ink(symbols=False), Ink(colour=True))[
            : 3 if perspective == "full" else 1
        ]
    )
    expect_golden(f"{moment.replace(' ', '_')}.board.txt", drawn)


def _told(replay: Replay, perspective: Perspective, ink: Ink) -> Iterator[str]:
    return tell(replay.between(1, replay.last), perspective, ink)


# --- whatever is drawn --------------------------------------------------------------------------


def some_positions() -> Iterator[tuple[Replay, Position]]:
    clock = TimeControl(bank_ms=900_000)
    for seed, preset in enumerate(("standard", "straight", "oklahoma") * soak(10, 1)):
        replay = Replay(played(seed, preset, clock=clock, name="A rather long name " * 9).log)
        for position in replay.between(1, replay.last):
            yield replay, position


@pytest.mark.parametrize("ink", INKS)
def test_nothing_is_wider_than_eighty_columns_or_higher_than_a_screen(ink: Ink) -> None:
    for replay, position in some_positions():
        for perspective in PERSPECTIVES:
            lines = draw(position, perspective, last=replay.last, ink=ink).splitlines()
            assert max(map(width, lines)) <= WIDTH
            assert len(lines) <= 23
            assert all(line == line.rstrip() for line in lines)


def test_ascii_is_all_that_plain_ink_uses() -> None:
    for replay, position in some_positions():
        assert draw(position, "full", last=replay.last, ink=Ink(symbols=False)).isascii()


def test_no_picture_shows_what_its_viewer_may_not_know() -> None:
    """Where a hand is hidden, not one of its unseen cards is in the picture."""
    shown = 0
    for replay, position in some_positions():
        match = position.match
        if not isinstance(match, Playing):
            continue
        layout = match.hand.layout
        for seat in (0, 1):
            hidden = layout.hands[seat] & ~layout.shown[seat]
            for perspective in ("public", 1 - seat):
                drawn = draw(position, perspective, last=replay.last)  # type: ignore[arg-type]  # 1 - seat is a seat
                assert not {str(card) for card in cards_in(hidden)} & set(_cards_of(drawn))
                shown += drawn.count(BACK)
            held = write_cards(cards_in(layout.hands[seat])).split()
            assert set(held) <= set(_cards_of(draw(position, "full", last=replay.last)))
    assert shown > 1000


def _cards_of(text: str) -> list[str]:
    return re.findall("[A2-9TJQK][SHDC]", text)


def test_names_of_any_length_and_script_leave_the_picture_whole() -> None:
    for name in ("A" * 64, "世界" * 20, "é" * 30, "", "\u202eevil\x1b[2J"):
        table = Table(3, name=name)
        table.names = (name, name)
        replay = Replay(table.seated().log)
        for perspective in PERSPECTIVES:
            for line in draw(replay.at(6), perspective, last=6).splitlines():
                assert width(line) <= WIDTH
                assert line.isprintable()
        for line in tell(replay.between(1, 6), "full"):
            assert line.isprintable()
