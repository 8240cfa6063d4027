"""Disputes by the command line: at a running server, and beside it on its database alone."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from support_server import QUICK, ServerProcess, gin, gin_serve, until

from ginrummy.bots.simple import SimpleBot
from ginrummy.client import Client, connect
from ginrummy.v1.match_pb2 import MatchSummary


class House:
    """A server that runs, Ann and Ben, who have played a match there, and two directors."""

    def __init__(self, db: Path, server: ServerProcess, clients: dict[str, Client]) -> None:
        self.db = db
        self.address = server.address
        self.clients = clients
        self.tokens: dict[str, str] = {}
        self.match = ""

    async def dispute(self, *arguments: str, by: str = "") -> tuple[int, str, str]:
        """Run `gin dispute`: at the server for whoever has a token, else on the database."""
        place = ("--server", self.address, "--token", self.tokens[by]) if by else ()
        return await gin("dispute", *arguments, *(place or ("--db", str(self.db))))

    async def told(self, *arguments: str, by: str = "") -> dict[str, Any]:
        """Run it, and return the dispute as it stands then."""
        code, out, err = await self.dispute(*arguments, "--json", by=by)
        assert (code, err) == (0, "")
        told: dict[str, Any] = json.loads(out)
        return told

    async def row(self) -> MatchSummary:
        """Return the match as the server lists it."""
        (row,) = [each async for each in self.clients["Ann"].matches() if not each.replay_of]
        return row


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    """Serve, and let everybody in."""
    db = folder / "gin.db"
    async with (
        gin_serve(db) as server,
        connect(server.address, retry=QUICK) as ann,
        connect(server.address, retry=QUICK) as ben,
    ):
        made = House(db, server, {"Ann": ann, "Ben": ben})
        for name, client in made.clients.items():
            made.tokens[name] = await client.sign_up(name)
        for name in ("Dee", "Dan"):
            code, token, _ = await gin("player", name, "--role", "director", "--db", str(db))
            assert code == 0
            made.tokens[name] = token.strip()
        match = await ann.create_match(seats=[(await each.me()).id for each in (ann, ben)])
        made.match = match.id
        await asyncio.gather(*(client.play(match.id, SimpleBot()) for client in (ann, ben)))
        yield made


BECAUSE = ("--rule", "S1", "--why", "The log says so.")


async def test_a_dispute_from_its_opening_to_the_hand_that_was_played_again(tmp_path: Path) -> None:
    async with house(tmp_path) as at:
        match = at.match
        claim = ("--reason", "score_wrong", "--text", "It was 14, not 24.", "--hand", "1")
        told = await at.told("open", match, *claim, by="Ann")
        assert (told["dispute"], told["status"], told["name"]) == (1, "open", "Ann")
        code, out, err = await at.dispute("open", match, *claim, by="Ben")
        assert (code, err) == (0, "")
        assert "Ben disputes hand 1 at event " in out
        code, out, _ = await at.dispute("list", "--status", "open", by="Dee")
        assert (code, len(out.splitlines())) == (0, 2)
        code, out, err = await at.dispute("rule", match, "1", "uphold", *BECAUSE, by="Ben")
        assert (code, out, err) == (2, "", "Error: this is for a director, and you are a player\n")
        code, out, _ = await at.dispute("rule", match, "1", "uphold", *BECAUSE)
        assert (code, out) == (2, "")
        told = await at.told("rule", match, "1", "dismiss", *BECAUSE, by="Dee")
        assert told["result"] == told["as_played"]
        assert told["rulings"][0]["name"] == "Dee"
        told = await at.told("appeal", match, "1", "--text", "Look again.", by="Ann")
        assert told["appeal"]["name"] == "Ann"
        code, out, err = await at.dispute("rule", match, "1", "uphold", *BECAUSE, by="Dee")
        assert (code, out) == (2, "")
        assert "another director" in err
        told = await at.told("rule", match, "1", "replay", *BECAUSE, by="Dan")
        assert (told["status"], (await at.row()).replaying) == ("closed", True)
        replay = told["rulings"][1]["replay"]
        await asyncio.gather(*(client.play(replay, SimpleBot()) for client in at.clients.values()))
        for pause in until():
            told = await at.told("show", match, "1", by="Ben")
            if told["rulings"][1]["replayed"] is not None:
                break
            await asyncio.sleep(pause)
        row = await at.row()
        assert (row.replaying, row.adjusted, row.open_disputes) == (False, True, 1)
        assert list(row.points) == told["result"]["totals"]
        audited = await gin("audit", match, "--db", str(at.db))
        assert audited[0] == 0


async def test_a_server_shows_what_was_ruled_beside_it(tmp_path: Path) -> None:
    """Also of a match that is over and still in its memory, by every call that tells of one."""
    async with house(tmp_path) as at:
        match, ann = at.match, at.clients["Ann"]
        before = await ann.match(match)
        claim = ("--reason", "score_wrong", "--text", "No.", "--hand", "1")
        await at.told("open", match, *claim, "--player", "Ben")
        assert (await ann.match(match)).open_disputes == 1
        loser = ("Ann", "Ben")[before.outcome.winner]
        ruling = ("rule", match, "1", "forfeit", "--loser", loser, *BECAUSE)
        told = await at.told(*ruling, "--director", "Dee")
        after = await ann.match(match)
        assert (after.seq, after.adjusted, after.open_disputes) == (before.seq + 3, True, 0)
        assert after.outcome.winner == 1 - before.outcome.winner == told["result"]["winner"]
        assert (await ann.view(match)).outcome == after.outcome
        await at.told("appeal", match, "1", "--text", "No.", "--player", loser)
        watched = [
            update.event.WhichOneof("event")
            async for update in ann.watch(match, before.seq)
            if update.HasField("event")
        ]
        assert watched == [
            "dispute_opened",
            "dispute_ruled",
            "result_adjusted",
            "dispute_appealed",
        ]
        found = await ann.disputes.get(match, 1)
        assert found.dispute.HasField("appeal")
        code, out, err = await gin("watch", match, "--server", at.address, "--ascii")
        assert (code, err) == (0, "")
        assert f"Dispute 1: upheld, {loser} loses the match (S1)" in out
        # And the other way round: what is done at the server now goes on from there.
        told = await at.told("rule", match, "1", "dismiss", *BECAUSE, by="Dan")
        assert told["result"] == told["as_played"]
        code, out, _ = await at.dispute("show", match, "1")
        assert (code, "Dismissed (S1)" in out) == (0, True)


async def test_the_standings_of_a_tournament_follow_a_ruling_beside_its_server(
    tmp_path: Path,
) -> None:
    db = tmp_path / "club.db"
    bots = ("--bot", "Ann=simple", "--bot", "Ben=simple", "--target", "10", "--tables", "1")
    code, _, err = await gin("tournament", "run", *bots, "--db", str(db), "--quiet")
    assert code == 0, err
    await gin("player", "Dee", "--role", "director", "--db", str(db))
    code, out, _ = await gin("tournament", "list", "--db", str(db), "--json")
    tournament = json.loads(out)["id"]
    code, out, _ = await gin("matches", "--db", str(db), "--json")
    match = json.loads(out)
    winner = match["players"][match["winner"]]

    in_database = ("--db", str(db))
    async with gin_serve(db) as server, connect(server.address, retry=QUICK) as eve:
        await eve.sign_up("Eve")

        async def first() -> str:
            return (await eve.tournaments.standings(tournament)).standings[0].name

        # From here on it has the tournament in its memory.
        assert await first() == winner
        given = ("--reason", "rule_broken", "--text", "Two played.", "--player", "0")
        assert (await gin("dispute", "open", match["id"], *given, *in_database))[0] == 0
        ruling = ("rule", match["id"], "1", "forfeit", "--loser", winner, *BECAUSE)
        code, _, err = await gin("dispute", *ruling, "--director", "Dee", *in_database)
        assert (code, err) == (0, "")
        assert await first() != winner
        code, out, _ = await gin("tournament", "standings", tournament, "--json", *in_database)
        assert json.loads(out)["standings"][0]["name"] == await first()
        code, out, err = await gin("tournament", "audit", tournament, *in_database)
        assert (code, err) == (0, "")
