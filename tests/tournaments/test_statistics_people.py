"""People's skills over many matches."""

import math
import random

import pytest

from ginrummy.tournaments.statistics.people import Encounter, Skill, rate_people


def test_a_match_moves_both_as_published() -> None:
    """Algorithm 4 of Weng and Lin (2011) for two, written out; 25/300 is what fades in between."""
    ann, bob = Skill(27, 5), Skill(24, 3)
    ann_square, bob_square = (skill.sigma**2 + (25 / 300) ** 2 for skill in (ann, bob))
    c = math.sqrt(ann_square + bob_square + 2 * (25 / 6) ** 2)
    p = 1 / (1 + math.exp((bob.mu - ann.mu) / c))

    def narrowed(square: float) -> float:
        return math.sqrt(square * (1 - (math.sqrt(square) / c) ** 3 * p * (1 - p)))

    skills = rate_people([Encounter("ann", "bob", 112, 87)], {"ann": ann, "bob": bob})
    assert (skills["ann"].mu, skills["ann"].sigma) == pytest.approx(
        (ann.mu + ann_square / c * (1 - p), narrowed(ann_square))
    )
    assert (skills["bob"].mu, skills["bob"].sigma) == pytest.approx(
        (bob.mu - bob_square / c * (1 - p), narrowed(bob_square))
    )


def test_only_who_won_counts() -> None:
    narrow, wide = (rate_people([Encounter("ann", "bob", points, 0)]) for points in (1, 300))
    assert narrow == wide
    drawn = rate_people([Encounter("ann", "bob", 50, 50)])
    assert drawn["ann"] == drawn["bob"]


def test_events_add_up_one_after_the_other() -> None:
    """What is known after one event and the next one's matches give the same as both at once."""
    rng = random.Random(5)
    matches = [
        Encounter(one, two, rng.randint(0, 9), rng.randint(0, 9))
        for one, two in (rng.sample(("ann", "bob", "cy", "di"), 2) for _ in range(40))
    ]
    assert rate_people(matches[25:], rate_people(matches[:25])) == rate_people(matches)


def test_the_stronger_comes_to_stand_higher_and_surer() -> None:
    rng = random.Random(6)
    matches = [Encounter("ann", "bob", rng.random() + 0.2, rng.random()) for _ in range(60)]
    skills = rate_people(matches)
    assert skills["ann"].floor > skills["bob"].floor
    assert max(skill.sigma for skill in skills.values()) < Skill().sigma / 2


def test_nobody_meets_themselves() -> None:
    with pytest.raises(ValueError, match="nobody meets themselves"):
        rate_people([Encounter("ann", "ann", 1, 0)])
