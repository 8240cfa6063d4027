"""A bundle as a file.

Inputs ──> evidence_of ──> write_archive ──> the same bytes, wherever it is made
"""

from collections.abc import Iterable, Mapping, Sequence

from ginrummy.evidence.bundle.archive import LARGEST_MEMBER, write_archive
from ginrummy.evidence.bundle.build import own_build
from ginrummy.evidence.bundle.errors import BundleTooLargeError
from ginrummy.evidence.bundle.inputs import Inputs, KeptHeads, subject_of
from ginrummy.evidence.bundle.members import evidence_of
from ginrummy.log.notes import VerifierKey

__all__ = ["make_bundle"]


def make_bundle(
    lines: Iterable[bytes],
    *,
    dispute: int | None = None,
    event: int | None = None,
    receipt: bytes | None = None,
    key: VerifierKey | None = None,
    heads: Sequence[KeptHeads] = (),
    replays: Mapping[str, Sequence[bytes]] | None = None,
) -> bytes:
    """Return the evidence bundle of a match's stored lines, as a zip file.

    It is about a dispute, about an event, or without either about the match's end. `receipt` is
    that of the log, `key` the server's, `heads` what was kept of it, `replays` the logs of matches
    in which the hand was played again (`replayed_matches`), by their ids. Nothing of these has to
    be right, since whether it is is evidence as well. The same gives the same bytes. Raises
    NothingToBundleError, BundleTooLargeError, MalformedHeadsError and MalformedReceiptError.
    """
    held = _held(lines)
    inputs = Inputs(
        subject=subject_of(held, dispute=dispute, event=event),
        lines=held,
        receipt=receipt,
        key=key,
        heads=tuple(sorted(heads, key=lambda each: each.holder)),
        replays={match: tuple(log) for match, log in sorted((replays or {}).items())},
        build=own_build(),
    )
    return write_archive(evidence_of(inputs).members)


def _held(lines: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the lines of a log that a bundle can take; others are refused before any work."""
    held: list[bytes] = []
    size = 0
    for raw in lines:
        size += len(raw) + 1
        if size > LARGEST_MEMBER:
            raise BundleTooLargeError(
                f"its log is larger than the {LARGEST_MEMBER >> 20} MiB that a bundle takes: hand"
                " the log itself on, with its receipt; gin audit judges logs of any length"
            )
        held.append(raw)
    return tuple(held)
