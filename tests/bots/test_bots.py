"""What every bot owes, a legal answer to any view; and the simple one's policy."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from support_logs import START
from support_play import Shuffle, eager_move, lively, play_match, random_move, shuffled, soak
from support_rules import cards, opened

from ginrummy.api.move_messages import move_from
from ginrummy.api.view_messages import Standing, view_message
from ginrummy.bots import (
    BOTS,
    BigGin,
    Bot,
    Card,
    Discard,
    Draw,
    Knock,
    LayOff,
    Pass,
    RandomBot,
    SimpleBot,
    Take,
    View,
    card_set,
    cards_of,
    held,
    just_taken,
    legal_moves,
    opponent_known,
    pile,
    top,
)
from ginrummy.bots.simple import throw, wants
from ginrummy.client.bot import decision, to_decide
from ginrummy.client.moves import move_message
from ginrummy.rules import hand
from ginrummy.rules.cards import Seat, other
from ginrummy.rules.commands import Move, Play
from ginrummy.rules.match import Match, Playing, decide
from ginrummy.rules.ruleset import PRESETS
from ginrummy.rules.view import view


def seen(match: Match, seat: Seat) -> View:
    """Return the view that a server sends to a seat."""
    return view_message(
        view(match, seat),
        Standing("m_1", 1, "", START, (True, True)),
    )


def seat_of(looked: View) -> Seat:
    """Return the seat that a view is seen from."""
    return 1 if looked.seat else 0


def positions(preset: str, seed: int, shuffle: Shuffle) -> Iterator[tuple[Playing, View]]:
    """Yield every position of a short match in which a seat is to decide, as that seat sees it."""
    policy = eager_move if shuffle is lively else random_move
    for step in play_match(opened(preset, chain=4), Random(seed), policy, shuffle):
        if isinstance(step.before, Playing) and isinstance(step.command, Play):
            yield step.before, seen(step.before, step.command.seat)


# --- every bot ------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", BOTS.values(), ids=BOTS)
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("shuffle", [shuffled, lively])
def test_a_bot_answers_any_view_with_a_legal_move(
    make: Callable[[], Bot], preset: str, shuffle: Shuffle
) -> None:
    bot = make()
    for seed in range(soak(50, 2)):
        for match, looked in positions(preset, seed, shuffle):
            move = decision(bot, looked)
            wished = move_from(move_message(move))  # type: ignore[arg-type]  # these do not wait
            assert decide(match, Play(seat_of(looked), wished), match.clock.since)


def test_the_moves_of_a_view_are_those_of_the_rules() -> None:
    for match, looked in positions("oklahoma", 1, lively):
        assert legal_moves(looked) == hand.legal_moves(match.hand)


def test_a_view_is_read_in_the_rules_own_values() -> None:
    for match, looked in positions("standard", 2, shuffled):
        seat, layout = looked.seat, match.hand.layout
        assert held(looked) == layout.hands[seat]
        assert opponent_known(looked) == layout.shown[1 - seat]
        assert pile(looked) == layout.pile
        if isinstance(match.hand, hand.Offering):
            assert top(looked) is layout.dealt.upcard
        assert (just_taken(looked) is not None) == looked.hand.taken


def test_nothing_lies_on_an_empty_pile() -> None:
    with pytest.raises(ValueError, match="the discard pile is empty"):
        top(View())


def test_a_bot_is_asked_only_when_its_seat_is_to_decide() -> None:
    match, looked = next(positions("standard", 1, shuffled))
    idle = seen(match, other(seat_of(looked)))
    assert to_decide(looked)
    assert not to_decide(idle)
    with pytest.raises(ValueError, match="has nothing to decide"):
        decision(SimpleBot(), idle)
    looked.clock.paused = True
    assert not to_decide(looked)


# --- random ---------------------------------------------------------------------------------------


def moves_of(bot: Bot) -> list[Move]:
    """Return what a bot answers to the positions of one match."""
    return [
        decision(bot, looked)  # type: ignore[misc]  # these do not wait
        for _, looked in positions("standard", 5, shuffled)
    ]


def test_the_random_bot_plays_the_same_from_the_same_seed() -> None:
    assert moves_of(RandomBot(3)) == moves_of(RandomBot(3))
    assert moves_of(RandomBot(3)) != moves_of(RandomBot(4))


def test_the_random_bot_makes_every_legal_move_equally_often() -> None:
    bot = RandomBot(1)
    _, looked = next(
        (match, one) for match, one in positions("standard", 1, lively) if one.hand.legal.knocks
    )
    moves = legal_moves(looked)
    counts = dict.fromkeys(moves, 0)
    for looked.seq in range(200 * len(moves)):
        counts[decision(bot, looked)] += 1  # type: ignore[index]  # these do not wait
    # Five standard deviations of a binomial count, about.
    assert all(abs(count - 200) < 70 for count in counts.values()), counts


def test_the_random_bot_goes_on_after_a_restart_as_if_nothing_had_happened() -> None:
    looks = [looked for _, looked in positions("standard", 5, shuffled)]
    for seq, looked in enumerate(looks):
        looked.seq = seq
    lived_through = RandomBot(3)
    moves = [decision(lived_through, looked) for looked in looks]
    half = len(looks) // 2
    assert half > 20
    restarted = RandomBot(3)
    assert [decision(restarted, looked) for looked in looks[half:]] == moves[half:]


def test_the_random_bot_goes_by_match_seat_and_position() -> None:
    _, looked = next(
        (match, one) for match, one in positions("standard", 1, shuffled) if one.hand.legal.discards
    )
    there = View.FromString(looked.SerializeToString())
    bot = RandomBot(3)

    def choices() -> list[object]:
        return [decision(bot, there) for there.seq in range(30)]

    here = choices()
    there.match_id = "m_2"
    assert choices() != here


def test_without_a_seed_no_two_random_bots_are_the_same() -> None:
    """Two may be by chance; ten are not."""
    first, *others = [moves_of(RandomBot()) for _ in range(10)]
    assert any(moves != first for moves in others)


# --- simple ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ten", "card", "wanted"),
    [
        ("2D 3D 5H 9S KS QH 8C 7C AS JD", "4D", True),  # makes a run
        ("5S 5H 9S KS QH 8C 7C AS JD 2D", "5D", True),  # makes a set
        ("5S 5H 5C 9S KS QH 8C 7C AS JD", "5D", True),  # grows a set
        ("2D 3D 4D 9S KS QH 8C 7C AS JD", "5D", True),  # grows a run
        ("2D 3D 4D 9S KS QH 8C 7C TS JD", "AS", False),  # is low, but in no meld
        ("2D 4D 5H 9S KS QH 8C 7C AS JD", "2S", False),  # makes a pair
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS", "JS", False),  # grows a run of no deadwood
    ],
)
def test_it_takes_a_card_only_to_make_or_grow_a_meld(ten: str, card: str, *, wanted: bool) -> None:
    assert wants(card_set(cards(ten)), Card(card)) == wanted


@pytest.mark.parametrize(
    ("held_cards", "taken", "thrown"),
    [
        ("2D 3D 4D 5H 9S KS 8C 7C AS JC 6S", None, "KS"),  # the highest deadwood
        ("2D 3D 4D 5H 9S KS 8C 7C AS 6S 2H", "KS", "9S"),  # not the card just taken
        ("2D 3D 4D KS KH KC 8C 7C AS 6S 2H", None, "8C"),  # no card of a meld
        ("2D 3D 4D 5S 5H 5C 7H 8H 9H TH KS", "KS", "TH"),  # from a meld, where it costs nothing
    ],
)
def test_it_throws_the_highest_deadwood_that_it_did_not_just_take(
    held_cards: str, taken: str | None, thrown: str
) -> None:
    eleven = cards(held_cards)
    just = None if taken is None else Card(taken)
    assert throw(card_set(eleven), eleven, just) is Card(thrown)


def looking_at(own: str, **legal: object) -> View:
    """Return the view of seat 0 with these cards and legal moves."""
    looked = View(seat=0)
    looked.hand.hands.add(cards=own.split())
    looked.hand.hands.add(hidden=10)
    looked.hand.discard_pile.append("4D")
    for name, value in legal.items():
        if isinstance(value, bool):
            setattr(looked.hand.legal, name, value)
        else:
            getattr(looked.hand.legal, name).extend(str(value).split())
    return looked


USEFUL = "2D 3D 5H 9S KS QH 8C 7C AS JD"
USELESS = "2D 3H 5H 9S KS QH 8C 7C AS JD"


def test_it_takes_or_passes_the_upcard() -> None:
    bot = SimpleBot()
    assert bot.offer(looking_at(USEFUL, take=True, pass_upcard=True)) == Take()
    assert bot.offer(looking_at(USELESS, take=True, pass_upcard=True)) == Pass()


def test_it_takes_the_top_or_draws() -> None:
    bot = SimpleBot()
    assert bot.draw(looking_at(USEFUL, take=True, draw=True)) == Take()
    assert bot.draw(looking_at(USELESS, take=True, draw=True)) == Draw()
    assert bot.draw(looking_at(USEFUL, draw=True)) == Draw()


def test_it_knocks_as_soon_as_it_may_with_as_little_deadwood_as_can_be() -> None:
    own = "2D 3D 4D 5S 5H 5C 7H 8H 9H AS 6C"
    bot = SimpleBot()
    assert bot.discard(looking_at(own, discards=own, knocks="AS 6C")) == Knock(Card("6C"))
    assert bot.discard(looking_at(own, discards=own)) == Discard(Card("6C"))
    assert bot.discard(looking_at(own, discards=own, knocks="6C", big_gin=True)) == BigGin()


def test_it_lets_the_server_lay_off() -> None:
    assert SimpleBot().lay_off(looking_at(USEFUL, lay_off=True)) == LayOff()


def test_cards_are_read_in_their_order() -> None:
    assert cards_of(["KC", "AS"]) == (Card("KC"), Card("AS"))
