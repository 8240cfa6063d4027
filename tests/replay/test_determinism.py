"""The same log gives the same everything: in any process, at any time, in any place (D7, D8)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WORK = """
import hashlib, sys, time
if "later" in sys.argv:
    # Ten years on, for everything that asks the clock.
    now = time.time
    time.time = lambda: now() + 10 * 365 * 86_400
    time.time_ns = lambda: int(time.time() * 1e9)
sys.path.insert(0, sys.argv[1])
import msgspec
from support_golden import GOLDEN, golden_log
from support_logs import played
from ginrummy.audit.audit import audit
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.ink import Ink
from ginrummy.replay.render import draw
from ginrummy.replay.shape import write_position
from ginrummy.replay.stepping import positions

digest = hashlib.sha256()
logs = [golden_log(path.stem) for path in sorted(GOLDEN.glob("*.log"))]
# Played here and now, so that event bytes and suggested melds are in it as well.
logs += [played(3, preset).log for preset in ("standard", "oklahoma", "classic")]
for log in logs:
    for position in positions(log, revealed_secrets(log)):
        digest.update(position.line.raw)
        digest.update(repr(position.match).encode())
        digest.update(write_position(position, "full"))
        digest.update(draw(position, 0, last=len(log), ink=Ink()).encode())
    digest.update(msgspec.json.encode(audit(log)))
print(digest.hexdigest())
"""


def digest(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", WORK, str(Path(__file__).parent.parent), *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def usual() -> str:
    return digest(PYTHONHASHSEED="0")


@pytest.mark.parametrize("seed", ["1", "42", "random"])
def test_no_hash_seed_changes_anything(usual: str, seed: str) -> None:
    """D7 no result depends on the order in which a set is gone through."""
    assert digest(PYTHONHASHSEED=seed) == usual


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/St_Johns"])
def test_no_time_zone_changes_anything(usual: str, zone: str) -> None:
    """D8 an instant is the same everywhere."""
    assert digest(TZ=zone, PYTHONHASHSEED="0") == usual


def test_ten_years_later_nothing_has_changed(usual: str) -> None:
    """D8 nothing asks for the present time: time-outs come from stored times alone."""
    assert digest("later", PYTHONHASHSEED="0") == usual
