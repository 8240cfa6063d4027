"""What somebody holds of a log, compared with the log as it is now.

hashes that they were told ──┐
a receipt, and a key ────────┴──> Receipts ──> faults of the check `receipt`
"""

from collections.abc import Mapping

import msgspec

from ginrummy.audit.findings import Findings
from ginrummy.log.merkle import InvalidProofError, leaf_hash
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import Receipt
from ginrummy.log.signing import UnsignedNoteError, check_signed

__all__ = ["Kept", "Receipts"]


class Kept(msgspec.Struct, frozen=True):
    """What was kept of a log."""

    heads: Mapping[int, str] = {}
    """Hashes of lines, by the number of their event."""
    receipt: Receipt | None = None
    """The proof that a line was in the server's log."""
    key: VerifierKey | None = None
    """Whose signature the receipt has to have; None where that is not to be checked."""


class Receipts:
    """The comparison, line by line."""

    def __init__(self, findings: Findings, stream: str, kept: Kept) -> None:
        self._findings = findings
        self._stream = stream
        self._heads = dict(kept.heads)
        self._receipt = kept.receipt
        self._last = (0, b"")
        findings.counts["receipt"] = len(self._heads) + (kept.receipt is not None)
        if kept.receipt is not None and kept.key is not None:
            self._check_signature(kept.receipt, kept.key)

    def compare(self, seq: int, line_hash: str, raw: bytes) -> None:
        """Compare the line that stands as event `seq`."""
        if self._heads:
            self._compare_head(seq, line_hash)
        receipt = self._receipt
        if receipt is None:
            return
        if receipt.seq == 0:
            # It does not say which line it is for: the last one, as whoever makes one means.
            self._last = (seq, raw)
        elif receipt.seq == seq:
            self._receipt = None
            self._check_proof(receipt, seq, raw)

    def finish(self, last: int) -> None:
        """Say what of it the log, which ends with event `last`, has not got."""
        for seq in sorted(self._heads):
            self._miss(seq, last)
        if self._receipt is None:
            return
        if self._receipt.seq:
            self._miss(self._receipt.seq, last)
        else:
            self._check_proof(self._receipt, *self._last)

    def _compare_head(self, seq: int, line_hash: str) -> None:
        kept = self._heads.pop(seq, line_hash)
        if kept != line_hash:
            self._fault(
                seq,
                f"the receipt is for another event {seq}, with the hash {kept}: the log was "
                "rewritten",
            )

    def _check_signature(self, receipt: Receipt, key: VerifierKey) -> None:
        then = receipt.checkpoint
        try:
            check_signed(then.note, key)
        except UnsignedNoteError as error:
            self._fault(receipt.seq, f"the receipt's checkpoint proves nothing: {error}")
        else:
            if then.origin != key.name:
                self._fault(receipt.seq, f"the receipt is of the log {then.origin}: not {key.name}")

    def _check_proof(self, receipt: Receipt, seq: int, raw: bytes) -> None:
        if receipt.stream not in ("", self._stream):
            self._fault(seq, f"the receipt is for {receipt.stream}, which is another log")
            return
        try:
            receipt.check(leaf_hash(raw))
        except InvalidProofError as error:
            then = receipt.checkpoint
            self._fault(
                seq,
                f"event {seq} is not the line {receipt.index} of {then.size} that the receipt's "
                f"checkpoint was signed of ({error}): the log was rewritten, or the receipt was",
            )

    def _miss(self, seq: int, last: int) -> None:
        message = f"the receipt is for event {seq}, "
        if seq > last:
            message += f"and the log ends with event {last}: its end was cut off"
        else:
            message += "which cannot be read or is missing"
        self._fault(seq, message)

    def _fault(self, seq: int, message: str) -> None:
        self._findings.fault("receipt", seq, message)
