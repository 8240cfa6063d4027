"""The audit report as a whole: the checks, why they follow, and who decided what.

lines ──> FullReport ──> text, JSON, a page
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ginrummy.audit.audit import audit
from ginrummy.audit.beginning import OriginLog
from ginrummy.audit.receipts import Kept
from ginrummy.audit.replays import ReplayLogs
from ginrummy.audit.report import Report
from ginrummy.evidence.grounds import Ground, grounds
from ginrummy.evidence.hands import Hand, hands
from ginrummy.evidence.survey import Survey, survey
from ginrummy.log.deck import SecretChain, Shuffle
from ginrummy.log.fold import Secrets, shuffle_for
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.ink import PLAIN, Ink
from ginrummy.replay.stepping import NoSuchPositionError, Position, ReplayError, positions
from ginrummy.rules.hand.states import DEALT
from ginrummy.rules.match import Match, Playing
from ginrummy.rules.view import Perspective

__all__ = ["FullReport", "Sealed", "fitting_decks"]


class Sealed:
    """The secrets of somebody who is to see no more than everybody did."""

    position = None
    """Nor is the position known that a fork begins in."""

    def secret(self, number: int) -> bytes | None:
        """Return the secret of that number: none is known."""
        del number
        return None


class FullReport:
    """An audit's report, with all that stands behind it.

    Its hands are worked out anew each time they are gone through, one after the other.
    """

    def __init__(
        self,
        lines: Iterable[bytes],
        *,
        reader: Perspective = "full",
        secrets: Secrets | None = None,
        receipt: Kept | None = None,
        origin: OriginLog | None = None,
        replays: ReplayLogs | None = None,
        hand: int | None = None,
        with_decisions: bool = True,
    ) -> None:
        """Audit a match's stored lines, which have to be such as can be gone through again.

        `reader` is whose eyes it is for; nothing that they may not see is in it. `secrets` are an
        operator's own; without them a reader of everything sees what the log gives away by now.
        `receipt` is what somebody holds of the log; `origin` is the log from which the match
        branches off; `replays` finds those of hands that were played again. With `hand`, only the
        decisions of that hand are in it. Raises UnusableLogError where there is nothing to audit,
        and NoSuchPositionError where there is no such hand.
        """
        self.report = _audited(lines, reader, secrets, receipt, origin, replays)
        """What the audit found."""
        self.reader: Perspective = reader
        """Whose eyes it is for."""
        self.hand = hand
        """The hand that it is about; None for all."""
        self.with_decisions = with_decisions
        """Whether its hands, with their decisions, are to be told."""
        self._lines = lines
        self._revealed = revealed_secrets(lines)
        self._secrets: Secrets | None = (
            Sealed() if reader == "public" else secrets or self._revealed
        )
        self._last: Match | None = None
        self.survey: Survey = survey(self._hands(PLAIN, with_knowledge=False), hand)
        """The match at a glance."""
        self.match = self._last
        """The match as far as it could be followed; None where not even its first line could."""
        if hand is not None and self.survey.wanted is None:
            raise NoSuchPositionError(f"there is no hand {hand}: {_dealt(self.survey.dealt)}")
        self.grounds: tuple[Ground, ...] = grounds(self.report, self.match)
        """The checks, with why they follow."""

    def hands(self, ink: Ink = PLAIN) -> Iterator[Hand]:
        """Yield the hands that the report is about, each as it is wanted.

        `ink` is what their words are written with.
        What cannot be followed is left out; `survey.broken` says why.
        """
        if not self.with_decisions:
            return
        try:
            for hand in self._hands(ink, with_knowledge=True):
                if self.hand in (None, hand.number):
                    yield hand
        except ReplayError:
            return

    def timed(self) -> Iterator[Hand]:
        """Yield the hands that the report is about, without who could know what.

        As `hands`, and also where the report leaves decisions out.
        """
        try:
            for hand in self._hands(PLAIN, with_knowledge=False):
                if self.hand in (None, hand.number):
                    yield hand
        except ReplayError:
            return

    @property
    def own_faults(self) -> int:
        """How many of the listed faults are in the hand that it is about."""
        row = self.survey.wanted
        if row is None:
            return len(self.report.faults)
        return sum(row.first <= fault.seq <= row.last for fault in self.report.faults)

    def _hands(self, ink: Ink, *, with_knowledge: bool) -> Iterator[Hand]:
        followed = positions(self._lines, self._secrets, fitting_decks)
        return hands(
            self._noting(followed),
            self.reader,
            ink,
            revealed=self._revealed,
            with_knowledge=with_knowledge,
        )

    def _noting(self, followed: Iterable[Position]) -> Iterator[Position]:
        for position in followed:
            self._last = position.match
            yield position


def _audited(
    lines: Iterable[bytes],
    reader: Perspective,
    secrets: Secrets | None,
    receipt: Kept | None,
    origin: OriginLog | None,
    replays: ReplayLogs | None,
) -> Report:
    if secrets is None and origin is not None:
        origin = origin.as_revealed
    if reader == "full":
        return audit(lines, secrets=secrets, receipt=receipt, origin=origin, replays=replays)
    # What is wrong with a hidden card names it. So whoever may not see it is told what everybody
    # could have found.
    beside = None if origin is None else origin.as_revealed
    report = audit(lines, secrets=Sealed(), receipt=receipt, origin=beside, replays=replays)
    checks = (
        replace(check, detail="the decks are not opened for these eyes")
        if check.name in ("dealing", "deck") and check.status == "waiting"
        else check
        for check in report.checks
    )
    return replace(report, checks=tuple(checks))


def _dealt(number: int) -> str:
    return f"the last one dealt is {number}" if number else "none was dealt"


def fitting_decks(
    match: Match, stream: str, hand: int, secrets: SecretChain | Secrets
) -> Shuffle | None:
    """Return a hand's committed deck, or None where another one was dealt, as the audit says."""
    shuffled = shuffle_for(match, stream, hand, secrets)
    if shuffled is None or not isinstance(match, Playing):
        return None
    return shuffled if shuffled.deck[DEALT - 1] is match.hand.layout.dealt.upcard else None
