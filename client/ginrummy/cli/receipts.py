"""`gin receipt`, `gin key` and `gin checkpoint`: what one keeps to hold a server to its log."""

import sys
from pathlib import Path

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.output import write_new
from ginrummy.cli.signed import asked, known_key
from ginrummy.cli.source import UnusableSourceError, open_database, source_options
from ginrummy.notary.errors import NoSuchCheckpointError
from ginrummy.notary.proofs import prove_inclusion

__all__ = ["checkpoint", "key", "receipt"]

_output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write it there, and not to standard output; a file that exists is not overwritten.",
)


@click.command(
    epilog=examples(
        "gin receipt m_7vk2c8w0r6ht9zq3nx5b7jd1ge -o final.tlog-proof",
        "gin receipt t_5rmrk0w2nxs39vg2mba0c1fchm --server 127.0.0.1:50051 -o cup.tlog-proof",
    )
)
@click.argument("match")
@_output_option
@source_options
def receipt(match: str, *, output: str | None, db: str, server: str | None, token: str) -> None:
    """Write the receipt of a match.

    It proves, to whoever has the server's key, that the match's log as it is now was in the
    server's log when that was signed. A tournament's id works as well.
    """
    if server is None:
        text = _stored_receipt(match, db)
    else:
        text = asked(server, token, lambda client: client.receipt(match)).receipt.encode()
    _write(text, output)


@click.command(epilog=examples("gin key", "gin key --server 127.0.0.1:50051 > server.key"))
@source_options
def key(*, db: str, server: str | None, token: str) -> None:
    """Print the key that checks what a server signs.

    One line of text, made at the server's first start: keep it, from the beginning, for --key.
    """
    click.echo(str(known_key(db, server, token)))


@click.command(
    epilog=examples(
        "gin checkpoint -o today.checkpoint",
        "gin checkpoint --server 127.0.0.1:50051 -o today.checkpoint",
    )
)
@_output_option
@source_options
def checkpoint(*, output: str | None, db: str, server: str | None, token: str) -> None:
    """Write what a server has signed of its whole log last.

    Whoever keeps it can show later that the log was changed since: gin audit --checkpoint.
    """
    if server is not None:
        text = asked(server, token, lambda client: client.checkpoint()).checkpoint.encode()
    else:
        with open_database(db) as store:
            found = store.last_checkpoint()
        if found is None:
            raise UnusableSourceError(f"nothing is signed yet in {db}")
        text = found.note
    _write(text, output)


def _stored_receipt(match: str, db: str) -> bytes:
    with open_database(db) as store:
        last = store.head(match).seq
        if last == 0:
            raise UnusableSourceError(f"there is no match {match} in {db}")
        try:
            return prove_inclusion(store, match, last).receipt
        except NoSuchCheckpointError as error:
            raise UnusableSourceError(f"{error}: its server signs it, so ask --server") from error


def _write(text: bytes, output: str | None) -> None:
    if output is None:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return
    write_new(Path(output), [text])
