"""The Merkle tree against RFC 6962's own words, spelled out naively, and against known trees."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.log.merkle import (
    EMPTY_ROOT,
    GrowingRoot,
    InvalidProofError,
    Subtrees,
    check_consistency,
    check_inclusion,
    consistency_proof,
    fold,
    inclusion_proof,
    leaf_hash,
    root,
)

# --- section 2.1, word by word --------------------------------------------------------------------


def split(size: int) -> int:
    """k is the largest power of two smaller than n"""
    power = 1
    while power * 2 < size:
        power *= 2
    return power


def mth(leaves: list[bytes]) -> bytes:
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    k = split(len(leaves))
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


def path(m: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path(m, leaves[:k]), mth(leaves[k:])]
    return [*path(m - k, leaves[k:]), mth(leaves[:k])]


def subproof(m: int, leaves: list[bytes], *, known: bool) -> list[bytes]:
    if m == len(leaves):
        return [] if known else [mth(leaves)]
    k = split(len(leaves))
    if m <= k:
        return [*subproof(m, leaves[:k], known=known), mth(leaves[k:])]
    return [*subproof(m - k, leaves[k:], known=False), mth(leaves[:k])]


def subtrees(leaves: list[bytes]) -> Subtrees:
    def subtree(level: int, index: int) -> bytes:
        own = leaves[index << level : (index + 1) << level]
        assert len(own) == 1 << level, "only full subtrees may be asked for"
        return fold([leaf_hash(leaf) for leaf in own])

    return subtree


def some_leaves(count: int) -> list[bytes]:
    return [b"%d" % number for number in range(count)]


SIZES = range(1, 40)

# The leaves and roots that implementations of the RFC check themselves with.
KNOWN = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@pytest.mark.parametrize("size", range(9))
def test_known_trees_have_their_roots(size: int) -> None:
    assert root(size, subtrees(KNOWN)).hex() == ROOTS[size]


def test_known_proofs() -> None:
    proof = [each.hex() for each in inclusion_proof(5, 8, subtrees(KNOWN))]
    assert proof == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    proof = [each.hex() for each in consistency_proof(6, 8, subtrees(KNOWN))]
    assert proof == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@pytest.mark.parametrize("size", SIZES)
def test_roots_and_proofs_are_those_of_the_definition(size: int) -> None:
    leaves = some_leaves(size)
    found = subtrees(leaves)
    assert root(size, found) == mth(leaves)
    for index in range(size):
        assert inclusion_proof(index, size, found) == path(index, leaves)
    for old in range(1, size + 1):
        assert consistency_proof(old, size, found) == subproof(old, leaves, known=True)


@pytest.mark.parametrize("size", SIZES)
def test_every_proof_is_accepted_and_no_changed_one(size: int) -> None:
    leaves = some_leaves(size)
    top = mth(leaves)
    for index in range(size):
        proof = path(index, leaves)
        leaf = leaf_hash(leaves[index])
        check_inclusion(index, size, leaf, proof, top)
        for wrong in changed(proof):
            with pytest.raises(InvalidProofError):
                check_inclusion(index, size, leaf, wrong, top)
        with pytest.raises(InvalidProofError):
            check_inclusion(index, size, leaf_hash(b"another"), proof, top)
        for other in range(size):
            if other != index:
                with pytest.raises(InvalidProofError):
                    check_inclusion(other, size, leaf, proof, top)


@pytest.mark.parametrize("size", SIZES)
def test_every_growth_is_accepted_and_no_other(size: int) -> None:
    leaves = some_leaves(size)
    top = mth(leaves)
    for old in range(size + 1):
        before, proof = mth(leaves[:old]), subproof(old, leaves, known=True) if old else []
        check_consistency(old, size, before, top, proof)
        with pytest.raises(InvalidProofError):
            check_consistency(old, size, leaf_hash(b"another"), top, proof)
        for wrong in changed(proof):
            with pytest.raises(InvalidProofError):
                check_consistency(old, size, before, top, wrong)
        if old:
            with pytest.raises(InvalidProofError):
                check_consistency(old, size, before, leaf_hash(b"another"), proof)


def changed(proof: list[bytes]) -> list[list[bytes]]:
    """Return proofs that differ from one: a hash changed, left out, added, or two exchanged."""
    other = leaf_hash(b"another")
    wrong = [[*proof, other], [other, *proof]]
    for place in range(len(proof)):
        wrong.append([*proof[:place], other, *proof[place + 1 :]])
        wrong.append([*proof[:place], *proof[place + 1 :]])
        if place:
            wrong.append([*proof[: place - 1], proof[place], proof[place - 1], *proof[place + 1 :]])
    return wrong


@given(st.integers(1, 3000), st.data())
def test_large_trees(size: int, data: st.DataObject) -> None:
    leaves = some_leaves(size)
    found = subtrees(leaves)
    top = root(size, found)
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
    check_inclusion(index, size, leaf_hash(leaves[index]), inclusion_proof(index, size, found), top)
    check_consistency(old, size, root(old, found), top, consistency_proof(old, size, found))


@given(st.lists(st.binary(max_size=8), max_size=70))
def test_a_root_grows_leaf_by_leaf(leaves: list[bytes]) -> None:
    growing = GrowingRoot()
    assert growing.root() == EMPTY_ROOT
    for size, leaf in enumerate(leaves, 1):
        growing.add(leaf_hash(leaf))
        assert (growing.size, growing.root()) == (size, mth(leaves[:size]))


def test_what_cannot_be_is_refused() -> None:
    found = subtrees(some_leaves(3))
    for index in (-1, 3):
        with pytest.raises(ValueError, match="no leaf"):
            inclusion_proof(index, 3, found)
        with pytest.raises(InvalidProofError, match="no leaf"):
            check_inclusion(index, 3, EMPTY_ROOT, [], EMPTY_ROOT)
    with pytest.raises(ValueError, match="no beginning"):
        consistency_proof(4, 3, found)
    with pytest.raises(InvalidProofError, match="no beginning"):
        check_consistency(4, 3, EMPTY_ROOT, EMPTY_ROOT, [])
