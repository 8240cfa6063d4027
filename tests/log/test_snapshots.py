"""A fold that was written down and read again is the fold, and nothing else is read as one."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_disputed_logs import disputed_match
from support_forks import forked_match
from support_golden import GOLDEN
from support_logs import Log, played

from ginrummy.log import snapshots
from ginrummy.log.deck import SecretChain
from ginrummy.log.fold import Fold, Secrets
from ginrummy.log.lines import EVENT_TYPES, read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.log.snapshots import DamagedSnapshotError, code_digest, read_match, write_match
from ginrummy.rules.events import TimeControl
from ginrummy.rules.match import Match
from ginrummy.rules.match.states import Dealing, Ended, Gathering, Playing
from ginrummy.rules.ruleset import PRESETS

_Known = SecretChain | Secrets | None


@cache
def logs() -> dict[str, Log]:
    """Every log that is kept: of all rulesets, ends, forms, boards, forks, disputes, signatures."""
    return {path.stem: path.read_bytes().splitlines() for path in sorted(GOLDEN.glob("*.log"))}


def folds(log: Log, secrets: _Known) -> Iterator[Match]:
    """Yield the match after each line."""
    fold = Fold(secrets)
    for raw in log:
        yield fold.add(read_line(raw))


def goes_on_from(log: Log, secrets: _Known, place: int) -> None:
    """Expect that whoever goes on from a snapshot after some lines has what a full fold has."""
    whole = list(folds(log, secrets))
    kept = read_match(write_match(whole[place]))
    # A pair of seats equals a tuple, and an int a bool: their names do not.
    assert (kept, repr(kept)) == (whole[place], repr(whole[place]))
    fold = Fold(secrets)
    fold.adopt(read_line(log[place]), kept)
    for raw, expected in zip(log[place + 1 :], whole[place + 1 :], strict=True):
        after = fold.add(read_line(raw))
        assert (after, repr(after)) == (expected, repr(expected))


def test_the_logs_hold_every_event_and_every_state() -> None:
    lines = [(log, read_line(raw)) for log in logs().values() for raw in log]
    assert {line.type for _, line in lines} == set(EVENT_TYPES)
    states = {type(match) for log in logs().values() for match in folds(log, None)}
    assert states == {Gathering, Dealing, Playing, Ended}


@given(st.data())
def test_whoever_goes_on_from_a_snapshot_has_what_a_full_fold_has(data: st.DataObject) -> None:
    log = logs()[data.draw(st.sampled_from(sorted(logs())))]
    knows = data.draw(st.booleans(), label="secrets")
    goes_on_from(
        log,
        revealed_secrets(log) if knows else None,
        data.draw(st.integers(0, len(log) - 1), label="place"),
    )


@given(
    st.integers(),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from((None, TimeControl(bank_ms=600_000, increment_ms=250))),
    st.data(),
)
def test_it_is_so_with_the_servers_own_eyes(
    seed: int, preset: str, clock: TimeControl | None, data: st.DataObject
) -> None:
    table = played(seed, preset, clock=clock, name=data.draw(st.text(max_size=20)))
    goes_on_from(table.log, table.secrets, data.draw(st.integers(0, len(table.log) - 1)))


@pytest.mark.parametrize("kept", ["same", "reshuffled"])
def test_it_is_so_in_a_fork(kept: str) -> None:
    origin = played(2)
    rng = random.Random(kept)
    fork = forked_match(origin.log, rng.randrange(9, len(origin.log) - 4), kept=kept)
    for _ in range(10):
        goes_on_from(fork.log, fork.secrets, rng.randrange(len(fork.log)))


def test_it_is_so_while_disputes_go_on() -> None:
    table = disputed_match()
    for place in range(len(table.log) - 12, len(table.log)):
        goes_on_from(table.log, table.secrets, place)


# --- what is no snapshot ------------------------------------------------------------------------


def written() -> bytes:
    log = logs()["disputed"]
    (*_, last) = folds(log, revealed_secrets(log))
    return write_match(last)


@given(st.binary() | st.text().map(str.encode))
def test_what_is_no_match_is_not_read_as_one(raw: bytes) -> None:
    with pytest.raises(DamagedSnapshotError):
        read_match(raw)


@given(st.data())
def test_a_part_of_a_snapshot_is_not_read(data: st.DataObject) -> None:
    raw = written()
    with pytest.raises(DamagedSnapshotError):
        read_match(raw[: data.draw(st.integers(0, len(raw) - 1))])


def _spoilt(value: Any) -> Iterator[Any]:  # noqa: ANN401 -- whatever JSON holds
    """Yield a value with something in it of a kind that cannot stand there, in every place."""
    yield 0.5
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from (value | {name: spoilt} for spoilt in _spoilt(inner))
    if isinstance(value, list):
        for place, inner in enumerate(value):
            for spoilt in _spoilt(inner):
                yield [*value[:place], spoilt, *value[place + 1 :]]


def test_what_cannot_stand_there_is_not_read() -> None:
    tried = list(_spoilt(json.loads(written())))
    assert len(tried) > 200
    for spoilt in tried:
        with pytest.raises(DamagedSnapshotError):
            read_match(json.dumps(spoilt).encode())


def test_nothing_deep_is_read() -> None:
    with pytest.raises(DamagedSnapshotError):
        read_match(b'{"is":' * 100_000)


# --- the code that made it ----------------------------------------------------------------------


def test_the_digest_of_the_code_is_the_same_in_another_process() -> None:
    script = "from ginrummy.log.snapshots import code_digest; print(code_digest())"
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert told.stdout.decode().strip() == code_digest()


def test_a_change_anywhere_in_rules_or_log_gives_another_digest(tmp_path: Path) -> None:
    for room in ("rules", "log"):
        (tmp_path / room / "inner").mkdir(parents=True)
        (tmp_path / room / "inner" / "a.py").write_text("one = 1\n")
        (tmp_path / room / "b.py").write_text("two = 2\n")
        (tmp_path / room / "b.pyc").write_text("not looked at")
    found = [digest_of(tmp_path)]
    (tmp_path / "log" / "b.pyc").write_text("still not looked at")
    assert digest_of(tmp_path) == found[0]
    (tmp_path / "rules" / "inner" / "a.py").write_text("one = 2\n")
    found.append(digest_of(tmp_path))
    (tmp_path / "log" / "b.py").rename(tmp_path / "log" / "c.py")
    found.append(digest_of(tmp_path))
    for path in tmp_path.rglob("*.py"):
        path.unlink()
    # Where there is no source, nobody else's is the same.
    found += [digest_of(tmp_path), digest_of(tmp_path)]
    assert all(one != other for one, other in pairwise(found))


def digest_of(place: Path) -> str:
    """Return the digest that code at this place would have."""
    with patch.object(snapshots, "files", lambda room: place / room.removeprefix("ginrummy.")):
        return code_digest.__wrapped__()
