"""One of the servers that `gin serve --workers` starts: `python -m ginrummy.cli.worker 1`."""

import sys
from contextlib import suppress

import click
import msgspec

from ginrummy.api.errors import PortTakenError
from ginrummy.api.journal import configure
from ginrummy.cli.serve import serve_here
from ginrummy.cli.workers import Orders
from ginrummy.store import StoreError

__all__ = ["main"]


def main() -> int:
    """Serve as ordered, and return the code to exit with. The argument is for whoever runs ps."""
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    configure(orders.log_format, orders.log_level, worker=orders.worker)
    try:
        serve_here(orders.options, sys.stdin.fileno(), _tell_stopping)
    except (PortTakenError, StoreError) as error:
        click.echo(f"Error: {error}", err=True)
        return 2
    return 0


def _tell_stopping() -> None:
    # Nobody is told any more where it stops because whoever watched it is gone.
    with suppress(BrokenPipeError):
        click.echo("stopping")


if __name__ == "__main__":
    sys.exit(main())
