"""A whole match as the page's script takes it: the events, and what each layer changes at each.

A layer's fields are carried forward: at an event stand only those that have another value than
before. The page adds them up, from the first event on.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import msgspec

from ginrummy.log.instants import write_instant
from ginrummy.replay.about import describe_clock, describe_origin, title_of, why_hidden
from ginrummy.replay.acting import act_of
from ginrummy.replay.html.layers import (
    SEATS,
    Layer,
    public_layer,
    seat_layer,
    stock_layer,
)
from ginrummy.replay.ink import Ink, clean
from ginrummy.replay.notes import Note
from ginrummy.replay.pile import Pile
from ginrummy.replay.rulings import text_of
from ginrummy.replay.stepping import Position, Replay
from ginrummy.replay.stock import hand_of
from ginrummy.replay.words import describe, describe_rules, name_of
from ginrummy.rules.cards import Seat
from ginrummy.rules.events import Event
from ginrummy.rules.match import MS, Ended, Match
from ginrummy.rules.view import Perspective

__all__ = ["VIEWS", "Model", "layers_of", "make_model"]

Model: TypeAlias = dict[str, Any]

VIEWS: tuple[Perspective, ...] = ("full", 0, 1, "public")
"""All that a page can have, the one that it opens with first."""

_INK = Ink()


def layers_of(views: Iterable[Perspective]) -> tuple[str, ...]:
    """Return which layers beside everybody's it takes to show these perspectives."""
    wanted = set(views)
    if "full" in wanted:
        return ("0", "1", "stock")
    return tuple(str(seat) for seat in SEATS if seat in wanted)


def make_model(replay: Replay, only: Perspective | None, notes: Sequence[Note] = ()) -> Model:
    """Return a match for the page, seen from every perspective, or from `only` one of them.

    A log that gives no hidden card away is seen from the public one alone.
    """
    course = _Course(layers_of(VIEWS if only is None else [only]))
    for position in replay.between(1, replay.last):
        course.add(position)
    views: Iterable[Perspective] = VIEWS if only is None else [only]
    if not any(hand["open"] for hand in course.hands):
        views, course.layers = ["public"], {}
    last = replay.at(replay.last).match
    return {
        "match": _about(replay, last),
        "views": [str(each) for each in views],
        "hidden": why_hidden(last, replay.hands),
        "only": None if only is None else str(only),
        "hands": course.hands,
        "sheet": [msgspec.structs.asdict(row) for row in replay.sheet],
        "events": course.events,
        "layers": course.layers,
        "notes": [{"seq": note.seq, "text": note.text} for note in notes],
        "broken": None if replay.broken is None else str(replay.broken),
    }


def _about(replay: Replay, last: Match) -> dict[str, Any]:
    terms = last.terms
    names = [name_of(last.seats, seat) for seat in SEATS]
    return {
        "id": replay.at(1).line.stream,
        "name": title_of(last),
        "names": names,
        "rules": describe_rules(terms.rules),
        "clock": describe_clock(terms.clock),
        "origin": describe_origin(last),
        "board": None if terms.board is None else terms.board.number,
        "begun": write_instant(replay.at(1).line.at),
        "over": isinstance(last, Ended),
    }


class _Course:
    """The course of a match, taken down event by event."""

    def __init__(self, layers: Iterable[str]) -> None:
        self.events: list[dict[str, Any]] = []
        self.layers: dict[str, dict[int, Layer]] = {name: {} for name in layers}
        self.hands: list[dict[str, Any]] = []
        self._pile = Pile()
        self._shown: dict[str, Layer] = {}

    def add(self, position: Position) -> None:
        """Take down what an event has changed."""
        line, match = position.line, position.match
        pile = self._pile.add(line.event)
        told = describe(position, "public", _INK)
        self._note_hand(position)
        public = public_layer(match, pile)
        self.events.append(
            {"type": line.type, "at": line.at // MS, "told": told}
            | _actor(position)
            | _written(line.event)
            | ({} if line.sig is None else {"signed": True})
            | {"set": self._changed("public", public)}
        )
        for name, changes in self.layers.items():
            layer = stock_layer(match) if name == "stock" else seat_layer(match, _seat(name))
            changed = self._changed(name, layer)
            better = told if name == "stock" else describe(position, _seat(name), _INK)
            if better != told:
                changed["told"] = better
            if changed:
                changes[line.seq] = changed

    def _changed(self, name: str, layer: Layer) -> Layer:
        """Return those of a layer's fields that differ from the event before."""
        before = self._shown.get(name, {})
        self._shown[name] = layer
        gone: Layer = dict.fromkeys(before.keys() - layer.keys())
        return gone | {
            field: value
            for field, value in layer.items()
            if field not in before or before[field] != value
        }

    def _note_hand(self, position: Position) -> None:
        line, hand = position.line, hand_of(position.match)
        if hand is None:
            return
        dealt = hand.layout.dealt
        if line.type == "hand_dealt":
            self.hands.append(
                {"number": dealt.number, "first": line.seq, "open": dealt.deck is not None}
            )
        self.hands[-1]["last"] = line.seq


def _seat(name: str) -> Seat:
    return 0 if name == "0" else 1


def _written(event: Event) -> dict[str, str]:
    """Return what somebody has written to an event, without what could steer or mislead."""
    text = text_of(event)
    return {} if text is None else {"text": "\n".join(map(clean, text.splitlines()))}


def _actor(position: Position) -> dict[str, Any]:
    """Return whose event it is, and how long they thought about it, in milliseconds."""
    act = act_of(position)
    if act.seat is None:
        return {}
    if act.by_server:
        return {"seat": act.seat, "server": "taken over" if act.is_taken_over else "by the server"}
    return {"seat": act.seat} | ({} if act.thought is None else {"thought": act.thought})
