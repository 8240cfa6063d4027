"""The Merkle tree of RFC 6962, section 2.1: roots, and proofs about them that are short.

    lines ──> leaf hashes ──> subtrees ──> root, proof of one line, proof that a tree has only grown

Where the hashes of whole subtrees come from is the caller's affair (`Subtrees`): a list of lines,
or stored tiles. Nothing here knows what a leaf holds.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeAlias

__all__ = [
    "EMPTY_ROOT",
    "HASH_BYTES",
    "GrowingRoot",
    "InvalidProofError",
    "Subtrees",
    "check_consistency",
    "check_inclusion",
    "consistency_proof",
    "fold",
    "inclusion_proof",
    "leaf_hash",
    "node_hash",
    "root",
]

HASH_BYTES = 32

EMPTY_ROOT = sha256().digest()
"""The root of the tree without a leaf."""

Subtrees: TypeAlias = Callable[[int, int], bytes]
"""Gives the hash of the `index`-th subtree of 2^`level` leaves, counted from 0 from the left; asked
only for such as are full."""


class InvalidProofError(ValueError):
    """A proof that does not prove what it is given for."""


def leaf_hash(leaf: bytes) -> bytes:
    """Return the hash of a leaf's bytes."""
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node from those of the two below it."""
    return sha256(b"\x01" + left + right).digest()


def fold(hashes: Sequence[bytes]) -> bytes:
    """Return the hash of the full subtree over these; their number is a power of two."""
    while len(hashes) > 1:
        pairs = zip(hashes[::2], hashes[1::2], strict=True)
        hashes = [node_hash(left, right) for left, right in pairs]
    return hashes[0]


def root(size: int, subtree: Subtrees) -> bytes:
    """Return the root of the tree of the first `size` leaves."""
    return _range_hash(0, size, subtree) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, subtree: Subtrees) -> list[bytes]:
    """Return the hashes that lead from leaf `index` to the root of the first `size` leaves.

    The sibling of the leaf comes first, the child of the root last (section 2.1.1). Raises
    ValueError where there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    proof: list[bytes] = []
    first, last = 0, size
    while last - first > 1:
        middle = first + _split(last - first)
        if index < middle:
            proof.append(_range_hash(middle, last, subtree))
            last = middle
        else:
            proof.append(_range_hash(first, middle, subtree))
            first = middle
    return proof[::-1]


def consistency_proof(old: int, new: int, subtree: Subtrees) -> list[bytes]:
    """Return the hashes that show the tree of `old` leaves to be the beginning of that of `new`.

    In the order of section 2.1.2; none where there is nothing to show, which is for an old tree
    that is empty or the same. Raises ValueError where the old one is the larger.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {old} leaves is no beginning of one of {new}")
    if old in (0, new):
        return []
    proof: list[bytes] = []
    first, last, known = 0, new, True
    while old != last:
        middle = first + _split(last - first)
        if old <= middle:
            proof.append(_range_hash(middle, last, subtree))
            last = middle
        else:
            proof.append(_range_hash(first, middle, subtree))
            first, known = middle, False
    if not known:
        proof.append(_range_hash(first, last, subtree))
    return proof[::-1]


def check_inclusion(
    index: int, size: int, leaf: bytes, proof: Sequence[bytes], expected: bytes
) -> None:
    """Check that the leaf of that hash is number `index` of the tree with the root `expected`.

    Raises InvalidProofError where the proof does not show it.
    """
    if not 0 <= index < size:
        raise InvalidProofError(f"a tree of {size} leaves has no leaf {index}")
    found, place, last = leaf, index, size - 1
    for sibling in proof:
        if not last:
            raise InvalidProofError("the proof has more hashes than the tree has levels")
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    if last:
        raise InvalidProofError("the proof has fewer hashes than the tree has levels")
    if found != expected:
        raise InvalidProofError("the proof leads to another root")


def check_consistency(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> None:
    """Check that the tree with the one root is the beginning of the tree with the other.

    Raises InvalidProofError where the proof does not show it.
    """
    if not 0 <= old <= new:
        raise InvalidProofError(f"a tree of {old} leaves is no beginning of one of {new}")
    if old in (0, new):
        same = old_root == (new_root if old else EMPTY_ROOT)
        if proof or not same:
            raise InvalidProofError("trees of one size have different roots")
        return
    # A whole subtree is its own proof, and is left out of it.
    hashes = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not hashes:
        raise InvalidProofError("the proof is empty")
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    then = now = hashes[0]
    for sibling in hashes[1:]:
        if not last:
            raise InvalidProofError("the proof has more hashes than the tree has levels")
        if place & 1 or place == last:
            then, now = node_hash(sibling, then), node_hash(sibling, now)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            now = node_hash(now, sibling)
        place, last = place >> 1, last >> 1
    if last:
        raise InvalidProofError("the proof has fewer hashes than the tree has levels")
    if (then, now) != (old_root, new_root):
        raise InvalidProofError("the proof leads to other roots")


class GrowingRoot:
    """The root over leaves that come one after the other, with one hash held for each level."""

    __slots__ = ("_full", "size")

    def __init__(self) -> None:
        self.size = 0
        """How many leaves have come."""
        # The full subtrees from the left, as the size's binary digits say.
        self._full: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Take in the next leaf's hash."""
        size = self.size
        while size & 1:
            leaf = node_hash(self._full.pop(), leaf)
            size >>= 1
        self._full.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over all leaves so far."""
        if not self._full:
            return EMPTY_ROOT
        found = self._full[-1]
        for left in self._full[-2::-1]:
            found = node_hash(left, found)
        return found


def _split(size: int) -> int:
    """Return how many of `size` leaves, two or more, are left of the top."""
    return 1 << (size - 1).bit_length() - 1


def _range_hash(first: int, last: int, subtree: Subtrees) -> bytes:
    """Return the hash over the leaves from `first` to before `last`, as the top splits them."""
    size = last - first
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return subtree(level, first >> level)
    middle = first + _split(size)
    return node_hash(_range_hash(first, middle, subtree), _range_hash(middle, last, subtree))
