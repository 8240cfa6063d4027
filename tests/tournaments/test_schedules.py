"""Round robins and gauntlets: each pair, each bye and the first deals (E4 to E6)."""

import random
from collections import Counter

import pytest
from support_tournaments import course, field_of, stronger_wins, with_present

from ginrummy.tournaments.entrants import Pairing, Round
from ginrummy.tournaments.pairing.formats import Field, Format, Over, next_round
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.round_robin import RoundRobin


def rounds_of(event: Format, field: Field) -> list[Round]:
    return [played for _field, played in course(event, field, random.Random(0))]


def pairs(rounds: list[Round]) -> Counter[frozenset[str]]:
    return Counter(frozenset((each.first, each.second)) for each in tables(rounds))


def tables(rounds: list[Round]) -> list[Pairing]:
    return [each for played in rounds for each in played.pairings]


@pytest.mark.parametrize(
    ("count", "rounds", "matches"), [(2, 1, 1), (3, 3, 3), (4, 3, 6), (5, 5, 10), (6, 5, 15)]
)
def test_a_round_robin_has_every_pair_once(count: int, rounds: int, matches: int) -> None:
    """E4 5 rounds and 10 matches for 5; 2: 1 match; 3: 3 rounds."""
    played = rounds_of(RoundRobin(), field_of(count))
    assert [each.number for each in played] == list(range(1, rounds + 1))
    assert len(pairs(played)) == matches
    assert set(pairs(played).values()) == {1}


@pytest.mark.parametrize("count", range(2, 34))
@pytest.mark.parametrize("double", [False, True])
def test_a_round_robin_is_complete_and_fair(count: int, double: bool) -> None:  # noqa: FBT001
    """E4, E5: everybody once a round; each pair, each bye, and first deals in half the matches."""
    field = field_of(count)
    played = rounds_of(RoundRobin(double=double), field)
    times = 2 if double else 1
    assert len(pairs(played)) == count * (count - 1) // 2
    assert set(pairs(played).values()) == {times}
    for each in played:
        named = Counter(
            [name for p in each.pairings for name in (p.first, p.second)]
            + [bye.entrant for bye in each.byes]
        )
        assert named == Counter(field.present)
        assert [p.table for p in each.pairings] == list(range(1, count // 2 + 1))
    byes = Counter(bye.entrant for each in played for bye in each.byes)
    assert byes == (dict.fromkeys(field.present, times) if count % 2 else {})
    firsts = Counter(each.first for each in tables(played))
    seconds = Counter(each.second for each in tables(played))
    apart = {abs(firsts[each] - seconds[each]) for each in field.present}
    assert apart == ({0} if double or count % 2 else {1})
    if double:
        assert set(Counter((each.first, each.second) for each in tables(played)).values()) == {1}


def test_a_round_robin_of_six_by_hand() -> None:
    """Berger's table for six, as printed: 1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, ..."""
    played = rounds_of(RoundRobin(), field_of(6))
    assert [{each.first + each.second for each in one.pairings} for one in played] == [
        {"af", "be", "cd"},
        {"fd", "ec", "ab"},
        {"bf", "ca", "de"},
        {"fe", "ad", "bc"},
        {"cf", "db", "ea"},
    ]


def test_whoever_is_removed_is_named_no_more() -> None:
    """E6 one of five is removed after round 2: those it would have met have a bye."""
    field = field_of(5)
    for _ in range(2):
        played = next_round(RoundRobin(), field)
        assert isinstance(played, Round)
        field = stronger_wins(field, played)
    met = {frozenset((p.first, p.second)) for each in field.rounds for p in each.pairings}
    rest = rounds_of(RoundRobin(), with_present(field, field.present - {"c"}))
    assert not any("c" in each.named for each in rest)
    assert all(each.named == field.present - {"c"} for each in rest)
    assert len(met | set(pairs(rest))) == 10 - (4 - sum("c" in pair for pair in met))


def test_a_round_in_which_nobody_can_meet_is_passed_over() -> None:
    field = with_present(field_of(4), frozenset("ab"))
    (only,) = rounds_of(RoundRobin(), field)
    assert (only.number, only.named) == (2, frozenset("ab"))


def test_schedules_take_no_late_entry_and_do_not_wait() -> None:
    field = field_of(4)
    for event in (RoundRobin(), Gauntlet()):
        assert not event.late_entry
        first = next_round(event, field)
        assert isinstance(first, Round)
        second = next_round(event, Field(field.entrants, field.present, (first,)))
        assert isinstance(second, Round)
        assert second.number == 2


@pytest.mark.parametrize("count", [2, 3, 5, 8])
@pytest.mark.parametrize("challengers", [1, 2, 3])
@pytest.mark.parametrize("double", [False, True])
def test_a_gauntlet_is_the_challengers_against_the_rest(
    count: int,
    challengers: int,
    double: bool,  # noqa: FBT001
) -> None:
    field = field_of(count)
    played = rounds_of(Gauntlet(challengers, double=double), field)
    front, rest = field.starters[:challengers], field.starters[challengers:]
    times = 2 if double else 1
    assert pairs(played) == {frozenset((one, two)): times for one in front for two in rest}
    firsts, seconds = (
        Counter(each.first for each in tables(played)),
        Counter(each.second for each in tables(played)),
    )
    assert all(abs(firsts[each] - seconds[each]) <= 2 - times for each in field.present)
    for each in played:
        names = [name for p in each.pairings for name in (p.first, p.second)]
        assert len(set(names)) == len(names)
        assert not each.byes


def test_a_gauntlet_goes_on_without_those_who_left() -> None:
    field = with_present(field_of(4), frozenset("acd"))
    assert pairs(rounds_of(Gauntlet(), field)) == {frozenset("ac"): 1, frozenset("ad"): 1}
    assert next_round(Gauntlet(), with_present(field, frozenset("cd"))) == Over("complete")
