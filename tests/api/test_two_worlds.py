"""Two worlds that differ only in what somebody may not know: the same bytes for all they ask.

The services are asked in this process, thousands of times; a sample goes over real ports.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any, TypeAlias
from unittest.mock import patch

import grpc
import pytest
from google.protobuf.message import Message
from support_bundles import receipt_of
from support_disputes import DAY
from support_house import move_request
from support_logs import played
from support_play import soak
from support_two_worlds import Eyes, Position, Room, opened, positions, rigged, worlds
from support_wire import Refused, Tap

from ginrummy.api import server as servers
from ginrummy.api.auth import Caller, new_token, set_caller
from ginrummy.api.dispute_service import DisputeServicer
from ginrummy.api.errors import ApiError, status_of
from ginrummy.api.interceptors import interceptors
from ginrummy.api.log_service import LogServicer
from ginrummy.api.match_service import MatchServicer
from ginrummy.api.sight import Sight
from ginrummy.client.moves import move_message
from ginrummy.log.branching import Branch, BranchError
from ginrummy.log.signing import SigningKey
from ginrummy.notary.notary import Notary
from ginrummy.rules.cards import DECK
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Play, Take
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import LayOffCard
from ginrummy.rules.match import Ended, decide
from ginrummy.store import Credential, GroupCommit, Store, hash_token
from ginrummy.tables.disputes import Disputes
from ginrummy.tables.errors import TableError
from ginrummy.tables.forks import branch_of
from ginrummy.tournaments.running.hall import Hall
from ginrummy.v1 import dispute_service_pb2 as courts
from ginrummy.v1 import events_pb2
from ginrummy.v1 import log_service_pb2 as logs
from ginrummy.v1 import match_service_pb2 as matches

EYES: tuple[Eyes, ...] = (0, 1, None)
POSITIONS = soak(20_000, 756)

WISHES: Sequence[Move] = (
    Take(),
    Pass(),
    Draw(),
    *map(Discard, DECK),
    *map(Knock, DECK),
    *(Knock(card, (DECK[0:3], DECK[3:6])) for card in DECK[::3]),
    Knock(DECK[0], ()),
    BigGin(),
    BigGin((DECK[0:3], DECK[13:16])),
    LayOff(),
    LayOff((DECK[0:3],)),
    *(LayOff((), (LayOffCard(card, 0),)) for card in DECK[::3]),
    LayOff((), (LayOffCard(DECK[0], 7),)),
)
A_TRY = 6
"""Wishes that are tried at one position."""


def wishes_at(position: Position, eyes: Eyes, rng: random.Random) -> Iterator[Move]:
    """Yield moves that the seat is refused, and at last one that shows nothing new if there is."""
    if eyes is None:
        return
    at = position.lines[-1].at + 1000
    last: Move | None = None
    for move in rng.sample(WISHES, A_TRY):
        try:
            decide(position.match, Play(1 if eyes else 0, move), at)
        except IllegalMoveError:
            yield move
        else:
            last = move if isinstance(move, Pass | Take | Discard) else last
    if last is not None:
        yield last


def notary_of(store: Store) -> Notary:
    """Return a notary who does not sign: what is signed is the lines, which both worlds share."""
    return Notary(store, GroupCommit(store), SigningKey("log", bytes(32)))


class Viewer:
    """Somebody who asks the services of one world."""

    def __init__(self, position: Position, eyes: Eyes, room: Room) -> None:
        self._position = position
        self._eyes = eyes
        self._id = position.match_id
        self._matches = MatchServicer(*room)
        self._logs = LogServicer(*room, notary_of(room[1]))

    async def told(self, seed: int) -> list[bytes]:
        """Return all that the viewer is told; what is asked follows from the seed."""
        set_caller(self._position.caller(self._eyes))
        rng = random.Random(seed)
        seq = len(self._position.lines)
        on, log, context = self._matches, self._logs, _NO_CONTEXT
        view = matches.GetViewRequest(match_id=self._id)
        told = [await _answer(on.GetView(view, context))]
        listed = matches.ListMatchesRequest()
        told.append(await _answer(on.ListMatches(listed, context)))
        for eyes in rng.sample(logs.Perspective.values(), 2):
            back = logs.GetPositionRequest(
                match_id=self._id, seq=rng.randrange(seq) + 1, perspective=eyes
            )
            told.append(await _answer(log.GetPosition(back, context)))
        watch = matches.WatchRequest(match_id=self._id, after_seq=rng.randrange(seq))
        told += [raw async for raw in _until_caught_up(on.Watch(watch, context))]
        if self._eyes is not None:
            start = matches.PlayStart(match_id=self._id, after_seq=rng.randrange(seq))
            told.append(await _first(on.Play(_asked(matches.PlayRequest(start=start)), context)))
        for number, move in enumerate(wishes_at(self._position, self._eyes, rng)):
            wish = matches.MakeMoveRequest(
                match_id=self._id,
                request_id=str(number),
                expected_seq=seq,
                move=move_message(move),
            )
            told.append(await _answer(on.MakeMove(wish, context)))
        return told


_REFUSALS = (ApiError, TableError, BranchError, IllegalMoveError)

_NO_CONTEXT: Any = None
"""The services ask their context for nothing that is tested here."""


async def _answer(call: Awaitable[Message | bytes]) -> bytes:
    """Return the bytes of an answer, or of the status that it ends with."""
    try:
        answer = await call
        if isinstance(answer, bytes):
            return answer
        return answer.SerializeToString(deterministic=True)
    except _REFUSALS as refusal:
        return bytes(status_of(refusal).SerializeToString(deterministic=True))


async def _until_caught_up(updates: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for raw in updates:
        yield raw
        if matches.WatchResponse.FromString(raw).HasField("caught_up"):
            break
    await updates.aclose()  # type: ignore[attr-defined]  # it is a generator


async def _first(responses: AsyncIterator[bytes]) -> bytes:
    raw = await anext(responses)
    await responses.aclose()  # type: ignore[attr-defined]  # it is a generator
    return raw


async def _asked(request: matches.PlayRequest) -> AsyncIterator[matches.PlayRequest]:
    yield request


def both(
    number: int, seed: int, eyes: Eyes, **how: int
) -> Iterator[tuple[Position, tuple[bytes, bytes]]]:
    """Yield positions, each with the secrets of two worlds that differ."""
    rng = random.Random(seed)
    with rigged():
        for position in positions(number, seed, **how):
            one, other, differ = worlds(position, eyes, rng)
            if differ:
                yield position, (one, other)


@pytest.mark.parametrize("eyes", EYES)
async def test_c1_two_worlds_are_one_to_whoever_may_not_tell_them_apart(eyes: Eyes) -> None:
    """C1, C2 views, streams, lists, positions and refusals are the same to the byte."""
    seen: Counter[str] = Counter()
    for index, (position, ends) in enumerate(both(POSITIONS // 3, eyes or 2, eyes)):
        told = []
        for chain_end in ends:
            async with opened(position, chain_end) as room:
                told.append(await Viewer(position, eyes, room).told(index))
        assert told[0] == told[1]
        seen["positions"] += 1
        seen["refusals"] += sum(b"ErrorInfo" in raw for raw in told[0])
        seen[type(position.hands[-1]).__name__] += 1
        seen["ended"] += isinstance(position.match, Ended)
        seen["boards"] += position.match.terms.board is not None
    assert seen["positions"] > 0.99 * POSITIONS / 3
    assert seen["refusals"] > 0.5 * seen["positions"]
    for kind in ("Offering", "Drawing", "Discarding", "LayingOff", "Finished", "ended", "boards"):
        assert seen[kind] > 5, seen


@pytest.mark.parametrize("eyes", EYES)
async def test_c1_eyes_that_see_all_cards_tell_the_worlds_apart(eyes: Eyes) -> None:
    """The comparison sees what it should: one leak, and the worlds are two."""
    told_apart = 0
    for index, (position, ends) in enumerate(both(36, 7, eyes)):
        told = []
        for chain_end in ends:
            async with opened(position, chain_end) as room:
                with patch(
                    "ginrummy.api.match_service.Sight", lambda table, _: Sight(table, "full")
                ):
                    told.append(await Viewer(position, eyes, room).told(index))
        told_apart += told[0] != told[1]
    assert told_apart > 25


# --- disputes, and what goes with them ------------------------------------------------------------

Role: TypeAlias = int | str | None
"""A seat's number, `director`, `auditor`, or None for a spectator."""

ROLES: tuple[Role, ...] = (0, 1, None, "director", "auditor")


class Court:
    """Somebody who hears, and does, whatever there is to a dispute in one world."""

    def __init__(self, position: Position, role: Role, room: Room, receipt: bytes) -> None:
        self._position = position
        self._role = role
        self._id = position.match_id
        notary: Any = SimpleNamespace(
            inclusion=self._inclusion, key=SigningKey("log", bytes(32)).verifier
        )
        self._receipt = receipt
        self._matches = MatchServicer(*room)
        self._logs = LogServicer(*room, notary)
        self._disputes = DisputeServicer(Disputes(*room), room[1])

    async def _inclusion(self, *_: object) -> object:
        return SimpleNamespace(receipt=self._receipt)

    def _who(self, role: Role) -> Caller:
        if isinstance(role, str):
            return Caller("p_" + role[0] * 26, role, role)  # type: ignore[arg-type]  # of the two
        return self._position.caller(role)

    async def _ask(self, role: Role, call: Awaitable[Message]) -> list[bytes]:
        """Return what the viewer is answered; what others are told is none of theirs."""
        set_caller(self._who(role))
        answer = await _answer(call)
        return [answer] if role == self._role else []

    async def heard(self, seed: int) -> list[bytes]:
        """Return all that the viewer hears of a dispute, from the claim to the ruling on appeal."""
        rng, context = random.Random(seed), _NO_CONTEXT
        hand, event = rng.choice((None, 1)), rng.randrange(len(self._position.lines)) + 1
        claim = courts.OpenDisputeRequest(
            match_id=self._id,
            reason=rng.choice(events_pb2.DisputeReason.values()[1:]),
            text="That is wrong.",
            request_id="open",
        )
        if hand is not None:
            claim.hand = hand
        heard = await self._ask(0, self._disputes.OpenDispute(claim, context))
        heard += await self._all(event)
        for instance in (1, 2):
            ruling = rng.choice(events_pb2.Ruling.values()[1:])
            wish = courts.RuleOnDisputeRequest(
                match_id=self._id,
                dispute=1,
                ruling=ruling,
                rule="S1",
                why="The log says so.",
                request_id=str(instance),
            )
            if ruling == events_pb2.RULING_ADJUST:
                wish.points.extend((rng.randrange(9) + 1, 0))
            if ruling == events_pb2.RULING_FORFEIT:
                wish.seat = rng.randrange(2)
            judge: Role = "director" if instance == 1 else "delegate"
            heard += await self._ask(judge, self._disputes.RuleOnDispute(wish, context))
            appeal = courts.AppealDisputeRequest(
                match_id=self._id, dispute=1, text="Look again.", request_id="appeal"
            )
            heard += await self._ask(1, self._disputes.AppealDispute(appeal, context))
        return heard + await self._all(event)

    async def _all(self, event: int) -> list[bytes]:
        """Return whatever the viewer can ask for."""
        role, context, match_id = self._role, _NO_CONTEXT, self._id
        calls: list[Awaitable[Message]] = [
            self._disputes.GetDispute(
                courts.GetDisputeRequest(match_id=match_id, dispute=1), context
            ),
            self._disputes.ListDisputes(courts.ListDisputesRequest(match_id=match_id), context),
            self._disputes.ListDisputes(courts.ListDisputesRequest(), context),
            self._matches.GetMatch(matches.GetMatchRequest(match_id=match_id), context),
            self._matches.GetView(matches.GetViewRequest(match_id=match_id), context),
            self._logs.AuditMatch(logs.AuditMatchRequest(match_id=match_id), context),
        ]
        heard = [raw for call in calls for raw in await self._ask(role, call)]
        set_caller(self._who(role))
        request = logs.GetEvidenceRequest(match_id=match_id, dispute=1)
        if not isinstance(self._position.match, Ended):
            request = logs.GetEvidenceRequest(match_id=match_id, event=event)
        heard += await _streamed(self._logs.GetEvidence(request, context))
        watch = matches.WatchRequest(match_id=match_id)
        return heard + [raw async for raw in _until_caught_up(self._matches.Watch(watch, context))]


async def _streamed(answers: AsyncIterator[Message]) -> list[bytes]:
    """Return the bytes of all answers, or of the status that they end with."""
    try:
        return [each.SerializeToString(deterministic=True) async for each in answers]
    except _REFUSALS as refusal:
        return [bytes(status_of(refusal).SerializeToString(deterministic=True))]


@pytest.fixture(scope="module")
def receipt(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a receipt, whichever: what it is for, the lines, both worlds share."""
    table = played(1, hands=1)
    return receipt_of(tmp_path_factory.mktemp("receipt") / "gin.db", table.lines)[0]


@pytest.mark.parametrize("role", ROLES)
async def test_c1_a_dispute_tells_nobody_which_of_two_worlds_it_is(
    role: Role, receipt: bytes
) -> None:
    """C1 claims, rulings, lists, audits and bundles: whoever judges sees no hidden card either."""
    seen: Counter[str] = Counter()
    eyes = role if isinstance(role, int) else None
    number = soak(600, 36)
    for index, (position, ends) in enumerate(both(number, 21, eyes, dispute_ms=DAY)):
        told = []
        for chain_end in ends:
            async with opened(position, chain_end) as room:
                told.append(await Court(position, role, room, receipt).heard(index))
        assert told[0] == told[1]
        seen["positions"] += 1
        seen["ended"] += isinstance(position.match, Ended)
        seen["bundles"] += sum(b"manifest.json" in raw for raw in told[0])
        seen["disputed"] += any(b"That is wrong." in raw for raw in told[0])
    assert seen["positions"] > 0.8 * number
    assert seen["ended"] > 0, seen
    assert seen["disputed"] > 0, seen
    assert (seen["bundles"] > 0) == (role is not None), seen


async def test_c1_eyes_that_see_all_cards_tell_the_worlds_of_a_dispute_apart(
    receipt: bytes,
) -> None:
    told_apart = 0
    for index, (position, ends) in enumerate(both(12, 7, None, dispute_ms=DAY)):
        told = []
        for chain_end in ends:
            async with opened(position, chain_end) as room:
                with patch(
                    "ginrummy.api.match_service.Sight", lambda table, _: Sight(table, "full")
                ):
                    told.append(await Court(position, "director", room, receipt).heard(index))
        told_apart += told[0] != told[1]
    assert told_apart > 8


# --- forks ----------------------------------------------------------------------------------------

FORKS: tuple[tuple[events_pb2.UnseenCards.ValueType, int | None], ...] = (
    (events_pb2.UNSEEN_CARDS_SAME, None),
    (events_pb2.UNSEEN_CARDS_RESHUFFLED, None),
    (events_pb2.UNSEEN_CARDS_RESHUFFLED, 0),
    (events_pb2.UNSEEN_CARDS_RESHUFFLED, 1),
)


async def forked_from(position: Position, caller: Caller, room: Room, seed: int) -> list[bytes]:
    """Return all that comes of the forks that somebody makes of a match: views, logs, refusals."""
    rng, context = random.Random(seed), _NO_CONTEXT
    on, log = MatchServicer(*room), LogServicer(*room, notary_of(room[1]))
    told: list[bytes] = []
    for number, (unseen, seat) in enumerate(FORKS):
        wish = matches.ForkMatchRequest(
            match_id=position.match_id,
            seq=rng.randrange(len(position.lines)) + 1,
            unseen=unseen,
            request_id=str(number),
        )
        if seat is not None:
            wish.seat = seat
        set_caller(caller)
        try:
            made = await on.ForkMatch(wish, context)
        except _REFUSALS as refusal:
            told.append(bytes(status_of(refusal).SerializeToString(deterministic=True)))
            continue
        told.append(made.SerializeToString(deterministic=True))
        for name in ("Ann", "Bob"):
            # Without a nonce of their own the server draws one, and the first hand is dealt.
            set_caller(Caller(f"p_{name}", name, "player"))
            join = matches.JoinMatchRequest(match_id=made.match.id, request_id=name)
            told.append(await _answer(on.JoinMatch(join, context)))
        for name in ("Ann", "Bob", "Eve"):
            set_caller(Caller(f"p_{name}", name, "player"))
            view = matches.GetViewRequest(match_id=made.match.id)
            told.append(await _answer(on.GetView(view, context)))
        told += await _streamed(log.ReadLog(logs.ReadLogRequest(match_id=made.match.id), context))
    return told


def fork_maker(position: Position, role: Role) -> Caller:
    if role == "director":
        return Caller("p_" + "d" * 26, "Dee", "director")
    assert not isinstance(role, str)
    return position.caller(role)


@pytest.mark.parametrize("role", [0, 1, None, "director"])
async def test_c1_a_fork_tells_nobody_which_of_two_worlds_it_branches_off_from(role: Role) -> None:
    """C1 a fork is made of what everybody has seen while cards are hidden, whoever makes it.

    Of a match that is over a director could let the secrets out, so a fork may keep the cards.
    """
    seen: Counter[str] = Counter()
    eyes = role if isinstance(role, int) else None
    number = soak(1200, 36)
    for index, (position, ends) in enumerate(both(number, 31, eyes)):
        is_board = position.match.terms.board is not None
        if role == "director" and isinstance(position.match, Ended) and not is_board:
            continue
        told = []
        for chain_end in ends:
            async with opened(position, chain_end) as room:
                maker = fork_maker(position, role)
                told.append(await forked_from(position, maker, room, index))
        assert told[0] == told[1]
        seen["positions"] += 1
        seen["forks"] += sum(b"match_created" in raw for raw in told[0])
        seen["refused"] += sum(b"ErrorInfo" in raw for raw in told[0])
        seen["ended"] += isinstance(position.match, Ended)
    for kind in ("positions", "forks", "refused", "ended"):
        assert seen[kind] > 0, seen


async def test_c1_a_fork_with_the_hidden_cards_would_tell_the_worlds_apart() -> None:
    """The comparison sees what it should: were they opened for all, the worlds would be two."""
    told_apart = 0

    def opening(store: Store, match: str, seq: int, *, may_open: bool) -> Branch:
        return branch_of(store, match, seq, may_open=True)

    for index, (position, ends) in enumerate(both(240, 41, None)):
        if not isinstance(position.match, Ended) or position.match.terms.board is not None:
            continue
        told = []
        for chain_end in ends:
            async with opened(position, chain_end) as room:
                with patch("ginrummy.api.match_service.branch_of", opening):
                    maker = fork_maker(position, None)
                    told.append(await forked_from(position, maker, room, index))
        told_apart += told[0] != told[1]
        if told_apart > 2:
            break
    assert told_apart > 2


# --- over real ports ----------------------------------------------------------------------------


@asynccontextmanager
async def tapped(position: Position, eyes: Eyes, chain_end: bytes) -> AsyncIterator[Tap]:
    """Serve a world on a port of its own, and connect its viewer."""
    async with opened(position, chain_end) as (room, store):
        caller = position.caller(eyes)
        token = new_token(random.Random(1).randbytes)
        credential = Credential(caller.player, caller.name, caller.role, hash_token(token), 0)
        store.add_player(credential)
        server = grpc.aio.server(interceptors=interceptors(store))
        hall = Hall(store, GroupCommit(store), lambda: 0, random.Random(1).randbytes, room)
        disputes = Disputes(room, store)
        servers._add_services(server, room, hall, disputes, store, notary_of(store))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        tap = Tap(f"127.0.0.1:{port}", token)
        yield tap
        await tap.close()
        await server.stop(0)


async def told_over(tap: Tap, position: Position, eyes: Eyes, seed: int) -> list[bytes]:
    """Return every byte that comes in when the viewer has asked for everything."""
    rng = random.Random(seed)
    seq, match_id = len(position.lines), position.match_id
    await tap.ask("GetView", matches.GetViewRequest(match_id=match_id))
    await tap.ask("GetMatch", matches.GetMatchRequest(match_id=match_id))
    for number, move in enumerate(wishes_at(position, eyes, rng)):
        wish = move_request(match_id, move, seq, str(number))
        with suppress(Refused):
            await tap.ask("MakeMove", wish)
    for perspective in logs.Perspective.values():
        back = logs.GetPositionRequest(match_id=match_id, seq=seq, perspective=perspective)
        with suppress(Refused):
            await tap.ask("GetPosition", back)
    async for update in tap.listen("Watch", matches.WatchRequest(match_id=match_id)):
        if update.HasField("caught_up"):
            break
    async for _ in tap.listen("ReadLog", logs.ReadLogRequest(match_id=match_id)):
        pass
    if eyes is not None:
        talk = tap.talk("Play")
        await talk.say(matches.PlayRequest(start=matches.PlayStart(match_id=match_id)))
        await talk.hear()
    return [came.raw for came in tap.came]


@pytest.mark.parametrize("eyes", EYES)
async def test_c1_two_worlds_are_one_over_real_ports(eyes: Eyes) -> None:
    """C1, C3 every byte of every answer and of every status, trailing metadata included."""
    for index, (position, ends) in enumerate(both(soak(240, 12), 11, eyes)):
        told = []
        for chain_end in ends:
            async with tapped(position, eyes, chain_end) as tap:
                told.append(await told_over(tap, position, eyes, index))
        assert told[0] == told[1]
