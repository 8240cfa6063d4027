"""Proofs about a stored log, made from its tiles and a checkpoint of it."""

import msgspec

from ginrummy.log.merkle import consistency_proof, inclusion_proof
from ginrummy.log.receipts import write_receipt
from ginrummy.notary.errors import NoSuchCheckpointError
from ginrummy.store import Store, StoredCheckpoint, Tiles

__all__ = ["Consistency", "Inclusion", "prove_consistency", "prove_inclusion"]


class Inclusion(msgspec.Struct, frozen=True):
    """That a line is in the log that a checkpoint was signed of."""

    stream: str
    seq: int
    index: int
    """The line's number among all lines, from 0."""
    proof: list[bytes]
    checkpoint: StoredCheckpoint

    @property
    def receipt(self) -> bytes:
        """The same as a file to be kept."""
        return write_receipt(self.stream, self.seq, self.index, self.proof, self.checkpoint.note)


class Consistency(msgspec.Struct, frozen=True):
    """That a log has only grown from one size to another."""

    old: int
    new: int
    proof: list[bytes]


def prove_inclusion(store: Store, stream: str, seq: int) -> Inclusion:
    """Return the proof of a stream's line in the smallest signed tree that has it.

    Raises NoSuchCheckpointError where none has.
    """
    tree = Tiles(store)
    waiting = NoSuchCheckpointError(f"event {seq} of {stream} is in no checkpoint yet")
    try:
        index = tree.index(stream, seq)
    except ValueError:
        raise waiting from None
    checkpoint = None if index is None else store.checkpoint_from(index + 1)
    if index is None or checkpoint is None:
        raise waiting
    proof = inclusion_proof(index, checkpoint.size, tree.subtree)
    return Inclusion(stream, seq, index, proof, checkpoint)


def prove_consistency(store: Store, old: int, new: int) -> Consistency:
    """Return the proof that the log of `old` lines is the beginning of that of `new`.

    `new` 0 is the size that was signed last. Raises NoSuchCheckpointError beyond that.
    """
    last = store.last_checkpoint()
    signed = 0 if last is None else last.size
    new = new or signed
    if not old <= new <= signed:
        raise NoSuchCheckpointError(
            f"the last checkpoint is of {signed} lines: nothing is signed that leads"
            f" from {old} to {new}"
        )
    return Consistency(old, new, consistency_proof(old, new, Tiles(store).subtree))
