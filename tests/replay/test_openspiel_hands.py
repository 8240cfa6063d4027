"""Hands for OpenSpiel: pyspiel replays them to our result, and what it cannot play is refused."""

import random
from collections import Counter
from itertools import product
from typing import Any

import pyspiel
import pytest
from support_golden import GOLDEN, golden_log
from support_logs import Table, in_hand, played
from support_openspiel import KNOCK, least_deadwood, meld_action, number
from support_play import Policy, eager_move, random_move, simple_move, soak
from support_rules import cards

from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.openspiel import OpenSpielHand, RefusedHand, numbers, openspiel_hands
from ginrummy.replay.stepping import positions
from ginrummy.rules.cards import DECK, card_set, cards_in, other
from ginrummy.rules.commands import Resign
from ginrummy.rules.events import HandDealt, HandScored, HandVoided, Meld
from ginrummy.rules.melds import RUNS, SETS
from ginrummy.rules.ruleset import PRESETS


def hands_of(log: list[bytes]) -> list[OpenSpielHand | RefusedHand]:
    return list(openspiel_hands(positions(log, revealed_secrets(log))))


def replayed(hand: OpenSpielHand) -> pyspiel.State:
    """Replay a hand; every action has to be legal where it comes."""
    state = pyspiel.load_game(hand.game).new_initial_state()
    for action in hand.actions:
        assert action in state.legal_actions(), (hand, state)
        state.apply_action(action)
    return state


def expect_played(log: list[bytes]) -> Counter[str]:
    """Expect every hand of a log to be there, and those not refused to end for pyspiel as ours."""
    results = {
        event.hand: event
        for position in positions(log)
        if isinstance(event := position.line.event, HandScored | HandVoided)
    }
    dealt = [p.line.event for p in positions(log) if isinstance(p.line.event, HandDealt)]
    hands = hands_of(log)
    assert [hand.hand for hand in hands] == [event.hand for event in dealt]
    seen: Counter[str] = Counter()
    for hand, deal in zip(hands, dealt, strict=True):
        if isinstance(hand, RefusedHand):
            seen[hand.refused] += 1
            continue
        state = replayed(hand)
        result = results.get(hand.hand)
        assert hand.seats == (other(deal.dealer), deal.dealer)
        if result is None:
            assert hand.returns is None
            assert not state.is_terminal()
            seen["broken off"] += 1
            continue
        assert state.is_terminal()
        points = [0, 0]
        if isinstance(result, HandScored):
            points[hand.seats.index(result.winner)] = result.points
            points[1 - hand.seats.index(result.winner)] = -result.points
        assert list(state.returns()) == list(hand.returns or ()) == points
        seen[result.kind if isinstance(result, HandScored) else "void"] += 1
    return seen


# --- numbers ------------------------------------------------------------------------------------


def test_cards_and_moves_have_their_numbers() -> None:
    assert [numbers.card_number(card) for card in DECK] == [number(card) for card in DECK]
    module = pyspiel.gin_rummy
    assert numbers.TAKE == module.DRAW_UPCARD_ACTION
    assert numbers.DRAW == module.DRAW_STOCK_ACTION
    assert numbers.PASS == module.PASS_ACTION
    assert numbers.KNOCK == module.KNOCK_ACTION == KNOCK


def test_all_185_melds_have_their_numbers() -> None:
    melds = [cards_in(meld) for meld in SETS | RUNS if meld.bit_count() <= numbers.LONGEST_RUN]
    assert len(melds) == 185
    for meld in melds:
        assert numbers.meld_action(meld) == numbers.meld_action(meld[::-1]) == meld_action(meld)


def test_a_knock_is_offered_where_it_is_said_to_be() -> None:
    """OpenSpiel's count after a throw is not exact; where ours says so, it is low enough."""
    rng = random.Random(1)
    seen: Counter[tuple[bool, bool]] = Counter()
    for _ in range(soak(100_000, 5_000)):
        # Few ranks, so that there are many melds to choose from.
        held = card_set(rng.sample([card for card in DECK if card.rank < rng.randrange(5, 14)], 11))
        for limit in (0, 5, 10):
            said = numbers.surely_offers_knock(held, limit)
            seen[said, least_deadwood(held) <= limit] += 1
    assert not seen[True, False]
    assert seen[True, True] > 100 * seen[False, True]


def test_a_knock_that_is_not_found_is_not_said_to_be_offered() -> None:
    held = card_set(cards("2H 3H 3C 4C 4S 5H 5S 5C 6H 6C 6S"))
    assert least_deadwood(held) == 12
    assert not numbers.surely_offers_knock(held, 10)
    assert numbers.surely_offers_knock(held, 12)


def test_a_run_grows_by_two_cards_at_an_end() -> None:
    spread = (cards("5H 6H 7H"), cards("KS KD KC"), cards("AS 2S 3S"))
    assert fitting(spread) == {"4H", "8H", "KH", "4S"}
    assert fitting(spread, "4H") == {"3H", "8H", "KH", "4S"}
    assert fitting(spread, "4H 3H 8H KH 4S") == {"3H", "9H", "KH", "5S"}


def fitting(spread: tuple[Meld, ...], laid_off: str = "") -> set[str]:
    fits = numbers.lay_off_numbers(spread, cards(laid_off))
    return {str(card) for card in DECK if numbers.card_number(card) in fits}


# --- many hands ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "policy"), list(product(PRESETS, [simple_move, eager_move])))
def test_matches_of_every_preset_end_as_they_did(preset: str, policy: Policy) -> None:
    seen: Counter[str] = Counter()
    for seed in range(soak(200, 3)):
        seen += expect_played(Table(seed, preset).seated().play(policy).log)
    assert seen["knock"] + seen["gin"] + seen["undercut"]


@pytest.mark.parametrize("rules", [{}, {"knock_limit": 5, "gin_bonus": 20, "undercut_bonus": 7}])
def test_random_hands_end_as_they_did(rules: dict[str, Any]) -> None:
    """Random moves run into the end of the stock, and throw back what they took."""
    seen: Counter[str] = Counter()
    for seed in range(soak(100, 4)):
        table = Table(seed, chain=20, hands=2, **rules).seated().play(random_move)
        seen += expect_played(table.log)
    assert seen["void"]


def test_rules_with_another_end_of_the_stock_end_as_they_did_or_are_refused() -> None:
    seen: Counter[str] = Counter()
    for floor in (0, 1, 5):
        table = Table(floor, chain=6, hands=1, stock_floor=floor).seated().play(random_move)
        seen += expect_played(table.log)
    assert not seen["void"]
    assert seen["OpenSpiel's hand ends at a stock of 2, and this one goes on"]
    assert seen["OpenSpiel's hand goes on where this one is void"]


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.log")))
def test_golden_logs_end_as_they_did(name: str) -> None:
    expect_played(golden_log(name))


def test_a_hand_that_was_broken_off_has_no_returns() -> None:
    table = Table(5).seated().play(until=in_hand(2))
    table.move(Resign())
    assert expect_played(table.log)["broken off"] == 1


# --- what it does not play ----------------------------------------------------------------------


def test_a_hand_whose_secret_is_not_out_is_refused() -> None:
    table = Table(5, reveal="hand").seated().play(until=in_hand(3))
    first, second, third = hands_of(table.log)
    assert isinstance(first, OpenSpielHand)
    assert isinstance(second, OpenSpielHand)
    assert third == RefusedHand(
        table.stream,
        3,
        "the hand's secret is not out, so its cards are not known",
        practice=False,
    )


def test_the_known_differences_are_refused() -> None:
    """Each shows itself somewhere in many matches with the rules that bring it about."""
    seen: Counter[str] = Counter()
    for seed in range(soak(60, 12)):
        seen += expect_played(played(seed, "oklahoma", spades_double=True).log)
        seen += expect_played(played(seed, "classic").log)
        seen += expect_played(played(seed, "classic", max_discard_draws=3).log)
    for why in (
        "OpenSpiel has no big gin",
        "OpenSpiel doubles no hand",
        "OpenSpiel's hand goes on where this one is void",
        "OpenSpiel scores nothing for a tie",
        "OpenSpiel has no run of more than 5 cards",
    ):
        assert seen[why], (why, seen)
