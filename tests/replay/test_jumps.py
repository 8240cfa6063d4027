"""Leaps: to the hands and to the knocks, and to the ends where there is none any more."""

import pytest
from support_golden import golden_log
from support_logs import events_of

from ginrummy.replay.jumps import hand_at, hand_before, knock_before, next_hand, next_knock
from ginrummy.replay.stepping import Replay

LOG = golden_log("classic")
REPLAY = Replay(LOG)
DEALT = [index + 1 for index in events_of(LOG, "hand_dealt")]
KNOCKED = [index + 1 for index in events_of(LOG, "knocked")]
LAST = REPLAY.last


@pytest.mark.parametrize("seq", range(1, LAST + 1))
def test_leaps_lead_to_the_nearest(seq: int) -> None:
    assert next_hand(REPLAY, seq) == min((each for each in DEALT if each > seq), default=LAST)
    assert hand_before(REPLAY, seq) == max((each for each in DEALT if each < seq), default=1)
    assert next_knock(REPLAY, seq) == min((each for each in KNOCKED if each > seq), default=LAST)
    assert knock_before(REPLAY, seq) == max((each for each in KNOCKED if each < seq), default=1)


def test_the_hand_of_an_event_is_the_last_that_was_dealt() -> None:
    assert hand_at(REPLAY, DEALT[0] - 1) is None
    assert hand_at(REPLAY, DEALT[1] - 1) == REPLAY.hand(1)
    assert hand_at(REPLAY, DEALT[1]) == REPLAY.hand(2)
    assert hand_at(REPLAY, LAST) == REPLAY.hands[-1]
