"""The calls of tournaments: each asks what it says, and a watch is checked and goes on."""

from collections.abc import Awaitable, Callable
from hashlib import sha256

import pytest
from google.protobuf.message import Message
from support_attending import TOURNAMENT, FakeTournament, attending, chain_of
from support_logs import Table

from ginrummy.client import BrokenChainError, Tournaments
from ginrummy.client.nonces import nonce_key
from ginrummy.v1 import tournament_pb2 as pb
from ginrummy.v1 import tournament_service_pb2 as service

T = TOURNAMENT


@pytest.fixture
def server() -> FakeTournament:
    return FakeTournament()


# --- what is asked --------------------------------------------------------------------------------

Ask = Callable[[Tournaments], Awaitable[object]]

ACTS: list[tuple[Ask, Message]] = [
    (lambda ours: ours.get(T), service.GetTournamentRequest(tournament_id=T)),
    (
        lambda ours: ours.all(pb.TOURNAMENT_STAGE_PLAYING),
        service.ListTournamentsRequest(stage=pb.TOURNAMENT_STAGE_PLAYING),
    ),
    (lambda ours: ours.standings(T, 7), service.GetStandingsRequest(tournament_id=T, as_of_seq=7)),
    (
        lambda ours: ours.create(pb.TournamentTerms(name="Open")),
        service.CreateTournamentRequest(terms=pb.TournamentTerms(name="Open")),
    ),
    (
        lambda ours: ours.enter(T, player_id="p_2", kind=pb.ENTRANT_KIND_PERSON, spec="node b.js"),
        service.EnterTournamentRequest(
            tournament_id=T, player_id="p_2", kind=pb.ENTRANT_KIND_PERSON, spec="node b.js"
        ),
    ),
    (
        lambda ours: ours.check_in(T, "p_2"),
        service.CheckInRequest(tournament_id=T, player_id="p_2"),
    ),
    (
        lambda ours: ours.withdraw(T, "p_2", why="ill"),
        service.WithdrawEntrantRequest(tournament_id=T, player_id="p_2", why="ill"),
    ),
    (lambda ours: ours.return_(T), service.ReturnEntrantRequest(tournament_id=T)),
    (
        lambda ours: ours.end_session(T, "s"),
        service.EndSessionRequest(tournament_id=T, session_id="s"),
    ),
    (
        lambda ours: ours.seed(T, ["p_2", "p_1"]),
        service.SeedEntrantsRequest(tournament_id=T, order=["p_2", "p_1"]),
    ),
    (lambda ours: ours.start(T), service.StartTournamentRequest(tournament_id=T)),
    (
        lambda ours: ours.pair(T, [("p_2", "p_1")]),
        service.PairRoundRequest(
            tournament_id=T, pairs=[service.PairWish(first="p_2", second="p_1")]
        ),
    ),
    (
        lambda ours: ours.rule(
            T, 2, 1, pb.OUTCOME_DRAW, points=(3, 4), why="both right", rule="X1"
        ),
        service.RuleResultRequest(
            tournament_id=T,
            round=2,
            table=1,
            outcome=pb.OUTCOME_DRAW,
            points=[3, 4],
            why="both right",
            rule="X1",
        ),
    ),
    (
        lambda ours: ours.rule(T, 2, 1, pb.OUTCOME_VOID),
        service.RuleResultRequest(tournament_id=T, round=2, table=1, outcome=pb.OUTCOME_VOID),
    ),
    (lambda ours: ours.pause(T), service.PauseTournamentRequest(tournament_id=T)),
    (lambda ours: ours.resume(T), service.ResumeTournamentRequest(tournament_id=T)),
    (
        lambda ours: ours.abort(T, why="fire"),
        service.AbortTournamentRequest(tournament_id=T, why="fire"),
    ),
    (lambda ours: ours.end(T), service.EndTournamentRequest(tournament_id=T)),
]


@pytest.mark.parametrize(("ask", "expected"), ACTS, ids=lambda each: type(each).__name__)
async def test_a_call_asks_what_it_says(
    server: FakeTournament, ask: Ask, expected: Message
) -> None:
    async with attending(server) as client:
        await ask(client.tournaments)
        await ask(client.tournaments)
    first, second = server.requests
    if "request_id" in first.DESCRIPTOR.fields_by_name:
        # Two wishes have two ids.
        assert first != second
        first.ClearField("request_id")
    assert first == expected


async def test_every_call_of_the_service_has_a_method() -> None:
    asked = {type(expected).__name__ for _, expected in ACTS} | {
        "AttendRequest",
        "RevealEntrantNonceRequest",
        "WatchTournamentRequest",
    }
    methods = service.DESCRIPTOR.services_by_name["TournamentService"].methods
    assert asked == {method.input_type.name for method in methods}


async def test_entering_commits_to_a_nonce_that_is_kept_and_revealed(
    server: FakeTournament,
) -> None:
    async with attending(server) as client:
        await client.tournaments.enter(T)
        await client.tournaments.enter(T, player_id=server.matches.table.players[0])
        await client.tournaments.reveal_nonce(T)
        (nonce,) = client.nonces.values()
        assert list(client.nonces) == [nonce_key(T, server.matches.table.players[0])]
    entering = (service.EnterTournamentRequest, service.RevealEntrantNonceRequest)
    first, second, revealed = [each for each in server.requests if isinstance(each, entering)]
    assert isinstance(first, service.EnterTournamentRequest)
    assert isinstance(second, service.EnterTournamentRequest)
    assert isinstance(revealed, service.RevealEntrantNonceRequest)
    assert first.nonce_commitment == second.nonce_commitment == sha256(nonce).digest()
    assert first.kind == pb.ENTRANT_KIND_BOT
    assert revealed.nonce == nonce


# --- watching -------------------------------------------------------------------------------------


async def test_a_watch_goes_on_where_it_broke_off(server: FakeTournament) -> None:
    server.lines = chain_of(9)
    server.watch_ends.extend([4, 0, 3])
    async with attending(server) as client:
        updates = [update async for update in client.tournaments.watch(T, 1)]
    assert [one.event.seq for one in updates if one.HasField("event")] == list(range(2, 10))
    assert server.watched == [1, 5, 5, 8]
    assert updates[-1].caught_up.seq == 9


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: [*lines[:3], *lines[4:]], "event 4: its line is of"),
        (lambda lines: [*lines[:3], b"nonsense", *lines[4:]], "event 4: its line cannot be read"),
        (lambda lines: [lines[0].replace(b'"v":1', b'"v":2'), *lines[1:]], "event 2: it names"),
    ],
)
async def test_a_watch_whose_lines_are_no_chain_is_found_out(
    server: FakeTournament, spoil: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    server.lines = spoil(chain_of(6))
    async with attending(server) as client:
        with pytest.raises(BrokenChainError, match=message):
            async for _ in client.tournaments.watch(T):
                pass


async def test_the_log_of_a_tournament_is_read_as_that_of_a_match() -> None:
    server = FakeTournament(Table(1))
    async with attending(server) as client:
        lines = [line async for line in client.tournaments.log(server.matches.table.stream)]
    assert lines == server.matches.table.log
