"""The expert bot: legal, the same again, the same after a restart, and stronger than the others."""

from collections.abc import Callable

import pytest
from bot_strength import strength
from quick_table import QuickTable, decks, play_match
from support_play import soak

from ginrummy.bots import Bot, Event, ExpertBot, Move, RandomBot, SimpleBot, View
from ginrummy.client.bot import decision
from ginrummy.rules.cards import Seat
from ginrummy.rules.match import Ended
from ginrummy.rules.ruleset import PRESETS

HANDS = soak(20, 2)
"""Hands of a match that is looked at decision by decision."""


class Recorder(ExpertBot):
    """An expert that keeps what it was told and what it answered."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []
        self.asked: list[tuple[View, int, Move]] = []
        """Each view, how many events came before it, and the move."""

    def saw(self, event: Event) -> None:
        self.events.append(event)
        super().saw(event)

    def _recorded(self, view: View, move: Move) -> Move:
        self.asked.append((view, len(self.events), move))
        return move

    def offer(self, view: View) -> Move:
        return self._recorded(view, super().offer(view))

    def draw(self, view: View) -> Move:
        return self._recorded(view, super().draw(view))

    def discard(self, view: View) -> Move:
        return self._recorded(view, super().discard(view))

    def lay_off(self, view: View) -> Move:
        return self._recorded(view, super().lay_off(view))


def recorded(preset: str, seed: int, opponent: Callable[[], Bot], seat: Seat = 0) -> Recorder:
    """Return what an expert did at a seat in the first hands of a match."""
    bot = Recorder()
    bots = (bot, opponent()) if seat == 0 else (opponent(), bot)
    # An illegal move would raise.
    QuickTable(bots, PRESETS[preset], HANDS, "m_1").play(decks(seed), 0)
    return bot


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("opponent", [ExpertBot, SimpleBot, lambda: RandomBot(5)])
def test_it_plays_hands_of_every_preset_to_their_end(
    preset: str, opponent: Callable[[], Bot]
) -> None:
    for seed in range(soak(20, 1)):
        assert recorded(preset, seed, opponent, 1).asked


@pytest.mark.parametrize("preset", PRESETS)
def test_a_restart_at_any_decision_changes_no_move(preset: str) -> None:
    lived_through = recorded(preset, 3, SimpleBot)
    assert len(lived_through.asked) > 10
    for view, told, move in lived_through.asked:
        restarted = ExpertBot()
        for event in lived_through.events[:told]:
            restarted.saw(event)
        assert decision(restarted, view) == move


def test_the_same_match_is_played_the_same() -> None:
    first, second = recorded("standard", 4, ExpertBot), recorded("standard", 4, ExpertBot)
    assert [move for _, _, move in first.asked] == [move for _, _, move in second.asked]


def test_it_beats_the_simple_bot() -> None:
    found = strength(ExpertBot, SimpleBot, soak(2000, 150))
    assert found.points.low > 0, found.points


@pytest.mark.parametrize("seed", range(soak(50, 3)))
def test_it_wins_every_match_against_the_random_bot(seed: int) -> None:
    table = play_match((ExpertBot(), RandomBot(seed)), PRESETS["standard"], seed)
    assert isinstance(table.match, Ended)
    assert table.match.outcome.winner == 0
