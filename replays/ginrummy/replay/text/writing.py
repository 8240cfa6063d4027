"""A history written down."""

from collections.abc import Iterator

import msgspec

from ginrummy.log.instants import write_instant
from ginrummy.log.lines import FORMS
from ginrummy.replay.text.afterwards import said_afterwards
from ginrummy.replay.text.history import Entry, History, Shown
from ginrummy.replay.text.phrases import (
    FIRST_LINE,
    HEADED,
    SAID_ALONE,
    Names,
    count,
    quoted,
    spread_out,
    without_surprises,
)
from ginrummy.rules.cards import Card, Seat, write_cards
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import (
    ClockExpired,
    Discarded,
    DiscardTaken,
    Event,
    Forfeited,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
    PlayerJoined,
    Resigned,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.ruleset import PRESETS, Ruleset

__all__ = ["write"]

_SEATS: tuple[Seat, Seat] = (0, 1)


def write(history: History) -> Iterator[str]:
    """Yield the lines of a history's text, without line ends; with times where it has them."""
    writer = _Writer()
    yield FIRST_LINE
    yield f"match {quoted(history.match)}"
    yield ""
    for entry in history.entries:
        if isinstance(entry.event, HandDealt):
            yield ""
        yield from writer.entry(entry)


class _Writer:
    """Writes entries one after the other, and knows who has sat down so far."""

    def __init__(self) -> None:
        self._names = Names()

    def entry(self, entry: Entry) -> Iterator[str]:
        """Yield an entry's own line and those below it."""
        if isinstance(entry.event, PlayerJoined):
            self._names.sit(entry.event.seat, entry.event.name)
        at = "" if entry.at is None else f"{write_instant(entry.at)}  "
        yield f"{entry.seq:>6}  {at}{self._said(entry.event, entry.shown.card)}"
        for detail in (*_fields(entry.event), *self._shown(entry.shown)):
            yield f"          {detail}"

    def _said(self, event: Event, card: Card | None) -> str:
        match event:
            case MatchCreated(name=name):
                practice = "practice " if event.is_practice else ""
                return f"{practice}match opened{_form(event)}: {quoted(name)}"
            case PlayerJoined(seat=seat, name=name):
                return f"seat {seat} taken{_form(event)}: {quoted(name)}"
            case HandDealt(hand=hand, dealer=dealer, upcard=upcard):
                return f"hand {hand}: {self._names.call(dealer)} deals, upcard {upcard}"
            case HandVoided(hand=hand, reason=reason):
                return f"hand {hand} void: {reason}"
            case MatchEnded(winner=winner):
                who = "no winner" if winner is None else f"{self._names.call(winner)} wins"
                return f"match ended{_form(event)}: {who}"
            case HandScored():
                return self._scored(event)
            case (
                DisputeOpened()
                | DisputeRuled()
                | DisputeAppealed()
                | HandReplayed()
                | ResultAdjusted()
            ):
                return said_afterwards(event, self._names)
            case _:
                return self._moved(event, card)

    def _moved(self, event: Event, shown: Card | None) -> str:
        """Return what a seat did; of all other events the record, fields and all."""
        match event:
            case StockDrawn(seat=seat):
                return f"{self._names.call(seat)} draws" + (f" {shown}" if shown else "")
            case DiscardTaken(seat=seat, card=card):
                return f"{self._names.call(seat)} takes {card}"
            case Discarded(seat=seat, card=card):
                return f"{self._names.call(seat)} discards {card}"
            case Forfeited(seat=seat, reason=reason):
                return f"{self._names.call(seat)} forfeits: {reason}"
            case Knocked(seat=seat, deadwood=deadwood, gin=gin):
                how = "goes gin" if gin else f"knocks with {count(deadwood)}"
                face_down = f", {shown} face down" if shown else ""
                return f"{self._names.call(seat)} {how}{face_down}{_laid(event)}"
            case LaidOff(seat=seat, layoffs=layoffs, deadwood=deadwood):
                laid_off = ", ".join(f"{one.card} on meld {one.meld + 1}" for one in layoffs)
                before = f"lays off {laid_off}, " if layoffs else ""
                how = f"{before}shows {count(deadwood)}"
                return f"{self._names.call(seat)} {how}{_laid(event)}"
            case UpcardPassed(seat=seat) | ClockExpired(seat=seat) | Resigned(seat=seat):
                return f"{self._names.call(seat)} {SAID_ALONE[type(event)]}"
            case _:
                name, version = FORMS.newest(event)
                return f"record {name} {version} {_json(event)}"

    def _scored(self, event: HandScored) -> str:
        twice = ", doubled" if event.doubled else ""
        return (
            f"hand {event.hand}: {self._names.call(event.winner)} scores {event.points}"
            f" by {event.kind}, {event.difference} + {event.bonus}{twice},"
            f" deadwood {event.deadwood[0]} and {event.deadwood[1]}"
        )

    def _shown(self, shown: Shown) -> Iterator[str]:
        if shown.hands is not None:
            for seat in _SEATS:
                yield f"dealt {self._names.call(seat)} {write_cards(shown.hands[seat])}"
        if shown.points is not None:
            yield f"points {shown.points[0]} and {shown.points[1]}"


def _laid(event: Knocked | LaidOff) -> str:
    laid = spread_out(event.melds, event.deadwood)
    return f": {laid}" if laid else ""


# --- fields, one a line -------------------------------------------------------------------------


def _form(event: Event) -> str:
    return f", form {FORMS.newest(event)[1]}"


def _fields(event: Event) -> Iterator[str]:
    if type(event) not in HEADED:
        return
    for name in event.__struct_fields__:
        if name not in HEADED[type(event)]:
            value = getattr(event, name)
            yield f"{name} {_rules(value) if isinstance(value, Ruleset) else _json(value)}"


def _rules(rules: Ruleset) -> str:
    """Return a ruleset as its nearest preset and what differs from it."""
    changes = {name: _changes(rules, preset) for name, preset in PRESETS.items()}
    nearest = min(changes, key=lambda name: len(changes[name]))
    but = ", ".join(changes[nearest])
    return f"{nearest}, but {but}" if but else nearest


def _changes(rules: Ruleset, preset: Ruleset) -> list[str]:
    return [
        f"{name} {_json(getattr(rules, name))}"
        for name in rules.__struct_fields__
        if getattr(rules, name) != getattr(preset, name)
    ]


def _json(value: object) -> str:
    return without_surprises(msgspec.json.encode(value).decode())
