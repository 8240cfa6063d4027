"""`gin tournament enter`, `gin tournament attend` and `gin play --tournament` as processes."""

import asyncio
import os
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from support_contest import Contest, contest
from support_server import GIN, SOON, in_process, until

from ginrummy.bots import SimpleBot
from ginrummy.cli import main
from ginrummy.client import Attended, connect
from ginrummy.v1.tournament_pb2 import (
    ENTRANT_KIND_BOT,
    ENTRANT_KIND_PERSON,
    RESULT_REASON_PLAYED,
    TournamentPairing,
)

BAD_BOT = """
from ginrummy.bots import SimpleBot, Discard

class Fails(SimpleBot):
    def discard(self, view):
        raise ZeroDivisionError("no such luck")

class Cheats(SimpleBot):
    def discard(self, view):
        cards = view.hand.hands[view.seat].cards
        return Discard("AS" if "AS" not in cards else "2S" if "2S" not in cards else "3S")
"""


@pytest.fixture
async def opened() -> AsyncIterator[Contest]:
    async with in_process() as server, contest(server) as opened:
        yield opened


class Gin:
    """The command `gin` of somebody at the contest's server."""

    def __init__(self, opened: Contest, tmp_path: Path) -> None:
        self.tmp_path = tmp_path
        self.environment = {
            **os.environ,
            "GINRUMMY_SERVER": opened.director.target,
            "GINRUMMY_TOKEN": "",
            "XDG_STATE_HOME": str(tmp_path / "state"),
        }

    async def __call__(
        self, *arguments: str, token: str = "", typed: str = ""
    ) -> tuple[int, str, str]:
        """Run it to its end; return its exit code, and what it wrote on both outputs."""
        process = await asyncio.create_subprocess_exec(
            *(*GIN, *arguments),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self.environment | {"GINRUMMY_TOKEN": token},
            cwd=self.tmp_path,
        )
        out, err = await asyncio.wait_for(process.communicate(typed.encode()), SOON)
        assert process.returncode is not None
        return process.returncode, out.decode(), err.decode()


@pytest.fixture
def gin(opened: Contest, tmp_path: Path) -> Gin:
    return Gin(opened, tmp_path)


async def opponent(opened: Contest) -> Attended:
    """Attend as another player, and start the contest as soon as there are two."""
    bob = await opened.entrant("Bob", "")
    for pause in until():
        if len((await opened.now()).entrants) == 2:
            break
        await asyncio.sleep(pause)
    await opened.start()
    async with connect(opened.director.target, token=bob.token) as client:
        return await client.tournaments.attend(opened.id, lambda _: SimpleBot())


async def pairing(opened: Contest) -> TournamentPairing:
    """Return the contest's only pairing."""
    ((one,),) = [each.pairings for each in (await opened.now()).rounds]
    return one


# --- a bot ----------------------------------------------------------------------------------------


async def test_a_bot_enters_plays_and_prints_its_tables(opened: Contest, gin: Gin) -> None:
    arguments = ("tournament", "attend", opened.id, "--bot", "simple", "--enter", "--name", "Ann")
    (code, out, err), theirs = await asyncio.gather(gin(*arguments), opponent(opened))
    assert code == 0, err
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[1:4] for row in rows] == [["1", "1", "1"]] * 2
    assert sorted(row[0] for row in rows) == sorted(one.call.match_id for one in theirs.played)
    assert "To come back: GINRUMMY_TOKEN=gin_" in err
    assert "Round 1, table 1, board 1, against Bob: m_" in err
    assert "hand 1: " in err
    assert err.endswith("The tournament is over: complete.\n")
    tournament = await opened.now()
    ann = next(each for each in tournament.entrants if each.name == "Ann")
    assert ann.kind == ENTRANT_KIND_BOT
    assert (await pairing(opened)).reason == RESULT_REASON_PLAYED
    assert list((gin.tmp_path / "state" / "ginrummy" / "nonces").iterdir()) == []


async def test_a_place_that_was_taken_before_is_played_for(opened: Contest, gin: Gin) -> None:
    code, player, err = await gin("tournament", "enter", opened.id, "--name", "Ann")
    assert code == 0
    token = err.partition("GINRUMMY_TOKEN=")[2].split()[0]
    assert f"gin tournament attend --bot SPEC {opened.id} --server" in err
    attend = ("tournament", "attend", opened.id, "--bot", "simple", "--enter", "--quiet")
    (code, out, err), _ = await asyncio.gather(gin(*attend, token=token), opponent(opened))
    assert (code, err, len(out.splitlines())) == (0, "", 2)
    assert player.strip() in {each.player_id for each in (await opened.now()).entrants}


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Fails", "Error: the bot has failed at round 1, table 1, board 1: m_"),
        ("Cheats", "Error: the bot's move was refused at round 1, table 1, board 1: m_"),
    ],
)
async def test_a_bot_that_fails_ends_the_command(
    opened: Contest, gin: Gin, bot: str, said: str
) -> None:
    (gin.tmp_path / "bad.py").write_text(BAD_BOT)
    playing = asyncio.create_task(opponent(opened))
    code, out, err = await gin(
        *("tournament", "attend", opened.id, "--bot", f"./bad.py:{bot}", "--enter", "--quiet"),
        *("--session", "mine"),
    )
    assert (code, out) == (1, "")
    assert said in err
    assert ("ZeroDivisionError: no such luck" in err) == (bot == "Fails")
    # Nobody else comes: what is left is lost as well.
    token = err.partition("GINRUMMY_TOKEN=")[2].split()[0]
    async with connect(opened.director.target, token=token) as ann:
        await ann.tournaments.end_session(opened.id, "mine")
        for pause in until():
            lines = [line async for line in opened.director.tournaments.log(opened.id)]
            if any(b'"reason":"crash"' in line for line in lines):
                break
            await asyncio.sleep(pause)
        await ann.tournaments.withdraw(opened.id)
    await asyncio.wait_for(playing, SOON)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tournament", "attend", "t_1", "--bot", "simple"], "whose place is it?"),
        (["tournament", "attend", "t_1", "--bot", "smple", "--enter"], "'smple' is no bot"),
        (["tournament", "attend", "t_1", "--enter"], "Missing option '--bot'"),
        (["play", "--tournament", "t_1", "--seek"], "give --tournament alone"),
    ],
)
def test_what_cannot_be_meant_is_said(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, arguments, env={"GINRUMMY_TOKEN": ""})
    assert result.exit_code == 2
    assert message in result.stderr


async def test_what_the_server_refuses_is_one_line(opened: Contest, gin: Gin) -> None:
    made = await opened.director.create_player("Eve")
    attend = ("tournament", "attend", opened.id, "--bot", "simple")
    code, out, err = await gin(*attend, token=made.token)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    code, out, err = await gin("tournament", "enter", "t_nowhere")
    assert (code, out) == (2, "")
    assert "t_nowhere" in err


# --- others ---------------------------------------------------------------------------------------


async def test_a_director_enters_somebody_else(opened: Contest, gin: Gin) -> None:
    ann = await opened.director.create_player("Ann")
    director = opened.director.metadata[0][1].removeprefix("Bearer ")
    enter = ("tournament", "enter", opened.id, "--player", ann.player.id, "--spec", "node a.js")
    assert await gin(*enter, token=director) == (0, f"{ann.player.id}\n", "")


async def test_a_person_plays_at_every_table(opened: Contest, gin: Gin) -> None:
    play = ("play", "--tournament", opened.id, "--ascii", "--name", "Ann")
    (code, out, err), theirs = await asyncio.gather(
        gin(*play, typed="resign\ny\n" * 2), opponent(opened)
    )
    assert code == 0, err
    assert out.startswith("Waiting to be called to a table.\n")
    assert out.count("Round 1, table 1, board 1, against Bob: m_") == 2
    assert out.count("You resign") == 2
    assert out.endswith("The tournament is over: complete.\n")
    assert [one.outcome.winner == one.seat for one in theirs.results] == [True, True]
    kinds = {each.name: each.kind for each in (await opened.now()).entrants}
    assert kinds["Ann"] == ENTRANT_KIND_PERSON


async def test_a_person_who_leaves_is_told_how_to_come_back(opened: Contest, gin: Gin) -> None:
    play = ("play", "--tournament", opened.id, "--name", "Ann")
    playing = asyncio.create_task(opponent(opened))
    code, _, err = await gin(*play, typed="q\n")
    assert code == 0
    again = f"gin play --server {opened.director.target} --tournament {opened.id}"
    assert again in err
    await opened.director.tournaments.abort(opened.id)
    assert (await asyncio.wait_for(playing, SOON)).reason == "aborted"
