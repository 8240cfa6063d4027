"""When something was done, by whom, and whether it was the end.

Most of these logs are forged as nobody but their writer can forge them: with all numbers and links
made good after the change. The event at fault is named, and no other one.
"""

import msgspec
import pytest
from support_audit import CLASSIC, GIN, at_fault, data, nth
from support_logs import (
    SECOND,
    Table,
    changed,
    edited,
    forged,
    relinked,
    results_of,
    without,
)

from ginrummy.audit.audit import audit
from ginrummy.log.instants import read_instant, write_instant
from ginrummy.log.lines import GENESIS
from ginrummy.rules.commands import Expire, Forfeit, Pause, Resume
from ginrummy.rules.events import Limits, TimeControl
from ginrummy.rules.match import deadline

# --- clocks -------------------------------------------------------------------------------------


LIMITS = TimeControl(bank_ms=60_000, increment_ms=500, decision_ms=20_000)


def on_the_clock(clock: TimeControl = LIMITS) -> Table:
    """Return a match in its first hand, some decisions having been made."""
    table = Table(14, "classic", clock=clock).seated()
    return table.play(until=lambda _: len(table.lines) == 20)


def test_clocks_that_go_back() -> None:
    report = audit(forged(CLASSIC.log, 20, at="2026-11-29T22:48:59.000000Z"))
    assert ("clocks", 21) in at_fault(report)
    assert {seq for _, seq in at_fault(report)} == {21}


@pytest.mark.parametrize(
    "clock",
    [
        TimeControl(decision_ms=20_000),
        TimeControl(bank_ms=40_000, increment_ms=500),
        TimeControl(bank_ms=16_000, decision_ms=20_000),
    ],
)
def test_clocks_of_a_late_decision(clock: TimeControl) -> None:
    """X3 time runs out with the decision's limit or the bank; to its last microsecond it counts."""
    table = on_the_clock(clock)
    before, end = table.log, deadline(table.match)
    assert end is not None
    table.at = end
    table.play(until=lambda _: len(table.lines) > len(before), seconds=0)
    assert audit(table.log).clean
    late = changed(table.log[-1], at=write_instant(end + 1))
    assert at_fault(audit(relinked([*before, late]))) == [("clocks", len(before) + 1)]


def test_clocks_of_a_late_decision_in_the_middle() -> None:
    """What comes after a decision that was late is not late as well."""
    table = on_the_clock(TimeControl(bank_ms=900_000, decision_ms=20_000)).play()
    assert audit(table.log).clean
    late = read_instant(msgspec.json.decode(table.log[20])["at"]) + 70 * SECOND
    log = edited(table.log, 20, at=write_instant(late))
    assert at_fault(audit(relinked(log))) == [("clocks", 21)]


def test_clocks_that_end_a_match_too_early() -> None:
    table = on_the_clock()
    table.wait(21)
    table.act(Expire(), "server")
    assert audit(table.log).clean
    index = nth(table.log, "clock_expired")
    log = table.log
    for late in range(index, len(log)):
        log = edited(log, late, at=msgspec.json.decode(log[index - 1])["at"])
    assert at_fault(audit(relinked(log))) == [("clocks", index + 1)]


def test_clocks_that_end_a_match_for_the_wrong_seat() -> None:
    table = on_the_clock()
    table.wait(21)
    table.act(Expire(), "server")
    index = nth(table.log, "clock_expired")
    seat = 1 - data(table.log[index])["seat"]
    report = audit(forged(table.log, index, data_seat=seat))
    assert at_fault(report) == [("clocks", index + 1)]


def test_clocks_that_call_a_match_abandoned() -> None:
    table = Table(17, limits=Limits(start_ms=60_000))
    table.wait(61)
    table.act(Expire(), "server")
    assert audit(table.log).clean
    report = audit(forged(table.log, 1, at=msgspec.json.decode(table.log[0])["at"]))
    assert at_fault(report) == [("clocks", 2)]


def test_clocks_of_a_move_in_a_pause() -> None:
    table = on_the_clock()
    table.act(Pause(), table.director)
    index = len(table.log)
    table.wait(1)
    table.act(Resume(), table.director)
    table.play(until=lambda _: len(table.lines) == index + 4, seconds=1)
    assert audit(table.log).clean
    report = audit(relinked(without(table.log, index)))
    assert at_fault(report) == [("clocks", index + 1)]


@pytest.mark.parametrize("limit", ["idle_ms", "illegal_moves"])
def test_clocks_that_leave_no_time_at_all_stop_no_audit(limit: str) -> None:
    """Whatever a forger writes into the terms, the audit comes to its end."""
    limits = data(CLASSIC.log[0])["limits"] | {limit: -1}
    report = audit(forged(CLASSIC.log, 0, data_limits=limits))
    assert {check for check, _ in at_fault(report)} == ({"clocks"} if limit == "idle_ms" else set())


# --- actors -------------------------------------------------------------------------------------


def test_actors_of_a_move() -> None:
    """A move is by whoever sits there."""
    index = nth(CLASSIC.log, "stock_drawn", 2)
    seat = data(CLASSIC.log[index])["seat"]
    report = audit(forged(CLASSIC.log, index, by=CLASSIC.players[1 - seat]))
    assert at_fault(report) == [("actors", index + 1)]
    assert CLASSIC.players[seat] in report.faults[0].message


@pytest.mark.parametrize("kind", ["hand_dealt", "hand_scored", "match_ended", "secret_revealed"])
def test_actors_of_what_the_server_does(kind: str) -> None:
    index = nth(CLASSIC.log, kind)
    report = audit(forged(CLASSIC.log, index, by=CLASSIC.players[0]))
    assert at_fault(report) == [("actors", index + 1)]


def test_actors_who_join_for_somebody_else() -> None:
    report = audit(forged(CLASSIC.log, 1, by=CLASSIC.players[1]))
    assert at_fault(report) == [("actors", 2)]


def test_actors_who_take_both_seats() -> None:
    log = forged(CLASSIC.log, 2, data_player=CLASSIC.players[0], by=CLASSIC.players[0])
    assert at_fault(audit(log))[0] == ("actors", 3)


def test_actors_that_are_wrong_throughout_are_named_once() -> None:
    """A player's id that was changed where they joined does not make every move a fault."""
    log = relinked(edited(CLASSIC.log, 2, data_player="p_" + "0" * 26))
    assert at_fault(audit(log)) == [("actors", 3)]


@pytest.mark.parametrize("kind", ["laid_off", "hand_scored", "hand_dealt"])
def test_actors_by_their_request(kind: str) -> None:
    """What follows from a command was stored with it, under its request id."""
    log = GIN.log
    gin = nth(log, "laid_off")
    index = gin + ["laid_off", "hand_scored", "hand_dealt"].index(kind)
    assert f'"type":"{kind}"'.encode() in log[index]
    assert at_fault(audit(forged(log, index, cmd="another"))) == [("actors", index + 1)]


# --- end ----------------------------------------------------------------------------------------


def test_end_that_is_not_the_end() -> None:
    """Nothing follows a match's end but its secrets."""
    at = msgspec.json.decode(CLASSIC.log[-1])["at"]
    more = [changed(raw, at=at) for raw in CLASSIC.log[20:40]]
    report = audit(relinked([*CLASSIC.log, *more]))
    assert at_fault(report) == [("end", len(CLASSIC.log) + 1)]
    assert report.unchecked[-1].last == len(CLASSIC.log) + 20


def test_end_in_the_middle_of_what_was_stored_at_once() -> None:
    """A knock's score is stored with it, so no honest log ends between them."""
    for kind in ("knocked", "laid_off", "hand_scored"):
        index = nth(GIN.log, "knocked") + ["knocked", "laid_off", "hand_scored"].index(kind)
        report = audit(GIN.log[: index + 1])
        if kind == "hand_scored":
            assert report.clean
        else:
            assert at_fault(report) == [("end", index + 2)]
            assert "its end was cut off" in report.faults[0].message


def test_a_forfeit_is_no_fault() -> None:
    table = Table(16).seated()
    table.act(Forfeit(table.turn), "server")
    assert audit(table.log).clean


def test_the_matches_above_hold_what_they_are_to_hold() -> None:
    assert results_of(CLASSIC) == {"knock", "undercut"}
    assert results_of(GIN) == {"gin", "void"}
    assert msgspec.json.decode(CLASSIC.log[0])["prev"] == GENESIS
