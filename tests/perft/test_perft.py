"""Counts of all legal command sequences from fixed deals, beginning at the offer of the upcard."""

import pytest
from support_perft import Position, divided, perft, positions

POSITIONS = list(positions())


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.id)
def test_the_counts_of_legal_command_sequences_are_pinned(position: Position) -> None:
    """D2 to L4: a move too many or too few anywhere changes a count."""
    for length, count in enumerate(position.counts, start=1):
        found = perft(position.hand, length)
        assert found == count, by_first_move(position, length)


def by_first_move(position: Position, length: int) -> str:
    """Return the count under each first move, which finds the fault."""
    lines = [f"{move}: {count}" for move, count in divided(position.hand, length)]
    return "\n".join([f"{position.id}, length {length}", *lines])


def test_a_count_is_the_sum_of_those_under_its_first_moves() -> None:
    """What is printed for a count that fails adds up to it."""
    for position in POSITIONS:
        for length in (1, 2, 3):
            counts = [count for _, count in divided(position.hand, length)]
            assert sum(counts) == position.counts[length - 1]
