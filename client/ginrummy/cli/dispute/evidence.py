"""`gin dispute bundle` and `verify`: all evidence in one file, and what it comes to."""

import re
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import click

from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.sources import LogFile
from ginrummy.cli.bundles import judge_bundle
from ginrummy.cli.lazy import examples
from ginrummy.cli.output import write_new
from ginrummy.cli.signed import asked, key_option
from ginrummy.cli.source import (
    Log,
    UnusableSourceError,
    is_file,
    open_database,
    open_log,
    source_options,
)
from ginrummy.evidence.bundle.errors import BundleTooLargeError, NothingToBundleError
from ginrummy.evidence.bundle.inputs import KeptHeads
from ginrummy.evidence.bundle.making import make_bundle
from ginrummy.evidence.bundle.replaying import replayed_matches
from ginrummy.log.errors import LineError
from ginrummy.log.heads import MalformedHeadsError, read_heads
from ginrummy.log.lines import read_line
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import MalformedReceiptError, read_receipt

__all__ = ["bundle", "verify"]

_SEAT = re.compile("(?:seat-)?([01])=(.+)")


def _read_heads(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[KeptHeads, ...]:
    """Read files of hashes: `0=FILE` and `1=FILE` by a seat, `FILE` by anybody else."""
    kept: list[KeptHeads] = []
    for value in values:
        seat = _SEAT.fullmatch(value)
        others = sum(each.holder.startswith("other-") for each in kept)
        holder = f"seat-{seat[1]}" if seat else f"other-{others + 1}"
        path = seat[2] if seat else value
        try:
            raw = Path(path).read_bytes()
            read_heads(raw)
        except OSError as error:
            raise click.BadParameter(f"{path}: {error.strerror or error}", ctx, param) from error
        except MalformedHeadsError as error:
            raise click.BadParameter(f"{path} keeps no hashes: {error}", ctx, param) from error
        if any(each.holder == holder for each in kept):
            raise click.BadParameter(f"{holder} has one file of hashes: name it once", ctx, param)
        kept.append(KeptHeads(holder, raw))
    return tuple(kept)


def _read_own_heads(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> tuple[KeptHeads, ...]:
    """Read one's own files of hashes."""
    found = _read_heads(ctx, param, values)
    return tuple(KeptHeads(f"own-{number}", each.raw) for number, each in enumerate(found, start=1))


def _read_receipt(ctx: click.Context, param: click.Parameter, value: str | None) -> bytes | None:
    if value is None:
        return None
    try:
        raw = Path(value).read_bytes()
        read_receipt(raw)
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror or error}", ctx, param) from error
    except MalformedReceiptError as error:
        raise click.BadParameter(f"{value} is no receipt: {error}", ctx, param) from error
    return raw


@click.command(
    epilog=examples(
        "gin dispute bundle m_7vk2c8w0r6ht9zq3nx5b7jd1ge 1 -o evidence.zip",
        "gin dispute bundle m_7vk2c8w0r6ht9zq3nx5b7jd1ge 1 -o evidence.zip"
        " --server 127.0.0.1:50051 --heads 0=mine.heads",
        "gin dispute bundle final.log --event 57 -o evidence.zip --receipt final.tlog-proof",
    )
)
@click.argument("match", metavar="MATCH|FILE|-")
@click.argument("number", metavar="[DISPUTE]", type=click.IntRange(min=1), required=False)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; one that exists is not overwritten.",
)
@click.option(
    "--event",
    type=click.IntRange(min=1),
    metavar="SEQ",
    help="What it is about, where it is about no dispute; the match's end unless given.",
)
@click.option(
    "--heads",
    multiple=True,
    callback=_read_heads,
    metavar="[SEAT=]FILE",
    help="Hashes that were kept, by seat 0, seat 1 or somebody else; may be given again.",
)
@click.option(
    "--receipt",
    callback=_read_receipt,
    metavar="FILE",
    help="A receipt that was kept; else the server's or the database's own of now.",
)
@click.option(
    "--replay",
    "replays",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The log of a match in which the hand was played again, where the match is a file.",
)
@key_option
@source_options
def bundle(  # noqa: PLR0913 -- its options
    *,
    match: str,
    number: int | None,
    output: Path,
    event: int | None,
    heads: tuple[KeptHeads, ...],
    receipt: bytes | None,
    replays: tuple[Path, ...],
    pinned: VerifierKey | None,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Put all evidence into one file.

    It holds the match's log, its receipt with the signed checkpoint and the key, the hashes that
    players have kept, the audit report, what both seats saw at the event, the clock's data, and of
    a dispute the claim and the rulings. It is judged by gin audit or gin dispute verify, and by
    node verify.mjs, without a server or a database. The same gives the same file, to the byte.

    Prints the file's SHA-256 and its name, as sha256sum does.
    """
    if number is not None and event is not None:
        raise click.UsageError("a dispute says by itself which event it is about")
    if server is not None and not is_file(match):
        if receipt is not None or pinned is not None or replays:
            why = "the server gives its own receipt, key and replays: leave these out"
            raise click.UsageError(why)
        kept = {each.holder: each.raw for each in heads}
        raw = asked(
            server, token, lambda client: client.evidence(match, number or 0, event or 0, kept)
        )
    else:
        with open_log(match, db, server, token) as log:
            again = dict(map(_replay, replays))
            if not is_file(match):
                again |= _stored_replays(log, number, db)
            if receipt is None and not is_file(match):
                receipt, own = _stored_receipt(match, db)
                pinned = pinned or own
            raw = _made(log, number, event, receipt, pinned, heads, again)
    write_new(output, [raw])
    click.echo(f"{sha256(raw).hexdigest()}  {output}")


def _made(
    log: Log,
    number: int | None,
    event: int | None,
    receipt: bytes | None,
    key: VerifierKey | None,
    heads: tuple[KeptHeads, ...],
    replays: Mapping[str, Sequence[bytes]],
) -> bytes:
    try:
        return make_bundle(
            log.lines,
            dispute=number,
            event=event,
            receipt=receipt,
            key=key,
            heads=heads,
            replays=replays,
        )
    except (NothingToBundleError, BundleTooLargeError) as error:
        raise UnusableSourceError(f"{log.name}: {error}") from error


def _replay(path: Path) -> tuple[str, Sequence[bytes]]:
    """Return a log by the match that it is of."""
    try:
        lines = list(LogFile(path))
        return read_line(lines[0]).stream, lines
    except (IndexError, LineError, UnusableLogError) as error:
        raise UnusableSourceError(f"{path} is no log of a match") from error


def _stored_replays(log: Log, number: int | None, db: str) -> Mapping[str, Sequence[bytes]]:
    wanted = replayed_matches(log.lines, number)
    if not wanted:
        return {}
    with open_database(db) as store:
        return {each: list(store.read(each)) for each in wanted}


def _stored_receipt(match: str, db: str) -> tuple[bytes | None, VerifierKey | None]:
    """Return the receipt of a match and the key of its database, as far as there are any."""
    from ginrummy.notary.errors import NoSuchCheckpointError  # noqa: PLC0415 -- a file needs none
    from ginrummy.notary.keys import kept_key  # noqa: PLC0415 -- likewise
    from ginrummy.notary.proofs import prove_inclusion  # noqa: PLC0415 -- likewise

    with open_database(db) as store:
        key = kept_key(store)
        try:
            found = prove_inclusion(store, match, store.head(match).seq).receipt
        except NoSuchCheckpointError as error:
            click.echo(f"No receipt is in it: {error}. A running server signs it.", err=True)
            found = None
    return found, None if key is None else key.verifier


@click.command(
    epilog=examples(
        "gin dispute verify evidence.zip",
        'gin dispute verify evidence.zip --key "$(cat server.key)"',
        "gin dispute verify evidence.zip --heads mine.heads",
        "gin dispute verify evidence.zip --json | jq .finding",
    )
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--heads",
    multiple=True,
    callback=_read_own_heads,
    metavar="FILE",
    help="Hashes of the match that you have kept yourself; may be given again.",
)
@key_option
@click.option("--json", "as_json", is_flag=True, help="What is found as one line of JSON.")
def verify(
    *, file: str, heads: tuple[KeptHeads, ...], pinned: VerifierKey | None, as_json: bool
) -> None:
    """Judge a file of evidence by itself.

    Says whether the file is intact, whether all that is in it follows from its log, and what the
    record says of the claim: that it bears it out, that it refutes it, or that it shows neither.
    Neither a server nor a database is needed; gin audit FILE does the same.

    A key and hashes in the file are the word of whoever made it. What you have kept yourself counts
    for more: give it with --key and --heads.

    Exits with 0 where no fault was found in it and its log, with 1 where there are faults, and with
    2 where it is no file of evidence.
    """
    sys.exit(judge_bundle(file, pinned, heads, as_json=as_json))
