"""Where disputes are dealt with: at a running server, or in the database of one that is not there.

Whoever asks is known at a server by their token. With nothing but the database it is the operator
who enters what a player claims or a director rules, and says whose it is.
"""

import asyncio
import functools
import shlex
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

import click

from ginrummy.cli.dispute.case import Case
from ginrummy.cli.wire import Access, run
from ginrummy.client import Client, NotFoundError
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.events import DisputeReason, Ruling
from ginrummy.rules.disputes.states import DisputeStatus
from ginrummy.v1 import events_pb2
from ginrummy.v1.match_pb2 import Match

__all__ = ["Claim", "Judgement", "Place", "Where", "place_options"]

T = TypeVar("T")


class Claim(NamedTuple):
    """What a player claims."""

    reason: DisputeReason
    text: str
    hand: int | None
    event: int | None


class Judgement(NamedTuple):
    """What a director rules."""

    dispute: int
    ruling: Ruling
    rule: str
    why: str
    points: BySeat[int]
    seat: Seat | None


class Place(Protocol):
    """Where disputes are dealt with. What is refused there ends the command with exit code 2."""

    async def match(self, match_id: str) -> Match:
        """Return a match as it stands."""

    async def open(self, match_id: str, player: str, claim: Claim) -> int:
        """Dispute a match, and return the dispute's number. `player` is a player's id."""

    async def appeal(self, match_id: str, player: str, dispute: int, text: str) -> None:
        """Have a ruling looked at by another director."""

    async def rule(self, match_id: str, director: str, judgement: Judgement) -> None:
        """Rule on a dispute. `director` is an id or a name."""

    async def case(self, match_id: str, dispute: int) -> Case:
        """Return a dispute with its match as it stands, and as it was played."""

    def cases(
        self, match_id: str, player: str, status: DisputeStatus | None
    ) -> AsyncIterator[Case]:
        """Yield disputes, those over the newest matches first.

        Only those over one match, over the matches of a player, or in a state, where these are not
        empty.
        """


class Where(NamedTuple):
    """The place that the options name."""

    db: str
    server: str | None
    token: str

    def options(self, whose: str = "") -> str:
        """Return what a further command needs to find the same place.

        `whose` is the option that says in whose name, which at a server the token does.
        """
        if self.server is not None:
            return f"--server {shlex.quote(self.server)}"
        # The address of a database may hold a password.
        named = "DATABASE" if "://" in self.db else shlex.quote(self.db)
        db = "" if self.db == "gin.db" else f"--db {named}"
        return " ".join(each for each in (db, whose) if each)

    def ask(self, work: Callable[[Place], Coroutine[Any, Any, T]]) -> T:
        """Return what comes of the work at the place."""
        if self.server is not None:
            return run(_worked(_at_server(self.server, self.token), work))
        # What reads and writes a database is not in every install.
        from ginrummy.cli.dispute.database import in_database  # noqa: PLC0415

        return asyncio.run(_worked(in_database(self.db), work))


def place_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name the place, as the argument `where`."""

    @functools.wraps(command)
    def gathered(*, db: str, server: str | None, token: str, **others: object) -> None:
        command(where=Where(db, server, token), **others)

    for option in (
        click.option(
            "--token", envvar="GINRUMMY_TOKEN", default="", help="Your token; also GINRUMMY_TOKEN."
        ),
        click.option("--server", metavar="ADDRESS", help="Do it at a running server instead."),
        click.option(
            "--db",
            default="gin.db",
            show_default=True,
            metavar="DATABASE",
            help="Do it in this database; a server on it may run.",
        ),
    ):
        gathered = option(gathered)
    return gathered


async def _worked(
    place: AbstractAsyncContextManager[Place], work: Callable[[Place], Coroutine[Any, Any, T]]
) -> T:
    async with place as opened:
        return await work(opened)


# --- a server -----------------------------------------------------------------------------------


@asynccontextmanager
async def _at_server(address: str, token: str) -> AsyncIterator[Place]:
    async with Access(address, token, "", keeps_receipts=False).client() as client:
        yield _AtServer(client)


class _AtServer(Place):
    """A running server, in the name of the token's bearer."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._names: dict[str, str] = {}

    async def match(self, match_id: str) -> Match:
        return await self._client.match(match_id)

    async def open(self, match_id: str, player: str, claim: Claim) -> int:  # noqa: ARG002 -- the token says whose it is
        opened = await self._client.disputes.open(
            match_id, claim.reason, claim.text, hand=claim.hand, event=claim.event
        )
        return opened.opened.dispute

    async def appeal(self, match_id: str, player: str, dispute: int, text: str) -> None:  # noqa: ARG002 -- likewise
        await self._client.disputes.appeal(match_id, dispute, text)

    async def rule(self, match_id: str, director: str, judgement: Judgement) -> None:  # noqa: ARG002 -- likewise
        await self._client.disputes.rule(
            match_id,
            judgement.dispute,
            judgement.ruling,
            rule=judgement.rule,
            why=judgement.why,
            points=judgement.points,
            seat=judgement.seat,
        )

    async def case(self, match_id: str, dispute: int) -> Case:
        found = await self._client.disputes.get(match_id, dispute)
        match = await self._client.match(match_id)
        directors = await self._directors(given.director_id for given in found.dispute.rulings)
        return Case(match, found.dispute, directors, await self._as_played(match_id))

    async def cases(
        self, match_id: str, player: str, status: DisputeStatus | None
    ) -> AsyncIterator[Case]:
        match = Match()
        async for dispute in self._client.disputes.all(
            match_id=match_id, player_id=player, status=status
        ):
            # Those over one match come together.
            if match.id != dispute.match_id:
                match = await self._client.match(dispute.match_id)
            directors = await self._directors(given.director_id for given in dispute.rulings)
            yield Case(match, dispute, directors)

    async def _directors(self, ids: Iterable[str]) -> dict[str, str]:
        for each in ids:
            if each not in self._names:
                try:
                    self._names[each] = (await self._client.player(each)).name
                except NotFoundError:
                    self._names[each] = each
        return self._names

    async def _as_played(self, match_id: str) -> events_pb2.MatchEnded | None:
        """Return the result with which a match ended, as it was told then."""
        ended = None
        async for update in self._client.watch(match_id):
            if update.event.WhichOneof("event") == "match_ended":
                ended = update.event.match_ended
        return ended
