"""The secrets: what was committed to, what came out, and whether it was when it was to."""

from ginrummy.audit.findings import Findings
from ginrummy.log.deck import hash_down
from ginrummy.log.lines import MatchLine
from ginrummy.rules.events import HandDealt, MatchCreated, SecretRevealed
from ginrummy.rules.match import Match, due, hands_dealt

__all__ = ["Reveals"]


class Reveals:
    """The commitment, and the secrets as they come out."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        # The last secrets that came out, by hand: one that the commitment proves, and one that
        # only fits what came out before it. The commitment is the secret of hand 0.
        self._proven: tuple[int, bytes] | None = None
        self._claimed: tuple[int, bytes] | None = None

    @property
    def last(self) -> int:
        """The last hand whose secret is out and proven; 0 for none."""
        return 0 if self._proven is None else self._proven[0]

    def check(self, line: MatchLine, match: Match | None) -> None:
        """Check what a line says of secrets; `match` is as it stood before."""
        event = line.event
        if isinstance(event, SecretRevealed):
            self._check_secret(line.seq, event, match)
        elif isinstance(event, HandDealt):
            if match is not None and due(match) == "reveal":
                self._findings.fault(
                    "reveal",
                    line.seq,
                    f"hand {event.hand} is dealt while the secret of hand {hands_dealt(match)} is "
                    "not out, which this match's terms want as each hand ends",
                )
        elif isinstance(event, MatchCreated) and self._proven is None:
            self._proven = self._claimed = 0, bytes.fromhex(event.commitment)
            self._check_terms(line.seq, event)

    def _check_terms(self, seq: int, terms: MatchCreated) -> None:
        self._findings.counts["commitment"] += 1
        if terms.chain < 1:
            self._findings.fault("commitment", seq, f"it covers {terms.chain} hands: not even one")
        hands = terms.rules.hands
        if hands is not None and hands > terms.chain:
            message = f"it covers {terms.chain} hands, and the match is over {hands}"
            self._findings.fault("commitment", seq, message)

    def _check_secret(self, seq: int, event: SecretRevealed, match: Match | None) -> None:
        if self._claimed is None:
            # The line with the commitment could not be read.
            return
        self._findings.counts["reveal"] += 1
        secret = bytes.fromhex(event.secret)
        most = _MOST_HANDS if match is None else hands_dealt(match)
        if _leads_to(event.hand, secret, self._proven, most):
            self._proven = self._claimed = event.hand, secret
        elif _leads_to(event.hand, secret, self._claimed, most):
            # It follows from one that is at fault already.
            self._claimed = event.hand, secret
        else:
            self._claimed = event.hand, secret
            self._findings.fault(
                "reveal",
                seq,
                f"the secret of hand {event.hand} is not the one that the match is committed to",
            )


_MOST_HANDS = 1_000_000
"""More than any match has; a forged number is no reason to hash for days."""


def _leads_to(hand: int, secret: bytes, known: tuple[int, bytes] | None, most: int) -> bool:
    """Say whether hashing a hand's secret down gives one that is known of an earlier hand."""
    if known is None or not known[0] < hand <= most:
        return False
    return hash_down(secret, hand - known[0]) == known[1]
