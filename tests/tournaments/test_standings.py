"""Standings: credits, forfeits, byes, and each tie-break by hand or from print."""

import random

import pytest
from support_tournaments import course, entrants, field_of, won_by

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Bye, Entrant, Pairing
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.lots import draw_lots, lots_commitment
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import FORFEITS, Record, Result
from ginrummy.tournaments.scoring import Scoring, scores
from ginrummy.tournaments.standings import Standing, Terms, standings
from ginrummy.tournaments.tie_breaks import TieBreak


def records_of(*rounds: str) -> tuple[Record, ...]:
    """Return the records of rounds such as `"a>b c=d e"`: a beat b, c and d drew, e had a bye."""
    records: list[Record] = []
    for number, played in enumerate(rounds, start=1):
        for table, match in enumerate(played.split(), start=1):
            if len(match) == 1:
                records.append(Bye(number, match))
                continue
            first, sign, second = tuple(match)
            pairing = Pairing(number, table, first, second)
            records.append(
                won_by(pairing, first) if sign == ">" else Result(pairing, "draw", "played")
            )
    return tuple(records)


def values(records: tuple[Record, ...], count: int, tie_break: TieBreak) -> dict[str, int | None]:
    table = standings(entrants(count), records, Terms(tie_breaks=(tie_break,)))
    return {row.entrant: row.tie_breaks[0] for row in table.rows}


def order(records: tuple[Record, ...], count: int, *tie_breaks: TieBreak) -> list[tuple[int, str]]:
    table = standings(entrants(count), records, Terms(tie_breaks=tie_breaks))
    return [(row.place, row.entrant) for row in table.rows]


# --- credits ------------------------------------------------------------------------------------


def test_what_counts_for_an_entrant() -> None:
    win = Result(Pairing(1, 1, "a", "b"), "first", "played", BySeat(120, 80))
    draw = Result(Pairing(2, 1, "b", "a"), "draw", "played", BySeat(40, 40))
    lost = Result(Pairing(3, 1, "a", "b"), "second", "crash", BySeat(30, 10))
    (row,) = (
        each
        for each in standings(entrants(2), [win, draw, lost, Bye(4, "a")]).rows
        if each.entrant == "a"
    )
    assert row == Standing(
        place=1,
        entrant="a",
        score=5,
        matches=3,
        wins=1,
        draws=1,
        losses=1,
        byes=1,
        forfeits=1,
        points=190,
        points_against=130,
        tie_breaks=(None,) * 5,
    )


def test_both_may_forfeit_and_a_void_match_counts_for_nobody() -> None:
    records = [
        Result(Pairing(1, 1, "a", "b"), "neither", "crash"),
        Result(Pairing(2, 1, "a", "b"), "void", "aborted", BySeat(50, 0)),
    ]
    table = standings(entrants(2), records)
    assert [(row.score, row.losses, row.forfeits, row.points) for row in table.rows] == [
        (0, 1, 1, 0)
    ] * 2
    assert (table.matches, table.reasons["crash"], table.reasons["aborted"]) == (2, 1, 1)


def test_a_ruling_takes_the_place_of_a_result_and_the_old_standings_stay() -> None:
    """A ruling is one record more: the standings as of any earlier record are as they were."""
    pairing = Pairing(1, 1, "a", "b")
    records = [won_by(pairing, "a"), Result(pairing, "second", "ruling")]
    before, after = standings(entrants(2), records[:1]), standings(entrants(2), records)
    assert [row.entrant for row in before.rows] == ["a", "b"]
    assert [row.entrant for row in after.rows] == ["b", "a"]
    assert (after.matches, after.reasons["ruling"], after.reasons["played"]) == (1, 1, 0)


def test_the_director_states_what_a_bye_is_worth() -> None:
    """E2 exactly the stated credit, once."""
    for bye in (0, 1, 2):
        terms = Terms(Scoring(bye=bye))
        table = standings(entrants(1), [Bye(1, "a"), Bye(1, "a")], terms)
        assert (table.rows[0].score, table.rows[0].byes, table.matches) == (bye, 1, 0)


def test_standings_are_the_same_in_whatever_order_tables_finish() -> None:
    """E10, E11: and at every prefix the end reasons add up to the matches."""
    rng = random.Random(3)
    *_, (field, _played) = course(Swiss(6), field_of(9), rng)
    shuffled = list(field.records)
    rng.shuffle(shuffled)
    assert standings(field.entrants, shuffled) == standings(field.entrants, field.records)
    for end in range(len(field.records) + 1):
        table = standings(field.entrants, field.records[:end])
        ended = sum(isinstance(each, Result) for each in field.records[:end])
        assert sum(table.reasons.values()) == table.matches == ended
        assert sum(row.score for row in table.rows) == 2 * end
        assert {row.entrant: row.score for row in table.rows if row.score} == {
            each: score for each, score in scores(field.records[:end], Scoring()).items() if score
        }


def test_a_forfeit_is_a_loss_and_shown_as_one() -> None:
    for reason in FORFEITS:
        table = standings(entrants(2), [Result(Pairing(1, 1, "a", "b"), "first", reason)])
        assert [(row.score, row.forfeits) for row in table.rows] == [(2, 0), (0, 1)]


# --- tie-breaks ---------------------------------------------------------------------------------

SENSEI = records_of("a>b c>d", "a>c b>d", "a>d b>c", "b>a c>d", "a>c b>d", "d>a c>b")
"""A double round robin as printed in Sensei's Library, "Sonneborn-Berger": A and B have 4 wins,
C has 3 and D 1, and the tie-break is 11, 9, 6 and 4 where a win counts 1."""

SIX = records_of("a>d b>e c=f", "a>b c>e d=f", "a=c b>d e>f")
"""By hand: the scores are a 5, b 4, c 4, e 2, f 2, d 1."""


def test_sonneborn_berger_as_printed() -> None:
    """With 2 for a win, every product is four times what it is with 1: 44 and 36."""
    table = standings(entrants(4), SENSEI, Terms(tie_breaks=("sonneborn_berger",)))
    assert [(row.entrant, row.score) for row in table.rows] == [
        ("a", 8),
        ("b", 8),
        ("c", 6),
        ("d", 2),
    ]
    # The two that are tied have it computed, and a is ahead.
    assert [row.tie_breaks for row in table.rows] == [(44,), (36,), (None,), (None,)]


def test_buchholz_adds_the_opponents_scores() -> None:
    """b met e, a, d: 2 + 5 + 1; c met f, e, a: 2 + 2 + 5; e met b, c, f; f met c, d, e."""
    found = values(SIX, 6, "buchholz")
    assert found == {"a": None, "c": 9, "b": 8, "e": 10, "f": 7, "d": None}
    assert [name for _, name in order(SIX, 6, "buchholz")] == ["a", "c", "b", "e", "f", "d"]


def test_sonneborn_berger_weighs_them_with_the_credit() -> None:
    """c: 1 x 2 + 2 x 2 + 1 x 5; b: 2 x 2 + 2 x 1; f: 1 x 4 + 1 x 1; e: 2 x 2."""
    found = values(SIX, 6, "sonneborn_berger")
    assert found == {"a": None, "c": 11, "b": 6, "f": 5, "e": 4, "d": None}


def test_head_to_head_needs_that_all_of_the_tied_have_met() -> None:
    """e beat f; b and c never met, and stay together."""
    assert values(SIX, 6, "head_to_head") == {
        "a": None,
        "b": None,
        "c": None,
        "e": 2,
        "f": 0,
        "d": None,
    }
    assert order(SIX, 6, "head_to_head") == [
        (1, "a"),
        (2, "b"),
        (2, "c"),
        (4, "e"),
        (5, "f"),
        (6, "d"),
    ]


def test_head_to_head_is_made_again_among_those_it_leaves_tied() -> None:
    """Of a, b, c, d with 4 each, a and b have 4 among the four, c and d 2; then b beat a."""
    records = records_of("b>a c>d", "a>c d>b", "a>d b>c", "c>e", "d>e")
    assert {row.score for row in standings(entrants(4), records[:6]).rows} == {2, 4}
    assert [name for _, name in order(records, 5, "head_to_head")] == ["b", "a", "c", "d", "e"]


def test_a_bye_counts_as_an_opponent_of_ones_own_score() -> None:
    """a has 6, b and c 3. Buchholz of b: 6 + 3 + 3 for the bye; weighed: 1 x 3 + 2 x 3."""
    records = records_of("a>b c", "a>c b", "b=c a")
    assert values(records, 3, "buchholz") == {"a": None, "b": 12, "c": 12}
    assert values(records, 3, "sonneborn_berger") == {"a": None, "b": 9, "c": 9}


def test_point_difference() -> None:
    records = [
        won_by(Pairing(1, 1, "a", "c"), "a", 10),
        won_by(Pairing(1, 2, "d", "b"), "b", 30),
    ]
    terms = Terms(tie_breaks=("point_difference",))
    rows = standings(entrants(4), records, terms).rows
    assert [(row.entrant, row.tie_breaks) for row in rows] == [
        ("b", (30,)),
        ("a", (10,)),
        ("c", (-10,)),
        ("d", (-30,)),
    ]


def test_the_director_sets_the_order() -> None:
    by_hand: dict[tuple[TieBreak, ...], str] = {
        ("buchholz", "sonneborn_berger"): "acbefd",
        ("sonneborn_berger", "buchholz"): "acbfed",
        ("head_to_head", "sonneborn_berger"): "acbefd",
    }
    for tie_breaks, expected in by_hand.items():
        assert "".join(name for _, name in order(SIX, 6, *tie_breaks)) == expected
    with pytest.raises(InvalidTermsError):
        Terms(tie_breaks=("lot", "buchholz", "lot"))


def test_the_lot_decides_when_it_is_drawn_and_not_before() -> None:
    terms = Terms(tie_breaks=("lot",))
    before = standings(entrants(3), (), terms)
    assert [(row.place, row.entrant) for row in before.rows] == [(1, "a"), (1, "b"), (1, "c")]
    after = standings(entrants(3), (), terms, "cab")
    assert [(row.place, row.entrant) for row in after.rows] == [(1, "c"), (2, "a"), (3, "b")]
    assert [row.tie_breaks for row in after.rows] == [(3,), (2,), (1,)]


def test_lots_follow_from_the_secret_and_the_id_alone() -> None:
    secret = bytes(range(32))
    drawn = draw_lots(secret, "t_1", "abcdefgh")
    assert sorted(drawn) == list("abcdefgh")
    assert drawn != draw_lots(secret, "t_2", "abcdefgh")
    assert drawn != draw_lots(bytes(32), "t_1", "abcdefgh")
    fewer = draw_lots(secret, "t_1", "hgfedcb")
    assert fewer == tuple(each for each in drawn if each != "a")
    assert lots_commitment(bytes(32)) == (
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    )
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        draw_lots(b"abc", "t_1", "ab")


def test_entrants_without_a_match_are_listed_by_seed() -> None:
    late = Entrant("z", "Zoe", 3, entered=2)
    assert [row.entrant for row in standings((late, *entrants(2)), ()).rows] == ["a", "b", "z"]


def test_all_tied_in_the_first_round_of_a_large_field() -> None:
    table = standings(field_of(200).entrants, ())
    assert {row.place for row in table.rows} == {1}
