"""LogService: the stored lines of matches and tournaments, a match's positions, and its audit."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice

from ginrummy.api.audit_messages import report_message
from ginrummy.api.auth import Caller, caller_of
from ginrummy.api.calls import Context
from ginrummy.api.errors import InvalidFieldError, NotPermittedError
from ginrummy.api.sight import Sight
from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.report import Head
from ginrummy.log.ids import is_tournament
from ginrummy.rules.match import Gathering, Match, hands_dealt, seat_of
from ginrummy.rules.view import Perspective
from ginrummy.store import Store
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError
from ginrummy.tables.room import CardRoom
from ginrummy.tournaments.running.errors import NoSuchTournamentError
from ginrummy.v1 import log_service_pb2 as pb
from ginrummy.v1 import log_service_pb2_grpc

__all__ = ["LogServicer"]

_LINES_A_MESSAGE = 500
"""A message of this many lines stays far below gRPC's default of 4 MiB."""

_AUDITS_AT_ONCE = 2


class LogServicer(log_service_pb2_grpc.LogServiceServicer):
    """The log is public by construction, so it is read by anybody who is signed in."""

    def __init__(self, room: CardRoom, store: Store) -> None:
        self._room = room
        self._store = store
        self._audits = asyncio.Semaphore(_AUDITS_AT_ONCE)

    async def ReadLog(
        self, request: pb.ReadLogRequest, context: Context
    ) -> AsyncIterator[pb.ReadLogResponse]:
        await self._check_stored(request.match_id)
        lines = self._store.read(request.match_id, request.after_seq)
        while page := await asyncio.to_thread(_page, lines):
            yield pb.ReadLogResponse(lines=page)

    async def GetPosition(
        self, request: pb.GetPositionRequest, context: Context
    ) -> pb.GetPositionResponse:
        caller = caller_of(context)
        table = await self._room.table(request.match_id)
        step = await table.step_at(request.seq or table.seq)
        perspective = _perspective(request.perspective, table.match, step.match, caller)
        return pb.GetPositionResponse(view=Sight(table, perspective).view_after(step))

    async def AuditMatch(
        self, request: pb.AuditMatchRequest, context: Context
    ) -> pb.AuditMatchResponse:
        match_id = request.match_id
        if is_tournament(match_id):
            raise InvalidFieldError("match_id", "this audit is of matches: a match's id is m_…")
        await self._check_stored(match_id)
        receipt = Head(request.receipt_seq, request.receipt_hash) if request.receipt_hash else None
        async with self._audits:
            lines = await asyncio.to_thread(list, self._store.read(match_id))
            try:
                report = await asyncio.to_thread(audit, lines, receipt=receipt)
            except UnusableLogError as error:
                raise LogDamagedError(match_id, str(error)) from error
        return report_message(report)

    async def _check_stored(self, match_id: str) -> None:
        """Raise NoSuchMatchError, or NoSuchTournamentError, where no line is stored.

        No table is opened: a log that is damaged can still be read, and an audit says where.
        """
        head = await asyncio.to_thread(self._store.head, match_id)
        if head.seq == 0 and is_tournament(match_id):
            raise NoSuchTournamentError(match_id)
        if head.seq == 0:
            raise NoSuchMatchError(match_id)


def _page(lines: Iterator[bytes]) -> list[bytes]:
    return list(islice(lines, _LINES_A_MESSAGE))


def _perspective(
    asked: pb.Perspective.ValueType, now: Match, then: Match, caller: Caller
) -> Perspective:
    """Return whose eyes a position is seen with, if the caller may."""
    own = seat_of(now, caller.player)
    wish: Perspective
    match asked:
        case pb.PERSPECTIVE_UNSPECIFIED:
            return "public" if own is None else own
        case pb.PERSPECTIVE_PUBLIC:
            return "public"
        case pb.PERSPECTIVE_SEAT_0:
            wish = 0
        case pb.PERSPECTIVE_SEAT_1:
            wish = 1
        case pb.PERSPECTIVE_FULL:
            wish = "full"
        case _:
            raise InvalidFieldError("perspective", f"{asked} is no perspective")
    revealed = 0 if isinstance(now, Gathering) else now.revealed
    if wish != own and hands_dealt(then) > revealed:
        raise NotPermittedError("those cards are hidden until the hand's secret is out")
    return wish
