"""Swiss events: by hand, and played through many times beside an exact check."""

import random
from collections import Counter
from math import ceil, log2

import pytest
from support_outlook import least_ahead, rounds_as_good
from support_pairing import Past, after, ahead, least, lower_byes, paid
from support_play import soak
from support_tournaments import (
    course,
    eventful,
    field_after,
    field_of,
    stronger_wins,
    with_present,
    won_by,
)

from ginrummy.tournaments.entrants import Bye, Entrant, Pairing, Round
from ginrummy.tournaments.pairing.first_deals import FirstDeals
from ginrummy.tournaments.pairing.formats import Field, Over, next_round
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import Result
from ginrummy.tournaments.standings import standings


def paired(event: Swiss, field: Field) -> Round:
    played = next_round(event, field)
    assert isinstance(played, Round)
    return played


def who(played: Round) -> list[str]:
    return ["".join(sorted((each.first, each.second))) for each in played.pairings]


# --- by hand ------------------------------------------------------------------------------------


def test_the_upper_half_meets_the_lower_half() -> None:
    """Round 1 of eight: 1-5, 2-6, 3-7, 4-8, with the first deal now above and now below."""
    played = paired(Swiss(3), field_of(8))
    assert [each.first + each.second for each in played.pairings] == ["ae", "fb", "cg", "hd"]


def test_winners_meet_winners() -> None:
    """Where the better seeds win. After round 1 neither a and c nor b and d may meet: both had
    the same first deals."""
    field = field_of(8)
    event = Swiss(3)
    field = stronger_wins(field, paired(event, field))
    assert who(paired(event, field)) == ["ab", "cd", "ef", "gh"]
    field = stronger_wins(field, paired(event, field))
    assert who(paired(event, field)) == ["ac", "be", "dg", "fh"]
    field = stronger_wins(field, paired(event, field))
    assert next_round(event, field) == Over("complete")
    scores = [row.score for row in standings(field.entrants, field.records).rows]
    assert scores == [6, 4, 4, 4, 2, 2, 2, 0]


def test_a_first_deal_goes_to_who_has_had_fewer() -> None:
    field = field_of(4)
    event = Swiss(3)
    one = paired(event, field)
    assert [(each.first, each.second) for each in one.pairings] == [("a", "c"), ("d", "b")]
    field = field_after(field, one, *(won_by(each, each.first) for each in one.pairings))
    # The winners a and d both dealt first, and so did neither loser: somebody has to give way.
    two = paired(event, field)
    assert who(two) == ["ab", "cd"]
    assert {each.second for each in two.pairings} == {"a", "d"}


def test_three_players_have_one_bye_each() -> None:
    """E2, E4 the bye is worth a win, once, and no points of the game."""
    field = field_of(3)
    event = Swiss(3)
    first = paired(event, field)
    assert first == Round(1, (Pairing(1, 1, "a", "b"),), (Bye(1, "c"),))
    after = field_after(field, first, won_by(first.pairings[0], "a", 37))
    rows = {row.entrant: row for row in standings(after.entrants, after.records).rows}
    assert (rows["c"].score, rows["c"].points, rows["c"].matches) == (2, 0, 0)
    again = standings(after.entrants, (*after.records, *first.byes))
    assert again == standings(after.entrants, after.records)
    byes = [bye.entrant for _, each in course(event, field, random.Random(1)) for bye in each.byes]
    assert sorted(byes) == ["a", "b", "c"]


def test_a_rematch_is_made_only_where_it_must_be() -> None:
    rounds = [played for _, played in course(Swiss(5), field_of(2), random.Random(0))]
    assert [who(each) for each in rounds] == [["ab"]] * 5
    assert [each.pairings[0].first for each in rounds] == ["a", "b", "a", "b", "a"]


def test_a_bye_goes_to_the_lowest_score_even_where_a_match_is_dealt_by_lot_for_it() -> None:
    """E1 of b, c and d, neither b nor c has dealt first yet, and only d has met b."""
    field = field_of(4)
    event = Swiss(4)
    field = stronger_wins(field, paired(event, field))
    second = paired(event, with_present(field, frozenset("bcd")))
    assert second.pairings == (Pairing(2, 1, "b", "c", dealt_by_lot=True),)
    assert second.byes == (Bye(2, "d"),)


def test_a_bye_goes_to_a_higher_score_where_a_rematch_can_be_avoided_by_it() -> None:
    """E1 a and c have met, so that the late entry below them cannot sit out."""
    field = field_of(4)
    event = Swiss(4)
    first = paired(event, field)
    field = field_after(field, first, *(Result(each, "draw", "played") for each in first.pairings))
    late = Entrant("z", "Zoe", 5, entered=2)
    field = Field((*field.entrants, late), frozenset("acz"), field.rounds, field.records)
    second = paired(event, field)
    assert (who(second), second.byes) == (["az"], (Bye(2, "c"),))


def test_a_late_entry_is_paired_from_then_on() -> None:
    field = field_of(4)
    event = Swiss(3)
    field = stronger_wins(field, paired(event, field))
    late = Entrant("z", "Zoe", 5, entered=2)
    field = Field((*field.entrants, late), field.present | {"z"}, field.rounds, field.records)
    assert event.late_entry
    played = paired(event, field)
    assert played.named == field.present
    # With no score it is among the last, and with the lowest seed it is the one to sit out.
    assert played.byes == (Bye(2, "z"),)


def test_the_order_in_which_entrants_are_listed_makes_no_difference() -> None:
    """The same input gives the same round, whatever it is stored in."""
    rng = random.Random(5)
    for field, played in course(Swiss(4), field_of(9), rng):
        shuffled = list(field.entrants)
        rng.shuffle(shuffled)
        other = Field(
            tuple(shuffled), frozenset(sorted(field.present)), field.rounds, field.records
        )
        assert next_round(Swiss(4), other) == played


# --- first deals --------------------------------------------------------------------------------


def test_a_match_is_dealt_by_lot_where_either_would_have_one_first_deal_too_many() -> None:
    """D3 of four, two who have both dealt first are left over, so the deck decides between them."""
    field = field_of(4)
    event = Swiss(4)
    first = paired(event, field)
    assert [(each.first, each.second) for each in first.pairings] == [("a", "c"), ("d", "b")]
    field = with_present(stronger_wins(field, first), frozenset("ad"))
    second = paired(event, field)
    assert second.pairings == (Pairing(2, 1, "a", "d", dealt_by_lot=True),)
    # It counts for neither: each of them still has one first deal more than not.
    field = with_present(stronger_wins(field, second), frozenset("abcd"))
    third = paired(event, field)
    assert who(third) == ["ab", "cd"]
    assert {each.second for each in third.pairings} == {"a", "d"}
    assert not any(each.dealt_by_lot for each in third.pairings)


def test_first_deals_are_laid_so_that_the_next_round_can_be_paired() -> None:
    """Of six, who have met twice: who deals first in round 3 decides about round 4."""
    rounds = [played for _, played in course(Swiss(5), field_of(6), random.Random(2))]
    pairs = [pair for played in rounds for pair in who(played)]
    assert len(set(pairs)) == len(pairs) == 15
    assert not any(each.dealt_by_lot for played in rounds for each in played.pairings)


@pytest.mark.soak
@pytest.mark.parametrize(("count", "rounds"), [(5, 5), (6, 5), (8, 7)])
def test_so_few_that_all_meet_all_meet_once(count: int, rounds: int) -> None:
    """Where one round ahead is far enough to see: nobody meets twice before everybody has met."""
    for seed in range(soak(200, 20)):
        met = Counter(
            pair
            for _, played in course(Swiss(rounds), field_of(count), random.Random(seed))
            for pair in who(played)
        )
        assert met == dict.fromkeys(met, 1)
        assert len(met) == count * (count - 1) // 2


def test_nothing_is_dealt_by_lot_where_everybody_stays() -> None:
    """With as many rounds as find a winner, in every field of 8 to 33 that nobody leaves."""
    for count in range(8, 34):
        field = field_of(count)
        for before, played in course(Swiss(ceil(log2(count))), field, random.Random(count)):
            assert not any(each.dealt_by_lot for each in played.pairings)
            deals = FirstDeals((*before.pairings, *played.pairings))
            assert all(abs(deals.balance(each.id)) <= 1 for each in field.entrants)


# --- who is not there ---------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", range(4))
@pytest.mark.parametrize("present", ["", "a", "e"])
def test_who_is_alone_has_neither_a_match_nor_a_bye(rounds: int, present: str) -> None:
    """E3 all withdraw, or all but one: the event ends, at any point."""
    field = field_of(5)
    for _ in range(rounds):
        field = stronger_wins(field, paired(Swiss(9), field))
    field = with_present(field, frozenset(present))
    assert next_round(Swiss(9), field) == Over("too_few")


def test_leaving_before_every_pairing_and_coming_back_after_it_is_worth_nothing() -> None:
    """E3 a round that one was not there for gives no credit."""
    field = field_of(6)
    event = Swiss(4)
    field = with_present(field, field.present - {"f"})
    for _ in range(4):
        played = paired(event, field)
        assert "f" not in played.named
        field = with_present(stronger_wins(field, played), field.present | {"f"})
        field = with_present(field, field.present - {"f"})
    rows = {row.entrant: row for row in standings(field.entrants, field.records).rows}
    assert (rows["f"].score, rows["f"].byes, rows["f"].matches) == (0, 0, 0)


def test_who_comes_back_meets_whom_one_has_not_met() -> None:
    """E3 a was away for a round, and it has the score of before."""
    field = field_of(4)
    event = Swiss(4)
    field = stronger_wins(field, paired(event, field))
    second = paired(event, with_present(field, frozenset("bcd")))
    assert (who(second), second.byes) == (["bc"], (Bye(2, "d"),))
    field = with_present(stronger_wins(field, second), frozenset("abcd"))
    assert who(paired(event, field)) == ["ab", "cd"]
    scores = {row.entrant: row.score for row in standings(field.entrants, field.records).rows}
    assert scores == {"a": 2, "b": 4, "c": 0, "d": 2}


# --- played through -----------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(soak(1000, 40)))
def test_events_are_paired_as_well_as_can_be(seed: int) -> None:
    """No avoidable rematch, no second bye before all had one, first deals within one.

    E1 the bye goes to the lowest score that can have it with no rematch that can be avoided.

    5 to 33 enter, for 3 to 9 rounds; some leave between rounds, come back, or come late.
    """
    for field, played, _, all_stay in eventful(seed):
        past = Past(field)
        names = [name for each in played.pairings for name in (each.first, each.second)]
        names += [bye.entrant for bye in played.byes]
        assert sorted(names) == sorted(field.present)
        assert len(played.byes) == len(field.present) % 2
        assert {bye.entrant for bye in played.byes} <= set(past.eligible(field.present))
        assert not lower_byes(past, field.present, played)
        assert paid(past, played) == least(past, field.present)
        for each in played.pairings:
            assert each.dealt_by_lot == past.apart(each.first, each.second)
            # With an odd number a lot may be the price of the bye's score.
            assert not (each.dealt_by_lot and all_stay and not played.byes)
        lead = after(field, played.pairings).lead
        assert all(abs(lead[each.id]) <= 1 for each in field.entrants)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(soak(200, 10)))
def test_credit_is_what_was_won_and_one_win_for_each_bye(seed: int) -> None:
    """E2, E3 also where entrants leave, come back and come late: absence is worth 0."""
    for field, _, _, _ in eventful(seed):
        past = Past(field)
        rows = standings(field.entrants, field.records).rows
        assert {row.entrant: (row.score, row.byes) for row in rows} == {
            each.id: (past.score[each.id], past.byes[each.id]) for each in field.entrants
        }
        in_it = Counter(name for each in field.rounds for name in each.named)
        assert all(row.score <= 2 * in_it[row.entrant] for row in rows)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(soak(1000, 20)))
def test_each_round_leaves_as_much_as_can_be_for_the_next(seed: int) -> None:
    """Whoever deals first; and in a field of up to eight whichever way it is paired as well."""
    for field, played, is_last, _ in eventful(seed):
        if is_last:
            break
        cost = ahead(after(field, played.pairings, played.byes), field.present)
        if cost:
            assert cost == least_ahead(field, played.pairings, played.byes)
        if cost and len(field.present) <= 8:
            others = (least_ahead(field, *other) for other in rounds_as_good(field, played))
            assert cost == min(others)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(10))
def test_five_players_and_five_rounds(block: int) -> None:
    """E1 nobody has two byes before all had one, and each goes to the lowest score that can."""
    share = soak(1000, 40) // 10
    for seed in range(block * share, (block + 1) * share):
        byes: Counter[str] = Counter()
        for field, played in course(Swiss(5), field_of(5), random.Random(seed)):
            assert not lower_byes(Past(field), field.present, played)
            byes.update(bye.entrant for bye in played.byes)
        assert byes == dict.fromkeys("abcde", 1)


def test_a_match_that_is_void_is_still_a_meeting() -> None:
    field = field_of(4)
    event = Swiss(3)
    first = paired(event, field)
    field = field_after(field, first, *(Result(p, "void", "aborted") for p in first.pairings))
    assert not set(who(paired(event, field))) & set(who(first))
