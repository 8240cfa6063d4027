"""Hands that were played again by a ruling: what two logs show, and what either shows by itself.

All of it is found by both verifiers.
"""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from support_audit import at_fault, data, nth
from support_disputed_logs import appealed_match, replayed_match
from support_golden import golden_log
from support_logs import Log, board_played, changed, edited, forged, played, relinked
from support_mutants import CLASSES, Mutant, mutant
from support_node import Verdict, verdicts
from support_play import soak

from ginrummy.audit.audit import audit
from ginrummy.audit.beginning import OriginLog
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.replays import ReplayLogs
from ginrummy.audit.report import Report, text
from ginrummy.log.ids import match_id_for
from ginrummy.log.lines import line_hash
from ginrummy.rules.events import TimeControl

CLOCK = TimeControl(bank_ms=900_000, increment_ms=500, decision_ms=20_000)

PAIRS = [("replayed", "replayed_hand"), ("appealed", "appealed_hand")]
"""Golden logs: a match with a hand that was played again, and the match in which it was."""


def stream_of(log: Log) -> str:
    return str(data_of(log)["stream"])


def data_of(log: Log) -> dict[str, Any]:
    return dict(msgspec.json.decode(log[0]))


def given(*logs: Log) -> ReplayLogs:
    """Return logs as an audit is given them."""
    return {stream_of(log): log for log in logs}.get


class Said(NamedTuple):
    """What both verifiers say of a log with what is beside it."""

    ours: Report
    theirs: Verdict


def said(log: Log, *, replays: Sequence[Log] = (), origin: Log | None = None) -> Said:
    """Return what both verifiers say; they agree on whether the log is clean."""
    ours = audit(log, replays=given(*replays), origin=None if origin is None else OriginLog(origin))
    (theirs,) = verdicts([(log, None)], origins=[origin], replays=[replays])
    assert theirs["clean"] == ours.clean, (text(ours), theirs["faults"])
    return Said(ours, theirs)


def both_find(found: Said) -> list[tuple[str, int]]:
    """Return which checks found something at which events, where both verifiers say the same."""
    theirs = [(fault["check"], fault["seq"]) for fault in found.theirs["faults"]]
    assert sorted(theirs) == sorted(at_fault(found.ours)), (text(found.ours), theirs)
    return at_fault(found.ours)


# --- good ones ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("disputed", "again"), PAIRS)
def test_two_logs_that_belong_together_show_it(disputed: str, again: str) -> None:
    match, replay = golden_log(disputed), golden_log(again)
    with_replay = said(match, replays=[replay])
    assert both_find(with_replay) == []
    assert with_replay.ours.check("replays").status == "passed"
    assert with_replay.theirs["checked"]["replays"] == 1
    assert with_replay.theirs["unshown"] == {"origin": False, "replays": 0}
    with_origin = said(replay, origin=match)
    assert both_find(with_origin) == []
    assert with_origin.ours.check("origin").status == "passed"
    assert with_origin.theirs["unshown"] == {"origin": False, "replays": 0}


@pytest.mark.parametrize(("disputed", "again"), PAIRS)
def test_where_one_log_is_given_both_say_what_was_not_shown(disputed: str, again: str) -> None:
    alone = said(golden_log(disputed))
    assert both_find(alone) == []
    check = alone.ours.check("replays")
    assert (check.status, check.count) == ("not_applicable", 0)
    assert check.detail == "no log of the hand played again was given"
    assert check.detail in text(alone.ours)
    assert alone.theirs["unshown"] == {"origin": False, "replays": 1}
    alone = said(golden_log(again))
    assert both_find(alone) == []
    assert alone.ours.check("origin").status == "not_applicable"
    assert "the log that it branches off from was not given" in text(alone.ours)
    assert alone.theirs["unshown"] == {"origin": True, "replays": 0}


def test_where_some_logs_are_given_the_others_are_said_to_be_missing() -> None:
    match = golden_log("replayed")
    both = relinked([*match, changed(match[-2], data_dispute=2, data_match="m_" + "0" * 26)])
    check = audit(both, replays=given(golden_log("replayed_hand"))).check("replays")
    assert check.count == 1
    spoiled = audit(both, replays=given())
    assert spoiled.check("replays").status == "failed"


@pytest.mark.parametrize("make", [replayed_match, appealed_match])
@pytest.mark.parametrize("terms", [{}, {"clock": CLOCK}, {"signing": "required"}])
def test_fresh_ones_belong_together(make: Any, terms: dict[str, Any]) -> None:  # noqa: ANN401 -- either
    for seed in range(3):
        table, replay = make(seed, "classic", **terms)
        assert both_find(said(table.log, replays=[replay.log])) == []
        assert both_find(said(replay.log, origin=table.log)) == []


# --- what the match says of a replay --------------------------------------------------------------

MATCH, AGAIN = golden_log("replayed"), golden_log("replayed_hand")
TOLD = nth(MATCH, "hand_replayed")
RULED = nth(MATCH, "dispute_ruled")
GIVEN_UP, GIVEN_UP_AGAIN = golden_log("appealed"), golden_log("appealed_hand")
TOLD_UP = nth(GIVEN_UP, "hand_replayed")


def retold(log: Log = MATCH, at: int = TOLD, /, **fields: object) -> Log:
    """Return a match that tells of its replay otherwise, every hash made good.

    The result that follows from it is left out.
    """
    return forged(log[: at + 1], at, **{f"data_{name}": value for name, value in fields.items()})


def test_another_match_than_the_rulings_is_found_from_the_log_alone() -> None:
    """Its id follows from the ruling."""
    for log, at in ((MATCH, TOLD), (GIVEN_UP, TOLD_UP)):
        wrong = forged(log, at, data_match="m_" + "0" * 26)
        found = said(wrong)
        assert both_find(found) == [("replays", at + 1)]
        (fault,) = found.ours.faults
        assert fault.rule == "R8"
        assert "but has to be m_" in fault.message


@pytest.mark.parametrize(
    ("reason", "scored"),
    [
        ("target", None),
        ("ruling", {"winner": 0, "points": 20}),
        ("hands", {"winner": 0, "points": 0}),
        ("aborted", {"winner": 0, "points": 20}),
        ("hands_exhausted", {"winner": 1, "points": 20}),
        ("round_clock", {"winner": 1, "points": 20}),
        ("resigned", {"winner": 1, "points": 19}),
        ("clock", {"winner": 1, "points": 21}),
        ("crash", {"winner": 1, "points": 0}),
    ],
)
def test_what_no_hand_can_bring_is_found_from_the_log_alone(reason: str, scored: object) -> None:
    """R8 who gives it up loses as by gin; what nobody has won brings nothing."""
    found = said(retold(reason=reason, scored=scored))
    assert both_find(found) == [("disputes", TOLD + 1)]
    (fault,) = found.ours.faults
    assert (fault.rule, f"by {reason} and bring that" in fault.message) == ("R8", True)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seq": 13}, "its event 13 is not the line"),
        ({"seq": 15}, "its event 15 is not the line"),
        ({"hash": "0" * 64}, "its event 14 is not the line"),
        ({"reason": "hands_exhausted", "scored": None}, "it has brought something else"),
        ({"scored": {"winner": 0, "points": 44}}, "it has brought something else"),
        ({"scored": {"winner": 1, "points": 45}}, "it has brought something else"),
        ({"reason": "resigned", "scored": {"winner": 1, "points": 20}}, "something else"),
        ({"scored": None}, "it has brought something else"),
    ],
    ids=str,
)
def test_what_only_the_replays_log_contradicts(change: dict[str, object], why: str) -> None:
    log = retold(**change)
    alone = {check for check, _ in both_find(said(log))}
    assert "replays" not in alone
    beside = said(log, replays=[AGAIN])
    faults = [fault for fault in beside.ours.faults if fault.check == "replays"]
    assert [(fault.seq, fault.rule, why in fault.message) for fault in faults] == [
        (TOLD + 1, "R8", True)
    ]
    assert ("replays", TOLD + 1) in both_find(beside)


def test_a_replay_that_ended_before_the_line_that_is_named() -> None:
    """The line with the end itself is not the one that was last then."""
    end = nth(AGAIN, "match_ended")
    log = retold(seq=end, hash=line_hash(AGAIN[end - 1]))
    found = said(log, replays=[AGAIN])
    assert any(f"has not ended with event {end}" in each.message for each in found.ours.faults)
    assert ("replays", TOLD + 1) in both_find(found)


@pytest.mark.parametrize(
    ("log", "why"),
    [
        (golden_log("classic"), None),
        (AGAIN[:-1], "is not the line that the match names"),
        (AGAIN[:-3], "hand_scored has to follow event"),
        (forged(AGAIN, nth(AGAIN, "hand_scored"), data_points=99), "hand_scored: points is 99"),
        (edited(AGAIN, 5, cmd="x"), "event 6: this is not the line"),
        (forged(AGAIN, len(AGAIN) - 1, cmd="another"), "it comes with event"),
    ],
)
def test_another_log_than_the_replays(log: Log, why: str | None) -> None:
    found = said(MATCH, replays=[log])
    if why is None:
        # It is of another match, so nothing is shown.
        assert both_find(found) == []
        assert found.ours.check("replays").status == "not_applicable"
        return
    assert both_find(found) == [("replays", TOLD + 1)]
    assert why in found.ours.faults[0].message


def test_a_log_under_a_replays_name_that_is_another_ones() -> None:
    report = audit(MATCH, replays=lambda _: golden_log("classic"))
    assert at_fault(report) == [("replays", TOLD + 1)]
    assert "it is the log of" in report.faults[0].message
    nothing = audit(MATCH, replays=lambda _: [b"no log"])
    assert "none of its lines is an event" in nothing.faults[0].message


# --- what a replay's own log shows ----------------------------------------------------------------


def under(stream: str, log: Log) -> Log:
    """Return a log that says to be of another match."""
    return relinked([changed(raw, stream=stream) for raw in log])


@pytest.mark.parametrize(
    ("log", "why"),
    [
        (forged(AGAIN, 0, by="p_" + "0" * 26), "a replay is opened by the server"),
        (forged(AGAIN, 0, cmd=""), "its request id is not"),
        (forged(AGAIN, 0, cmd=stream_of(MATCH) + "/1/3"), "its request id is not"),
        (forged(AGAIN, 0, cmd=stream_of(MATCH) + "/01/1"), "its request id is not"),
        (forged(AGAIN, 0, cmd=f"m_{'0' * 26}/1/1"), "its request id is not"),
        (forged(AGAIN, 0, cmd=stream_of(MATCH) + "/2/1"), "by the ruling its id has to be"),
        (forged(AGAIN, 0, cmd=stream_of(MATCH) + "/1/2"), "by the ruling its id has to be"),
        # Its secrets make other decks under another id: until they are out that is not seen.
        (under("m_" + "0" * 26, AGAIN[:7]), "by the ruling its id has to be"),
    ],
)
def test_a_replay_that_no_ruling_has_opened_is_found_from_its_log_alone(log: Log, why: str) -> None:
    found = said(log)
    assert both_find(found) == [("origin", 1)]
    assert why in found.ours.faults[0].message


def opened(cmd: str, **fields: object) -> Log:
    """Return a replay that was opened with another request, and so under another id."""
    log = under(match_id_for("server", cmd), AGAIN[:7])
    return forged(log, 0, cmd=cmd, **fields)


RULES = data(AGAIN[0])["rules"]
LIMITS = data(AGAIN[0])["limits"]
ORIGIN = data(AGAIN[0])["origin"]
OTHER_MATCH = data_of(golden_log("disputed"))["stream"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rules", RULES | {"gin_bonus": 21}),
        ("rules", RULES | {"target": 101}),
        ("clock", {"bank_ms": 900_000, "increment_ms": 0, "decision_ms": None}),
        ("limits", LIMITS | {"start_ms": 3_600_000}),
        ("limits", LIMITS | {"illegal_moves": 3}),
        ("signing", "optional"),
        ("origin", ORIGIN | {"hash": "0" * 64}),
        ("origin", ORIGIN | {"hand": 1}),
    ],
)
def test_terms_that_are_not_the_rulings(field: str, value: object) -> None:
    """In its own log nothing contradicts them."""
    log = forged(AGAIN[:7], 0, **{f"data_{field}": value})
    assert both_find(said(log)) == []
    found = said(log, origin=MATCH)
    assert both_find(found) == [("origin", 1)]
    assert f"by the ruling it has to have another {field}" in found.ours.faults[0].message


def test_another_dealer_and_other_players_than_the_rulings() -> None:
    dealer = data(AGAIN[0])["first_dealer"]
    alone = [
        forged(AGAIN[:5], 0, data_first_dealer=1 - dealer),
        forged(AGAIN[:1], 0, data_seats=["p_" + "0" * 26, data(AGAIN[0])["seats"][1]]),
        forged(AGAIN[:1], 0, data_seats=data(AGAIN[0])["seats"][::-1]),
    ]
    for log in alone:
        assert both_find(said(log)) == []
        assert both_find(said(log, origin=MATCH)) == [("origin", 1)]


@pytest.mark.parametrize("dispute", [2, 17])
def test_a_request_of_another_ruling_than_its_origin_names(dispute: int) -> None:
    log = opened(f"{stream_of(MATCH)}/{dispute}/1")
    assert both_find(said(log)) == []
    found = said(log, origin=MATCH)
    assert both_find(found) == [("origin", 1)]
    assert "its request id is not the ruling's" in found.ours.faults[0].message


@pytest.mark.parametrize("seq", [1, RULED, RULED + 2, 10**6, 10**20])
def test_an_origin_that_is_no_ruling(seq: int) -> None:
    log = forged(AGAIN[:7], 0, data_origin=ORIGIN | {"seq": seq})
    found = said(log, origin=MATCH)
    assert both_find(found) == [("origin", 1)]
    assert f"its origin cannot be followed to event {seq}" in found.ours.faults[0].message


@pytest.mark.parametrize(
    "origin",
    [
        MATCH[:RULED],
        edited(MATCH, 5, cmd="x"),
        [*MATCH[:5], b"{}", *MATCH[6:]],
        [b"{}"],
        golden_log("disputed"),
        forged(MATCH, RULED, data_ruling="void"),
        forged(MATCH, RULED, data_why="Another reason."),
        forged(MATCH, 0, name="x", data_name="Another"),
    ],
    ids=lambda log: f"{len(log)}",
)
def test_another_origin_than_the_replays(origin: Log) -> None:
    assert both_find(said(AGAIN, origin=origin)) == [("origin", 1)]


def test_lines_after_the_ruling_do_not_matter_to_what_it_has_played() -> None:
    for origin in (MATCH[: RULED + 1], [*MATCH[: RULED + 1], b"{}"], edited(MATCH, TOLD, cmd="x")):
        assert both_find(said(AGAIN, origin=origin)) == []


def test_a_match_that_is_no_replay_beside_a_disputed_one() -> None:
    for log in (played(3, hands=1).log, board_played(3).log):
        assert both_find(said(log, origin=MATCH, replays=[AGAIN])) == [("origin", 1)]


# --- mutants --------------------------------------------------------------------------------------


def spoiled(log: Log, seed: int) -> list[Mutant]:
    rng = random.Random(seed)
    tries = (mutant(log, kind, rng) for kind in CLASSES for _ in range(soak(30, 4)))
    return [made for made in tries if made is not None]


def is_clean(log: Log, *, replays: ReplayLogs | None = None, origin: Log | None = None) -> bool:
    try:
        beside = None if origin is None else OriginLog(origin)
        return audit(log, replays=replays, origin=beside).clean
    except UnusableLogError:
        return False


@pytest.mark.parametrize(("disputed", "again"), PAIRS)
def test_both_judge_a_spoiled_match_beside_its_replay_alike(disputed: str, again: str) -> None:
    match, replay = golden_log(disputed), golden_log(again)
    made = spoiled(match, 20261204)
    found = verdicts(((each.lines, None) for each in made), replays=[[replay]] * len(made))
    for each, verdict in zip(made, found, strict=True):
        clean = is_clean(each.lines, replays=given(replay))
        assert verdict["clean"] == clean, each[:4]
        if clean:
            # With both logs nothing can be told of a hand played again but what was.
            assert each.type != "hand_replayed" or each.kind == "time", each[:4]


TERMS = ("rules", "clock", "limits", "first_dealer", "seats", "signing", "origin", "cmd", "by")
"""What follows from a ruling, or has to."""


@pytest.mark.parametrize(("disputed", "again"), PAIRS)
def test_both_judge_a_spoiled_replay_beside_its_match_alike(disputed: str, again: str) -> None:
    match, replay = golden_log(disputed), golden_log(again)
    made = spoiled(replay, 20261205)
    logs = [each.lines for each in made]
    beside = verdicts(((log, None) for log in logs), origins=[match] * len(made))
    for each, verdict in zip(made, beside, strict=True):
        clean = is_clean(each.lines, origin=match)
        assert verdict["clean"] == clean, each[:4]
        if clean and each.type == "match_created":
            assert each.kind not in ("rule", "request", "by"), each[:4]
            assert each.field not in TERMS, each[:4]
    within = verdicts(((match, None) for _ in made), replays=[[log] for log in logs])
    for each, verdict in zip(made, within, strict=True):
        log = each.lines
        found = is_clean(match, replays=given(log) if stream_or_none(log) else None)
        assert verdict["clean"] == found, each[:4]
        # Behind the line that the match names there is nothing that counts.
        if found and verdict["unshown"]["replays"] == 0:
            last = data(match[nth(match, "hand_replayed")])["seq"]
            assert log[:last] == replay[:last], each[:4]


def stream_or_none(log: Log) -> str | None:
    try:
        return stream_of(log)
    except ValueError:
        return None


@pytest.mark.parametrize(("disputed", "again"), PAIRS)
def test_both_judge_a_replay_beside_a_spoiled_match_alike(disputed: str, again: str) -> None:
    match, replay = golden_log(disputed), golden_log(again)
    made = spoiled(match, 20261206)
    found = verdicts(((replay, None) for _ in made), origins=[each.lines for each in made])
    ruled = data(replay[0])["origin"]["seq"]
    for each, verdict in zip(made, found, strict=True):
        clean = is_clean(replay, origin=each.lines)
        assert verdict["clean"] == clean, each[:4]
        assert clean == (each.lines[:ruled] == match[:ruled]), each[:4]
