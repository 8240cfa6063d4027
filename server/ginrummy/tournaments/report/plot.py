"""A small line plot: where its lines, ticks and labels lie. The template draws it as SVG.

series of (x, y) -> scale -> paths, ticks, labels at the lines' ends, none over another
"""

import math
from collections.abc import Iterator, Sequence

import msgspec

__all__ = ["Drawing", "Label", "Plot", "Rule", "Series", "Tick", "draw"]

MOST_POINTS = 240
"""Points of a line; more cannot be seen, and make the page heavy."""


class Series(msgspec.Struct, frozen=True):
    """A line with a name, and the band about it where there is one."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


class Rule(msgspec.Struct, frozen=True):
    """A level that the lines are read against."""

    y: float
    name: str


class Plot(msgspec.Struct, frozen=True):
    """What is to be drawn, in the data's own units."""

    title: str
    text: str
    """What the plot shows, for whoever cannot see it."""
    x_name: str
    y_name: str
    series: tuple[Series, ...]
    rules: tuple[Rule, ...] = ()


class Tick(msgspec.Struct, frozen=True):
    """A mark on an axis."""

    at: float
    text: str


class Label(msgspec.Struct, frozen=True):
    """A name at the end of its line, with the place on the line that it belongs to."""

    name: str
    y: float
    line_y: float


class Drawing(msgspec.Struct, frozen=True):
    """The plot in one size, in pixels from the upper left corner."""

    plot: Plot
    kind: str
    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float
    lines: tuple[str, ...]
    """The paths, in the order of the series."""
    bands: tuple[str, ...]
    """The paths of the bands; empty where a series has none."""
    rules: tuple[Label, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    labels: tuple[Label, ...]
    zero: float | None
    """Where 0 is; None outside the plot."""


_LINE = 15
"""Pixels from one label to the next."""

_LETTER = 7
"""Pixels of a letter of a label, as wide as fonts make them."""


def draw(plot: Plot, kind: str, width: int, height: int, name_width: int) -> Drawing:
    """Return the plot in one size, `name_width` pixels of it for the names at the lines' ends.

    `kind` names the size. Raises ValueError for a plot without a point.
    """
    left, right, top, bottom = 52.0, width - name_width - 10.0, 12.0, height - 40.0
    x_low, x_high = _range(x for series in plot.series for x in series.x)
    y_low, y_high = _y_range(plot)
    x_high = x_high if x_high > x_low else x_low + 1

    def across(x: float) -> float:
        return left + (x - x_low) / (x_high - x_low) * (right - left)

    def down(y: float) -> float:
        inside = min(max(y, y_low), y_high)
        return bottom - (inside - y_low) / (y_high - y_low) * (bottom - top)

    def path(xs: Sequence[float], ys: Sequence[float]) -> str:
        return "L".join(f"{across(x):.1f} {down(y):.1f}" for x, y in zip(xs, ys, strict=True))

    lines, bands = [], []
    for series in plot.series:
        lines.append("M" + path(series.x, series.y))
        back = path(series.x[::-1], series.low[::-1]) if series.low else ""
        bands.append(f"M{path(series.x, series.high)}L{back}Z" if series.low else "")
    ends = [(_cut(series.name, name_width), down(series.y[-1])) for series in plot.series]
    return Drawing(
        plot=plot,
        kind=kind,
        width=width,
        height=height,
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        lines=tuple(lines),
        bands=tuple(bands),
        rules=tuple(Label(each.name, down(each.y), down(each.y)) for each in plot.rules),
        x_ticks=tuple(
            Tick(across(x), f"{x:,.0f}") for x in _ticks(x_low, x_high, 5) if x == int(x)
        ),
        y_ticks=tuple(Tick(down(y), _tick_text(y)) for y in _ticks(y_low, y_high, 5)),
        labels=tuple(_spread(ends, top, bottom)),
        zero=down(0) if y_low <= 0 <= y_high else None,
    )


def _range(values: Iterator[float]) -> tuple[float, float]:
    found = list(values)
    return min(found), max(found)


def _y_range(plot: Plot) -> tuple[float, float]:
    """Return a range that holds all lines, and of the bands what does not dwarf them.

    The interval of the first few boards is wide beyond measure.
    """
    shown = [0.0, *(each.y for each in plot.rules)]
    for series in plot.series:
        later = len(series.y) // 10
        shown += series.y
        shown += series.low[later:]
        shown += series.high[later:]
    low, high = min(shown), max(shown)
    step = _step((high - low) or 1, 5)
    return math.floor(low / step) * step, math.ceil(high / step) * step or step


def _step(width: float, ticks: int) -> float:
    """Return a round number, so that about `ticks` of it cover `width`."""
    power = 10.0 ** math.floor(math.log10(width / ticks))
    return next(power * n for n in (1, 2, 5, 10) if width / (power * n) <= ticks)


def _ticks(low: float, high: float, ticks: int) -> list[float]:
    step = _step(high - low, ticks)
    first = math.ceil(low / step)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _tick_text(y: float) -> str:
    return f"{y:+,.10g}".replace("-", "\N{MINUS SIGN}") if y else "0"


def _cut(name: str, width: int) -> str:
    """Return as much of a name as there is room for."""
    most = width // _LETTER
    return name if len(name) <= most else name[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _spread(ends: Sequence[tuple[str, float]], top: float, bottom: float) -> Iterator[Label]:
    """Yield a label a line, in the order of the series, moved apart where they would meet."""
    order = sorted(range(len(ends)), key=lambda index: ends[index][1])
    places = [ends[index][1] for index in order]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + _LINE)
    below = max(0.0, places[-1] - (bottom - 2)) if places else 0.0
    if below:
        places[-1] -= below
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - _LINE)
    found = {index: max(place, top) for index, place in zip(order, places, strict=True)}
    for index, (name, y) in enumerate(ends):
        yield Label(name, found[index], y)
