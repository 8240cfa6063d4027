"""How fast the rules are, beside OpenSpiel's gin_rummy driven from Python.

    python benchmarks/rules_speed.py

Both sides of a comparison take turns, round by round, so that whatever else the machine does
falls on both; a figure is the median of its rounds.
"""

import random
import time
from collections.abc import Callable
from statistics import median

import pyspiel
from comparison import Comparison

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import DECK, Card, card_set
from ginrummy.rules.events import HandDealt
from ginrummy.rules.melds import deadwood
from ginrummy.rules.ruleset import PRESETS

__all__ = ["compare_deadwood", "compare_playouts"]

_UPCARD = 20
"""The upcard's index in a deck (D1)."""


def compare_deadwood(rounds: int = 7, number: int = 20_000) -> Comparison:
    """Compare the least deadwood of random ten-card hands with OpenSpiel's own function."""
    rng = random.Random(1)
    indices = [rng.sample(range(52), 10) for _ in range(number)]
    sets = [card_set(DECK[index] for index in hand) for hand in indices]
    min_deadwood = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
    # OpenSpiel counts the suits S C D H, we S H D C; the counts say that the hands are the same.
    theirs = [[13 * (0, 3, 2, 1)[index // 13] + index % 13 for index in hand] for hand in indices]
    assert [deadwood(hand) for hand in sets] == [min_deadwood(hand) for hand in theirs]

    def ours() -> int:
        for hand in sets:
            deadwood(hand)
        return number

    def baseline() -> int:
        for hand in theirs:
            min_deadwood(hand)
        return number

    return _compare("least deadwood", "hands/s", ours, baseline, rounds=rounds, goal=2)


def compare_playouts(rounds: int = 7, number: int = 300) -> Comparison:
    """Compare random playouts from the deal, every step's legal moves listed, in player actions.

    A playout of OpenSpiel starts from a clone of the state after the deal and draws from its
    chance nodes; one of ours starts from the same deal with the stock shuffled.
    """
    deck = list(DECK)
    random.Random(2).shuffle(deck)
    start = _dealt_state(deck)
    rng = random.Random(3)

    def ours() -> int:
        return sum(_our_playout(deck, rng) for _ in range(number))

    def baseline() -> int:
        return sum(_their_playout(start, rng) for _ in range(number))

    return _compare("random playouts", "actions/s", ours, baseline, rounds=rounds, goal=2)


def _our_playout(deck: list[Card], rng: random.Random) -> int:
    """Play a random hand and return how many moves it took."""
    stock = deck[_UPCARD + 1 :]
    rng.shuffle(stock)
    dealt = HandDealt(hand=1, dealer=1, upcard=deck[_UPCARD])
    hand: hands.Hand = hands.start(PRESETS["standard"], dealt, (*deck[: _UPCARD + 1], *stock))
    number = 0
    while moves := hands.legal_moves(hand):
        seat = hands.to_move(hand)
        assert seat is not None
        for event in hands.decide(hand, seat, rng.choice(moves)):
            hand = hands.evolve(hand, event)
        number += 1
    return number


def _their_playout(start: pyspiel.State, rng: random.Random) -> int:
    """Play a random hand on OpenSpiel and return how many actions the players took."""
    state = start.clone()
    number = 0
    while not state.is_terminal():
        number += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return number


def _dealt_state(deck: list[Card]) -> pyspiel.State:
    """Return OpenSpiel's state after the same deal: its player 0 is the non-dealer."""
    state = pyspiel.load_game("gin_rummy").new_initial_state()
    for card in (*deck[0:_UPCARD:2], *deck[1:_UPCARD:2], deck[_UPCARD]):
        state.apply_action(13 * (0, 3, 2, 1)[card.suit] + card.rank)
    return state


def _compare(
    name: str,
    unit: str,
    ours: Callable[[], int],
    baseline: Callable[[], int],
    *,
    rounds: int,
    goal: float,
) -> Comparison:
    speeds = [(_speed(ours), _speed(baseline)) for _ in range(rounds)]
    our_speed, base_speed = (median(side) for side in zip(*speeds, strict=True))
    return Comparison(name, unit, our_speed, base_speed, our_speed / base_speed, goal)


def _speed(work: Callable[[], int]) -> float:
    """Return how many of its units `work` does in a second."""
    begin = time.perf_counter()
    number = work()
    return number / (time.perf_counter() - begin)


def main() -> None:
    """Run the comparisons and print one line for each."""
    for compare in (compare_deadwood, compare_playouts):
        found = compare()
        print(
            f"{found.name:<16} ours {found.ours:>11,.0f}  OpenSpiel {found.baseline:>11,.0f} "
            f"{found.unit}  ratio {found.ratio:.2f} (goal {found.goal})"
        )


if __name__ == "__main__":
    main()
