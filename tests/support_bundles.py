"""Evidence bundles as tests make and spoil them, and what both verifiers say of one."""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec
from support_logs import Log
from support_node import VERIFY, node
from support_signed import signed_database

from ginrummy.evidence.bundle.archive import read_archive, write_archive
from ginrummy.evidence.bundle.checking import BundleReport, check_bundle
from ginrummy.evidence.bundle.inputs import KeptHeads
from ginrummy.evidence.bundle.manifest import (
    MANIFEST,
    SUMS,
    read_manifest,
    write_manifest,
    write_sums,
)
from ginrummy.log.heads import write_head
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.notes import VerifierKey
from ginrummy.notary.keys import kept_key
from ginrummy.notary.proofs import prove_inclusion
from ginrummy.store import SqliteStore

__all__ = [
    "Judged",
    "all_judged_by_node",
    "heads_of",
    "judged_by_node",
    "judged_by_us",
    "members_of",
    "packed",
    "receipt_of",
    "respelled",
    "spoiled",
]

Judged = dict[str, Any]
"""What the independent verifier says of a bundle."""


# --- what is kept of a log ------------------------------------------------------------------------


def receipt_of(path: Path, lines: Sequence[MatchLine]) -> tuple[bytes, VerifierKey]:
    """Return the receipt of a log that a server has signed in a database, and the server's key."""
    signed_database(path, lines)
    with closing(SqliteStore(path)) as store:
        key = kept_key(store)
        assert key is not None
        return prove_inclusion(store, lines[0].stream, len(lines)).receipt, key.verifier


def heads_of(holder: str, log: Log, *seqs: int) -> KeptHeads:
    """Return what somebody keeps who was told the hashes of these events; of all without any."""
    lines = [read_line(raw) for raw in log]
    told = [line for line in lines if not seqs or line.seq in seqs]
    return KeptHeads(holder, b"".join(write_head(line.seq, line.hash, line.at) for line in told))


# --- what is said of a bundle ---------------------------------------------------------------------


def judged_by_us(bundle: bytes, key: VerifierKey | None = None, *heads: KeptHeads) -> BundleReport:
    """Return what the program says of a bundle, as it is written and read again."""
    report = check_bundle(bundle, key, heads)
    assert msgspec.json.decode(msgspec.json.encode(report), type=BundleReport) == report
    return report


def judged_by_node(
    path: Path, bundle: bytes, key: VerifierKey | None = None, *heads: KeptHeads
) -> tuple[int, Judged, str]:
    """Return the exit code, the report and the complaints of the independent verifier."""
    path.write_bytes(bundle)
    options = [] if key is None else ["--key", str(key)]
    for each in heads:
        kept = path.with_name(f"{each.holder}.heads")
        kept.write_bytes(each.raw)
        options += ["--heads", str(kept)]
    run = node(VERIFY, "--json", *options, path)
    return run.returncode, json.loads(run.stdout) if run.stdout else {}, run.stderr


def all_judged_by_node(directory: Path, bundles: Sequence[bytes]) -> list[Judged]:
    """Return the reports of the independent verifier on many bundles, by one process."""
    paths = [directory / f"{number}.zip" for number in range(len(bundles))]
    for path, bundle in zip(paths, bundles, strict=True):
        path.write_bytes(bundle)
    run = node(VERIFY, "--json", *paths)
    assert run.stderr == ""
    return [json.loads(line) for line in run.stdout.split("\n")[:-1]]


# --- bundles that somebody has changed ------------------------------------------------------------


def members_of(bundle: bytes) -> dict[str, bytes]:
    """Return a bundle's members."""
    archive = read_archive(bundle)
    assert not archive.damaged
    return dict(archive.members)


def respelled(members: Mapping[str, bytes]) -> bytes:
    """Return a bundle of these members, its manifest and sums made good, as its maker could do."""
    subject = read_manifest(members[MANIFEST]).subject
    inner = {name: data for name, data in members.items() if name not in (MANIFEST, SUMS)}
    inner[SUMS] = write_sums(inner)
    return write_archive({MANIFEST: write_manifest(subject, inner)} | inner)


def spoiled(
    bundle: bytes, name: str, change: Callable[[bytes], bytes | None], *, forged: bool
) -> bytes:
    """Return a bundle in which a member was changed, or taken out where `change` gives None."""
    members = members_of(bundle)
    changed = change(members[name])
    if changed is None:
        del members[name]
    else:
        assert changed != members[name]
        members[name] = changed
    return respelled(members) if forged else write_archive(members)


def packed(
    path: Path,
    members: Sequence[tuple[str, bytes]],
    *,
    deflated: bool = False,
    **fields: Any,  # noqa: ANN401 -- a zip entry's
) -> bytes:
    """Return a zip file as the standard library writes it, with such fields in each entry."""
    with ZipFile(path, "w", ZIP_DEFLATED if deflated else ZIP_STORED) as file:
        for name, data in members:
            info = ZipInfo(name)
            info.compress_type = ZIP_DEFLATED if deflated else ZIP_STORED
            for field, value in fields.items():
                setattr(info, field, value)
            file.writestr(info, data)
    return path.read_bytes()


def crc_of(data: bytes) -> int:
    """Return the checksum that a zip file has of a member."""
    return zlib.crc32(data)
