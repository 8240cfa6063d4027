"""What an audit of the log has found, as the replay shows it. Whoever opens a replay brings it."""

from collections.abc import Mapping, Sequence

import msgspec

from ginrummy.rules.view import Perspective

__all__ = ["Checked", "Finding", "Proof"]


class Finding(msgspec.Struct, frozen=True):
    """Something in a log that is not as it has to be."""

    seq: int
    """The number of the event at fault, or of the one that is missing."""
    what: str
    """The check that has found it, and the rule behind it where there is one."""
    why: str
    """What is wrong. It may name cards."""

    def told(self, perspective: Perspective) -> str:
        """Return what somebody may be told of it who sees with these eyes.

        What is wrong with a move can name a card that a seat has not seen: an audit knows all
        that the log gives away.
        """
        if perspective == "full":
            return f"{self.what}: {self.why}"
        return f"{self.what} (what it is, is told where all cards are shown)"


class Checked(msgspec.Struct, frozen=True):
    """A check, and what became of it. No card is named in it."""

    sign: str
    name: str
    count: int
    """How often it was made."""
    detail: str
    """What it means, or what it waits for."""


class Proof(msgspec.Struct, frozen=True):
    """An audit's result."""

    verdict: str
    """A few words."""
    is_good: bool
    """No fault was found."""
    checks: Sequence[Checked] = ()
    findings: Sequence[Finding] = ()
    """In the order of the log."""
    remarks: Sequence[str] = ()
    """What else there is to say: which events could not be judged."""

    def by_event(self) -> Mapping[int, Sequence[Finding]]:
        """Return the findings under the numbers of their events."""
        found: dict[int, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.seq, []).append(finding)
        return found
