"""Calls to the server: each with its retries under one request id, and lists that go on."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from support_client import QUICK, FakeServer, connected
from support_logs import Table, played

from ginrummy.client import (
    BrokenChainError,
    Client,
    NotFoundError,
    RefusedError,
    Retry,
    UnavailableError,
    connect,
)
from ginrummy.rules.commands import Draw, Pass
from ginrummy.tables.errors import NoSuchMatchError, StoppingError
from ginrummy.v1.log_service_pb2 import PERSPECTIVE_PUBLIC, GetEvidenceRequest, ReadLogRequest
from ginrummy.v1.match_service_pb2 import (
    CreateMatchRequest,
    JoinMatchRequest,
    MakeMoveRequest,
    WatchRequest,
)

HASTY = Retry(deadline=0.2, patience=5.0, first_pause=0.001, longest_pause=0.01)
IMPATIENT = Retry(deadline=5.0, patience=0.02, first_pause=0.001, longest_pause=0.01)


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(Table(1))


@pytest.fixture
async def client(server: FakeServer) -> AsyncIterator[Client]:
    async with connected(server, nonces={}) as client:
        yield client


# --- trying again ---------------------------------------------------------------------------------


async def test_a_call_that_no_server_answers_is_sent_again_as_it_was(
    server: FakeServer, client: Client
) -> None:
    server.failures.extend([StoppingError(), StoppingError()])
    await client.create_match()
    first, second, third = server.requests
    assert isinstance(first, CreateMatchRequest)
    assert first.request_id
    assert first == second == third


async def test_a_call_that_takes_too_long_is_sent_again_as_it_was(server: FakeServer) -> None:
    server.failures.append(1.0)
    async with connected(server, HASTY) as client:
        await client.create_match()
    first, second = server.requests
    assert first == second


async def test_two_wishes_have_two_request_ids(server: FakeServer, client: Client) -> None:
    await client.create_match()
    await client.create_match()
    ids = {one.request_id for one in server.requests if isinstance(one, CreateMatchRequest)}
    assert len(ids) == 2


async def test_patience_comes_to_an_end(server: FakeServer) -> None:
    server.failures.extend([StoppingError()] * 1000)
    async with connected(server, IMPATIENT) as client:
        with pytest.raises(UnavailableError) as caught:
            await client.match("m_1")
    assert caught.value.reason == "SERVER_STOPPING"
    assert 1 < len(server.requests) < 100


async def test_a_no_is_not_asked_again(server: FakeServer, client: Client) -> None:
    server.failures.append(NoSuchMatchError("m_1"))
    with pytest.raises(NotFoundError) as caught:
        await client.match("m_1")
    assert caught.value.reason == "NO_SUCH_MATCH"
    assert len(server.requests) == 1


@pytest.mark.parametrize("act", [Client.pause, Client.resume, Client.reveal_secrets])
async def test_what_has_no_request_id_is_asked_once(
    server: FakeServer, client: Client, act: Callable[[Client, str], Awaitable[object]]
) -> None:
    server.failures.append(StoppingError())
    with pytest.raises(UnavailableError):
        await act(client, "m_1")
    assert len(server.requests) == 1
    await act(client, "m_1")


async def test_waiting_for_a_server_that_never_comes_ends() -> None:
    with pytest.raises(UnavailableError, match="no server answers at"):
        await connect("127.0.0.1:1", retry=IMPATIENT)


async def test_a_server_that_is_there_can_be_waited_for(client: Client) -> None:
    assert await client is client


# --- players and matches --------------------------------------------------------------------------


async def test_whoever_signs_up_calls_with_the_new_token(client: Client) -> None:
    assert await client.sign_up("Ann") == "new token"
    assert client.metadata == (("authorization", "Bearer new token"),)


async def test_yourself_is_asked_for_once(server: FakeServer, client: Client) -> None:
    assert await client.me() == await client.me()
    assert len(server.requests) == 1
    client.sign_in("another")
    await client.me()
    assert len(server.requests) == 2


async def test_joining_commits_to_a_nonce_that_is_kept(server: FakeServer, client: Client) -> None:
    server.failures.extend([StoppingError(), StoppingError(), StoppingError()])
    assert await client.join(server.table.stream) == 0
    (nonce,) = client.nonces.values()
    joins = [one for one in server.requests if isinstance(one, JoinMatchRequest)]
    assert len(nonce) == 16
    assert len({(one.request_id, one.nonce_commitment) for one in joins}) == 1
    await client.reveal_nonce(server.table.stream)


async def test_all_pages_of_matches_come_as_one_list(client: Client) -> None:
    assert [row.id async for row in client.matches()] == [f"m_{row}" for row in range(6)]


async def test_a_move_is_made_once_however_often_it_is_sent(
    server: FakeServer, client: Client
) -> None:
    table = server.table.seated()
    if table.turn == 1:
        table.move(Pass())
    seq = len(table.lines)
    server.failures.append(StoppingError())
    answer = await client.make_move(table.stream, Pass(), seq)
    moves = [one for one in server.requests if isinstance(one, MakeMoveRequest)]
    assert moves[0] == moves[1]
    assert answer.events[0].request_id == moves[0].request_id
    with pytest.raises(RefusedError):
        await client.make_move(table.stream, Draw(), len(table.lines))
    await client.make_move(table.stream, Pass(), seq, moves[0].request_id)
    assert len(table.lines) == seq + len(answer.events)


async def test_the_other_questions_are_asked(server: FakeServer, client: Client) -> None:
    table = server.table
    assert (await client.view(table.stream)).seq == 1
    assert (await client.position(table.stream, 1, PERSPECTIVE_PUBLIC)).seq == 1
    assert (await client.audit(table.stream)).clean
    assert [preset.name for preset in await client.presets()] == ["standard"]
    assert (await client.player("p_1")).name == "Alice"


# --- watching and reading -------------------------------------------------------------------------


@pytest.mark.parametrize("breaks", [[5, 0, 7], [-5, -7]])
async def test_a_watch_goes_on_where_it_broke_off_or_lagged(breaks: list[int]) -> None:
    server = FakeServer(played(7, hands=1))
    server.watch_ends.extend(breaks)
    async with connected(server) as client:
        updates = [update async for update in client.watch(server.table.stream)]
    seqs = [update.event.seq for update in updates if update.HasField("event")]
    assert seqs == list(range(1, len(server.table.lines) + 1))
    assert not any(update.HasField("lagged") for update in updates)
    after = [one.after_seq for one in server.requests if isinstance(one, WatchRequest)]
    assert after[1] == 5
    assert after[-1] == 12


async def test_a_watch_that_skips_a_line_is_found_out() -> None:
    server = FakeServer(played(7, hands=1))
    server.left_out.add(7)
    async with connected(server) as client:
        with pytest.raises(BrokenChainError, match="event 8: it came in after event 6"):
            async for _ in client.watch(server.table.stream, after_seq=3):
                pass


async def test_a_watch_that_nobody_reads_on_is_closed() -> None:
    server = FakeServer(played(7, hands=1))
    async with connected(server) as client:
        async for update in client.watch(server.table.stream):
            assert update.HasField("snapshot")
            break


async def test_a_log_is_read_on_where_it_broke_off() -> None:
    server = FakeServer(played(7, hands=1))
    server.watch_ends.extend([5, 12])
    async with connected(server) as client:
        assert [line async for line in client.log(server.table.stream)] == server.table.log
        after = [one.after_seq for one in server.requests if isinstance(one, ReadLogRequest)]
        assert after == [0, 5, 17]
        assert [line async for line in client.log(server.table.stream, 3)] == server.table.log[3:]


def test_the_patience_of_a_client_is_a_value() -> None:
    assert Retry() == Retry()
    assert Retry() != QUICK


async def test_evidence_that_breaks_off_is_asked_for_again_from_its_beginning(
    server: FakeServer, client: Client
) -> None:
    """It is one file: the pieces of two answers would be none."""
    server.failures.append(StoppingError())
    found = await client.evidence("m_1", 3, heads={"seat-0": b"kept"})
    assert found == b"evidence"
    first, again = server.requests
    assert isinstance(first, GetEvidenceRequest)
    assert first == again
    assert (first.dispute, first.heads[0].holder, first.heads[0].heads) == (3, "seat-0", b"kept")
