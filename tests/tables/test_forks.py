"""Forks at the tables: made from what is stored, found again, telling nothing that is hidden."""

import hashlib
import random

import pytest
from msgspec.structs import replace
from support_boards import opened_board
from support_tables import (
    ALICE,
    BOB,
    NONCES,
    PLAYERS,
    SHORT,
    card_room,
    move,
    play_on,
    started,
    to_move,
)

from ginrummy.audit.audit import audit
from ginrummy.audit.report import text
from ginrummy.log.branching import HiddenCardsError, NothingToPlayError
from ginrummy.log.lines import read_line
from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import Pass, RevealNonce
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import Limits, TimeControl
from ginrummy.rules.match import Ended, Playing
from ginrummy.rules.ruleset import PRESETS
from ginrummy.store import MatchQuery, MemoryStore, Store
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError, RequestIdReusedError
from ginrummy.tables.forks import NewFork, branch_of
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request, Table


async def ended(room: CardRoom, **terms: object) -> Table:
    """Return a match that is over, and not after its first hand."""
    wish = replace(NewMatch(rules=PRESETS["standard"]), **terms)
    table = await started(room, wish)
    await play_on(table, random.Random(3))
    assert isinstance(table.match, Ended)
    return table


async def begun(table: Table) -> Table:
    """Return a fork at which both players sit and all is dealt."""
    for seat, player in enumerate(PLAYERS):
        reveal = RevealNonce(1 if seat else 0, NONCES[seat].hex())
        await table.act(Request(player[0], reveal))
    return table


async def joined(room: CardRoom, table: Table) -> Table:
    """Return a fork at which both players sit."""
    for player, nonce in zip(PLAYERS, NONCES, strict=True):
        await room.join(table.match_id, player, None, hashlib.sha256(nonce).hexdigest())
    return table


def types(store: Store, match: str) -> list[str]:
    return [read_line(raw).type for raw in store.read(match)]


async def test_a_fork_is_dealt_with_its_moves_in_one_append() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        at = branch_of(store, origin.match_id, 20, may_open=False)
        table = await begun(await joined(room, await room.fork("p_eve", at, NewFork())))
        steps = await table.steps_after(5)
        assert len(steps) == 1 + len(at.moves)
        assert [step.line.event for step in steps[1:]] == list(at.moves)
        assert {step.line.by for step in steps} == {"server"}
        assert len({(step.line.at, step.line.cmd) for step in steps}) == 1
        assert isinstance(table.match, Playing)
        assert table.match.hand.layout.dealt.deck == at.deck
        await play_on(table, random.Random(1))
        assert types(store, table.match_id)[-2:] == ["position_revealed", "secret_revealed"]
        report = audit(list(store.read(table.match_id)))
        assert report.clean, text(report)
        assert report.check("position").status == report.check("deck").status == "passed"


async def test_it_may_have_a_clock_limits_and_a_name_of_its_own() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room, name="The final")
        at = branch_of(store, origin.match_id, 20, may_open=False)
        wish = NewFork(clock=TimeControl(decision_ms=5_000), limits=Limits(idle_ms=9_000))
        table = await room.fork("p_eve", at, wish)
        terms = table.match.terms
        assert (terms.clock, terms.limits, terms.reveal) == (wish.clock, wish.limits, "match")
        assert terms.name == "From event 20 of The final"
        assert (terms.dispute_ms, terms.signing, terms.rules) == (0, "off", PRESETS["standard"])
        other = await room.fork("p_eve", at, NewFork(name="What if", seats=BySeat("p_bob", None)))
        assert (other.match.terms.name, other.match.terms.seats) == ("What if", ("p_bob", None))


async def test_a_request_made_again_finds_its_fork() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        at = branch_of(store, origin.match_id, 20, may_open=False)
        wish = NewFork(kept="reshuffled", seat=1)
        table = await room.fork("p_eve", at, wish, "f1")
        assert await room.fork("p_eve", at, wish, "f1") is table
        assert table.seq == 1
        with pytest.raises(RequestIdReusedError):
            await room.fork("p_eve", at, NewFork(), "f1")
        later = branch_of(store, origin.match_id, 22, may_open=False)
        with pytest.raises(RequestIdReusedError):
            await room.fork("p_eve", later, wish, "f1")
        assert await room.fork("p_bob", at, wish, "f1") is not table
    async with card_room(store, seed=7) as room:
        assert (await room.fork("p_eve", at, wish, "f1")).match.terms == table.match.terms


async def test_a_request_that_broke_off_before_its_match_was_stored_says_nothing_of_the_next() -> (
    None
):
    """What was kept for another wish under the same id does not get into this one."""
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        at = branch_of(store, origin.match_id, 20, may_open=False)
        later = branch_of(store, origin.match_id, 30, may_open=False)
        broken = card_room(store, seed=5)
        async with broken as other:
            # Stopping, it keeps what the fork takes and stores no line.
            await other.close()
            with pytest.raises(Exception, match="stopping"):
                await other.fork("p_eve", at, NewFork(), "f1")
        table = await begun(await joined(room, await room.fork("p_eve", later, NewFork(), "f1")))
        assert isinstance(table.match, Playing)
        assert len(table.match.hand.layout.pile) == len(_pile(origin, store, 30))
        await play_on(table, random.Random(1))
        assert audit(list(store.read(table.match_id))).clean


def _pile(origin: Table, store: Store, seq: int) -> list[object]:
    at = branch_of(store, origin.match_id, seq, may_open=False)
    pile: list[object] = [at.upcard]
    for event in at.moves:
        if type(event).__name__ == "Discarded":
            pile.append(event)
        elif type(event).__name__ == "DiscardTaken":
            pile.pop()
    return pile


async def test_a_fork_goes_on_after_a_restart_before_its_deal_and_after_it() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        at = branch_of(store, origin.match_id, 25, may_open=False)
        made = await joined(room, await room.fork("p_eve", at, NewFork(kept="reshuffled", seat=0)))
    async with card_room(store) as room:
        table = await begun(await room.table(made.match_id))
        before = table.match
    assert isinstance(before, Playing)
    async with card_room(store) as room:
        again = await room.table(made.match_id)
        assert isinstance(again.match, Playing)
        assert again.match.hand == before.hand
        await play_on(again, random.Random(4))
    assert audit(list(store.read(made.match_id))).clean


async def test_a_fork_whose_secrets_are_lost_is_damaged_and_hinders_no_other() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        at = branch_of(store, origin.match_id, 25, may_open=False)
        lost = [(await room.fork("p_eve", at, NewFork())).match_id for _ in range(3)]
        other = await started(room)
    names = {name for stream, name in store._secrets if stream == lost[0]}
    position, copies = (
        next(name for name in names if name.startswith(kind)) for kind in ("position", "copies")
    )
    del store._secrets[lost[0], position]
    store._secrets[lost[1], position] = b"nothing of the kind"
    del store._secrets[lost[2], copies]
    async with card_room(store) as room:
        for match in lost[:2]:
            with pytest.raises(LogDamagedError):
                await room.table(match)
        table = await joined(room, await room.table(lost[2]))
        with pytest.raises(LogDamagedError, match="the moves that it takes over"):
            await begun(table)
        assert isinstance((await room.table(other.match_id)).match, Playing)


async def test_a_director_lets_the_position_out_with_the_secrets() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        at = branch_of(store, origin.match_id, 25, may_open=False)
        fork = await room.fork("p_eve", at, NewFork(reveal="director"))
        table = await begun(await joined(room, fork))
        with pytest.raises(IllegalMoveError):
            await table.reveal_secrets("p_director")
        await play_on(table, random.Random(2))
        report = audit(list(store.read(table.match_id)))
        assert report.clean
        assert report.check("position").status == report.check("deck").status == "waiting"
        steps = await table.reveal_secrets("p_director")
        assert [(step.line.type, step.line.by) for step in steps] == [
            ("position_revealed", "p_director"),
            ("secret_revealed", "server"),
        ]
        with pytest.raises(IllegalMoveError):
            await table.reveal_secrets("p_director")
        assert audit(list(store.read(table.match_id))).check("position").status == "passed"


# --- what is hidden stays hidden ------------------------------------------------------------------


async def test_while_a_match_runs_a_fork_keeps_only_what_everybody_has_seen() -> None:
    """Whoever asks: the operator's secrets are in reach, and are not used."""
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await started(room)
        await play_on(origin, random.Random(3), moves=12)
        assert isinstance(origin.match, Playing)
        for may_open in (False, True):
            at = branch_of(store, origin.match_id, origin.seq, may_open=may_open)
            assert at.deck is None
            for wish in (NewFork(), NewFork(kept="reshuffled", seat=0)):
                with pytest.raises(HiddenCardsError):
                    await room.fork("p_eve", at, wish)
            fork = await room.fork("p_eve", at, NewFork(kept="reshuffled"))
            table = await begun(await joined(room, fork))
            assert isinstance(table.match, Playing)
            assert table.match.hand.layout.pile == origin.match.hand.layout.pile
            assert table.match.hand.layout.hands != origin.match.hand.layout.hands
        # What was refused has left nothing.
        assert len(list(store.streams("m_"))) == 3


async def test_a_hand_that_is_revealed_may_be_forked_while_the_match_runs() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        wish = NewMatch(rules=replace(PRESETS["standard"], stock_floor=28), reveal="hand")
        origin = await started(room, wish)
        while "secret_revealed" not in types(store, origin.match_id):
            await play_on(origin, random.Random(3), moves=1)
        out = types(store, origin.match_id).index("secret_revealed")
        assert branch_of(store, origin.match_id, 8, may_open=False).deck is not None
        await play_on(origin, random.Random(3), moves=2)
        assert branch_of(store, origin.match_id, origin.seq, may_open=True).deck is None
        assert out < origin.seq


async def test_only_who_could_let_the_secrets_out_keeps_cards_before_they_are() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room, reveal="director")
        assert branch_of(store, origin.match_id, 20, may_open=False).deck is None
        assert branch_of(store, origin.match_id, 20, may_open=True).deck is not None


async def test_a_board_keeps_its_cards_from_everybody_until_its_secret_is_out() -> None:
    """Other tables play them."""
    store = MemoryStore()
    async with card_room(store) as room:
        table = await opened_board(room, store, BySeat(ALICE, BOB))
        await play_on(table, random.Random(1))
        at = branch_of(store, table.match_id, 6, may_open=True)
        assert at.deck is None
        await table.reveal_secrets("server")
        at = branch_of(store, table.match_id, 6, may_open=False)
        assert at.deck is not None
        fork = await room.fork("p_eve", at, NewFork())
        assert fork.match.terms.rules.hands == 1


async def test_what_cannot_be_forked_is_refused() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        with pytest.raises(NoSuchMatchError):
            branch_of(store, "m_" + "0" * 26, 1, may_open=False)
        with pytest.raises(NothingToPlayError):
            branch_of(store, origin.match_id, origin.seq, may_open=False)


# --- practice counts for nobody -------------------------------------------------------------------


async def test_a_fork_counts_in_no_record_and_is_marked_in_every_list() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room, rules=SHORT)
        results, records = store.results(), store.records()
        assert len(results) == 1
        at = branch_of(store, origin.match_id, 7, may_open=False)
        table = await begun(await joined(room, await room.fork("p_eve", at, NewFork())))
        row = store.match(table.match_id)
        assert row is not None
        assert row.practice
        await play_on(table, random.Random(9))
        assert (store.results(), store.records()) == (results, records)
        rows = store.matches(MatchQuery()).matches
        assert {row.id: row.practice for row in rows} == {
            table.match_id: True,
            origin.match_id: False,
        }
        store.rebuild()
        assert (store.results(), store.records()) == (results, records)


async def test_its_row_counts_on_from_its_origin() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        deals = [
            n for n, kind in enumerate(types(store, origin.match_id), 1) if kind == "hand_dealt"
        ]
        at = branch_of(store, origin.match_id, deals[-1], may_open=False)
        table = await begun(await joined(room, await room.fork("p_eve", at, NewFork())))
        row = store.match(table.match_id)
        assert row is not None
        assert row.points == at.score.points != (0, 0)
        assert row.hands_won == at.score.hands_won
        await play_on(table, random.Random(2))
        row = store.match(table.match_id)
        assert row is not None
        assert isinstance(table.match, Ended)
        assert row.totals == table.match.outcome.totals
        assert sum(row.hands_won) > sum(at.score.hands_won)


async def test_the_players_decide_in_turn_from_where_it_goes_on() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        origin = await ended(room)
        at = branch_of(store, origin.match_id, 6, may_open=False)
        table = await begun(await joined(room, await room.fork("p_eve", at, NewFork())))
        assert to_move(table) == 1 - (at.dealer or 0)
        (step,) = await move(table, Pass())
        assert step.line.by == PLAYERS[1 - (at.dealer or 0)][0]
