"""The chain of a match's lines, checked as they come in."""

from ginrummy.client.errors import BrokenChainError
from ginrummy.log.errors import LineError
from ginrummy.log.lines import GENESIS, MatchLine, line_hash, read_line

__all__ = ["Chain"]


class Chain:
    """The lines of one match that have come in so far: each holds the hash of the one before.

    A line that comes in again, as after a reconnection, has to be the same as the first time. So
    a server that goes back on what it has said is found out.
    """

    __slots__ = ("_first", "_hashes", "match_id")

    def __init__(self, match_id: str, after_seq: int = 0) -> None:
        """Start before the first line, or after that of number `after_seq`, taken on trust."""
        self.match_id = match_id
        self._first = after_seq
        # hashes[n] is that of line first + n; that of a line taken on trust is not known yet.
        self._hashes: list[str] = [GENESIS if after_seq == 0 else ""]

    @property
    def seq(self) -> int:
        """The number of the last line."""
        return self._first + len(self._hashes) - 1

    @property
    def head_hash(self) -> str:
        """The hash of the last line; empty while nothing is known."""
        return self._hashes[-1]

    def add(self, raw: bytes, seq: int) -> MatchLine | None:
        """Return the line that `raw` is, said to be that of number `seq`; None if seen before.

        Raises BrokenChainError where it does not follow the line before it, is another one than
        was sent under that number before, or is no line at all.
        """
        if self._first < seq <= self.seq:
            self.check_head(seq, line_hash(raw))
            return None
        if seq != self.seq + 1:
            raise self.fault(seq, f"it came in after event {self.seq}")
        try:
            line = read_line(raw)
        except LineError as error:
            raise self.fault(seq, f"its line cannot be read: {error}") from error
        if (line.stream, line.seq) != (self.match_id, seq):
            raise self.fault(seq, f"its line is of {line.stream}, event {line.seq}")
        if self.head_hash and line.prev != self.head_hash:
            raise self.fault(
                seq, f"it names {line.prev} as the hash before it, which is {self.head_hash}"
            )
        self._hashes[-1] = line.prev
        self._hashes.append(line.hash)
        return line

    def check_head(self, seq: int, head_hash: str) -> None:
        """Check the hash that the server names for one of the lines that came in.

        Raises BrokenChainError where it is another one.
        """
        known = self._hashes[seq - self._first] if self._first <= seq <= self.seq else ""
        if known and head_hash != known:
            raise self.fault(seq, f"it had the hash {known} before, and now has {head_hash}")

    def fault(self, seq: int, what: str) -> BrokenChainError:
        """Return the error that says what is wrong with an event of this match."""
        return BrokenChainError(what, match_id=self.match_id, seq=seq)
