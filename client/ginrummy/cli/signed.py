"""What is signed of a log, from where a command gets it: its key, its receipts, its checkpoints."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from ginrummy.cli.source import UnusableSourceError, open_database
from ginrummy.log.checkpoints import Checkpoint, read_checkpoint
from ginrummy.log.notes import InvalidKeyError, MalformedNoteError, VerifierKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from ginrummy.client.sync import SyncClient

__all__ = ["asked", "key_option", "known_key", "read_checkpoint_file", "served_key", "stored_key"]

T = TypeVar("T")


def _read_key(ctx: click.Context, param: click.Parameter, value: str | None) -> VerifierKey | None:
    if value is None:
        return None
    try:
        return VerifierKey.read(value)
    except InvalidKeyError as error:
        raise click.BadParameter(str(error), ctx, param) from error


key_option = click.option(
    "--key",
    "pinned",
    callback=_read_key,
    metavar="VKEY",
    help="The server's key as you were told it earlier; else the one that it has now.",
)
"""The option with the key that somebody trusts."""


def asked(server: str, token: str, ask: "Callable[[SyncClient], T]") -> T:
    """Return what a server answers. Raises UnusableSourceError where it does not."""
    from ginrummy.cli.refusals import refusal  # noqa: PLC0415 -- a file needs no server
    from ginrummy.client import GinRummyError  # noqa: PLC0415 -- likewise
    from ginrummy.client.sync import connect  # noqa: PLC0415 -- likewise

    try:
        with connect(server, token=token) as client:
            return ask(client)
    except GinRummyError as error:
        raise UnusableSourceError(f"{server}: {refusal(error)}") from error


def served_key(client: "SyncClient") -> VerifierKey:
    """Return the key that a server says is its own."""
    try:
        return VerifierKey.read(client.key())
    except InvalidKeyError as error:
        raise UnusableSourceError(f"the server's key cannot be used: {error}") from error


def stored_key(db: str) -> VerifierKey:
    """Return the key of the log in a database."""
    from ginrummy.notary.keys import kept_key  # noqa: PLC0415 -- a file needs no database

    with open_database(db) as store:
        key = kept_key(store)
    if key is None:
        raise UnusableSourceError(f"{db} has no key yet: no server has run on it since it got one")
    return key.verifier


def known_key(db: str, server: str | None, token: str) -> VerifierKey:
    """Return the key of a server, or else that of a database."""
    return stored_key(db) if server is None else asked(server, token, served_key)


def read_checkpoint_file(path: str) -> Checkpoint:
    """Return the checkpoint that somebody has kept. Raises UnusableSourceError."""
    try:
        return read_checkpoint(Path(path).read_bytes())
    except OSError as error:
        raise UnusableSourceError(f"{path}: {error.strerror or error}") from error
    except MalformedNoteError as error:
        raise UnusableSourceError(f"{path} is no checkpoint: {error}") from error
