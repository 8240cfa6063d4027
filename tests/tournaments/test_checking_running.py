"""What the runner writes down is clean, whatever happens in the hall, and so are its matches."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable

import pytest
from support_hall import Attendant, Venue, announced, directed, over, played, quick_terms, venue
from support_hall import wait_for as once

from ginrummy.audit.audit import audit
from ginrummy.rules.events import TimeControl
from ginrummy.rules.ruleset import Ruleset
from ginrummy.store import MemoryStore, Store
from ginrummy.tournaments.checking import TournamentReport, check
from ginrummy.tournaments.event import Boards, Matches
from ginrummy.tournaments.event.commands import Abort, Leave, Pause, Resume, Rule
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.running.desk import Desk
from ginrummy.tournaments.statistics.sprt import parse_sprt

A, B, C, D = PLAYERS = ["p_a", "p_b", "p_c", "p_d"]

Act = Callable[[Desk], Coroutine[None, None, None]]


def checked(store: Store, tournament: str) -> TournamentReport:
    """Return the report of a tournament, every match at hand; all of these are clean as well."""
    for match in store.streams("m_"):
        report = audit(list(store.read(match)))
        assert not report.faults, match

    def match_log(match: str) -> Iterable[bytes] | None:
        return list(store.read(match)) or None

    return check(store.read(tournament), match_log)


async def remove(desk: Desk) -> None:
    await once(lambda: len(desk.tournament.sittings) >= 2)
    await directed(desk, Leave(B, "removed", "two clients"))


async def rule(desk: Desk) -> None:
    await once(lambda: len(desk.tournament.sittings) >= 2)
    await directed(desk, Rule(1, 1, "first", None, "a false card"))


async def pause(desk: Desk) -> None:
    await once(lambda: len(desk.tournament.sittings) >= 2)
    await directed(desk, Pause())
    await asyncio.sleep(0.1)
    await directed(desk, Resume())


async def abort(desk: Desk) -> None:
    await once(lambda: len(desk.tournament.sittings) >= 3)
    await directed(desk, Abort("fire"))


async def nothing(desk: Desk) -> None:
    pass


def there(*players: str) -> list[Attendant]:
    return [Attendant(each, pause=0.0005) for each in players]


CASES: dict[str, tuple[dict[str, object], list[Attendant], Act]] = {
    "boards": ({"play": Boards(boards=2)}, there(A, B, C), nothing),
    "a Swiss of matches": (
        {"format": Swiss(rounds=2), "play": Matches(), "rules": Ruleset(hands=2)},
        there(A, B, C),
        nothing,
    ),
    "a cup": ({"format": Elimination(), "play": Boards(boards=1)}, there(A, B, C, D), nothing),
    "one that dies": ({}, [Attendant(A, tables=1, dies_after=3), *there(B, C)], nothing),
    "one that resigns": ({}, [Attendant(A, resigns=True), *there(B, C)], nothing),
    "one that is silent": (
        {"clock": TimeControl(bank_ms=None, decision_ms=300)},
        [Attendant(A, is_silent=True), *there(B, C)],
        nothing,
    ),
    "one that is removed": ({"play": Boards(boards=3)}, there(A, B, C, D), remove),
    "a ruling": ({"play": Boards(boards=3)}, there(A, B, C), rule),
    "a pause": ({"play": Boards(boards=3)}, there(A, B, C), pause),
    "given up": ({"play": Boards(boards=9)}, there(A, B, C), abort),
    "out of time": ({"play": Boards(boards=300), "round_ms": 500}, there(A, B), nothing),
    "a test": (
        {"play": Boards(boards=200), "sprt": parse_sprt("elo0=0,elo1=200")},
        [Attendant(A), Attendant(B, resigns=True)],
        nothing,
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_what_the_runner_writes_down_is_clean(name: str) -> None:
    changes, attendants, act = CASES[name]
    store = MemoryStore()
    async with venue(store, seed=3) as rooms:
        desk = await announced(rooms, quick_terms(**changes), [each.player for each in attendants])
        acting = asyncio.create_task(act(desk))
        await played(rooms, desk, attendants)
        await acting
        report = checked(store, desk.tournament_id)
    assert not report.faults
    assert report.matches_read == report.sittings
    assert {each.status for each in report.checks} <= {"passed", "not_applicable"}


async def test_one_that_never_comes_is_clean_as_well() -> None:
    store = MemoryStore()
    async with venue(store) as rooms:
        desk = await announced(rooms, quick_terms(arrival_ms=300), [A, B, C])
        await played(rooms, desk, there(A, B))
        assert not checked(store, desk.tournament_id).faults


async def test_a_tournament_that_was_killed_and_went_on_is_clean() -> None:
    store = MemoryStore()
    for kill_at in (1, 3, 5):
        async with venue(store, seed=1) as rooms:
            await _play_until(rooms, kill_at)
    async with venue(store, seed=1) as rooms:
        desk = await announced(rooms, quick_terms(), [A, B, C])
        await played(rooms, desk, there(A, B, C))
        await over(desk)
    assert not checked(store, desk.tournament_id).faults


async def _play_until(rooms: Venue, sittings: int) -> None:
    desk = await announced(rooms, quick_terms(), [A, B, C])
    playing = [asyncio.create_task(each.attend(rooms, desk)) for each in there(A, B, C)]
    await once(lambda: len(desk.tournament.sittings) >= sittings)
    for each in playing:
        each.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
