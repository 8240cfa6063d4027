"""Logs spoiled at random: whatever was changed is found and named, and nothing stops an audit."""

import random

import msgspec
import pytest
from support_logs import Log, Table, forged, in_hand, played, relinked, without
from support_play import soak

from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.report import Head, Report, text
from ginrummy.log.lines import line_hash
from ginrummy.rules.events import TimeControl

CLOCK = TimeControl(bank_ms=900_000, increment_ms=500, decision_ms=20_000)
LOGS = (
    played(629, "oklahoma", clock=CLOCK).log,
    played(129, "classic", reveal="hand", nonce_by=("server", "player")).log,
    Table(13).seated().play(until=in_hand(3)).log,
)
BYTES = b'0123456789abcdefAKQJTSHDCmp_{}[]":,.-TZ \\\n\r\x00\xff'


def check_report(report: Report) -> None:
    """A report is whole, whatever it is about."""
    assert report.clean == (not report.faults)
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report
    assert text(report).endswith(".\n")
    assert len(report.faults) < 200


@pytest.mark.parametrize("seed", range(soak(200, 6)))
def test_a_changed_byte_is_found_where_it_is(seed: int) -> None:
    rng = random.Random(seed)
    log = LOGS[seed % len(LOGS)]
    receipt = Head(len(log), line_hash(log[-1]))
    for _ in range(40):
        index = rng.randrange(len(log))
        raw = bytearray(log[index])
        place = rng.randrange(len(raw))
        raw[place] = rng.choice([byte for byte in BYTES if byte != raw[place]])
        report = audit([*log[:index], bytes(raw), *log[index + 1 :]], receipt=receipt)
        check_report(report)
        found = {fault.seq for fault in report.faults}
        # Of a broken last link nobody can say which end was changed.
        assert index + 1 in found or (index == len(log) - 1 and index in found)
        # What else is found are its consequences, and these are few.
        assert len(found - {index + 1}) <= 2, report.faults


@pytest.mark.parametrize("seed", range(soak(200, 6)))
def test_lines_that_are_cut_moved_or_doubled_are_found(seed: int) -> None:
    rng = random.Random(seed)
    log = LOGS[seed % len(LOGS)]
    receipt = Head(len(log), line_hash(log[-1]))
    for _ in range(30):
        spoilt = _reordered(log, rng)
        if spoilt == log:
            continue
        try:
            report = audit(spoilt, receipt=receipt)
        except UnusableLogError:
            assert not spoilt
            continue
        check_report(report)
        assert not report.clean


def _reordered(log: Log, rng: random.Random) -> Log:
    first, second = sorted(rng.sample(range(len(log)), 2))
    match rng.randrange(6):
        case 0:
            return without(log, *range(first, second))
        case 1:
            return log[:first]
        case 2:
            return [*log[:second], *log[first:]]
        case 3:
            return [
                *log[:first],
                log[second],
                *log[first + 1 : second],
                log[first],
                *log[second + 1 :],
            ]
        case 4:
            return [*log[:first], *rng.sample(log[first:second], second - first), *log[second:]]
        case _:
            return [*log[:first], rng.randbytes(40), *log[first:]]


@pytest.mark.parametrize("seed", range(soak(300, 6)))
def test_nothing_that_is_forged_stops_an_audit(seed: int) -> None:
    """Whoever can make all links good can still not make an audit fail to answer."""
    rng = random.Random(seed)
    log = LOGS[seed % len(LOGS)]
    for _ in range(30):
        spoilt = [*log]
        for _ in range(rng.randrange(1, 4)):
            spoilt = _reordered(spoilt, rng) if rng.random() < 0.3 else spoilt
            if len(spoilt) < 3:
                break
            index = rng.randrange(len(spoilt))
            try:
                spoilt = forged(spoilt, index, **_other_data(spoilt[index], rng))
            except msgspec.DecodeError:
                spoilt = log
        try:
            check_report(audit(relinked(spoilt, renumber=rng.random() < 0.8)))
        except msgspec.DecodeError:
            continue
        except UnusableLogError:
            assert not spoilt


def _other_data(raw: bytes, rng: random.Random) -> dict[str, object]:
    """Return another value, in form or not, for one field of a line's data."""
    data = msgspec.json.decode(raw)["data"]
    if not data:
        return {"cmd": "another"}
    name = rng.choice(sorted(data))
    others: dict[str, list[object]] = {
        "seat": [0, 1],
        "dealer": [0, 1],
        "hand": [-1, 0, 1, 2, 3, 999, 10**15],
        "chain": [-5, 0, 1, 2, 10**15],
        "reason": ["target", "hands", "clock", "abandoned", "stock", "resigned", "discard_draws"],
        "winner": [0, 1, None],
        "layoffs": [[], [{"card": "AS", "meld": -1}], [{"card": "KH", "meld": 7}]],
        "melds": [[], [[]], [["AS", "AS", "AS"]], [["2S", "3S", "4S"]]],
        "deadwood": [[], ["AS"], ["KS", "KS"], [0, 0], [10**15, -1]],
        "clock": [None, {"bank_ms": -1, "increment_ms": 0, "decision_ms": 0}],
        "limits": [{"illegal_moves": 0, "start_ms": -1, "idle_ms": 10**17}],
        "points": [0, -1, 10**15, [0, 0]],
    }
    return {
        f"data_{name}": rng.choice(others.get(name, ["AS", "7H", 0, None, "ab" * 32, "ab" * 16]))
    }
