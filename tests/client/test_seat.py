"""A seat's session: it plays on through lost streams and answers, and lets nothing pass."""

from support_client import FakeServer, connected
from support_logs import Table

from ginrummy.bots import SimpleBot


async def test_a_bot_plays_a_match_to_its_end_and_every_hand_is_checked() -> None:
    server = FakeServer(Table(1, target=50))
    async with connected(server) as client:
        result = await client.play(server.table.stream, SimpleBot())
    assert result.unchecked == 0
    assert result.checked >= 1
    assert result.outcome.reason
