"""The chain of a stream's lines, checked as they come in, whatever the lines tell."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import msgspec

from ginrummy.client.errors import BrokenChainError
from ginrummy.log.errors import LineError, MalformedLineError
from ginrummy.log.lines import GENESIS, line_hash

__all__ = ["Link", "Linked", "Links", "read_link"]


class Linked(Protocol):
    """What a line has to say to be one of a chain."""

    @property
    def stream(self) -> str:
        """What it happened to: a match's id, or a tournament's."""
        ...

    @property
    def seq(self) -> int:
        """Its number in the stream, from 1."""
        ...

    @property
    def prev(self) -> str:
        """The hash of the line before."""
        ...

    @property
    def hash(self) -> str:
        """The hash of the line itself."""
        ...


L = TypeVar("L", bound=Linked)


class Links(Generic[L]):
    """The lines of one stream that have come in so far: each holds the hash of the one before.

    A line that comes in again, as after a reconnection, has to be the same as the first time. So
    a server that goes back on what it has said is found out.
    """

    __slots__ = ("_first", "_hashes", "_read", "stream")

    def __init__(self, stream: str, read: Callable[[bytes], L], after_seq: int = 0) -> None:
        """Start before the first line, or after that of number `after_seq`, taken on trust.

        `read` makes of a line what it says, and raises LineError where it says nothing.
        """
        self.stream = stream
        self._read = read
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

    def add(self, raw: bytes, seq: int) -> L | None:
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
            line = self._read(raw)
        except LineError as error:
            raise self.fault(seq, f"its line cannot be read: {error}") from error
        if (line.stream, line.seq) != (self.stream, seq):
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
        """Return the error that says what is wrong with an event of this stream."""
        return BrokenChainError(what, match_id=self.stream, seq=seq)


class Link(msgspec.Struct, frozen=True):
    """A line of any stream, of which only its place is known."""

    stream: str
    seq: int
    prev: str
    hash: str = ""


_decode = msgspec.json.Decoder(Link).decode


def read_link(raw: bytes) -> Link:
    """Return a line's place in its stream. Raises MalformedLineError.

    A tournament's events are the server's affair, so their form is not judged here.
    """
    try:
        return msgspec.structs.replace(_decode(raw), hash=line_hash(raw))
    except msgspec.DecodeError as error:
        raise MalformedLineError(str(error), None, None) from error
