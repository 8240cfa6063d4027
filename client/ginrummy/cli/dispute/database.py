"""Disputes in a database, dealt with by its operator: no server is needed, and one may run."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial

import click

from ginrummy.api.dispute_messages import dispute_message
from ginrummy.api.ending_messages import fill_match_ended
from ginrummy.api.view_messages import match_message
from ginrummy.cli.dispute.case import Case, RefusedError
from ginrummy.cli.dispute.place import Claim, Judgement, Place
from ginrummy.cli.source import open_database
from ginrummy.rules.disputes.commands import RuleOnDispute
from ginrummy.rules.disputes.states import Dispute, DisputeStatus
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.match import Ended, Instant
from ginrummy.rules.match.disputing import dispute_of, no_dispute
from ginrummy.store import Credential, GroupCommit, MatchQuery, Store, shown_db
from ginrummy.tables.disputes import Disputes
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError, TableError
from ginrummy.tables.room import CardRoom
from ginrummy.tables.table import Table
from ginrummy.tournaments.errors import TournamentError
from ginrummy.tournaments.running.desk import Desk
from ginrummy.tournaments.running.errors import NoSuchTournamentError
from ginrummy.tournaments.running.rulings import take_over
from ginrummy.v1 import events_pb2
from ginrummy.v1.match_pb2 import Match

__all__ = ["in_database"]

_PAGE = 100


def _now() -> Instant:
    return time.time_ns() // 1000


@asynccontextmanager
async def in_database(db: str) -> AsyncIterator[Place]:
    """Give the disputes of a database that is there.

    A server on the same database finds what is stored here as soon as it is asked. Raises
    RefusedError for whatever is refused inside, and UnusableSourceError where the database is.
    """
    with open_database(db) as store:
        async with GroupCommit(store) as commits:
            room = CardRoom(store, commits, _now, os.urandom)
            disputes = Disputes(room, store, partial(_follow, store, commits))
            try:
                yield _InDatabase(shown_db(db), store, disputes)
            except NoSuchMatchError as error:
                shown = shown_db(db)
                raise RefusedError(f"there is no match {error.match_id} in {shown}") from error
            except (IllegalMoveError, TableError) as error:
                raise RefusedError(str(error)) from error
            finally:
                await disputes.close()
                await room.close()


async def _follow(store: Store, commits: GroupCommit, match_id: str) -> None:
    """Let the tournament, if the match is of one, follow what rulings have made of it.

    No tournament is run here: that is the server's affair, or that of whoever directs it.
    """

    async def desk_of(tournament: str) -> Desk:
        desk = Desk(tournament, store, commits, _now)
        await desk.load()
        if not desk.seq:
            raise NoSuchTournamentError(tournament)
        return desk

    try:
        await take_over(match_id, store, desk_of)
    except (LogDamagedError, TournamentError) as error:
        click.echo(f"Its tournament could not follow the ruling: {error}", err=True)


class _InDatabase(Place):
    """A database, whose operator says who claims and who rules."""

    def __init__(self, db: str, store: Store, disputes: Disputes) -> None:
        self._db = db
        self._store = store
        self._disputes = disputes

    async def match(self, match_id: str) -> Match:
        return _message(await self._disputes.table(match_id))

    async def open(self, match_id: str, player: str, claim: Claim) -> int:
        heard = await self._disputes.open(
            match_id, player, claim.reason, claim.text, hand=claim.hand, event=claim.event
        )
        return heard.dispute.number

    async def appeal(self, match_id: str, player: str, dispute: int, text: str) -> None:
        await self._disputes.appeal(match_id, player, dispute, text)

    async def rule(self, match_id: str, director: str, judgement: Judgement) -> None:
        found = self._director(director)
        for seated in (await self.match(match_id)).seats:
            # Whoever plays and directs under two ids is one person all the same.
            if director.strip() == found.name and seated.name.casefold() == found.name.casefold():
                raise RefusedError(
                    f"a player of this match is called {seated.name} too, and nobody rules on a"
                    " match of their own (R5); if that is somebody else, name the director by id,"
                    f" {found.player}"
                )
        wish = RuleOnDispute(
            by=found.player,
            dispute=judgement.dispute,
            ruling=judgement.ruling,
            rule=judgement.rule,
            why=judgement.why,
            points=judgement.points,
            seat=judgement.seat,
        )
        await self._disputes.rule(match_id, wish)

    async def case(self, match_id: str, dispute: int) -> Case:
        table = await self._disputes.table(match_id)
        if not isinstance(table.match, Ended):
            raise no_dispute(dispute, 0)
        case = self._case(table, table.match, dispute_of(table.match, dispute))
        as_played = events_pb2.MatchEnded()
        fill_match_ended(as_played, table.match.as_played)
        return case._replace(as_played=as_played)

    async def cases(
        self, match_id: str, player: str, status: DisputeStatus | None
    ) -> AsyncIterator[Case]:
        ids = [match_id] if match_id else await asyncio.to_thread(self._disputed, player, status)
        for each in ids:
            table = await self._disputes.table(each)
            if isinstance(table.match, Ended):
                for dispute in table.match.disputes:
                    if status in (None, dispute.status):
                        yield self._case(table, table.match, dispute)

    # --- what the database has --------------------------------------------------------------

    def _disputed(self, player: str, status: DisputeStatus | None) -> list[str]:
        """Return the matches with disputes that may be wanted, the newest first."""
        found: list[str] = []
        query = MatchQuery(
            player=player or None,
            disputed="open" if status in ("open", "appealed") else "any",
            size=_PAGE,
        )
        while True:
            page = self._store.matches(query)
            found += [row.id for row in page.matches]
            if not page.next_token:
                return found
            query = MatchQuery(
                player=query.player, disputed=query.disputed, size=_PAGE, token=page.next_token
            )

    def _case(self, table: Table, match: Ended, dispute: Dispute) -> Case:
        return Case(
            _message(table),
            dispute_message(table.match_id, match, dispute),
            {ruled.by: self._name(ruled.by) for ruled in dispute.ruled},
        )

    def _name(self, player: str) -> str:
        credential = self._store.player(player)
        return player if credential is None else credential.name

    def _director(self, text: str) -> Credential:
        """Return the director that is named by id, or by a name that only one has."""
        everybody = self._store.players()
        named = [each for each in everybody if text.strip() in (each.player, each.name)]
        directors = [each for each in named if each.role == "director"]
        if len(directors) == 1:
            return directors[0]
        if directors:
            ids = ", ".join(each.player for each in directors)
            raise RefusedError(
                f"{text!r} is the name of {len(directors)} directors: use an id, {ids}"
            )
        if named:
            raise RefusedError(f"{text!r} is no director in {self._db}, but a {named[0].role}")
        raise RefusedError(f"there is no director {text!r} in {self._db}{_there(everybody)}")


def _there(everybody: Iterable[Credential]) -> str:
    names = [each.name for each in everybody if each.role == "director"]
    if names:
        return f": there are {', '.join(names)}"
    return ", and no other one: gin player NAME --role director makes one"


def _message(table: Table) -> Match:
    return match_message(
        table.match,
        match_id=table.match_id,
        seq=table.seq,
        head_hash=table.head_hash,
        created_at=table.created_at,
    )
