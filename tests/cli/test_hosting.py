"""The host of local bots: it plays tournaments, and a program that dies loses its own table."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
from support_contest import Contest, contest
from support_server import SOON, in_process, until

from ginrummy.bots import BotSpecError
from ginrummy.cli.tournament.hosting import BotHost, LocalBot
from ginrummy.client import NotFoundError
from ginrummy.v1.tournament_pb2 import (
    OUTCOME_FIRST,
    OUTCOME_SECOND,
    RESULT_REASON_CRASH,
    RESULT_REASON_PLAYED,
    Matches,
    RoundRobin,
    TournamentTerms,
)

DIES = """
import os, signal
from ginrummy.bots import SimpleBot

class Dies(SimpleBot):
    def discard(self, view):
        os.kill(os.getpid(), signal.SIGKILL)

class Fails(SimpleBot):
    def discard(self, view):
        raise ZeroDivisionError("no such luck")
"""

PROBE = """
import json, os, sys, time
with open({file!r}, "a") as file:
    told = {{name: value for name, value in os.environ.items() if name.startswith("GINRUMMY_")}}
    print(json.dumps([time.monotonic(), sys.argv, told]), file=file)
raise SystemExit({code})
"""


@pytest.fixture
async def open_contest() -> AsyncIterator[Contest]:
    async with in_process() as server, contest(server) as opened:
        yield opened


@pytest.fixture
def dies(tmp_path: Path) -> str:
    file = tmp_path / "dies.py"
    file.write_text(DIES)
    return str(file)


async def played(contest: Contest, *bots: LocalBot) -> BotHost:
    """Let a host play a contest to its end."""
    async with BotHost(contest.director.target, contest.id, bots) as host:
        await contest.start()
        await asyncio.wait_for(host.wait(), SOON)
    return host


# --- programs that live ---------------------------------------------------------------------------


async def test_every_table_is_played_and_every_program_ends_by_itself(
    open_contest: Contest,
) -> None:
    bots = [await open_contest.entrant(name, "simple") for name in ("Ann", "Bob", "Cid")]
    host = await played(open_contest, *bots)
    tournament = await open_contest.now()
    assert tournament.end_reason == "complete"
    reasons = [each.reason for one in tournament.rounds for each in one.pairings]
    assert reasons == [RESULT_REASON_PLAYED] * 3
    for bot in bots:
        record = host.records[bot.player_id]
        assert (record.starts, record.exits) == (1, {"0": 1})
        assert host.cpu_seconds()[bot.player_id] == record.cpu_seconds > 0


async def test_an_entrant_may_have_several_processes(open_contest: Contest) -> None:
    ann = await open_contest.entrant("Ann", "simple", processes=2)
    bob = await open_contest.entrant("Bob", "random", processes=2)
    host = await played(open_contest, ann, bob)
    assert [record.starts for record in host.records.values()] == [2, 2]


async def test_ordinary_matches_are_joined_and_played() -> None:
    terms = TournamentTerms(name="Open", round_robin=RoundRobin(), matches=Matches())
    terms.rules.target = 20
    async with in_process() as server, contest(server, terms) as opened:
        bots = [await opened.entrant(name, "simple") for name in ("Ann", "Bob")]
        await played(opened, *bots)
        ((pairing,),) = [one.pairings for one in (await opened.now()).rounds]
    assert pairing.reason == RESULT_REASON_PLAYED
    assert max(pairing.points) >= 20


# --- programs that die ----------------------------------------------------------------------------


@pytest.mark.parametrize(("bot", "how"), [("Dies", "SIGKILL"), ("Fails", "1")])
async def test_a_bot_that_dies_in_every_hand_loses_every_hand_and_nothing_waits_for_it(
    open_contest: Contest, dies: str, bot: str, how: str
) -> None:
    """E7: the others' games are all played, and the event ends."""
    said: list[str] = []
    ann = await open_contest.entrant("Ann", "simple")
    bob = await open_contest.entrant("Bob", f"{dies}:{bot}")
    server = open_contest.director.target
    async with BotHost(server, open_contest.id, [ann, bob], say=said.append) as host:
        await open_contest.start()
        await asyncio.wait_for(host.wait(), SOON)
    tournament = await open_contest.now()
    ((pairing,),) = [one.pairings for one in tournament.rounds]
    won = OUTCOME_FIRST if pairing.first == ann.player_id else OUTCOME_SECOND
    assert (pairing.outcome, pairing.reason) == (won, RESULT_REASON_CRASH)
    lines = [
        json.loads(line) async for line in open_contest.director.tournaments.log(tournament.id)
    ]
    sittings = [line["data"] for line in lines if line["type"] == "sitting_ended"]
    assert [sitting["reason"] for sitting in sittings] == ["crash"] * 2
    assert host.records[ann.player_id].exits == {"0": 1}
    exits = host.records[bob.player_id].exits
    assert exits[how] >= 1
    assert set(exits) <= {how, "0", "SIGTERM"}
    assert all(text.startswith(f"Bob: its program has ended ({how})") for text in said)
    if bot == "Fails":
        assert "Bob: ZeroDivisionError: no such luck" in said[0]
        # Once is enough.
        assert all(len(text.splitlines()) == 2 for text in said[1:])


async def test_a_program_that_never_comes_to_a_table_is_started_ever_less_often(
    open_contest: Contest, tmp_path: Path
) -> None:
    file, program = tmp_path / "runs", tmp_path / "probe.py"
    program.write_text(PROBE.format(file=str(file), code=3))
    ann = await open_contest.entrant("Ann", f"{sys.executable} -S {program} --fast")
    async with BotHost(open_contest.director.target, open_contest.id, [ann]) as host:
        for pause in until():
            if host.records[ann.player_id].exits["3"] >= 4:
                break
            await asyncio.sleep(pause)
    runs = [json.loads(line) for line in file.read_text().splitlines()]
    starts = [at for at, _, _ in runs]
    pauses = [then - before for before, then in pairwise(starts)]
    assert all(pause > least for pause, least in zip(pauses, (0.2, 0.4, 0.8), strict=False))
    assert len(starts) == host.records[ann.player_id].starts


async def test_a_program_is_told_what_it_needs_by_its_environment_alone(
    open_contest: Contest, tmp_path: Path
) -> None:
    file, program = tmp_path / "runs", tmp_path / "probe.py"
    program.write_text(PROBE.format(file=str(file), code=0))
    said: list[str] = []
    ann = await open_contest.entrant("Ann", f"{sys.executable} -S {program} --fast")
    server = open_contest.director.target
    async with BotHost(server, open_contest.id, [ann], say=said.append) as host:
        for pause in until():
            if host.records[ann.player_id].starts >= 2:
                break
            await asyncio.sleep(pause)
    # It is no regular end, since the tournament goes on.
    assert said[0] == "Ann: its program has ended (0)"
    runs = [json.loads(line) for line in file.read_text().splitlines()]
    sessions = set()
    for _, arguments, told in runs:
        assert arguments == [str(program), "--fast"]
        sessions.add(told.pop("GINRUMMY_SESSION"))
        assert told == {
            "GINRUMMY_SERVER": server,
            "GINRUMMY_TOKEN": ann.token,
            "GINRUMMY_TOURNAMENT": open_contest.id,
        }
    assert len(sessions) == len(runs)


# --- the end --------------------------------------------------------------------------------------


async def test_a_host_that_is_left_leaves_no_process(open_contest: Contest) -> None:
    ann = await open_contest.entrant("Ann", "sleep 1000")
    async with BotHost(open_contest.director.target, open_contest.id, [ann]) as host:
        for pause in until():
            if host.records[ann.player_id].starts:
                break
            await asyncio.sleep(pause)
    record = host.records[ann.player_id]
    assert record.exits.total() == record.starts == 1
    assert set(record.exits) <= {"SIGTERM", "127"}


async def test_a_tournament_that_is_over_needs_no_process(open_contest: Contest) -> None:
    ann = await open_contest.entrant("Ann", "simple")
    await open_contest.director.tournaments.abort(open_contest.id, why="rain")
    async with BotHost(open_contest.director.target, open_contest.id, [ann]) as host:
        await asyncio.wait_for(host.wait(), SOON)
    assert host.records[ann.player_id].starts == 0


async def test_a_tournament_that_is_not_there_is_an_error(open_contest: Contest) -> None:
    ann = await open_contest.entrant("Ann", "simple")
    async with BotHost(open_contest.director.target, "t_nowhere", [ann]) as host:
        with pytest.raises(NotFoundError):
            await asyncio.wait_for(host.wait(), SOON)


def test_a_spec_that_nothing_can_be_started_by_is_refused_at_once() -> None:
    bot = LocalBot("p_1", "Ann", "smple", "token")
    with pytest.raises(BotSpecError, match="there is no program 'smple'"):
        BotHost("127.0.0.1:1", "t_1", [bot])
