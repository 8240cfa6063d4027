"""The calls of tournaments: `client.tournaments`.

A program that takes part enters and attends:

    await client.tournaments.enter(tournament_id)
    attended = await client.tournaments.attend(tournament_id, lambda call: MyBot())

The other calls are those of its director, and of whoever looks on.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

import grpc

from ginrummy.client.attending import Attended, Attending
from ginrummy.client.bot import Bot
from ginrummy.client.calls import streamed, unary
from ginrummy.client.links import Links, read_link
from ginrummy.client.nonces import kept_nonce, nonce_key
from ginrummy.client.signing import entry_key
from ginrummy.log.deck import nonce_commitment
from ginrummy.v1 import tournament_pb2 as pb
from ginrummy.v1 import tournament_service_pb2 as service
from ginrummy.v1.tournament_service_pb2_grpc import TournamentServiceStub

if TYPE_CHECKING:
    from ginrummy.client.client import Client

__all__ = ["Tournaments"]

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


class Tournaments:
    """One client's access to tournaments.

    Every call raises a CallError where the server does not do what was asked, as the client's own
    calls do. What is said of a player may be said by the player, or by the director.
    """

    def __init__(self, client: "Client", channel: grpc.aio.Channel) -> None:
        """Use a client's open channel, in its name."""
        self._client = client
        self._stub = TournamentServiceStub(channel)

    async def _ask(
        self, method: "grpc.aio.UnaryUnaryMultiCallable[Asked, Answered]", request: Asked
    ) -> Answered:
        return await unary(method, request, self._client.metadata, self._client.retry)

    # --- anybody --------------------------------------------------------------------------------

    async def all(
        self, stage: pb.TournamentStage.ValueType = pb.TOURNAMENT_STAGE_UNSPECIFIED
    ) -> Sequence[service.TournamentSummary]:
        """Return the tournaments, newest first; only those in a stage where asked."""
        request = service.ListTournamentsRequest(stage=stage)
        return (await self._ask(self._stub.ListTournaments, request)).tournaments

    async def get(self, tournament_id: str) -> pb.Tournament:
        """Return what was agreed for a tournament, and where it stands."""
        request = service.GetTournamentRequest(tournament_id=tournament_id)
        return (await self._ask(self._stub.GetTournament, request)).tournament

    async def standings(self, tournament_id: str, as_of: int = 0) -> service.GetStandingsResponse:
        """Return the standings, the best first: those now, or as they were after event `as_of`."""
        request = service.GetStandingsRequest(tournament_id=tournament_id, as_of_seq=as_of)
        return await self._ask(self._stub.GetStandings, request)

    async def watch(
        self, tournament_id: str, after_seq: int = 0
    ) -> AsyncIterator[service.WatchTournamentResponse]:
        """Yield what happens in a tournament after event `after_seq`, until it has ended.

        A watch that breaks off is taken up again after the last event that was yielded, with a
        new caught-up mark. Raises BrokenChainError where the events are no chain.
        """
        chain = Links(tournament_id, read_link, after_seq)
        request = service.WatchTournamentRequest
        updates = streamed(
            lambda: self._stub.WatchTournament(
                request(tournament_id=tournament_id, after_seq=chain.seq),
                metadata=self._client.metadata,
            ),
            self._client.retry,
        )
        async for update in updates:
            if update.HasField("event"):
                event = update.event
                if chain.add(event.line, event.seq) is None:
                    continue
            yield update

    async def log(self, tournament_id: str, after_seq: int = 0) -> AsyncIterator[bytes]:
        """Yield the stored lines after that of a number, as the client's `log` does a match's."""
        async for line in self._client.log(tournament_id, after_seq):
            yield line

    # --- entrants -------------------------------------------------------------------------------

    async def enter(
        self,
        tournament_id: str,
        *,
        player_id: str = "",
        kind: pb.EntrantKind.ValueType = pb.ENTRANT_KIND_BOT,
        spec: str = "",
        public_key: bytes = b"",
    ) -> pb.Tournament:
        """Take part; a director may enter another player, by id.

        Draws the nonce that this player brings to the shuffling, keeps it, and commits to it. For
        another player the server draws it, since nobody but the player could reveal it. `spec`
        says how the program is started, for the record. `public_key` is another player's, who
        signs on boards; one's own is given by itself, where moves on boards are signed. Raises
        SigningUnavailableError and KeyFileError.
        """
        commitment = b""
        me = (await self._client.me()).id
        if player_id in ("", me):
            public_key = public_key or await self._own_key(tournament_id, me)
            nonce = kept_nonce(self._client.nonces, nonce_key(tournament_id, me))
            commitment = bytes.fromhex(nonce_commitment(nonce))
        request = service.EnterTournamentRequest(
            tournament_id=tournament_id,
            player_id=player_id,
            kind=kind,
            nonce_commitment=commitment,
            spec=spec,
            request_id=_new_request_id(),
            public_key=public_key,
        )
        return (await self._ask(self._stub.EnterTournament, request)).tournament

    async def _own_key(self, tournament_id: str, me: str) -> bytes:
        tournament = await self.get(tournament_id)
        return entry_key(tournament, me, self._client.keys_for(tournament.terms.signing))

    async def check_in(self, tournament_id: str, player_id: str = "") -> pb.Tournament:
        """Say that a player is there; without an id, yourself."""
        request = service.CheckInRequest(
            tournament_id=tournament_id, player_id=player_id, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.CheckIn, request)).tournament

    async def reveal_nonce(self, tournament_id: str) -> pb.Tournament:
        """Open the commitment made when entering; `attend` does it by itself.

        Raises KeyError where this client does not have the nonce.
        """
        nonce = self._client.nonces[nonce_key(tournament_id, (await self._client.me()).id)]
        request = service.RevealEntrantNonceRequest(
            tournament_id=tournament_id, nonce=nonce, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.RevealEntrantNonce, request)).tournament

    async def withdraw(
        self, tournament_id: str, player_id: str = "", *, why: str = ""
    ) -> pb.Tournament:
        """Leave a tournament, or remove another player from it; `why` goes into the record."""
        request = service.WithdrawEntrantRequest(
            tournament_id=tournament_id, player_id=player_id, why=why, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.WithdrawEntrant, request)).tournament

    async def return_(self, tournament_id: str, player_id: str = "") -> pb.Tournament:
        """Come back from the next round on, or let another player come back."""
        request = service.ReturnEntrantRequest(
            tournament_id=tournament_id, player_id=player_id, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.ReturnEntrant, request)).tournament

    async def attend(
        self,
        tournament_id: str,
        make_bot: Callable[[service.TableCall], Bot],
        *,
        tables: int = 1,
        session_id: str = "",
    ) -> Attended:
        """Play at every table that this player is called to, until the tournament is over.

        `make_bot` makes the bot for each table, up to `tables` of which are played at once. The
        session's id is drawn where empty; it is that of this run of the program, and the same
        for as long as it runs. The nonce is revealed when it is due, and broken connections are
        made again. A match that ends in any way is a result; what a bot raises, and the
        RefusedError or InvalidRequestError of a move of its own unless it has a method `refused`,
        ends the attendance with that exception, with a note that says at which table.
        """
        session = session_id or uuid4().hex
        request = service.AttendRequest(
            tournament_id=tournament_id, session_id=session, tables=tables
        )
        return await Attending(self._client, self._stub, request, make_bot).run()

    async def end_session(self, tournament_id: str, session_id: str) -> None:
        """Say that a program of this player is gone for good: its hands are lost at once."""
        request = service.EndSessionRequest(tournament_id=tournament_id, session_id=session_id)
        await self._ask(self._stub.EndSession, request)

    # --- directors ------------------------------------------------------------------------------

    async def create(self, terms: pb.TournamentTerms) -> pb.Tournament:
        """Announce a tournament, and direct it."""
        request = service.CreateTournamentRequest(terms=terms, request_id=_new_request_id())
        return (await self._ask(self._stub.CreateTournament, request)).tournament

    async def seed(self, tournament_id: str, order: Sequence[str]) -> pb.Tournament:
        """Set the order of strength: the player ids of all entrants, the strongest first."""
        request = service.SeedEntrantsRequest(
            tournament_id=tournament_id, order=order, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.SeedEntrants, request)).tournament

    async def start(self, tournament_id: str) -> pb.Tournament:
        """Close registration; play begins as soon as the nonces are out."""
        request = service.StartTournamentRequest(
            tournament_id=tournament_id, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.StartTournament, request)).tournament

    async def pair(self, tournament_id: str, pairs: Sequence[tuple[str, str]]) -> pb.Tournament:
        """Pair the next round by hand: who deals first and whom they meet, by player id."""
        request = service.PairRoundRequest(
            tournament_id=tournament_id,
            pairs=[service.PairWish(first=first, second=second) for first, second in pairs],
            request_id=_new_request_id(),
        )
        return (await self._ask(self._stub.PairRound, request)).tournament

    async def rule(
        self,
        tournament_id: str,
        round_number: int,
        table: int,
        outcome: pb.Outcome.ValueType,
        *,
        points: tuple[int, int] | None = None,
        why: str = "",
        rule: str = "",
    ) -> pb.Tournament:
        """Rule on a pairing: from now on this is its result.

        `points` are those of the first and the second, as they stand where None; `rule` is the
        number of the rule that the ruling rests on.
        """
        request = service.RuleResultRequest(
            tournament_id=tournament_id,
            round=round_number,
            table=table,
            outcome=outcome,
            points=points or (),
            why=why,
            rule=rule,
            request_id=_new_request_id(),
        )
        return (await self._ask(self._stub.RuleResult, request)).tournament

    async def pause(self, tournament_id: str) -> pb.Tournament:
        """Halt the play and all clocks."""
        request = service.PauseTournamentRequest(
            tournament_id=tournament_id, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.PauseTournament, request)).tournament

    async def resume(self, tournament_id: str) -> pb.Tournament:
        """Let the play go on."""
        request = service.ResumeTournamentRequest(
            tournament_id=tournament_id, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.ResumeTournament, request)).tournament

    async def abort(self, tournament_id: str, *, why: str = "") -> pb.Tournament:
        """Give the tournament up, for a reason that everybody can read."""
        request = service.AbortTournamentRequest(
            tournament_id=tournament_id, why=why, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.AbortTournament, request)).tournament

    async def end(self, tournament_id: str) -> pb.Tournament:
        """End it after the last round, where the director pairs."""
        request = service.EndTournamentRequest(
            tournament_id=tournament_id, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.EndTournament, request)).tournament


def _new_request_id() -> str:
    return uuid4().hex
