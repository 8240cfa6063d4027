"""The ruleset: every choice that the rules leave open, as one checked value (rules.md, Presets)."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from ginrummy.rules.errors import InvalidRulesetError

__all__ = ["PRESETS", "NextDealer", "Ruleset", "make_ruleset"]

NextDealer: TypeAlias = Literal["alternate", "loser", "winner"]
"""Who deals after a scored hand (D3). After a void one the same dealer deals again (T3)."""


class Ruleset(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """The rules of one match. The defaults are the preset `standard`.

    A match stores every field, so a later change of a preset changes no old match. Raises
    InvalidRulesetError, naming the field, where a value cannot be.
    """

    knock_limit: int = 10
    """Most deadwood that a knock may leave, 0 to 10 points (K1)."""
    gin_only: bool = False
    """Only gin ends a hand (K6); the knock limit then has no effect."""
    oklahoma: bool = False
    """The upcard's value is the hand's knock limit; an ace means gin only (K6)."""
    spades_double: bool = False
    """A spade upcard doubles the hand's score, under any knock limit (K6)."""
    run_max: int | None = 5
    """Most cards in one laid-down run, 5 or more; None for no cap (M2)."""
    may_return_taken_card: bool = True
    """A card taken from the discard pile may be discarded in the same turn (T2)."""
    gin_bonus: int = 25
    """Points for gin beside the opponent's deadwood (S3)."""
    undercut_bonus: int = 25
    """Points for an undercut beside the difference (S2)."""
    big_gin: bool = False
    """Eleven melded cards may be laid down as big gin (K5)."""
    big_gin_bonus: int = 31
    """Points for big gin, in place of `gin_bonus` (S3)."""
    stock_floor: int = 2
    """A turn that would start with this many stock cards or fewer voids the hand (T3)."""
    max_discard_draws: int = 50
    """Draws from the discard pile after which the next turn voids the hand (T4)."""
    next_dealer: NextDealer = "alternate"
    """Who deals next (D3)."""
    target: int = 100
    """Hand points that end the match (X1)."""
    hands: int | None = None
    """Play this many scored hands instead of to `target`; None for to `target` (X1)."""
    game_bonus: int = 100
    """Points for winning a match to `target` (X2)."""
    box_bonus: int = 25
    """Points a hand won, added after a match to `target` (X2)."""
    shutout_doubles: bool = True
    """The winner's points and game bonus double where the loser won no hand (X2)."""

    def __post_init__(self) -> None:
        for field, lowest, highest in _RANGES:
            value = getattr(self, field)
            if value is None and field in _MAY_BE_NONE:
                continue
            if (
                isinstance(value, bool)
                or not isinstance(value, int)
                or not lowest <= value <= highest
            ):
                raise InvalidRulesetError(
                    field, f"{value!r} is not a whole number from {lowest} to {highest}"
                )
        if self.next_dealer not in ("alternate", "loser", "winner"):
            raise InvalidRulesetError(
                "next_dealer", f"{self.next_dealer!r} is none of alternate, loser, winner"
            )
        if self.oklahoma and self.gin_only:
            raise InvalidRulesetError(
                "gin_only", "contradicts oklahoma, where the upcard sets the knock limit (K6)"
            )
        if self.oklahoma and self.knock_limit != 10:
            raise InvalidRulesetError(
                "knock_limit", "must stay 10 with oklahoma, where the upcard sets the limit (K6)"
            )


_POINTS = 1_000_000
"""More than any match can need, and small enough for every client's integers."""

_MAY_BE_NONE = ("run_max", "hands")

_RANGES: tuple[tuple[str, int, int], ...] = (
    ("knock_limit", 0, 10),
    # With a lower cap a sequence of four or five could not be laid down whole, so the cap would
    # change a hand's least deadwood, which it never does (M2).
    ("run_max", 5, 13),
    ("gin_bonus", 0, _POINTS),
    ("undercut_bonus", 0, _POINTS),
    ("big_gin_bonus", 0, _POINTS),
    ("stock_floor", 0, 31),
    ("max_discard_draws", 1, _POINTS),
    ("target", 1, _POINTS),
    ("hands", 1, 1000),
    ("game_bonus", 0, _POINTS),
    ("box_bonus", 0, _POINTS),
)

PRESETS: Mapping[str, Ruleset] = {
    "standard": Ruleset(),
    "classic": Ruleset(
        run_max=None,
        may_return_taken_card=False,
        gin_bonus=20,
        undercut_bonus=10,
        next_dealer="loser",
        box_bonus=20,
    ),
    "straight": Ruleset(knock_limit=0, gin_only=True, run_max=None, may_return_taken_card=False),
    "oklahoma": Ruleset(
        run_max=None,
        oklahoma=True,
        may_return_taken_card=False,
        big_gin=True,
        next_dealer="loser",
        target=150,
    ),
    "eaai": Ruleset(
        run_max=None,
        may_return_taken_card=False,
        game_bonus=0,
        box_bonus=0,
        shutout_doubles=False,
    ),
}
"""The named rulesets of rules.md."""


def make_ruleset(preset: str = "standard", changes: Mapping[str, Any] | None = None) -> Ruleset:
    """Return a preset with some fields changed: `make_ruleset("classic", {"target": 250})`.

    Raises InvalidRulesetError for an unknown preset, an unknown field or a value that cannot be.
    """
    base = PRESETS.get(preset)
    if base is None:
        raise InvalidRulesetError("preset", f"{preset!r} is none of {', '.join(PRESETS)}")
    fields = msgspec.structs.asdict(base)
    for field, value in (changes or {}).items():
        if field not in fields:
            raise InvalidRulesetError(field, f"no such field; there are {', '.join(fields)}")
        if isinstance(fields[field], bool) and not isinstance(value, bool):
            raise InvalidRulesetError(field, f"{value!r} is neither true nor false")
        fields[field] = value
    return Ruleset(**fields)
