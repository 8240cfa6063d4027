"""`gin serve`: the server as a process."""

import asyncio
import gc
import sys

import click

from ginrummy.api.errors import PortTakenError
from ginrummy.api.journal import LEVELS, LogFormat, configure
from ginrummy.api.server import ServerOptions, run
from ginrummy.cli.lazy import examples
from ginrummy.store import StoreError

__all__ = ["serve"]


class NotServingError(click.ClickException):
    """A server that cannot run as it was asked to."""

    exit_code = 2


@click.command(
    epilog=examples(
        "gin serve",
        "gin serve --db league.db --listen 127.0.0.1:0",
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
    "--metrics",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve Prometheus metrics at this port of the same host.",
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
    """
    configure(log_format, log_level)
    options = ServerOptions(
        db=db, listen=listen, grace=grace, metrics=metrics, checkpoint_every=checkpoint_every
    )
    try:
        _run(options)
    except (PortTakenError, StoreError) as error:
        raise NotServingError(str(error)) from error


_SWITCH_SECONDS = 0.0001
"""The writer's thread asks for the interpreter several times a commit, and would wait up to 5 ms
for it each time while the event loop is busy."""

_YOUNG_OBJECTS = 20_000
"""New objects between two collections of garbage: hardly any that a move makes are in circles."""


def _run(options: ServerOptions) -> None:
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)

    def ready(address: str) -> None:
        click.echo(address)

    try:
        import uvloop  # noqa: PLC0415  # not on every platform
    except ModuleNotFoundError:
        asyncio.run(run(options, ready))
    else:
        uvloop.run(run(options, ready))
