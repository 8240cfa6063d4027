"""A match's hands, one after the other, each with all that was decided in it.

    positions ──> hands ──> Hand, Hand, …

A hand is handed out as soon as it is over, so no more than one is held.
"""

from collections.abc import Iterable, Iterator
from typing import get_args

import msgspec

from ginrummy.evidence.decisions import Decision, decision_of
from ginrummy.evidence.knowing import Held
from ginrummy.log.boards import secret_number
from ginrummy.log.fold import Secrets
from ginrummy.log.instants import write_instant
from ginrummy.replay.ink import PLAIN, Ink
from ginrummy.replay.stepping import Position, ReplayError
from ginrummy.replay.words import describe_result
from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.disputes.events import DisputeEvent
from ginrummy.rules.events import HandDealt, HandScored, HandVoided
from ginrummy.rules.match import MS, Ended, Gathering, Playing
from ginrummy.rules.view import Perspective, view

__all__ = ["Deal", "Hand", "Result", "hands"]


_DISPUTES = get_args(DisputeEvent)


class Deal(msgspec.Struct, frozen=True):
    """How a hand was dealt."""

    dealer: Seat
    upcard: Card
    hands: BySeat[Held]
    """The ten cards of each seat, as far as the reader may be told."""
    deck: tuple[Card, ...] | None
    """The committed deck from its first card to its last; None where the reader may not know it."""
    secret: str | None
    """The secret that makes it, in hex; None where it is not in the log, or not for the reader."""


class Result(msgspec.Struct, frozen=True):
    """How a hand ended."""

    seq: int
    kind: str
    """`knock`, `undercut`, `gin`, `big_gin` or `void`."""
    winner: Seat | None
    points: int
    told: str
    """How it came about, in words."""


class Hand(msgspec.Struct, frozen=True):
    """A hand, or what was decided before the first one was dealt."""

    number: int
    """0 for what came before the first hand."""
    first: int
    """The number of its first event."""
    last: int
    """The number of its last event before the next one is dealt, or that of the match's end."""
    begun: str
    """When its first event was, in UTC."""
    milliseconds: float
    """From its first event to its last."""
    deal: Deal | None
    """None for what came before the first hand."""
    decisions: tuple[Decision, ...]
    afterwards: tuple[Decision, ...]
    """What was disputed and ruled after the match's end; empty but for the last hand."""
    result: Result | None
    """None for a hand that was not played to its end."""
    points: BySeat[int]
    """The score after it."""


def hands(
    positions: Iterable[Position],
    reader: Perspective,
    ink: Ink = PLAIN,
    *,
    revealed: Secrets | None = None,
    with_knowledge: bool = True,
) -> Iterator[Hand]:
    """Yield the hands that a match's positions tell, as far as `reader` may be told of them.

    What came before the first deal is the first of them, as number 0. `ink` is what their words
    are written with. `revealed` are the secrets
    that stand in the log, which a reader of everything is shown. Where the positions cannot be
    followed to the end, the last hand is what could be; their ReplayError comes after it.
    """
    taker: _Taker | None = None
    broken: ReplayError | None = None
    stepping = iter(positions)
    while True:
        try:
            position = next(stepping, None)
        except ReplayError as error:
            position, broken = None, error
        if position is None:
            break
        if taker is None or isinstance(position.line.event, HandDealt):
            if taker is not None:
                yield taker.hand()
            taker = _Taker(position, reader, ink, revealed, with_knowledge=with_knowledge)
        taker.add(position)
    if taker is not None:
        yield taker.hand()
    if broken is not None:
        raise broken


class _Taker:
    """Takes down one hand, event by event."""

    def __init__(
        self,
        first: Position,
        reader: Perspective,
        ink: Ink,
        revealed: Secrets | None,
        *,
        with_knowledge: bool,
    ) -> None:
        self._first = self._last = first
        self._reader = reader
        self._ink = ink
        self._knowledge = with_knowledge
        self._deal = _deal(first, reader, revealed)
        self._result: Result | None = None
        self._decisions: list[Decision] = []
        self._afterwards: list[Decision] = []

    def add(self, position: Position) -> None:
        event = position.line.event
        if not isinstance(position.before, Ended):
            self._last = position
        decision = decision_of(position, self._reader, self._ink, with_knowledge=self._knowledge)
        if decision is not None and isinstance(event, _DISPUTES):
            self._afterwards.append(decision)
        elif decision is not None:
            self._decisions.append(decision)
        if isinstance(event, HandScored | HandVoided):
            self._result = _result(position, event)

    def hand(self) -> Hand:
        last = self._last
        score = None if isinstance(last.match, Gathering) else last.match.score
        return Hand(
            number=0 if self._deal is None else self._number(),
            first=self._first.line.seq,
            last=last.line.seq,
            begun=write_instant(self._first.line.at),
            milliseconds=(last.line.at - self._first.line.at) / MS,
            deal=self._deal,
            decisions=tuple(self._decisions),
            afterwards=tuple(self._afterwards),
            result=self._result,
            points=BySeat(0, 0) if score is None else score.points,
        )

    def _number(self) -> int:
        event = self._first.line.event
        assert isinstance(event, HandDealt)
        return event.hand


def _deal(position: Position, reader: Perspective, revealed: Secrets | None) -> Deal | None:
    event, match = position.line.event, position.match
    if not isinstance(event, HandDealt) or not isinstance(match, Playing):
        return None
    seen = view(match, reader).hand
    assert seen is not None
    deck = match.hand.layout.dealt.deck if reader == "full" else None
    secret = None
    if deck is not None and revealed is not None:
        secret = revealed.secret(secret_number(match.terms, event.hand))
    return Deal(
        dealer=event.dealer,
        upcard=event.upcard,
        hands=BySeat(*(Held(each.cards, max(0, each.hidden)) for each in seen.hands)),
        deck=deck,
        secret=None if secret is None else secret.hex(),
    )


def _result(position: Position, event: HandScored | HandVoided) -> Result:
    told = describe_result(position.match.seats, event)
    if isinstance(event, HandVoided):
        return Result(position.line.seq, "void", None, 0, told)
    return Result(position.line.seq, event.kind, event.winner, event.points, told)
