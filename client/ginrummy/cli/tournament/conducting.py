"""A tournament from its announcement to its end, by its director's own client.

    find it or announce it ──> enter who is missing ──> start their programs
        ──> wait until everybody is there, close registration ──> watch it to the end

Every step looks at what there is and adds what is missing. So a run that was killed is made good
by doing the same again.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

import click
import msgspec

from ginrummy.api.tournament_terms_messages import tournament_terms_from, tournament_terms_message
from ginrummy.cli.tournament.bots import Wish
from ginrummy.cli.tournament.keeping import Player, Players
from ginrummy.cli.tournament.progress import Ticker
from ginrummy.cli.wire import kept_keys
from ginrummy.client import Client, KeyFileError, RefusedError
from ginrummy.client.signing import entry_key
from ginrummy.tournaments.event import TournamentFold, TournamentTerms, read_tournament_line
from ginrummy.tournaments.event.fold import TournamentLine
from ginrummy.v1 import tournament_pb2 as pb
from ginrummy.v1.ruleset_pb2 import SIGNING_POLICY_REQUIRED

__all__ = ["Conductor", "Local", "NothingToConductError", "Plan"]

_LOOK_AGAIN = 0.25
"""Seconds between two looks at who has come."""

_STILL_WAITING = 5.0
"""Seconds after which those who are waited for are named."""


class NothingToConductError(click.ClickException):
    """A tournament that cannot be gone on with as asked."""

    exit_code = 2


class Plan(msgspec.Struct, frozen=True):
    """What is to be run."""

    terms: TournamentTerms | None
    """None for a tournament that is given by its id."""
    wishes: tuple[Wish, ...] = ()
    """The bots that are started here."""
    remote: int = 0
    """How many more come by themselves."""
    id: str = ""
    """The tournament to go on with; empty for one to be found or announced."""
    anew: bool = False
    """Another tournament, whatever there is."""


class Local(msgspec.Struct, frozen=True):
    """An entrant whose program is started here."""

    player: Player
    wish: Wish


Host = Callable[[pb.Tournament, Sequence[Local]], AbstractAsyncContextManager[object]]
"""Starts the programs of local entrants, and ends them with the context."""


class Conductor:
    """One run of one tournament."""

    def __init__(self, client: Client, players: Players, plan: Plan, ticker: Ticker) -> None:
        """Conduct `plan` as the director whom `client` is signed in as."""
        self._client = client
        self._events = client.tournaments
        self._players = players
        self._plan = plan
        self._ticker = ticker
        self.id = plan.id
        """The tournament's id, once it is known."""

    async def run(self, host: Host, told: Callable[[TournamentLine], None]) -> TournamentFold:
        """Bring the tournament to its end, and return it; `told` hears of every event."""
        tournament = await self._found()
        if tournament is None:
            tournament = await self._announced()
        else:
            said = "Going on with" if self._is_open(tournament) else "Over already:"
            self._ticker.say(f"{said} {tournament.terms.name}, {tournament.id}", always=True)
        self.id = tournament.id
        if not self._is_open(tournament):
            return await self._watched(told)
        roster = await self._entered(tournament)
        async with host(await self._events.get(self.id), roster):
            await self._started(roster)
            return await self._watched(told)

    @staticmethod
    def _is_open(tournament: pb.Tournament) -> bool:
        return tournament.stage != pb.TOURNAMENT_STAGE_ENDED

    # --- which one --------------------------------------------------------------------------

    async def _found(self) -> pb.Tournament | None:
        """Return the tournament that is meant, or one of the same terms and bots, not over yet."""
        if self._plan.id:
            return await self._events.get(self._plan.id)
        if self._plan.anew or self._plan.terms is None:
            return None
        for row in await self._events.all():
            if row.name == self._plan.terms.name and row.stage != pb.TOURNAMENT_STAGE_ENDED:
                tournament = await self._events.get(row.id)
                if await self._is_planned(tournament, self._plan.terms):
                    return tournament
        return None

    async def _is_planned(self, tournament: pb.Tournament, terms: TournamentTerms) -> bool:
        """Say whether a tournament is the one planned, with some bots of it perhaps missing."""
        if tournament_terms_from(tournament.terms) != terms:
            return False
        planned = {(each.name, each.spec) for each in self._plan.wishes}
        entered = {(each.name, each.spec) for each in await self._wishes(tournament.id)}
        registering = tournament.stage == pb.TOURNAMENT_STAGE_REGISTRATION
        return entered == planned or (registering and entered <= planned)

    async def _wishes(self, tournament: str) -> list[Wish]:
        """Return the entrants that are started by their director, as the log says."""
        fold = await self._read(tournament)
        entries = fold.tournament.by_seed if fold.tournament else ()
        return [Wish(each.entrant.name, each.spec) for each in entries if each.spec]

    async def _read(self, tournament: str) -> TournamentFold:
        fold = TournamentFold()
        async for raw in self._events.log(tournament):
            fold.add(read_tournament_line(raw))
        return fold

    async def _announced(self) -> pb.Tournament:
        if self._plan.terms is None:
            raise NothingToConductError("name a tournament, or say what is to be played")
        tournament = await self._events.create(tournament_terms_message(self._plan.terms))
        self._ticker.say(f"{tournament.terms.name}, {tournament.id}")
        return tournament

    # --- who plays --------------------------------------------------------------------------

    async def _entered(self, tournament: pb.Tournament) -> list[Local]:
        """Enter the planned bots that are missing; return all whose programs are started here."""
        roster = []
        there = {each.player_id for each in tournament.entrants}
        fold = await self._read(tournament.id)
        entries = fold.tournament.by_seed if fold.tournament else ()
        for entry in entries:
            if entry.spec:
                token = await self._players.token(tournament.id, entry.id, entry.entrant.name)
                if token is None:
                    raise NothingToConductError(
                        f"the token of {entry.entrant.name} is not kept here: go on where the"
                        " tournament was begun"
                    )
                wish = Wish(entry.entrant.name, entry.spec)
                roster.append(Local(Player(entry.id, token), wish))
        known = {each.wish for each in roster}
        for wish in self._plan.wishes:
            if wish in known:
                continue
            player = await self._players.player(tournament.id, wish.name)
            if player.id not in there:
                key = self._key(tournament, player, wish)
                await self._events.enter(
                    tournament.id, player_id=player.id, spec=wish.spec, public_key=key
                )
            roster.append(Local(player, wish))
        return roster

    @staticmethod
    def _key(tournament: pb.Tournament, player: Player, wish: Wish) -> bytes:
        """Return the public key by which a bot that is started here signs on boards, if it does."""
        keys = kept_keys()
        if keys is None and tournament.terms.signing == SIGNING_POLICY_REQUIRED:
            why = "everybody signs, which needs the signing extra: pip install 'ginrummy[signing]'"
            raise NothingToConductError(f"{wish.name} cannot play: {why}")
        try:
            return entry_key(tournament, player.id, keys)
        except KeyFileError as error:
            raise NothingToConductError(f"{wish.name}: {error}") from error

    async def _started(self, roster: Sequence[Local]) -> None:
        """Close registration as soon as everybody is there."""
        tournament = await self._events.get(self.id)
        if tournament.stage != pb.TOURNAMENT_STAGE_REGISTRATION:
            return
        if tournament.terms.check_in:
            for each in roster:
                await self._events.check_in(self.id, each.player.id)
        await self._everybody(len(roster) + self._plan.remote)
        try:
            await self._events.start(self.id)
        except RefusedError as error:
            stage = (await self._events.get(self.id)).stage
            if stage == pb.TOURNAMENT_STAGE_REGISTRATION:
                raise NothingToConductError(str(error)) from error

    async def _everybody(self, expected: int) -> None:
        waited, said = 0.0, ""
        while True:
            tournament = await self._events.get(self.id)
            if tournament.stage != pb.TOURNAMENT_STAGE_REGISTRATION:
                return
            here = [each for each in tournament.entrants if each.present]
            absent = [each.name for each in here if not each.attending]
            missing = expected - len(here)
            if missing <= 0 and not absent:
                return
            if waited >= _STILL_WAITING or (missing > 0 and not said):
                waits = ", ".join([*absent, *([f"{missing} more to enter"] if missing > 0 else [])])
                if waits != said:
                    said = waits
                    self._ticker.say(f"Waiting for {waits}", always=True)
            await asyncio.sleep(_LOOK_AGAIN)
            waited += _LOOK_AGAIN

    # --- to the end -------------------------------------------------------------------------

    async def _watched(self, told: Callable[[TournamentLine], None]) -> TournamentFold:
        fold = TournamentFold()
        is_live = False
        async for update in self._events.watch(self.id):
            if update.HasField("event"):
                line = read_tournament_line(update.event.line)
                tournament = fold.add(line)
                told(line)
                if is_live:
                    self._ticker.update(tournament)
            elif update.HasField("progress") and fold.tournament is not None:
                self._ticker.pace(update.progress, fold.tournament)
            elif update.HasField("caught_up"):
                is_live = True
        self._ticker.clear()
        return fold
