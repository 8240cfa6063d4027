"""Which rule an event stands under, by its number in docs/rules.md."""

from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import (
    ClockExpired,
    Discarded,
    DiscardTaken,
    Event,
    Forfeited,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchEnded,
    Resigned,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand import Hand, LayingOff, Offering

__all__ = ["CHAPTERS", "RULES", "rule_of"]

CHAPTERS = {
    "C": "cards",
    "M": "melds",
    "D": "deal and first turn",
    "T": "a turn",
    "K": "knocking",
    "L": "laying off",
    "S": "scoring a hand",
    "X": "a match",
    "R": "fair play and disputes",
}
"""What the rules with a number of each letter are about."""

RULES = frozenset(
    f"{letter}{number}"
    for letter, last in zip("CMDTKLSXR", (2, 4, 3, 4, 6, 4, 4, 3, 9), strict=True)
    for number in range(1, last + 1)
)
"""The numbers of all rules."""

_SCORED = {"knock": "S1", "undercut": "S2", "gin": "S3", "big_gin": "S3"}
_VOID = {"stock": "T3", "discard_draws": "T4"}
_ENDED = {"target": "X2", "hands": "X1", "hands_exhausted": "X1"}


def rule_of(event: Event, hand: Hand | None = None) -> str:
    """Return the rule that an event stands under; empty where it stands under none of the game's.

    `hand` is the hand ahead of the event, where there was one. A ruling cites its own rule.
    """
    match event:
        case HandDealt():
            return "D1"
        case UpcardPassed():
            return "D2"
        case DiscardTaken():
            return "D2" if isinstance(hand, Offering) else "T1"
        case StockDrawn() | Discarded():
            return "T1"
        case Knocked(melds=melds, gin=gin):
            if sum(map(len, melds)) == 11:
                return "K5"
            return "K4" if gin else "K2"
        case LaidOff():
            return "L2" if isinstance(hand, LayingOff) and hand.knocked.gin else "L1"
        case HandScored(kind=kind):
            return _SCORED[kind]
        case HandVoided(reason=reason):
            return _VOID[reason]
        case MatchEnded(reason=reason):
            return _ENDED.get(reason, "X3")
        case ClockExpired() | Resigned() | Forfeited():
            return "X3"
        case DisputeOpened():
            return "R4"
        case DisputeAppealed():
            return "R9"
        case HandReplayed():
            return "R8"
        case ResultAdjusted():
            return "R7"
        case _:
            cited = getattr(event, "rule", "")
            return cited if isinstance(cited, str) else ""
