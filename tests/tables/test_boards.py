"""Boards at the tables: opened whole, found again, ended from outside, and awaited."""

import asyncio
import random

import msgspec
import pytest
from support_boards import BOARDS, TOURNAMENT, board, opened_board, sitting
from support_tables import ALICE, BOB, NONCES, PLAYERS, card_room, move, play_on, seated, started

from ginrummy.audit.audit import audit
from ginrummy.log.boards import board_deck, sitting_deck
from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import Pass, RevealNonce
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import Forfeited, HandDealt, MatchEnded, SecretRevealed
from ginrummy.rules.match import Ended, Playing
from ginrummy.rules.ruleset import make_ruleset
from ginrummy.store import CHAIN_SECRET, MemoryStore
from ginrummy.tables.errors import (
    LogDamagedError,
    NoSuchMatchError,
    RequestIdReusedError,
    StoppingError,
)
from ginrummy.tables.room import NewMatch, match_id_for
from ginrummy.tables.table import SERVER, Request

SWAPPED = BySeat(BOB, ALICE)


# --- opening --------------------------------------------------------------------------------------


async def test_a_board_is_opened_whole_with_one_append() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await opened_board(room, store, PLAYERS)
        steps = await table.steps_after(0)
        assert [step.line.type for step in steps] == [
            "match_created",
            "player_joined",
            "player_joined",
            "hand_dealt",
        ]
        assert len({(step.line.at, step.line.cmd, step.line.by) for step in steps}) == 1
        assert steps[0].line.cmd == "r1-t4-b7-h1"
        match = table.match
        assert isinstance(match, Playing)
        assert [(seated.player, seated.name) for seated in match.seats if seated] == [*PLAYERS]
        dealt = steps[3].line.event
        assert isinstance(dealt, HandDealt)
        deck, dealer = sitting_deck(BOARDS.secret(7), board(7), table.match_id)
        assert (dealt.upcard, dealt.dealer) == (deck[20], dealer)
        assert match.hand.layout.hands[1 if dealer == 0 else 0] == sum(
            card.bit for card in deck[0:20:2]
        )
        assert store.secret(table.match_id, CHAIN_SECRET) is None


async def test_both_tables_of_a_board_play_the_same_cards_in_suits_of_their_own() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        first = await opened_board(room, store, PLAYERS, request_id="h1")
        second = await opened_board(room, store, SWAPPED, request_id="h2")
        ranks = []
        for table in (first, second):
            assert isinstance(table.match, Playing)
            deck, dealer = sitting_deck(BOARDS.secret(7), board(7), table.match_id)
            assert table.match.hand.layout.dealt.dealer == dealer
            ranks.append([card.rank for card in deck])
        assert ranks[0] == ranks[1] == [c.rank for c in board_deck(BOARDS.secret(7), board(7)).deck]


async def test_a_request_made_again_finds_its_board() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        match_id = match_id_for(SERVER, "r1-t4-b7-h1")
        assert not await room.is_known(match_id)
        table = await opened_board(room, store, PLAYERS)
        assert table.match_id == match_id
        assert await room.is_known(match_id)
        assert await opened_board(room, store, PLAYERS) is table
        assert table.seq == 4
        with pytest.raises(RequestIdReusedError):
            await opened_board(room, store, SWAPPED)
    async with card_room(store, seed=9) as room:
        assert await room.is_known(match_id)
        again = await opened_board(room, store, PLAYERS)
        assert again.match_id == match_id
        assert not [
            step for step in await again.steps_after(4) if step.line.type != "clock_resumed"
        ]


async def test_a_match_that_the_server_makes_is_found_again_too() -> None:
    store = MemoryStore()
    wish = NewMatch(rules=make_ruleset("standard", {}), seats=BySeat("p_alice", "p_bob"))
    async with card_room(store) as room:
        table = await room.create(SERVER, wish, "r1-t4")
        assert table.match_id == match_id_for(SERVER, "r1-t4")
        assert await room.create(SERVER, wish, "r1-t4") is table
    async with card_room(store) as room:
        again = await room.create(SERVER, wish, "r1-t4")
        assert (again.match_id, again.seq) == (table.match_id, 1)
        with pytest.raises(RequestIdReusedError):
            await room.create(SERVER, msgspec.structs.replace(wish, name="other"), "r1-t4")


@pytest.mark.parametrize(
    "change",
    [
        {"seats": BySeat("p_alice", None)},
        {"seats": BySeat("p_alice", "p_alice")},
        {"reveal": "match"},
        {"rules": make_ruleset("oklahoma", {"spades_double": True})},
    ],
)
async def test_what_cannot_be_a_board_is_refused_and_not_stored(change: dict[str, object]) -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        wish = msgspec.structs.replace(sitting(BySeat("p_alice", "p_bob")), **change)
        with pytest.raises(IllegalMoveError) as refused:
            await room.open_board(SERVER, wish, BySeat("Al", "Bo"), board(), BOARDS, "r")
        assert refused.value.reason is Reason.NOT_ALLOWED_NOW
        assert not await room.is_known(match_id_for(SERVER, "r"))


async def test_nobody_joins_a_board_or_reveals_a_nonce_there() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await opened_board(room, store, PLAYERS)
        with pytest.raises(IllegalMoveError) as refused:
            await room.join(table.match_id, BySeat("p_eve", "Eve"), None, None)
        assert refused.value.reason is Reason.SEAT_TAKEN
        with pytest.raises(IllegalMoveError) as refused:
            await table.act(Request("p_alice", RevealNonce(0, NONCES[0].hex())))
        assert refused.value.reason is Reason.NOT_ALLOWED_NOW
        assert "a board takes no nonces" in refused.value.why


# --- going on, and the end ------------------------------------------------------------------------


async def test_a_board_goes_on_after_a_restart_with_the_tournaments_secrets() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await opened_board(room, store, PLAYERS)
        await move(table, Pass())
        before = table.match
    assert isinstance(before, Playing)
    async with card_room(store) as room:
        again = await room.table(table.match_id)
        assert isinstance(again.match, Playing)
        assert again.match.hand == before.hand
        await play_on(again, random.Random(4))
        assert isinstance(again.match, Ended)


async def test_a_board_whose_secrets_are_lost_hinders_no_other_match() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        wish = sitting(BySeat("p_alice", "p_bob"))
        lost = await room.open_board(SERVER, wish, BySeat("Al", "Bo"), board(), BOARDS, "r")
        other = await started(room)
    async with card_room(store) as room:
        with pytest.raises(LogDamagedError, match="the secrets of its decks are lost"):
            await room.table(lost.match_id)
        assert isinstance((await room.table(other.match_id)).match, Playing)


async def test_a_tournaments_stream_is_no_match() -> None:
    async with card_room() as room:
        with pytest.raises(NoSuchMatchError):
            await room.table(TOURNAMENT)


@pytest.mark.parametrize("seed", range(8))
async def test_a_board_ends_with_its_hand(seed: int) -> None:
    """Its secret stays hidden until a director or the server lets it out; then all is clean."""
    store = MemoryStore()
    async with card_room(store) as room:
        table = await opened_board(room, store, PLAYERS, number=seed + 1)
        await play_on(table, random.Random(seed))
        match = table.match
        assert isinstance(match, Ended)
        assert (match.outcome.reason, match.revealed) == ("hands", 0)
        assert table.closed
        log = list(store.read(table.match_id))
        report = audit(log)
        assert not report.faults
        assert [each.name for each in report.checks if each.status == "waiting"] == [
            "reveal",
            "dealing",
            "deck",
        ]
        # It decks other tables too, and tells of every board before it.
        with pytest.raises(IllegalMoveError, match="comes out with its tournament's boards"):
            await table.reveal_secrets("p_director")
        (step,) = await table.reveal_secrets(SERVER)
        revealed = step.line.event
        assert revealed == SecretRevealed(1, BOARDS.secret(seed + 1).hex())
        report = audit(list(store.read(table.match_id)))
        assert report.clean
        assert report.check("deck").status == report.check("dealing").status == "passed"
        with pytest.raises(IllegalMoveError):
            await table.reveal_secrets(SERVER)


async def test_the_secret_of_a_board_stays_in_while_it_is_played() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await opened_board(room, store, PLAYERS)
        with pytest.raises(IllegalMoveError):
            await table.reveal_secrets(SERVER)


# --- ending from outside --------------------------------------------------------------------------


async def test_a_seat_is_made_to_lose_once() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await opened_board(room, store, PLAYERS)
        assert await table.forfeit(1, "no_show")
        ended = [step.line.event for step in await table.steps_after(4)]
        assert ended[0] == Forfeited(1, "no_show")
        assert isinstance(ended[1], MatchEnded)
        assert (ended[1].reason, ended[1].winner) == ("no_show", 0)
        assert not await table.forfeit(0, "crash")
        assert not await table.abort("aborted")
        assert table.seq == 6
        assert audit(list(store.read(table.match_id))).faults == ()


async def test_a_match_can_be_given_up_before_it_has_started() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await seated(room)
        assert await table.abort("round_clock")
        match = table.match
        assert isinstance(match, Ended)
        assert (match.outcome.reason, match.outcome.winner) == ("round_clock", None)
        assert audit(list(store.read(table.match_id))).clean
        assert store.results() == []


async def test_nothing_is_ended_by_a_server_that_stops() -> None:
    async with card_room() as room:
        table = await started(room)
    with pytest.raises(StoppingError):
        await table.forfeit(0, "crash")
    with pytest.raises(StoppingError):
        await table.until_closed()


# --- waiting for the end --------------------------------------------------------------------------


async def test_whoever_waits_for_the_end_gets_the_match_as_it_ended() -> None:
    async with card_room() as room:
        table = await started(room)
        waiting = asyncio.ensure_future(table.until_closed())
        await move(table, Pass())
        assert not waiting.done()
        await table.forfeit(0, "withdrawn")
        match = await waiting
        assert match is table.match
        assert match.revealed == 1
        assert await table.until_closed() is match


async def test_whoever_waits_is_told_that_the_server_stops() -> None:
    async with card_room() as room:
        table = await started(room)
        waiting = asyncio.ensure_future(table.until_closed())
        await asyncio.sleep(0)
        assert not waiting.done()
    with pytest.raises(StoppingError):
        await waiting
