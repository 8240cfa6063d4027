"""A match at a glance: how its hands went, how long each seat thought, what the server decided.

It is made in one pass and holds no more than a report shows, whatever the log's length.
"""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from ginrummy.evidence.decisions import Decision
from ginrummy.evidence.hands import Hand
from ginrummy.replay.stepping import ReplayError
from ginrummy.rules.cards import BySeat

__all__ = ["HandRow", "SeatSums", "Survey", "survey"]

_LISTED = 1000
"""Hands, and decisions of the server, that are listed; a match has no more hands as a rule."""


class HandRow(msgspec.Struct, frozen=True):
    """One hand in the list of all."""

    number: int
    first: int
    last: int
    decisions: int
    is_open: bool
    """Its deck is known to the reader, and with it every card."""
    kind: str | None
    """How it ended; None where it was not played to its end."""
    told: str
    """How it ended, in words; empty likewise."""
    points: BySeat[int]
    """The score after it."""
    milliseconds: float
    """From its deal to its last event."""


class SeatSums(msgspec.Struct, frozen=True):
    """What one seat's decisions come to."""

    decisions: int = 0
    """How many the player made."""
    by_server: int = 0
    """How many the server made at this seat."""
    thought_ms: float = 0.0
    """The time that the player's own took in all."""
    longest_ms: float = 0.0
    longest_seq: int = 0
    """The event of the longest one; 0 where there is none."""
    least_bank_ms: float | None = None
    """The least that the bank ever held after a decision; None where there is no bank."""


class Survey(msgspec.Struct, frozen=True):
    """A match at a glance."""

    seats: BySeat[SeatSums]
    dealt: int
    """The number of the last hand that was dealt; 0 for none."""
    hands: tuple[HandRow, ...]
    hands_left_out: int
    wanted: HandRow | None
    """The hand that was asked for; None where none was, or there is no such hand."""
    by_server: tuple[Decision, ...]
    """The decisions that the server made, without who could know what."""
    by_server_left_out: int
    afterwards: tuple[Decision, ...]
    """What was disputed and ruled after the match's end."""
    broken: str | None
    """Why the log could not be followed to its end; None where it could."""


def survey(hands: Iterable[Hand], wanted: int | None = None) -> Survey:
    """Return what the hands of a match come to, and the row of hand `wanted`."""
    sums = [SeatSums(), SeatSums()]
    rows: list[HandRow] = []
    acts: list[Decision] = []
    after: tuple[Decision, ...] = ()
    more_rows = more_acts = dealt = 0
    asked: HandRow | None = None
    broken = None
    try:
        for hand in hands:
            for decision in hand.decisions:
                _add(sums, decision)
                if decision.made_by == "server" and len(acts) < _LISTED:
                    acts.append(replace(decision, knew=None))
                elif decision.made_by == "server":
                    more_acts += 1
            after = hand.afterwards[:_LISTED]
            if hand.deal is None:
                continue
            dealt, row = hand.number, _row(hand)
            if dealt == wanted:
                asked = row
            if len(rows) < _LISTED:
                rows.append(row)
            else:
                more_rows += 1
    except ReplayError as error:
        broken = str(error)
    return Survey(
        seats=BySeat(*sums),
        dealt=dealt,
        hands=tuple(rows),
        hands_left_out=more_rows,
        wanted=asked,
        by_server=tuple(acts),
        by_server_left_out=more_acts,
        afterwards=after,
        broken=broken,
    )


def _add(sums: list[SeatSums], decision: Decision) -> None:
    if decision.seat is None:
        return
    before = sums[decision.seat]
    if decision.made_by != "player":
        sums[decision.seat] = replace(before, by_server=before.by_server + 1)
        return
    thought = decision.thought_ms or 0.0
    after = replace(before, decisions=before.decisions + 1, thought_ms=before.thought_ms + thought)
    if thought > before.longest_ms or not before.longest_seq:
        after = replace(after, longest_ms=thought, longest_seq=decision.seq)
    if decision.bank_ms is not None:
        left, least = decision.bank_ms[decision.seat], before.least_bank_ms
        after = replace(after, least_bank_ms=left if least is None else min(left, least))
    sums[decision.seat] = after


def _row(hand: Hand) -> HandRow:
    assert hand.deal is not None
    result = hand.result
    return HandRow(
        number=hand.number,
        first=hand.first,
        last=hand.last,
        decisions=len(hand.decisions),
        is_open=hand.deal.deck is not None,
        kind=None if result is None else result.kind,
        told="" if result is None else result.told,
        points=hand.points,
        milliseconds=hand.milliseconds,
    )
