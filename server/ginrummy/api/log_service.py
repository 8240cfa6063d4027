"""LogService: the stored lines, a match's positions and its audit, checkpoints and proofs."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice

from ginrummy.api.audit_messages import report_message
from ginrummy.api.auth import Caller, caller_of
from ginrummy.api.calls import Context
from ginrummy.api.errors import InvalidFieldError, NotPermittedError
from ginrummy.api.evidence import check_may_have, evidence, pieces, wish_from
from ginrummy.api.sight import Sight
from ginrummy.audit.audit import audit
from ginrummy.audit.beginning import OriginLog
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.report import Head
from ginrummy.log.errors import LineError
from ginrummy.log.ids import is_tournament
from ginrummy.log.lines import read_line
from ginrummy.notary.notary import Notary
from ginrummy.notary.proofs import Inclusion
from ginrummy.rules.events import MatchCreated
from ginrummy.rules.match import Gathering, Match, hands_dealt, seat_of
from ginrummy.rules.view import Perspective
from ginrummy.store import Store
from ginrummy.tables.errors import LogDamagedError, NoSuchEventError, NoSuchMatchError
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

    def __init__(self, room: CardRoom, store: Store, notary: Notary) -> None:
        self._room = room
        self._store = store
        self._notary = notary
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
            origin = await asyncio.to_thread(self._origin_of, lines[0])
            try:
                report = await asyncio.to_thread(
                    audit, lines, receipt=receipt, origin=origin, replays=self._stored
                )
            except UnusableLogError as error:
                raise LogDamagedError(match_id, str(error)) from error
        return report_message(report)

    def _origin_of(self, first: bytes) -> OriginLog | None:
        """Return the log from which a match branches off; None for none, or where it is not here.

        No secrets go with it: who asks may not know what is hidden.
        """
        try:
            created = read_line(first).event
        except LineError:
            return None
        if not isinstance(created, MatchCreated) or created.origin is None:
            return None
        lines = self._stored(created.origin.match)
        return None if lines is None else OriginLog(lines)

    def _stored(self, match_id: str) -> list[bytes] | None:
        """Return a match's stored lines; None where there are none."""
        return list(self._store.read(match_id)) or None

    # --- what is signed of the log --------------------------------------------------------------

    async def GetKey(self, request: pb.GetKeyRequest, context: Context) -> pb.GetKeyResponse:
        return pb.GetKeyResponse(key=str(self._notary.key))

    async def GetCheckpoint(
        self, request: pb.GetCheckpointRequest, context: Context
    ) -> pb.GetCheckpointResponse:
        found = await self._notary.checkpoint(_size(request.size, "size"))
        return pb.GetCheckpointResponse(checkpoint=found.note.decode(), size=found.size)

    async def ProveInclusion(
        self, request: pb.ProveInclusionRequest, context: Context
    ) -> pb.ProveInclusionResponse:
        found = await self._inclusion(request.match_id, request.seq)
        return pb.ProveInclusionResponse(
            seq=found.seq,
            index=found.index,
            hashes=found.proof,
            checkpoint=found.checkpoint.note.decode(),
        )

    async def ProveConsistency(
        self, request: pb.ProveConsistencyRequest, context: Context
    ) -> pb.ProveConsistencyResponse:
        old, new = _size(request.old_size, "old_size"), _size(request.new_size, "new_size")
        if new and old > new:
            raise InvalidFieldError("new_size", f"a log of {old} lines has not shrunk to {new}")
        found = await self._notary.consistency(old, new)
        return pb.ProveConsistencyResponse(new_size=found.new, hashes=found.proof)

    async def GetReceipt(
        self, request: pb.GetReceiptRequest, context: Context
    ) -> pb.GetReceiptResponse:
        found = await self._inclusion(request.match_id, 0)
        return pb.GetReceiptResponse(receipt=found.receipt.decode(), seq=found.seq)

    async def GetEvidence(
        self, request: pb.GetEvidenceRequest, context: Context
    ) -> AsyncIterator[pb.GetEvidenceResponse]:
        wish = wish_from(request)
        last = await self._check_stored(request.match_id)
        lines = await asyncio.to_thread(list, self._store.read(request.match_id))
        check_may_have(caller_of(context), lines)
        found = await self._notary.inclusion(request.match_id, last)
        async with self._audits:
            bundle = await asyncio.to_thread(
                evidence, self._store, lines[:last], wish, found.receipt, self._notary.key
            )
        for piece in pieces(bundle):
            yield pb.GetEvidenceResponse(piece=piece)

    async def _inclusion(self, stream: str, seq: int) -> Inclusion:
        """Return the proof of a stream's line, or of its last for number 0."""
        last = await self._check_stored(stream)
        if not 0 <= seq <= last:
            raise NoSuchEventError(seq, last)
        return await self._notary.inclusion(stream, seq or last)

    async def _check_stored(self, match_id: str) -> int:
        """Return the number of the last line that is stored.

        Raises NoSuchMatchError, or NoSuchTournamentError, where there is none.

        No table is opened: a log that is damaged can still be read, and an audit says where.
        """
        head = await asyncio.to_thread(self._store.head, match_id)
        if head.seq == 0 and is_tournament(match_id):
            raise NoSuchTournamentError(match_id)
        if head.seq == 0:
            raise NoSuchMatchError(match_id)
        return head.seq


def _page(lines: Iterator[bytes]) -> list[bytes]:
    return list(islice(lines, _LINES_A_MESSAGE))


def _size(asked: int, field: str) -> int:
    if asked < 0:
        raise InvalidFieldError(field, f"{asked} is no number of lines")
    return asked


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
