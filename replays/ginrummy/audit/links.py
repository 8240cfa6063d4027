"""The lines as such: their form, whose they are, their numbers, and the chain that links them.

    raw line -> Links.read -> the event to be judged next

A line that was damaged is to be named, and its neighbours are not. Where a link does not hold,
the line after it decides which end of it was changed; where a number is wrong, the chain says
where the line belongs.
"""

from msgspec.structs import replace

from ginrummy.audit.findings import Findings
from ginrummy.audit.receipts import Receipts
from ginrummy.audit.report import Head
from ginrummy.log.errors import LineError, UnknownEventError
from ginrummy.log.lines import GENESIS, MatchLine, line_hash, read_line

__all__ = ["Links"]


class Links:
    """The chain as far as it has been read."""

    def __init__(self, findings: Findings, stream: str, receipts: Receipts | None = None) -> None:
        """Start before the first line of a stream; `receipts` is what somebody holds of it."""
        self.lines = 0
        """How many lines were read, whatever they are."""
        self.head = Head(0, GENESIS)
        """The last line at its place."""
        self.gap: tuple[int, str] | None = None
        """The first event that is not known ahead of the line read last, and why not."""
        self._findings = findings
        self._stream = stream
        self._receipts = receipts
        self._seq = 0
        # The number that the head gives itself; another one only where that is at fault.
        self._numbered = 0
        self._hash = GENESIS
        # Unreadable lines since the head: how many, and the last one's hash.
        self._unreadable = 0
        self._unreadable_hash = ""
        # The line whose link to the one before does not hold, and what it should have held.
        self._suspect: tuple[MatchLine, str] | None = None
        # Where the head was before lines were missing.
        self._before_gap: tuple[int, str] | None = None

    def read(self, raw: bytes) -> MatchLine | None:
        """Read the next line; None where it holds no event that could be judged at its place."""
        self.lines += 1
        try:
            line = read_line(raw)
        except LineError as error:
            self._note_unreadable(raw, error)
            return None
        if (
            line.prev != self._hash
            or line.seq != self._seq + 1
            or line.stream != self._stream
            or self._unreadable
        ):
            return self._read_unlinked(line)
        self._seq = self._numbered = line.seq
        self._hash = line.hash
        self.gap = None
        if self._suspect is not None:
            self._clear_suspect(line)
        if self._receipts is not None:
            self._receipts.compare(line.seq, line.hash, raw)
        return line

    def finish(self) -> None:
        """Say what can only be said at the end."""
        if self._suspect is not None:
            seq = self._suspect[0].seq
            message = f"this line and the link to it in event {seq}, the last, do not agree"
            self._findings.fault("chain", seq - 1, f"{message}: one of the two was changed")
        if self._receipts is not None:
            self._receipts.finish(self._seq)
        self.head = Head(self._seq, self._hash)
        for check in ("line-form", "stream", "sequence", "chain"):
            self._findings.counts[check] = self.lines

    # --- lines that cannot be read --------------------------------------------------------------

    def _note_unreadable(self, raw: bytes, error: LineError) -> None:
        self._unreadable += 1
        self._unreadable_hash = line_hash(raw)
        self._findings.fault("line-form", self._seq + self._unreadable, _unreadable(raw, error))

    # --- lines that do not simply follow --------------------------------------------------------

    def _read_unlinked(self, line: MatchLine) -> MatchLine | None:
        if line.seq == self._numbered + 1:
            # Lines were missing, and the one after the hole was linked to the one before it.
            self._seq = self._numbered
        at = self._seq + 1 + self._unreadable
        linked = line.prev == self._hash
        if line.stream != self._stream:
            message = f"this line is of {line.stream}, not of {self._stream}"
            self._findings.fault("stream", self._seq + 1 if linked else at, message)
            if not linked and line.seq != at:
                return None
        if not linked and line.seq < at:
            if self._is_the_missing(line):
                return self._read_unlinked(line)
            self._note_out_of_place(line)
            return None
        # Unreadable lines between two that are linked are not of this log; they are named already.
        place = self._seq + 1 if linked else line.seq
        self._check_number(line, place)
        self._check_link(line, linked=linked)
        self._check_gap(line, at, linked=linked)
        self._seq, self._numbered, self._hash = place, line.seq, line.hash
        self._unreadable = 0
        if self._receipts is not None:
            self._receipts.compare(place, line.hash, line.raw)
        return replace(line, seq=place, stream=self._stream)

    def _check_number(self, line: MatchLine, place: int) -> None:
        if line.seq == place:
            return
        message = f"the event that is linked to event {place - 1} is numbered {line.seq}"
        if place == 1:
            message = f"the log begins with an event that is numbered {line.seq}"
        self._findings.fault("sequence", place, message)

    def _check_gap(self, line: MatchLine, at: int, *, linked: bool) -> None:
        """Note which events between the head and this line are missing or cannot be read."""
        self.gap = None
        if linked:
            return
        if self._unreadable:
            self.gap = self._seq + 1, f"event {self._seq + 1} cannot be read"
        if line.seq > at:
            last = line.seq - 1
            missing = (
                f"event {at} is missing" if at == last else f"events {at} to {last} are missing"
            )
            after = f"after event {at - 1} comes" if at > 1 else "the log begins with"
            self._findings.fault("sequence", at, f"{missing}: {after} event {line.seq}")
            self.gap = self._seq + 1, missing
            self._before_gap = self._seq, self._hash

    def _is_the_missing(self, line: MatchLine) -> bool:
        """Say whether a line is the one that was missing, and go back to before the gap then."""
        if self._before_gap is None or line.seq != self._before_gap[0] + 1:
            return False
        self._seq, self._hash = self._before_gap
        self._numbered = self._seq
        self._unreadable, self._before_gap, self._suspect = 0, None, None
        return True

    def _note_out_of_place(self, line: MatchLine) -> None:
        message = f"event {line.seq} stands after event {self._seq}"
        if line.seq == self._seq:
            message = f"there are two different events {line.seq}"
            if line.hash == self._hash:
                message = f"event {line.seq} stands here twice"
        self._findings.fault("sequence", line.seq, message)

    # --- links that do not hold -----------------------------------------------------------------

    def _check_link(self, line: MatchLine, *, linked: bool) -> None:
        if self._suspect is not None and self._clear_suspect(line):
            return
        if linked or line.seq > self._seq + 1 + self._unreadable:
            return
        if self._unreadable:
            if line.prev != self._unreadable_hash:
                self._accuse_before(line.seq)
        elif self._seq == 0:
            message = "the first line is linked to a line before it: the beginning is cut off"
            self._findings.fault("chain", 1, message)
        else:
            self._suspect = line, self._hash

    def _clear_suspect(self, line: MatchLine) -> bool:
        """Decide which end of a broken link was changed, now that the next line is known.

        Return whether that explains the next line's own link as well.
        """
        assert self._suspect is not None
        suspect, right_prev = self._suspect
        self._suspect = None
        mended = suspect.raw[: -len(right_prev) - 2] + right_prev.encode() + b'"}'
        if line.prev == line_hash(mended):
            message = f"its link to event {suspect.seq - 1} was changed"
            self._findings.fault("chain", suspect.seq, message)
            return True
        self._accuse_before(suspect.seq)
        return False

    def _accuse_before(self, seq: int) -> None:
        message = f"this is not the line that event {seq} was linked to: it was changed afterwards"
        self._findings.fault("chain", seq - 1, message)


def _unreadable(raw: bytes, error: LineError) -> str:
    """Say for a person why a line cannot be read."""
    if isinstance(error, UnknownEventError):
        return (
            f"this program does not know {error.type} in version {error.version}: a newer one "
            "wrote it, or it was changed"
        )
    if not raw:
        return "an empty line"
    if raw.endswith(b"\r"):
        return "the line ends with a carriage return: the file was converted on its way"
    if not raw.endswith(b"}"):
        return "the line breaks off in the middle, as a crash or a broken copy leaves it"
    return error.what
