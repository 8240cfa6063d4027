"""What it costs that moves are signed: to sign one, to check one, and the pace that is left.

python benchmarks/signing_speed.py

The same server process stores moves of matches in which everybody signs and of matches in which
nobody does, by turns; the players sign in another process. Beside that, signing and checking a move
alone, each with the text made anew, and the SHA-256 of the same line, which every line costs.
"""

import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import uvloop
from comparison import Comparison
from play_speed import our_round, serving

from ginrummy.log.ed25519 import public_key
from ginrummy.log.lines import GENESIS, write_line
from ginrummy.log.signatures import is_move_signed, move_text, sign_text, signed_text
from ginrummy.rules.cards import parse_cards
from ginrummy.rules.events import Knocked

__all__ = ["compare_signing"]

_SECRET = bytes(range(32))
_KEY = public_key(_SECRET).hex()
_STREAM = "m_4vk2c8w0r6ht9zq3nx5b7jd1ge"

_KNOCKED = Knocked(
    seat=0,
    melds=(parse_cards("7S 7H 7D"), parse_cards("2C 3C 4C 5C")),
    deadwood=parse_cards("AS 2H 3D"),
    gin=False,
)
"""The move with the longest text that is usual."""

_ROUNDS = 5


def compare_signing(matches: int = 16, seconds: float = 3.0) -> Iterator[Comparison]:
    """Compare signed moves with unsigned ones, then a signature's making and check with a hash.

    The ratio of the first is how much of the pace is left; of the others, how many hashes of the
    line are made in the time of one signature, or of one check.
    """
    yield _at_the_tables(matches, seconds)
    sig = sign_text(_SECRET, signed_text(_STREAM, GENESIS, move_text(_KNOCKED)))
    line = write_line(_STREAM, 1, 0, "p_1", "a", _KNOCKED, GENESIS, sig=sig).raw

    def sign() -> None:
        sign_text(_SECRET, signed_text(_STREAM, GENESIS, move_text(_KNOCKED)))

    def check() -> None:
        assert is_move_signed(_KEY, _STREAM, GENESIS, _KNOCKED, sig)

    def hash_line() -> None:
        hashlib.sha256(line).hexdigest()

    yield _alone("signing a move, beside the SHA-256 of its line", sign, hash_line, 200.0)
    yield _alone("checking a signed move, beside the SHA-256 of its line", check, hash_line, 300.0)


def _at_the_tables(matches: int, seconds: float) -> Comparison:
    signed, unsigned = [], []
    with tempfile.TemporaryDirectory() as place, serving(Path(place, "gin.db")) as address:
        for _ in range(_ROUNDS):
            signed.append(uvloop.run(our_round(address, matches, seconds, signing=True)).rate)
            unsigned.append(uvloop.run(our_round(address, matches, seconds)).rate)
    ours, baseline = median(signed), median(unsigned)
    name = f"durable signed moves beside unsigned ones, {matches} matches at once"
    return Comparison(name, "moves/s", ours, baseline, ours / baseline, 0.5)


def _alone(
    name: str, ours: Callable[[], None], baseline: Callable[[], None], most: float
) -> Comparison:
    """Compare two works; `most` is how many times as long as the other the first may take."""
    found = [(_seconds(ours, 1000), _seconds(baseline, 20_000)) for _ in range(_ROUNDS)]
    slow, fast = median(each[0] for each in found), median(each[1] for each in found)
    return Comparison(name, "a second", 1 / slow, 1 / fast, slow / fast, most)


def _seconds(work: Callable[[], None], times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - begin) / times


def main() -> None:
    """Measure, and print a line for each comparison."""
    for found in compare_signing():
        print(
            f"{found.name}: ours {found.ours:,.0f}, baseline {found.baseline:,.0f} {found.unit},"
            f" ratio {found.ratio:,.2f} (goal {found.goal})"
        )


if __name__ == "__main__":
    main()
