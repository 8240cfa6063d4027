"""A history's text read back, event by event."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, ParamSpec, TypeVar

from msgspec.structs import replace

from ginrummy.log.instants import Instant, read_instant
from ginrummy.replay.text.fields import (
    Fields,
    UnreadableError,
    done,
    event_of,
    fields_below,
    json,
    pair,
    said,
)
from ginrummy.replay.text.grammar import DETAIL, DONE, ENTRY, MATCH, SAID
from ginrummy.replay.text.history import Entry, History, HistoryError, Shown
from ginrummy.replay.text.phrases import FIRST_LINE, HEADED, WORDS_ARE_OF, Names, stored_name
from ginrummy.rules.cards import BySeat, Card, Seat, parse_cards
from ginrummy.rules.errors import InvalidRulesetError
from ginrummy.rules.events import MatchCreated, PlayerJoined

__all__ = ["parse"]

P = ParamSpec("P")
T = TypeVar("T")

_HEADED = frozenset(map(stored_name, HEADED))


def parse(text: str) -> History:
    """Return the history that a text tells.

    Raises HistoryError, with the number of the line, for a text that does not keep to the grammar.
    Whether its events can follow on each other, `check` says.
    """
    lines = text.split("\n")
    if lines[0] != FIRST_LINE:
        raise HistoryError(f"a hand history begins with {FIRST_LINE!r}", 1)
    named = MATCH.fullmatch(lines[1]) if len(lines) > 1 else None
    if named is None:
        raise HistoryError('the match\'s id should stand here: match "m_…"', 2)
    match = _at(2, json, named[1])
    reader = _Reader()
    return History(match, tuple(_at(one.number, reader.entry, one) for one in _blocks(lines)))


class _Block(NamedTuple):
    """An entry as it stands in the text."""

    number: int
    """Its own line's number."""
    line: str
    below: list[str]


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Yield the entries of a text: a line that begins with a number, and all up to the next."""
    block: _Block | None = None
    for number, line in enumerate(lines[2:], start=3):
        if not line:
            continue
        if line.lstrip(" ")[:1].isdigit():
            if block is not None:
                yield block
            block = _Block(number, line, [])
        elif block is None:
            raise HistoryError("an event, with its number, should stand here", number)
        else:
            block.below.append(line)
    if block is not None:
        yield block


def _at(number: int, read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Read something that stands in a line, and name the line where it cannot be read."""
    try:
        return read(*arguments, **named)
    # What is no card, instant, JSON or event by its form is a ValueError of some kind.
    except (ValueError, InvalidRulesetError, RecursionError) as error:
        raise HistoryError(str(error), number) from error


class _Told(NamedTuple):
    """Which event a line tells, in the form of which version, and the fields that it says."""

    name: str
    version: int
    fields: Fields
    shown: Shown = Shown()


class _Reader:
    """Reads entries one after the other, and knows who has sat down so far."""

    def __init__(self) -> None:
        self._names = Names()

    def entry(self, block: _Block) -> Entry:
        """Read an event with what is shown beside it."""
        own = ENTRY.fullmatch(block.line)
        if own is None:
            raise UnreadableError(f"{block.line!r} is not an event with its number")
        at: Instant | None = None if own["at"] is None else read_instant(own["at"])
        name, version, fields, shown = self._told(own["said"])
        details = [_detail(line) for line in block.below]
        if name in _HEADED:
            below, details = fields_below(details), []
            if below.keys() & fields.keys():
                raise UnreadableError("a field stands below a line that says it already")
            fields |= below
        practice = fields.pop("practice", None)
        event = event_of(name, version, fields)
        if isinstance(event, MatchCreated) and practice not in (None, event.is_practice):
            raise UnreadableError("a practice match is one that goes on from another, and no other")
        if isinstance(event, PlayerJoined):
            self._names.sit(event.seat, event.name)
        return Entry(int(own["seq"]), at, event, self._shown(shown, details))

    def _told(self, text: str) -> _Told:
        for name, pattern in SAID:
            found = pattern.fullmatch(text)
            if found is None:
                continue
            groups = found.groupdict()
            if name == "record":
                return _Told(groups["type"], int(groups["form"]), json(groups["data"]))
            version = int(groups.get("form", WORDS_ARE_OF))
            return _Told(name, version, said(groups, self._seat))
        begun = self._names.split(text)
        for name, pattern in DONE if begun is not None else ():
            assert begun is not None
            found = pattern.fullmatch(begun[1])
            if found is not None:
                groups = found.groupdict()
                card = groups.pop("shown", None)
                shown = Shown(card=None if card is None else Card(card))
                fields = {"seat": begun[0], **done(name, groups)}
                return _Told(name, WORDS_ARE_OF, fields, shown)
        raise UnreadableError(f"{text!r} is nothing that happens at this table")

    def _seat(self, who: str) -> Seat:
        found = self._names.split(who)
        if found is None or found[1]:
            raise UnreadableError(f"{who} is nobody who sits at this table")
        return found[0]

    def _shown(self, shown: Shown, details: Sequence[tuple[str, str]]) -> Shown:
        hands: dict[Seat, tuple[Card, ...]] = {}
        for name, value in details:
            match name:
                case "dealt":
                    found = self._names.split(value)
                    if found is None:
                        raise UnreadableError(f"{value!r} does not say to whom cards were dealt")
                    hands[found[0]] = parse_cards(found[1])
                case "points":
                    shown = replace(shown, points=pair(value))
                case _:
                    raise UnreadableError(f"{name!r} is nothing that is shown beside an event")
        if not hands:
            return shown
        if len(hands) == 1:
            raise UnreadableError("either both hands that were dealt are shown, or none")
        return replace(shown, hands=BySeat(hands[0], hands[1]))


def _detail(line: str) -> tuple[str, str]:
    found = DETAIL.fullmatch(line)
    if found is None:
        raise UnreadableError(f"{line!r}, below it, has no name and value")
    return found["name"], found["value"]
