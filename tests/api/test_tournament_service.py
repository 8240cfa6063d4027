"""Tournaments over a port: announced, entered, directed, attended and watched."""

import asyncio
import os
from collections.abc import AsyncIterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from support_cup import Cup, announced, asking
from support_house import House, check, housed, refused
from support_server import in_process, until
from support_wire import METHODS, Refused, Tap

from ginrummy.audit.audit import audit
from ginrummy.bots import SimpleBot
from ginrummy.client import MemoryKeys, connect
from ginrummy.log.lines import GENESIS, read_line
from ginrummy.rules.events import Discarded, SigningPolicy
from ginrummy.tournaments.checking import check as judge
from ginrummy.tournaments.event import TournamentFold, read_tournament_line
from ginrummy.tournaments.event.events import EntrantLeft
from ginrummy.tournaments.event.summary import standings_of
from ginrummy.v1 import tournament_pb2 as pb
from ginrummy.v1 import tournament_service_pb2 as calls
from ginrummy.v1.tournament_pb2 import TournamentTerms

UNKNOWN = "t_" + "0" * 26
NOBODY = "p_" + "0" * 26

DIRECTORS = (
    "SeedEntrants",
    "StartTournament",
    "PairRound",
    "RuleResult",
    "PauseTournament",
    "ResumeTournament",
    "AbortTournament",
    "EndTournament",
)
"""The acts that are for a director."""


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


async def watched(tap: Tap, cup: Cup, after_seq: int = 0) -> list[calls.WatchTournamentResponse]:
    """Watch a tournament to its end, and return all that was told."""
    request = cup.asking("WatchTournament", after_seq=after_seq)
    return [update async for update in tap.listen("WatchTournament", request)]


# --- the whole way ------------------------------------------------------------------------------


async def test_a_tournament_that_is_played_elsewhere(house: House) -> None:
    """Announced, entered, seeded, started, paired, ruled and ended; each step is in the answers."""
    cup = await announced(house, preset="classic")
    assert (await cup.now()).terms.name == "Cup"
    await cup.enter("ann", "bob", "eve")
    ann, bob, eve = [await cup.player(who) for who in ("ann", "bob", "eve")]
    seeded = await cup.act("dee", "SeedEntrants", order=[eve, ann, bob])
    assert [each.name for each in seeded.tournament.entrants] == ["Eve", "Ann", "Bob"]
    await cup.start()
    await cup.pair(("eve", "bob"))
    paired = (await cup.now()).rounds[0]
    assert [(one.first, one.second, one.outcome) for one in paired.pairings] == [(eve, bob, 0)]
    assert list(paired.byes) == [ann]
    ruled = await cup.act(
        "dee",
        "RuleResult",
        round=1,
        table=1,
        outcome=pb.OUTCOME_SECOND,
        points=[40, 110],
        why="so said both",
        rule="X1",
    )
    (table,) = ruled.tournament.rounds[0].pairings
    assert (table.outcome, table.reason) == (pb.OUTCOME_SECOND, pb.RESULT_REASON_RULING)
    assert list(table.points) == [40, 110]
    ended = await cup.act("dee", "EndTournament")
    assert ended.tournament.stage == pb.TOURNAMENT_STAGE_ENDED
    assert ended.tournament.end_reason == "complete"
    last = (await cup.act("ann", "GetStandings")).standings
    assert {row.name: (row.score, row.byes) for row in last} == {
        "Ann": (2, 1),
        "Bob": (2, 0),
        "Eve": (0, 0),
    }
    assert (last[2].points, last[2].points_against) == (40, 110)


async def test_standings_as_of_each_event_are_those_of_the_lines_up_to_it(house: House) -> None:
    cup = await announced(house)
    await cup.enter("ann", "bob", "eve")
    await cup.start()
    for outcome in (pb.OUTCOME_FIRST, pb.OUTCOME_DRAW):
        await cup.pair(("ann", "bob"))
        round_number = len((await cup.now()).rounds)
        await cup.act(
            "dee", "RuleResult", round=round_number, table=1, outcome=outcome, why="as played"
        )
    fold, seen = TournamentFold(), set()
    for raw in cup.lines():
        line = read_tournament_line(raw)
        tournament = fold.add(line)
        then = await cup.act("eve", "GetStandings", as_of_seq=line.seq)
        assert (then.seq, then.hash) == (line.seq, line.hash)
        rows = [(row.place, row.player_id, row.score) for row in then.standings]
        expected = standings_of(tournament).rows
        assert rows == [(row.place, row.entrant, row.score) for row in expected]
        seen.add(tuple(rows))
    assert len(seen) > 5
    now = await cup.act("eve", "GetStandings")
    assert (now.seq, now.hash) == (fold.seq, fold.hash)


async def test_the_list_has_the_newest_first_and_a_stage_narrows_it(house: House) -> None:
    cups = [await announced(house, name=name) for name in ("One", "Two")]
    await cups[0].act("dee", "AbortTournament", why="nobody came")
    for pause in until():
        if (await cups[0].now()).stage == pb.TOURNAMENT_STAGE_ENDED:
            break
        await asyncio.sleep(pause)
    ann = house.taps["ann"]
    listed = await ann.ask("ListTournaments", asking("ListTournaments"))
    assert [one.name for one in listed.tournaments] == ["Two", "One"]
    request = asking("ListTournaments", stage=pb.TOURNAMENT_STAGE_ENDED)
    listed = await ann.ask("ListTournaments", request)
    assert [one.name for one in listed.tournaments] == ["One"]
    refusal = await refused(ann, "ListTournaments", asking("ListTournaments", stage=9))
    check(refusal, "INVALID_ARGUMENT", "INVALID_FIELD")


async def test_a_request_id_is_one_act(house: House) -> None:
    """The same again changes nothing more; another act under it is refused."""
    dee = house.taps["dee"]
    terms = TournamentTerms(name="Cup", manual={}, elsewhere={})  # type: ignore[arg-type]  # as of a dict
    request = asking("CreateTournament", terms=terms, request_id="cup")
    made = [await dee.ask("CreateTournament", request) for _ in range(2)]
    assert made[0].tournament.id == made[1].tournament.id
    assert made[1].tournament.seq == 1
    terms.name = "Other"
    refusal = await refused(
        dee, "CreateTournament", asking("CreateTournament", terms=terms, request_id="cup")
    )
    check(refusal, "ALREADY_EXISTS", "REQUEST_ID_REUSED")
    cup = Cup(house, made[0].tournament.id)
    for _ in range(2):
        entered = await cup.act("ann", "EnterTournament", request_id="in")
        assert entered.tournament.seq == 2
    refusal = await refused(
        house.taps["ann"], "WithdrawEntrant", cup.asking("WithdrawEntrant", request_id="in")
    )
    check(refusal, "ALREADY_EXISTS", "REQUEST_ID_REUSED", tournament=cup.id)


async def test_a_tournament_is_there_after_a_restart(tmp_path: Path) -> None:
    db = tmp_path / "gin.db"
    async with in_process(db) as server:
        token = server.let_in("p_" + "d" * 26, "Dee", "director")
        async with connect(server.address, token=token) as dee:
            terms = TournamentTerms(name="Cup", round_robin={}, matches={})  # type: ignore[arg-type]  # as of a dict
            made = await dee.tournaments.create(terms)
            await dee.tournaments.enter(made.id)
    async with in_process(db) as server, connect(server.address, token=token) as dee:
        found = await dee.tournaments.get(made.id)
        assert [each.name for each in found.entrants] == ["Dee"]
        assert (found.seq, found.commitment) == (2, made.commitment)


# --- who may do what ----------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["ann", "abe"])
@pytest.mark.parametrize("method", ["CreateTournament", *DIRECTORS])
async def test_a_director_s_act_is_for_a_director(house: House, method: str, who: str) -> None:
    """Neither an entrant nor an auditor; and it is said before anything else is looked at."""
    cup = await announced(house)
    await cup.enter("ann", "bob")
    before = house.stored()
    request = asking(method) if method == "CreateTournament" else cup.asking(method)
    refusal = await refused(house.taps[who], method, request)
    check(refusal, "PERMISSION_DENIED", "NOT_PERMITTED")
    assert house.stored() == before


async def test_every_director_may_direct_and_the_log_says_who_did(house: House) -> None:
    cup = await announced(house)
    other = "p_" + "e" * 26
    await house.let_in("dot", house.server.let_in(other, "Dot", "director"))
    await cup.enter("ann", "bob")
    await cup.act("dot", "StartTournament")
    closed = read_tournament_line(cup.lines()[3])
    assert (closed.type, closed.by) == ("registration_closed", other)


async def test_who_enters_whom(house: House) -> None:
    """Oneself, or a director another who is known; the name is the player's own."""
    cup = await announced(house)
    bob = await cup.player("bob")
    refusal = await refused(
        house.taps["ann"], "EnterTournament", cup.asking("EnterTournament", player_id=bob)
    )
    check(refusal, "PERMISSION_DENIED", "NOT_PERMITTED", tournament=cup.id)
    refusal = await refused(
        house.taps["dee"], "EnterTournament", cup.asking("EnterTournament", player_id=NOBODY)
    )
    check(refusal, "NOT_FOUND", "NO_SUCH_PLAYER")
    entered = await cup.act(
        "dee", "EnterTournament", player_id=bob, kind=pb.ENTRANT_KIND_PERSON, spec="by hand"
    )
    (entrant,) = entered.tournament.entrants
    assert (entrant.player_id, entrant.name) == (bob, "Bob")
    assert entrant.kind == pb.ENTRANT_KIND_PERSON
    refusal = await refused(house.taps["bob"], "EnterTournament", cup.asking("EnterTournament"))
    check(refusal, "FAILED_PRECONDITION", "INVALID_ENTRY", tournament=cup.id)
    assert refusal.status.message == "Bob has entered before"
    assert len(cup.lines()) == 2


async def test_where_entry_is_closed_only_a_director_enters_anybody(house: House) -> None:
    cup = await announced(house, closed_entry=True)
    refusal = await refused(house.taps["ann"], "EnterTournament", cup.asking("EnterTournament"))
    check(refusal, "PERMISSION_DENIED", "NOT_PERMITTED", tournament=cup.id)
    await cup.act("dee", "EnterTournament", player_id=await cup.player("ann"))
    await cup.act("dee", "EnterTournament")
    assert [each.name for each in (await cup.now()).entrants] == ["Ann", "Dee"]


@pytest.mark.parametrize("method", ["CheckIn", "WithdrawEntrant", "ReturnEntrant"])
async def test_nobody_but_a_director_acts_for_another(house: House, method: str) -> None:
    cup = await announced(house)
    await cup.enter("ann", "bob")
    before = house.stored()
    request = cup.asking(method, player_id=await cup.player("bob"))
    refusal = await refused(house.taps["ann"], method, request)
    check(refusal, "PERMISSION_DENIED", "NOT_PERMITTED", tournament=cup.id)
    assert house.stored() == before


async def test_checking_in_leaving_and_coming_back(house: House) -> None:
    cup = await announced(house, check_in=True)
    await cup.enter("ann", "bob")
    ann, bob = [await cup.player(who) for who in ("ann", "bob")]
    await cup.act("ann", "CheckIn")
    checked = (await cup.act("dee", "CheckIn", player_id=bob)).tournament
    assert [each.checked_in for each in checked.entrants] == [True, True]
    left = (await cup.act("ann", "WithdrawEntrant", why="late for work")).tournament
    assert [each.present for each in left.entrants] == [False, True]
    back = (await cup.act("ann", "ReturnEntrant")).tournament
    assert [each.present for each in back.entrants] == [True, True]
    await cup.act("dee", "WithdrawEntrant", player_id=ann, why="an engine")
    left_events = [
        line.event
        for line in map(read_tournament_line, cup.lines())
        if isinstance(line.event, EntrantLeft)
    ]
    assert [(event.reason, event.why) for event in left_events] == [
        ("withdrew", "late for work"),
        ("removed", "an engine"),
    ]
    refusal = await refused(house.taps["ann"], "ReturnEntrant", cup.asking("ReturnEntrant"))
    check(refusal, "PERMISSION_DENIED", "NOT_PERMITTED", tournament=cup.id)
    back = (await cup.act("dee", "ReturnEntrant", player_id=ann)).tournament
    assert [each.present for each in back.entrants] == [True, True]


@pytest.mark.parametrize(
    "method",
    sorted(
        name
        for name, method in METHODS.items()
        if "tournament_id" in method.input_type.fields_by_name
    ),
)
async def test_a_tournament_that_there_is_not(house: House, method: str) -> None:
    fields: dict[str, Any] = {"tournament_id": UNKNOWN}
    more: dict[str, dict[str, Any]] = {
        "RuleResult": {"outcome": pb.OUTCOME_DRAW},
        "RevealEntrantNonce": {"nonce": bytes(16)},
        "Attend": {"session_id": "run", "tables": 1},
        "EndSession": {"session_id": "run"},
    }
    request = asking(method, **(fields | more.get(method, {})))
    refusal = await refused(house.taps["dee"], method, request)
    check(refusal, "NOT_FOUND", "NO_SUCH_TOURNAMENT", tournament=UNKNOWN)


# --- bad input of a director's ------------------------------------------------------------------


async def going(house: House) -> Cup:
    """Start a tournament of three, in which Ann and Bob have met; Eve has left since."""
    cup = await announced(house)
    await cup.enter("ann", "bob", "eve")
    await cup.start()
    await cup.pair(("ann", "bob"))
    await cup.act("dee", "RuleResult", round=1, table=1, outcome=pb.OUTCOME_DRAW, why="as played")
    await cup.act("eve", "WithdrawEntrant")
    return cup


RULING = {"round": 1, "table": 1, "outcome": pb.OUTCOME_FIRST, "why": "so it was"}

BAD_INPUT: list[tuple[str, dict[str, Any], str, str]] = [
    ("PairRound", {"pairs": [("ann", "ann")]}, "FAILED_PRECONDITION", "INVALID_PAIRING"),
    (
        "PairRound",
        {"pairs": [("ann", "dee")]},
        "NOT_FOUND",
        "NO_SUCH_ENTRANT",
    ),
    (
        "PairRound",
        {"pairs": [("ann", "bob"), ("ann", "bob")]},
        "FAILED_PRECONDITION",
        "INVALID_PAIRING",
    ),
    ("PairRound", {"pairs": [("ann", "eve")]}, "FAILED_PRECONDITION", "INVALID_PAIRING"),
    ("PairRound", {"pairs": []}, "FAILED_PRECONDITION", "INVALID_PAIRING"),
    ("PairRound", {"pairs": [("ann", "")]}, "NOT_FOUND", "NO_SUCH_ENTRANT"),
    ("EnterTournament", {"player_id": "ann"}, "FAILED_PRECONDITION", "INVALID_ENTRY"),
    ("EnterTournament", {"player_id": NOBODY}, "NOT_FOUND", "NO_SUCH_PLAYER"),
    ("EnterTournament", {"kind": 9}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("EnterTournament", {"nonce_commitment": b"a" * 31}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("EnterTournament", {"spec": "a\nb"}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"outcome": 0}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"outcome": 9}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"points": [1]}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"points": [1, 2, 3]}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"points": [-1, 2]}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"points": [1, 1 << 30]}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"why": " "}, "FAILED_PRECONDITION", "INVALID_ENTRY"),
    ("RuleResult", RULING | {"why": "a" * 501}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"rule": "\x1b[2J"}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RuleResult", RULING | {"table": 2}, "FAILED_PRECONDITION", "INVALID_PAIRING"),
    ("RuleResult", RULING | {"table": 0}, "FAILED_PRECONDITION", "INVALID_PAIRING"),
    ("RuleResult", RULING | {"round": 2}, "FAILED_PRECONDITION", "INVALID_PAIRING"),
    ("RuleResult", RULING | {"round": -1}, "FAILED_PRECONDITION", "INVALID_PAIRING"),
    ("WithdrawEntrant", {"player_id": NOBODY}, "NOT_FOUND", "NO_SUCH_ENTRANT"),
    ("WithdrawEntrant", {"player_id": "eve"}, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW"),
    ("WithdrawEntrant", {"why": "a" * 501}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("ReturnEntrant", {"player_id": "ann"}, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW"),
    ("ReturnEntrant", {"player_id": NOBODY}, "NOT_FOUND", "NO_SUCH_ENTRANT"),
    ("CheckIn", {"player_id": "ann"}, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW"),
    ("SeedEntrants", {"order": ["ann", "bob", "eve"]}, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW"),
    ("StartTournament", {}, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW"),
    ("ResumeTournament", {}, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW"),
    ("PauseTournament", {"request_id": "a" * 65}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RevealEntrantNonce", {"nonce": bytes(15)}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("RevealEntrantNonce", {"nonce": bytes(16)}, "NOT_FOUND", "NO_SUCH_ENTRANT"),
    ("Attend", {"session_id": "run", "tables": 1}, "NOT_FOUND", "NO_SUCH_ENTRANT"),
    ("Attend", {"session_id": "run", "tables": 0}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("Attend", {"session_id": "run", "tables": 101}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("Attend", {"tables": 1}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("Attend", {"session_id": "a" * 65, "tables": 1}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("EndSession", {"session_id": "run"}, "NOT_FOUND", "NO_SUCH_ENTRANT"),
    ("EndSession", {}, "INVALID_ARGUMENT", "INVALID_FIELD"),
    ("GetStandings", {"as_of_seq": 1000}, "NOT_FOUND", "NO_SUCH_EVENT"),
    ("GetStandings", {"as_of_seq": -1}, "NOT_FOUND", "NO_SUCH_EVENT"),
    ("WatchTournament", {"after_seq": 1000}, "NOT_FOUND", "NO_SUCH_EVENT"),
    ("WatchTournament", {"after_seq": -1}, "NOT_FOUND", "NO_SUCH_EVENT"),
]


async def test_e6_bad_input_is_refused_before_anything_is_stored(house: House) -> None:
    """E6 every one of these with its code and its reason, and the number stays as it was."""
    cup = await going(house)
    ids = {who: await cup.player(who) for who in ("ann", "bob", "eve", "dee")}
    before = house.stored()
    for method, told, code, reason in BAD_INPUT:
        fields = dict(told)
        if "pairs" in fields:
            fields["pairs"] = [
                {"first": ids.get(one, one), "second": ids.get(two, two)}
                for one, two in fields["pairs"]
            ]
        if "order" in fields:
            fields["order"] = [ids[each] for each in fields["order"]]
        if "player_id" in fields:
            fields["player_id"] = ids.get(fields["player_id"], fields["player_id"])
        refusal = await refused(house.taps["dee"], method, cup.asking(method, **fields))
        assert (refusal.code.name, refusal.info.reason) == (code, reason), (method, told)
        check(refusal, code, reason, tournament=cup.id)
        assert house.stored() == before, (method, told)
    assert (await cup.now()).seq == len(cup.lines())


async def test_e6_an_order_that_leaves_somebody_out_is_refused(house: House) -> None:
    """E6 or names somebody twice, or somebody who has not entered."""
    cup = await announced(house)
    await cup.enter("ann", "bob")
    ann, bob = [await cup.player(who) for who in ("ann", "bob")]
    before = house.stored()
    for order, code, reason in (
        ([ann], "FAILED_PRECONDITION", "INVALID_ENTRY"),
        ([ann, bob, ann], "FAILED_PRECONDITION", "INVALID_ENTRY"),
        ([ann, bob, NOBODY], "NOT_FOUND", "NO_SUCH_ENTRANT"),
    ):
        request = cup.asking("SeedEntrants", order=order)
        refusal = await refused(house.taps["dee"], "SeedEntrants", request)
        check(refusal, code, reason, tournament=cup.id)
    assert house.stored() == before


async def test_e6_terms_that_cannot_be_announce_nothing(house: House) -> None:
    """E6"""
    before = house.stored()
    for terms, field in (
        (TournamentTerms(), "terms.name"),
        (TournamentTerms(name="Cup"), "terms.format"),
        (TournamentTerms(name="Cup", swiss={}, elsewhere={}), "terms.swiss.rounds"),  # type: ignore[arg-type]  # as of a dict
        (TournamentTerms(name="Cup", manual={}, boards={}), "terms.boards.boards"),  # type: ignore[arg-type]  # likewise
    ):
        request = asking("CreateTournament", terms=terms)
        refusal = await refused(house.taps["dee"], "CreateTournament", request)
        check(refusal, "INVALID_ARGUMENT", "INVALID_FIELD")
        assert refusal.status.message
        assert field in str(refusal.status.details)
    assert house.stored() == before


async def test_one_alone_starts_nothing(house: House) -> None:
    cup = await announced(house)
    await cup.enter("ann")
    before = house.stored()
    refusal = await refused(house.taps["dee"], "StartTournament", cup.asking("StartTournament"))
    check(refusal, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", tournament=cup.id)
    assert house.stored() == before


# --- nonces -------------------------------------------------------------------------------------


async def test_an_entrant_s_own_nonce_comes_out_when_it_is_due(house: House) -> None:
    """Not before, not another one, and by nobody else; then the tournament starts."""
    cup = await announced(house)
    nonce = os.urandom(16)
    await cup.act("ann", "EnterTournament", nonce_commitment=sha256(nonce).digest())
    await cup.enter("bob")
    ann = house.taps["ann"]
    request = cup.asking("RevealEntrantNonce", nonce=nonce)
    refusal = await refused(ann, "RevealEntrantNonce", request)
    check(refusal, "FAILED_PRECONDITION", "NOT_ALLOWED_NOW", tournament=cup.id)
    await cup.act("dee", "StartTournament")
    wrong = cup.asking("RevealEntrantNonce", nonce=bytes(16))
    refusal = await refused(ann, "RevealEntrantNonce", wrong)
    check(refusal, "FAILED_PRECONDITION", "INVALID_ENTRY", tournament=cup.id)
    assert (await cup.now()).mix == ""
    attended = cup.asking("Attend", session_id="run", tables=1)
    said = ann.listen("Attend", attended)
    assert (await anext(said)).WhichOneof("news") == "attending"
    assert (await anext(said)).WhichOneof("news") == "nonce_due"
    await said.aclose()  # type: ignore[attr-defined]  # it is a generator
    await ann.ask("RevealEntrantNonce", request)
    for pause in until():
        if (await cup.now()).stage == pb.TOURNAMENT_STAGE_PLAYING:
            break
        await asyncio.sleep(pause)
    assert len(bytes.fromhex((await cup.now()).mix)) == 32


# --- attending ----------------------------------------------------------------------------------


async def test_two_programs_play_their_boards_and_everybody_is_told(house: House) -> None:
    """Calls, matches, results, standings on boards, and the feed of all of it to its end."""
    cup = await announced(house, round_robin={"double": True}, boards={"boards": 2})
    for client in house.players:
        await client.tournaments.enter(cup.id)
    feed = asyncio.create_task(watched(house.taps["eve"], cup))
    playing = [
        asyncio.create_task(client.tournaments.attend(cup.id, lambda _: SimpleBot(), tables=2))
        for client in house.players
    ]
    for pause in until():
        if all(each.attending for each in (await cup.now()).entrants):
            break
        await asyncio.sleep(pause)
    await cup.act("dee", "StartTournament")
    ann, bob = await asyncio.gather(*playing)
    assert ann.reason == bob.reason == "complete"
    assert len(ann.played) == 8
    assert {each.call.board for each in ann.played} == {1, 2, 3, 4}
    assert {(each.call.round, each.call.seat) for each in ann.played} == {
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
    }
    over = await cup.now()
    assert (over.sittings_over, over.sittings) == (4, 4)
    assert [one.reason for each in over.rounds for one in each.pairings] == [
        pb.RESULT_REASON_PLAYED,
        pb.RESULT_REASON_PLAYED,
    ]
    first, second = (await cup.act("eve", "GetStandings")).standings
    assert first.points_a_board.value == -second.points_a_board.value >= 0
    assert first.points_a_board.low <= first.points_a_board.value
    assert first.HasField("rating")
    updates = await feed
    assert events(updates) == cup.lines()


@pytest.mark.parametrize("policy", ["optional", "required"])
@pytest.mark.parametrize("play", [{"boards": {"boards": 1}}, {"matches": {}}], ids=str)
async def test_entrants_sign_what_they_play(
    house: House, play: dict[str, Any], policy: SigningPolicy
) -> None:
    """On boards by the key that they entered with; with matches they join each with it."""
    terms = {"rules": {"hands": 1}} if "matches" in play else {}
    cup = await announced(
        house, round_robin={}, **play, **terms, signing=f"SIGNING_POLICY_{policy.upper()}"
    )
    ann, bob = house.players
    ann.keys = MemoryKeys()
    for client in house.players:
        await client.tournaments.enter(cup.id)
    signing = {(await ann.me()).id} | ({(await bob.me()).id} if policy == "required" else set())
    entered = {each.player_id for each in (await cup.now()).entrants if each.key}
    assert entered == (signing if "boards" in play else set())
    playing = [
        asyncio.create_task(client.tournaments.attend(cup.id, lambda _: SimpleBot()))
        for client in house.players
    ]
    await cup.act("dee", "StartTournament")
    attended = await asyncio.gather(*playing)
    for match_id in {each.call.match_id for one in attended for each in one.played}:
        lines = [*house.server.store.read(match_id)]
        moves = [line for line in map(read_line, lines) if isinstance(line.event, Discarded)]
        assert {line.by for line in moves if line.sig is not None} == {
            line.by for line in moves
        } & signing
        assert audit(lines).faults == ()
    assert judge(cup.lines(), house.server.store.read).faults == ()


def events(updates: list[calls.WatchTournamentResponse]) -> list[bytes]:
    """Return the lines among what was told; their numbers have no gap."""
    told = [update.event for update in updates if update.HasField("event")]
    assert [event.seq for event in told] == list(range(told[0].seq, told[-1].seq + 1))
    return [event.line for event in told]


async def test_a_session_that_is_over_for_good_loses_at_once(house: House) -> None:
    """Not after the long time that it would have had to come back."""
    hour = 3_600_000
    cup = await announced(house, round_robin={}, matches={}, reconnect_ms=hour, arrival_ms=hour)
    await cup.enter("ann", "bob")
    said = {
        who: house.taps[who].listen("Attend", cup.asking("Attend", session_id="run", tables=1))
        for who in ("ann", "bob")
    }
    for each in said.values():
        assert (await anext(each)).HasField("attending")
    await cup.act("dee", "StartTournament")
    called = {who: (await anext(each)).call for who, each in said.items()}
    assert called["ann"].match_id == called["bob"].match_id
    assert (called["ann"].opponent, called["bob"].opponent) == ("Bob", "Ann")
    match_id = called["ann"].match_id
    for client in house.players:
        await client.join(match_id)
    for client in house.players:
        await client.reveal_nonce(match_id)
    await cup.act("ann", "EndSession", session_id="run")
    over = await anext(said["bob"])
    assert over.over.reason == "complete"
    assert await anext(said["bob"], None) is None
    (table,) = (await cup.now()).rounds[0].pairings
    winner = table.first if table.outcome == pb.OUTCOME_FIRST else table.second
    assert winner == await cup.player("bob")
    assert table.reason == pb.RESULT_REASON_CRASH
    assert list(table.match_ids) == [match_id]


# --- watching -----------------------------------------------------------------------------------


async def test_a_feed_has_the_lines_then_a_mark_then_what_comes(house: House) -> None:
    """To the end, and to the byte; each line follows from the one before."""
    cup = await announced(house)
    await cup.enter("ann", "bob")
    feed = house.taps["eve"].listen("WatchTournament", cup.asking("WatchTournament"))
    before = [await anext(feed) for _ in range(4)]
    assert events(before) == cup.lines()
    assert before[-1].caught_up.seq == 3
    await cup.act("dee", "AbortTournament", why="rain")
    rest = [update async for update in feed]
    whole = events(before + rest)
    assert whole == cup.lines()
    lines = [read_tournament_line(raw) for raw in whole]
    assert [line.prev for line in lines] == [GENESIS, *(line.hash for line in lines[:-1])]
    assert lines[-1].type == "lots_drawn"
    again = await watched(house.taps["ann"], cup, after_seq=3)
    assert events(again) == whole[3:]
    assert again[-1].caught_up.seq == len(whole)
    last = await watched(house.taps["ann"], cup, after_seq=len(whole))
    assert [update.WhichOneof("update") for update in last] == ["caught_up"]


async def test_progress_is_told_while_something_is_under_way_and_once_a_second(
    house: House,
) -> None:
    cup = await announced(house, round_robin={}, boards={"boards": 1}, clock={"decision_ms": 9000})
    await cup.enter("ann", "bob")
    feed = house.taps["eve"].listen("WatchTournament", cup.asking("WatchTournament"))
    said = [
        house.taps[who].listen("Attend", cup.asking("Attend", session_id="run", tables=2))
        for who in ("ann", "bob")
    ]
    for each in said:
        await anext(each)
    await cup.act("dee", "StartTournament")
    told: list[tuple[float, calls.TournamentProgress]] = []
    loop = asyncio.get_running_loop()
    async for update in feed:
        if update.HasField("progress"):
            told.append((loop.time(), update.progress))
        if len(told) == 3:
            break
    for (before, _), (after, progress) in pairwise(told):
        # What was held up on its way may come closer to the next.
        assert after - before > 0.5
        assert (progress.round, progress.sittings, progress.under_way) == (1, 2, 2)
        assert not progress.HasField("left_ms")
        assert progress.at_most_ms > 0


async def test_a_server_that_stops_says_so_to_those_who_watch_and_attend() -> None:
    async with housed() as house:
        cup = await announced(house)
        await cup.enter("ann")
        streams = {
            "WatchTournament": (house.taps["eve"], {}),
            "Attend": (house.taps["ann"], {"session_id": "run", "tables": 1}),
        }
        waiting = [
            asyncio.create_task(refused(tap, method, cup.asking(method, **fields)))
            for method, (tap, fields) in streams.items()
        ]
        for pause in until():
            if (await cup.now()).entrants[0].attending:
                break
            await asyncio.sleep(pause)
        await house.server.hall.close()
        for refusal in await asyncio.gather(*waiting):
            check(refusal, "UNAVAILABLE", "SERVER_STOPPING", tournament=cup.id)


# --- the log ------------------------------------------------------------------------------------


async def test_a_tournament_s_log_is_read_like_a_match_s(house: House) -> None:
    cup = await announced(house)
    await cup.enter("ann", "bob")
    eve = house.clients["eve"]
    assert [line async for line in eve.log(cup.id)] == cup.lines()
    assert [line async for line in eve.log(cup.id, 2)] == cup.lines()[2:]
    tap = house.taps["eve"]
    refusal = await refused(tap, "ReadLog", asking("ReadLog", match_id=UNKNOWN))
    check(refusal, "NOT_FOUND", "NO_SUCH_TOURNAMENT")


@pytest.mark.parametrize("method", ["GetMatch", "GetView", "JoinMatch", "Watch", "GetPosition"])
async def test_a_tournament_is_no_match(house: House, method: str) -> None:
    cup = await announced(house)
    before = house.stored()
    refusal = await refused(house.taps["ann"], method, asking(method, match_id=cup.id))
    check(refusal, "NOT_FOUND", "NO_SUCH_MATCH", match=cup.id)
    refusal = await refused(
        house.taps["ann"], "GetTournament", asking("GetTournament", tournament_id="m_" + "0" * 26)
    )
    check(refusal, "NOT_FOUND", "NO_SUCH_TOURNAMENT")
    assert house.stored() == before


async def test_the_audit_of_matches_says_what_it_is_of(house: House) -> None:
    cup = await announced(house)
    with pytest.raises(Refused) as refusal:
        await house.taps["eve"].ask("AuditMatch", asking("AuditMatch", match_id=cup.id))
    check(refusal.value, "INVALID_ARGUMENT", "INVALID_FIELD")
