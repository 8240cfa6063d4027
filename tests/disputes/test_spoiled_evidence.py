"""What is found of a claim where its log was spoiled as well: by both programs the same."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from support_bundles import Judged, all_judged_by_node, judged_by_us
from support_complaints import CASES, NEITHER, Case, complained
from support_golden import golden_log
from support_logs import events_of, forged, relinked
from support_mutants import CLASSES, Mutant, mutant
from support_play import soak

from ginrummy.evidence.bundle.checking import BundleReport
from ginrummy.evidence.bundle.errors import NothingToBundleError
from ginrummy.evidence.bundle.making import make_bundle


class Spoiled(NamedTuple):
    """A claim over a log that was changed once, and what both programs say of it."""

    complaint: str
    mutant: Mutant
    ours: BundleReport
    theirs: Judged

    @property
    def outcomes(self) -> tuple[str | None, str | None]:
        ours, theirs = self.ours.finding, self.theirs["finding"]
        return (
            None if ours is None else ours.outcome,
            None if theirs is None else theirs["outcome"],
        )

    @property
    def has_lines_out_of_place(self) -> bool:
        """Whether lines are missing, doubled, moved, or cannot be read."""
        faults = () if self.ours.audit is None else self.ours.audit.faults
        return any(fault.check in ("sequence", "line-form", "stream") for fault in faults)

    @property
    def what(self) -> tuple[object, ...]:
        """What was judged, to be shown where it fails."""
        return self.complaint, self.mutant[:4], self.ours.finding, self.theirs["finding"]


def claims() -> list[tuple[str, Case]]:
    """Return all claims, each where it is right and where it is wrong."""
    made = [(name, make(is_right=right)) for name, make in CASES.items() for right in (True, False)]
    return made + [(name, make()) for name, make in NEITHER.items()]


def bundled(case: Case, log: list[bytes]) -> bytes | None:
    """Return the evidence over another log in a case; None where the log has no such dispute."""
    opened = json.loads(case.log[events_of(case.log, "dispute_opened")[-1]])
    try:
        return make_bundle(log, dispute=opened["data"]["dispute"], heads=case.heads)
    except NothingToBundleError:
        return None


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> list[Spoiled]:
    rng = random.Random(20261207)
    of = claims()
    made: list[tuple[str, Mutant, bytes]] = []
    for kind in CLASSES * soak(12, 1):
        name, case = rng.choice(of)
        found = mutant(case.log, kind, rng)
        bundle = None if found is None else bundled(case, found.lines)
        if found is not None and bundle is not None:
            made.append((name, found, bundle))
    directory = tmp_path_factory.mktemp("spoiled")
    theirs = all_judged_by_node(directory, [bundle for *_, bundle in made])
    return [
        Spoiled(name, found, judged_by_us(bundle), said)
        for (name, found, bundle), said in zip(made, theirs, strict=True)
    ]


def test_both_find_the_same_of_a_claim_over_a_spoiled_log(spoiled: list[Spoiled]) -> None:
    """Never is a claim refuted for one and not shown for the other.

    Where a line is not at its place, they may find different faults behind it.
    """
    for each in spoiled:
        ours, theirs = each.outcomes
        if ours != theirs:
            assert {ours, theirs} == {"borne_out", "not_shown"}, each.what
            assert each.has_lines_out_of_place, each.what
    assert {"borne_out", "not_shown"} <= {*Counter(each.outcomes[0] for each in spoiled)}


def test_both_find_such_a_bundle_whole_and_its_log_at_fault(spoiled: list[Spoiled]) -> None:
    """What was given may be wrong; the bundle is what that makes."""
    for each in spoiled:
        assert (each.ours.intact, each.theirs["intact"]) == (True, True), (
            each.what,
            each.theirs["faults"],
        )
        assert each.ours.clean == each.theirs["clean"], each.what


def test_a_log_that_has_a_fault_anywhere_refutes_nothing(spoiled: list[Spoiled]) -> None:
    for each in spoiled:
        if not each.ours.clean:
            assert "refuted" not in each.outcomes, each.what


# --- hands that were played again -----------------------------------------------------------------


@pytest.mark.parametrize("given", ["all", "none", "another result"])
def test_a_score_that_rests_on_a_hand_played_again_takes_that_ones_log(
    given: str, tmp_path: Path
) -> None:
    match, again = golden_log("replayed"), golden_log("replayed_hand")
    end = events_of(match, "match_ended")[0] + 1
    text = "The hand that was played again was counted wrong."
    log = complained(match, "score_wrong", text, hand=None, event=end)
    if given == "another result":
        again = forged(again, events_of(again, "hand_scored")[0], data_points=99)
    stream = json.loads(again[0])["stream"]
    bundle = make_bundle(log, dispute=2, replays={} if given == "none" else {stream: again})
    ours = judged_by_us(bundle)
    (theirs,) = all_judged_by_node(tmp_path, [bundle])
    right = {"all": "refuted", "none": "not_shown", "another result": "borne_out"}[given]
    assert ours.finding is not None
    assert (ours.finding.outcome, theirs["finding"]["outcome"]) == (right, right)


# --- the cases that were found to differ ----------------------------------------------------------


def last_of_a_kind(case: Case, kind: str) -> int:
    return events_of(case.log, kind)[-1]


def judged(tmp_path: Path, case: Case, log: list[bytes]) -> tuple[BundleReport, Judged]:
    bundle = bundled(case, log)
    assert bundle is not None
    (theirs,) = all_judged_by_node(tmp_path, [bundle])
    return judged_by_us(bundle), theirs


def test_a_fault_in_another_hand_hides_none_in_the_disputed_one(tmp_path: Path) -> None:
    """Where a hand cannot be followed, both go on from its result."""
    case = CASES["it was not his deal"](is_right=True)
    gone = events_of(case.log, "stock_drawn")[1]
    log = relinked([*case.log[:gone], *case.log[gone + 1 :]])
    ours, theirs = judged(tmp_path, case, log)
    assert ours.finding is not None
    assert (ours.finding.outcome, theirs["finding"]["outcome"]) == ("borne_out", "borne_out")
    checks = {fault.check for fault in ours.finding.faults}
    assert "dealing" in checks & {fault["check"] for fault in theirs["finding"]["faults"]}


def test_a_line_that_cannot_be_read_hides_no_later_claim(tmp_path: Path) -> None:
    case = CASES["the score is wrong"](is_right=True)
    index = last_of_a_kind(case, "discarded")
    log = [*case.log[:index], case.log[index][:-3], *case.log[index + 1 :]]
    ours, theirs = judged(tmp_path, case, log)
    assert ours.finding is not None
    assert (ours.finding.outcome, theirs["finding"]["outcome"]) == ("borne_out", "borne_out")


def test_a_disputed_event_behind_the_end_of_the_log_is_judged(tmp_path: Path) -> None:
    """The claim is the log's own, whatever number it names."""
    case = CASES["I never threw it"](is_right=False)
    index = last_of_a_kind(case, "dispute_opened")
    line = json.loads(case.log[index])
    line["data"]["event"] = 10**6
    raw = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    ours, theirs = judged(tmp_path, case, relinked([*case.log[:index], raw]))
    assert ours.finding is not None
    assert (ours.finding.outcome, theirs["finding"]["outcome"]) == ("not_shown", "not_shown")


def test_a_result_that_is_missing_is_taken_as_it_had_to_be(tmp_path: Path) -> None:
    case = CASES["it was not his deal"](is_right=True)
    gone = events_of(case.log, "hand_scored")[0]
    ours, theirs = judged(tmp_path, case, relinked([*case.log[:gone], *case.log[gone + 1 :]]))
    assert ours.finding is not None
    assert (ours.finding.outcome, theirs["finding"]["outcome"]) == ("borne_out", "borne_out")


def test_a_claim_under_another_seats_name_says_nothing_of_who_moved(tmp_path: Path) -> None:
    case = NEITHER["a move that is not signed"]()
    index = last_of_a_kind(case, "dispute_opened")
    seat = json.loads(case.log[index])["data"]["seat"]
    ours, theirs = judged(tmp_path, case, forged(case.log, index, data_seat=1 - seat))
    assert ours.finding is not None
    assert (ours.finding.outcome, theirs["finding"]["outcome"]) == ("not_shown", "not_shown")
