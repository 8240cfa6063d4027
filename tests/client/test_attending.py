"""A program at a tournament: called to tables, cut off, and let down by its bot."""

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from support_attending import TOURNAMENT, FakeTournament, attending, called, due, over
from support_logs import Table
from support_server import SOON, until

from ginrummy.bots import Bot, Card, Discard, Move, SimpleBot, View
from ginrummy.client import (
    Client,
    NonceLostError,
    NotFoundError,
    RefusedError,
    Result,
    Retry,
    UnavailableError,
    connect,
)
from ginrummy.rules.commands import Abort, Forfeit
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.v1 import tournament_service_pb2 as service
from ginrummy.v1.events_pb2 import END_REASON_CRASH, MatchEnded

T = TOURNAMENT


@pytest.fixture
def server() -> FakeTournament:
    return FakeTournament()


@pytest.fixture
async def client(server: FakeTournament) -> AsyncIterator[Client]:
    async with attending(server) as client:
        yield client


def simple(_: service.TableCall) -> Bot:
    return SimpleBot()


# --- a table --------------------------------------------------------------------------------------


async def test_a_called_table_is_played_by_a_bot_that_knows_its_call(
    server: FakeTournament, client: Client
) -> None:
    calls: list[service.TableCall] = []

    def make_bot(call: service.TableCall) -> Bot:
        calls.append(call)
        return SimpleBot()

    for said in (called(server.matches.table.stream, table=3, board=5), over()):
        server.says.put_nowait(said)
    attended = await client.tournaments.attend(T, make_bot, tables=2, session_id="mine")
    assert attended.reason == "complete"
    ((call, result),) = attended.played
    assert attended.results == (result,)
    assert result.unchecked == 0
    assert calls == [call] == [called(server.matches.table.stream, table=3, board=5).call]
    assert server.streams == [service.AttendRequest(tournament_id=T, session_id="mine", tables=2)]


async def test_a_session_has_an_id_of_its_own(server: FakeTournament, client: Client) -> None:
    for said in (over(), over()):
        server.says.put_nowait(said)
    for _ in range(2):
        assert (await client.tournaments.attend(T, simple)).played == ()
    first, second = server.streams
    assert first.session_id
    assert first.session_id != second.session_id
    assert first.tables == 1


async def test_a_table_that_was_over_before_anybody_sat_down_is_no_result(
    server: FakeTournament, client: Client
) -> None:
    table = server.matches.table
    table.act(Abort("aborted"), table.director)
    # Yourself and the match are asked for, and then the seat is.
    taken = IllegalMoveError(Reason.SEAT_TAKEN, "", "both seats are taken")
    server.matches.failures.extend([0.0, 0.0, taken])
    for said in (called(table.stream), over("aborted")):
        server.says.put_nowait(said)
    assert await client.tournaments.attend(T, simple) == ("aborted", ())


async def test_a_seat_that_is_refused_is_an_error(server: FakeTournament, client: Client) -> None:
    taken = IllegalMoveError(Reason.SEAT_TAKEN, "", "both seats are taken")
    server.matches.failures.extend([0.0, 0.0, taken])
    server.says.put_nowait(called(server.matches.table.stream))
    with pytest.raises(RefusedError):
        await client.tournaments.attend(T, simple)


# --- the nonce ------------------------------------------------------------------------------------


async def test_the_nonce_is_revealed_when_it_is_due_and_forgotten_at_the_end(
    server: FakeTournament, client: Client
) -> None:
    await client.tournaments.enter(T)
    (nonce,) = client.nonces.values()
    for said in (due(), over()):
        server.says.put_nowait(said)
    await client.tournaments.attend(T, simple)
    revealed = server.requests[-1]
    assert isinstance(revealed, service.RevealEntrantNonceRequest)
    assert revealed.nonce == nonce
    assert not client.nonces


async def test_a_nonce_that_is_not_kept_is_told(server: FakeTournament, client: Client) -> None:
    server.says.put_nowait(due())
    with pytest.raises(NonceLostError, match="use the `nonces` that you entered with"):
        await client.tournaments.attend(T, simple)


# --- broken streams -------------------------------------------------------------------------------


async def test_a_stream_that_breaks_off_is_opened_again_in_the_same_session(
    server: FakeTournament, client: Client
) -> None:
    call = called(server.matches.table.stream)
    for said in (call, grpc.StatusCode.UNAVAILABLE, call, None, call, over()):
        server.says.put_nowait(said)
    attended = await client.tournaments.attend(T, simple)
    first, second, third = server.streams
    assert first == second == third
    assert len(attended.played) == 1


async def test_a_stream_that_is_refused_is_not_opened_again(
    server: FakeTournament, client: Client
) -> None:
    server.says.put_nowait(grpc.StatusCode.NOT_FOUND)
    with pytest.raises(NotFoundError):
        await client.tournaments.attend(T, simple)
    assert len(server.streams) == 1


async def test_patience_comes_to_an_end() -> None:
    client = connect("127.0.0.1:1", retry=Retry(patience=0.02, first_pause=0.001))
    async with client:
        with pytest.raises(UnavailableError):
            await client.tournaments.attend(T, simple)


# --- several tables -------------------------------------------------------------------------------


class Seats:
    """Seats of matches that last until the test ends them, in place of the client's own."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.left: list[str] = []
        self._ends: dict[str, asyncio.Future[Result]] = {}

    def sit(self, match_id: str) -> "Seats._Seat":
        return self._Seat(self, match_id)

    def end(self, match_id: str, error: Exception | None = None) -> None:
        if error is None:
            self._ends[match_id].set_result(Result(0, MatchEnded(), 1, 0))
        else:
            self._ends[match_id].set_exception(error)

    async def sat(self, *matches: str) -> None:
        """Wait until these seats have been taken."""
        for pause in until():
            if self.taken == list(matches):
                return
            await asyncio.sleep(pause)

    class _Seat:
        def __init__(self, seats: "Seats", match_id: str) -> None:
            self.seats, self.match_id = seats, match_id

        async def __aenter__(self) -> "Seats._Seat":
            self.seats.taken.append(self.match_id)
            return self

        async def __aexit__(self, *_: object) -> None:
            self.seats.left.append(self.match_id)

        async def play(self, _: Bot) -> Result:
            future = asyncio.get_running_loop().create_future()
            self.seats._ends[self.match_id] = future
            result: Result = await future
            return result


@pytest.fixture
def seats(client: Client, monkeypatch: pytest.MonkeyPatch) -> Seats:
    seats = Seats()
    monkeypatch.setattr(client, "sit", seats.sit)
    return seats


async def test_as_many_tables_are_played_at_once_as_were_promised(
    server: FakeTournament, client: Client, seats: Seats
) -> None:
    attending = asyncio.create_task(client.tournaments.attend(T, simple, tables=2))
    for match_id in ("m_1", "m_2", "m_3"):
        server.says.put_nowait(called(match_id))
    await seats.sat("m_1", "m_2")
    seats.end("m_2")
    await seats.sat("m_1", "m_2", "m_3")
    server.says.put_nowait(over())
    seats.end("m_3")
    seats.end("m_1")
    attended = await asyncio.wait_for(attending, SOON)
    assert [played.call.match_id for played in attended.played] == ["m_2", "m_3", "m_1"]


async def test_the_tables_are_played_to_their_end_when_the_tournament_is_over(
    server: FakeTournament, client: Client, seats: Seats
) -> None:
    attending = asyncio.create_task(client.tournaments.attend(T, simple))
    for said in (called("m_1"), over()):
        server.says.put_nowait(said)
    await seats.sat("m_1")
    await asyncio.sleep(0.05)
    assert not attending.done()
    seats.end("m_1")
    assert len((await attending).played) == 1


async def test_a_bot_that_fails_ends_the_attendance_and_leaves_the_other_tables(
    server: FakeTournament, client: Client, seats: Seats
) -> None:
    attending = asyncio.create_task(client.tournaments.attend(T, simple, tables=2))
    for match_id in ("m_1", "m_2"):
        server.says.put_nowait(called(match_id))
    await seats.sat("m_1", "m_2")
    seats.end("m_2", ZeroDivisionError("no such luck"))
    with pytest.raises(ZeroDivisionError, match="no such luck") as caught:
        await asyncio.wait_for(attending, SOON)
    assert caught.value.__notes__ == ["at round 1, table 1: m_2, against Bob"]
    assert sorted(seats.left) == ["m_1", "m_2"]


async def test_an_attendance_that_is_given_up_leaves_nothing_running(
    server: FakeTournament, client: Client, seats: Seats
) -> None:
    attending = asyncio.create_task(client.tournaments.attend(T, simple))
    server.says.put_nowait(called("m_1"))
    await seats.sat("m_1")
    attending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attending
    assert seats.left == ["m_1"]


# --- what is a bot's fault ------------------------------------------------------------------------


class Stubborn(SimpleBot):
    """A bot that throws a card which it does not hold."""

    def discard(self, view: View) -> Move:
        held = view.hand.hands[view.seat].cards
        return Discard(next(card for card in Card if str(card) not in held))


async def test_a_refused_move_is_the_fault_of_a_bot_that_does_not_expect_it(
    server: FakeTournament, client: Client
) -> None:
    server.says.put_nowait(called(server.matches.table.stream, board=4))
    with pytest.raises(RefusedError) as caught:
        await client.tournaments.attend(T, lambda _: Stubborn())
    assert caught.value.reason == "NOT_IN_HAND"
    assert caught.value.__notes__[0].startswith("at round 1, table 1, board 4: ")


async def test_a_bot_that_cannot_be_made_ends_the_attendance(
    server: FakeTournament, client: Client
) -> None:
    def make_bot(_: service.TableCall) -> Bot:
        raise ZeroDivisionError

    server.says.put_nowait(called(server.matches.table.stream))
    with pytest.raises(ZeroDivisionError):
        await client.tournaments.attend(T, make_bot)


async def test_an_opponent_that_has_crashed_is_a_result_like_any_other() -> None:
    server = FakeTournament(Table(1, target=200))

    class Crashed(SimpleBot):
        """A bot whose opponent is lost as it throws its first card."""

        def discard(self, view: View) -> Move:
            if view.seq < 20:
                server.matches.table.act(Forfeit(1, "crash"), "server")
            return super().discard(view)

    for said in (called(server.matches.table.stream), over()):
        server.says.put_nowait(said)
    async with attending(server) as client:
        (result,) = (await client.tournaments.attend(T, lambda _: Crashed())).results
    assert result.outcome.reason == END_REASON_CRASH
    assert result.outcome.winner == result.seat == 0
