"""A seat whose server ends the stream while something is being sent on it."""

from collections.abc import AsyncIterator

from grpc_status import rpc_status
from support_client import Context, FakeServer, connected
from support_logs import Table

from ginrummy.api.errors import status_of
from ginrummy.bots import SimpleBot
from ginrummy.tables.errors import StoppingError
from ginrummy.v1.match_service_pb2 import PlayRequest, PlayResponse

CURT = 30
"""How many streams end after their first message."""


class CurtServer(FakeServer):
    """A server that says one thing, and goes."""

    async def Play(  # noqa: N802
        self, request_iterator: AsyncIterator[PlayRequest], context: Context
    ) -> AsyncIterator[PlayResponse]:
        async for response in super().Play(request_iterator, context):
            yield response
            if self.streams <= CURT:
                await context.abort_with_status(rpc_status.to_status(status_of(StoppingError())))


async def test_what_meets_the_end_of_its_stream_is_sent_again_on_a_new_one() -> None:
    """gRPC takes the status away from a stream onto which a message comes too late."""
    server = CurtServer(Table(1, target=20))
    async with connected(server) as client:
        result = await client.play(server.table.stream, SimpleBot())
    assert result.unchecked == 0
    assert server.streams == CURT + 1
