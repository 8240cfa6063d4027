"""Bots that remember what they were told and what they decided, and matches that are held to it.

A match has a number of hands, or goes on until the test has seen enough of it.
"""

import asyncio

from ginrummy.audit.audit import audit
from ginrummy.bots import Event, Move, SimpleBot, View
from ginrummy.client import Client, Result
from ginrummy.log.fold import Fold
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Play, Resign
from ginrummy.rules.wishes import same_wish
from ginrummy.v1 import events_pb2
from ginrummy.v1.ruleset_pb2 import (
    SIGNING_POLICY_OFF,
    SIGNING_POLICY_REQUIRED,
    Ruleset,
    TimeControl,
)

__all__ = ["Match", "Witness", "opened"]


_OPENING = 6
"""Created, joined and revealed twice, dealt."""

_NEVER = 1_000_000
"""The most points that a match can be played to: thousands of hands, whatever is dealt."""


class Witness(SimpleBot):
    """A bot that remembers what it was told and what it decided."""

    def __init__(self, told: asyncio.Condition, enough: asyncio.Event) -> None:
        self.lines: dict[int, bytes] = {}
        """The stored lines of the events that were acknowledged to its seat."""
        self.decided: dict[int, Move] = {}
        """Its decisions, by the number of the event that it decided on."""
        self._told = told
        self._enough = enough

    async def saw(self, event: Event) -> None:
        assert event.seq not in self.lines
        self.lines[event.seq] = event.line
        async with self._told:
            self._told.notify_all()

    def offer(self, view: View) -> Move:
        return self._noted(view, super().offer(view))

    def draw(self, view: View) -> Move:
        return self._noted(view, super().draw(view))

    def discard(self, view: View) -> Move:
        return self._noted(view, super().discard(view))

    def lay_off(self, view: View) -> Move:
        return self._noted(view, super().lay_off(view))

    def _noted(self, view: View, move: Move) -> Move:
        if view.seq in self.decided:
            assert self.decided[view.seq] in (move, Resign())
        else:
            self.decided[view.seq] = Resign() if self._enough.is_set() else move
        return self.decided[view.seq]


class Match:
    """A match between two witnesses, and what has to be true of it."""

    def __init__(self, match_id: str, told: asyncio.Condition) -> None:
        self.id = match_id
        self.enough = asyncio.Event()
        """Once it is set, whoever is to decide gives the match up."""
        self.witnesses = (Witness(told, self.enough), Witness(told, self.enough))

    @property
    def acknowledged(self) -> int:
        """How many events were told to somebody."""
        return sum(len(witness.lines) for witness in self.witnesses)

    async def play(self, clients: tuple[Client, Client]) -> list[Result]:
        """Let both play to the end, whatever becomes of the server meanwhile."""
        seats: tuple[Seat, Seat] = (0, 1)
        async with asyncio.TaskGroup() as group:
            playing = [
                group.create_task(clients[seat].play(self.id, self.witnesses[seat], seat))
                for seat in seats
            ]
        return [each.result() for each in playing]

    def check_acknowledged(self, log: list[bytes]) -> None:
        """Check that every acknowledged event is stored, once, as it was told."""
        for witness in self.witnesses:
            for seq, line in witness.lines.items():
                assert log[seq - 1] == line

    def check_decided(self, log: list[bytes]) -> None:
        """Check that every stored move is the one that its player decided on then."""
        fold = Fold(revealed_secrets(log))
        requests: list[tuple[str, str]] = []
        for line in map(read_line, log):
            if line.by != "server" and line.seq > _OPENING:
                requests.append((line.by, line.cmd))
                seat = _seat(line)
                decided = self.witnesses[seat].decided[line.seq - 1]
                assert same_wish(Play(seat, decided), fold.match, line.event)
            fold.add(line)
        assert len(set(requests)) == len(requests) > 0

    def check_whole(self, log: list[bytes], results: list[Result]) -> None:
        """Check the log of a match that is over, and what both were told of it."""
        self.check_acknowledged(log)
        self.check_decided(log)
        assert audit(log).clean
        # All that was stored was told, but for the secret that may come out after the end.
        assert [read_line(raw).type for raw in log[-2:]] == ["match_ended", "secret_revealed"]
        for witness in self.witnesses:
            assert len(witness.lines) in (len(log), len(log) - 1)
        resigned, played = events_pb2.END_REASON_RESIGNED, events_pb2.END_REASON_HANDS
        for result in results:
            assert result.outcome.reason == (resigned if self.enough.is_set() else played)
            assert (result.checked, result.unchecked) == (results[0].checked, 0)


def _seat(line: MatchLine) -> Seat:
    seat: Seat = getattr(line.event, "seat")  # noqa: B009 -- every move's event has it
    return seat


async def opened(
    client: Client,
    told: asyncio.Condition,
    *,
    hands: int | None = None,
    timed: bool = False,
    signed: bool = False,
) -> Match:
    """Open a match with clocks or without; in a signed one everybody signs.

    It ends after so many hands; without a number it goes on until its `enough` is set.
    """
    clock = TimeControl(bank_ms=3_600_000, increment_ms=1000) if timed else None
    signing = SIGNING_POLICY_REQUIRED if signed else SIGNING_POLICY_OFF
    rules = Ruleset(target=_NEVER) if hands is None else Ruleset(hands=hands)
    match = await client.create_match(rules=rules, clock=clock, signing=signing)
    return Match(match.id, told)
