"""Two implementations of the committed deck that share nothing agree on every card."""

import random
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from ginrummy.log.boards import sitting_deck
from ginrummy.log.deck import shuffle
from ginrummy.log.ids import ID_ENTROPY, match_id, tournament_id
from ginrummy.rules.cards import BySeat, write_cards
from ginrummy.rules.events import Board

VECTORS = Path(__file__).parents[1] / "vectors"


def in_node(rows: Iterable[str]) -> list[str]:
    """Return what deck.mjs prints for rows of `gin deck -`."""
    node = shutil.which("node")
    if node is None:
        pytest.fail("node is not on the PATH: install Node.js 18 or later for this test")
    run = subprocess.run(
        [node, VECTORS / "deck.mjs"],
        input="".join(row + "\n" for row in rows),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return run.stdout.splitlines()


def in_python(row: str) -> str:
    secret, match, hand, nonce0, nonce1 = row.split("\t")
    if hand.startswith("t_"):
        deck, dealer = sitting_deck(bytes.fromhex(secret), Board(hand, int(nonce0), nonce1), match)
        return f"{write_cards(deck)}\t{dealer}"
    nonces = BySeat(bytes.fromhex(nonce0), bytes.fromhex(nonce1))
    deck, first_dealer = shuffle(bytes.fromhex(secret), match, int(hand), nonces)
    return f"{write_cards(deck)}\t{'' if first_dealer is None else first_dealer}"


def random_board(source: random.Random) -> str:
    return "\t".join(
        (
            source.randbytes(32).hex(),
            match_id(source.randbytes(ID_ENTROPY)),
            tournament_id(source.randbytes(ID_ENTROPY)),
            str(source.choice((1, source.randint(2, 1000), source.randint(2, 2**31 - 1)))),
            source.randbytes(32).hex(),
        )
    )


def random_row(source: random.Random) -> str:
    return "\t".join(
        (
            source.randbytes(32).hex(),
            match_id(source.randbytes(ID_ENTROPY)),
            str(source.choice((1, 1, source.randint(2, 1000), source.randint(2, 2**32 - 1)))),
            source.randbytes(16).hex(),
            source.randbytes(16).hex(),
        )
    )


@pytest.mark.parametrize("name", ["deck.tsv", "boards.tsv"])
def test_node_gives_the_vectors(name: str) -> None:
    rows = [line.split("\t") for line in (VECTORS / name).read_text().splitlines()[1:]]
    assert in_node("\t".join(row[:5]) for row in rows) == ["\t".join(row[5:]) for row in rows]


def test_node_and_python_agree_on_random_rows() -> None:
    source = random.Random(20261129)
    rows = [make(source) for make in (random_row, random_board) for _ in range(200)]
    assert in_node(rows) == [in_python(row) for row in rows]
