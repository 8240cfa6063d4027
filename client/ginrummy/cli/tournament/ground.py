"""Where a tournament is run: at a server that is there, or at one that is started for it."""

import functools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import click
import msgspec

from ginrummy.api.errors import PortTakenError
from ginrummy.api.server import ServerOptions, serving
from ginrummy.cli.tournament.directing import RefusedActError
from ginrummy.cli.tournament.keeping import InFiles, InVault, Players, own_director, token_files
from ginrummy.client import Client, connect
from ginrummy.store import StoreError, open_store

__all__ = ["Ground", "ground_options"]


class Ground(msgspec.Struct, frozen=True):
    """A server, or what one is started with."""

    db: str
    listen: str
    server: str | None
    token: str

    @property
    def where(self) -> str:
        """The options that name it again."""
        return f"--server {self.server}" if self.server else f"--db {self.db}"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[tuple[Client, Players]]:
        """Give a director's client, and whoever keeps the bots' players.

        Raises RefusedActError where the database or the port cannot be used.
        """
        async with AsyncExitStack() as stack:
            if self.server is not None:
                client = await stack.enter_async_context(connect(self.server, token=self.token))
                yield await client, InFiles(client, token_files())
                return
            try:
                store = open_store(self.db)
                stack.callback(store.close)
                director = own_director(store)
                options = ServerOptions(db=self.db, listen=self.listen)
                address = await stack.enter_async_context(serving(options))
            except (StoreError, PortTakenError) as error:
                raise RefusedActError(str(error)) from error
            client = await stack.enter_async_context(connect(address, token=director.token))
            yield client, InVault(store)


def ground_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where a tournament is run, as the argument `ground`."""

    @functools.wraps(command)
    def gathered(*, db: str, listen: str, server: str | None, token: str, **rest: object) -> None:
        if db == ":memory:" and server is None:
            raise click.UsageError("--db: name a file, so that the tournament can be gone on with")
        command(ground=Ground(db, listen, server, token), **rest)

    for option in (
        click.option(
            "--token",
            envvar="GINRUMMY_TOKEN",
            default="",
            help="Your token there; also GINRUMMY_TOKEN.",
        ),
        click.option(
            "--server", metavar="ADDRESS", help="Run it at this server, as one of its directors."
        ),
        click.option(
            "--listen",
            default="127.0.0.1:0",
            show_default=True,
            metavar="ADDRESS",
            help="Where that server takes calls.",
        ),
        click.option(
            "--db",
            default="gin.db",
            show_default=True,
            metavar="FILE",
            help="The database of the server that is started for it.",
        ),
    ):
        gathered = option(gathered)
    return gathered
