"""A server that is killed at any moment: what it has acknowledged is there, and nothing else."""

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

from support_play import soak
from support_server import ServerProcess, gin_serve, open_db, signed_up

from ginrummy.audit.audit import audit
from ginrummy.bots import Event, Move, SimpleBot, View
from ginrummy.client import Client, Result
from ginrummy.log.fold import Fold
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Play
from ginrummy.rules.wishes import same_wish
from ginrummy.v1 import events_pb2, match_pb2
from ginrummy.v1.ruleset_pb2 import Ruleset, TimeControl

KILLS = soak(100, 5)
MATCHES = 3
HANDS = soak(220, 24)
A_LIFE = 120
"""How many events are acknowledged between two kills, on average."""


class Witness(SimpleBot):
    """A bot that remembers what it was told and what it decided."""

    def __init__(self, told: asyncio.Condition) -> None:
        self.lines: dict[int, bytes] = {}
        """The stored lines of the events that were acknowledged to its seat."""
        self.decided: dict[int, Move] = {}
        """Its decisions, by the number of the event that it decided on."""
        self._told = told

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
        assert self.decided.setdefault(view.seq, move) == move
        return move


class Match:
    """A match between two witnesses, and what has to be true of it."""

    def __init__(self, match_id: str, told: asyncio.Condition) -> None:
        self.id = match_id
        self.witnesses = (Witness(told), Witness(told))

    @property
    def acknowledged(self) -> int:
        """How many events were told to somebody."""
        return sum(len(witness.lines) for witness in self.witnesses)

    async def play(self, clients: tuple[Client, Client]) -> list[Result]:
        """Let both play to the end, whatever becomes of the server meanwhile."""
        seats: tuple[Seat, Seat] = (0, 1)
        return await asyncio.gather(
            *(clients[seat].play(self.id, self.witnesses[seat], seat) for seat in seats)
        )

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


_OPENING = 6
"""Created, joined and revealed twice, dealt."""


def _seat(line: MatchLine) -> Seat:
    seat: Seat = getattr(line.event, "seat")  # noqa: B009 -- every move's event has it
    return seat


async def opened(client: Client, told: asyncio.Condition, *, timed: bool) -> Match:
    """Open a match of many hands."""
    clock = TimeControl(bank_ms=3_600_000, increment_ms=1000) if timed else None
    match = await client.create_match(rules=Ruleset(hands=HANDS), clock=clock)
    return Match(match.id, told)


async def check_stored(db: Path, matches: list[Match]) -> None:
    """Check the logs as the dead server has left them."""
    async with open_db(db) as store:
        for match in matches:
            log = [*store.read(match.id)]
            match.check_acknowledged(log)
            assert audit(log).clean


async def test_kill_at_any_moment_loses_nothing_and_adds_nothing(tmp_path: Path) -> None:
    """D4 with clients that try again: matches go on and end, and their logs audit clean."""
    db = tmp_path / "gin.db"
    rng = random.Random(KILLS)
    told = asyncio.Condition()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gin_serve(db))
        address = server.address
        clients = [
            await stack.enter_async_context(signed_up(address, f"P{i}")) for i in range(2 * MATCHES)
        ]
        pairs = list(zip(clients[::2], clients[1::2], strict=True))
        matches = [await opened(ann, told, timed=i == 0) for i, (ann, _) in enumerate(pairs)]
        playing = [
            asyncio.create_task(match.play(pair))
            for match, pair in zip(matches, pairs, strict=True)
        ]

        def acknowledged() -> int:
            return sum(match.acknowledged for match in matches)

        async def lived(server: ServerProcess) -> None:
            """Let a server live for some while: some events, and a part of one more."""
            more = acknowledged() + rng.randrange(2 * A_LIFE)
            async with told:
                await told.wait_for(lambda: acknowledged() > more)
            await asyncio.sleep(rng.random() * 0.005)
            await server.kill()

        for _ in range(KILLS):
            await lived(server)
            assert not any(task.done() for task in playing)
            await check_stored(db, matches)
            server = await stack.enter_async_context(gin_serve(db, listen=address))
        results = await asyncio.gather(*playing)
        for match, both in zip(matches, results, strict=True):
            log = [line async for line in clients[0].log(match.id)]
            match.check_acknowledged(log)
            match.check_decided(log)
            assert audit(log).clean
            # All that was stored was told, but for the secret that may come out after the end.
            assert [read_line(raw).type for raw in log[-2:]] == ["match_ended", "secret_revealed"]
            for witness in match.witnesses:
                assert len(witness.lines) in (len(log), len(log) - 1)
            for result in both:
                assert result.outcome.reason == events_pb2.END_REASON_HANDS
                assert (result.checked, result.unchecked) == (both[0].checked, 0)
        assert [row.stage async for row in clients[0].matches()] == [match_pb2.STAGE_ENDED] * 3
