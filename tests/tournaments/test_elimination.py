"""Single and double elimination: seeding, byes, both brackets, play-offs, and who was placed."""

import random
from collections import Counter

import pytest
from support_play import soak
from support_tournaments import (
    OUTCOMES,
    course,
    entrants,
    field_after,
    field_of,
    stronger_wins,
    with_present,
    won_by,
)

from ginrummy.tournaments.entrants import Absence, Bye, Round
from ginrummy.tournaments.pairing.bracket import double_bracket, seed_order, single_bracket
from ginrummy.tournaments.pairing.elimination import Elimination, placings
from ginrummy.tournaments.pairing.first_deals import FirstDeals
from ginrummy.tournaments.pairing.formats import Field, Over, next_round
from ginrummy.tournaments.results import EndReason, Outcome, Result

SINGLE, DOUBLE = Elimination(), Elimination(double=True)


def paired(event: Elimination, field: Field) -> Round:
    played = next_round(event, field)
    assert isinstance(played, Round)
    return played


def who(played: Round) -> list[str]:
    return [
        f"{each.label} {''.join(sorted((each.first, each.second)))}" for each in played.pairings
    ]


def to_the_end(event: Elimination, field: Field) -> tuple[Field, list[list[str]]]:
    """Play on, the better seed winning: return the last field and each round's matches."""
    rounds: list[list[str]] = []
    while isinstance(played := next_round(event, field), Round):
        rounds.append(who(played))
        field = stronger_wins(field, played)
    assert played == Over("complete")
    return field, rounds


def won(field: Field, played: Round, *winners: str) -> Field:
    results = zip(played.pairings, winners, strict=True)
    return field_after(field, played, *(won_by(each, winner) for each, winner in results))


# --- the bracket --------------------------------------------------------------------------------


def test_the_first_two_can_meet_in_the_final_alone() -> None:
    """1 v 16 at the top, 2 v 15 at the bottom."""
    assert seed_order(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


@pytest.mark.parametrize("count", range(2, 34))
def test_a_bracket_has_a_match_less_than_twice_its_places(count: int) -> None:
    size = 1 << (count - 1).bit_length()
    assert len(single_bracket(count)) == size - 1
    # The losers' bracket has two fewer, and there are the two of the grand final.
    assert len(double_bracket(count)) == 2 * size - 1
    labels = [node.label for node in double_bracket(count)]
    assert len(set(labels)) == len(labels)
    for node in double_bracket(count):
        for kind, origin in (node.one, node.another):
            assert kind == "seed" or labels.index(str(origin)) < labels.index(node.label)


# --- by hand ------------------------------------------------------------------------------------


def test_a_single_elimination_of_eight() -> None:
    field, rounds = to_the_end(SINGLE, field_of(8))
    assert rounds == [
        ["W1.1 ah", "W1.2 de", "W1.3 bg", "W1.4 cf"],
        ["W2.1 ad", "W2.2 bc"],
        ["W3.1 ab"],
    ]
    assert placings(SINGLE, field) == (("a",), ("b",), ("c", "d"), ("e", "f", "g", "h"))


def test_the_best_seeds_have_the_byes() -> None:
    """Five entrants in eight places: 1, 2 and 3 go through, and nobody plays twice in a round."""
    played = paired(SINGLE, field_of(5))
    assert who(played) == ["W1.2 de"]
    assert played.byes == (Bye(1, "a", "W1.1"), Bye(1, "b", "W1.3"), Bye(1, "c", "W1.4"))


def test_a_double_elimination_of_four() -> None:
    field, rounds = to_the_end(DOUBLE, field_of(4))
    assert rounds == [
        ["W1.1 ad", "W1.2 bc"],
        ["W2.1 ab", "L1.1 cd"],
        ["L2.1 bc"],
        ["GF ab"],
    ]
    assert placings(DOUBLE, field) == (("a",), ("b",), ("c",), ("d",))


def test_a_double_elimination_of_eight_keeps_those_apart_who_have_met() -> None:
    _, rounds = to_the_end(DOUBLE, field_of(8))
    assert rounds == [
        ["W1.1 ah", "W1.2 de", "W1.3 bg", "W1.4 cf"],
        ["W2.1 ad", "W2.2 bc", "L1.1 eh", "L1.2 fg"],
        ["W3.1 ab", "L2.1 ce", "L2.2 df"],
        ["L3.1 cd"],
        ["L4.1 bc"],
        ["GF ab"],
    ]


def test_the_grand_final_is_played_again_where_the_winners_side_loses_it() -> None:
    """Its loser has then lost once, as the other has."""
    field = field_of(2)
    field = won(field, paired(DOUBLE, field), "a")
    field = won(field, final := paired(DOUBLE, field), "b")
    assert who(final) == ["GF ab"]
    assert placings(DOUBLE, field) == (("a", "b"),)
    again = paired(DOUBLE, field)
    assert who(again) == ["GF2 ab"]
    field = won(field, again, "b")
    assert next_round(DOUBLE, field) == Over("complete")
    assert placings(DOUBLE, field) == (("b",), ("a",))


def test_a_tie_is_played_off_with_the_other_dealing_first() -> None:
    """The rest of the bracket goes on meanwhile, as far as it can."""
    field = field_of(4)
    first = paired(SINGLE, field)
    tied = Result(first.pairings[0], "draw", "played")
    field = field_after(field, first, tied, won_by(first.pairings[1], "c"))
    again = paired(SINGLE, field)
    assert who(again) == ["W1.1 ad"]
    assert again.pairings[0].first == first.pairings[0].second
    assert who(paired(SINGLE, won(field, again, "d"))) == ["W2.1 cd"]


def test_two_who_have_both_dealt_first_are_dealt_by_lot() -> None:
    """D3 the deck decides, also when they play again, and neither has had the deal."""
    field = field_of(4)
    first = paired(SINGLE, field)
    assert [each.first for each in first.pairings] == ["a", "c"]
    field = won(field, first, "a", "c")
    for _ in range(3):
        (final,) = paired(SINGLE, field).pairings
        assert {final.first, final.second} == {"a", "c"}
        assert final.dealt_by_lot
        assert FirstDeals((*field.pairings, final)).balance("a") == 1
        field = field_after(
            field, Round(field.next_number, (final,)), Result(final, "draw", "played")
        )


@pytest.mark.parametrize(
    ("outcome", "reason"), [("draw", "played"), ("neither", "crash"), ("void", "aborted")]
)
def test_after_the_last_play_off_the_better_seed_goes_on(
    outcome: Outcome, reason: EndReason
) -> None:
    """Two bots that always tie, or always die, do not hold up the event for ever."""
    event = Elimination(play_offs=2)
    field = field_of(2)
    for _ in range(3):
        played = paired(event, field)
        assert who(played) == ["W1.1 ab"]
        field = field_after(
            field,
            played,
            Result(played.pairings[0], outcome, reason),
        )
    assert next_round(event, field) == Over("complete")
    assert placings(event, field) == (("a",), ("b",))


# --- who is not there ---------------------------------------------------------------------------


def test_whoever_has_left_loses_the_next_match() -> None:
    """E6 no pairing or bye names them; the opponent goes on at once."""
    field = field_of(4)
    field = stronger_wins(field, paired(SINGLE, field))
    field = with_present(field, frozenset("acd"))
    assert next_round(SINGLE, field) == Over("complete")
    assert placings(SINGLE, field) == (("a",), ("b",), ("c", "d"))


def test_a_place_that_was_lost_stays_lost() -> None:
    """E3 coming back after the pairing gives nothing back."""
    field = with_present(field_of(4), frozenset("abc"))
    played = paired(SINGLE, field)
    assert who(played) == ["W1.2 bc"]
    assert (played.byes, played.absences) == ((Bye(1, "a", "W1.1"),), (Absence(1, "d", "W1.1"),))
    field = with_present(stronger_wins(field, played), frozenset("abcd"))
    assert who(paired(SINGLE, field)) == ["W2.1 ab"]


def test_where_neither_is_there_neither_goes_on() -> None:
    field = with_present(field_of(8), frozenset("abcfgh"))
    played = paired(SINGLE, field)
    assert {each.entrant for each in played.absences} == {"d", "e"}
    field = stronger_wins(field, played)
    # a has nobody to meet in its second match, and waits for the final.
    assert paired(SINGLE, field).byes == (Bye(2, "a", "W2.1"),)


def test_the_one_who_stays_is_placed_first() -> None:
    field = field_of(4)
    field = with_present(stronger_wins(field, paired(SINGLE, field)), frozenset("b"))
    assert next_round(SINGLE, field) == Over("too_few")
    assert placings(SINGLE, field) == (("b",), ("a",), ("c", "d"))


def test_a_bracket_takes_no_late_entry() -> None:
    assert not SINGLE.late_entry
    assert not DOUBLE.late_entry


# --- played through -----------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(2, 34))
@pytest.mark.parametrize("event", [SINGLE, DOUBLE], ids=["single", "double"])
def test_everybody_but_the_winner_goes_out_by_losing(count: int, event: Elimination) -> None:
    lives = 2 if event.double else 1
    rng = random.Random(count)
    field = field_of(count)
    while isinstance(played := next_round(event, field), Round):
        results = [Result(each, rng.choice(OUTCOMES[:2]), "played") for each in played.pairings]
        names = [name for each in played.pairings for name in (each.first, each.second)]
        assert len(set(names)) == len(names)
        field = field_after(field, played, *results)
    losses = Counter(
        ({each.pairing.first, each.pairing.second} - {each.winner}).pop()
        for each in field.records
        if isinstance(each, Result)
    )
    places = placings(event, field)
    (winner,) = places[0]
    assert sorted(sum(places, ())) == sorted(field.present)
    assert all(losses[each.id] == lives for each in entrants(count) if each.id != winner)
    assert losses[winner] < lives
    assert sum(losses.values()) == lives * (count - 1) + losses[winner]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(soak(400, 40)))
def test_an_elimination_ends_whoever_leaves(seed: int) -> None:
    rng = random.Random(seed)
    event = Elimination(double=rng.random() < 0.5, play_offs=1)

    def leave(field: Field) -> frozenset[str]:
        return frozenset(
            each.id for each in field.entrants if (each.id in field.present) == (rng.random() < 0.9)
        )

    field = field_of(rng.randint(2, 33))
    last = field
    for before, played in course(event, field, rng, leave):
        assert played.named <= before.present
        assert not {each.entrant for each in played.absences} & before.present
        deals = FirstDeals((*before.pairings, *played.pairings))
        assert all(abs(deals.balance(each.id)) <= 1 for each in before.entrants)
        last = before
    assert sorted(sum(placings(event, last), ())) == sorted(each.id for each in field.entrants)
