"""`gin tournament watch`: what happens in a tournament, a line an event."""

import asyncio
from collections.abc import AsyncIterator

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.source import source_options
from ginrummy.cli.tournament.results import show
from ginrummy.cli.tournament.source import database, folded, open_tournament
from ginrummy.cli.tournament.teller import Teller
from ginrummy.cli.tournament.told import event_told, say, standings_told
from ginrummy.cli.wire import run
from ginrummy.client import connect
from ginrummy.store import Store
from ginrummy.tournaments.event import Tournament, TournamentFold, read_tournament_line
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.tournaments.event.summary import summary

__all__ = ["watch"]

_LOOK_AGAIN = 0.5
"""Seconds between two looks into a database."""


@click.command(
    epilog=examples(
        "gin tournament watch t_7vk2c8w0r6ht9zq3nx5b7jd1ge --server 127.0.0.1:50051",
        "gin tournament watch t_7vk2c8w0r6ht9zq3nx5b7jd1ge --json | jq -r .type",
    )
)
@click.argument("tournament")
@click.option("--json", "as_json", is_flag=True, help="As gin tournament run --json does.")
@source_options
def watch(*, tournament: str, as_json: bool, db: str, server: str | None, token: str) -> None:
    """Watch a tournament, one line an event.

    What has happened comes first, then what happens; it ends with the tournament.
    """
    with open_tournament(tournament, db, server, token) as log:
        # Whatever is no tournament is refused before anything is printed.
        folded(log, as_of=1)
    if server is not None:
        run(_watched(_Told(as_json=as_json), _called(tournament, server, token)))
    else:
        with database(db) as store:
            asyncio.run(_watched(_Told(as_json=as_json), _read(tournament, store)))


class _Told:
    """What is printed of the events."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._fold = TournamentFold()
        self._teller = Teller()

    @property
    def is_over(self) -> bool:
        """Whether nothing comes any more."""
        tournament = self._fold.tournament
        return (
            tournament is not None
            and tournament.stage == "ended"
            and tournament.lots_secret is not None
        )

    def line(self, line: TournamentLine) -> None:
        """Print an event."""
        tournament = self._fold.add(line)
        if not self._as_json:
            show(self._teller.told(line, tournament))
        elif (told := event_told(line)) is not None:
            say(told)

    def end(self) -> None:
        """Print what comes at the end."""
        tournament: Tournament | None = self._fold.tournament
        if self._as_json and tournament is not None:
            fold = self._fold
            say(standings_told(tournament, summary(tournament), seq=fold.seq, head_hash=fold.hash))


async def _watched(told: _Told, lines: AsyncIterator[bytes]) -> None:
    async for raw in lines:
        told.line(read_tournament_line(raw))
        if told.is_over:
            break
    told.end()


async def _called(tournament: str, server: str, token: str) -> AsyncIterator[bytes]:
    async with connect(server, token=token) as client:
        async for update in client.tournaments.watch(tournament):
            if update.HasField("event"):
                yield update.event.line


async def _read(tournament: str, store: Store) -> AsyncIterator[bytes]:
    """Yield the lines of a database, as others add to them."""
    seen = 0
    while True:
        for raw in store.read(tournament, seen):
            seen += 1
            yield raw
        await asyncio.sleep(_LOOK_AGAIN)
