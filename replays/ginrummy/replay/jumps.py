"""Where a reader of a replay goes in one leap: the hands, and the knocks.

Each takes the number of the event that the reader is at and returns that of the one they want; the
log's last or first event where there is no such hand or knock any more.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ginrummy.replay.stepping import HandSpan, Replay

__all__ = ["hand_at", "hand_before", "knock_before", "next_hand", "next_knock"]


def next_hand(replay: Replay, seq: int) -> int:
    """Return where the next hand is dealt."""
    return _after([span.first for span in replay.hands], seq, replay.last)


def hand_before(replay: Replay, seq: int) -> int:
    """Return where this hand was dealt, or the one before it where that is here."""
    return _before([span.first for span in replay.hands], seq)


def next_knock(replay: Replay, seq: int) -> int:
    """Return where somebody lays down next."""
    return _after(replay.knocks, seq, replay.last)


def knock_before(replay: Replay, seq: int) -> int:
    """Return where somebody has laid down last."""
    return _before(replay.knocks, seq)


def hand_at(replay: Replay, seq: int) -> HandSpan | None:
    """Return the hand that an event is in; None ahead of the first."""
    index = bisect_right(replay.hands, seq, key=lambda span: span.first)
    return replay.hands[index - 1] if index else None


def _after(seqs: Sequence[int], seq: int, last: int) -> int:
    index = bisect_right(seqs, seq)
    return seqs[index] if index < len(seqs) else last


def _before(seqs: Sequence[int], seq: int) -> int:
    index = bisect_left(seqs, seq)
    return seqs[index - 1] if index else 1
