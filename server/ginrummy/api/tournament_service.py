"""TournamentService: from a message to a command, and from what comes of it to a message."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Protocol

from ginrummy.api.auth import Caller, caller_of, require_role
from ginrummy.api.calls import Context, uninterrupted
from ginrummy.api.errors import NoSuchPlayerError, NotPermittedError
from ginrummy.api.fields import (
    commitment_from,
    nonce_from,
    public_key_from,
    request_id_from,
    session_from,
    tables_from,
    text_from,
)
from ginrummy.api.standings_messages import standings_message
from ginrummy.api.tournament_messages import (
    kind_from,
    list_message,
    news_message,
    outcome_from,
    points_from,
    tournament_message,
    tournament_stage_from,
)
from ginrummy.api.tournament_terms_messages import tournament_terms_from
from ginrummy.api.tournament_watch import watch_tournament
from ginrummy.store import Store
from ginrummy.tournaments.event.commands import (
    Abort,
    CheckIn,
    CloseRegistration,
    Command,
    EndByHand,
    Leave,
    PairByHand,
    Pause,
    Resume,
    Return,
    RevealNonce,
    Rule,
    Seed,
)
from ginrummy.tournaments.event.summary import summary
from ginrummy.tournaments.running.desk import Act, Desk
from ginrummy.tournaments.running.hall import Entering, Hall
from ginrummy.tournaments.running.pace import Progress
from ginrummy.v1 import tournament_pb2
from ginrummy.v1 import tournament_service_pb2 as pb
from ginrummy.v1 import tournament_service_pb2_grpc as services

__all__ = ["TournamentServicer"]


class _Request(Protocol):
    """What every act names."""

    tournament_id: str
    request_id: str


class TournamentServicer(services.TournamentServiceServicer):
    """Tournaments: announced, entered, attended, directed and watched."""

    def __init__(self, hall: Hall, store: Store) -> None:
        self._hall = hall
        self._store = store

    # --- announced and looked at ------------------------------------------------------------

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Context
    ) -> pb.CreateTournamentResponse:
        caller = require_role(context, "director")
        terms = tournament_terms_from(request.terms)
        request_id = request_id_from(request.request_id, needed=False)
        desk = await uninterrupted(self._hall.create(caller.player, terms, request_id))
        return pb.CreateTournamentResponse(tournament=self._tournament(desk))

    async def ListTournaments(
        self, request: pb.ListTournamentsRequest, context: Context
    ) -> pb.ListTournamentsResponse:
        stage = tournament_stage_from(request.stage)
        found = [desk.tournament for desk in await self._hall.all()]
        return pb.ListTournamentsResponse(
            tournaments=[list_message(one) for one in found if stage in (None, one.stage)]
        )

    async def GetTournament(
        self, request: pb.GetTournamentRequest, context: Context
    ) -> pb.GetTournamentResponse:
        desk = await self._hall.desk(request.tournament_id)
        return pb.GetTournamentResponse(tournament=self._tournament(desk))

    async def GetStandings(
        self, request: pb.GetStandingsRequest, context: Context
    ) -> pb.GetStandingsResponse:
        desk = await self._hall.desk(request.tournament_id)
        then = await desk.fold_at(request.as_of_seq or desk.seq)
        tournament = then.tournament
        assert tournament is not None
        # A long tournament has many boards: others are not to wait for the sums.
        results = await asyncio.to_thread(summary, tournament)
        return standings_message(tournament, results, seq=then.seq, head_hash=then.hash)

    async def WatchTournament(
        self, request: pb.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        desk = await self._hall.desk(request.tournament_id)

        def progress() -> Progress | None:
            return self._hall.progress(desk.tournament_id)

        feed = watch_tournament(desk, self._store, progress, request.after_seq)
        async with aclosing(feed) as updates:
            async for update in updates:
                yield update

    # --- entered and attended ---------------------------------------------------------------

    async def EnterTournament(
        self, request: pb.EnterTournamentRequest, context: Context
    ) -> pb.EnterTournamentResponse:
        caller = caller_of(context)
        player = _whom(caller, request.player_id)
        kind, spec = kind_from(request.kind), text_from("spec", request.spec)
        commitment = commitment_from(request.nonce_commitment)
        key = public_key_from(request.public_key)
        request_id = request_id_from(request.request_id, needed=False)
        desk = await self._hall.desk(request.tournament_id)
        if not desk.tournament.terms.open_entry and caller.role != "director":
            raise NotPermittedError("only a director enters anybody in this tournament")
        name = await self._name(caller, player)
        entering = Entering(player, name, kind, spec, commitment, key)
        await uninterrupted(self._hall.enter(desk, caller.player, entering, request_id))
        return pb.EnterTournamentResponse(tournament=self._tournament(desk))

    async def _name(self, caller: Caller, player: str) -> str:
        if player == caller.player:
            return caller.name
        credential = await asyncio.to_thread(self._store.player, player)
        if credential is None:
            raise NoSuchPlayerError(player)
        return credential.name

    async def CheckIn(self, request: pb.CheckInRequest, context: Context) -> pb.CheckInResponse:
        caller = caller_of(context)
        command = CheckIn(_whom(caller, request.player_id))
        return pb.CheckInResponse(tournament=await self._act(caller, request, command))

    async def RevealEntrantNonce(
        self, request: pb.RevealEntrantNonceRequest, context: Context
    ) -> pb.RevealEntrantNonceResponse:
        caller = caller_of(context)
        command = RevealNonce(caller.player, nonce_from(request.nonce))
        return pb.RevealEntrantNonceResponse(tournament=await self._act(caller, request, command))

    async def WithdrawEntrant(
        self, request: pb.WithdrawEntrantRequest, context: Context
    ) -> pb.WithdrawEntrantResponse:
        caller = caller_of(context)
        player = _whom(caller, request.player_id)
        command = Leave(
            player,
            "withdrew" if player == caller.player else "removed",
            text_from("why", request.why),
        )
        return pb.WithdrawEntrantResponse(tournament=await self._act(caller, request, command))

    async def ReturnEntrant(
        self, request: pb.ReturnEntrantRequest, context: Context
    ) -> pb.ReturnEntrantResponse:
        caller = caller_of(context)
        player = _whom(caller, request.player_id)
        desk = await self._hall.desk(request.tournament_id)
        if desk.tournament.entry(player).left == "removed" and caller.role != "director":
            raise NotPermittedError("a director has removed you, and only a director lets you back")
        tournament = await self._act(caller, request, Return(player))
        return pb.ReturnEntrantResponse(tournament=tournament)

    async def Attend(
        self, request: pb.AttendRequest, context: Context
    ) -> AsyncIterator[pb.AttendResponse]:
        caller = caller_of(context)
        session_id, tables = session_from(request.session_id), tables_from(request.tables)
        desk = await self._hall.desk(request.tournament_id)
        desk.tournament.entry(caller.player)
        attendance = self._hall.attendance(desk.tournament_id)
        with attendance.attending(caller.player, session_id, tables) as session:
            yield pb.AttendResponse(attending=pb.Attending())
            async with aclosing(self._hall.news(desk, session)) as told:
                async for news in told:
                    yield news_message(news)

    async def EndSession(
        self, request: pb.EndSessionRequest, context: Context
    ) -> pb.EndSessionResponse:
        caller = caller_of(context)
        session_id = session_from(request.session_id)
        desk = await self._hall.desk(request.tournament_id)
        desk.tournament.entry(caller.player)
        self._hall.attendance(desk.tournament_id).end_session(caller.player, session_id)
        return pb.EndSessionResponse()

    # --- directed ---------------------------------------------------------------------------

    async def SeedEntrants(
        self, request: pb.SeedEntrantsRequest, context: Context
    ) -> pb.SeedEntrantsResponse:
        tournament = await self._direct(context, request, Seed(tuple(request.order)))
        return pb.SeedEntrantsResponse(tournament=tournament)

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Context
    ) -> pb.StartTournamentResponse:
        tournament = await self._direct(context, request, CloseRegistration())
        return pb.StartTournamentResponse(tournament=tournament)

    async def PairRound(
        self, request: pb.PairRoundRequest, context: Context
    ) -> pb.PairRoundResponse:
        command = PairByHand(tuple((pair.first, pair.second) for pair in request.pairs))
        return pb.PairRoundResponse(tournament=await self._direct(context, request, command))

    async def RuleResult(
        self, request: pb.RuleResultRequest, context: Context
    ) -> pb.RuleResultResponse:
        require_role(context, "director")
        command = Rule(
            round=request.round,
            table=request.table,
            outcome=outcome_from(request.outcome),
            points=points_from(request.points),
            why=text_from("why", request.why),
            rule=text_from("rule", request.rule),
        )
        return pb.RuleResultResponse(tournament=await self._direct(context, request, command))

    async def PauseTournament(
        self, request: pb.PauseTournamentRequest, context: Context
    ) -> pb.PauseTournamentResponse:
        tournament = await self._direct(context, request, Pause())
        return pb.PauseTournamentResponse(tournament=tournament)

    async def ResumeTournament(
        self, request: pb.ResumeTournamentRequest, context: Context
    ) -> pb.ResumeTournamentResponse:
        tournament = await self._direct(context, request, Resume())
        return pb.ResumeTournamentResponse(tournament=tournament)

    async def AbortTournament(
        self, request: pb.AbortTournamentRequest, context: Context
    ) -> pb.AbortTournamentResponse:
        require_role(context, "director")
        command = Abort(text_from("why", request.why))
        tournament = await self._direct(context, request, command)
        return pb.AbortTournamentResponse(tournament=tournament)

    async def EndTournament(
        self, request: pb.EndTournamentRequest, context: Context
    ) -> pb.EndTournamentResponse:
        tournament = await self._direct(context, request, EndByHand())
        return pb.EndTournamentResponse(tournament=tournament)

    # --- what all have in common ------------------------------------------------------------

    async def _direct(
        self, context: Context, request: _Request, command: Command
    ) -> tournament_pb2.Tournament:
        """Carry out an act that is for a director."""
        return await self._act(require_role(context, "director"), request, command)

    async def _act(
        self, caller: Caller, request: _Request, command: Command
    ) -> tournament_pb2.Tournament:
        request_id = request_id_from(request.request_id, needed=False)
        desk = await self._hall.desk(request.tournament_id)
        await uninterrupted(desk.act(Act(caller.player, command, request_id)))
        return self._tournament(desk)

    def _tournament(self, desk: Desk) -> tournament_pb2.Tournament:
        return tournament_message(
            desk.tournament,
            seq=desk.seq,
            head_hash=desk.head_hash,
            is_there=self._hall.attendance(desk.tournament_id).is_there,
        )


def _whom(caller: Caller, player: str) -> str:
    """Return whom an act is about: the caller, or whoever a director names."""
    if player in ("", caller.player):
        return caller.player
    if caller.role != "director":
        raise NotPermittedError("only a director does this for another player")
    return player
