"""A director's acts: over the network, or at the tournament's own desk in the database."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import NamedTuple

import click

from ginrummy.api.server import now
from ginrummy.api.tournament_messages import OUTCOMES
from ginrummy.api.tournament_terms_messages import tournament_terms_message
from ginrummy.cli.tournament.keeping import own_director
from ginrummy.cli.tournament.results import heading
from ginrummy.cli.tournament.source import database, open_tournament, tournament_as_of
from ginrummy.cli.wire import run
from ginrummy.client import connect
from ginrummy.client.tournaments import Tournaments
from ginrummy.store import GroupCommit, Store, open_store
from ginrummy.store.errors import StoreError
from ginrummy.tables.errors import TableError
from ginrummy.tables.room import CardRoom
from ginrummy.tournaments.errors import TournamentError
from ginrummy.tournaments.event import Command, Elsewhere, Tournament, TournamentTerms
from ginrummy.tournaments.event.commands import (
    Abort,
    CheckIn,
    CloseRegistration,
    EndByHand,
    Leave,
    PairByHand,
    Pause,
    Resume,
    Return,
    Rule,
    Seed,
)
from ginrummy.tournaments.running.desk import Act, Desk
from ginrummy.tournaments.running.errors import NoSuchTournamentError
from ginrummy.tournaments.running.hall import Hall

__all__ = ["Direction", "RefusedActError", "announced", "at_desk"]


class RefusedActError(click.ClickException):
    """An act that the tournament does not allow now."""

    exit_code = 2


class Direction(NamedTuple):
    """A tournament to be directed, and where it is."""

    id: str
    db: str
    server: str | None
    token: str

    def tournament(self) -> Tournament:
        """Return the tournament as it stands."""
        with open_tournament(self.id, self.db, self.server, self.token) as log:
            return tournament_as_of(log)

    def act(self, command: Command) -> None:
        """Carry out an act, and say how the tournament stands after it.

        Raises RefusedActError or RefusedCallError where it is not allowed.
        """
        if self.server is not None:
            run(self._over_the_network(self.server, command))
        else:
            with database(self.db) as store:
                asyncio.run(_act_at_the_desk(store, self.id, command))
        click.echo(heading(self.tournament()))

    async def _over_the_network(self, server: str, command: Command) -> None:
        async with connect(server, token=self.token) as client:
            await _called(client.tournaments, self.id, command)


def _called(tournaments: Tournaments, tournament: str, command: Command) -> Awaitable[object]:
    """Return the call that is an act of a director."""
    match command:
        case CheckIn(entrant=entrant):
            return tournaments.check_in(tournament, entrant)
        case Seed(order=order):
            return tournaments.seed(tournament, order)
        case CloseRegistration():
            return tournaments.start(tournament)
        case Leave(entrant=entrant, why=why):
            return tournaments.withdraw(tournament, entrant, why=why)
        case Return(entrant=entrant):
            return tournaments.return_(tournament, entrant)
        case PairByHand(pairs=pairs):
            return tournaments.pair(tournament, pairs)
        case Rule(round=number, table=table, outcome=outcome, points=points, why=why, rule=rule):
            return tournaments.rule(
                tournament, number, table, OUTCOMES[outcome], points=points, why=why, rule=rule
            )
        case Pause():
            return tournaments.pause(tournament)
        case Resume():
            return tournaments.resume(tournament)
        case Abort(why=why):
            return tournaments.abort(tournament, why=why)
        case EndByHand():
            return tournaments.end(tournament)
        case _:
            raise TypeError(f"{command!r} is no director's act")


async def _act_at_the_desk(store: Store, tournament: str, command: Command) -> None:
    async with at_desk(store, tournament) as (_, desk):
        await desk.act(Act(desk.tournament.director, command))


@asynccontextmanager
async def at_desk(store: Store, tournament: str) -> AsyncIterator[tuple[Hall, Desk]]:
    """Give the desk of a tournament that is in this database, and see through what follows.

    Where matches are played on the server, that is the server's affair: two runners would both
    call to the tables. Raises RefusedActError for whatever is refused inside.
    """
    async with _hall(store) as (hall, commits):
        try:
            desk = Desk(tournament, store, commits, now)
            await desk.load()
            follows = isinstance(desk.tournament.terms.play, Elsewhere)
            if follows:
                desk = await hall.desk(tournament)
            yield hall, desk
            if follows:
                await _quiet(desk)
        except NoSuchTournamentError as error:
            raise RefusedActError(f"there is no tournament {tournament} here") from error
        except (TournamentError, TableError) as error:
            raise RefusedActError(str(error)) from error


@asynccontextmanager
async def _hall(store: Store) -> AsyncIterator[tuple[Hall, GroupCommit]]:
    """Give a hall without a port."""
    async with GroupCommit(store) as commits:
        hall = Hall(store, commits, now, os.urandom, CardRoom(store, commits, now, os.urandom))
        try:
            yield hall, commits
        finally:
            await hall.close()


_QUIET = 0.2
"""Seconds without an event after which nothing follows any more."""


async def _quiet(desk: Desk) -> None:
    """Wait until everything has happened that follows by itself."""
    while True:
        seq = desk.seq
        await asyncio.sleep(_QUIET)
        if desk.seq == seq:
            return


def announced(terms: TournamentTerms, db: str, server: str | None, token: str) -> str:
    """Announce a tournament, and return its id."""
    if server is not None:
        return run(_announced_over_the_network(terms, server, token))
    try:
        store = open_store(db)
    except StoreError as error:
        raise RefusedActError(str(error)) from error
    try:
        return asyncio.run(_announced_here(store, terms))
    finally:
        store.close()


async def _announced_over_the_network(terms: TournamentTerms, server: str, token: str) -> str:
    async with connect(server, token=token) as client:
        return (await client.tournaments.create(tournament_terms_message(terms))).id


async def _announced_here(store: Store, terms: TournamentTerms) -> str:
    async with _hall(store) as (hall, _):
        return (await hall.create(own_director(store).id, terms)).tournament_id
