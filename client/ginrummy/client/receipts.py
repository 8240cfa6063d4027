"""Where a player keeps what they were told: the hash of every event, and the match's receipt.

With these files they can show later that a server has changed a match (`gin audit --receipt`).
"""

import re
from pathlib import Path

from ginrummy.log.heads import read_heads, write_head
from ginrummy.log.instants import Instant
from ginrummy.log.merkle import InvalidProofError, leaf_hash
from ginrummy.log.receipts import MalformedReceiptError, read_receipt

__all__ = ["HeadKeeper", "ReceiptFiles", "receipt_fault"]


class ReceiptFiles:
    """Receipts in a directory: for each match and player a file of hashes, and the receipt."""

    def __init__(self, directory: Path) -> None:
        """Keep them in `directory`, which is made when there is something to keep."""
        self.directory = directory

    def heads_file(self, key: str) -> Path:
        """Return the file of the hashes that were told, an event a line."""
        return self._file(key, "heads.jsonl")

    def receipt_file(self, key: str) -> Path:
        """Return the file of the receipt, which is there once the match has ended."""
        return self._file(key, "tlog-proof")

    def _file(self, key: str, kind: str) -> Path:
        # An id comes from the server, and a path may not.
        if re.fullmatch(r"\w[\w.]*", key, re.ASCII) is None:
            raise ValueError(f"{key!r} is no key of a receipt")
        return self.directory / f"{key}.{kind}"

    def keep_receipt(self, key: str, receipt: str) -> None:
        """Keep a match's receipt, in the place of an earlier one."""
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self.receipt_file(key)
        written = file.with_suffix(".new")
        written.write_text(receipt)
        # A file that is there is whole.
        written.replace(file)


class HeadKeeper:
    """Writes down the hashes of one match as they are told."""

    def __init__(self, files: ReceiptFiles, key: str) -> None:
        """Go on with the file of a match and player, which may be there from an earlier run.

        Raises MalformedHeadsError for a file that is none of this kind.
        """
        self._file = files.heads_file(key)
        self._known: dict[int, str] = {}
        if self._file.exists():
            raw = self._file.read_bytes()
            # An unfinished last line is that of a program that was killed.
            whole = raw[: raw.rfind(b"\n") + 1]
            self._known = dict(read_heads(whole)) if whole else {}
            if whole != raw:
                self._file.write_bytes(whole)
        else:
            files.directory.mkdir(mode=0o700, parents=True, exist_ok=True)

    def keep(self, seq: int, head_hash: str, at: Instant) -> str:
        """Keep the hash of an event's line, and return the one that was told of it first."""
        known = self._known.get(seq)
        if known is not None:
            return known
        with self._file.open("ab") as file:
            file.write(write_head(seq, head_hash, at))
        self._known[seq] = head_hash
        return head_hash


def receipt_fault(receipt: str, stream: str, last_line: bytes) -> str | None:
    """Return why a receipt does not prove a stream's last line; None where it does.

    Its signature is not looked at: whoever has the server's key can do so at any time.
    """
    try:
        found = read_receipt(receipt.encode())
        if found.stream != stream:
            return f"it is for {found.stream or 'nothing'}"
        found.check(leaf_hash(last_line))
    except (MalformedReceiptError, InvalidProofError) as error:
        return str(error)
    return None
