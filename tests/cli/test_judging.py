"""Hands judged side by side."""

from multiprocessing import active_children

import pytest
from support_golden import golden_log

from ginrummy.analysis.deciding import DecidedHand, decided_hand
from ginrummy.analysis.judging import judge_hand
from ginrummy.analysis.recording import read_match
from ginrummy.cli import judging
from ginrummy.cli.judging import judge_hands


@pytest.fixture(scope="module")
def hands() -> list[DecidedHand]:
    return [decided_hand(logged) for logged in read_match(golden_log("classic")).hands]


def test_the_figures_and_their_order_are_those_of_one_processor(
    hands: list[DecidedHand], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "_SMALL", 0)
    found = list(judge_hands(hands, seats=(0, 1), worlds=4, seed=3, processors=2))
    assert found == [judge_hand(hand, worlds=4, seed=3) for hand in hands]


def test_what_is_done_at_once_starts_no_process(
    hands: list[DecidedHand], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "get_context", None)
    assert len(list(judge_hands(hands, seats=(1,), worlds=4, seed=1, processors=8))) == len(hands)
    assert len(list(judge_hands(hands[:1], seats=(1,), worlds=80, seed=1, processors=8))) == 1


def test_whoever_reads_no_further_waits_for_nothing_more(
    hands: list[DecidedHand], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "_SMALL", 0)
    many = [hands[1], *hands * 100]
    found = judge_hands(many, seats=(0, 1), worlds=100, seed=3, processors=2)
    assert next(found).number == 2
    assert len(active_children()) == 2
    found.close()  # type: ignore[attr-defined]  # it is a generator
    assert active_children() == []
