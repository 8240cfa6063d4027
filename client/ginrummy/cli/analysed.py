"""A hand's analysis as a page of eighty columns: a line a decision, and the graph."""

from collections.abc import Iterator

from ginrummy.analysis.figures import Estimate
from ginrummy.analysis.judging import HandJudged, Judged
from ginrummy.analysis.knocking import KnockChance
from ginrummy.analysis.verdict import LEAST_HANDS, Gain, Sight
from ginrummy.cli.graph import draw_graph
from ginrummy.replay.ink import Ink, cut, spread, width
from ginrummy.replay.words import name_of
from ginrummy.rules.cards import Seat, parse_card
from ginrummy.rules.events import LayOffCard, Meld
from ginrummy.rules.match import Seats

__all__ = ["hand_page", "said_of", "sight_lines"]

_BOTH: tuple[Seat, Seat] = (0, 1)
_NAME = 10
_HEADING = " event  who         did         deadwood  outs  expects  gave away"


def hand_page(judged: HandJudged, seats: Seats, ink: Ink) -> Iterator[str]:
    """Yield the lines of a hand's analysis, without line ends."""
    dealer = name_of(seats, judged.dealer)
    yield ink.strong(
        spread(
            f"Hand {judged.number}: {dealer} deals, {ink.card(judged.upcard)} is turned",
            f"{judged.worlds} worlds, seed {judged.seed}",
        )
    )
    yield ink.faint(_HEADING)
    for each in judged.decisions:
        yield _line(each, cut(name_of(seats, each.seat), _NAME), ink)
        yield from _remarks(each, ink)
    for seat in _BOTH:
        if judged.graph[seat]:
            yield ""
            yield f"What {name_of(seats, seat)} could expect, and scored in the end"
            values = [point.expected for point in judged.graph[seat]]
            yield from draw_graph(values, judged.scored[seat], symbols=ink.symbols)


def _line(judged: Judged, name: str, ink: Ink) -> str:
    padded = name + " " * (_NAME - width(name))
    did = _move(judged.move, ink)
    did += " " * max(0, 11 - len(judged.move))
    change = (
        f"{judged.before}"
        if judged.before == judged.after
        else (f"{judged.before} > {judged.after}")
    )
    outs = "" if judged.outs is None else str(len(judged.outs.melding))
    expects = "" if judged.expected is None else f"{judged.expected.mean:+.1f}"
    start = f"{judged.seq:>6}  {padded}  {did}{change:>9}{outs:>6}{expects:>9}"
    return f"{start}  {_gave_away(judged, ink)}".rstrip()


def _gave_away(judged: Judged, ink: Ink) -> str:
    if judged.gave_away is None or judged.best is None:
        return ""
    if judged.choices == 1:
        return ink.faint("no choice")
    if judged.best == judged.move:
        return "-"
    # Where only the card differs, the card alone says it, and the line stays within its width.
    did, _, _ = judged.move.partition(" ")
    what, _, card = judged.best.partition(" ")
    better = ink.card(parse_card(card)) if card and what == did else _move(judged.best, ink)
    text = f"{judged.gave_away.mean:+.1f}{_error(judged.gave_away)}: {better}"
    return ink.strong(text) if judged.gave_away.is_clear else text


def _remarks(judged: Judged, ink: Ink) -> Iterator[str]:
    if judged.knock is not None:
        yield from _knock(judged.knock, ink)
    laid = judged.lay_off
    if laid is not None and laid.left > laid.least:
        if laid.missed:
            missed = ", ".join(_layoff(each, ink) for each in laid.missed)
            yield _remark(f"missed {missed}: {laid.least} points could have been left")
        else:
            yield _remark(f"other melds and lay-offs could have left {laid.least} points")


def _knock(knock: KnockChance, ink: Ink) -> Iterator[str]:
    what = "gin" if knock.deadwood == 0 else f"a knock with {knock.deadwood}"
    thrown = "" if knock.made or knock.card is None else f", throwing {ink.card(knock.card)}"
    verb = "scores" if knock.made else "would have scored"
    yield _remark(
        f"{what}{thrown} {verb} {knock.real:+d}, "
        f"{knock.likely.mean:+.1f}{_error(knock.likely)} in likely hands"
        + (f" ({knock.undercut:.0%} undercut)" if knock.deadwood else "")
    )
    if knock.spread_gave_away.mean > 0:
        spread_out = "; ".join(_meld(meld, ink) for meld in knock.best.melds)
        yield _remark(f"the spread {spread_out} scores {knock.spread_gave_away.mean:.1f} more")


def _remark(text: str) -> str:
    return f"{'':>8}{text}"


def _error(estimate: Estimate) -> str:
    return "" if estimate.error is None else f" ± {estimate.error:.1f}"


def _meld(meld: Meld, ink: Ink) -> str:
    return ink.cards(meld)


def _layoff(laid: LayOffCard, ink: Ink) -> str:
    return f"{ink.card(laid.card)} on meld {laid.meld + 1}"


def _move(name: str, ink: Ink) -> str:
    """Return a move's name with its card as it is drawn here."""
    what, _, card = name.partition(" ")
    what = what.replace("_", " ")
    return f"{what} {ink.card(parse_card(card))}" if card else what


def sight_lines(sight: Sight) -> Iterator[str]:
    """Yield what is said of a player's draws and discards, in careful words."""
    for kind, figures, verdict in said_of(sight):
        start, within, rest = figures.partition(", in ")
        yield f"{kind}: {start}"
        if verdict:
            yield f"  {within.strip(', ')} {rest}"
            yield f"  {verdict}"


def said_of(sight: Sight) -> tuple[tuple[str, str, str], ...]:
    """Return of draws and of discards what they are, the figures, and what these say, if anything.

    The words stay careful: what is more than luck usually brings is no proof.
    """
    return (
        ("draws", *_gain(sight.draws, "the stock's cards")),
        ("discards", *_gain(sight.discards, "the opponent's hand")),
    )


def _gain(gain: Gain | None, hidden: str) -> tuple[str, str]:
    if gain is None:
        return f"too little to say anything; it takes {LEAST_HANDS} hands with such choices", ""
    figures = (
        f"{gain.gain:+.2f} points of deadwood each beyond what could be known,"
        f" {gain.low:+.2f} to {gain.high:+.2f}"
        f", in {gain.choices} choices of {gain.hands} hands (95% interval)"
    )
    if gain.more_than_luck:
        return figures, (
            f"more than luck alone usually brings; this is no proof of a look at {hidden}"
        )
    return figures, f"no sign of a look at {hidden}"
