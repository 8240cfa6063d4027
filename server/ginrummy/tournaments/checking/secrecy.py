"""Whether a board's cards were known while somebody still played it.

A board's secret is out with that of any later board, be it in the tournament's log or in that of a
match; and everybody may have read it at once.
"""

from ginrummy.rules.match import Instant
from ginrummy.tournaments.checking.findings import Findings
from ginrummy.tournaments.checking.matches import Told
from ginrummy.tournaments.event.events import BoardsRevealed, SittingEnded

__all__ = ["Secrecy"]


class Secrecy:
    """When the boards' secrets came out, and until when each board was played."""

    def __init__(self, findings: Findings) -> None:
        """Start before anything is out."""
        self._findings = findings
        self._out: list[tuple[int, Instant]] = []
        self._played: list[tuple[int, Instant, int]] = []

    def revealed(self, event: BoardsRevealed, at: Instant) -> None:
        """Note what the tournament lets out."""
        self._out.append((event.board, at))

    def played(self, event: SittingEnded, told: Told, seq: int) -> None:
        """Note until when a board was played, and what its match lets out."""
        if told.secret_out_at is not None:
            self._out.append((event.board, told.secret_out_at))
        # What was aborted counts for nobody, whatever was known.
        if told.ended_at is not None and event.reason != "aborted":
            self._played.append((event.board, told.ended_at, seq))

    def finish(self) -> None:
        """Name the sittings that were played on when their board was out."""
        out = sorted(self._out, reverse=True)
        known: Instant | None = None
        for board, ended_at, seq in sorted(self._played, reverse=True):
            while out and out[0][0] >= board:
                _, at = out.pop(0)
                known = at if known is None else min(known, at)
            if known is not None and ended_at > known:
                message = f"board {board} was still played when its secret was out"
                self._findings.fault("boards", seq, message)
