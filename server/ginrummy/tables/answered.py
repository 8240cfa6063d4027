"""Which requests a match has answered, and with which events, in a few bytes each."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

__all__ = ["Answered"]

_64_BITS = (1 << 64) - 1


class Answered:
    """The numbers of the events that answered requests, found by whose request and its id.

    It keeps twelve bytes a request, so that the longest match may remember all of them. What it
    finds is likely and not certain: whoever asks looks at the event.
    """

    __slots__ = ("_marks", "_seqs")

    def __init__(self) -> None:
        self._marks = array("Q")
        """In ascending order."""
        self._seqs = array("I")
        """Of each mark, the event's number."""

    def __len__(self) -> int:
        return len(self._marks)

    def add(self, by: str, request_id: str, seq: int) -> None:
        """Remember that event `seq` is the first that a request caused."""
        mark = _mark(by, request_id)
        place = bisect_right(self._marks, mark)
        self._marks.insert(place, mark)
        self._seqs.insert(place, seq)

    def candidates(self, by: str, request_id: str) -> Iterator[int]:
        """Yield the numbers of the events that may be the answer, hardly ever more than one."""
        mark = _mark(by, request_id)
        for place in range(bisect_left(self._marks, mark), len(self._marks)):
            if self._marks[place] != mark:
                return
            yield self._seqs[place]


def _mark(by: str, request_id: str) -> int:
    # Salted anew in every process, so that nobody can choose requests that meet.
    return hash((by, request_id)) & _64_BITS
