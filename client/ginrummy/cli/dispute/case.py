"""A dispute with its match, as it is shown: as JSON for programs, and by name for people."""

from collections.abc import Mapping
from typing import NamedTuple

import click
import msgspec

from ginrummy.log.instants import write_instant
from ginrummy.rules.cards import Seat
from ginrummy.v1 import dispute_service_pb2 as pb
from ginrummy.v1 import events_pb2
from ginrummy.v1.match_pb2 import Match

__all__ = ["Case", "RefusedError", "Told", "seat_of", "told"]

_SEATS: tuple[Seat, Seat] = (0, 1)


class RefusedError(click.ClickException):
    """What somebody asked for in a dispute and may not have, or may not have so."""

    exit_code = 2


class Case(NamedTuple):
    """A dispute, and what is known of its match."""

    match: Match
    """The match as it stands."""
    dispute: pb.Dispute
    directors: Mapping[str, str]
    """What those are called who have ruled, by their ids, as far as it is known."""
    as_played: events_pb2.MatchEnded | None = None
    """The result before any ruling; None where nobody has asked for it."""

    @property
    def names(self) -> tuple[str, str]:
        """What the players are called; empty for a seat that was never taken."""
        first, second = self.match.seats
        return first.name, second.name

    @property
    def status(self) -> str:
        """What it waits for: `open`, `ruled`, `appealed` or `closed`."""
        return pb.DisputeStatus.Name(self.dispute.status).removeprefix("DISPUTE_STATUS_").lower()

    @property
    def reason(self) -> str:
        """What is claimed, as a word."""
        name = events_pb2.DisputeReason.Name(self.dispute.opened.reason)
        return name.removeprefix("DISPUTE_REASON_").lower()

    @property
    def rulings(self) -> tuple[str, ...]:
        """What was ruled, as words."""
        return tuple(_ruling_word(given.ruled.ruling) for given in self.dispute.rulings)


def seat_of(match: Match, text: str) -> Seat:
    """Return the seat of a match that is named by its number, or by its player's id or name.

    Raises RefusedError where it names none, or both.
    """
    wanted = text.strip()
    for seat in _SEATS:
        if wanted in (str(seat), match.seats[seat].player_id):
            return seat
    for fold in (str, str.casefold):
        found = [seat for seat in _SEATS if fold(match.seats[seat].name) == fold(wanted)]
        if wanted and len(found) == 1:
            return found[0]
    there = " and ".join(
        f"{seated.name or 'nobody'} at seat {seat}"
        for seat, seated in zip(_SEATS, match.seats, strict=True)
    )
    raise RefusedError(f"{text!r} does not name one of its players: there are {there}")


def _end_reason(value: events_pb2.EndReason.ValueType) -> str:
    return events_pb2.EndReason.Name(value).removeprefix("END_REASON_").lower()


def _ruling_word(value: events_pb2.Ruling.ValueType) -> str:
    return events_pb2.Ruling.Name(value).removeprefix("RULING_").lower()


# --- as JSON ------------------------------------------------------------------------------------


class _Scored(msgspec.Struct, frozen=True):
    winner: int
    points: int


class _Result(msgspec.Struct, frozen=True):
    reason: str
    winner: int | None
    points: tuple[int, ...]
    hands_won: tuple[int, ...]
    totals: tuple[int, ...]


class _Replayed(msgspec.Struct, frozen=True):
    reason: str
    scored: _Scored | None
    seq: int
    hash: str


class _Ruling(msgspec.Struct, frozen=True):
    instance: int
    ruling: str
    points: tuple[int, ...]
    seat: int | None
    rule: str
    why: str
    director: str
    name: str
    at: str
    replay: str | None
    replayed: _Replayed | None


class _Appeal(msgspec.Struct, frozen=True):
    seat: int
    player: str
    name: str
    text: str
    at: str


class Told(msgspec.Struct, frozen=True):
    """A dispute as one line of JSON."""

    match: str
    dispute: int
    status: str
    hand: int | None
    event: int
    scored: _Scored | None
    reason: str
    text: str
    seat: int
    player: str
    name: str
    opened: str
    rulings: tuple[_Ruling, ...]
    appeal: _Appeal | None
    appeal_until: str | None
    result: _Result
    """As it stands."""
    as_played: _Result | msgspec.UnsetType = msgspec.UNSET


def told(case: Case) -> Told:
    """Return a dispute as it is told as JSON."""
    dispute, names = case.dispute, case.names
    opened = dispute.opened
    appeal = None
    if dispute.HasField("appeal"):
        appealed = dispute.appeal.appealed
        appeal = _Appeal(
            seat=appealed.seat,
            player=dispute.appeal.player_id,
            name=names[appealed.seat],
            text=appealed.text,
            at=write_instant(dispute.appeal.at.ToMicroseconds()),
        )
    until = dispute.appeal_until
    return Told(
        match=dispute.match_id,
        dispute=opened.dispute,
        status=case.status,
        hand=opened.hand if opened.HasField("hand") else None,
        event=opened.event,
        scored=_scored(opened.scored) if opened.HasField("scored") else None,
        reason=case.reason,
        text=opened.text,
        seat=opened.seat,
        player=dispute.player_id,
        name=names[opened.seat],
        opened=write_instant(dispute.opened_at.ToMicroseconds()),
        rulings=tuple(_ruling(given, case.directors) for given in dispute.rulings),
        appeal=appeal,
        appeal_until=(
            write_instant(until.ToMicroseconds()) if dispute.HasField("appeal_until") else None
        ),
        result=_result(case.match.outcome),
        as_played=msgspec.UNSET if case.as_played is None else _result(case.as_played),
    )


def _ruling(given: pb.GivenRuling, directors: Mapping[str, str]) -> _Ruling:
    ruled = given.ruled
    replayed = None
    if given.HasField("replayed"):
        back = given.replayed
        replayed = _Replayed(
            reason=_end_reason(back.reason),
            scored=_scored(back.scored) if back.HasField("scored") else None,
            seq=back.seq,
            hash=back.hash,
        )
    return _Ruling(
        instance=ruled.instance,
        ruling=_ruling_word(ruled.ruling),
        points=tuple(ruled.points),
        seat=ruled.seat if ruled.HasField("seat") else None,
        rule=ruled.rule,
        why=ruled.why,
        director=given.director_id,
        name=directors.get(given.director_id, ""),
        at=write_instant(given.at.ToMicroseconds()),
        replay=given.replay_match_id or None,
        replayed=replayed,
    )


def _scored(scored: events_pb2.HandPoints) -> _Scored:
    return _Scored(scored.winner, scored.points)


def _result(ended: events_pb2.MatchEnded) -> _Result:
    return _Result(
        reason=_end_reason(ended.reason),
        winner=ended.winner if ended.HasField("winner") else None,
        points=tuple(ended.points),
        hands_won=tuple(ended.hands_won),
        totals=tuple(ended.totals),
    )
