"""The evidence bundle: what is in it, that it is the same each time, and that no change passes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from support_bundles import (
    heads_of,
    judged_by_node,
    judged_by_us,
    members_of,
    receipt_of,
    respelled,
    spoiled,
)
from support_complaints import CASES
from support_disputed_logs import disputed_match, replayed_match
from support_golden import GOLDEN, golden_log
from support_logs import Log, Table, events_of, forged, in_hand

from ginrummy.evidence.bundle.archive import write_archive
from ginrummy.evidence.bundle.build import own_build
from ginrummy.evidence.bundle.errors import NothingToBundleError, UnusableBundleError
from ginrummy.evidence.bundle.making import make_bundle
from ginrummy.evidence.bundle.manifest import MANIFEST, read_manifest
from ginrummy.evidence.bundle.replaying import replayed_matches
from ginrummy.evidence.bundle.telling import bundle_text
from ginrummy.log.notes import VerifierKey
from ginrummy.log.signing import SigningKey
from ginrummy.replay.ink import WIDTH, width
from ginrummy.replay.render import draw
from ginrummy.replay.shape import write_position
from ginrummy.replay.stepping import Replay
from ginrummy.rules.events import TimeControl

CLOCK = TimeControl(bank_ms=900_000, increment_ms=500, decision_ms=20_000)
OTHER = SigningKey("ginrummy.log/other", bytes(32)).verifier


class Made:
    """A bundle with everything in it, and what it was made of."""

    def __init__(self, directory: Path) -> None:
        self.table = disputed_match(clock=CLOCK)
        self.log: Log = self.table.log
        self.receipt, self.key = receipt_of(directory / "gin.db", self.table.lines)
        self.heads = [heads_of("seat-1", self.log, 9, 20, 30), heads_of("seat-0", self.log)]
        self.bundle = self.again()
        self.members = members_of(self.bundle)

    def again(self) -> bytes:
        return make_bundle(
            self.log, dispute=1, receipt=self.receipt, key=self.key, heads=self.heads
        )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("bundles"))


# --- what is in it --------------------------------------------------------------------------------


def test_it_holds_all_that_a_judge_needs(made: Made) -> None:
    assert list(made.members) == [
        "manifest.json",
        "statement.txt",
        "match.log",
        "receipt.tlog-proof",
        "checkpoint",
        "server.key",
        "heads/seat-0.jsonl",
        "heads/seat-1.jsonl",
        "audit.txt",
        "audit.json",
        "audit.html",
        "views/seat-0.jsonl",
        "views/seat-1.jsonl",
        "views/public.jsonl",
        "views/seat-0.txt",
        "views/seat-1.txt",
        "views/public.txt",
        "clock.json",
        "server.json",
        "dispute.json",
        "SHA256SUMS",
    ]
    subject = read_manifest(made.members[MANIFEST]).subject
    assert (subject.match, subject.dispute, subject.hand) == (made.table.stream, 1, 1)
    assert made.members["match.log"] == b"".join(raw + b"\n" for raw in made.log)
    assert made.receipt.endswith(made.members["checkpoint"])
    assert made.members["server.key"].decode() == f"{made.key}\n"


def test_the_views_are_those_of_a_replay_before_the_event_and_after(made: Made) -> None:
    replay, event = Replay(made.log), read_manifest(made.members[MANIFEST]).subject.event
    for seat, name in ((0, "seat-0"), (1, "seat-1"), ("public", "public")):
        told = [write_position(replay.at(seq), seat) + b"\n" for seq in (event - 1, event)]  # type: ignore[arg-type]  # eyes
        assert made.members[f"views/{name}.jsonl"] == b"".join(told)
        drawn = draw(replay.at(event), seat, last=len(made.log))  # type: ignore[arg-type]  # eyes
        assert made.members[f"views/{name}.txt"] == drawn.encode()


def test_the_clock_is_that_of_the_disputed_hand(made: Made) -> None:
    clock = json.loads(made.members["clock.json"])
    assert clock["time_control"] == {"bank_ms": 900_000, "increment_ms": 500, "decision_ms": 20_000}
    assert clock["hand"] == 1
    first = clock["decisions"][0]
    assert (first["thought_ms"], first["allowed_ms"]) == (1500.0, 20_000.0)
    seqs = [each["seq"] for each in clock["decisions"]]
    assert seqs == sorted(seqs)
    assert seqs[-1] < read_manifest(made.members[MANIFEST]).subject.event


def test_the_dispute_is_told_in_the_logs_own_words(made: Made) -> None:
    told = json.loads(made.members["dispute.json"])
    assert told["opened"]["data"]["text"] == "It was 10 points less, as everybody saw."
    assert [each["data"]["ruling"] for each in told["rulings"]] == ["adjust"]
    assert told["as_played"]["data"]["reason"] == "target"
    assert told["stands"]["seq"] > told["as_played"]["seq"]
    statement = made.members["statement.txt"].decode()
    assert '"It was 10 points less, as everybody saw."' in statement
    assert 'upheld, -3 for Alice, +4 for Bob (S1): "The bonus was counted' in statement
    assert "The record refutes the claim." in statement
    assert all(width(line) <= WIDTH for line in statement.splitlines())


def test_the_build_and_the_ruleset_are_named(made: Made) -> None:
    server = json.loads(made.members["server.json"])
    build = own_build()
    assert (server["version"], server["code"]) == (build.version, build.code)
    rules = msgspec.json.encode(json.loads(made.log[0])["data"]["rules"])
    import hashlib  # noqa: PLC0415 -- the plainest way to say what is meant

    assert server["ruleset"] == hashlib.sha256(rules).hexdigest()


def test_without_a_dispute_it_is_about_an_event_or_the_end() -> None:
    log = golden_log("classic")
    about = [
        read_manifest(members_of(make_bundle(log, event=event))[MANIFEST]).subject
        for event in (40, 1, None)
    ]
    assert [(each.dispute, each.hand, each.event) for each in about] == [
        (None, 1, 40),
        (None, None, 1),
        (None, None, len(log) - 1),
    ]
    found = judged_by_us(make_bundle(log, event=40))
    assert found.clean
    assert found.finding is None


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"dispute": 9}, "there is no dispute 9 over m_.*: the last one is 3"),
        ({"event": 9999}, "there is no event 9999"),
    ],
)
def test_what_a_match_does_not_have_is_refused(asked: dict[str, int], why: str, made: Made) -> None:
    with pytest.raises(NothingToBundleError, match=why):
        make_bundle(made.log, **asked)  # type: ignore[arg-type]  # numbers


def test_what_is_no_match_is_refused() -> None:
    with pytest.raises(NothingToBundleError):
        make_bundle([b"hello"])


def test_a_match_that_runs_gives_nothing_hidden_away() -> None:
    table = Table(13).seated().play(until=in_hand(3))
    members = members_of(make_bundle(table.log, event=len(table.log)))
    own = json.loads(members["views/seat-0.jsonl"].splitlines()[-1])["view"]["hand"]
    everybodys = json.loads(members["views/public.jsonl"].splitlines()[-1])["view"]["hand"]
    assert own["hands"] == everybodys["hands"]
    secret = table.secrets.secret(3).hex().encode()
    assert all(secret not in data for data in members.values())


# --- the same, wherever it is made ----------------------------------------------------------------


def test_the_same_gives_the_same_bytes_in_another_process(made: Made, tmp_path: Path) -> None:
    assert made.again() == made.bundle
    log = tmp_path / "match.log"
    log.write_bytes(made.members["match.log"])
    script = (
        "import sys; from pathlib import Path; from ginrummy.evidence.bundle.making import"
        " make_bundle; lines = Path(sys.argv[1]).read_bytes().splitlines();"
        " sys.stdout.buffer.write(make_bundle(lines, dispute=1))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", script, log],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo", "LANG": "C"},
        ).stdout
        for seed in ("0", "42")
    ]
    assert told[0] == told[1] == make_bundle(made.log, dispute=1)


# --- judged ---------------------------------------------------------------------------------------


def test_a_good_bundle_is_clean_to_both(made: Made, tmp_path: Path) -> None:
    ours = judged_by_us(made.bundle)
    assert (ours.clean, ours.intact, ours.is_own_build) == (True, True, True)
    assert ours.key == str(made.key)
    assert not ours.is_key_known
    code, theirs, complaints = judged_by_node(tmp_path / "a.zip", made.bundle)
    assert (code, theirs["clean"], theirs["intact"], complaints) == (0, True, True, "")
    assert theirs["key"] == str(made.key)
    assert theirs["finding"]["outcome"] == "refuted"


def test_the_key_that_one_knows_is_the_one_that_counts(made: Made, tmp_path: Path) -> None:
    known = judged_by_us(made.bundle, made.key)
    assert (known.clean, known.is_key_known) == (True, True)
    other = judged_by_us(made.bundle, OTHER)
    assert not other.clean
    assert [fault.check for fault in other.faults] == ["key"]
    assert other.audit is not None
    assert [fault.check for fault in other.audit.faults] == ["receipt"]
    code, theirs, _ = judged_by_node(tmp_path / "a.zip", made.bundle, OTHER)
    assert code == 1
    assert [fault["check"] for fault in theirs["faults"]] == ["key"]
    assert [fault["check"] for fault in theirs["log"]["faults"]] == ["receipt"]


def test_what_one_has_kept_oneself_counts_against_a_bundle_that_says_otherwise(
    tmp_path: Path,
) -> None:
    """Whoever has written a log anew puts hashes into a bundle that fit it."""
    dishonest = CASES["the server changed it afterwards"](is_right=True)
    opened = events_of(dishonest.log, "dispute_opened")[0]
    told = heads_of("seat-1", dishonest.log[:opened])
    bundle = make_bundle(dishonest.log, dispute=1, heads=[told])
    for heads, outcome in (((), "refuted"), (dishonest.heads, "borne_out")):
        ours = judged_by_us(bundle, None, *heads)
        assert (ours.intact, ours.clean) == (True, not heads)
        assert ours.finding is not None
        _, theirs, _ = judged_by_node(tmp_path / "a.zip", bundle, None, *heads)
        assert ours.finding.outcome == theirs["finding"]["outcome"] == outcome


def test_the_report_is_told_in_words(made: Made) -> None:
    text = bundle_text(judged_by_us(made.bundle))
    assert "Intact and clean: no fault found." in text
    assert "It is claimed that a score is wrong. The record refutes the claim." in text
    assert all(width(line) <= WIDTH for line in text.splitlines())


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.log")))
def test_every_kind_of_match_makes_a_bundle_that_is_clean_to_both(
    name: str, tmp_path: Path
) -> None:
    """Boards, forks, signed and old forms, matches that ended in every way, or run."""
    log = golden_log(name)
    for event in (1, len(log) // 2, len(log)):
        bundle = make_bundle(log, event=event)
        ours = judged_by_us(bundle)
        assert ours.audit is not None
        assert (ours.clean, ours.faults) == (True, ())
        code, theirs, complaints = judged_by_node(tmp_path / "a.zip", bundle)
        assert (code, theirs["faults"], complaints) == (0, [], "")


# --- changed --------------------------------------------------------------------------------------


def _edit(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old, new, 1)


CHANGES: dict[str, Callable[[bytes], bytes | None]] = {
    "statement.txt": _edit(b"refutes", b"bears out"),
    "audit.txt": _edit(b"Clean: no fault", b"NOT CLEAN: 9"),
    "audit.json": _edit(b'"clean":true', b'"clean":false'),
    "audit.html": _edit(b"Clean: no fault", b"Not clean: one"),
    "views/seat-0.jsonl": _edit(b'"hidden":0', b'"hidden":1'),
    "views/seat-1.jsonl": _edit(b'"pile":["', b'"pile":["AS","'),
    "views/public.jsonl": _edit(b'"stock":', b'"stock":1'),
    "views/seat-1.txt": _edit(b"deadwood", b"melds"),
    "clock.json": _edit(b"1500.0", b"1501.0"),
    "server.json": _edit(b'"ruleset": "', b'"ruleset": "0'),
    "dispute.json": _edit(b"10 points less", b"20 points less"),
    "checkpoint": _edit(b"ginrummy", b"ginrunny"),
}
FOR_PEOPLE = {"statement.txt", "audit.txt", "audit.json", "audit.html", "views/seat-1.txt"}
"""What the independent verifier only hashes."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_member_is_found_by_both(name: str, made: Made, tmp_path: Path) -> None:
    bundle = spoiled(made.bundle, name, CHANGES[name], forged=False)
    assert ("manifest", name) in {(f.check, f.member) for f in judged_by_us(bundle).faults}
    code, theirs, _ = judged_by_node(tmp_path / "a.zip", bundle)
    assert code == 1
    assert ("manifest", name) in {(f["check"], f["member"]) for f in theirs["faults"]}


@pytest.mark.parametrize("name", CHANGES)
def test_with_the_manifest_made_good_it_is_still_not_what_the_log_makes(
    name: str, made: Made, tmp_path: Path
) -> None:
    bundle = spoiled(made.bundle, name, CHANGES[name], forged=True)
    assert [(f.check, f.member) for f in judged_by_us(bundle).faults] == [("contents", name)]
    code, theirs, _ = judged_by_node(tmp_path / "a.zip", bundle)
    if name not in FOR_PEOPLE:
        assert code == 1
        assert {(f["check"], f["member"]) for f in theirs["faults"]} == {("contents", name)}


@pytest.mark.parametrize("name", ["match.log", "clock.json", "server.json", "audit.html"])
def test_what_is_missing_is_named_by_both(name: str, made: Made, tmp_path: Path) -> None:
    for is_forged in (False, True):
        bundle = spoiled(made.bundle, name, lambda _: None, forged=is_forged)
        assert name in {fault.member for fault in judged_by_us(bundle).faults}
        code, theirs, _ = judged_by_node(tmp_path / "a.zip", bundle)
        assert code == 1
        assert name in {fault["member"] for fault in theirs["faults"]}


def test_what_was_put_in_beside_is_named_by_both(made: Made, tmp_path: Path) -> None:
    for bundle in (
        write_archive(made.members | {"more.txt": b"Believe me."}),
        respelled(made.members | {"more.txt": b"Believe me."}),
    ):
        assert "more.txt" in {fault.member for fault in judged_by_us(bundle).faults}
        _, theirs, _ = judged_by_node(tmp_path / "a.zip", bundle)
        assert "more.txt" in {fault["member"] for fault in theirs["faults"]}


def test_another_log_than_the_receipts_is_found_by_both(made: Made, tmp_path: Path) -> None:
    """Whoever runs the server writes all anew, and cannot have it signed in its old place."""
    log = forged(made.log, events_of(made.log, "dispute_ruled")[0], data_why="Because I say so.")
    bundle = make_bundle(log, dispute=1, receipt=made.receipt, key=made.key)
    ours = judged_by_us(bundle)
    assert ours.intact
    assert ours.audit is not None
    assert {fault.check for fault in ours.audit.faults} == {"receipt"}
    _, theirs, _ = judged_by_node(tmp_path / "a.zip", bundle)
    assert {fault["check"] for fault in theirs["log"]["faults"]} == {"receipt"}


@pytest.mark.parametrize("name", ["receipt.tlog-proof", "server.key", "heads/seat-0.jsonl"])
def test_what_was_kept_and_cannot_be_read_is_named_by_both(
    name: str, made: Made, tmp_path: Path
) -> None:
    bundle = spoiled(made.bundle, name, lambda _: b"nonsense\n", forged=True)
    ours = judged_by_us(bundle)
    assert not ours.clean
    code, theirs, complaints = judged_by_node(tmp_path / "a.zip", bundle)
    assert (code, complaints) == (1, "")
    assert name in {fault["member"] for fault in theirs["faults"]}


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"format":"ginrummy/evidence/v2"}'])
def test_a_manifest_that_is_none_makes_no_bundle(
    content: bytes, made: Made, tmp_path: Path
) -> None:
    bundle = write_archive(made.members | {MANIFEST: content})
    with pytest.raises(UnusableBundleError):
        judged_by_us(bundle)
    assert judged_by_node(tmp_path / "a.zip", bundle)[0] == 2


def test_the_words_of_another_build_are_not_compared(made: Made, tmp_path: Path) -> None:
    """Another version may say the same otherwise; what is for programs is a contract."""
    build = own_build().code.encode()
    other = spoiled(
        made.bundle, "server.json", lambda data: data.replace(build, b"0" * 64), forged=True
    )
    worded = spoiled(other, "audit.txt", _edit(b"Clean:", b"All well:"), forged=True)
    found = judged_by_us(worded)
    assert (found.clean, found.is_own_build) == (True, False)
    assert "This program is another one" in bundle_text(found)
    seen = spoiled(other, "views/seat-0.jsonl", CHANGES["views/seat-0.jsonl"], forged=True)
    assert [fault.member for fault in judged_by_us(seen).faults] == ["views/seat-0.jsonl"]


def test_every_change_of_a_view_or_a_time_is_found_by_the_independent_verifier(
    made: Made, tmp_path: Path
) -> None:
    changes = [
        ("views/seat-0.jsonl", b'"number":1', b'"number":2'),
        ("views/seat-0.jsonl", b'"dealer":0', b'"dealer":1'),
        ("views/seat-0.jsonl", b'"upcard":"', b'"upcard":"X'),
        ("views/seat-0.jsonl", b'"seq":', b'"seq":1'),
        ("views/seat-1.jsonl", b'"face_down":null', b'"face_down":"AS"'),
        ("clock.json", b'"seat": 1', b'"seat": 0'),
        ("clock.json", b"20000.0", b"10000.0"),
        ("clock.json", b"900000", b"800000"),
        ("clock.json", b'"made_by": "player"', b'"made_by": "server"'),
    ]
    for name, old, new in changes:
        bundle = spoiled(made.bundle, name, _edit(old, new), forged=True)
        code, theirs, complaints = judged_by_node(tmp_path / "a.zip", bundle)
        assert (code, complaints) == (1, ""), (name, new)
        assert {fault["member"] for fault in theirs["faults"]} == {name}


def test_a_key_of_the_wrong_kind_is_said_to_be_none(made: Made) -> None:
    assert isinstance(made.key, VerifierKey)
    bundle = spoiled(made.bundle, "server.key", lambda _: b"name+00000000+AAAA\n", forged=True)
    assert {fault.member for fault in judged_by_us(bundle).faults} >= {"server.key"}


# --- hands that were played again -----------------------------------------------------------------


def replayed_bundle(replay: Log | None = None) -> bytes:
    table, again = replayed_match()
    assert replayed_matches(table.log, 1) == (again.stream,)
    return make_bundle(table.log, dispute=1, replays={again.stream: replay or again.log})


def test_the_log_of_a_hand_that_was_played_again_goes_in_and_is_judged(tmp_path: Path) -> None:
    bundle = replayed_bundle()
    _, again = replayed_match()
    assert f"replays/{again.stream}.log" in members_of(bundle)
    ours = judged_by_us(bundle)
    assert (ours.clean, ours.faults) == (True, ())
    assert [check.count for check in ours.checks if check.name == "replays"] == [1]
    code, theirs, complaints = judged_by_node(tmp_path / "a.zip", bundle)
    assert (code, theirs["faults"], complaints) == (0, [], "")


def test_a_replay_that_is_not_what_the_match_says_is_named_by_both(tmp_path: Path) -> None:
    log = replayed_match()[1].log
    score = events_of(log, "hand_scored")[0]
    wrong = {
        "its score": forged(log, score, data_points=99),
        "its end": log[:-3],
        "another line": forged(log, len(log) - 1, cmd="another"),
        "another match": golden_log("classic"),
    }
    for name, replay in wrong.items():
        bundle = replayed_bundle(replay)
        assert [fault.check for fault in judged_by_us(bundle).faults] == ["replays"], name
        _, theirs, complaints = judged_by_node(tmp_path / "a.zip", bundle)
        assert ([fault["check"] for fault in theirs["faults"]], complaints) == (["replays"], "")


def test_a_replay_that_the_match_does_not_name_is_refused_by_both(tmp_path: Path) -> None:
    other = golden_log("classic")
    stream = json.loads(other[0])["stream"]
    bundle = make_bundle(disputed_match().log, dispute=1, replays={stream: other})
    assert [fault.message for fault in judged_by_us(bundle).faults] == [
        "the log has no such replay"
    ]
    _, theirs, _ = judged_by_node(tmp_path / "a.zip", bundle)
    assert [fault["message"] for fault in theirs["faults"]] == ["the log has no such replay"]
