"""A seat's session: it plays to the end, answers refusals, and lets no cheat pass."""

from collections.abc import Callable

import pytest
from support_client import FakeServer, connected, on_turn, simple
from support_logs import Table

from ginrummy.bots import (
    Discard,
    Event,
    HandOver,
    MatchEnded,
    Move,
    Pass,
    RandomBot,
    SimpleBot,
    View,
)
from ginrummy.client import (
    BrokenChainError,
    InvalidRequestError,
    NonceLostError,
    RefusedError,
    StaleError,
    TamperedDeckError,
    to_decide,
)
from ginrummy.log.deck import nonce_commitment
from ginrummy.rules.cards import Card
from ginrummy.rules.commands import Pause, Resume
from ginrummy.rules.events import NonceRevealed, PlayerJoined
from ginrummy.rules.match import Ended
from ginrummy.v1.match_service_pb2 import PlayResponse


@pytest.fixture
def server() -> FakeServer:
    return FakeServer(Table(1, target=50))


class Chronicler(SimpleBot):
    """A bot that writes down what it is told."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.hands: list[HandOver] = []
        self.outcome: MatchEnded | None = None

    def saw(self, event: Event) -> None:
        self.seen.append(event.seq)

    async def hand_over(self, hand: HandOver) -> None:
        self.hands.append(hand)

    def match_over(self, outcome: MatchEnded) -> None:
        self.outcome = outcome


# --- a match --------------------------------------------------------------------------------------


async def test_a_bot_plays_a_match_to_its_end_and_every_hand_is_checked(server: FakeServer) -> None:
    async with connected(server) as client:
        result = await client.play(server.table.stream, SimpleBot())
    assert isinstance(server.table.match, Ended)
    assert result.outcome.winner == server.table.match.outcome.winner
    assert (result.seat, result.unchecked) == (0, 0)
    assert result.checked >= 1
    assert server.streams == 1


async def test_the_nonce_is_drawn_committed_to_revealed_and_forgotten_at_the_end(
    server: FakeServer,
) -> None:
    async with connected(server, nonces={}) as client:
        async with client.sit(server.table.stream):
            (nonce,) = client.nonces.values()
        await client.play(server.table.stream, SimpleBot())
        assert not client.nonces
    events = [line.event for line in server.table.lines]
    joined = next(one for one in events if isinstance(one, PlayerJoined))
    assert joined.nonce_commitment == nonce_commitment(nonce)
    assert NonceRevealed(0, nonce.hex()) in events


async def test_a_bot_is_told_every_event_once_and_each_hands_end(server: FakeServer) -> None:
    bot = Chronicler()
    server.play_faults.extend(["", "", "answer lost", "", "lost", "", "answer lost"])
    async with connected(server) as client:
        result = await client.play(server.table.stream, bot)
    assert bot.seen == list(range(1, len(server.table.lines) + 1))
    assert [hand.number for hand in bot.hands] == list(range(1, result.checked + 1))
    last = bot.hands[-1]
    assert last.knocked is not None
    assert last.laid_off is not None
    assert last.result.hand == last.number
    assert bot.outcome == result.outcome


async def test_an_ended_match_can_be_sat_down_at_again(server: FakeServer) -> None:
    async with connected(server) as client:
        first = await client.play(server.table.stream, SimpleBot())
        assert await client.play(server.table.stream, SimpleBot()) == first


# --- refusals -------------------------------------------------------------------------------------


class Stubborn(SimpleBot):
    """A bot whose first discards are no cards of its own."""

    def __init__(self, *cards: str) -> None:
        self.wrong = list(cards)

    def discard(self, view: View) -> Move:
        if self.wrong:
            card = self.wrong.pop()
            if card not in view.hand.hands[view.seat].cards:
                return Discard(card)  # type: ignore[arg-type]  # as an untyped bot may
        return super().discard(view)


class Humble(Stubborn):
    """One that can bear to be refused."""

    def __init__(self, *cards: str) -> None:
        super().__init__(*cards)
        self.refusals: list[str] = []

    def refused(self, view: View, error: RefusedError) -> None:
        assert to_decide(view)
        self.refusals.append(error.reason)


async def test_a_refused_move_ends_the_play_of_a_bot_that_does_not_expect_it(
    server: FakeServer,
) -> None:
    async with connected(server) as client:
        with pytest.raises(RefusedError) as caught:
            await client.play(server.table.stream, Stubborn(*map(str, Card)))
    assert (caught.value.reason, caught.value.rule) == ("NOT_IN_HAND", "T1")
    assert caught.value.legal is not None
    assert caught.value.legal.discards


async def test_a_bot_that_can_bear_to_be_refused_is_asked_again(server: FakeServer) -> None:
    bot = Humble("KC", "nonsense", "QC")
    async with connected(server) as client:
        result = await client.play(server.table.stream, bot)
    assert "INVALID_FIELD" in bot.refusals
    assert result.unchecked == 0


async def test_an_unreadable_card_is_another_error(server: FakeServer) -> None:
    async with connected(server) as client:
        with pytest.raises(InvalidRequestError) as caught:
            await client.play(server.table.stream, Stubborn("nonsense"))
    assert caught.value.fields[0][0] == "move.discard.card"


async def test_a_decision_on_an_older_state_is_made_again(server: FakeServer) -> None:
    director = server.table.director
    asked: list[int] = []

    class Slow(SimpleBot):
        def draw(self, view: View) -> Move:
            asked.append(view.seq)
            if len(asked) == 1:
                # Unseen by the bot, whose decision is then stale.
                server.table.act(Pause(), director)
                server.table.act(Resume(), director)
            return super().draw(view)

    async with connected(server) as client:
        result = await client.play(server.table.stream, Slow())
    assert asked[1] == asked[0] + 2
    assert result.unchecked == 0


async def test_a_stale_move_by_hand_is_told(server: FakeServer) -> None:
    async with connected(server) as client, client.sit(server.table.stream) as seat:
        view = await on_turn(seat)
        server.table.act(Pause(), server.table.director)
        server.table.act(Resume(), server.table.director)
        with pytest.raises(StaleError) as caught:
            await seat.move(simple(view))
        assert caught.value.seq == view.seq + 2


# --- by hand --------------------------------------------------------------------------------------


async def test_a_move_answers_a_view(server: FakeServer) -> None:
    async with connected(server) as client, client.sit(server.table.stream) as seat:
        with pytest.raises(ValueError, match="wait for one first"):
            await seat.move(Pass())
        assert seat.view is None
        view = await seat.wait()
        assert seat.view is view


async def test_resigning_ends_the_match_whoevers_turn_it_is(server: FakeServer) -> None:
    async with connected(server) as client, client.sit(server.table.stream) as seat:
        await on_turn(seat)
        server.table.act(Pause(), server.table.director)
        await seat.resign()
        await server.says.put("news")
        result = await seat.play(RandomBot(1))
    assert result.outcome.winner == 1


async def test_a_nonce_that_is_not_kept_is_told(server: FakeServer) -> None:
    async with connected(server) as client:
        await client.join(server.table.stream)
        client.nonces.clear()
        with pytest.raises(NonceLostError, match="use the `nonces` that you joined with"):
            await client.play(server.table.stream, SimpleBot())


async def test_a_nonce_that_is_not_the_one_of_the_log_is_found_before_it_is_revealed(
    server: FakeServer,
) -> None:
    async with connected(server) as client:
        await client.join(server.table.stream)
        for key in client.nonces:
            client.nonces[key] = b"another nonce..."
        with pytest.raises(TamperedDeckError, match="another nonce than its own"):
            await client.play(server.table.stream, SimpleBot())
    assert not any(
        isinstance(line.event, NonceRevealed) and line.event.seat == 0
        for line in server.table.lines
    )


# --- a server that cheats -------------------------------------------------------------------------


def _another_draw(response: PlayResponse) -> None:
    for event in response.events:
        if event.drawn:
            event.drawn = "AS" if event.drawn != "AS" else "2S"


def _another_hand(response: PlayResponse) -> None:
    if response.view.hand.hands:
        cards = response.view.hand.hands[0].cards
        if "KC" in cards:
            cards[list(cards).index("KC")] = "AS" if "AS" not in cards else "2S"
        elif cards:
            cards[0] = "KC"


def _another_head(response: PlayResponse) -> None:
    response.view.head_hash = "00" * 32


def _another_line(response: PlayResponse) -> None:
    for event in response.events:
        event.line = event.line.replace(b'"Bob"', b'"Rob"')


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (_another_draw, TamperedDeckError),
        (_another_hand, TamperedDeckError),
        (_another_head, BrokenChainError),
        (_another_line, BrokenChainError),
    ],
)
async def test_a_server_that_cheats_is_found_out(
    server: FakeServer,
    spoil: Callable[[PlayResponse], None],
    error: type[BrokenChainError | TamperedDeckError],
) -> None:
    server.spoil = spoil
    async with connected(server) as client:
        with pytest.raises(error):
            await client.play(server.table.stream, RandomBot(1))


async def test_a_secret_that_comes_after_the_last_message_is_read_from_the_log(
    server: FakeServer,
) -> None:
    def keep_back(response: PlayResponse) -> None:
        if response.events and response.events[-1].HasField("secret_revealed"):
            del response.events[-1]
            last = server.table.lines[-2]
            response.view.seq, response.view.head_hash = last.seq, last.hash

    server.spoil = keep_back
    async with connected(server) as client:
        result = await client.play(server.table.stream, SimpleBot())
    assert result.unchecked == 0
