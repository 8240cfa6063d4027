"""A whole store copied into another one, of any kind, and checked as it goes.

    secrets, players ──> lines, in their order ──> the tree, from what the target holds ──> what was
                         (each continues its stream)                                    signed of it

Lines are read in the source, stored anew in the target, and read again there: the roots of both
have to be the same, and those that were signed as well. So a copy that succeeds is the log that it
was made from, and every receipt and checkpoint given out before holds for it.
"""

from collections.abc import Callable

import msgspec

from ginrummy.log.checkpoints import read_checkpoint
from ginrummy.log.errors import LineError
from ginrummy.log.lines import AnyLine
from ginrummy.log.merkle import GrowingRoot, leaf_hash, root
from ginrummy.log.notes import MalformedNoteError
from ginrummy.store.errors import StoreError
from ginrummy.store.protocol import Append, Conflict, Head, Store, StoredCheckpoint
from ginrummy.store.tiles import Tiles, TreeGrowth

__all__ = ["Copied", "LogContradictedError", "TargetNotEmptyError", "copy_store"]

_PAGE = 500


class TargetNotEmptyError(StoreError):
    """The target holds something already. Nothing was written to it."""


class LogContradictedError(StoreError):
    """The source's log is not what it says, or was signed, to be. The copy is not whole."""


class Copied(msgspec.Struct, frozen=True):
    """What a copy holds."""

    lines: int
    streams: int
    secrets: int
    players: int
    checkpoints: int


def copy_store(
    source: Store,
    target: Store,
    read: Callable[[bytes], AnyLine],
    told: Callable[[int, int], None],
) -> Copied:
    """Copy all of `source` into an empty `target`, and return how much that was.

    `read` makes lines of bytes, of whatever stream; `told` is called with how many lines are done,
    and of how many. A server may go on in the source: what it stores after the beginning is not
    copied. Raises TargetNotEmptyError, LogContradictedError, or what the stores raise; the target
    is of no use then.
    """
    if not _is_empty(target):
        raise TargetNotEmptyError("it holds something already: copies are made into an empty one")
    # Before the secrets: a secret is kept before its line, so none can be missing then.
    last = source.last_position()
    secrets = _copy_secrets(source, target)
    players = source.players()
    for player in players:
        target.add_player(player)
    whole, heads = _copy_lines(source, target, last, read, told)
    _check_copy(target, whole)
    for stream, head in heads.items():
        _check_head(source, stream, head)
    return Copied(
        lines=whole.size,
        streams=len(heads),
        secrets=secrets,
        players=len(players),
        checkpoints=_copy_checkpoints(source, target, whole.size),
    )


def _is_empty(store: Store) -> bool:
    return not (
        store.last_position()
        or store.players()
        or store.secrets_after(limit=1)
        or store.last_checkpoint()
        or store.last_tile()
    )


def _copy_secrets(source: Store, target: Store) -> int:
    count, after = 0, ("", "")
    while page := source.secrets_after(*after):
        for stream, name, secret in page:
            target.keep_secret(stream, name, secret)
            after = (stream, name)
        count += len(page)
    return count


def _copy_lines(
    source: Store,
    target: Store,
    last: int,
    read: Callable[[bytes], AnyLine],
    told: Callable[[int, int], None],
) -> tuple[GrowingRoot, dict[str, Head]]:
    """Store the lines up to position `last`; return the root over them, and each stream's head."""
    whole, position = GrowingRoot(), 0
    heads: dict[str, Head] = {}
    while position < last:
        page = [each for each in source.read_all(position, _PAGE) if each[0] <= last]
        appends = []
        for _, raw in page:
            append = _next_line(raw, heads, read)
            appends.append(append)
            heads[append.stream] = append.head
            whole.add(leaf_hash(raw))
        for outcome in target.append(appends):
            assert not isinstance(outcome, Conflict), outcome
        position = page[-1][0]
        told(position, last)
    return whole, heads


def _next_line(raw: bytes, heads: dict[str, Head], read: Callable[[bytes], AnyLine]) -> Append:
    """Return the append of a line, which has to continue what was copied of its stream."""
    try:
        line = read(raw)
    except LineError as error:
        raise LogContradictedError(f"a stored line cannot be read: {error}") from error
    before = heads.get(line.stream, Head())
    if (line.seq, line.prev) != (before.seq + 1, before.hash):
        raise LogContradictedError(
            f"event {line.seq} of {line.stream} does not follow event {before.seq}, as it is stored"
        )
    return Append(line.stream, before.seq, (line,))


def _check_copy(target: Store, whole: GrowingRoot) -> None:
    """Let the target's tree grow from what it holds, and compare that with what was read."""
    growth = TreeGrowth(target)
    while page := target.read_all(growth.position, _PAGE):
        target.grow(growth.add(page))
    if (growth.size, growth.root()) != (whole.size, whole.root()):
        raise LogContradictedError("what the target holds is not what was written to it")


def _check_head(source: Store, stream: str, head: Head) -> None:
    """Check that the hash which the source has of a copied line is that of its bytes."""
    kept = source.head(stream)
    # A server that goes on may have stored more meanwhile: that is linked to what was copied.
    if kept.seq == head.seq and kept.hash != head.hash:
        raise LogContradictedError(
            f"event {head.seq} of {stream} has another hash than is stored beside it"
        )


def _copy_checkpoints(source: Store, target: Store, size: int) -> int:
    """Copy what was signed of the lines that were copied, and check each against them."""
    count, tree = 0, Tiles(target)
    signed = source.checkpoint_from(0)
    while signed is not None and signed.size <= size:
        _check_signed(signed, tree)
        target.grow([], signed)
        count += 1
        signed = source.checkpoint_from(signed.size + 1)
    if signed is not None and source.last_position() <= size:
        raise LogContradictedError(f"{signed.size} lines were signed, and {size} are stored")
    return count


def _check_signed(signed: StoredCheckpoint, tree: Tiles) -> None:
    try:
        said = read_checkpoint(signed.note)
    except MalformedNoteError as error:
        raise LogContradictedError(f"the checkpoint of {signed.size} lines: {error}") from error
    is_same = (said.size, said.root) == (signed.size, root(signed.size, tree.subtree))
    if not is_same:
        raise LogContradictedError(f"the first {signed.size} lines are not those that were signed")
