"""Two verifiers that share nothing agree on every log, good, damaged or forged."""

import json
import random
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from support_disputed_logs import disputed_match, replayed_match
from support_golden import GOLDEN, golden_log
from support_logs import Log, Table, board_played, events_of, forged, played
from support_mutants import CLASSES, Mutant, mutant
from support_node import VERIFIER, VERIFY, Verdict, node, verdicts
from support_play import lively, soak

from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.report import Head
from ginrummy.log.fold import shuffle_for
from ginrummy.log.lines import line_hash
from ginrummy.rules.cards import card_set, write_cards
from ginrummy.rules.events import TimeControl
from ginrummy.rules.melds import arrange
from ginrummy.rules.ruleset import PRESETS

GOLDEN_LOGS = sorted(path.stem for path in GOLDEN.glob("*.log"))
CLOCK = TimeControl(bank_ms=900_000, increment_ms=500, decision_ms=20_000)


def python_is_clean(log: Log, receipt: Head | None = None) -> bool:
    """Say whether `gin audit` finds no fault."""
    try:
        return audit(log, receipt=receipt).clean
    except UnusableLogError:
        return False


def hidden(log: Log) -> Log:
    """Return a log as it was before any of its secrets came out."""
    secrets = events_of(log, "secret_revealed")
    return log[: secrets[0]] if secrets else log


# --- good logs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--own-hashes",)], ids=["webcrypto", "own-hashes"])
def test_both_find_the_golden_logs_clean(options: tuple[str, ...]) -> None:
    logs = [golden_log(name) for name in GOLDEN_LOGS]
    for log, verdict in zip(logs, verdicts(((log, None) for log in logs), *options), strict=True):
        report = audit(log)
        assert verdict["faults"] == []
        assert verdict["clean"] == report.clean
        assert verdict["head"] == {"seq": report.head.seq, "hash": report.head.hash}
        assert verdict["followed"] == len(log)
        assert len(verdict["hands"]) == report.hands
        assert bool(verdict["waiting"]) == (report.check("deck").status == "waiting")
        assert (verdict["outcome"] is None) == (report.outcome is None)


def fresh_tables() -> list[Table]:
    """Return random matches of every preset, boards and all ways of revealing among them."""
    tables = [
        make(seed, preset=preset, clock=CLOCK if seed % 2 else None)
        for make, preset, seed in product((played, board_played), PRESETS, range(soak(20, 2)))
    ]
    tables += [
        played(seed, "oklahoma", reveal="hand", spades_double=True, nonce_by=("server", "player"))
        for seed in range(soak(10, 2))
    ]
    tables += [played(seed, hands=3, next_dealer="winner") for seed in range(soak(10, 2))]
    tables += [played(seed, stock_floor=20, max_discard_draws=4) for seed in range(soak(10, 2))]
    tables += [played(seed, signing="required", hands=2) for seed in range(soak(10, 2))]
    tables += [
        played(seed, "oklahoma", signing="optional", keys=(seed % 2 == 0, True))
        for seed in range(soak(10, 2))
    ]
    tables += [each for seed in range(soak(10, 2)) for each in replayed_match(seed, "oklahoma")]
    tables += [disputed_match(seed, hands=2, clock=CLOCK) for seed in (40, 41)]
    return tables


def test_both_find_fresh_matches_clean_revealed_or_not() -> None:
    logs = [log for table in fresh_tables() for log in (table.log, hidden(table.log))]
    for log, verdict in zip(logs, verdicts((log, None) for log in logs), strict=True):
        assert verdict["faults"] == []
        assert python_is_clean(log)


def test_both_deal_the_same_cards() -> None:
    tables = [played(seed, preset) for seed, preset in enumerate(PRESETS)]
    tables += [board_played(seed, number=seed + 2) for seed in range(4)]
    for table, verdict in zip(tables, verdicts((t.log, None) for t in tables), strict=True):
        for hand in verdict["hands"]:
            found = shuffle_for(table.match, table.stream, hand["number"], table.secrets)
            assert found is not None
            assert " ".join(hand["deck"]) == write_cards(found.deck)


def test_both_lay_down_the_same_after_gin() -> None:
    """K2 and the page's order of arrangements, on hands that have something to choose."""
    rng = random.Random(20261130)
    decks = [lively(rng) for _ in range(soak(3000, 300))]
    hands = [[card.index for card in deck[start:20:2]] for deck in decks for start in (0, 1)]
    script = f"""
        const {{ serversArrangement, leastDeadwood }} = require({json.dumps(str(VERIFIER))});
        for (const hand of JSON.parse(require("fs").readFileSync(0, "utf8"))) {{
            const five = serversArrangement(hand, 5), any = serversArrangement(hand, null);
            console.log(JSON.stringify([five, any, leastDeadwood(hand)]));
        }}
    """
    run = node("-e", script, given=json.dumps(hands))
    assert run.stderr == ""
    for deck_hand, line in zip(
        (card_set(deck[start:20:2]) for deck in decks for start in (0, 1)),
        run.stdout.splitlines(),
        strict=True,
    ):
        *arrangements, least = json.loads(line)
        for run_max, found in zip((5, None), arrangements, strict=True):
            right = arrange(deck_hand, run_max)
            assert found["melds"] == [[card.index for card in meld] for meld in right.melds]
            assert found["deadwood"] == [card.index for card in right.deadwood]
            assert least == right.points


# --- spoiled logs ---------------------------------------------------------------------------------

UNDETECTED = {
    "by": "who is a director no log says",
    "card": "another legal discard, or a hand that waits for its secret",
    "claim": "what somebody claimed, and in which words",
    "cut-middle": "a passage that nothing later needs, as an early secret or a pause",
    "key": "the key of a player who signs nothing",
    "cut-tail": "a match that goes on looks the same",
    "meld": "the order in which a player lays down",
    "name": "nothing follows from a name",
    "player": "the key of a player who signs nothing",
    "request": "the caller chooses it",
    "rule": "a rule that never came into play",
    "ruling": "which rule a ruling cites, or what only the log of a hand played again shows",
    "signature": "a move is signed by choice, and the last one need not be",
    "secret": "a commitment that waits for its secret",
    "swap": "two players joined, or two nonces came out, in the other order",
    "terms": "terms that never came into play",
    "time": "no decision was late by it",
}
"""What the log's own writer can change without a contradiction: docs/log-format.md, *What a log
alone cannot show*. Of everything else every forgery is found by both."""


@cache
def bases() -> tuple[Log, ...]:
    """Return what is spoiled: the golden logs and a few others, with their secrets and without."""
    logs = [golden_log(name) for name in GOLDEN_LOGS]
    logs += [played(629, "oklahoma", clock=CLOCK).log, played(317, "straight").log]
    return (*logs, *(hidden(log) for log in logs if hidden(log) != log))


@cache
def mutants(number: int) -> tuple[tuple[Log, Mutant], ...]:
    """Return that many spoiled logs, of each class as many, with what they were."""
    made: list[tuple[Log, Mutant]] = []
    rng = random.Random(20261201)
    while len(made) < number:
        log = rng.choice(bases())
        found = mutant(log, CLASSES[len(made) % len(CLASSES)], rng)
        if found is not None:
            made.append((log, found))
    return tuple(made)


MUTANTS = soak(1000, 150)


@cache
def judged() -> tuple[tuple[Log, Mutant, bool, Verdict], ...]:
    """Return each spoiled log with whether Python finds it clean, and what JavaScript says."""
    made = mutants(MUTANTS)
    said = verdicts((spoiled.lines, None) for _, spoiled in made)
    return tuple(
        (log, spoiled, python_is_clean(spoiled.lines), verdict)
        for (log, spoiled), verdict in zip(made, said, strict=True)
    )


def accepted() -> list[tuple[Log, Mutant]]:
    return [(log, spoiled) for log, spoiled, clean, _ in judged() if clean]


def test_both_agree_on_every_spoiled_log() -> None:
    disagreed = [
        (spoiled[:4], clean, verdict["faults"])
        for _, spoiled, clean, verdict in judged()
        if verdict["clean"] != clean
    ]
    assert disagreed == []
    assert {spoiled.kind for _, spoiled, _, _ in judged()} == {*CLASSES}


def test_no_change_is_accepted_but_of_the_last_line() -> None:
    """With the chain as it was, nothing but the end of a log can be other than it was."""
    for log, spoiled in accepted():
        if not spoiled.forged:
            last = len(spoiled.lines) - 1
            assert spoiled.lines[:last] == log[:last], spoiled[:4]
            assert last < len(log)


def test_what_a_forger_can_change_is_known_and_shown_by_a_receipt() -> None:
    found = accepted()
    assert {spoiled.kind for _, spoiled in found} <= {*UNDETECTED}
    receipts = [Head(len(log), line_hash(log[-1])) for log, _ in found]
    given = [
        (spoiled.lines, receipt) for (_, spoiled), receipt in zip(found, receipts, strict=True)
    ]
    for (lines, receipt), verdict in zip(given, verdicts(given), strict=True):
        assert not verdict["clean"]
        assert not python_is_clean(lines, receipt)


def test_no_card_that_was_dealt_can_be_changed_once_the_secrets_are_out() -> None:
    for log, spoiled in accepted():
        if log[-1].find(b'"type":"secret_revealed"') < 0:
            continue
        assert spoiled.kind != "secret"
        assert spoiled.kind != "card" or spoiled.type == "discarded", spoiled[:4]


def test_where_everybody_signs_nothing_before_the_last_move_can_be_forged() -> None:
    """A signature covers the line before its own, so who has no key can change no line before it.

    Of the last signed line itself its time and its request id are not signed.
    """
    log, rng = golden_log("signed"), random.Random(20261202)
    last = max(index for index, raw in enumerate(log) if b',"sig":"' in raw)
    made = [found for kind in CLASSES * soak(40, 3) if (found := mutant(log, kind, rng))]
    for spoiled, verdict in zip(made, verdicts((each.lines, None) for each in made), strict=True):
        clean = python_is_clean(spoiled.lines)
        assert verdict["clean"] == clean, spoiled[:4]
        if clean:
            assert spoiled.lines[:last] == log[:last][: len(spoiled.lines)], spoiled[:4]
            assert spoiled.lines[last:] != log[last:]
    assert any(found.forged and python_is_clean(found.lines) for found in made)


def test_a_fault_is_named_where_it_is() -> None:
    table = played(129, "classic")
    index = events_of(table.log, "hand_scored")[0]
    (verdict,) = verdicts([(forged(table.log, index, data_bonus=7), None)])
    assert [(fault["seq"], fault["check"]) for fault in verdict["faults"]] == [
        (index + 1, "scores")
    ]


def test_a_line_that_is_missing_or_doubled_is_named_once() -> None:
    log = golden_log("classic")
    spoiled = [
        [*log[:40], *log[41:]],
        [*log[:40], *log[50:]],
        [*log[:40], log[39], *log[40:]],
    ]
    for verdict in verdicts((lines, None) for lines in spoiled):
        assert [fault["seq"] for fault in verdict["faults"] if fault["check"] == "sequence"] == [41]


# --- where it runs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"), [("standard", "true 6 274 0"), ("signed", "true 3 73 58")]
)
def test_it_runs_in_a_page_that_has_nothing_but_the_language(name: str, found: str) -> None:
    """A page from a file may have no WebCrypto; it never has node's modules."""
    script = f"""
        const fs = require("fs"), vm = require("vm");
        const log = fs.readFileSync(0, "utf8");
        const page = vm.createContext({{ TextEncoder, TextDecoder, log }});
        vm.runInContext(fs.readFileSync({json.dumps(str(VERIFIER))}, "utf8"), page);
        vm.runInContext("ginrummyVerifier.verify(log)", page).then(
            ({{ clean, hands, head, checked }}) =>
                console.log(clean, hands.length, head.seq, checked.signatures),
        );
    """
    run = node("-e", script, given=(GOLDEN / f"{name}.log").read_text())
    assert (run.stderr, run.stdout) == ("", f"{found}\n")


def test_it_can_stand_in_a_page_as_it_is() -> None:
    source = VERIFIER.read_text()
    for word in ("</script", "<!--", "import ", "require(", "process.", "fetch("):
        assert word not in source


def test_its_command_line(tmp_path: Path) -> None:
    good = GOLDEN / "classic.log"
    clean = node(VERIFY, good)
    assert (clean.returncode, clean.stdout, clean.stderr) == (0, "", "")

    table = played(129, "classic")
    index = events_of(table.log, "hand_scored")[0]
    bad = tmp_path / "bad.log"
    bad.write_bytes(b"".join(line + b"\n" for line in forged(table.log, index, data_bonus=7)))
    faulty = node(VERIFY, bad)
    assert faulty.returncode == 1
    assert faulty.stdout.startswith(f"{index + 1} scores hand_scored: bonus is 7")
    as_json = node(VERIFY, "--json", good, bad)
    assert as_json.returncode == 1
    assert [json.loads(line)["clean"] for line in as_json.stdout.splitlines()] == [True, False]

    bad.write_bytes(b"no log\n")
    for arguments in ([bad], [tmp_path / "none.log"], [], ["--what"]):
        unusable = node(VERIFY, *arguments)
        assert unusable.returncode == 2
        assert unusable.stderr
        assert "verify.mjs:" not in unusable.stderr


KEPT = '{"seq":1,"hash":"' + "0" * 64 + '","at":"2026-11-29T22:49:25.123483Z"}'


@pytest.mark.parametrize(
    ("option", "kept", "said"),
    [
        ("--key", None, "is no Ed25519 verifier key"),
        ("--heads", f"{KEPT}\nnothing\n", "line 2: it keeps no hash of an event"),
        ("--heads", f'{KEPT}\n{{"seq":0,"hash":"0"}}\n', "line 2: it keeps no hash of an event"),
        ("--heads", KEPT, "no line of it keeps the hash of an event"),
        ("--heads", f"{KEPT}\n", "and this is a log"),
    ],
)
def test_what_it_is_to_compare_with_is_never_passed_over(
    option: str, kept: str | None, said: str, tmp_path: Path
) -> None:
    value = tmp_path / "kept"
    if kept is not None:
        value.write_text(kept)
    run = node(VERIFY, option, value, GOLDEN / "classic.log")
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
