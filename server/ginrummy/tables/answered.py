"""Which requests a match has answered, and with which events, in a few bytes each."""

import os
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Self

from ginrummy.log.lines import MatchLine

__all__ = ["Answered"]

_SALT = 16


class Answered:
    """The numbers of the events that answered requests, found by whose request and its id.

    It keeps eight bytes a request, so that the longest match may remember all of them. What it
    finds is likely and not certain: whoever asks looks at the event.
    """

    __slots__ = ("_marks", "_salt", "_seqs")

    def __init__(self) -> None:
        # Nobody else knows it, so that nobody can choose requests that meet.
        self._salt = os.urandom(_SALT)
        self._marks = array("I")
        """In ascending order."""
        self._seqs = array("I")
        """Of each mark, the event's number."""

    def __len__(self) -> int:
        return len(self._marks)

    def add(self, by: str, request_id: str, seq: int) -> None:
        """Remember that event `seq` is the first that a request caused. Once is enough."""
        mark = _mark(self._salt, by, request_id)
        place = before = bisect_right(self._marks, mark)
        while before and self._marks[before - 1] == mark:
            before -= 1
            if self._seqs[before] == seq:
                return
        self._marks.insert(place, mark)
        self._seqs.insert(place, seq)

    def add_line(self, line: MatchLine) -> None:
        """Remember a line, if it is the first that a request caused; add them in their order."""
        # The server's other acts follow from a caller's request, and bear its id.
        if line.cmd and (line.by != "server" or line.seq == 1):
            self.add(line.by, line.cmd, line.seq)

    def candidates(self, by: str, request_id: str) -> Iterator[int]:
        """Yield the numbers of the events that may be the answer, hardly ever more than one."""
        mark = _mark(self._salt, by, request_id)
        for place in range(bisect_left(self._marks, mark), len(self._marks)):
            if self._marks[place] != mark:
                return
            yield self._seqs[place]

    # --- written down -----------------------------------------------------------------------

    def written(self) -> bytes:
        """Return it as `read` takes it."""
        return self._salt + _bytes_of(self._marks) + _bytes_of(self._seqs)

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """Return what was written. Raises ValueError for what is not of that length."""
        answered = cls()
        count, rest = divmod(len(raw) - _SALT, 8)
        if count < 0 or rest:
            raise ValueError("not what a match has answered")
        answered._salt = raw[:_SALT]
        answered._marks.frombytes(raw[_SALT : _SALT + 4 * count])
        answered._seqs.frombytes(raw[_SALT + 4 * count :])
        if sys.byteorder == "big":
            answered._marks.byteswap()
            answered._seqs.byteswap()
        return answered


def _bytes_of(numbers: "array[int]") -> bytes:
    """Return the numbers' bytes, the least of each first."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


@lru_cache(maxsize=256)  # it is asked for before a request is carried out, and afterwards
def _mark(salt: bytes, by: str, request_id: str) -> int:
    told = blake2b(salt + f"{by}\0{request_id}".encode(), digest_size=4)
    return int.from_bytes(told.digest(), "little")
