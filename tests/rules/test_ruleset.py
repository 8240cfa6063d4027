"""Rulesets: the presets as the rules' table has them, and what is refused."""

from collections.abc import Mapping

import msgspec
import pytest

from ginrummy.rules.errors import InvalidRulesetError, RulesError
from ginrummy.rules.ruleset import PRESETS, Ruleset, make_ruleset

TABLE = """
field                  standard   classic  straight   oklahoma  eaai
knock_limit            10         10       0          10        10
gin_only               no         no       yes        no        no
oklahoma               no         no       no         yes       no
spades_double          no         no       no         no        no
run_max                5          none     none       none      none
may_return_taken_card  yes        no       no         no        no
gin_bonus              25         20       25         25        25
undercut_bonus         25         10       25         25        25
big_gin                no         no       no         yes       no
big_gin_bonus          31         31       31         31        31
stock_floor            2          2        2          2         2
max_discard_draws      50         50       50         50        50
next_dealer            alternate  loser    alternate  loser     alternate
target                 100        100      100        150       100
hands                  none       none     none       none      none
game_bonus             100        100      100        100       0
box_bonus              25         20       25         25        0
shutout_doubles        yes        yes      yes        yes       no
"""

POINTS = ["gin_bonus", "undercut_bonus", "big_gin_bonus", "game_bonus", "box_bonus"]


def written(value: object) -> str:
    """Write a field's value as the table does."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def refused_field(changes: Mapping[str, object], preset: str = "standard") -> str:
    """Return the field for which a ruleset is refused."""
    with pytest.raises(InvalidRulesetError) as refused:
        make_ruleset(preset, changes)
    assert refused.value.why
    assert str(refused.value) == f"{refused.value.field}: {refused.value.why}"
    return refused.value.field


def test_every_preset_has_the_values_of_the_table() -> None:
    """The table under "Presets", field by field."""
    head, *lines = (line.split() for line in TABLE.strip().splitlines())
    assert head[1:] == list(PRESETS)
    assert [field for field, *_ in lines] == list(Ruleset.__struct_fields__)
    for field, *values in lines:
        assert [written(getattr(rules, field)) for rules in PRESETS.values()] == values, field


def test_standard_is_the_default() -> None:
    assert Ruleset() == make_ruleset() == PRESETS["standard"]


def test_a_preset_can_be_changed_field_by_field() -> None:
    changed = make_ruleset("classic", {"target": 250, "run_max": 5, "hands": None})
    assert changed == msgspec.structs.replace(PRESETS["classic"], target=250, run_max=5)
    assert PRESETS["classic"].target == 100


def test_a_ruleset_is_stored_with_every_field() -> None:
    for rules in PRESETS.values():
        stored = msgspec.json.encode(rules)
        assert list(msgspec.json.decode(stored)) == list(Ruleset.__struct_fields__)
        assert msgspec.json.decode(stored, type=Ruleset) == rules


@pytest.mark.parametrize(
    ("field", "lowest", "highest"),
    [
        ("knock_limit", 0, 10),
        ("run_max", 5, 13),
        ("stock_floor", 0, 31),
        ("max_discard_draws", 1, 1_000_000),
        ("target", 1, 1_000_000),
        ("hands", 1, 1000),
        *((field, 0, 1_000_000) for field in POINTS),
    ],
)
def test_a_number_out_of_range_is_refused_by_name(field: str, lowest: int, highest: int) -> None:
    for value in (lowest, highest):
        assert getattr(make_ruleset(changes={field: value}), field) == value
    for wrong in (lowest - 1, highest + 1, -1, 1.5, float(lowest), "10", True):
        assert refused_field({field: wrong}) == field


@pytest.mark.parametrize(
    "field",
    [field for field in Ruleset.__struct_fields__ if field not in {"run_max", "hands"}],
)
def test_none_is_refused_where_a_value_has_to_be(field: str) -> None:
    assert refused_field({field: None}) == field


@pytest.mark.parametrize(
    "field",
    [
        "gin_only",
        "oklahoma",
        "spades_double",
        "may_return_taken_card",
        "big_gin",
        "shutout_doubles",
    ],
)
def test_a_choice_that_is_neither_yes_nor_no_is_refused_by_name(field: str) -> None:
    for wrong in (1, 0, "yes"):
        assert refused_field({field: wrong}) == field


def test_a_cap_under_which_runs_of_four_or_five_cannot_be_laid_down_is_refused() -> None:
    """M2: the cap never changes a hand's least deadwood."""
    assert [refused_field({"run_max": cap}) for cap in (3, 4)] == ["run_max", "run_max"]


def test_an_unknown_next_dealer_is_refused() -> None:
    """D3"""
    assert refused_field({"next_dealer": "youngest"}) == "next_dealer"
    for known in ("alternate", "loser", "winner"):
        assert make_ruleset(changes={"next_dealer": known}).next_dealer == known


def test_an_unknown_field_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InvalidRulesetError, match="knock_limit, gin_only") as refused:
        make_ruleset(changes={"hand_size": 26})
    assert refused.value.field == "hand_size"


def test_an_unknown_preset_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InvalidRulesetError, match="standard, classic, straight") as refused:
        make_ruleset("hollywood")
    assert refused.value.field == "preset"


def test_fields_that_contradict_each_other_are_refused() -> None:
    """K6"""
    assert refused_field({"gin_only": True}, "oklahoma") == "gin_only"
    assert refused_field({"knock_limit": 5}, "oklahoma") == "knock_limit"


def test_a_spade_can_double_under_any_knock_limit() -> None:
    """K6"""
    assert make_ruleset("classic", {"spades_double": True}).spades_double


def test_a_stored_ruleset_is_checked_when_it_is_read() -> None:
    with pytest.raises(InvalidRulesetError, match="target"):
        msgspec.json.decode(b'{"target":0}', type=Ruleset)
    with pytest.raises(msgspec.ValidationError, match="hand_size"):
        msgspec.json.decode(b'{"hand_size":26}', type=Ruleset)


def test_a_refused_ruleset_is_a_refusal_of_the_rules() -> None:
    assert issubclass(InvalidRulesetError, RulesError)
