"""A match opens from its last snapshot and the lines after it, and is what all lines make it."""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from structlog.testing import capture_logs
from support_disputed_logs import disputed_match
from support_forks import forked_match
from support_logs import Table as PlayedTable
from support_logs import board_played, played
from support_tables import (
    Clock,
    card_room,
    entropy,
    legal,
    move,
    play_on,
    started,
    to_move,
)

from ginrummy.audit.audit import audit
from ginrummy.log.fold import Fold, shuffle_for
from ginrummy.log.lines import read_line
from ginrummy.log.snapshots import code_digest
from ginrummy.rules.commands import Play, Take
from ginrummy.rules.match import Ended, Playing, hands_dealt
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import (
    BOARDS_SECRET,
    CHAIN_SECRET,
    Append,
    GroupCommit,
    MemoryStore,
    StoredSnapshot,
    position_name,
)
from ginrummy.tables.answered import Answered
from ginrummy.tables.errors import RequestIdReusedError
from ginrummy.tables.opening import Opening, Snapshot, history, open_match, write_snapshot
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.shelf import EVERY
from ginrummy.tables.table import Request, Table

LONG = NewMatch(rules=Ruleset(target=100_000))


class Counting(MemoryStore):
    """A store that counts the lines that are read from it."""

    lines_read = 0

    def read(self, stream: str, after: int = 0) -> Iterator[bytes]:
        for raw in super().read(stream, after):
            self.lines_read += 1
            yield raw


async def played_on(room: CardRoom, table: Table, hands: int) -> None:
    """Play until so many hands have been dealt, and let the room look at its tables meanwhile."""
    rng = random.Random(hands)
    while hands_dealt(table.match) < hands:
        await play_on(table, rng, 20)
        room._shelf.look_at([table])
        await room._shelf.write()


def stored(table: PlayedTable) -> MemoryStore:
    """Return a store that holds a match as its server would."""
    store = MemoryStore()
    store.append([Append(table.stream, 0, tuple(table.lines))])
    terms = table.match.terms
    if terms.board is None:
        store.keep_secret(table.stream, CHAIN_SECRET, table.secrets.secret(terms.chain))
    else:
        store.keep_secret(terms.board.tournament, BOARDS_SECRET, table.secrets.secret(terms.chain))
    if terms.origin is not None and terms.origin.position is not None:
        assert table.secrets.position is not None
        kept = table.secrets.position.written
        store.keep_secret(table.stream, position_name(terms.origin), kept)
    return store


def snapshot_at(table: PlayedTable, seq: int) -> StoredSnapshot:
    """Return the snapshot that a server would have taken after event `seq`."""
    fold, answered = Fold(table.secrets), Answered()
    for line in table.lines[:seq]:
        fold.add(line)
        answered.add_line(line)
    assert fold.match is not None
    kept = Snapshot(seq, fold.hash, fold.match, table.lines[0].at, answered.written())
    return write_snapshot(table.stream, kept)


def same(one: Opening, other: Opening, table: PlayedTable) -> None:
    """Expect that a match was opened as the same one, whatever it was opened from."""
    assert (one.fold.match, one.fold.seq, one.fold.hash) == (
        other.fold.match,
        other.fold.seq,
        other.fold.hash,
    )
    assert repr(one.fold.match) == repr(other.fold.match)
    assert one.created_at == other.created_at
    assert one.recent[-1] == other.recent[-1]
    for line in table.lines:
        assert list(one.answered.candidates(line.by, line.cmd)) == list(
            other.answered.candidates(line.by, line.cmd)
        )


TABLES = {
    "plain": lambda: played(1),
    "clocked": lambda: played(2, "classic", reveal="hand"),
    "signed": lambda: played(3, signing="required"),
    "board": lambda: board_played(4),
    "fork": lambda: forked_match(played(2).log, 30, kept="reshuffled"),
    "disputed": disputed_match,
}


@pytest.fixture(scope="module", params=TABLES)
def table(request: pytest.FixtureRequest) -> PlayedTable:
    return TABLES[request.param]()  # type: ignore[no-untyped-call]  # one of ours


def test_a_match_opened_from_a_snapshot_is_the_match(table: PlayedTable) -> None:
    store = stored(table)
    whole = open_match(store, table.stream)
    assert (whole.kept, whole.fold.match) == (0, table.match)
    rng = random.Random(1)
    last = len(table.lines)
    for seq in sorted({1, 2, last - 1, last, *rng.choices(range(1, last), k=20)}):
        store.keep_snapshots([snapshot_at(table, seq)])
        opened = open_match(store, table.stream)
        assert opened.kept == seq
        same(opened, whole, table)
        for first in {1, seq - 1, seq, seq + 1, last} - {0, last + 1}:
            steps = list(history(store, table.stream, table.secrets, shuffle_for, first))
            assert steps[0][0].seq == (seq if seq <= first else 1)
            assert [line.seq for line, _ in steps] == list(range(steps[0][0].seq, last + 1))
            assert steps[-1][1] == table.match


async def test_a_match_opens_by_its_last_lines_however_long_it_is() -> None:
    store, read = Counting(), []
    async with card_room(store) as room:
        table = await started(room, LONG)
    for hands in (3, 30):
        async with card_room(store) as room:
            table = await room.table(table.match_id)
            await played_on(room, table, hands)
        store.lines_read = 0
        async with card_room(store) as room:
            again = await room.table(table.match_id)
            assert (again.match, again.seq, again.head_hash) == (
                table.match,
                table.seq,
                table.head_hash,
            )
            assert again.created_at == table.created_at
        read.append(store.lines_read)
    assert table.seq > 4 * EVERY
    assert max(read) <= EVERY


async def test_snapshots_are_taken_as_a_match_goes_on_and_as_it_is_put_away() -> None:
    store, clock = MemoryStore(), Clock()
    async with card_room(store, clock) as room:
        table = await started(room, LONG)
        await play_on(table, random.Random(1), EVERY - table.seq - 1)
        room._shelf.look_at([table])
        await room._shelf.write()
        while table.seq < EVERY:
            assert store.snapshot(table.match_id) is None
            await play_on(table, random.Random(1), 1)
        room._shelf.look_at([table])
        seq = table.seq
        await play_on(table, random.Random(1), 10)
        await room._shelf.write()
        kept = store.snapshot(table.match_id)
        assert kept is not None
        assert kept.seq == seq
        clock.now += 3600 * 1_000_000
        room.put_idle_away()
        await room._shelf.write()
        kept = store.snapshot(table.match_id)
        assert kept is not None
        assert kept.seq == table.seq


async def test_a_repeated_request_from_before_the_snapshot_has_its_first_answer() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await started(room, LONG)
        seat, seq = to_move(table), table.seq
        first = await move(table, Take(), "once", seq)
        by = first[0].line.by
        await played_on(room, table, 4)
    async with card_room(store) as room:
        again = await room.table(table.match_id)
        assert again.kept > seq
        before = again.seq
        assert await again.act(Request(by, Play(seat, Take()), "once", seq)) == first
        assert again.seq == before
        with pytest.raises(RequestIdReusedError):
            await again.act(Request(by, Play(seat, legal(again)[0]), "once", seq))


async def test_a_match_goes_on_from_its_snapshots_to_an_end_that_an_audit_finds_clean() -> None:
    store = MemoryStore()
    match_id = ""
    for hands in range(3, 13, 3):
        async with card_room(store, seed=hands) as room:
            if match_id:
                table = await room.table(match_id)
                assert table.kept
            else:
                table = await started(room, NewMatch(rules=Ruleset(hands=10)))
                match_id = table.match_id
            if hands < 10:
                await played_on(room, table, hands)
            else:
                await play_on(table, random.Random(hands))
                assert isinstance(table.match, Ended)
    report = audit(store.read(match_id))
    assert report.clean


# --- what is not good -----------------------------------------------------------------------------


def spoilt(kept: StoredSnapshot) -> dict[str, StoredSnapshot]:
    turned = bytearray(kept.body)
    turned[len(turned) // 2] ^= 1
    return {
        "a bit is turned": replace(kept, body=bytes(turned)),
        "cut short": replace(kept, body=kept.body[:-1]),
        "empty": replace(kept, body=b""),
        "of another line": replace(kept, hash="0" * 64),
        "of another number": replace(kept, seq=kept.seq - 1),
        "of a line that is not there": replace(kept, seq=10_000),
        "of other code": replace(kept, code="0" * 64),
    }


@pytest.mark.parametrize("what", spoilt(StoredSnapshot("m_a", 5, "", "", b"12345")))
def test_a_snapshot_that_is_not_good_is_passed_over(what: str) -> None:
    table = played(1)
    store = stored(table)
    whole = open_match(store, table.stream)
    store.keep_snapshots([spoilt(snapshot_at(table, 60))[what]])
    with capture_logs() as told:
        opened = open_match(store, table.stream)
    assert opened.kept == 0
    same(opened, whole, table)
    if what == "of other code":
        # After every release all are, and nobody need be told.
        assert told == []
    else:
        assert [(each["event"], each["match"]) for each in told] == [
            ("damaged snapshot", table.stream)
        ]


@given(st.binary(max_size=200))
def test_no_bytes_hinder_a_match_from_opening(body: bytes) -> None:
    table = _PLAYED
    store = stored(table)
    store.keep_snapshots([replace(snapshot_at(table, 30), body=body)])
    assert open_match(store, table.stream).fold.match == table.match


_PLAYED = played(7)


def test_a_snapshot_of_another_match_with_the_same_numbers_is_not_taken() -> None:
    table, other = played(1), played(2)
    store = stored(table)
    foreign = snapshot_at(other, 40)
    store.keep_snapshots([replace(foreign, stream=table.stream)])
    assert open_match(store, table.stream).fold.match == table.match
    # Nor where somebody has given it the right hash.
    line = read_line(table.log[39])
    store.keep_snapshots([replace(foreign, stream=table.stream, hash=line.hash)])
    assert open_match(store, table.stream).fold.match == table.match


async def test_what_is_rehearsed_with_other_decks_is_not_kept() -> None:
    store = MemoryStore()
    async with AsyncExitStack() as ending:
        commits = await ending.enter_async_context(GroupCommit(store))
        room = CardRoom(store, commits, Clock(), entropy(1), partial(shuffle_for))
        await room.start()
        ending.push_async_callback(room.close)
        table = await started(room, LONG)
        await played_on(room, table, 4)
        assert isinstance(table.match, Playing)
    assert store.snapshot(table.match_id) is None


def test_neither_replay_nor_audit_knows_of_snapshots() -> None:
    rooms = ("audit", "replay", "analysis", "evidence")
    script = "import sys\n" + "".join(f"import ginrummy.{room}\n" for room in rooms)
    script += "import ginrummy.audit.audit, ginrummy.replay.history, ginrummy.evidence.full\n"
    script += "print([name for name in sys.modules if 'snapshot' in name or 'tables' in name])"
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert told.stdout.decode().strip() == "[]"


def test_a_snapshot_is_of_the_code_that_runs() -> None:
    """Of the rules, the log, and what the tables add to it."""
    assert snapshot_at(_PLAYED, 20).code == code_digest("ginrummy.tables") != code_digest()
