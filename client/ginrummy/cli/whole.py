"""`gin audit --checkpoint`: the whole log against what was signed of it earlier."""

from collections.abc import Iterator

from ginrummy.audit.whole import WholeFault, WholeReport, audit_whole, signature_fault
from ginrummy.cli.refusals import refusal
from ginrummy.cli.signed import read_checkpoint_file, served_key, stored_key
from ginrummy.cli.source import UnusableSourceError, open_database
from ginrummy.client import CallError, GinRummyError
from ginrummy.client.sync import SyncClient, connect
from ginrummy.log.checkpoints import Checkpoint, read_checkpoint
from ginrummy.log.merkle import InvalidProofError, check_consistency
from ginrummy.log.notes import MalformedNoteError, VerifierKey
from ginrummy.store import Store

__all__ = ["audited_whole"]

_PAGE = 2000
"""Lines that are read at once."""


def audited_whole(
    path: str, pinned: VerifierKey | None, db: str, server: str | None, token: str
) -> WholeReport:
    """Return what a database, or a server, is against a checkpoint that somebody has kept."""
    kept = read_checkpoint_file(path)
    if server is None:
        return _stored(kept, pinned or stored_key(db), db)
    try:
        with connect(server, token=token) as client:
            return _served(kept, pinned or served_key(client), client)
    except GinRummyError as error:
        raise UnusableSourceError(f"{server}: {refusal(error)}") from error


def _stored(kept: Checkpoint, key: VerifierKey, db: str) -> WholeReport:
    """Go through all lines of a database, and compare its own checkpoints as well."""
    with open_database(db) as store:
        return audit_whole(_lines(store), [kept, *_checkpoints(store)], key)


def _lines(store: Store) -> Iterator[bytes]:
    after = 0
    while page := store.read_all(after, _PAGE):
        yield from (raw for _, raw in page)
        after, _ = page[-1]


def _checkpoints(store: Store) -> Iterator[Checkpoint]:
    size = 0
    while (found := store.checkpoint_from(size)) is not None:
        yield _read(found.note)
        size = found.size + 1


def _served(kept: Checkpoint, key: VerifierKey, client: SyncClient) -> WholeReport:
    """Let a server prove that its log has only grown since."""
    try:
        now = _read(client.checkpoint().checkpoint.encode())
        faults = [fault for each in (kept, now) if (fault := signature_fault(each, key))]
        if now.size < kept.size:
            message = f"{kept.size} lines were signed, and {now.size} are there: it was cut off"
            faults.append(WholeFault("checkpoint", kept.size, message))
        else:
            proof = client.prove_consistency(kept.size, now.size).hashes
            check_consistency(kept.size, now.size, kept.root, now.root, proof)
    except InvalidProofError as error:
        message = f"the log of {now.size} lines does not continue it: {error}"
        faults.append(WholeFault("checkpoint", kept.size, message))
    except CallError as error:
        if error.reason != "LOG_DAMAGED":
            raise
        now, faults = kept, [WholeFault("checkpoint", kept.size, str(error))]
    return WholeReport(
        lines=now.size,
        root="",
        checkpoints=(kept.size,),
        clean=not faults,
        faults=tuple(faults),
    )


def _read(note: bytes) -> Checkpoint:
    try:
        return read_checkpoint(note)
    except MalformedNoteError as error:
        raise UnusableSourceError(f"a checkpoint that cannot be read: {error}") from error
