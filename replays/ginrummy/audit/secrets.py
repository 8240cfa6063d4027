"""The secrets: what was committed to, what came out, and whether it was when it was to."""

from ginrummy.audit.findings import Findings
from ginrummy.log.boards import secret_number
from ginrummy.log.deck import LONGEST_CHAIN, hash_down
from ginrummy.log.lines import MatchLine
from ginrummy.rules.events import HandDealt, MatchCreated, SecretRevealed
from ginrummy.rules.match import Match, due, hands_dealt

__all__ = ["Reveals"]


class Reveals:
    """The commitment, and the secrets as they come out."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._terms: MatchCreated | None = None
        # The last secrets that came out, by number: one that the commitment proves, and one that
        # only fits what came out before it. The commitment is the secret of number 0.
        self._proven: tuple[int, bytes] | None = None
        self._claimed: tuple[int, bytes] | None = None

    @property
    def last(self) -> int:
        """The last hand whose secret is out and proven; 0 for none."""
        if self._terms is None or self._proven is None:
            return 0
        # Hand 0 is the one before the match's first; at a board it is not the commitment's.
        return max(0, self._proven[0] - secret_number(self._terms, 0))

    def check(self, line: MatchLine, match: Match | None) -> None:
        """Check what a line says of secrets; `match` is as it stood before."""
        event = line.event
        if isinstance(event, SecretRevealed):
            self._check_secret(line.seq, event, match)
        elif isinstance(event, HandDealt):
            if match is not None and due(match) in ("position", "reveal"):
                self._findings.fault(
                    "reveal",
                    line.seq,
                    f"hand {event.hand} is dealt while the secret of hand {hands_dealt(match)} is "
                    "not out, which this match's terms want as each hand ends",
                )
        elif isinstance(event, MatchCreated) and self._terms is None:
            self._terms = event
            self._proven = self._claimed = 0, bytes.fromhex(event.commitment)
            self._check_terms(line.seq, event)

    def _check_terms(self, seq: int, terms: MatchCreated) -> None:
        self._findings.counts["commitment"] += 1
        if terms.chain < 1:
            self._findings.fault("commitment", seq, f"it covers {terms.chain} hands: not even one")
        if terms.board is not None:
            if terms.board.number > terms.chain:
                message = f"it covers {terms.chain} boards, and this is board {terms.board.number}"
                self._findings.fault("commitment", seq, message)
            return
        hands = terms.rules.hands
        if hands is not None and hands > terms.chain:
            message = f"it covers {terms.chain} hands, and the match is over {hands}"
            self._findings.fault("commitment", seq, message)

    def _check_secret(self, seq: int, event: SecretRevealed, match: Match | None) -> None:
        if self._terms is None:
            # The line with the commitment could not be read.
            return
        self._findings.counts["reveal"] += 1
        secret = bytes.fromhex(event.secret)
        number = secret_number(self._terms, event.hand)
        most = LONGEST_CHAIN
        if match is not None:
            most = min(most, secret_number(self._terms, hands_dealt(match)))
        if _leads_to(number, secret, self._proven, most):
            self._proven = self._claimed = number, secret
        elif _leads_to(number, secret, self._claimed, most):
            # It follows from one that is at fault already.
            self._claimed = number, secret
        else:
            self._claimed = number, secret
            self._findings.fault(
                "reveal",
                seq,
                f"the secret of hand {event.hand} is not the one that the match is committed to",
            )


def _leads_to(number: int, secret: bytes, known: tuple[int, bytes] | None, most: int) -> bool:
    """Say whether hashing a secret down gives one that is known of an earlier number."""
    if known is None or not known[0] < number <= most:
        return False
    return hash_down(secret, number - known[0]) == known[1]
