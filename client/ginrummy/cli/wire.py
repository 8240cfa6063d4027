"""What the commands that talk to a server share: its address, a token, and an end for errors."""

import asyncio
import functools
import getpass
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

import click

# gRPC writes of every connection that comes to its end, in the middle of whatever is on the screen.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

from ginrummy.cli.refusals import refusal
from ginrummy.client import (
    CallError,
    Client,
    GinRummyError,
    KeyFile,
    KeyFiles,
    NonceFiles,
    NotSignedInError,
    ReceiptFiles,
    VerificationError,
    connect,
)
from ginrummy.client.signing import can_sign

__all__ = [
    "Access",
    "CheatedError",
    "RefusedCallError",
    "access_options",
    "kept_keys",
    "player_options",
    "run",
    "say_who_signs",
]

T = TypeVar("T")


class CheatedError(click.ClickException):
    """What the server sent contradicts itself or its commitment."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Say it so that nobody overlooks it."""
        click.secho(f"TAMPERED: {self.message}", fg="red", bold=True, err=True, file=file)


class RefusedCallError(click.ClickException):
    """A server that did not do what was asked, or none that answers."""

    exit_code = 2


class Access(NamedTuple):
    """Which server, and who is there."""

    server: str
    token: str
    """Empty for whoever has none yet."""
    name: str
    """What a player that is made is called; empty for as whoever is at the terminal."""
    keeps_receipts: bool = True
    """Whether what the server has told is kept, to hold it to that in later runs."""
    key_file: str = ""
    """The key by which moves are signed; empty for one that is kept for each player."""

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        """Give a client that keeps nonces, receipts and keys where a later run finds them."""
        kept = _state()
        receipts = ReceiptFiles(kept / "receipts") if self.keeps_receipts else None
        async with connect(
            self.server,
            token=self.token,
            nonces=NonceFiles(kept / "nonces"),
            receipts=receipts,
            keys=KeyFile(Path(self.key_file)) if self.key_file else kept_keys(),
        ) as client:
            there = asyncio.ensure_future(_there(client))
            await asyncio.wait((there,), timeout=_SILENCE)
            if not there.done():
                click.echo(f"No server answers at {self.server} yet: trying on.", err=True)
            await there
            yield client

    async def sign_in(self, client: Client) -> str:
        """Be the player of the token, or a new one; return the token."""
        return self.token or await client.sign_up(self.name or _own_name())


def kept_keys() -> KeyFiles | None:
    """Return the keys that are kept for players on this machine; None where nothing can be signed.

    Without the library one plays unsigned where one may, and is told elsewhere.
    """
    return KeyFiles(_state() / "keys") if can_sign() else None


def _state() -> Path:
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "ginrummy"


_SILENCE = 2.0
"""Seconds after which somebody who waits for a server is told so."""


async def _there(client: Client) -> None:
    await client


def access_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which server and who is there, as the argument `access`."""

    @functools.wraps(command)
    def gathered(*, server: str, token: str, name: str | None, **others: object) -> None:
        command(access=Access(server, token, name or ""), **others)

    for option in (
        click.option("--name", metavar="NAME", help="Your name, where a player is made for you."),
        click.option(
            "--token",
            envvar="GINRUMMY_TOKEN",
            default="",
            metavar="TOKEN",
            help="Your player's token; also GINRUMMY_TOKEN. Without one a player is made.",
        ),
        click.option(
            "--server",
            envvar="GINRUMMY_SERVER",
            default="127.0.0.1:50051",
            show_default=True,
            metavar="ADDRESS",
            help="The server; also GINRUMMY_SERVER.",
        ),
    ):
        gathered = option(gathered)
    return gathered


def player_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `access_options`, and that which says by which key moves are signed."""

    @functools.wraps(command)
    def gathered(*, access: Access, key_file: str | None, **others: object) -> None:
        command(access=access._replace(key_file=key_file or ""), **others)

    return access_options(
        click.option(
            "--key-file",
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Sign moves by this key, made if it is not there; else by your player's own.",
        )(gathered)
    )


async def say_who_signs(client: Client, match_id: str) -> None:
    """Say by which public key one's moves are signed, where they are."""
    signer = await client.signer(match_id)
    if signer is not None:
        click.echo(f"Your moves are signed. Your public key: {signer.public_key.hex()}", err=True)


def _own_name() -> str:
    """Return what the person at this terminal is called."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "somebody"


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` does; an error that it ends with is one line and an exit code."""
    try:
        return _run(work)
    except VerificationError as error:
        raise CheatedError(str(error)) from error
    except NotSignedInError as error:
        raise RefusedCallError(refusal(error)) from error
    except CallError as error:
        raise RefusedCallError(_described(error)) from error
    except GinRummyError as error:
        raise RefusedCallError(str(error)) from error


def _described(error: CallError) -> str:
    # Where one field is wrong, all that is to be said is what is wrong with it.
    said = [str(error)] if [why for _, why in error.answer.fields] != [error.answer.message] else []
    return "; ".join([*said, *(f"{field}: {why}" for field, why in error.answer.fields)])


def _run(work: Coroutine[Any, Any, T]) -> T:
    try:
        import uvloop  # noqa: PLC0415 -- not in every install
    except ModuleNotFoundError:
        return asyncio.run(work)
    return uvloop.run(work)
