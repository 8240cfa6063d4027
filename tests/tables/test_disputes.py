"""Disputes at the tables: asked for once, answered once, and replays that outlive a server."""

import hashlib
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from support_boards import opened_board
from support_disputes import JUDGE, SECOND_JUDGE
from support_tables import ALICE, BOB, NONCES, PLAYERS, SHORT, Clock, card_room, play_on, started

from ginrummy.audit.audit import audit
from ginrummy.log.lines import read_line
from ginrummy.log.replays import replay_id
from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import Play, Resign, RevealNonce
from ginrummy.rules.disputes.commands import RuleOnDispute
from ginrummy.rules.disputes.events import HandPoints, HandReplayed, Ruling
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import HandDealt
from ginrummy.rules.match import Ended, Playing
from ginrummy.store import MatchQuery, MemoryStore, Store, StoreFailedError
from ginrummy.store.protocol import Append, Outcome
from ginrummy.tables.disputes import Disputes
from ginrummy.tables.errors import RequestIdReusedError
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request, Table

LONG = replace(SHORT, target=60)


class Bench:
    """A card room with its disputes, in one process."""

    def __init__(self, room: CardRoom, store: Store) -> None:
        self.room = room
        self.store = store
        self.adjusted: list[str] = []
        self.disputes = Disputes(room, store, self._told)

    async def _told(self, match_id: str) -> None:
        self.adjusted.append(match_id)

    async def settled(self) -> None:
        """Wait until everything that was to be seen to is done."""
        while tasks := list(self.disputes._seeing_to.values()):
            for task in tasks:
                await task

    async def ended(self, seed: int = 3, **terms: Any) -> Table:  # noqa: ANN401 -- handed on
        """Return a table whose match is over."""
        wish = NewMatch(rules=LONG, name="final")
        table = await started(self.room, replace(wish, **terms))
        await play_on(table, random.Random(seed))
        return table

    async def ruled(self, what: Ruling, **fields: Any) -> Table:  # noqa: ANN401 -- handed on
        """Return a table whose last hand was disputed by Alice and ruled on."""
        table = await self.ended()
        await self.disputes.open(table.match_id, ALICE[0], "score_wrong", "No.", hand=last(table))
        await self.disputes.rule(table.match_id, ruling(what, **fields))
        return table


@asynccontextmanager
async def bench(store: Store | None = None, clock: Clock | None = None) -> AsyncIterator[Bench]:
    kept = store or MemoryStore()
    async with card_room(kept, clock) as room:
        made = Bench(room, kept)
        await made.disputes.start()
        try:
            yield made
        finally:
            await made.disputes.close()


def ruling(what: Ruling, by: str = JUDGE, **fields: Any) -> RuleOnDispute:  # noqa: ANN401 -- handed on
    return replace(RuleOnDispute(by, 1, what, "S1", "So it is."), **fields)


def last(table: Table) -> int:
    """Return the number of a match's last hand."""
    assert isinstance(table.match, Ended)
    assert table.match.last is not None
    return table.match.last.layout.dealt.number


def ended(table: Table) -> Ended:
    assert isinstance(table.match, Ended)
    return table.match


def clean(store: Store, *matches: str) -> bool:
    return all(audit(list(store.read(match))).clean for match in matches)


async def play_replay(made: Bench, replay: str, seed: int = 9) -> Table:
    """Let both players come to a replay and play it."""
    for player, nonce in zip(PLAYERS, NONCES, strict=True):
        await made.room.join(replay, player, None, hashlib.sha256(nonce).hexdigest())
    table = await made.room.table(replay)
    for seat, player in enumerate(PLAYERS):
        reveal = RevealNonce(1 if seat else 0, NONCES[seat].hex())
        await table.act(Request(player[0], reveal))
    await play_on(table, random.Random(seed))
    await made.settled()
    return table


# --- what is asked for --------------------------------------------------------------------------


async def test_a_dispute_is_about_what_is_named_of_it() -> None:
    """The hand follows from the event, and the event from the hand."""
    async with bench() as made:
        table = await made.ended()
        whole = ended(table)
        lines = [read_line(raw) for raw in made.store.read(table.match_id)]
        (end,) = (line.seq for line in lines if line.type == "match_ended")
        over = [line.seq for line in lines if line.type in ("hand_scored", "hand_voided")]

        async def opened(
            hand: int | None = None, event: int | None = None
        ) -> tuple[int | None, int]:
            heard = await made.disputes.open(
                table.match_id, BOB[0], "other", "Look.", hand=hand, event=event
            )
            return heard.dispute.hand, heard.dispute.event

        async def refused(hand: int | None = None, event: int | None = None) -> Reason:
            with pytest.raises(IllegalMoveError) as refusal:
                await opened(hand, event)
            return refusal.value.reason

        assert await opened() == (None, end)
        assert await opened(hand=1) == (1, over[0])
        assert await opened(event=over[1] - 3) == (2, over[1] - 3)
        assert await refused(event=3) is Reason.DISPUTED_ALREADY
        assert await refused(hand=3, event=2) is Reason.EVENT_ELSEWHERE
        assert await refused(hand=900) is Reason.NO_SUCH_HAND
        assert ended(table).outcome == whole.outcome
        assert clean(made.store, table.match_id)


async def test_a_repeated_request_is_answered_as_the_first_time() -> None:
    """C6 also when the dispute has gone on meanwhile."""
    async with bench() as made:
        table = await made.ended()
        match_id = table.match_id

        async def opened(text: str = "No.") -> object:
            return await made.disputes.open(
                match_id, BOB[0], "score_wrong", text, hand=1, request_id="open"
            )

        first = await opened()
        rule = ruling("adjust", points=BySeat(5, 0))
        ruled = await made.disputes.rule(match_id, rule, request_id="rule")
        appealed = await made.disputes.appeal(match_id, BOB[0], 1, "No!", request_id="appeal")
        seq = table.seq
        assert await opened() == first
        assert await made.disputes.rule(match_id, rule, request_id="rule") == ruled
        again = await made.disputes.appeal(match_id, BOB[0], 1, "No!", request_id="appeal")
        assert again == appealed
        assert table.seq == seq
        with pytest.raises(RequestIdReusedError):
            await opened("Another text.")
        other_rule = ruling("adjust", points=BySeat(6, 0))
        with pytest.raises(RequestIdReusedError):
            await made.disputes.rule(match_id, other_rule, request_id="rule")
        with pytest.raises(RequestIdReusedError):
            await made.disputes.appeal(match_id, BOB[0], 1, "Another.", request_id="open")


async def test_whoever_is_to_hear_of_a_new_result_does() -> None:
    async with bench() as made:
        table = await made.ruled("adjust", points=BySeat(5, 0))
        assert made.adjusted == [table.match_id]
        await made.disputes.open(table.match_id, BOB[0], "other", "And this?", hand=1)
        await made.disputes.rule(table.match_id, ruling("dismiss", dispute=2))
        assert made.adjusted == [table.match_id]
    async with bench(made.store) as again:
        # A server that was killed may not have said it.
        assert again.adjusted == [table.match_id]


async def test_what_another_process_has_stored_counts() -> None:
    """Two processes on one database: the second to rule is told that it is too late."""
    store = MemoryStore()
    async with bench(store) as one, bench(store) as two:
        table = await one.ended()
        await one.disputes.open(table.match_id, BOB[0], "other", "No.", hand=1)
        await two.disputes.table(table.match_id)
        await one.disputes.rule(table.match_id, ruling("dismiss"))
        with pytest.raises(IllegalMoveError) as refused:
            await two.disputes.rule(table.match_id, ruling("uphold", SECOND_JUDGE))
        assert refused.value.reason is Reason.RULED_ALREADY


# --- replays ------------------------------------------------------------------------------------


async def test_a_ruling_opens_the_match_in_which_the_hand_is_played_again() -> None:
    """R8 same players, same terms of play, one hand, and whoever dealt it deals first."""
    async with bench() as made:
        table = await made.ruled("replay")
        hand = last(table)
        replay = await made.room.table(replay_id(table.match_id, 1, 1))
        terms, original = replay.match.terms, table.match.terms
        assert terms.rules == replace(original.rules, hands=1)
        assert terms.seats == (ALICE[0], BOB[0])
        assert (terms.clock, terms.signing) == (original.clock, original.signing)
        assert (terms.dispute_ms, terms.reveal) == (0, "match")
        assert terms.limits.start_ms == original.dispute_ms
        dealers = {
            line.event.hand: line.event.dealer
            for line in map(read_line, made.store.read(table.match_id))
            if isinstance(line.event, HandDealt)
        }
        assert terms.first_dealer == dealers[hand]
        assert terms.origin is not None
        named = read_line(list(made.store.read(table.match_id))[terms.origin.seq - 1])
        assert (named.type, named.hash) == ("dispute_ruled", terms.origin.hash)
        assert terms.origin.hand == hand


async def test_what_a_replay_brings_comes_back() -> None:
    async with bench() as made:
        table = await made.ruled("replay")
        before = ended(table).score
        replay = await play_replay(made, replay_id(table.match_id, 1, 1))
        winner = ended(replay).outcome.winner
        assert winner is not None
        points = ended(replay).outcome.points[winner]
        assert ended(table).score.points == before.points.put(
            winner, before.points[winner] + points
        )
        (back,) = (
            line.event
            for line in map(read_line, made.store.read(table.match_id))
            if isinstance(line.event, HandReplayed)
        )
        assert (back.match, back.seq, back.hash) == (
            replay.match_id,
            replay.seq,
            replay.head_hash,
        )
        assert back.scored == HandPoints(winner, points)
        assert made.adjusted == [table.match_id] * 2
        assert clean(made.store, table.match_id, replay.match_id)


async def test_whoever_gives_a_replay_up_loses_as_by_gin() -> None:
    """R8"""
    async with bench() as made:
        table = await made.ruled("replay")
        replay = replay_id(table.match_id, 1, 1)
        for player, nonce in zip(PLAYERS, NONCES, strict=True):
            await made.room.join(replay, player, None, hashlib.sha256(nonce).hexdigest())
        again = await made.room.table(replay)
        for seat, player in enumerate(PLAYERS):
            reveal = RevealNonce(1 if seat else 0, NONCES[seat].hex())
            await again.act(Request(player[0], reveal))
        await again.act(Request(BOB[0], Play(1, Resign())))
        await made.settled()
        (dispute,) = ended(table).disputes
        assert dispute.standing is not None
        assert dispute.standing.replay is not None
        assert dispute.standing.replay.scored == HandPoints(0, LONG.gin_bonus)
        assert clean(made.store, table.match_id, replay)


async def test_a_replay_to_which_nobody_comes_leaves_the_hand_void() -> None:
    """R8 when the time to come is over."""
    clock = Clock()
    async with bench(clock=clock) as made:
        table = await made.ruled("replay")
        void = ended(table).outcome
        replay = await made.room.table(replay_id(table.match_id, 1, 1))
        clock.now += table.match.terms.dispute_ms * 1000 + 1
        await replay._expire()
        await made.settled()
        (dispute,) = ended(table).disputes
        assert not dispute.awaits_replay
        assert ended(table).outcome == void
        assert clean(made.store, table.match_id, replay.match_id)


async def test_a_ruling_on_appeal_calls_a_replay_off() -> None:
    """R9 the match that it was to be is given up, and what it brought counts no more."""
    async with bench() as made:
        table = await made.ruled("replay")
        replay = await made.room.table(replay_id(table.match_id, 1, 1))
        await made.disputes.appeal(table.match_id, BOB[0], 1, "It was right.")
        await made.disputes.rule(table.match_id, ruling("dismiss", SECOND_JUDGE))
        assert ended(replay).outcome.reason == "aborted"
        await made.settled()
        assert ended(table).outcome == ended(table).as_played
        assert clean(made.store, table.match_id, replay.match_id)


async def test_a_boards_hand_is_played_again_from_other_decks() -> None:
    store = MemoryStore()
    async with bench(store) as made:
        table = await opened_board(made.room, store, PLAYERS)
        await play_on(table, random.Random(4))
        await made.disputes.open(table.match_id, ALICE[0], "rule_broken", "No.", hand=1)
        await made.disputes.rule(table.match_id, ruling("replay"))
        replay = await play_replay(made, replay_id(table.match_id, 1, 1))
        assert replay.match.terms.board is None
        (dispute,) = ended(table).disputes
        assert not dispute.awaits_replay
        assert ended(table).outcome.points == ended(replay).outcome.points
        assert clean(store, table.match_id, replay.match_id)


# --- a server that dies -------------------------------------------------------------------------


class DyingStore(MemoryStore):
    """A store that fails from some append on, as for a process that was killed there."""

    def __init__(self) -> None:
        super().__init__()
        self.left: int | None = None
        """How many more appends are stored; None for any number."""

    def append(self, appends: Sequence[Append]) -> list[Outcome]:
        if self.left is not None:
            if self.left == 0:
                raise StoreFailedError("the process is gone")
            self.left -= 1
        return super().append(appends)


@pytest.mark.parametrize("kept", [0, 1])
async def test_a_server_killed_before_a_replay_was_open_opens_it_later(kept: int) -> None:
    """D4 the ruling is stored or not; if it is, the next server has the hand played again."""
    store = DyingStore()
    async with bench(store) as made:
        table = await made.ended()
        await made.disputes.open(table.match_id, ALICE[0], "other", "No.", hand=last(table))
        store.left = kept
        with pytest.raises(StoreFailedError):
            await made.disputes.rule(table.match_id, ruling("replay"))
    store.left = None
    async with bench(store) as again:
        await again.settled()
        replay = replay_id(table.match_id, 1, 1)
        assert await again.room.is_known(replay) == bool(kept)
        if kept:
            await play_replay(again, replay)
            row = store.match(table.match_id)
            assert row is not None
            assert (row.replaying, row.adjusted) == (0, 2)
            assert clean(store, table.match_id, replay)


async def test_a_server_killed_before_a_replay_came_back_takes_it_back_later() -> None:
    store = DyingStore()
    async with bench(store) as made:
        table = await made.ruled("replay")
        # The replay's own end is stored, and nothing after it.
        replay = replay_id(table.match_id, 1, 1)
        for player, nonce in zip(PLAYERS, NONCES, strict=True):
            await made.room.join(replay, player, None, hashlib.sha256(nonce).hexdigest())
        again = await made.room.table(replay)
        for seat, player in enumerate(PLAYERS):
            await again.act(Request(player[0], RevealNonce(1 if seat else 0, NONCES[seat].hex())))
        assert isinstance(again.match, Playing)
        store.left = 1
        await again.act(Request(BOB[0], Play(1, Resign())))
        assert ended(table).disputes[0].awaits_replay
    store.left = None
    assert [row.id for row in store.matches(MatchQuery(disputed="replaying")).matches] == [
        table.match_id
    ]
    async with bench(store) as later:
        await later.settled()
        seen = await later.disputes.table(table.match_id)
        assert not ended(seen).disputes[0].awaits_replay
        types = [read_line(raw).type for raw in store.read(table.match_id)]
        assert types.count("hand_replayed") == 1
        await later.disputes.see_to(table.match_id)
        assert [read_line(raw).type for raw in store.read(table.match_id)] == types


async def test_several_servers_take_a_replay_back_once() -> None:
    store = MemoryStore()
    async with bench(store) as one, bench(store) as two:
        table = await one.ruled("replay")
        await two.disputes.see_to(table.match_id)
        replay = await play_replay(one, replay_id(table.match_id, 1, 1))
        await two.disputes.see_to(table.match_id)
        types = [read_line(raw).type for raw in store.read(table.match_id)]
        assert types.count("hand_replayed") == 1
        assert [row.id for row in store.matches(MatchQuery()).matches] == [
            replay.match_id,
            table.match_id,
        ]


async def test_of_a_match_that_is_over_one_finds_what_was_stored_beside_the_server() -> None:
    """Also where nothing is heard of others, as of a director's command on a SQLite file."""
    async with bench() as served, bench(served.store) as beside:
        here = await served.ended()
        await beside.disputes.open(here.match_id, ALICE[0], "conduct", "He shouted.")
        assert here.seq < served.store.head(here.match_id).seq
        assert await served.room.table(here.match_id) is here
        assert [each.text for each in ended(here).disputes] == ["He shouted."]
