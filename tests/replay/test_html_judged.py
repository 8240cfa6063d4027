"""What a page says of decisions: to each perspective what it may know, and nothing else."""

import random
from collections.abc import Sequence

import pytest
from support_golden import golden_log
from support_play import soak
from support_two_worlds import positions, rigged, worlds

from ginrummy.cli.judged import analysis_of
from ginrummy.cli.source import UnusableSourceError
from ginrummy.log.deck import SecretChain
from ginrummy.replay.html import Analysis, write_page
from ginrummy.replay.html.judged import judged_model
from ginrummy.replay.stepping import Replay
from ginrummy.rules.cards import Seat

CLASSIC = golden_log("classic")
BOTH: tuple[Seat, Seat] = (0, 1)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analysis_of("classic", CLASSIC, None, BOTH, 4)


def test_all_eyes_see_what_is_said_of_both_seats_and_of_the_real_hands(analysis: Analysis) -> None:
    model = judged_model(analysis, ["full", "0", "1", "public"])
    assert model is not None
    decisions = [each for hand in analysis.hands for each in hand["decisions"]]
    assert list(model["decisions"]) == [each["seq"] for each in decisions]
    assert {each["seat"] for each in model["decisions"].values()} == {0, 1}
    real = {each["seq"]: each["knock"]["real"] for each in decisions if each["knock"]}
    assert model["real"] == real
    assert real
    assert len(model["sights"]) == 2


@pytest.mark.parametrize("seat", BOTH)
def test_a_seat_s_page_says_what_its_own_decisions_were_worth_by_what_it_knew(
    seat: Seat, analysis: Analysis
) -> None:
    model = judged_model(analysis, [str(seat)])
    assert model is not None
    assert {each["seat"] for each in model["decisions"].values()} == {seat}
    assert list(model["tallies"]) == [seat]
    assert not {"real", "sights"} & model.keys()
    assert "real" not in str(model)


def test_everybody_s_eyes_see_nothing_of_it(analysis: Analysis) -> None:
    assert judged_model(analysis, ["public"]) is None
    page = write_page(CLASSIC, Replay(CLASSIC), "public", (), analysis)
    assert b'"analysis":null' in page


def test_an_analysis_of_a_seat_is_the_same_in_every_world_that_it_cannot_tell_apart() -> None:
    """The whole page is, byte for byte: what is analysed are hands whose secrets are not out."""
    compared = 0
    with rigged():
        for position in positions(soak(240, 48), seed=11):
            rng = random.Random(len(position.lines))
            for seat in BOTH:
                one, other, differs = worlds(position, seat, rng)
                lines = [line.raw for line in position.lines]
                pages = [_page(lines, seat, SecretChain(each)) for each in (one, other)]
                assert pages[0] == pages[1]
                compared += differs and pages[0] is not None
    assert compared > soak(40, 8)


def _page(lines: Sequence[bytes], seat: Seat, secrets: SecretChain) -> bytes | None:
    try:
        analysis = analysis_of("a match", lines, secrets, (seat,), 4)
    except UnusableSourceError:
        return None
    return write_page(lines, Replay(lines, secrets), seat, (), analysis)
