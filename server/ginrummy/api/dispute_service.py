"""DisputeService: from a message to what is asked for in a dispute, and back."""

import asyncio

from ginrummy.api.auth import caller_of, require_role
from ginrummy.api.calls import Context, uninterrupted
from ginrummy.api.dispute_messages import (
    dispute_message,
    dispute_text_from,
    points_from,
    reason_from,
    ruling_from,
    status_from,
)
from ginrummy.api.ending_messages import fill_match_ended
from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.fields import request_id_from, seat_from
from ginrummy.rules.disputes.commands import RuleOnDispute
from ginrummy.rules.disputes.states import DisputeStatus
from ginrummy.rules.match import Ended
from ginrummy.rules.match.disputing import dispute_of, no_dispute
from ginrummy.store import MatchQuery, Store
from ginrummy.tables.disputes import Disputes
from ginrummy.v1 import dispute_service_pb2 as pb
from ginrummy.v1 import dispute_service_pb2_grpc

__all__ = ["DisputeServicer"]

_PAGE = 20
_PAGE_MOST = 100


class DisputeServicer(dispute_service_pb2_grpc.DisputeServiceServicer):
    """Disputes: opened, appealed, ruled on, and looked at."""

    def __init__(self, disputes: Disputes, store: Store) -> None:
        self._disputes = disputes
        self._store = store

    async def OpenDispute(
        self, request: pb.OpenDisputeRequest, context: Context
    ) -> pb.OpenDisputeResponse:
        caller = caller_of(context)
        request_id = request_id_from(request.request_id)
        heard = await uninterrupted(
            self._disputes.open(
                request.match_id,
                caller.player,
                reason_from(request.reason),
                dispute_text_from("text", request.text),
                hand=request.hand if request.HasField("hand") else None,
                event=request.event if request.HasField("event") else None,
                request_id=request_id,
            )
        )
        message = dispute_message(request.match_id, heard.match, heard.dispute)
        return pb.OpenDisputeResponse(dispute=message)

    async def AppealDispute(
        self, request: pb.AppealDisputeRequest, context: Context
    ) -> pb.AppealDisputeResponse:
        caller = caller_of(context)
        request_id = request_id_from(request.request_id)
        text = dispute_text_from("text", request.text)
        heard = await uninterrupted(
            self._disputes.appeal(
                request.match_id, caller.player, request.dispute, text, request_id=request_id
            )
        )
        message = dispute_message(request.match_id, heard.match, heard.dispute)
        return pb.AppealDisputeResponse(dispute=message)

    async def RuleOnDispute(
        self, request: pb.RuleOnDisputeRequest, context: Context
    ) -> pb.RuleOnDisputeResponse:
        caller = require_role(context, "director")
        request_id = request_id_from(request.request_id)
        wish = RuleOnDispute(
            by=caller.player,
            dispute=request.dispute,
            ruling=ruling_from(request.ruling),
            rule=request.rule,
            why=dispute_text_from("why", request.why),
            points=points_from(list(request.points)),
            seat=seat_from(request.seat) if request.HasField("seat") else None,
        )
        heard = await uninterrupted(
            self._disputes.rule(request.match_id, wish, request_id=request_id)
        )
        response = pb.RuleOnDisputeResponse(
            dispute=dispute_message(request.match_id, heard.match, heard.dispute)
        )
        fill_match_ended(response.outcome, heard.match.outcome)
        return response

    async def GetDispute(
        self, request: pb.GetDisputeRequest, context: Context
    ) -> pb.GetDisputeResponse:
        match = await self._ended(request.match_id)
        if match is None:
            raise no_dispute(request.dispute, 0)
        dispute = dispute_of(match, request.dispute)
        response = pb.GetDisputeResponse(dispute=dispute_message(request.match_id, match, dispute))
        fill_match_ended(response.outcome, match.outcome)
        return response

    async def ListDisputes(
        self, request: pb.ListDisputesRequest, context: Context
    ) -> pb.ListDisputesResponse:
        wanted = status_from(request.status)
        if request.match_id:
            match = await self._ended(request.match_id)
            found = [] if match is None else self._messages(request.match_id, match, wanted)
            return pb.ListDisputesResponse(disputes=found)
        size = min(request.page_size or _PAGE, _PAGE_MOST)
        if size < 1:
            raise InvalidFieldError("page_size", f"{size} is not from 1 to {_PAGE_MOST}")
        query = MatchQuery(
            player=request.player_id or None,
            # What waits for a director is found without looking at all that were ever disputed.
            disputed="open" if wanted in ("open", "appealed") else "any",
            size=size,
            token=request.page_token,
        )
        page = await asyncio.to_thread(self._store.matches, query)
        messages: list[pb.Dispute] = []
        for row in page.matches:
            match = await self._ended(row.id)
            if match is not None:
                messages += self._messages(row.id, match, wanted)
        return pb.ListDisputesResponse(disputes=messages, next_page_token=page.next_token)

    async def _ended(self, match_id: str) -> Ended | None:
        """Return a match if it has ended, with all that any process has stored of it."""
        match = (await self._disputes.table(match_id)).match
        return match if isinstance(match, Ended) else None

    @staticmethod
    def _messages(match_id: str, match: Ended, wanted: DisputeStatus | None) -> list[pb.Dispute]:
        return [
            dispute_message(match_id, match, dispute)
            for dispute in match.disputes
            if wanted in (None, dispute.status)
        ]
