"""Where the parts of the screen go: they fill it, and none lies on another."""

import pytest

from ginrummy.replay.terminal.layout import Box, Layout, lay_out

SIZES = [
    (columns, rows)
    for columns in (1, 20, 40, 60, 79, 80, 100, 119, 120, 160, 200)
    for rows in (1, 2, 3, 5, 8, 11, 12, 16, 20, 24, 25, 30, 40, 50, 100)
]


def boxes(layout: Layout) -> list[Box]:
    parts: list[Box] = [getattr(layout, name) for name in layout.__struct_fields__]
    return [box for box in parts if box.rows > 0 and box.columns > 0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("told", [3, 9])
def test_no_part_lies_on_another_or_outside(size: tuple[int, int], told: int) -> None:
    columns, rows = size
    taken: set[tuple[int, int]] = set()
    for box in boxes(lay_out(columns, rows, told)):
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.columns <= columns
        assert box.y + box.rows <= rows
        cells = {
            (x, y)
            for x in range(box.x, box.x + box.columns)
            for y in range(box.y, box.y + box.rows)
        }
        assert not cells & taken
        taken |= cells


@pytest.mark.parametrize("size", [size for size in SIZES if size[0] < 120])
def test_a_narrow_terminal_is_filled(size: tuple[int, int]) -> None:
    columns, rows = size
    assert sum(box.rows for box in boxes(lay_out(columns, rows, 3))) == rows


def test_a_usual_terminal_has_room_for_everything() -> None:
    layout = lay_out(80, 24, 3)
    assert layout.table.rows == 12
    assert (layout.telling.rows, layout.moves.rows) == (3, 5)
    assert layout.title.rows == layout.views.rows == layout.way.rows == layout.keys.rows == 1
    assert layout.sheet.rows == 0


def test_what_is_told_takes_its_room_from_the_moves() -> None:
    long = lay_out(80, 24, 9)
    assert long.table.rows == 12
    assert long.telling.rows + long.moves.rows == 8


def test_a_wide_terminal_has_the_moves_beside_the_table() -> None:
    layout = lay_out(200, 50, 3)
    assert layout.moves.x > layout.table.columns
    assert layout.moves.rows == 47
    assert layout.sheet.rows > 10


def test_a_small_terminal_keeps_the_table() -> None:
    assert lay_out(40, 12, 3).table.rows == 7
    assert lay_out(20, 3, 3).table.rows >= 2
