"""A match's log from a running server: what is printed is what the server has stored."""

from pathlib import Path

from support_logs import Table, in_hand
from support_server import gin, gin_serve, new_director

from ginrummy.log.deck import CHAIN_LENGTH
from ginrummy.log.lines import read_line
from ginrummy.store import Append, SqliteStore


async def test_a_match_is_read_from_a_server(tmp_path: Path) -> None:
    table = Table(13, chain=CHAIN_LENGTH).seated().play(until=in_hand(2))
    db = tmp_path / "gin.db"
    store = SqliteStore(db)
    store.keep_secret(table.stream, "chain", table.secrets.secret(table.secrets.length))
    store.append([Append(table.stream, 0, tuple(map(read_line, table.log)))])
    store.close()
    token = await new_director(db)
    async with gin_serve(db) as server:
        there = ("--server", server.address, "--token", token)
        code, told, _ = await gin("replay", table.stream, *there, "--at", "20", "--letters")
        assert code == 0
        assert f"event 20 of {len(table.log)}" in told
        code, report, _ = await gin("audit", table.stream, *there)
        assert code == 0
        # The secrets are the server's own: over the wire the decks wait until they are out.
        assert "waits   deck" in report
        code, out, said = await gin("audit", "m_" + "0" * 26, *there)
        assert (code, out) == (2, "")
        assert "there is no match" in said
        code, _, said = await gin("audit", table.stream, "--server", server.address)
        assert code == 2
        assert "--token" in said
