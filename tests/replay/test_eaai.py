"""Hands of the EAAI challenge's games: read, played again by the rules, and refused if they differ.

The texts are written of matches of ours in the words of the challenge's program.
"""

import random
from collections import Counter

import pytest
from support_eaai import eaai_text
from support_logs import Table, played
from support_play import random_move, simple_move, soak

from ginrummy.replay.eaai import EaaiError, EaaiHand, read_hands
from ginrummy.replay.script import Played, play_script
from ginrummy.rules.commands import Discard, Knock, Move
from ginrummy.rules.events import HandScored, HandVoided
from ginrummy.rules.hand import Discarding, Hand
from ginrummy.rules.melds import deadwood

GAME = eaai_text(played(1, "eaai"))


def results(table: Table) -> list[tuple[str, int | None, int]]:
    """Return how each hand of a match ended: its kind, the winner, the points."""
    ended: list[tuple[str, int | None, int]] = []
    for line in table.lines:
        match line.event:
            case HandScored(kind=kind, winner=winner, points=points):
                ended.append((kind, winner, points))
            case HandVoided():
                ended.append(("void", None, 0))
            case _:
                pass
    return ended


def told(hands: list[EaaiHand]) -> list[tuple[str, int | None, int]]:
    return [(hand.result.kind, hand.result.winner, hand.result.points) for hand in hands]


def edited(old: str, new: str) -> list[str]:
    """Return the game with the first line that has `old` in it changed."""
    index = next(index for index, line in enumerate(GAME) if old in line)
    return [*GAME[:index], GAME[index].replace(old, new), *GAME[index + 1 :]]


# --- what is read -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(soak(100, 8)))
def test_a_game_is_played_again_to_the_same_scores(seed: int) -> None:
    table = played(seed, "eaai")
    hands = list(read_hands(eaai_text(table)))
    assert told(hands) == results(table)
    assert [hand.hand for hand in hands] == list(range(1, len(hands) + 1))
    assert {hand.game for hand in hands} == {1}


def test_hands_of_every_kind_are_among_them() -> None:
    seen: Counter[str] = Counter()
    for seed in range(soak(60, 15)):
        for table in (played(seed, "eaai"), Table(seed, "eaai").seated().play(for_gin)):
            hands = list(read_hands(eaai_text(table)))
            assert told(hands) == results(table)
            seen.update(hand.result.kind for hand in hands)
    assert seen.keys() >= {"knock", "undercut", "gin"}


def for_gin(hand: Hand, rng: random.Random) -> Move:
    """Knock with nothing but gin."""
    move = simple_move(hand, rng)
    if isinstance(move, Knock) and isinstance(hand, Discarding):
        left = hand.layout.hands[hand.seat] & ~move.card.bit
        taken = hand.taken and hand.drawn is move.card
        return Discard(move.card) if deadwood(left) and not taken else move
    return move


def test_a_hand_that_ran_out_of_stock_is_void() -> None:
    table = Table(4, "eaai", chain=3).seated().play(random_move)
    assert "void" in [hand.result.kind for hand in read_hands(eaai_text(table))]


def test_several_games_are_told_apart() -> None:
    text = [*GAME, "", *GAME, "2 games played in 31 ms.", "Games Won: P0:2, P1:0."]
    hands = list(read_hands(text))
    assert [hand.game for hand in hands] == [1] * (len(hands) // 2) + [2] * (len(hands) // 2)


def test_line_ends_are_of_either_kind() -> None:
    assert list(read_hands(f"{line}\r\n" for line in GAME)) == list(read_hands(GAME))


def test_a_script_is_one_that_plays() -> None:
    for hand in read_hands(GAME):
        assert play_script(hand.script) == Played(hand.result)


def test_a_text_that_was_cut_ends_with_an_open_hand() -> None:
    cut = GAME[: next(index for index, line in enumerate(GAME) if "discards" in line) + 1]
    (hand,) = read_hands(cut)
    assert (hand.result.kind, hand.forfeit) == ("open", None)


@pytest.mark.parametrize(
    "why", ["discards KS illegally", "melds [[AS, KS]] illegally", "melds [] with greater than 10"]
)
def test_a_forfeit_breaks_a_hand_off_and_ends_the_game(why: str) -> None:
    drawn = next(index for index, line in enumerate(GAME) if "draws" in line)
    cut = [*GAME[: drawn + 1], f"Player 1 {why} and forfeits."]
    hands = list(read_hands([*cut, *GAME]))
    assert hands[0].forfeit == f"player 1 {why} and forfeits"
    assert hands[0].result.kind == "open"
    assert [(hand.game, hand.hand) for hand in hands[:2]] == [(1, 1), (2, 1)]


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (["hello"], "line 1: 'hello' is no line of the challenge's games"),
        (GAME[3:], "line 1: no hand has been dealt before it"),
        (GAME[:2] + GAME[4:], "line 3: the hand has not been dealt before it"),
        (GAME[:1] + GAME[2:], "line 1: the hand does not say what was dealt"),
        (edited("is dealt [", "is dealt [XX, "), "line 1: 'XX' is not a valid Card"),
        (edited("starts", "begins"), "line 3: .* is no line"),
        (edited("lays off ", "lays off  "), "is no line"),
        (edited(" on [", " on [KS, "), "does not lie on the table"),
        (edited("0\t", "0\t1"), "the hand goes to .* there, and to .* by the rules"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_text_that_is_not_in_form_or_not_true_is_refused(text: list[str], why: str) -> None:
    with pytest.raises(EaaiError, match=why):
        list(read_hands(text))


def test_a_card_that_is_dealt_twice_is_refused() -> None:
    first = GAME[0].partition("[")[2][:2]
    with pytest.raises(EaaiError, match="line 1: the hand does not deal ten cards each"):
        list(
            read_hands([GAME[0], GAME[1].replace(GAME[1].partition("[")[2][:2], first), *GAME[2:]])
        )


def test_a_move_that_the_rules_refuse_is_named() -> None:
    index = next(index for index, line in enumerate(GAME) if "discards" in line)
    drawn = GAME[index - 1].split()[-1].rstrip(".")
    seat = GAME[index - 1].split()[1]
    text = [*GAME[:index], f"Player {1 - int(seat)} discards {drawn}.", *GAME[index + 1 :]]
    with pytest.raises(EaaiError, match=rf"line {index + 1}: the rules refuse it: [A-Z_]+ \("):
        list(read_hands(text))
