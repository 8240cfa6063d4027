"""A trial: one scenario, from the start of the bot's process to the judgement."""

import asyncio
import os
from contextlib import AsyncExitStack
from time import monotonic
from uuid import uuid4

import msgspec

from ginrummy.cli.compliance.account import Account, Finding
from ginrummy.cli.compliance.cable import Cable
from ginrummy.cli.compliance.dealt import Rigged
from ginrummy.cli.compliance.faults import Fault
from ginrummy.cli.compliance.house import House
from ginrummy.cli.compliance.opponent import attend
from ginrummy.cli.compliance.record import Record
from ginrummy.cli.compliance.relay import Relay
from ginrummy.cli.compliance.scenario import Scenario
from ginrummy.cli.tournament.commands import command_of
from ginrummy.cli.tournament.process import BotProcess, Exit

__all__ = ["NotStartedError", "Verdict", "try_out"]

_FAREWELL = 10.0
"""Seconds that the process has to end by itself once the tournament is over."""

_SHORT_FAREWELL = 2.0
"""The same where that is not what is tried."""


class NotStartedError(Exception):
    """The bot's process ended before it had called the server."""

    def __init__(self, ended: Exit) -> None:
        super().__init__(f"the bot ended ({ended.how}) before it attended the tournament")
        self.last_words = ended.last_words


class Verdict(msgspec.Struct, frozen=True):
    """What came of a scenario."""

    name: str
    findings: tuple[Finding, ...]
    note: str
    """What the reader has to know of a scenario that was passed; mostly empty."""
    section: str
    seconds: float

    @property
    def passed(self) -> bool:
        """Nothing was found."""
        return not self.findings


async def try_out(scenario: Scenario, spec: str, timeout: float) -> Verdict:  # noqa: ASYNC109
    """Lead a bot through a scenario; the tournament has `timeout` seconds.

    Raises BotSpecError or NotStartedError.
    """
    began = monotonic()
    account = await _played(scenario, spec, timeout)
    note = "it did not come to this" if scenario.unreached(account) else ""
    findings = scenario.judge(account)
    return Verdict(scenario.name, findings, note, scenario.section, monotonic() - began)


async def _played(scenario: Scenario, spec: str, timeout: float) -> Account:  # noqa: ASYNC109
    record, fault, session = Record(), scenario.fault(), uuid4().hex
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(House(Rigged(scenario.deal)))
        relay = await stack.enter_async_context(Relay(house.address, record, fault))
        cable = await stack.enter_async_context(Cable(relay.address))
        fault.bind(house, cable, relay, record)
        bot = await house.announce(scenario.terms(), spec)
        environment = {
            **os.environ,
            "GINRUMMY_SERVER": cable.address,
            "GINRUMMY_TOKEN": bot.token,
            "GINRUMMY_TOURNAMENT": house.id,
            "GINRUMMY_SESSION": session,
        }
        process = BotProcess.start(command_of(spec, house.id), environment)
        stack.push_async_callback(process.stop)
        began = monotonic()
        running = _Running(house, process, scenario, timeout)
        is_over, ended = await running.to_the_end()
        waited = monotonic() - began
        await _settled(fault)
        first = await house.first()
        if ended is not None and not record.attended():
            raise NotStartedError(ended)
        return Account(
            record=record,
            session=session,
            sittings=tuple(house.sittings),
            is_first=bot.id == first,
            is_over=is_over,
            seconds=waited,
            exit=ended,
            happened=fault.happened,
        )


async def _settled(fault: Fault) -> None:
    """Let what a fault has under way come to its end."""
    await asyncio.gather(*fault.tasks, return_exceptions=True)


class _Running:
    """The tournament of a scenario, and the bot's process, at the same time."""

    def __init__(
        self,
        house: House,
        process: BotProcess,
        scenario: Scenario,
        timeout: float,
    ) -> None:
        self._house = house
        self._process = process
        self._scenario = scenario
        self._timeout = timeout

    async def to_the_end(self) -> tuple[bool, Exit | None]:
        """Return whether the tournament came to its end, and how the process did by itself."""
        entered = asyncio.Event()
        opposite = asyncio.create_task(attend(self._house, self._scenario.script, entered))
        playing = asyncio.create_task(self._play(entered))
        ending = asyncio.create_task(self._process.ended())
        try:
            await asyncio.wait(
                (playing, ending, opposite),
                timeout=self._timeout,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if opposite.done():
                opposite.result()
            # The one is often the other's reason: who is over first is told a little later.
            farewell = _FAREWELL if self._scenario.waits else _SHORT_FAREWELL
            has_played = bool(self._house.sittings) and ending.done()
            is_well = opposite.done() or (has_played and ending.result().how == "0")
            await asyncio.wait((playing,), timeout=_FAREWELL if is_well else _SHORT_FAREWELL)
            if playing.done():
                playing.result()
                await asyncio.wait((ending,), timeout=farewell)
            return playing.done(), ending.result() if ending.done() else None
        finally:
            tasks = (opposite, playing, ending)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, entered: asyncio.Event) -> None:
        await entered.wait()
        await self._house.everybody_is_there()
        await self._house.over()
