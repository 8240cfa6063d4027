"""`gin bench`: the benchmarks of a checkout."""

import subprocess
import sys
from pathlib import Path

import click

from ginrummy.cli.lazy import examples

__all__ = ["bench"]

_SUITE = Path("benchmarks", "suite.py")


class NoBenchmarksError(click.ClickException):
    """There is no checkout here."""

    exit_code = 2


@click.command(epilog=examples("gin bench"))
@click.pass_context
def bench(ctx: click.Context) -> None:
    """Measure everything.

    Writes benchmarks/results.md. Runs in a checkout with the dev extra. Takes some minutes, and
    the machine should have nothing else to do meanwhile. Each line is one comparison: ours, the
    baseline, and their ratio.
    """
    if not _SUITE.is_file():
        raise NoBenchmarksError(f"there is no {_SUITE} here: run it at the top of a checkout")
    ctx.exit(subprocess.run([sys.executable, str(_SUITE)], check=False).returncode)  # noqa: S603 -- our own script
