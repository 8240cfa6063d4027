"""What the rules can refuse, as one small tree.

    RulesError
    ├── InvalidRulesetError   a ruleset that cannot be (field, why)
    └── IllegalMoveError      a readable wish that is not allowed here (reason, rule, why)

Unreadable input is not here: a text that is no card is refused where it is read
(`cards.UnreadableCardError`), before there is a command.
"""

from enum import Enum

__all__ = ["IllegalMoveError", "InvalidRulesetError", "Reason", "RulesError"]


class RulesError(Exception):
    """Anything that the rules refuse."""


class InvalidRulesetError(RulesError):
    """A ruleset with a field that is unknown, out of range, or contradicts another."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field = field
        """The ruleset's field that is wrong."""
        self.why = why
        """What is wrong with it, and what would be right."""


class Reason(Enum):
    """Why a move is refused. The values are part of the API and never change."""

    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    """The other seat is to decide."""
    WRONG_PHASE = "WRONG_PHASE"
    """Such a move has no place in this phase of the hand (D2, T1, L3)."""
    UPCARD_PASSED = "UPCARD_PASSED"
    """Both passed the upcard, and it may not be taken now (D2)."""
    NOT_IN_HAND = "NOT_IN_HAND"
    """A card that is not among those the seat holds."""
    RETURNS_TAKEN_CARD = "RETURNS_TAKEN_CARD"
    """The card just taken from the discard pile may not be thrown in the same turn (T2)."""
    NOT_A_MELD = "NOT_A_MELD"
    """Cards that are neither a set nor a run (M1)."""
    RUN_TOO_LONG = "RUN_TOO_LONG"
    """A run of more cards than the ruleset lets be laid down as one (M2)."""
    CARD_USED_TWICE = "CARD_USED_TWICE"
    """A card in two melds, or melded and discarded or laid off as well (M3)."""
    TOO_MUCH_DEADWOOD = "TOO_MUCH_DEADWOOD"
    """The arrangement leaves more deadwood than the knock limit (K1)."""
    GIN_ONLY = "GIN_ONLY"
    """Only gin ends this hand (K6)."""
    NOT_GIN = "NOT_GIN"
    """Called gin or big gin, but the arrangement leaves deadwood (K4, K5)."""
    BIG_GIN_OFF = "BIG_GIN_OFF"
    """The ruleset has no big gin (K5)."""
    NO_SUCH_MELD = "NO_SUCH_MELD"
    """A lay-off names a meld that the knocker did not lay down (L1, L3)."""
    DOES_NOT_FIT = "DOES_NOT_FIT"
    """The card does not extend that meld as it lies then (L1)."""
    HAND_OVER = "HAND_OVER"
    """The hand has ended."""
    MATCH_NOT_STARTED = "MATCH_NOT_STARTED"
    """Both seats must be taken and both nonces revealed before the first deal."""
    MATCH_PAUSED = "MATCH_PAUSED"
    """A director has paused the match."""
    TIME_OVER = "TIME_OVER"
    """The seat's time for this decision is over; the clock decides the match."""
    MATCH_OVER = "MATCH_OVER"
    """The match has ended (X1, X3)."""
    SEAT_TAKEN = "SEAT_TAKEN"
    """The seat is taken, or kept for somebody else."""
    ALREADY_SEATED = "ALREADY_SEATED"
    """One player cannot sit on both sides."""
    NONCE_MISMATCH = "NONCE_MISMATCH"
    """The nonce is not the one that the seat committed to."""
    KEY_MISSING = "KEY_MISSING"
    """Everybody signs their moves here, and joins with a public key."""
    SIGNING_OFF = "SIGNING_OFF"
    """Nobody signs their moves here; neither a key nor a signature is taken."""
    NOT_A_PARTICIPANT = "NOT_A_PARTICIPANT"
    """Only who has played a match disputes it, or appeals (R4)."""
    SELF_JUDGING = "SELF_JUDGING"
    """Nobody rules on a match of their own, nor twice on one dispute (R5, R9)."""
    DISPUTE_WINDOW_OVER = "DISPUTE_WINDOW_OVER"
    """The time to open a dispute, or to appeal, is over, or the terms give none (R4, R9)."""
    DISPUTED_ALREADY = "DISPUTED_ALREADY"
    """The seat has disputed this for this reason, or as much as one may dispute (R4)."""
    EVENT_ELSEWHERE = "EVENT_ELSEWHERE"
    """An event that is not of the hand that is disputed (R4)."""
    NO_SUCH_HAND = "NO_SUCH_HAND"
    """The match has no hand of that number."""
    NO_SUCH_DISPUTE = "NO_SUCH_DISPUTE"
    """Nobody has opened a dispute of that number."""
    NOT_RULED_YET = "NOT_RULED_YET"
    """There is no ruling to appeal (R9)."""
    RULED_ALREADY = "RULED_ALREADY"
    """The dispute waits for no ruling (R5)."""
    APPEALED_ALREADY = "APPEALED_ALREADY"
    """A ruling is appealed once (R9)."""
    NO_SUCH_RULE = "NO_SUCH_RULE"
    """The number is no rule's."""
    INVALID_RULING = "INVALID_RULING"
    """A ruling that says too little or too much, or cannot be carried out (R6)."""
    INVALID_TEXT = "INVALID_TEXT"
    """A claim or a reason that is empty, too long, or cannot be printed."""
    NOT_ALLOWED_NOW = "NOT_ALLOWED_NOW"
    """A server's or director's act that has no place in the match's present state."""


class IllegalMoveError(RulesError):
    """A wish that can be read but is not allowed here. Nothing has changed."""

    def __init__(self, reason: Reason, rule: str, why: str) -> None:
        super().__init__(f"{why} ({rule})" if rule else why)
        self.reason = reason
        """Why, for a program."""
        self.rule = rule
        """The rule's number in docs/rules.md, such as `K1`; empty where none stands behind it."""
        self.why = why
        """Why, for a person: what was wrong and what would be right."""
