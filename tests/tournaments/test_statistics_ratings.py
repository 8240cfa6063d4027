"""Bradley-Terry ratings: a published fit, scipy's optimum, and the cases that have none."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from ginrummy.tournaments.statistics.errors import NotComparableError
from ginrummy.tournaments.statistics.matrices import inverse
from ginrummy.tournaments.statistics.ratings import Meeting, Ratings, bradley_terry

ELO = 400 / math.log(10)

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WON = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
SEASON = [
    Meeting(TEAMS[i], TEAMS[j], (WON[j][i], 0, WON[i][j])) for i in range(7) for j in range(i)
]

NAMES = "abcde"
COUNTS = st.tuples(*[st.integers(0, 12)] * 3) | st.tuples(*[st.integers(0, 12)] * 5)
MEETINGS = st.lists(
    st.builds(Meeting, st.sampled_from(NAMES), st.sampled_from(NAMES), COUNTS).filter(
        lambda meeting: meeting.one != meeting.two
    ),
    min_size=1,
    max_size=12,
)


def errors(ratings: Ratings) -> list[float]:
    return [math.sqrt(ratings.covariance[i][i]) for i in range(len(ratings.names))]


def test_the_american_league_of_1987_is_as_published() -> None:
    """Agresti, Categorical Data Analysis (2002), 10.6; errors as in R's BradleyTerry2."""
    ratings = bradley_terry(SEASON, prior=0)
    leads = {team: ratings.difference(team, "Baltimore") for team in TEAMS[:-1]}
    assert {team: round(lead.value / ELO, 3) for team, lead in leads.items()} == {
        "Milwaukee": 1.581,
        "Detroit": 1.436,
        "Toronto": 1.294,
        "New York": 1.248,
        "Boston": 1.108,
        "Cleveland": 0.684,
    }
    assert {team: round(lead.margin / 1.959964 / ELO, 3) for team, lead in leads.items()} == {
        "Milwaukee": 0.343,
        "Detroit": 0.340,
        "Toronto": 0.337,
        "New York": 0.336,
        "Boston": 0.334,
        "Cleveland": 0.332,
    }


@settings(max_examples=25)
@given(MEETINGS)
def test_the_fit_is_scipys_optimum(meetings: list[Meeting]) -> None:
    """The likelihood written down afresh: every half point, and a half drawn game a pair each."""
    ratings = bradley_terry(meetings)
    names = ratings.names
    points = np.full((len(names), len(names)), 0.5 / (len(names) - 1))
    for m in meetings:
        i, j = names.index(m.one), names.index(m.two)
        points[i, j] += sum(h / 2 * c for h, c in enumerate(m.counts))
        points[j, i] += sum(h / 2 * c for h, c in enumerate(reversed(m.counts)))

    def loss(logs: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        chances = special.log_expit(logs[:, None] - logs[None, :])
        np.fill_diagonal(points, 0)
        return float(-(points * chances).sum())

    def slope(
        logs: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    ) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        missed = points * special.expit(logs[None, :] - logs[:, None])
        return np.asarray(missed.sum(axis=0) - missed.sum(axis=1))

    best = optimize.minimize(loss, np.zeros(len(names)), jac=slope, tol=1e-8).x
    assert ratings.elo == pytest.approx(ELO * (best - best.mean()), abs=0.01)


def test_the_covariance_is_the_observed_informations_inverse() -> None:
    """Second differences of the likelihood, inverted by numpy among ratings with a fixed mean."""
    ratings = bradley_terry(SEASON, prior=0)
    points = np.array(WON, float)

    def likelihood(x: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        return float((points * special.log_expit(x[:, None] - x[None, :])).sum())

    at, step, unit = np.array(ratings.elo) / ELO, 1e-3, np.eye(7) * 1e-3
    information = -np.array(
        [
            [
                likelihood(at + a + b)
                - likelihood(at + a - b)
                - likelihood(at - a + b)
                + likelihood(at - a - b)
                for b in unit
            ]
            for a in unit
        ]
    ) / (4 * step * step)
    expected = ELO * ELO * np.linalg.pinv(information, rcond=1e-6)
    assert np.array(ratings.covariance) == pytest.approx(expected, rel=1e-3, abs=1e-2)


def test_one_meeting_is_the_plain_elo_of_its_score() -> None:
    ratings = bradley_terry([Meeting("a", "b", (20, 20, 60))], prior=0, mean=1500)
    lead = ratings.difference("a", "b")
    assert lead.value == pytest.approx(400 * math.log10(0.7 / 0.3))
    assert sum(ratings.elo) / 2 == pytest.approx(1500)
    assert lead.margin == pytest.approx(1.959964 * ELO / math.sqrt(100 * 0.7 * 0.3))


@given(MEETINGS)
def test_sides_order_and_parts_do_not_matter(meetings: list[Meeting]) -> None:
    """The same results told from the other side, backwards and in two parts rate the same."""
    told = [Meeting(m.two, m.one, m.counts[::-1]) for m in reversed(meetings)]
    expected, found = bradley_terry(meetings, entrants=NAMES), bradley_terry(told, entrants=NAMES)
    assert found.elo == pytest.approx(expected.elo, abs=1e-6)
    assert errors(found) == pytest.approx(errors(expected), abs=1e-6)


# --- cases without a likeliest rating -----------------------------------------------------------


def test_a_perfect_score_is_held_by_the_prior() -> None:
    """One drawn game each beside 200 boards won: 401 and a half of 402 points at most."""
    ratings = bradley_terry([Meeting("a", "b", (0, 0, 0, 0, 200))])
    lead = ratings.difference("a", "b")
    assert lead.value == pytest.approx(400 * math.log10(400.5 / 0.5))
    assert lead.low > 500


def test_groups_that_never_met_are_set_equal_and_unsure() -> None:
    meetings = [Meeting("a", "b", (10, 0, 30)), Meeting("c", "d", (10, 0, 30))]
    ratings = bradley_terry(meetings)
    assert ratings.elo[0] == pytest.approx(ratings.elo[2])
    assert ratings.difference("a", "c").margin > 2 * ratings.difference("a", "b").margin


def test_who_has_not_played_stands_at_the_mean() -> None:
    ratings = bradley_terry([Meeting("a", "b", (10, 0, 30))], entrants=("late", "a", "b"))
    assert ratings.names == ("late", "a", "b")
    assert ratings.rating("late").value == pytest.approx(0)


@pytest.mark.parametrize(
    ("meetings", "who"),
    [
        ([Meeting("a", "b", (0, 0, 5))], ("b",)),
        ([Meeting("a", "b", (5, 0, 0))], ("b",)),
        ([Meeting("a", "b", (1, 0, 1)), Meeting("c", "d", (1, 0, 1))], ("c", "d")),
    ],
)
def test_without_a_prior_what_the_results_do_not_fix_is_refused(
    meetings: list[Meeting], who: tuple[str, ...]
) -> None:
    with pytest.raises(NotComparableError) as refused:
        bradley_terry(meetings, prior=0)
    assert refused.value.who == who


def test_a_ring_of_wins_needs_no_prior() -> None:
    ring = [
        Meeting("a", "b", (0, 0, 3)),
        Meeting("b", "c", (0, 0, 3)),
        Meeting("c", "a", (0, 0, 3)),
    ]
    assert bradley_terry(ring, prior=0).elo == pytest.approx((0, 0, 0))


@pytest.mark.parametrize("prior", [-1.0, 0.001, math.nan])
def test_a_prior_that_cannot_be_is_refused(prior: float) -> None:
    with pytest.raises(ValueError, match="a prior is"):
        bradley_terry(SEASON, prior=prior)


def test_nobody_meets_themselves() -> None:
    with pytest.raises(ValueError, match="nobody meets themselves"):
        bradley_terry([Meeting("a", "a", (1, 1, 1))])


def test_few_entrants_are_rated_too() -> None:
    assert bradley_terry([]).names == ()
    assert bradley_terry([], entrants=("a",), mean=1500).rating("a").value == 1500


def test_an_event_in_which_the_stronger_always_wins_is_rated_in_order() -> None:
    """Thirty-three entrants, six rounds, no upset: the hardest case for the iteration."""
    rng = random.Random(1)
    meetings = []
    for _round in range(6):
        order = rng.sample(range(33), 33)
        meetings += [
            Meeting(str(a), str(b), (0, 0, 1) if a < b else (1, 0, 0))
            for a, b in zip(order[::2], order[1::2], strict=False)
        ]
    ratings = bradley_terry(meetings, prior=0.01)
    for meeting in meetings:
        lead = ratings.difference(meeting.one, meeting.two).value
        assert (lead > 0) == (meeting.counts[2] > 0)


# --- pairs --------------------------------------------------------------------------------------


def test_boards_that_cancel_luck_narrow_the_errors() -> None:
    """Both hands to the same seat, so that a pair is nearly always 1-1: less spread, less error."""
    even = bradley_terry([Meeting("a", "b", (10, 0, 380, 0, 10))])
    loose = bradley_terry([Meeting("a", "b", (100, 0, 200, 0, 100))])
    assert even.dispersion == pytest.approx(0.1, abs=0.03)
    assert loose.dispersion == pytest.approx(1.0, abs=0.01)
    assert errors(even)[0] == pytest.approx(
        errors(loose)[0] * math.sqrt(even.dispersion / loose.dispersion)
    )


def test_one_board_does_not_pass_for_certainty() -> None:
    assert bradley_terry([Meeting("a", "b", (0, 0, 1, 0, 0))]).dispersion == 1.0
    assert bradley_terry([Meeting("a", "b", (0, 0, 3, 0, 0))]).dispersion > 0.75


def test_95_intervals_from_pairs_hold_the_true_lead_95_times_in_100() -> None:
    """Two hands of a pair that hang together: the deal decides half of the boards both ways."""
    rng = random.Random(11)
    true_lead = 400 * math.log10((0.25 + 0.5 * 0.6) / (0.25 + 0.5 * 0.4))
    held = 0
    for _event in range(200):
        counts = [0, 0, 0, 0, 0]
        for _board in range(100):
            if rng.random() < 0.5:
                counts[2] += 1
            else:
                counts[2 * ((rng.random() < 0.6) + (rng.random() < 0.6))] += 1
        none, half, one, more, two = counts
        lead = bradley_terry([Meeting("a", "b", (none, half, one, more, two))]).difference("a", "b")
        held += lead.low <= true_lead <= lead.high
    assert 181 <= held <= 198


def test_the_inverse_is_numpys() -> None:
    rng = random.Random(2)
    rows = np.array([[rng.gauss(0, 1) for _ in range(6)] for _ in range(6)])
    matrix = rows @ rows.T + np.eye(6)
    assert np.array(inverse(matrix.tolist())) == pytest.approx(np.linalg.inv(matrix))
