"""`gin serve`: the server as a process."""

import asyncio
import gc
import math
import sys
from collections.abc import Callable

import click

from ginrummy.api.errors import PortTakenError
from ginrummy.api.journal import LEVELS, LogFormat, configure
from ginrummy.api.ports import LAST_PORT
from ginrummy.api.server import ServerOptions, run
from ginrummy.cli.lazy import examples
from ginrummy.cli.workers import Orders, run_workers
from ginrummy.store import StoreError
from ginrummy.store.opening import MEMORY

__all__ = ["serve", "serve_here"]


class NotServingError(click.ClickException):
    """A server that cannot run as it was asked to."""

    exit_code = 2


@click.command(
    epilog=examples(
        "gin serve",
        "gin serve --db league.db --listen 127.0.0.1:0",
        "gin serve --workers 4",
        "gin serve --db :memory: --log-format console --log-level debug",
    )
)
@click.option(
    "--db",
    default="gin.db",
    show_default=True,
    metavar="DATABASE",
    help="A SQLite file, or postgresql://…; :memory: keeps nothing.",
)
@click.option(
    "--listen",
    default="127.0.0.1:50051",
    show_default=True,
    metavar="ADDRESS",
    help="The address to take calls at; port 0 takes a free one.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="NUMBER",
    help="Serve with so many processes, which share the port and the database.",
)
@click.option(
    "--metrics",
    type=click.IntRange(0, LAST_PORT),
    metavar="PORT",
    help="Serve Prometheus metrics at this port of the same host, each further worker at the next.",
)
@click.option(
    "--checkpoint-every",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    metavar="EVENTS",
    help="Sign the log after so many events at the latest.",
)
@click.option(
    "--grace",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="How long calls under way have to end when the server stops.",
)
@click.option(
    "--log-format",
    type=click.Choice(["json", "console"]),
    default="json",
    show_default=True,
    help="How the program's own log is written, on standard error.",
)
@click.option(
    "--log-level",
    type=click.Choice(LEVELS),
    default="info",
    show_default=True,
    help="The least that is logged.",
)
def serve(
    db: str,
    listen: str,
    workers: int,
    metrics: int | None,
    checkpoint_every: int,
    grace: float,
    log_format: LogFormat,
    log_level: str,
) -> None:
    """Run the server.

    Prints one line with the address as soon as it takes calls. SIGTERM or Ctrl-C stops it: open
    streams are ended with a status, and what is being stored is stored and answered. Started
    again on the same database, it goes on with every match where it was.

    One process uses one processor: --workers lets several serve. One that dies is started again.
    """
    configure(log_format, log_level)
    if workers > 1 and db == MEMORY:
        raise click.UsageError("--workers: several processes need a database that they can share")
    if (metrics or 0) + workers - 1 > LAST_PORT:
        raise click.UsageError("--metrics: there are not so many ports for that many workers")
    if not math.isfinite(grace):
        raise click.UsageError(f"--grace: {grace} is no number of seconds; 5 is one")
    options = ServerOptions(
        db=db, listen=listen, grace=grace, metrics=metrics, checkpoint_every=checkpoint_every
    )
    try:
        if workers == 1:
            serve_here(options)
            return
        orders = Orders(options, log_format, log_level)
        code = asyncio.run(run_workers(orders, workers, click.echo))
    except (PortTakenError, StoreError) as error:
        raise NotServingError(str(error)) from error
    sys.exit(code)


_SWITCH_SECONDS = 0.0001
"""The writer's thread asks for the interpreter several times a commit, and would wait up to 5 ms
for it each time while the event loop is busy."""

_YOUNG_OBJECTS = 20_000
"""New objects between two collections of garbage: hardly any that a move makes are in circles."""


def serve_here(
    options: ServerOptions,
    leash: int | None = None,
    stopping: Callable[[], None] = lambda: None,
) -> None:
    """Serve in this process until it is told to stop; see `ginrummy.api.server.run`."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)

    def ready(address: str) -> None:
        click.echo(address)

    try:
        import uvloop  # noqa: PLC0415  # not on every platform
    except ModuleNotFoundError:
        asyncio.run(run(options, ready, leash, stopping))
    else:
        uvloop.run(run(options, ready, leash, stopping))
