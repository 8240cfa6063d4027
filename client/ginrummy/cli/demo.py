"""`gin demo`: the whole line once: a server, two bots, a replay, an audit, and a damaged log.

Each part is a process of its own and the command that anybody would type, so what is shown is what
there is.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.wire import run
from ginrummy.client import Client, connect
from ginrummy.log.lines import read_line
from ginrummy.rules.events import Discarded
from ginrummy.v1.events_pb2 import Event, HandKind
from ginrummy.v1.match_pb2 import Match
from ginrummy.v1.ruleset_pb2 import Ruleset

__all__ = ["demo"]

_NAMES = ("Ada", "Blaise")
_BAR = 10


class DemoFailedError(click.ClickException):
    """A part of the demonstration that did not do what it should."""


class _Seat(NamedTuple):
    name: str
    player: str
    token: str


@click.command(epilog=examples("gin demo", "gin demo --dir /tmp/gin --target 250"))
@click.option(
    "--dir",
    "directory",
    default="run",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the database and the logs go.",
)
@click.option(
    "--target",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="The points that the match is played to.",
)
def demo(directory: Path, target: int) -> None:
    """Show it all: a match of two bots, its replay, its audit.

    Starts a server on a free port of this machine, with a SQLite file, and two bots as processes
    of their own; then replays the last hand, audits the log, and damages a copy of it to show
    that the audit finds it. The database stays where it is, for the commands that are named at
    the end.
    """
    directory.mkdir(parents=True, exist_ok=True)
    db = directory / "gin.db"
    with _server(db) as address:
        _say(f"A server takes calls at {address}, and keeps every event in {db}.")
        match = run(_play(address, target))
    _tell_result(match)
    _say(f"The last hand, as gin replay {match.id} --hand {match.hands_dealt} tells it:")
    _gin("replay", match.id, "--db", str(db), "--hand", str(match.hands_dealt))
    _say(f"Is all of it right? gin audit {match.id}:")
    _gin("audit", match.id, "--db", str(db))
    damaged, seq = _damage(db, directory, match.id)
    _say(f"Now one card of event {seq} is changed in a copy of the log. gin audit {damaged}:")
    _gin("audit", str(damaged), expected=1)
    _say("Three commands to try next:")
    gin = _gin_here()
    click.echo(f"  {gin} replay {match.id} --db {db}")
    click.echo("      steps through the match with the arrow keys")
    click.echo(f"  {gin} log {match.id} --db {db}")
    click.echo("      prints the log itself, one event a line")
    click.echo(f"  {gin} serve --db {db}")
    click.echo(f"      runs the server; then, in another terminal: {gin} play --against simple")


def _gin_here() -> str:
    """Return what to type for this very command: its name, or where it is."""
    ours, found = Path(sys.executable).with_name("gin"), shutil.which("gin")
    if found is not None and Path(found).resolve() == ours.resolve():
        return "gin"
    with suppress(ValueError):
        return str(ours.relative_to(Path.cwd()))
    return str(ours)


def _say(what: str) -> None:
    click.echo()
    click.secho(what, bold=True)


# --- the parts ----------------------------------------------------------------------------------


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ginrummy.cli", *arguments]


def _gin(*arguments: str, expected: int = 0) -> None:
    """Run a command as it would be typed, its output to ours."""
    sys.stdout.flush()
    done = subprocess.run(_command(*arguments), check=False, stdin=subprocess.DEVNULL)  # noqa: S603 -- our own command
    if done.returncode != expected:
        raise DemoFailedError(
            f"gin {' '.join(arguments)} ended with {done.returncode} where {expected} was expected"
        )


@contextmanager
def _server(db: Path) -> Iterator[str]:
    """Run a server while the context is open, and yield its address."""
    arguments = _command(
        "serve", "--db", str(db), "--listen", "127.0.0.1:0", "--log-level", "error"
    )
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 -- our own command
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        if not address:
            raise DemoFailedError("the server has not started")
        try:
            yield address
        finally:
            process.send_signal(signal.SIGTERM)


async def _play(address: str, target: int) -> Match:
    """Let two bots play a match, show how it goes, and return how it ended."""
    async with connect(address) as client:
        await client.sign_up("The audience")
        seats = [await _player(client, name) for name in _NAMES]
        match = await client.create_match(
            name="The first match",
            rules=Ruleset(target=target),
            seats=[seat.player for seat in seats],
        )
        _say(f"{_NAMES[0]} and {_NAMES[1]}, two processes of gin bot simple, play {match.id}:")
        bots = [await _bot(address, match.id, seat) for seat in seats]
        try:
            await _show(client, match.id, target)
            codes = await asyncio.gather(*(bot.wait() for bot in bots))
        finally:
            for bot in bots:
                with suppress(ProcessLookupError):
                    bot.kill()
        if any(codes):
            raise DemoFailedError("a bot has failed")
        return await client.match(match.id)


async def _player(client: Client, name: str) -> _Seat:
    made = await client.create_player(name)
    return _Seat(name, made.player.id, made.token)


async def _bot(address: str, match_id: str, seat: _Seat) -> asyncio.subprocess.Process:
    """Start a bot as a process of its own."""
    return await asyncio.create_subprocess_exec(
        *_command("bot", "simple", "--match", match_id, "--server", address, "--quiet"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        env={**os.environ, "GINRUMMY_TOKEN": seat.token},
    )


# --- what is shown ------------------------------------------------------------------------------


async def _show(client: Client, match_id: str, target: int) -> None:
    """Show how a match goes until it has ended: a line a hand, and on a terminal every event."""
    points, live = [0, 0], sys.stdout.isatty()
    hand = 0
    async for update in client.watch(match_id):
        if not update.HasField("event"):
            continue
        event = update.event
        if event.HasField("hand_dealt"):
            hand = event.hand_dealt.hand
        if event.HasField("hand_scored") or event.HasField("hand_voided"):
            if event.HasField("hand_scored"):
                points[event.hand_scored.winner] += event.hand_scored.points
            click.echo(_line(hand, _result(event), points, target), nl=True)
        elif live:
            click.echo(f"\r  hand {hand:>2}  event {event.seq} ... ", nl=False)


def _result(event: Event) -> str:
    if event.HasField("hand_voided"):
        return "void, no score"
    scored = event.hand_scored
    kind = HandKind.Name(scored.kind).removeprefix("HAND_KIND_").lower().replace("_", " ")
    return f"{kind} for {_NAMES[scored.winner]}, {scored.points}"


def _line(hand: int, result: str, points: Sequence[int], target: int) -> str:
    bars = "   ".join(
        f"{name} {_bar(mine, target)} {mine:>3}" for name, mine in zip(_NAMES, points, strict=True)
    )
    return f"\r  hand {hand:>2}  {result:<27} {bars}"


def _bar(points: int, target: int) -> str:
    full = min(_BAR, points * _BAR // target)
    return "#" * full + "." * (_BAR - full)


def _tell_result(match: Match) -> None:
    outcome = match.outcome
    totals = " to ".join(str(outcome.totals[seat]) for seat in _order(outcome.winner))
    _say(f"{_NAMES[outcome.winner]} wins, {totals} with all bonuses.")


def _order(winner: int) -> tuple[int, int]:
    return (0, 1) if winner == 0 else (1, 0)


# --- a damaged copy -----------------------------------------------------------------------------


def _damage(db: Path, directory: Path, match_id: str) -> tuple[Path, int]:
    """Export the log, change one discarded card in a copy, and return the copy and the event."""
    kept = directory / f"{match_id}.log"
    kept.unlink(missing_ok=True)
    _gin("export", match_id, "--db", str(db), "-o", str(kept))
    lines = kept.read_bytes().splitlines()
    discards = [
        place for place, line in enumerate(lines) if isinstance(read_line(line).event, Discarded)
    ]
    place = discards[len(discards) // 2]
    line = read_line(lines[place])
    assert isinstance(line.event, Discarded)
    card = str(line.event.card).encode()
    other = b"KS" if card != b"KS" else b"QS"
    lines[place] = lines[place].replace(b'"card":"' + card, b'"card":"' + other)
    damaged = directory / "damaged.log"
    damaged.write_bytes(b"".join(line + b"\n" for line in lines))
    return damaged, line.seq
