"""A tournament whose whole run is killed again and again ends as if nothing had happened."""

import asyncio
import json
import random
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from support_play import soak
from support_server import GIN, gin, open_db, until

from ginrummy.cli.tournament.bots import Wish
from ginrummy.cli.tournament.conducting import Conductor, Plan
from ginrummy.cli.tournament.ground import Ground
from ginrummy.cli.tournament.progress import Ticker
from ginrummy.store import SqliteStore
from ginrummy.tournaments.event import Boards, TournamentTerms
from ginrummy.tournaments.pairing.round_robin import RoundRobin

BOTS = soak(8, 3)
BOARDS = soak(16, 6)
KILLS = soak(100, 3)
SITTINGS = BOTS * (BOTS - 1) // 2 * BOARDS * 2
A_LIFE = soak(7, 4)
"""How many sittings end between two kills, on average."""

AT_THE_START = 0.2
"""How many of the kills come before anything may have been played."""

AGES = 600.0
"""Seconds after which a run that does not come on never will."""


async def announced(db: Path) -> str:
    """Announce a tournament with all its bots entered, and return its id."""
    terms = TournamentTerms(
        name="Killed",
        format=RoundRobin(),
        play=Boards(BOARDS),
        tables=4,
        open_entry=False,
    )
    kinds = ("simple", "expert")
    plan = Plan(terms, tuple(Wish(f"Bot {i}", kinds[i % 2]) for i in range(BOTS)))
    async with Ground(str(db), "127.0.0.1:0", None, "").opened() as (client, players):
        conductor = Conductor(client, players, plan, Ticker(quiet=True))
        tournament = await conductor._announced()
        await conductor._entered(tournament)
    return tournament.id


@asynccontextmanager
async def run_of(tournament: str, db: Path) -> AsyncIterator[Process]:
    """Run a tournament as a process, which is killed with the context."""
    with db.with_suffix(".journal").open("ab") as journal:
        process = await asyncio.create_subprocess_exec(
            *GIN,
            *("tournament", "run", tournament, "--db", str(db), "--json"),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=journal,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def ended(tournament: str, db: Path) -> dict[str, Any]:
    """Let a tournament run to its end, and return the standings that its run tells."""
    async with run_of(tournament, db) as process:
        out, _ = await asyncio.wait_for(process.communicate(), AGES)
    assert process.returncode == 0, db.with_suffix(".journal").read_text()
    told: dict[str, Any] = json.loads(out.splitlines()[-1])
    assert told["type"] == "standings"
    return told


def over(store: SqliteStore, tournament: str) -> int:
    """Return how many sittings have ended."""
    return sum(b'"type":"sitting_ended"' in raw for raw in store.read(tournament))


async def killed(tournament: str, db: Path, rng: random.Random) -> None:
    """Let a run live for some sittings and a part of one more, or not even so long; kill it."""
    async with run_of(tournament, db) as process, open_db(db) as store:
        assert process.stdout is not None
        reading = asyncio.create_task(process.stdout.read())
        if rng.random() < AT_THE_START:
            await asyncio.sleep(2 * rng.random())
        else:
            least = over(store, tournament) + rng.randrange(2 * A_LIFE)
            for pause in until(AGES, 0.1):
                if over(store, tournament) > least:
                    break
                await asyncio.sleep(pause)
            await asyncio.sleep(0.2 * rng.random())
        assert process.returncode is None
        process.kill()
        await reading
        await process.wait()


def said(standings: dict[str, Any]) -> dict[str, Any]:
    """Return what two runs of one tournament have to agree on."""
    return {field: standings[field] for field in standings if field not in ("seq", "hash")}


async def test_a_run_that_is_killed_again_and_again_ends_as_an_undisturbed_one(
    tmp_path: Path,
) -> None:
    db, copy = tmp_path / "killed.db", tmp_path / "undisturbed.db"
    tournament = await announced(db)
    shutil.copy(db, copy)
    undisturbed = await ended(tournament, copy)
    rng = random.Random(KILLS)
    async with open_db(db) as store:
        kills = 0
        while kills < KILLS and over(store, tournament) + 2 * A_LIFE < SITTINGS:
            await killed(tournament, db, rng)
            kills += 1
        assert kills == KILLS
        standings = await ended(tournament, db)
        assert said(standings) == said(undisturbed)
        assert sum(standings["sittings"].values()) == SITTINGS
        told = [json.loads(raw) for raw in store.read(tournament)]
    keys = [
        tuple(line["data"][field] for field in ("round", "table", "board", "half"))
        for line in told
        if line["type"] == "sitting_ended"
    ]
    assert len(keys) == len(set(keys)) == SITTINGS
    code, report, _ = await gin("tournament", "audit", tournament, "--db", str(db))
    assert code == 0, report
