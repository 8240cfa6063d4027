"""Forks seen by a client: asked for, played, checked card by card, and refused with the reason."""

import asyncio
import json
from hashlib import sha256

import pytest
from support_forks import Fork, forked
from support_logs import Log, changed, events_of, played, relinked
from support_server import InProcess, in_process
from support_story import Story

from ginrummy.bots.chance import RandomBot
from ginrummy.bots.simple import SimpleBot
from ginrummy.client import Client, connect
from ginrummy.client.errors import (
    BrokenChainError,
    InvalidRequestError,
    NotFoundError,
    NotSignedInError,
    RefusedError,
    RequestIdReusedError,
    TamperedDeckError,
)
from ginrummy.client.sync import connect as connect_sync
from ginrummy.client.verifier import Verifier
from ginrummy.rules.cards import Seat
from ginrummy.store import MatchQuery
from ginrummy.v1.events_pb2 import (
    ORIGIN_KIND_FORK,
    UNSEEN_CARDS_FRESH,
    UNSEEN_CARDS_RESHUFFLED,
    UNSEEN_CARDS_SAME,
    Event,
    UnseenCards,
)
from ginrummy.v1.match_pb2 import STAGE_ENDED, Match
from ginrummy.v1.ruleset_pb2 import REVEAL_POLICY_DIRECTOR, Limits, Ruleset, TimeControl

# --- what a client checks by itself ---------------------------------------------------------------


def heard(fork: Fork, log: Log, seat: Seat = 0) -> Verifier:
    """Return a verifier that was told of a fork by a server that has this log of it."""
    story = Story(fork, seat)
    check = Verifier(fork.stream, fork._nonces[seat], fork.players[seat])
    for line, raw in zip(fork.lines, log, strict=True):
        event = story.event(line)
        event.line = raw
        check.add(event)
        view = story.view(line)
        if view.hand.HasField("legal"):
            view.head_hash = sha256(raw).hexdigest()
            check.saw(view)
    return check


@pytest.mark.parametrize(
    ("kept", "viewer"), [("same", None), ("reshuffled", None), ("reshuffled", 1)]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_every_card_of_an_honest_fork_is_checked(
    kept: str, viewer: Seat | None, seat: Seat
) -> None:
    origin = played(7).log
    fork = forked(origin, events_of(origin, "hand_dealt")[0] + 15, kept, viewer)  # type: ignore[arg-type]
    fork.play()
    check = heard(fork, fork.log, seat)
    assert check.checked == check.dealt > 0


def fork_of() -> Fork:
    origin = played(7).log
    fork = forked(origin, events_of(origin, "hand_dealt")[0] + 15, "reshuffled", 1)
    fork.play()
    return fork


def test_another_position_than_the_committed_one_is_found() -> None:
    fork = fork_of()
    (out,) = events_of(fork.log, "position_revealed")
    log = relinked(
        [*fork.log[:out], changed(fork.log[out], data_salt="0" * 32), *fork.log[out + 1 :]]
    )
    with pytest.raises(TamperedDeckError, match="the position in which the match began") as caught:
        heard(fork, log)
    origin = fork.match.terms.origin
    assert origin is not None
    assert caught.value.expected == origin.position


def test_other_cards_than_those_of_the_position_are_found() -> None:
    """A server that commits to one position and deals another."""
    fork = fork_of()
    (out,) = events_of(fork.log, "position_revealed")
    position = fork.secrets.position
    assert position is not None
    places = [*position.places]
    fixed = [place for place in range(20) if places[place] is not None]
    first, second = fixed[0], next(each for each in fixed if each % 2 != fixed[0] % 2)
    places[first], places[second] = places[second], places[first]
    other = position._replace(places=tuple(places))
    origin = json.loads(fork.log[0])["data"]["origin"] | {"position": other.commitment}
    names = [None if card is None else str(card) for card in places]
    log = [changed(fork.log[0], data_origin=origin), *fork.log[1:]]
    log[out] = changed(log[out], data_cards=names)
    with pytest.raises(TamperedDeckError):
        heard(fork, relinked(log), 1)


def test_a_secret_without_its_position_is_found() -> None:
    fork = fork_of()
    story = Story(fork, 0)
    check = Verifier(fork.stream, fork._nonces[0], fork.players[0])
    (out,) = events_of(fork.log, "position_revealed")
    log = relinked([raw for index, raw in enumerate(fork.log) if index != out])
    lines = [line for index, line in enumerate(fork.lines) if index != out]
    events: list[Event] = []
    for number, (line, raw) in enumerate(zip(lines, log, strict=True), start=1):
        event = story.event(line)
        event.line, event.seq = raw, number
        events.append(event)

    def hear_all() -> None:
        for event in events:
            check.add(event)

    with pytest.raises(BrokenChainError, match="the position in which the match began is not out"):
        hear_all()


# --- over the network -----------------------------------------------------------------------------

ANN, BOB, EVE, DIRECTOR = (f"p_{letter * 26}" for letter in "abed")


class Room:
    """A server with two players who have played a match, and a spectator."""

    def __init__(self, server: InProcess, clients: list[Client]) -> None:
        self.server = server
        self.ann, self.bob, self.eve, self.director = clients

    async def play(self, made: Match) -> Match:
        """Let Ann and Bob play a match to its end, by bots that check all they are told."""
        mine, other = await asyncio.gather(
            self.ann.play(made.id, SimpleBot()), self.bob.play(made.id, RandomBot(3))
        )
        assert mine.unchecked == other.unchecked == 0
        return await self.eve.match(made.id)

    async def over(self, **terms: object) -> Match:
        """Return a match that is over."""
        made = await self.ann.create_match(seats=(ANN, BOB), **terms)  # type: ignore[arg-type]
        await asyncio.gather(
            self.ann.play(made.id, SimpleBot()), self.bob.play(made.id, SimpleBot())
        )
        return await self.eve.match(made.id)


@pytest.fixture
async def room():  # type: ignore[no-untyped-def]  # noqa: ANN201 -- a fixture that yields
    async with in_process() as server:
        tokens = [
            server.let_in(player, name)
            for player, name in ((ANN, "Ann"), (BOB, "Bob"), (EVE, "Eve"))
        ]
        tokens.append(server.let_in(DIRECTOR, "Dee", "director"))
        async with (
            connect(server.address, token=tokens[0]) as ann,
            connect(server.address, token=tokens[1]) as bob,
            connect(server.address, token=tokens[2]) as eve,
            connect(server.address, token=tokens[3]) as director,
        ):
            yield Room(server, [ann, bob, eve, director])


AFTER_THE_DEAL = 7
"""The first decision of the first hand, which no hand ends with."""


@pytest.mark.parametrize(
    ("unseen", "seat"), [(UNSEEN_CARDS_SAME, None), (UNSEEN_CARDS_RESHUFFLED, 1)]
)
async def test_a_fork_is_made_played_and_counts_for_nobody(
    room: Room, unseen: UnseenCards.ValueType, seat: Seat | None
) -> None:
    before = await room.over(rules=Ruleset(hands=2))
    records = [await room.eve.player(player) for player in (ANN, BOB)]
    made = await room.eve.fork_match(
        before.id,
        AFTER_THE_DEAL,
        unseen=unseen,
        seat=seat,
        seats=(ANN, BOB),
        name="What if",
        clock=TimeControl(decision_ms=60_000),
        limits=Limits(idle_ms=120_000),
    )
    origin = made.origin
    assert (origin.kind, origin.match_id) == (ORIGIN_KIND_FORK, before.id)
    assert origin.seq == AFTER_THE_DEAL
    assert (origin.unseen, origin.HasField("seat")) == (unseen, seat is not None)
    assert (made.name, made.clock.decision_ms, made.dispute_ms) == ("What if", 60_000, 0)
    over = await room.play(made)
    assert over.stage == STAGE_ENDED
    view = await room.ann.view(made.id)
    assert view.practice
    assert not (await room.ann.view(before.id)).practice
    rows = {row.id: row.practice async for row in room.eve.matches()}
    assert rows == {made.id: True, before.id: False}
    assert [await room.eve.player(player) for player in (ANN, BOB)] == records
    assert (await room.eve.audit(made.id)).clean
    assert room.server.store.matches(MatchQuery()).matches[0].practice


async def test_between_two_hands_the_next_one_is_a_fresh_deal(room: Room) -> None:
    before = await room.over(rules=Ruleset(hands=2))
    lines = [json.loads(line) async for line in room.eve.log(before.id)]
    scored = next(line["seq"] for line in lines if line["type"] in ("hand_scored", "hand_voided"))
    made = await room.eve.fork_match(before.id, scored)
    assert (made.origin.unseen, made.origin.position, made.origin.moves) == (
        UNSEEN_CARDS_FRESH,
        "",
        0,
    )
    assert list(made.points) == list(made.origin.scores)


async def test_a_retry_gives_the_same_fork_and_another_wish_is_refused(room: Room) -> None:
    before = await room.over(rules=Ruleset(hands=1))
    made = await room.eve.fork_match(before.id, 10, request_id="f1")
    assert await room.eve.fork_match(before.id, 10, request_id="f1") == made
    with pytest.raises(RequestIdReusedError):
        await room.eve.fork_match(before.id, 11, request_id="f1")
    assert (await room.eve.fork_match(before.id, 10)).id != made.id


async def test_what_a_match_that_is_played_hides_no_fork_tells(room: Room) -> None:
    made = await room.ann.create_match(seats=(ANN, BOB))
    for player in (room.ann, room.bob):
        await player.join(made.id)
    for player in (room.ann, room.bob):
        await player.reveal_nonce(made.id)
    seq = (await room.eve.match(made.id)).seq
    for client in (room.ann, room.bob, room.eve, room.director):
        for unseen, seat in HIDDEN:
            with pytest.raises(RefusedError) as refused:
                await client.fork_match(made.id, seq, unseen=unseen, seat=seat)
            assert refused.value.reason == "CARDS_HIDDEN"
            assert "dealt anew" in str(refused.value)
    public = await room.eve.fork_match(made.id, seq, unseen=UNSEEN_CARDS_RESHUFFLED)
    assert (public.origin.unseen, public.origin.moves) == (UNSEEN_CARDS_RESHUFFLED, 0)


HIDDEN: tuple[tuple[UnseenCards.ValueType, Seat | None], ...] = (
    (UNSEEN_CARDS_SAME, None),
    (UNSEEN_CARDS_RESHUFFLED, 0),
    (UNSEEN_CARDS_RESHUFFLED, 1),
)
"""The wishes that take cards which not everybody has seen."""


async def test_cards_that_wait_for_a_director_stay_for_a_director_alone(room: Room) -> None:
    before = await room.over(rules=Ruleset(hands=1), reveal=REVEAL_POLICY_DIRECTOR)
    with pytest.raises(RefusedError) as refused:
        await room.eve.fork_match(before.id, 9)
    assert refused.value.reason == "CARDS_HIDDEN"
    assert (await room.director.fork_match(before.id, 9)).origin.unseen == UNSEEN_CARDS_SAME


async def test_at_the_end_it_is_said_from_where_it_can_go_on(room: Room) -> None:
    before = await room.over(rules=Ruleset(hands=1))
    with pytest.raises(RefusedError) as refused:
        await room.eve.fork_match(before.id, before.seq)
    assert (refused.value.reason, refused.value.rule) == ("MATCH_OVER", "X1")
    last = refused.value.answer.seq
    assert last is not None
    assert (await room.eve.fork_match(before.id, last)).origin.seq == last


async def test_a_request_that_cannot_be_names_its_field(room: Room) -> None:
    before = await room.over(rules=Ruleset(hands=1))
    match = before.id
    for field, wish in (
        ("seat", room.eve.fork_match(match, 9, seat=1)),
        ("seat", room.eve.fork_match(match, 9, unseen=UNSEEN_CARDS_RESHUFFLED, seat=2)),  # type: ignore[arg-type]
        ("unseen", room.eve.fork_match(match, 9, unseen=UNSEEN_CARDS_FRESH)),
        ("seats", room.eve.fork_match(match, 9, seats=(ANN,))),
        ("name", room.eve.fork_match(match, 9, name="x" * 101)),
        ("clock.bank_ms", room.eve.fork_match(match, 9, clock=TimeControl(bank_ms=-1))),
    ):
        with pytest.raises(InvalidRequestError) as refused:
            await wish
        assert [name for name, _ in refused.value.fields] == [field]
    for seq in (0, -1, before.seq + 1, 2**60):
        with pytest.raises(NotFoundError) as missing:
            await room.eve.fork_match(match, seq)
        assert (missing.value.reason, missing.value.answer.seq) == ("NO_SUCH_EVENT", before.seq)
    with pytest.raises(NotFoundError) as missing:
        await room.eve.fork_match("m_" + "0" * 26, 1)
    assert missing.value.reason == "NO_SUCH_MATCH"
    assert len([row async for row in room.eve.matches()]) == 1
    async with connect(room.server.address) as nobody:
        with pytest.raises(NotSignedInError):
            await nobody.fork_match(match, 9)


async def test_the_waiting_client_asks_the_same(room: Room) -> None:
    before = await room.over(rules=Ruleset(hands=1))
    token = room.server.let_in("p_" + "f" * 26, "Flo")

    def ask() -> Match:
        with connect_sync(room.server.address, token=token) as client:
            return client.fork_match(before.id, 9, unseen=UNSEEN_CARDS_RESHUFFLED)

    made = await asyncio.to_thread(ask)
    assert made.origin.seq == 9
