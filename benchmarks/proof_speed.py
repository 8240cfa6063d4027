"""How long the proof of one line takes in a log of a million, beside hashing all of its lines.

python benchmarks/proof_speed.py

A database is filled, its tree grown as a server grows it, and then proofs of lines from all over
the log are made as they are served: each looks for the line, reads what tiles it needs, and is
checked. Who has no tree would have to hash every line for one.
"""

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

from comparison import Comparison

from ginrummy.log.checkpoints import checkpoint_text
from ginrummy.log.lines import GENESIS, AnyLine, Line, line_hash
from ginrummy.log.merkle import GrowingRoot, leaf_hash
from ginrummy.log.receipts import read_receipt
from ginrummy.log.signing import SigningKey, signed
from ginrummy.notary.proofs import prove_inclusion
from ginrummy.rules.events import StockDrawn
from ginrummy.store import Append, SqliteStore, StoredCheckpoint, TreeGrowth

__all__ = ["compare_proof"]

_GOAL = 100.0
"""How many times faster than hashing all lines the proof of one should be at the least."""

_STREAM = 1000
"""Lines of one stream."""

_PAGE = 2000


def compare_proof(number: int = 1_000_000, proofs: int = 200) -> Iterator[Comparison]:
    """Compare the proof of a line among `number` with hashing them all; then the tree's growth.

    The ratio of the first is how many proofs are made in the time of hashing; of the second, how
    much of the speed of hashing alone is left when tiles are stored as well.
    """
    with (
        tempfile.TemporaryDirectory() as place,
        closing(SqliteStore(Path(place, "gin.db"))) as store,
    ):
        for first in range(0, number, _STREAM):
            lines = tuple(_lines(f"m_{first:026}", _STREAM))
            store.append([Append(lines[0].stream, 0, lines)])
        growing = _seconds_to_grow(store)
        hashing = _seconds_to_hash(store)
        times = sorted(_seconds_to_prove(store, number, proofs))
    proof = median(times)
    yield Comparison(
        f"proof of one line among {number:,}, beside hashing all",
        "a second",
        1 / proof,
        1 / hashing,
        hashing / proof,
        _GOAL,
    )
    yield Comparison(
        "growing the tree with its tiles, beside hashing alone",
        "lines/s",
        number / growing,
        number / hashing,
        hashing / growing,
        0.5,
    )


def _lines(stream: str, count: int) -> Iterator[AnyLine]:
    """Yield the lines of a stream of draws, put together without the checks of the real writer."""
    prev = GENESIS
    for seq in range(1, count + 1):
        raw = (
            f'{{"v":1,"stream":"{stream}","seq":{seq},"at":"2026-11-29T22:49:25.123483Z",'
            f'"by":"p_7hw3n0v5kd8q2xg6zj9tc4rb1m","cmd":"{seq:032x}","type":"stock_drawn",'
            f'"data":{{"seat":{seq % 2}}},"prev":"{prev}"}}'
        ).encode()
        found = line_hash(raw)
        yield Line(raw, found, stream, seq, 0, "p", "", "stock_drawn", 1, StockDrawn(0), prev, None)
        prev = found


def _seconds_to_grow(store: SqliteStore) -> float:
    """Grow the tree over all that is stored, and sign it; reading the lines is not counted."""
    growth, taken = TreeGrowth(store), 0.0
    while page := store.read_all(growth.position, _PAGE):
        begin = time.perf_counter()
        store.grow(growth.add(page))
        taken += time.perf_counter() - begin
    begin = time.perf_counter()
    key = SigningKey("log", bytes(32))
    note = signed(checkpoint_text(key.name, growth.size, growth.root()), key)
    store.grow([], StoredCheckpoint(growth.size, note))
    return taken + time.perf_counter() - begin


def _seconds_to_hash(store: SqliteStore) -> float:
    tree, after, taken = GrowingRoot(), 0, 0.0
    while page := store.read_all(after, _PAGE):
        after, _ = page[-1]
        begin = time.perf_counter()
        for _, raw in page:
            tree.add(leaf_hash(raw))
        taken += time.perf_counter() - begin
    return taken


def _seconds_to_prove(store: SqliteStore, number: int, proofs: int) -> Iterator[float]:
    rng = random.Random(1)
    for _ in range(proofs):
        first = rng.randrange(0, number, _STREAM)
        stream, seq = f"m_{first:026}", rng.randrange(1, _STREAM + 1)
        begin = time.perf_counter()
        receipt = prove_inclusion(store, stream, seq).receipt
        yield time.perf_counter() - begin
        found = read_receipt(receipt)
        assert found.index == first + seq - 1
        (raw, *_) = store.read(stream, seq - 1)
        found.check(leaf_hash(raw))


def main() -> None:
    """Measure, and print a line for each comparison."""
    for found in compare_proof():
        print(
            f"{found.name}: ours {found.ours:,.0f}, baseline {found.baseline:,.2f} {found.unit},"
            f" ratio {found.ratio:,.1f} (goal {found.goal})"
        )


if __name__ == "__main__":
    main()
