"""Who takes part: what cannot be is refused where it is made (E6)."""

import pytest
from support_tournaments import entrants, field_of

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Bye, Entrant, Pairing, Round
from ginrummy.tournaments.errors import (
    InvalidEntryError,
    InvalidPairingError,
    InvalidResultError,
    InvalidTermsError,
    RoundNotOverError,
)
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.formats import Field, Over, next_round
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import (
    END_REASONS,
    EndReason,
    Outcome,
    Record,
    Result,
    count_reasons,
    last_words,
)
from ginrummy.tournaments.scoring import Scoring

PAIRING = Pairing(1, 1, "a", "b")


def test_nobody_meets_itself() -> None:
    with pytest.raises(InvalidPairingError, match="a cannot meet itself"):
        Pairing(1, 1, "a", "a")


@pytest.mark.parametrize(("number", "table"), [(0, 1), (1, 0)])
def test_rounds_and_tables_start_at_one(number: int, table: int) -> None:
    with pytest.raises(InvalidPairingError):
        Pairing(number, table, "a", "b")


@pytest.mark.parametrize(("name", "seed", "entered"), [("", 1, 1), ("a", 0, 1), ("a", 1, 0)])
def test_an_entrant_has_an_id_and_a_seed(name: str, seed: int, entered: int) -> None:
    with pytest.raises(InvalidEntryError):
        Entrant(name, "Anne", seed, entered)


@pytest.mark.parametrize("twin", [Entrant("a", "Anne", 3), Entrant("c", "Anne", 1)])
def test_nobody_is_entered_twice(twin: Entrant) -> None:
    with pytest.raises(InvalidEntryError):
        Field((*entrants(2), twin), frozenset())


def test_nobody_is_present_who_has_not_entered() -> None:
    with pytest.raises(InvalidEntryError, match="x, z"):
        Field(entrants(2), frozenset("azx"))


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [("draw", "crash"), ("void", "played"), ("first", "aborted"), ("neither", "resigned")],
)
def test_a_result_does_not_contradict_its_reason(outcome: Outcome, reason: EndReason) -> None:
    with pytest.raises(InvalidResultError):
        Result(PAIRING, outcome, reason)


@pytest.mark.parametrize("reason", END_REASONS)
def test_every_reason_ends_some_match(reason: EndReason) -> None:
    assert Result(PAIRING, "void" if reason == "aborted" else "second", reason).reason == reason


@pytest.mark.parametrize(
    "scoring", [{"win": 1}, {"draw": 0, "loss": 1}, {"loss": -1}, {"bye": 3}, {"bye": -1}]
)
def test_a_scoring_makes_sense(scoring: dict[str, int]) -> None:
    with pytest.raises(InvalidTermsError):
        Scoring(**scoring)


def test_a_format_makes_sense() -> None:
    with pytest.raises(InvalidTermsError):
        Swiss(0)
    with pytest.raises(InvalidTermsError):
        Gauntlet(0)
    with pytest.raises(InvalidTermsError):
        Elimination(play_offs=-1)


@pytest.mark.parametrize("event", [Swiss(3), RoundRobin(), Gauntlet(), Elimination()])
@pytest.mark.parametrize("present", ["", "c"])
def test_an_event_is_over_when_nobody_can_meet(event: Swiss, present: str) -> None:
    """E3 all withdraw, or one stays: no pairing, and no endless byes."""
    field = Field(entrants(5), frozenset(present))
    assert next_round(event, field) == Over("too_few")


@pytest.mark.parametrize("event", [Swiss(3), Elimination()])
def test_pairings_that_depend_on_results_wait_for_them(event: Swiss) -> None:
    field = field_of(4)
    played = next_round(event, field)
    assert isinstance(played, Round)
    field = Field(field.entrants, field.present, (played,))
    with pytest.raises(RoundNotOverError, match="round 1 table 1") as caught:
        next_round(event, field)
    assert (caught.value.round, caught.value.table) == (1, 1)


def test_a_later_result_is_the_last_word_on_its_match() -> None:
    crash = Result(PAIRING, "first", "crash")
    ruling = Result(PAIRING, "draw", "ruling", BySeat(5, 5))
    assert last_words([crash, ruling]) == ({(1, 1): ruling}, ())
    assert last_words([ruling, crash]) == ({(1, 1): crash}, ())


def test_a_bye_written_down_twice_is_one_bye() -> None:
    """E2 once, also after a restart."""
    assert last_words([Bye(1, "a"), Bye(1, "a"), Bye(2, "a")])[1] == (Bye(1, "a"), Bye(2, "a"))


def test_end_reasons_add_up_to_the_matches() -> None:
    """E10 each match has one end reason, whatever else happened in it."""
    other = Pairing(1, 2, "c", "d")
    records: list[Record] = [
        Result(PAIRING, "first", "time"),
        Result(other, "neither", "crash"),
        Bye(1, "e"),
        Result(PAIRING, "first", "crash"),
    ]
    counts = count_reasons(records)
    assert sum(counts.values()) == 2
    assert (counts["crash"], counts["time"]) == (2, 0)
