"""The lines of a tournament as links of one chain: readable, of one stream, numbered, linked."""

from ginrummy.log.errors import LineError, UnknownEventError
from ginrummy.log.lines import GENESIS
from ginrummy.tournaments.checking.findings import Findings
from ginrummy.tournaments.event.fold import TournamentLine, read_tournament_line

__all__ = ["Links"]


class Links:
    """The chain as far as it has been read. Whatever breaks it is named, and it goes on."""

    def __init__(self, findings: Findings) -> None:
        """Start before the first line; the first readable one says which stream it is."""
        self.lines = 0
        """How many lines were read, whatever they are."""
        self.stream = ""
        self.seq = 0
        """The last readable line's number."""
        self.hash = GENESIS
        """Its hash."""
        self._unreadable = 0
        self._findings = findings

    def read(self, raw: bytes) -> TournamentLine | None:
        """Read the next line; None where no event of this tournament can be read from it."""
        self.lines += 1
        try:
            line = read_tournament_line(raw)
        except LineError as error:
            self._unreadable += 1
            seq = self.seq + self._unreadable
            self._findings.fault("line-form", seq, _unreadable(raw, error))
            return None
        self.stream = self.stream or line.stream
        if line.stream != self.stream:
            message = f"this line is of {line.stream}, not of {self.stream}"
            self._findings.fault("stream", line.seq, message)
            return None
        self._check_link(line)
        self.seq, self.hash, self._unreadable = line.seq, line.hash, 0
        return line

    def _check_link(self, line: TournamentLine) -> None:
        expected = self.seq + 1 + self._unreadable
        if line.seq != expected:
            before = f"after event {self.seq} comes" if self.seq else "the log begins with"
            self._findings.fault("sequence", expected, f"{before} event {line.seq}")
        elif line.prev != self.hash and not self._unreadable:
            message = (
                "the first line is linked to a line before it"
                if line.seq == 1
                else f"this and event {line.seq - 1} do not go together: one of the two was changed"
            )
            self._findings.fault("chain", line.seq, message)

    def finish(self) -> None:
        """Count what was checked."""
        for check in ("line-form", "stream", "sequence", "chain"):
            self._findings.counts[check] = self.lines


def _unreadable(raw: bytes, error: LineError) -> str:
    """Say for a person why a line cannot be read."""
    if isinstance(error, UnknownEventError):
        return (
            f"this program does not know {error.type} in version {error.version}: a newer one "
            "wrote it, or it was changed"
        )
    if not raw:
        return "an empty line"
    return error.what
