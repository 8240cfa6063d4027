"""One match at its table: what a command causes, who it is by, and what is refused."""

import asyncio
import random
from collections.abc import Sequence

import pytest
from support_tables import (
    ALICE,
    BOB,
    PLAYERS,
    SHORT,
    START,
    Clock,
    card_room,
    entropy,
    legal,
    move,
    play_on,
    seated,
    started,
    to_move,
)

from ginrummy.log.lines import GENESIS, MatchLine, write_line
from ginrummy.rules.cards import Card, Seat, other
from ginrummy.rules.commands import Draw, Play, Resign, RevealNonce, Take
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import Discarded, Limits, TimeControl
from ginrummy.rules.match import Ended, Playing
from ginrummy.rules.ruleset import PRESETS
from ginrummy.store import Append, GroupCommit, MemoryStore, Outcome, StoreFailedError
from ginrummy.tables.errors import (
    LogDamagedError,
    NoSuchEventError,
    NoSuchMatchError,
    RequestIdReusedError,
    StaleSeqError,
    StoppingError,
)
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request, Table


async def told(table: Table) -> list[MatchLine]:
    """Return all the table's lines."""
    return [step.line for step in await table.steps_after(0)]


async def types(table: Table) -> list[str]:
    """Return the kinds of all the table's events."""
    return [line.type for line in await told(table)]


async def test_a_match_starts_when_the_second_nonce_is_out() -> None:
    async with card_room() as room:
        table = await started(room)
        assert await types(table) == [
            "match_created",
            "player_joined",
            "player_joined",
            "nonce_revealed",
            "nonce_revealed",
            "hand_dealt",
        ]
        assert [line.by for line in await told(table)] == [
            ALICE[0],
            ALICE[0],
            BOB[0],
            ALICE[0],
            BOB[0],
            "server",
        ]


async def test_the_server_draws_and_reveals_the_nonce_of_a_client_that_sends_none() -> None:
    async with card_room() as room:
        table = await room.create(ALICE[0], NewMatch(rules=PRESETS["standard"]))
        await room.join(table.match_id, ALICE, None, None)
        assert (await types(table))[-1] == "player_joined"
        await room.join(table.match_id, BOB, None, None)
        assert (await types(table))[-4:] == [
            "player_joined",
            "nonce_revealed",
            "nonce_revealed",
            "hand_dealt",
        ]
        assert isinstance(table.match, Playing)
        assert {seat.nonce_by for seat in table.match.seats if seat} == {"server"}


async def test_lines_are_chained_and_times_never_go_back() -> None:
    clock = Clock()
    async with card_room(clock=clock) as room:
        table = await started(room)
        clock.now -= 10_000_000
        await move(table, Take())
        lines = await told(table)
        assert [line.prev for line in lines] == [GENESIS, *(line.hash for line in lines[:-1])]
        assert [line.at for line in lines] == sorted(line.at for line in lines)


async def test_a_whole_match_ends_and_reveals_its_last_secret() -> None:
    async with card_room() as room:
        table = await started(room, NewMatch(rules=SHORT))
        await play_on(table, random.Random(3))
        assert isinstance(table.match, Ended)
        assert (await types(table))[-2:] == ["match_ended", "secret_revealed"]
        assert table.closed
        assert room.open_matches == 0


async def test_everything_a_knock_causes_is_one_append_under_one_request_id() -> None:
    async with card_room() as room:
        table = await started(room)
        rng = random.Random(4)
        while (kinds := await types(table))[-1] != "hand_dealt" or kinds.count("hand_dealt") < 2:
            await play_on(table, rng, 1)
        stored = await told(table)
        batch = [line for line in stored if line.cmd == stored[-1].cmd]
        assert batch[-1].type == "hand_dealt"
        assert batch[-2].type in ("hand_scored", "hand_voided")
        assert len({line.at for line in batch}) == 1
        assert [line.by for line in batch[1:]] == ["server"] * (len(batch) - 1)


async def test_c6_a_repeated_request_is_answered_as_the_first_time() -> None:
    async with card_room() as room:
        table = await started(room)
        seq = table.seq
        first = await move(table, Take(), "once", seq)
        by = first[0].line.by
        again = await table.act(Request(by, Play(_seat(by), Take()), "once", seq))
        assert again == first
        assert table.seq == seq + 1


async def test_c6_a_request_id_serves_one_command_only() -> None:
    async with card_room() as room:
        table = await started(room)
        first = await move(table, Take(), "once")
        by = first[0].line.by
        card = legal(table)[0]
        with pytest.raises(RequestIdReusedError, match="once"):
            await table.act(Request(by, Play(_seat(by), card), "once", table.seq))
        assert table.seq == first[0].line.seq


async def test_one_players_request_id_is_not_anothers() -> None:
    async with card_room() as room:
        table = await started(room)
        await move(table, Take(), "same")
        await move(table, legal(table)[0], "x")
        steps = await move(table, Draw(), "same")
        assert steps[0].line.type == "stock_drawn"


async def test_a_command_decided_on_an_older_state_is_stale() -> None:
    async with card_room() as room:
        table = await started(room)
        with pytest.raises(StaleSeqError) as caught:
            await move(table, Take(), seq=table.seq - 1)
        assert (caught.value.expected, caught.value.actual) == (table.seq - 1, table.seq)


async def test_c5_refused_moves_change_nothing() -> None:
    async with card_room() as room:
        table = await started(room, NewMatch(rules=SHORT, limits=Limits(illegal_moves=100)))
        seq, head = table.seq, table.head_hash
        for _ in range(20):
            with pytest.raises(IllegalMoveError):
                await move(table, Draw(), seq=seq)
        assert (table.seq, table.head_hash) == (seq, head)
        await move(table, Take(), seq=seq)


async def test_c10_too_many_refused_moves_in_a_row_lose_the_match() -> None:
    async with card_room() as room:
        table = await started(room, NewMatch(rules=SHORT, limits=Limits(illegal_moves=3)))
        seat = to_move(table)
        for left in (2, 1, 0):
            with pytest.raises(IllegalMoveError):
                await move(table, Draw())
            assert table.refusals_left(seat) == left
        assert (await types(table))[-3:] == ["forfeited", "match_ended", "secret_revealed"]
        assert isinstance(table.match, Ended)
        assert table.match.outcome.winner == other(seat)


async def test_c10_a_move_that_is_allowed_wipes_the_refused_ones_out() -> None:
    async with card_room() as room:
        table = await started(room, NewMatch(rules=SHORT, limits=Limits(illegal_moves=2)))
        seat = to_move(table)
        with pytest.raises(IllegalMoveError):
            await move(table, Draw())
        await move(table, Take())
        assert table.refusals_left(seat) == 2


async def test_x3_time_runs_out_by_the_tables_own_timer() -> None:
    clock = Clock()
    async with card_room(clock=clock) as room:
        wish = NewMatch(rules=SHORT, clock=TimeControl(decision_ms=30))
        table = await started(room, wish)
        seat = to_move(table)
        clock.now += 29_000
        while not table.closed:
            await table.news.for_watcher(table.seq, table.news.presence)
        assert (await types(table))[-3:] == ["clock_expired", "match_ended", "secret_revealed"]
        assert isinstance(table.match, Ended)
        assert table.match.outcome.winner == other(seat)


async def test_x3_a_move_that_comes_too_late_lets_the_clock_decide() -> None:
    clock = Clock()
    async with card_room(clock=clock) as room:
        table = await started(room, NewMatch(rules=SHORT, clock=TimeControl(bank_ms=60_000)))
        clock.now += 61_000_000
        with pytest.raises(IllegalMoveError) as caught:
            await move(table, Take())
        assert caught.value.reason is Reason.TIME_OVER
        assert (await types(table))[-3:] == ["clock_expired", "match_ended", "secret_revealed"]


async def test_c12_a_match_that_nobody_joins_is_abandoned() -> None:
    async with card_room() as room:
        wish = NewMatch(rules=SHORT, limits=Limits(start_ms=20))
        table = await room.create(ALICE[0], wish)
        while not table.closed:
            await table.news.for_watcher(table.seq, table.news.presence)
        assert isinstance(table.match, Ended)
        assert (table.match.outcome.reason, table.match.outcome.winner) == ("abandoned", None)
        assert room.open_matches == 0


async def test_c11_nobody_sits_on_both_sides() -> None:
    async with card_room() as room:
        table = await room.create(ALICE[0], NewMatch(rules=SHORT))
        await room.join(table.match_id, ALICE, 0, None)
        with pytest.raises(IllegalMoveError) as caught:
            await room.join(table.match_id, ALICE, 1, None)
        assert caught.value.reason is Reason.ALREADY_SEATED


async def test_a_wrong_nonce_is_refused() -> None:
    async with card_room() as room:
        table = await seated(room)
        with pytest.raises(IllegalMoveError) as caught:
            await table.act(Request(ALICE[0], RevealNonce(0, "00" * 16)))
        assert caught.value.reason is Reason.NONCE_MISMATCH


async def test_a_restart_goes_on_where_it_was_and_knows_the_requests() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await started(room)
        seq = table.seq
        first = await move(table, Take(), "before", seq)
        await move(table, legal(table)[3], "then")
        position = (table.match, table.seq, table.head_hash)
    async with card_room(store, seed=2) as room:
        table = await room.table(table.match_id)
        assert (table.match, table.seq, table.head_hash) == position
        by = first[0].line.by
        assert await table.act(Request(by, Play(_seat(by), Take()), "before", seq)) == first
        with pytest.raises(RequestIdReusedError):
            await table.act(Request(by, Play(_seat(by), Draw()), "before", seq))
        await move(table, Draw(), "after")


async def test_c7_a_restart_gives_the_decision_under_way_its_time_anew() -> None:
    store, clock = MemoryStore(), Clock()
    wish = NewMatch(rules=SHORT, clock=TimeControl(bank_ms=60_000))
    async with card_room(store, clock) as room:
        table = await started(room, wish)
    clock.now += 3_600_000_000
    async with card_room(store, clock) as room:
        table = await room.table(table.match_id)
        assert (await types(table))[-1] == "clock_resumed"
        await move(table, Take())
        assert isinstance(table.match, Playing)
        assert table.match.clock.bank is not None
        assert min(table.match.clock.bank) > 59_000_000


async def test_creating_with_one_request_id_makes_one_match() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await room.create(ALICE[0], NewMatch(rules=SHORT), "mine")
    async with card_room(store, seed=9) as room:
        again = await room.create(ALICE[0], NewMatch(rules=SHORT), "mine")
        assert (again.match_id, again.seq) == (table.match_id, 1)
        with pytest.raises(RequestIdReusedError):
            await room.create(ALICE[0], NewMatch(rules=PRESETS["classic"]), "mine")
        theirs = await room.create(BOB[0], NewMatch(rules=SHORT), "mine")
        assert theirs.match_id != table.match_id


async def test_two_servers_on_one_store_never_lose_a_move() -> None:
    store = MemoryStore()
    async with card_room(store) as room, card_room(store, seed=2) as second:
        table = await started(room)
        elsewhere = await second.table(table.match_id)
        await move(table, Take(), "here")
        seat = to_move(table)
        discard = Request(PLAYERS[seat][0], Play(seat, legal(table)[0]), "there", table.seq)
        # The other server's copy is an event behind the one that the caller has seen.
        steps = await elsewhere.act(discard)
        assert steps[0].line.seq == table.seq + 1
        # And now this one's is: it loses the race, reads, and knows the request.
        assert [step.line for step in await table.act(discard)] == [steps[0].line]
        assert (table.match, table.seq) == (elsewhere.match, elsewhere.seq)


class FailingStore(MemoryStore):
    """A store whose answer is lost, once."""

    fault: str | None = None

    def append(self, appends: Sequence[Append]) -> list[Outcome]:
        fault, self.fault = self.fault, None
        if fault == "not stored":
            raise StoreFailedError("the disk is full")
        outcomes = super().append(appends)
        if fault == "stored":
            raise StoreFailedError("the disk went away after the commit")
        return outcomes


@pytest.mark.parametrize("fault", ["stored", "not stored"])
async def test_an_append_whose_fate_is_unknown_is_settled_by_the_log(fault: str) -> None:
    store = FailingStore()
    async with card_room(store) as room:
        table = await started(room)
        seq = table.seq
        store.fault = fault
        with pytest.raises(StoreFailedError):
            await move(table, Take(), "once", seq)
        steps = await table.act(
            Request(PLAYERS[to_move(table)][0], Play(to_move(table), Take()), "once", seq)
        )
        assert [step.line.type for step in steps] == ["discard_taken"]
        assert len(list(store.read(table.match_id))) == seq + 1


async def test_a_caller_that_gives_up_leaves_the_table_in_order() -> None:
    async with card_room() as room:
        table = await started(room)
        seq = table.seq
        given_up = asyncio.ensure_future(move(table, Take(), "once", seq))
        await asyncio.sleep(0)
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        steps = await move(table, Take(), "once", seq)
        assert steps[0].line.seq == seq + 1
        assert table.seq == seq + 1


async def test_the_past_can_be_read_from_memory_and_from_the_log() -> None:
    async with card_room() as room:
        table = await started(room)
        with table.news.watching(None):
            await play_on(table, random.Random(5), 20)
            assert table.holds_steps_after(5)
            near = [await table.match_at(seq) for seq in range(6, table.seq + 1)]
            steps = await table.steps_after(5)
        await move(table, legal(table)[0])
        assert not table.holds_steps_after(5)
        assert [await table.match_at(seq) for seq in range(6, table.seq)] == near
        assert (await table.steps_after(5))[:-1] == steps
        table._past._recent.clear()
        assert [await table.match_at(seq) for seq in range(6, table.seq)] == near
        assert (await table.steps_after(5))[:-1] == steps
        with pytest.raises(NoSuchEventError):
            await table.match_at(table.seq + 1)


async def test_an_unknown_match_is_refused_and_a_closed_room_takes_nothing() -> None:
    async with card_room() as room:
        with pytest.raises(NoSuchMatchError):
            await room.table("m_nobody")
    with pytest.raises(StoppingError):
        await room.table("m_nobody")


async def test_resigning_ends_the_match_for_the_other_seat() -> None:
    async with card_room() as room:
        table = await started(room)
        waiting = other(to_move(table))
        await table.act(Request(PLAYERS[waiting][0], Play(waiting, Resign()), "r"))
        assert isinstance(table.match, Ended)
        assert (table.match.outcome.reason, table.match.outcome.winner) == (
            "resigned",
            other(waiting),
        )


async def test_c13_no_two_matches_have_one_deck() -> None:
    async with card_room() as room:
        first_hands = set()
        for _ in range(50):
            table = await started(room)
            assert isinstance(table.match, Playing)
            first_hands.add(table.match.hand.layout.dealt.deck)
        assert len(first_hands) == 50


def _seat(player: str) -> Seat:
    return 0 if player == ALICE[0] else 1


async def test_a_damaged_match_stays_closed_and_hinders_no_other() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        whole, spoilt = await started(room), await started(room, NewMatch(rules=SHORT))
    # Its log goes on with what cannot follow.
    line = write_line(
        spoilt.match_id,
        spoilt.seq + 1,
        START,
        ALICE[0],
        "",
        Discarded(0, Card("AS")),
        spoilt.head_hash,
    )
    store.append([Append(spoilt.match_id, spoilt.seq, (line,))])
    async with GroupCommit(store) as commits:
        room = CardRoom(store, commits, Clock(), entropy(3))
        await room.start()
        assert (await room.table(whole.match_id)).seq == whole.seq
        with pytest.raises(LogDamagedError):
            await room.table(spoilt.match_id)
        await room.close()
