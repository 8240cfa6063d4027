"""The check of a tournament finds nothing in what was played, and each forgery by its own check."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support_directed_tournaments import eventful
from support_logs import Log, changed, edited, events_of, forged, relinked, without
from support_play import soak
from support_tournament_events import terms_of
from support_tournament_matches import PlayedOut

from ginrummy.audit.audit import audit
from ginrummy.tournaments.checking import (
    CHECKS,
    TournamentReport,
    UnusableTournamentLogError,
    check,
    text,
)
from ginrummy.tournaments.event import Matches
from ginrummy.tournaments.event.commands import Leave
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.statistics.sprt import Sprt


def played_out(seed: int = 1, boards: int = 2, entrants: int = 4, **changes: object) -> PlayedOut:
    """Return a tournament that was really played, with its secrets out."""
    terms = terms_of(RoundRobin(), boards, **changes)
    played = PlayedOut(terms, entrants, seed).started()
    assert isinstance(played, PlayedOut)
    played.finish()
    return played.with_secrets()


BOARDS = played_out()
TEST = played_out(seed=3, boards=40, entrants=2, sprt=Sprt(h0=0, h1=300, least_boards=4))
MATCHES = PlayedOut(terms_of(Swiss(rounds=2), play=Matches()), 3)
MATCHES.started().finish()


def checked(log: Log, played: PlayedOut = BOARDS) -> TournamentReport:
    return check(log, played.match_log)


def faults(report: TournamentReport) -> set[str]:
    return {fault.check for fault in report.faults}


# --- what was played ----------------------------------------------------------------------------


@given(st.integers(0, 10**9))
@settings(max_examples=soak(1000, 25))
def test_nothing_is_found_in_whatever_a_tournament_can_be(seed: int) -> None:
    report = check(eventful(seed).log, lambda _: None)
    assert not report.faults
    assert report.clean


@pytest.mark.parametrize("played", [BOARDS, TEST, MATCHES], ids=["boards", "test", "matches"])
def test_nothing_is_found_in_what_was_played_at_real_tables(played: PlayedOut) -> None:
    report = checked(played.log, played)
    assert not report.faults
    assert report.matches_read == report.sittings > 0
    assert {each.status for each in report.checks} <= {"passed", "not_applicable"}
    assert all(audit(each.log).clean for each in played.matches.values())
    assert text(report).endswith("Clean: no fault found.\n")


def test_every_check_is_made_in_one_of_them() -> None:
    reports = [checked(each.log, each) for each in (BOARDS, TEST, MATCHES)]
    assert [each.name for each in reports[0].checks] == list(CHECKS)
    # What rulings on disputes have changed is in test_dispute_rulings.py.
    for name in CHECKS.keys() - {"rulings"}:
        assert any(report.check(name).status == "passed" for report in reports), name


@pytest.mark.parametrize("count", [1, 5, 20, 40])
def test_a_tournament_that_runs_is_clean_as_far_as_can_be_told(count: int) -> None:
    report = checked(BOARDS.log[:count])
    assert report.clean
    assert report.check("end").status == "waiting"
    assert report.check("lots").status == "waiting"
    assert "Clean as far as can be told" in text(report)


def test_matches_that_are_not_at_hand_are_waited_for() -> None:
    report = check(BOARDS.log, lambda _: None)
    assert report.clean
    assert report.check("matches").status == "waiting"


@pytest.mark.parametrize("log", [[], [b""], [b"what is this?"], MATCHES.matches])
def test_what_is_no_log_of_a_tournament_cannot_be_checked(log: list[bytes]) -> None:
    with pytest.raises(UnusableTournamentLogError):
        check([each for each in log if isinstance(each, bytes)], lambda _: None)


def test_a_report_is_read_back() -> None:
    report = checked(BOARDS.log)
    assert msgspec.json.decode(msgspec.json.encode(report), type=TournamentReport) == report


# --- forgeries, each with all links made good ---------------------------------------------------

SECRET = "5a" * 32


def nth(kind: str, number: int = 0, played: PlayedOut = BOARDS) -> int:
    return events_of(played.log, kind)[number]


def data(kind: str, number: int = 0, played: PlayedOut = BOARDS) -> dict:  # type: ignore[type-arg]
    found: dict = msgspec.json.decode(played.log[nth(kind, number, played)])["data"]  # type: ignore[type-arg]
    return found


def with_pairings(round_: int, change: Callable[[list[dict]], None]) -> Log:  # type: ignore[type-arg]
    index = nth("round_paired", round_)
    pairings = data("round_paired", round_)["pairings"]
    change(pairings)
    return forged(BOARDS.log, index, data_pairings=pairings)


def swap_first(pairings: list[dict]) -> None:  # type: ignore[type-arg]
    one = pairings[0]
    one["first"], one["second"] = one["second"], one["first"]


def other_pairs(pairings: list[dict]) -> None:  # type: ignore[type-arg]
    one, two = pairings
    one["second"], two["second"] = two["second"], one["second"]


def moved(log: Log, index: int, to: int) -> Log:
    line = log[index]
    rest = without(log, index)
    return relinked([*rest[:to], line, *rest[to:]])


def doubled(kind: str, number: int = 0) -> Log:
    index = nth(kind, number)
    return relinked([*BOARDS.log[: index + 1], BOARDS.log[index], *BOARDS.log[index + 1 :]])


def left_out(kind: str, number: int = 0) -> Log:
    return relinked(without(BOARDS.log, nth(kind, number)))


FORGED: dict[str, tuple[str, Log]] = {
    "a line that is changed": (
        "chain",
        edited(BOARDS.log, 4, data_name="Eve"),
    ),
    "a line that is missing": ("sequence", without(BOARDS.log, 9)),
    "the beginning cut off": ("sequence", BOARDS.log[3:]),
    "another spelling": ("line-form", [BOARDS.log[0].replace(b":", b": ", 1), *BOARDS.log[1:]]),
    "an unknown event": ("line-form", edited(BOARDS.log, 9, type="bribed")),
    "another stream": ("stream", edited(BOARDS.log, 9, stream="t_00000000000000000000000000")),
    "a time that goes back": ("times", forged(BOARDS.log, 9, at="2020-01-01T00:00:00.000000Z")),
    "a result by a person": (
        "actors",
        forged(BOARDS.log, nth("result_recorded"), by=BOARDS.director),
    ),
    "a ruling by the server": (
        "actors",
        relinked(
            [
                *BOARDS.log,
                changed(
                    BOARDS.log[-1],
                    type="result_ruled",
                    data={
                        "round": 1,
                        "table": 1,
                        "outcome": "first",
                        "points": [1, 0],
                        "why": "so",
                        "rule": "",
                    },
                ),
            ]
        ),
    ),
    "somebody else's nonce": (
        "actors",
        forged(BOARDS.log, nth("entrant_nonce_revealed"), by=BOARDS.ids[3]),
    ),
    "a late entry": ("course", moved(BOARDS.log, nth("entrant_entered", 3), 15)),
    "another seed": ("course", forged(BOARDS.log, nth("entrant_entered", 2), data_seed=9)),
    "another nonce": (
        "nonces",
        forged(BOARDS.log, nth("entrant_nonce_revealed"), data_nonce="ab" * 16),
    ),
    "another mix": ("nonces", forged(BOARDS.log, nth("tournament_started"), data_mix=SECRET)),
    "other opponents": ("pairings", with_pairings(1, other_pairs)),
    "the other one named first": ("pairings", with_pairings(0, swap_first)),
    "a bye for nothing": (
        "pairings",
        forged(
            BOARDS.log,
            nth("round_paired"),
            data_byes=[{"round": 1, "entrant": BOARDS.ids[0], "label": ""}],
        ),
    ),
    "a round before the last one is over": (
        "pairings",
        moved(BOARDS.log, nth("round_paired", 1), nth("round_paired") + 2),
    ),
    "a sitting twice": ("sittings", doubled("sitting_ended", 2)),
    "a sitting that there is not": (
        "sittings",
        forged(BOARDS.log, nth("sitting_ended"), data_board=7),
    ),
    "a match of two sittings": (
        "sittings",
        forged(BOARDS.log, nth("sitting_ended", 1), data_match=data("sitting_ended")["match"]),
    ),
    "another match": (
        "sittings",
        forged(BOARDS.log, nth("sitting_ended"), data_match="m_" + "0" * 26),
    ),
    "other points": (
        "matches",
        forged(BOARDS.log, nth("sitting_ended"), data_points=[99, 0]),
    ),
    "another hash": ("matches", forged(BOARDS.log, nth("sitting_ended"), data_hash=SECRET)),
    "another line": ("matches", forged(BOARDS.log, nth("sitting_ended"), data_seq=2)),
    "another dealer": (
        "matches",
        forged(
            BOARDS.log,
            nth("sitting_ended"),
            data_dealer={"first": "second", "second": "first"}[data("sitting_ended")["dealer"]],
        ),
    ),
    "another result": ("results", forged(BOARDS.log, nth("result_recorded"), data_points=[0, 0])),
    "a result before all is played": (
        "results",
        moved(BOARDS.log, nth("result_recorded"), nth("sitting_ended") + 1),
    ),
    "a result twice": ("results", doubled("result_recorded")),
    "another secret": ("boards", forged(BOARDS.log, nth("boards_revealed"), data_secret=SECRET)),
    "a secret too early": (
        "boards",
        moved(BOARDS.log, nth("boards_revealed"), nth("round_paired", 1)),
    ),
    "a commitment that is too short": (
        "boards",
        forged(BOARDS.log, 0, data_chain=1),
    ),
    "other lots": ("lots", forged(BOARDS.log, nth("lots_drawn"), data_secret=SECRET)),
    "lots too early": ("lots", moved(BOARDS.log, nth("lots_drawn"), nth("round_paired", 1))),
    "an end too early": (
        "end",
        moved(BOARDS.log, nth("tournament_ended"), nth("round_paired", 1)),
    ),
    "an end for another reason": (
        "end",
        forged(BOARDS.log, nth("tournament_ended"), data_reason="too_few"),
    ),
    "two sittings that count as one": ("sums", doubled("sitting_ended", 2)),
    "a result that is missing": ("pairings", left_out("result_recorded")),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forgery_is_found_by_its_own_check(name: str) -> None:
    expected, log = FORGED[name]
    report = checked(log)
    assert expected in faults(report)
    assert not report.clean
    assert report.check(expected).status == "failed"  # type: ignore[arg-type]
    assert "NOT CLEAN" in text(report)


ONE_FAULT = (
    "a line that is changed",
    "a time that goes back",
    "a result by a person",
    "another result",
    "another dealer",
    "another hash",
    "other lots",
    "an end for another reason",
)


@pytest.mark.parametrize("name", ONE_FAULT)
def test_one_forgery_is_one_fault(name: str) -> None:
    assert len(checked(FORGED[name][1]).faults) == 1


def test_every_check_has_found_a_forgery() -> None:
    found = {check_name for check_name, _ in FORGED.values()}
    assert found | {"test", "rulings"} == set(CHECKS)


# --- the sequential test ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [{"data_status": "accept_h1"}, {"data_boards": 3}, {"data_llr": 9.5}],
    ids=str,
)
def test_a_test_that_ended_otherwise_is_found(fields: dict[str, object]) -> None:
    assert data("test_ended", played=TEST)["status"] == "accept_h0"
    log = forged(TEST.log, nth("test_ended", played=TEST), **fields)
    assert faults(checked(log, TEST)) == {"test"}


def test_a_decision_that_was_passed_over_is_found() -> None:
    log = relinked(without(TEST.log, nth("test_ended", played=TEST)))
    assert "test" in faults(checked(log, TEST))


def test_a_log_that_ends_before_what_has_to_follow_is_found() -> None:
    log = TEST.log[: nth("test_ended", played=TEST)]
    assert faults(checked(log, TEST)) == {"end"}


# --- the matches --------------------------------------------------------------------------------


def with_match(played: PlayedOut, change: Callable[[Log], Log]) -> TournamentReport:
    """Return a report where the first sitting's match has another log."""
    first = data("sitting_ended", played=played)["match"]

    def match_log(match: str) -> Log | None:
        log = played.matches[match].log
        return change(log) if match == first else log

    return check(played.log, match_log)


WRONG_MATCHES: dict[str, Callable[[Log], Log]] = {
    "an empty log": lambda _: [],
    "a changed card": lambda log: relinked([*log[:4], *log[5:]]),
    "another beginning": lambda log: log[1:],
    "another name, linked again": lambda log: forged(log, 0, data_name="Eve"),
    "an unreadable line": lambda log: [*log[:3], b"{}", *log[4:]],
    "a log that breaks off": lambda log: log[:5],
}


@pytest.mark.parametrize("played", [BOARDS, MATCHES], ids=["boards", "matches"])
@pytest.mark.parametrize("name", WRONG_MATCHES)
def test_a_match_whose_log_is_another_one_is_found(name: str, played: PlayedOut) -> None:
    assert faults(with_match(played, WRONG_MATCHES[name])) == {"matches"}


TERMS: dict[str, dict[str, object]] = {
    "rules": {"data_rules": data("tournament_created")["terms"]["rules"] | {"knock_limit": 7}},
    "reveal": {"data_reveal": "hand"},
    "clock": {"data_clock": {"bank_ms": None, "increment_ms": 0, "decision_ms": 5}},
    "board": {
        "data_board": {
            "tournament": BOARDS.id,
            "number": data("sitting_ended")["board"] % 2 + 1,
            "mix": BOARDS.tournament.mix,
        }
    },
    "mix": {
        "data_board": {
            "tournament": BOARDS.id,
            "number": data("sitting_ended")["board"],
            "mix": SECRET,
        }
    },
    "commitment": {"data_commitment": SECRET},
    "seats": {"data_seats": BOARDS.ids[2:]},
    "opener": {"by": BOARDS.director},
}


@pytest.mark.parametrize("name", TERMS)
def test_a_match_on_other_terms_is_found(name: str) -> None:
    found = with_match(BOARDS, lambda log: forged(log, 0, **TERMS[name]))
    assert "matches" in faults(found)
    assert any("hash" not in fault.message for fault in found.faults)


def test_a_board_that_somebody_plays_with_another_key_is_found() -> None:
    found = with_match(BOARDS, lambda log: forged(log, 1, data_key="1a" * 32))
    assert faults(found) == {"matches"}
    said = f"sits down with the key {'1a' * 32}, and has entered with none"
    assert any(said in fault.message for fault in found.faults)


def test_a_match_that_was_played_when_its_board_was_out_is_found() -> None:
    """A director who lets a board's secret out at one table tells it to all the others."""
    played = PlayedOut(terms_of(RoundRobin(), 2), 4, seed=1)
    played.started()
    while len(played.tournament.sittings) < 3:
        played.step()
    early = next(iter(played.matches.values()))
    early.act(early.reveal(), played.director)
    played.finish()
    report = check(played.log, played.match_log)
    assert faults(report) == {"boards"}
    assert "was still played when its secret was out" in report.faults[0].message


def test_who_was_ruled_out_of_a_board_is_no_reason_for_a_fault() -> None:
    played = PlayedOut(terms_of(RoundRobin(), 4, tables=8), 2, seed=1)
    played.started()
    while len(played.tournament.sittings) < 3:
        played.step()
    played.act(Leave(played.ids[0], "withdrew"), played.ids[0])
    played.finish()
    assert not check(played.log, played.match_log).faults
