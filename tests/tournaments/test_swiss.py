"""Swiss events: by hand, and played through many times beside an exact check."""

import random
from collections import Counter
from math import ceil, log2

import pytest
from support_pairing import Past, least, paid
from support_play import soak
from support_tournaments import course, field_after, field_of, stronger_wins, won_by

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


def test_leaving_before_a_pairing_and_coming_back_after_it_is_worth_nothing() -> None:
    """E3 a round that one was not there for gives no credit."""
    field = field_of(6)
    event = Swiss(4)
    field = Field(field.entrants, field.present - {"f"})
    for _ in range(4):
        played = paired(event, field)
        assert "f" not in played.named
        field = stronger_wins(field, played)
    rows = {row.entrant: row for row in standings(field.entrants, field.records).rows}
    assert (rows["f"].score, rows["f"].byes, rows["f"].matches) == (0, 0, 0)


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


# --- played through -----------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(soak(1000, 40)))
def test_events_are_paired_as_well_as_can_be(seed: int) -> None:
    """No avoidable rematch, no second bye before all had one, first deals within one."""
    rng = random.Random(seed)
    count = rng.randint(5, 33)
    leaving = rng.choice((0.0, 0.03, 0.1))
    rounds = ceil(log2(count)) + rng.randint(0, 2)

    def leave(field: Field) -> frozenset[str]:
        # Some go, and of those who are away some come back.
        return frozenset(
            each.id
            for each in field.entrants
            if (each.id in field.present) == (rng.random() >= leaving)
        )

    for field, played in course(Swiss(rounds), field_of(count), rng, leave):
        assert played.named == field.present
        assert len(played.byes) == len(field.present) % 2
        past = Past(field)
        for bye in played.byes:
            assert bye.entrant in past.eligible(field.present)
        assert paid(past, played) == least(past, field.present)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(10))
def test_five_players_and_five_rounds(block: int) -> None:
    """E1 nobody has two byes before all had one."""
    share = soak(1000, 40) // 10
    for seed in range(block * share, (block + 1) * share):
        byes: Counter[str] = Counter()
        for _, played in course(Swiss(5), field_of(5), random.Random(seed)):
            byes.update(bye.entrant for bye in played.byes)
        assert byes == dict.fromkeys("abcde", 1)


def test_first_deals_stay_within_one_where_everybody_stays() -> None:
    """With as many rounds as find a winner, in every field of 8 to 33 that nobody leaves."""
    for count in range(8, 34):
        field = field_of(count)
        for before, played in course(Swiss(ceil(log2(count))), field, random.Random(count)):
            deals = FirstDeals((*before.pairings, *played.pairings))
            assert all(abs(deals.balance(each.id)) <= 1 for each in field.entrants)


def test_a_match_that_is_void_is_still_a_meeting() -> None:
    field = field_of(4)
    event = Swiss(3)
    first = paired(event, field)
    field = field_after(field, first, *(Result(p, "void", "aborted") for p in first.pairings))
    assert not set(who(paired(event, field))) & set(who(first))
