"""Faults in what comes after a match's end, a class of them each (R4 to R9).

An audit names the check, the event and the rule, and says why; the second verifier, which shares no
code with it, finds the same fault at the same event.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest
from support_audit import at_fault, data, nth
from support_disputed_logs import appeal, open_dispute, replayed_match, rule
from support_disputes import DAY, JUDGE, SECOND_JUDGE
from support_logs import Log, Table, forged, played, relinked, without
from support_node import Verdict, verdicts

from ginrummy.audit.audit import audit
from ginrummy.audit.report import CheckName, text
from ginrummy.log.lines import read_line, write_line
from ginrummy.log.record import record_of
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import Play, Resign
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeReason,
    DisputeRuled,
    HandPoints,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.match import Ended, hands_dealt
from ginrummy.rules.match.disputing import MOST_DISPUTES

SECOND = 1_000_000
DAY_LATER = DAY // 1000
STRANGER = "p_" + "0" * 26
NOBODY = BySeat(0, 0)


class Fault(NamedTuple):
    """A log with one thing wrong, and what is to be said of it."""

    log: Log
    check: CheckName
    rule: str
    why: str
    seq: int | None = None
    """The event at fault; the last one where it is None."""

    @property
    def at(self) -> int:
        return len(self.log) if self.seq is None else self.seq


def match() -> Table:
    """Return a match of two hands that may be disputed for a day."""
    return played(5, "classic", hands=2, dispute_ms=DAY)


def disputed(*rulings: Any) -> Table:  # noqa: ANN401 -- what `rule` takes
    """Return it with a dispute of hand 1 by seat 1, and rulings on that, an appeal between them."""
    table = match()
    open_dispute(table, 1, 1)
    for number, (what, fields) in enumerate(rulings):
        if number:
            appeal(table, 0)
        rule(table, what, by=(JUDGE, SECOND_JUDGE)[number], **fields)
    return table


def with_event(
    log: Log | Table,
    event: DisputeEvent,
    by: str,
    *,
    seconds: float = 30,
    cmd: str = "c0",
) -> Log:
    """Return a log with one more event, whatever it is, linked as it should be."""
    lines = log.log if isinstance(log, Table) else log
    last = read_line(lines[-1])
    at = last.at + int(seconds * SECOND)
    line = write_line(last.stream, last.seq + 1, at, by, cmd, event, last.hash)
    return [*lines, line.raw]


def claim(
    table: Table,
    seat: Seat = 1,
    hand: int | None = 1,
    reason: DisputeReason = "score_wrong",
    **fields: Any,  # noqa: ANN401 -- the event's
) -> DisputeOpened:
    """Return what a seat would have to say that disputes a hand."""
    about = record_of(table.log).about(hand)
    number = 1 + (len(table.match.disputes) if isinstance(table.match, Ended) else 0)
    given: dict[str, Any] = {
        "dispute": number,
        "event": 1 if about is None else about.last,
        "scored": None if about is None else about.scored,
        "text": "That is wrong.",
    }
    return DisputeOpened(seat=seat, hand=hand, reason=reason, **(given | fields))


def ruling(what: Any = "dismiss", instance: Any = 1, **fields: Any) -> DisputeRuled:  # noqa: ANN401 -- its fields
    """Return a ruling on the first dispute."""
    given: dict[str, Any] = {
        "dispute": 1,
        "points": NOBODY,
        "seat": None,
        "rule": "S1",
        "why": "The log says so.",
    }
    return DisputeRuled(instance=instance, ruling=what, **(given | fields))


# --- disputes -------------------------------------------------------------------------------------


def opened(why: str, table: Table, /, *, rule: str = "R4", **fields: Any) -> Fault:  # noqa: ANN401 -- the event's
    by = fields.pop("by", table.players[fields.get("seat", 1)])
    seconds = fields.pop("seconds", 30)
    log = with_event(table, claim(table, **fields), by, seconds=seconds)
    return Fault(log, "disputes", rule, why)


def wrong_points_in_a_claim() -> Fault:
    return opened("scored is", match(), scored=HandPoints(0, 1))


def points_of_a_match_as_a_whole() -> Fault:
    return opened("has to be nobody", match(), hand=None, scored=HandPoints(0, 1))


def a_claim_by_who_has_not_played() -> Fault:
    return opened("only who has played a match disputes it", match(), by=STRANGER)


def a_claim_by_a_director() -> Fault:
    return opened("only who has played a match disputes it", match(), by=JUDGE)


def a_claim_for_the_other_seat() -> Fault:
    table = match()
    return opened("seat is 1, but has to be 0", table, by=table.players[0])


def a_claim_while_the_match_runs() -> Fault:
    table = Table(5, "classic", dispute_ms=DAY).seated()
    table.play(until=lambda now: hands_dealt(now) == 2)
    return opened("when it is over, not while it runs", table)


def a_claim_outside_the_window() -> Fault:
    return opened("it is too late", match(), seconds=DAY_LATER + 0.001)


def a_claim_where_there_is_no_window() -> Fault:
    table = played(5, "classic")
    return opened("by its terms this match cannot be disputed", table)


def a_claim_over_a_hand_that_was_never_dealt() -> Fault:
    return opened("there is no such hand", match(), hand=99)


def a_claim_over_an_event_of_another_hand() -> Fault:
    table = match()
    other = record_of(table.log).about(2)
    assert other is not None
    return opened("is not of hand 1", table, event=other.first)


def a_claim_over_an_event_behind_the_end() -> Fault:
    table = match()
    return opened("is not of the match", table, hand=None, event=len(table.log))


def the_same_claim_again() -> Fault:
    return opened("have disputed this already", disputed())


def the_seventeenth_claim_of_a_seat() -> Fault:
    table = match()
    reasons: Sequence[DisputeReason] = (
        *("card_not_in_deck", "move_denied", "score_wrong", "clock_wrong", "log_changed"),
        *("cards_seen", "rule_broken", "collusion", "conduct", "other"),
    )
    wanted = [(hand, reason) for hand in (1, 2) for reason in reasons][: MOST_DISPUTES + 1]
    *most, (hand, reason) = wanted
    for each in most:
        open_dispute(table, 1, *each)
    return opened("the most", table, hand=hand, reason=reason)


def a_claim_with_another_number() -> Fault:
    return opened("dispute is 2, but has to be 1", match(), dispute=2)


def a_claim_without_words() -> Fault:
    return opened("can be printed", match(), text="   ", rule="")


def a_claim_that_turns_the_reading() -> Fault:
    return opened("can be printed", match(), text="no\u202e", rule="")


# --- rulings --------------------------------------------------------------------------------------


def ruled(
    why: str, table: Table, event: DisputeRuled, /, *, rule: str = "R6", by: str = JUDGE
) -> Fault:
    return Fault(with_event(table, event, by, seconds=600), "disputes", rule, why)


def a_ruling_by_a_participant() -> Fault:
    table = disputed()
    why = "nobody rules on a dispute over a match of their own"
    return ruled(why, table, ruling(), rule="R5", by=table.players[0])


def a_ruling_by_who_has_opened_it() -> Fault:
    table = disputed()
    why = "nobody rules on a dispute over a match of their own"
    return ruled(why, table, ruling("uphold"), rule="R5", by=table.players[1])


def a_ruling_without_a_dispute() -> Fault:
    return ruled("there is no dispute 1 over this match: there is none", match(), ruling(), rule="")


def a_ruling_on_another_dispute_than_there_is() -> Fault:
    return ruled("there is no dispute 2", disputed(), ruling(dispute=2), rule="")


def a_ruling_while_the_match_runs() -> Fault:
    table = Table(5, "classic", dispute_ms=DAY).seated()
    return ruled("when it is over, not while it runs", table, ruling(), rule="R4")


def a_second_ruling_without_an_appeal() -> Fault:
    table = disputed(("dismiss", {}))
    return ruled("and nobody has appealed", table, ruling(instance=2), rule="R5", by=SECOND_JUDGE)


def a_third_ruling() -> Fault:
    table = disputed(("dismiss", {}), ("uphold", {}))
    return ruled("for good", table, ruling(instance=2), rule="R5", by=STRANGER)


def a_ruling_by_the_same_director_on_appeal() -> Fault:
    table = disputed(("dismiss", {}))
    appeal(table, 0)
    return ruled("on appeal another director rules", table, ruling(instance=2), rule="R9")


def a_ruling_of_another_instance() -> Fault:
    return ruled("instance is 2, but has to be 1", disputed(), ruling(instance=2), rule="R5")


def a_ruling_that_names_no_rule() -> Fault:
    return ruled("there is no rule 'Q9'", disputed(), ruling(rule="Q9"), rule="")


def a_ruling_without_a_reason() -> Fault:
    return ruled("can be printed", disputed(), ruling(why=" "), rule="")


def an_adjustment_of_nothing() -> Fault:
    return ruled("adjust says what it adds", disputed(), ruling("adjust"))


def points_by_another_ruling_than_an_adjustment() -> Fault:
    return ruled("adjust says what it adds", disputed(), ruling("uphold", points=BySeat(0, 5)))


def a_forfeit_of_nobody() -> Fault:
    return ruled("forfeit says which seat loses", disputed(), ruling("forfeit"))


def a_seat_that_loses_by_another_ruling() -> Fault:
    return ruled("forfeit says which seat loses", disputed(), ruling("uphold", seat=0))


def a_match_as_a_whole_that_is_void() -> Fault:
    table = match()
    open_dispute(table, 1, None)
    return ruled("about no hand, so there is none to void", table, ruling("void"))


def a_hand_that_is_void_twice() -> Fault:
    table = disputed(("void", {}))
    open_dispute(table, 0, 1)
    return ruled("hand 1 is void already", table, ruling("replay", dispute=2))


def points_below_nothing() -> Fault:
    event = ruling("adjust", points=BySeat(-999_999, 0))
    return ruled("nobody's points go below 0", disputed(), event)


# --- appeals --------------------------------------------------------------------------------------


def appealed(why: str, table: Table, seat: Seat = 0, /, **given: Any) -> Fault:  # noqa: ANN401 -- by, seconds, rule
    event = DisputeAppealed(given.get("dispute", 1), seat, "Look again.")
    by, seconds = given.get("by", table.players[seat]), given.get("seconds", 60)
    log = with_event(table, event, by, seconds=seconds)
    return Fault(log, "disputes", given.get("rule", "R9"), why)


def an_appeal_before_a_ruling() -> Fault:
    return appealed("nobody has ruled on this dispute yet", disputed())


def a_second_appeal() -> Fault:
    table = disputed(("dismiss", {}), ("uphold", {}))
    return appealed("a ruling is appealed once", table, 1)


def an_appeal_while_another_one_waits() -> Fault:
    table = disputed(("dismiss", {}))
    appeal(table, 0)
    return appealed("a ruling is appealed once", table, 1)


def an_appeal_outside_the_window() -> Fault:
    table = disputed(("dismiss", {}))
    return appealed("it is too late", table, seconds=DAY_LATER + 0.001, rule="R4")


def an_appeal_by_who_has_not_played() -> Fault:
    table = disputed(("dismiss", {}))
    return appealed("only who has played", table, by=STRANGER, rule="R4")


def an_appeal_against_what_was_not_ruled() -> Fault:
    return appealed("there is no dispute 3", disputed(("dismiss", {})), dispute=3, rule="")


# --- what follows ---------------------------------------------------------------------------------

ADJUSTED = disputed(("adjust", {"points": BySeat(0, 7)}))
RESULT = nth(ADJUSTED.log, "result_adjusted")


def miscounted(field: str, value: object) -> Fault:
    log = forged(ADJUSTED.log, RESULT, **{f"data_{field}": value})
    return Fault(log, "rulings", "R7", f"{field} is", RESULT + 1)


def compensation_that_does_not_follow(field: str, by: int) -> Fault:
    """Another number than the ruling makes."""
    first, second = data(ADJUSTED.log[RESULT])[field]
    return miscounted(field, [first + by, second])


def a_result_that_another_one_has_won() -> Fault:
    return miscounted("winner", 1 - data(ADJUSTED.log[RESULT])["winner"])


def a_result_for_another_reason() -> Fault:
    return miscounted("reason", "resigned")


def a_result_that_is_doubled() -> Fault:
    return miscounted("doubled", not data(ADJUSTED.log[RESULT])["doubled"])


def a_result_of_another_dispute() -> Fault:
    return miscounted("dispute", 2)


def a_result_that_is_missing() -> Fault:
    table = disputed(("adjust", {"points": BySeat(0, 7)}))
    open_dispute(table, 0, 2)
    log = relinked(without(table.log, RESULT))
    return Fault(log, "rulings", "R7", "result_adjusted has to follow", RESULT + 1)


def a_result_that_is_cut_off() -> Fault:
    why = "result_adjusted has to follow event"
    return Fault(ADJUSTED.log[:RESULT], "end", "", why, RESULT + 1)


def a_result_that_nothing_has_changed() -> Fault:
    table = disputed(("dismiss", {}))
    there = read_line(ADJUSTED.log[RESULT]).event
    assert isinstance(there, ResultAdjusted)
    log = with_event(table, there, "server", seconds=0)
    return Fault(log, "rulings", "R7", "it follows from nothing")


def a_result_by_somebody() -> Fault:
    log = forged(ADJUSTED.log, RESULT, by=JUDGE)
    return Fault(log, "actors", "", "can only be by server", RESULT + 1)


def a_result_that_comes_later() -> Fault:
    log = forged(ADJUSTED.log, RESULT, at="2027-01-01T00:00:00.000000Z")
    return Fault(log, "clocks", "", "has another time", RESULT + 1)


def a_result_with_another_request() -> Fault:
    log = forged(ADJUSTED.log, RESULT, cmd="another")
    return Fault(log, "actors", "", "has another request id", RESULT + 1)


# --- hands that are played again ------------------------------------------------------------------

REPLAYED, AGAIN = replayed_match(hands=2)
BACK = nth(REPLAYED.log, "hand_replayed")


def came_back(**fields: object) -> Log:
    """Return a match whose replay came back otherwise, and nothing after it."""
    given = {f"data_{name}": value for name, value in fields.items()}
    return forged(REPLAYED.log[: BACK + 1], BACK, **given)


def taking_back(table: Table, **fields: Any) -> Fault:  # noqa: ANN401 -- the event's
    given: dict[str, Any] = {
        "dispute": 1,
        "instance": 1,
        "match": AGAIN.stream,
        "seq": 5,
        "hash": "c0" * 32,
        "reason": "aborted",
        "scored": None,
    }
    log = with_event(table, HandReplayed(**(given | fields)), "server", seconds=90, cmd="")
    return Fault(log, "disputes", "", "no hand is being played again by that ruling")


def a_replay_of_another_hand() -> Fault:
    """The match by which it was played again is that of another ruling."""
    log = came_back(match="m_" + "0" * 26)
    return Fault(log, "replays", "R8", "has to be m_", BACK + 1)


def a_replay_that_no_ruling_has_ordered() -> Fault:
    return taking_back(disputed(("void", {})))


def a_replay_without_a_dispute() -> Fault:
    return taking_back(match())._replace(why="there is no dispute 1")


def a_replay_that_comes_back_twice() -> Fault:
    return taking_back(REPLAYED)


def a_replay_that_an_appeal_has_called_off() -> Fault:
    return taking_back(disputed(("replay", {}), ("dismiss", {})))


def a_replay_of_another_instance() -> Fault:
    return taking_back(disputed(("replay", {})), instance=2)


def a_replay_taken_back_by_somebody() -> Fault:
    log = forged(REPLAYED.log[: BACK + 1], BACK, by=JUDGE)
    return Fault(log, "actors", "", "can only be by server", BACK + 1)


def a_replay_that_brings_what_none_can() -> Fault:
    log = came_back(reason="resigned", scored={"winner": 0, "points": 1})
    return Fault(log, "disputes", "R8", "does not end by resigned and bring that", BACK + 1)


# --- and a move after the end ---------------------------------------------------------------------


def a_move_between_a_claim_and_its_ruling() -> Fault:
    table = disputed()
    resigned = Play(0, Resign())
    before = Table(5, "classic", dispute_ms=DAY).seated()
    before.act(resigned, before.players[0])
    (line,) = [line for line in before.lines if line.type == "resigned"]
    last = table.lines[-1]
    extra = write_line(
        last.stream, last.seq + 1, last.at, table.players[0], "c9", line.event, last.hash
    )
    return Fault([*table.log, extra.raw], "end", "X1", "the match has ended")


def compensations() -> dict[str, Fault]:
    return {
        f"compensation_that_does_not_follow: {field} {by:+}": compensation_that_does_not_follow(
            field, by
        )
        for field in ("points", "hands_won", "game_bonus", "box_bonus", "totals")
        for by in (1, -1)
    }


FAULTS: tuple[Callable[[], Fault], ...] = (
    wrong_points_in_a_claim,
    points_of_a_match_as_a_whole,
    a_claim_by_who_has_not_played,
    a_claim_by_a_director,
    a_claim_for_the_other_seat,
    a_claim_while_the_match_runs,
    a_claim_outside_the_window,
    a_claim_where_there_is_no_window,
    a_claim_over_a_hand_that_was_never_dealt,
    a_claim_over_an_event_of_another_hand,
    a_claim_over_an_event_behind_the_end,
    the_same_claim_again,
    the_seventeenth_claim_of_a_seat,
    a_claim_with_another_number,
    a_claim_without_words,
    a_claim_that_turns_the_reading,
    a_ruling_by_a_participant,
    a_ruling_by_who_has_opened_it,
    a_ruling_without_a_dispute,
    a_ruling_on_another_dispute_than_there_is,
    a_ruling_while_the_match_runs,
    a_second_ruling_without_an_appeal,
    a_third_ruling,
    a_ruling_by_the_same_director_on_appeal,
    a_ruling_of_another_instance,
    a_ruling_that_names_no_rule,
    a_ruling_without_a_reason,
    an_adjustment_of_nothing,
    points_by_another_ruling_than_an_adjustment,
    a_forfeit_of_nobody,
    a_seat_that_loses_by_another_ruling,
    a_match_as_a_whole_that_is_void,
    a_hand_that_is_void_twice,
    points_below_nothing,
    an_appeal_before_a_ruling,
    a_second_appeal,
    an_appeal_while_another_one_waits,
    an_appeal_outside_the_window,
    an_appeal_by_who_has_not_played,
    an_appeal_against_what_was_not_ruled,
    a_result_that_another_one_has_won,
    a_result_for_another_reason,
    a_result_that_is_doubled,
    a_result_of_another_dispute,
    a_result_that_is_missing,
    a_result_that_is_cut_off,
    a_result_that_nothing_has_changed,
    a_result_by_somebody,
    a_result_that_comes_later,
    a_result_with_another_request,
    a_replay_of_another_hand,
    a_replay_that_no_ruling_has_ordered,
    a_replay_without_a_dispute,
    a_replay_that_comes_back_twice,
    a_replay_that_an_appeal_has_called_off,
    a_replay_of_another_instance,
    a_replay_taken_back_by_somebody,
    a_replay_that_brings_what_none_can,
    a_move_between_a_claim_and_its_ruling,
)


@cache
def judged() -> dict[str, tuple[Fault, Verdict]]:
    """Return each fault with what the second verifier says of its log, by its name."""
    faults = {make.__name__: make() for make in FAULTS} | compensations()
    found = verdicts((fault.log, None) for fault in faults.values())
    return dict(zip(faults, zip(faults.values(), found, strict=True), strict=True))


NAMES = [*(make.__name__ for make in FAULTS), *compensations()]


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_after_the_end_is_named_with_its_check_event_and_rule(name: str) -> None:
    fault, verdict = judged()[name]
    report = audit(fault.log)
    assert (fault.check, fault.at) in at_fault(report), text(report)
    (found,) = [each for each in report.faults if (each.check, each.seq) == (fault.check, fault.at)]
    assert (found.rule, fault.why in found.message) == (fault.rule, True), text(report)
    theirs = [(each["check"], each["seq"]) for each in verdict["faults"]]
    assert (fault.check, fault.at) in theirs, (text(report), verdict["faults"])


def test_what_these_faults_were_made_of_has_none() -> None:
    logs = [match().log, disputed().log, disputed(("dismiss", {}), ("uphold", {})).log]
    logs += [ADJUSTED.log, REPLAYED.log, disputed(("replay", {}), ("dismiss", {})).log]
    logs.append(disputed(("void", {})).log)
    for log, verdict in zip(logs, verdicts((log, None) for log in logs), strict=True):
        assert (audit(log).faults, verdict["faults"]) == ((), [])
