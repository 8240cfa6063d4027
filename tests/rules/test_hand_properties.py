"""What holds in every position: 52 cards, exact legal moves, and one fold for all."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import msgspec
import pytest
from support_play import (
    Policy,
    Shuffle,
    Step,
    eager_move,
    lively,
    play_match,
    random_move,
    shuffled,
    soak,
)
from support_rules import SEATS, opened

from ginrummy.rules import hand as hands
from ginrummy.rules import match as matches
from ginrummy.rules.cards import DECK, Seat, card_set, cards_in
from ginrummy.rules.commands import BigGin, Deal, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import HandDealt, HandScored, HandVoided, MatchEnded, RevealPolicy
from ginrummy.rules.hand import Discarding, Finished, Hand
from ginrummy.rules.ruleset import PRESETS, Ruleset, make_ruleset
from ginrummy.rules.view import view

TABLES: list[tuple[Policy, Shuffle]] = [
    (random_move, shuffled),
    (random_move, lively),
    (eager_move, shuffled),
    (eager_move, lively),
]
"""Ways to play: aimless hands end void, eager ones in all other ways."""


def played_hands(number: int, seed: int, rules: Ruleset) -> Iterator[list[Hand]]:
    """Yield hands as lists of their states, one after every event."""
    rng = random.Random(seed)
    for index in range(number):
        policy, shuffle = TABLES[index % len(TABLES)]
        deck = shuffle(rng)
        dealt, *others = hands.deal(rules, 1, rng.choice(SEATS), deck)
        assert isinstance(dealt, HandDealt)
        states: list[Hand] = [hands.start(rules, dealt, deck)]
        for event in others:
            states.append(hands.evolve(states[-1], event))
        while (seat := hands.to_move(states[-1])) is not None:
            for event in hands.decide(states[-1], seat, policy(states[-1], rng)):
                states.append(hands.evolve(states[-1], event))
        yield states


def check_52_cards(hand: Hand) -> None:
    """Expect every card in one place, and hands of ten, or of eleven after a draw."""
    layout = hand.layout
    assert layout.dealt.deck is not None
    stock = layout.dealt.deck[52 - layout.stock :]
    places = (*layout.hands, card_set(layout.pile), card_set(stock), layout.face_down)
    assert sum(place.bit_count() for place in places) == 52
    assert sum(places) == (1 << 52) - 1
    assert len(layout.pile) + len(stock) == 52 - sum(
        place.bit_count() for place in (*layout.hands, layout.face_down)
    )
    sizes = [held.bit_count() for held in layout.hands]
    if isinstance(hand, Discarding):
        assert sizes[hand.seat] == 11
        assert sizes[1 - hand.seat] == 10
    elif 11 in sizes:
        assert _is_big_gin(hand)
    else:
        assert sizes == [10, 10]
    for held, shown in zip(layout.hands, layout.shown, strict=True):
        assert not shown & ~held


def _is_big_gin(hand: Hand) -> bool:
    knocked = getattr(hand, "knocked", None)
    return knocked is not None and sum(map(len, knocked.melds)) == 11


@pytest.mark.parametrize("preset", ["standard", "classic", "oklahoma"])
def test_52_cards_each_in_one_place_after_every_event(preset: str) -> None:
    """M3, D1, T1 whatever is drawn, thrown, laid down or laid off."""
    for states in played_hands(soak(20_000, 1700), 1, PRESETS[preset]):
        for hand in states:
            check_52_cards(hand)


def test_every_hand_ends_with_one_result() -> None:
    """S1 to S4 each is scored or void, and a void one is worth nothing."""
    found: Counter[str] = Counter()
    rules = make_ruleset("oklahoma", {"oklahoma": False})
    for states in played_hands(soak(20_000, 2000), 2, rules):
        assert [isinstance(state, Finished) for state in states[-2:]] == [False, True]
        over = states[-1]
        assert isinstance(over, Finished)
        found[over.result.kind if isinstance(over.result, HandScored) else "void"] += 1
    assert set(found) == {"knock", "undercut", "gin", "big_gin", "void"}


# --- legal moves --------------------------------------------------------------------------------

ALL_MOVES: tuple[Move, ...] = (
    Take(),
    Pass(),
    Draw(),
    *map(Discard, DECK),
    *map(Knock, DECK),
    BigGin(),
    LayOff(),
)
"""Every move there is, with its arrangement left to the server."""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_move_is_listed_if_and_only_if_it_is_accepted(preset: str) -> None:
    """D2 to L4 `legal_moves` and `decide` hold the same rules, for both seats."""
    rng = random.Random(3)
    for states in played_hands(soak(400, 40), 4, PRESETS[preset]):
        for hand in rng.sample(states, min(12, len(states))):
            listed = hands.legal_moves(hand)
            assert len(set(map(str, listed))) == len(listed)
            for seat in SEATS:
                accepted = [move for move in ALL_MOVES if _is_accepted(hand, seat, move)]
                mine = listed if hands.to_move(hand) == seat else ()
                assert sorted(map(str, accepted)) == sorted(map(str, mine))


def _is_accepted(hand: Hand, seat: Seat, move: Move) -> bool:
    try:
        return bool(hands.decide(hand, seat, move))
    except IllegalMoveError:
        return False


def test_deciding_changes_nothing() -> None:
    """A state is a value: the same decision on it gives the same events again."""
    for states in played_hands(40, 5, Ruleset()):
        for hand in states:
            for move in hands.legal_moves(hand):
                seat = hands.to_move(hand)
                assert seat is not None
                before = msgspec.json.encode(hand)
                assert hands.decide(hand, seat, move) == hands.decide(hand, seat, move)
                assert msgspec.json.encode(hand) == before


# --- matches ------------------------------------------------------------------------------------


REVEALS: tuple[RevealPolicy, ...] = ("match", "hand", "director")


def played_matches(number: int, seed: int, hands_each: int = 4) -> Iterator[list[Step]]:
    """Yield whole matches under all presets and reveal policies."""
    rng = random.Random(seed)
    presets = list(PRESETS)
    for index in range(number):
        policy, shuffle = TABLES[rng.choice((1, 2, 3, 3))]
        terms = opened(presets[index % len(presets)], reveal=REVEALS[index % 3], hands=hands_each)
        yield list(play_match(terms, rng, policy, shuffle))


def test_folding_the_log_alone_shows_what_the_public_sees() -> None:
    """The public view of a fold without decks is that of the full state, at every event."""
    for steps in played_matches(soak(300, 30), 6):
        alone: matches.Match | None = None
        full: matches.Match | None = None
        for step in steps:
            for event in step.events:
                alone = matches.evolve(alone, event, step.at)
                full = matches.evolve(full, event, step.at)
                if isinstance(event, HandDealt):
                    assert isinstance(step.command, Deal)
                    full = matches.with_deck(full, step.command.deck)
                assert view(alone, "public") == view(full, "public")
                if isinstance(alone, matches.Playing):
                    assert alone.hand.layout.hands == alone.hand.layout.shown
            assert full == step.after


def test_a_match_has_one_end_and_its_points_add_up() -> None:
    """X1, X2 the sum of the hands is the account at the end."""
    for steps in played_matches(soak(300, 60), 7):
        events = [event for step in steps for event in step.events]
        (outcome,) = (event for event in events if isinstance(event, MatchEnded))
        scores = [event for event in events if isinstance(event, HandScored)]
        voids = [event for event in events if isinstance(event, HandVoided)]
        for seat in SEATS:
            won = [score for score in scores if score.winner == seat]
            assert outcome.points[seat] == sum(score.points for score in won)
            assert outcome.hands_won[seat] == len(won)
        dealt = [event.hand for event in events if isinstance(event, HandDealt)]
        assert dealt == list(range(1, len(scores) + len(voids) + 1))


def test_a_taken_card_is_known_until_it_is_thrown() -> None:
    """What everybody has seen go into a hand is what `shown` holds of it."""
    for states in played_hands(100, 8, Ruleset()):
        for before, after in pairwise(states):
            if isinstance(after, Discarding) and after.taken:
                assert after.layout.shown[after.seat] & card_set(before.layout.pile[-1:])
            if isinstance(after, hands.Drawing):
                assert not cards_in(after.layout.shown[0] & card_set(after.layout.pile))
