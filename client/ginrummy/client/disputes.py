"""The calls of disputes: `client.disputes`.

A player who has played a match disputes a hand of it, and a director rules:

    dispute = await client.disputes.open(match_id, "score_wrong", "It was 12, not 22.", hand=3)
    ruled = await director.disputes.rule(
        match_id, 1, "adjust", rule="S1", why="The log has 12.", points=(-10, 0)
    )

What each reason and each ruling means is said in docs/disputes.md.
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

import grpc

from ginrummy.client.calls import unary
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.events import DisputeReason, Ruling
from ginrummy.rules.disputes.states import DisputeStatus
from ginrummy.v1 import dispute_service_pb2 as pb
from ginrummy.v1 import events_pb2
from ginrummy.v1.dispute_service_pb2_grpc import DisputeServiceStub

if TYPE_CHECKING:
    from ginrummy.client.client import Client

__all__ = ["Disputes"]

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

_NOTHING: BySeat[int] = BySeat(0, 0)


class Disputes:
    """One client's access to disputes over matches.

    Every call raises a CallError where the server does not do what was asked: RefusedError where
    the rules or the time do not allow it, NotPermittedError where it is not for this player. A
    call that is made again after a lost answer has effect once.
    """

    def __init__(self, client: "Client", channel: grpc.aio.Channel) -> None:
        """Use a client's open channel, in its name."""
        self._client = client
        self._stub = DisputeServiceStub(channel)

    async def _ask(
        self, method: "grpc.aio.UnaryUnaryMultiCallable[Asked, Answered]", request: Asked
    ) -> Answered:
        return await unary(method, request, self._client.metadata, self._client.retry)

    # --- players --------------------------------------------------------------------------------

    async def open(
        self,
        match_id: str,
        reason: DisputeReason,
        text: str,
        *,
        hand: int | None = None,
        event: int | None = None,
    ) -> pb.Dispute:
        """Dispute a hand of a match that you have played, or the match as a whole.

        Without `hand` it is the hand that `event` is of; without `event`, the last one of what is
        disputed. `text` is the claim, 1 to 1000 characters on one line.
        """
        request = pb.OpenDisputeRequest(
            match_id=match_id,
            hand=hand,
            event=event,
            reason=events_pb2.DisputeReason.Value(f"DISPUTE_REASON_{reason.upper()}"),
            text=text,
            request_id=_new_request_id(),
        )
        return (await self._ask(self._stub.OpenDispute, request)).dispute

    async def appeal(self, match_id: str, dispute: int, text: str) -> pb.Dispute:
        """Have a ruling looked at by another director; once, by either player."""
        request = pb.AppealDisputeRequest(
            match_id=match_id, dispute=dispute, text=text, request_id=_new_request_id()
        )
        return (await self._ask(self._stub.AppealDispute, request)).dispute

    # --- directors ------------------------------------------------------------------------------

    async def rule(
        self,
        match_id: str,
        dispute: int,
        ruling: Ruling,
        *,
        rule: str,
        why: str,
        points: tuple[int, int] = _NOTHING,
        seat: Seat | None = None,
    ) -> pb.RuleOnDisputeResponse:
        """Rule on a dispute, and return it with the match's result as it stands by that.

        `rule` is the number of the rule that it rests on, `points` what `adjust` adds to each
        seat's hand points, and `seat` who loses the match by `forfeit`. With `replay` the answer
        names the match in which both players have to play the hand again.
        """
        request = pb.RuleOnDisputeRequest(
            match_id=match_id,
            dispute=dispute,
            ruling=events_pb2.Ruling.Value(f"RULING_{ruling.upper()}"),
            points=points if ruling == "adjust" or any(points) else (),
            seat=seat,
            rule=rule,
            why=why,
            request_id=_new_request_id(),
        )
        return await self._ask(self._stub.RuleOnDispute, request)

    # --- whoever may read the match's log -------------------------------------------------------

    async def get(self, match_id: str, dispute: int) -> pb.GetDisputeResponse:
        """Return a dispute, and the match's result as it stands."""
        request = pb.GetDisputeRequest(match_id=match_id, dispute=dispute)
        return await self._ask(self._stub.GetDispute, request)

    async def all(
        self,
        *,
        match_id: str = "",
        player_id: str = "",
        status: DisputeStatus | None = None,
        page_size: int = 0,
    ) -> AsyncIterator[pb.Dispute]:
        """Yield disputes, those over the newest matches first.

        Only those over a match, over a player's matches, or in a state, where asked.
        """
        request = pb.ListDisputesRequest(
            match_id=match_id,
            player_id=player_id,
            status=pb.DISPUTE_STATUS_UNSPECIFIED
            if status is None
            else pb.DisputeStatus.Value(f"DISPUTE_STATUS_{status.upper()}"),
            page_size=page_size,
        )
        while True:
            page = await self._ask(self._stub.ListDisputes, request)
            for dispute in page.disputes:
                yield dispute
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def _new_request_id() -> str:
    return str(uuid4())
