"""A board at a seat: played without joining or a nonce, and its cards checked once they are out."""

import asyncio

import pytest
from support_boards import board, opened_board
from support_logs import Table, board_played, changed, events_of, relinked
from support_server import InProcess, in_process
from support_story import Story

from ginrummy.bots import RandomBot, SimpleBot
from ginrummy.client import RefusedError, connect
from ginrummy.client.errors import BrokenChainError, TamperedDeckError
from ginrummy.client.verifier import Verifier
from ginrummy.log.deck import SecretChain
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.events import HandDealt
from ginrummy.tables.table import SERVER
from ginrummy.v1.events_pb2 import END_REASON_HANDS, END_REASON_WITHDRAWN, Board, Event
from ginrummy.v1.match_pb2 import STAGE_ENDED, STAGE_PLAYING

ANN, BOB = BySeat("p_" + "a" * 26, "Ann"), BySeat("p_" + "b" * 26, "Bob")


# --- what is checked ------------------------------------------------------------------------------


def verified(table: Table, seat: Seat = 0, log: list[bytes] | None = None) -> Verifier:
    """Return a seat's verifier that was told all of a board, of another log if one is given."""
    story = Story(table, seat)
    check = Verifier(table.stream, None, table.players[seat])
    for line in table.lines:
        event = story.event(line)
        if log is not None:
            event.line = log[line.seq - 1]
        check.add(event)
        if log is None:
            check.saw(story.view(line))
    return check


@pytest.mark.parametrize("seat", [0, 1])
def test_an_honest_board_passes(seat: Seat) -> None:
    for seed in range(4):
        check = verified(board_played(seed, seed + 1), seat)
        assert (check.dealt, check.checked, check.reveals_at_end) == (1, 1, False)


def test_a_board_whose_secret_is_not_out_waits() -> None:
    check = verified(board_played(5, revealed=False))
    assert (check.dealt, check.checked) == (1, 0)


@pytest.mark.parametrize("number", [1, 6, 8])
def test_another_boards_secret_is_found(number: int) -> None:
    table = board_played(5, 7)
    (index,) = events_of(table.log, "secret_revealed")
    log = [*table.log]
    log[index] = changed(log[index], data_secret=table.secrets.secret(number).hex())
    with pytest.raises(TamperedDeckError, match="does not hash to the commitment"):
        verified(table, log=relinked(log))


def test_a_deal_from_another_deck_is_found() -> None:
    table = Table(5, board=7)
    committed, cmd = table.secrets, table.lines[0].cmd
    del table.lines[3:]
    table.deal_from(SecretChain(b"z" * 32, 60))
    table.do_what_is_due(cmd)
    table.play()
    story = Story(table)
    table.secrets = committed
    table.act(table.reveal(), "server")
    check = Verifier(table.stream, None, table.players[0])
    for event in story.events()[:-1]:
        check.add(event)
    with pytest.raises(TamperedDeckError, match="hand 1"):
        check.add(Event(seq=len(table.log), line=table.log[-1]))


def test_another_mix_is_found() -> None:
    table = board_played(5)
    terms = {"tournament": table.board.tournament, "number": 7, "mix": "ab" * 32}
    log = relinked([changed(table.log[0], data_board=terms), *table.log[1:]])
    with pytest.raises(TamperedDeckError, match="hand 1"):
        verified(table, log=log)


def test_another_dealer_is_found() -> None:
    table = board_played(5)
    (index,) = events_of(table.log, "hand_dealt")
    dealt = table.lines[index].event
    assert isinstance(dealt, HandDealt)
    log = [*table.log]
    log[index] = changed(log[index], data_dealer=1 - dealt.dealer)
    with pytest.raises(TamperedDeckError, match="the first dealer"):
        verified(table, log=relinked(log))


def test_a_second_hand_and_a_nonce_have_no_place_at_a_board() -> None:
    table = board_played(5)
    (index,) = events_of(table.log, "hand_dealt")
    (end,) = events_of(table.log, "match_ended")
    log = relinked([*table.log[:end], changed(table.log[index], data_hand=2)])
    check = Verifier(table.stream, None, table.players[0])
    story = Story(table)
    for number, raw in enumerate(log[:-1]):
        told = story.event(table.lines[number])
        told.line = raw
        check.add(told)
    with pytest.raises(BrokenChainError, match="a second hand is dealt at a board"):
        check.add(Event(seq=len(log), line=log[-1]))
    ordinary = Table(5).seated()
    (_, nonce) = events_of(ordinary.log, "nonce_revealed")
    check = Verifier(table.stream, None, table.players[0])
    log = relinked([*table.log[:3], changed(ordinary.log[nonce], stream=table.stream)])
    for number, raw in enumerate(log[:-1], 1):
        check.add(Event(seq=number, line=raw))
    with pytest.raises(BrokenChainError, match="has no nonce to reveal"):
        check.add(Event(seq=len(log), line=log[-1]))


def test_a_number_that_no_chain_reaches_keeps_nobody_busy() -> None:
    table = board_played(5)
    terms = {"tournament": table.board.tournament, "number": 2**31 - 1, "mix": table.board.mix}
    log = relinked([changed(table.log[0], data_board=terms), *table.log[1:]])
    with pytest.raises(BrokenChainError, match="no chain of secrets reaches"):
        verified(table, log=log)


# --- over a server --------------------------------------------------------------------------------


async def _two_boards(server: InProcess) -> tuple[str, str]:
    players = BySeat(ANN, BOB)
    first = await opened_board(server.room, server.store, players, request_id="h1")
    second = await opened_board(server.room, server.store, BySeat(BOB, ANN), request_id="h2")
    return first.match_id, second.match_id


async def test_two_bots_play_both_sittings_of_a_board() -> None:
    """Nobody joins and no nonce is drawn; the cards are checked in the log once they are out."""
    async with in_process() as server:
        tokens = [server.let_in(player[0], player[1]) for player in (ANN, BOB)]
        async with (
            connect(server.address, token=tokens[0], nonces={}) as ann,
            connect(server.address, token=tokens[1], nonces={}) as bob,
        ):
            for match_id, seat in zip(await _two_boards(server), (0, 1), strict=True):
                mine, other = await asyncio.gather(
                    ann.play(match_id, SimpleBot()), bob.play(match_id, RandomBot(3))
                )
                assert (mine.seat, other.seat) == (seat, 1 - seat)
                assert mine.outcome == other.outcome
                assert mine.outcome.reason == END_REASON_HANDS
                assert (mine.checked, mine.unchecked) == (0, 1)
                match = await ann.match(match_id)
                assert match.board == Board(
                    tournament_id=board().tournament, number=7, mix=board().mix
                )
                assert match.hands_dealt == 1
                table = await server.table(match_id)
                await table.reveal_secrets(SERVER)
                assert (await ann.audit(match_id)).clean
            assert not ann.nonces
            assert not bob.nonces


async def test_a_board_can_be_watched_and_not_joined() -> None:
    async with in_process() as server:
        tokens = [server.let_in(player[0], player[1]) for player in (ANN, BOB)]
        eve = server.let_in("p_" + "e" * 26, "Eve")
        first, _ = await _two_boards(server)
        async with (
            connect(server.address, token=eve) as client,
            connect(server.address, token=tokens[0]) as ann,
        ):
            with pytest.raises(RefusedError) as refused:
                await client.join(first)
            assert refused.value.reason == "SEAT_TAKEN"
            view = await client.view(first)
            assert (view.stage, view.HasField("seat"), view.nonce_due) == (
                STAGE_PLAYING,
                False,
                False,
            )
            async with ann.sit(first) as seat:
                view = await seat.wait()
                assert (view.seat, view.nonce_due) == (0, False)
                await (await server.table(first)).forfeit(0, "withdrawn")
                while view.stage != STAGE_ENDED:
                    view = await seat.wait()
                assert (view.outcome.reason, view.outcome.winner) == (END_REASON_WITHDRAWN, 1)


async def test_nobody_makes_a_board_over_the_network() -> None:
    async with in_process() as server:
        token = server.let_in(*ANN)
        async with connect(server.address, token=token) as ann:
            made = await ann.create_match(preset="standard", seats=(ANN[0], BOB[0]))
            assert not made.HasField("board")
            table = await server.table(made.id)
            assert table.match.terms.board is None
