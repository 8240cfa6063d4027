"""Ratings of people over many events, match by match, by OpenSkill's Plackett-Luce model.

People learn and come back after months, so that the order of their matches counts and old results
fade: unlike a bot, whose strength is one number for all of an event (`ratings`).
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec
from openskill.models import PlackettLuce

__all__ = ["Encounter", "Skill", "rate_people"]

_NOBODY: Mapping[str, "Skill"] = MappingProxyType({})


class Skill(msgspec.Struct, frozen=True):
    """What is known of a person's strength: a mean and a standard deviation.

    The default is a newcomer's.
    """

    mu: float = 25.0
    sigma: float = 25 / 3

    @property
    def floor(self) -> float:
        """The strength that is as good as certain, three deviations below the mean: to rank by."""
        return self.mu - 3 * self.sigma


class Encounter(msgspec.Struct, frozen=True):
    """A finished match of two people, with the points of each, whatever they are counted in."""

    one: str
    two: str
    points_one: float
    points_two: float


def rate_people(
    encounters: Iterable[Encounter], known: Mapping[str, Skill] = _NOBODY
) -> dict[str, Skill]:
    """Return everybody's skill after `encounters`, which are in the order they were finished.

    `known` is what was known before; who is not in it is a newcomer. Only who had more points
    counts, not by how much. Raises ValueError for somebody who meets themselves.
    """
    model = PlackettLuce()
    skills = dict(known)
    for match in encounters:
        if match.one == match.two:
            raise ValueError("nobody meets themselves")
        before = [skills.get(name, Skill()) for name in (match.one, match.two)]
        teams = [[model.create_rating([skill.mu, skill.sigma])] for skill in before]
        after = model.rate(teams, scores=[match.points_one, match.points_two])
        for name, (rated,) in zip((match.one, match.two), after, strict=True):
            skills[name] = Skill(rated.mu, rated.sigma)
    return skills
