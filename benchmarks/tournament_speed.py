"""How many boards a tournament plays in a minute, and whose time it is.

A whole tournament over gRPC, as `gin tournament run` plays it: the server in this process, on disk,
and each bot's tables in processes of their own. Beside it the same bots at a table without server,
log or network, which is what their decisions and the rules alone would take.
"""

import asyncio
import os
import time
from functools import partial
from itertools import islice
from tempfile import TemporaryDirectory
from typing import NamedTuple

from comparison import Comparison
from quick_table import decks, duplicate_board

from ginrummy.api.auth import new_token
from ginrummy.api.journal import configure
from ginrummy.api.server import ServerOptions, serving
from ginrummy.bots import load_bot
from ginrummy.cli.tournament.hosting import BotHost, LocalBot
from ginrummy.client import connect
from ginrummy.log.ids import ID_ENTROPY, player_id
from ginrummy.rules.ruleset import PRESETS
from ginrummy.store import Credential, Role, SqliteStore, hash_token
from ginrummy.tournaments.event.fold import read_tournament_line
from ginrummy.v1 import tournament_pb2 as pb

__all__ = ["TournamentComparison", "compare_tournament"]

_BOARDS = 100
_TABLES = 2
_BOT = "simple"


class TournamentComparison(NamedTuple):
    """Boards a minute, and whose processor time they are."""

    comparison: Comparison
    bots_share: float
    """The bots' processes' share of all processor time, from 0 to 1."""
    decisions_share: float
    """The share of the bots' decisions alone, by what they take without a network."""


def compare_tournament() -> TournamentComparison:
    """Play a tournament of two, and as many boards without a server."""
    configure("console", "error")
    with TemporaryDirectory() as directory:
        seconds, server, bots = asyncio.run(_tournament(f"{directory}/speed.db"))
    alone, deciding = _without_server()
    ours, baseline = 60 * _BOARDS / seconds, 60 * _BOARDS / alone
    found = Comparison(
        f"duplicate boards, {_BOT} against {_BOT}",
        "boards/min",
        ours,
        baseline,
        ours / baseline,
        _GOAL,
    )
    return TournamentComparison(found, bots / (bots + server), deciding / (bots + server))


_GOAL = 0.1
"""Every move of it is durable, checked and told to another process."""


def _without_server() -> tuple[float, float]:
    """Return the seconds that the boards take at a bare table, and those of the decisions."""
    bot = partial(load_bot, _BOT)
    begun, deciding = time.perf_counter(), 0.0
    for number, deck in enumerate(islice(decks(1), _BOARDS), start=1):
        _, halves = duplicate_board(
            (bot(), bot()), (bot(), bot()), PRESETS["standard"], deck, number
        )
        deciding += sum(sum(seat) for half in halves for seat in half.seconds)
    return time.perf_counter() - begun, deciding


async def _tournament(db: str) -> tuple[float, float, float]:
    """Return how long the boards took, the server's processor time and the bots', in seconds."""
    begun = time.process_time()
    store = SqliteStore(db)
    director, *tokens = (_credential(store, name) for name in ("Director", "One", "Other"))
    async with (
        serving(ServerOptions(db=db, listen="127.0.0.1:0")) as address,
        connect(address, token=director[1]) as client,
    ):
        act = client.tournaments
        made = await act.create(
            pb.TournamentTerms(
                name="Speed",
                round_robin=pb.RoundRobin(),
                boards=pb.Boards(boards=_BOARDS),
                tables=_TABLES,
            )
        )
        for player, _ in tokens:
            await act.enter(made.id, player_id=player, spec=_BOT)
        await act.start(made.id)
        entrants = [LocalBot(player, player, _BOT, token, _TABLES) for player, token in tokens]
        async with BotHost(address, made.id, entrants) as host:
            await host.wait()
        lines = [read_tournament_line(raw) async for raw in act.log(made.id)]
    store.close()
    at = {line.type: line.at for line in lines}
    seconds = (at["tournament_ended"] - at["round_paired"]) / 1_000_000
    return seconds, time.process_time() - begun, sum(host.cpu_seconds().values())


def _credential(store: SqliteStore, name: str) -> tuple[str, str]:
    """Make a player or the director, and return their id and token."""
    token, made = new_token(os.urandom), player_id(os.urandom(ID_ENTROPY))
    role: Role = "director" if name == "Director" else "player"
    store.add_player(Credential(made, name, role, hash_token(token), time.time_ns() // 1000))
    return made, token
