"""What a seat and a spectator get to see of whole matches: nothing that they may not know.

Every byte that a seat and a spectator receive is kept, over every way there is to ask, and compared
afterwards with the decks that only the operator's database knows.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import grpc
import pytest
from support_server import ServerProcess, gin_serve, open_db, signed_up
from support_wire import Came, Known, Refused, Tap, Viewer, card_texts, decks_of, strings_in

from ginrummy.bots import SimpleBot, View
from ginrummy.bots.sight import held
from ginrummy.client import Client, to_decide
from ginrummy.client.bot import decision
from ginrummy.client.moves import move_message
from ginrummy.client.nonces import nonce_key
from ginrummy.log.deck import SecretChain, nonce_commitment
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.rules.cards import DECK, CardSet
from ginrummy.rules.commands import Discard, Knock, LayOff, Move
from ginrummy.rules.events import NonceRevealed, SecretRevealed
from ginrummy.store import hash_token
from ginrummy.v1 import log_service_pb2 as logs
from ginrummy.v1 import match_service_pb2 as matches
from ginrummy.v1 import ruleset_pb2

ANNS_NONCE = b"the nonce of Ann"
BOBS_NONCE = b"the nonce of Bob"

POLICIES = {
    "match": ruleset_pb2.REVEAL_POLICY_MATCH,
    "hand": ruleset_pb2.REVEAL_POLICY_HAND,
    "director": ruleset_pb2.REVEAL_POLICY_DIRECTOR,
}

OTHERS_EYES = {
    None: {logs.PERSPECTIVE_SEAT_0, logs.PERSPECTIVE_SEAT_1, logs.PERSPECTIVE_FULL},
    1: {logs.PERSPECTIVE_SEAT_0, logs.PERSPECTIVE_FULL},
}


class Spy:
    """Somebody at a table who asks everything that can be asked, again and again."""

    def __init__(self, tap: Tap, viewer: Viewer, match_id: str, policy: str) -> None:
        self.tap = tap
        self.viewer = viewer
        self.match_id = match_id
        self.policy = policy
        self.looks_refused: dict[int, list[grpc.StatusCode]] = defaultdict(list)
        """How looking back through some eyes was refused."""
        self._hand = 0
        self._since = 0

    async def play(self, watcher: "Spy") -> None:
        """Play seat 1 to the match's end, and look round with a watcher while the match waits."""
        talk, bot = self.tap.talk("Play"), SimpleBot()
        await talk.say(matches.PlayRequest(start=matches.PlayStart(match_id=self.match_id)))
        heard = 0
        while (response := await talk.hear()) is not None:
            heard += 1
            if response.view.nonce_due:
                await talk.say(matches.PlayRequest(nonce=matches.PlayNonce(nonce=BOBS_NONCE)))
            elif to_decide(response.view):
                if heard % 12 == 3:
                    await self.look(response.view, held(response.view))
                    await watcher.look(response.view)
                move = decision(bot, response.view)
                assert isinstance(move, Move)
                made = matches.PlayMove(
                    request_id=f"bob-{heard}",
                    expected_seq=response.view.seq,
                    move=move_message(move),
                )
                await talk.say(matches.PlayRequest(move=made))

    async def watch(self) -> None:
        """Watch to the match's end."""
        request = matches.WatchRequest(match_id=self.match_id)
        async for _ in self.tap.listen("Watch", request):
            pass

    async def look(self, view: View, own: CardSet = 0) -> None:
        """Ask all there is to ask about the match, and more than one may."""
        ask, match_id = self.tap.ask, self.match_id
        await ask("GetMatch", matches.GetMatchRequest(match_id=match_id))
        await ask("GetView", matches.GetViewRequest(match_id=match_id))
        await ask("ListMatches", matches.ListMatchesRequest())
        await ask("AuditMatch", logs.AuditMatchRequest(match_id=match_id))
        async for _ in self.tap.listen("ReadLog", logs.ReadLogRequest(match_id=match_id)):
            pass
        async for update in self.tap.listen("Watch", matches.WatchRequest(match_id=match_id)):
            if update.HasField("caught_up"):
                break
        seq = view.seq
        for place in {seq, *range(self._first(view), seq, 20)}:
            await self._look_back(place)
        not_own = next(card for card in (*DECK[seq % 52 :], *DECK) if not card.bit & own)
        same = [card for card in DECK if card.rank == not_own.rank and card is not not_own]
        spread = ((not_own, *same[:2]),)
        for move in (Discard(not_own), Knock(not_own, (DECK[10:13],)), LayOff(spread)):
            await self._try(move, seq)
            await self._try(move, seq - 1)

    def _first(self, view: View) -> int:
        """Return the first event whose cards may not all be known yet."""
        if self.policy != "hand":
            return 1
        if self._hand != view.hand.number:
            self._hand, self._since = view.hand.number, view.seq
        return self._since

    async def _look_back(self, seq: int) -> None:
        for eyes in logs.Perspective.values():
            request = logs.GetPositionRequest(match_id=self.match_id, seq=seq, perspective=eyes)
            try:
                await self.tap.ask("GetPosition", request)
            except Refused as refused:
                self.looks_refused[eyes].append(refused.code)

    async def _try(self, move: Move, seq: int) -> None:
        request = matches.MakeMoveRequest(
            match_id=self.match_id,
            request_id=f"try-{seq}-{len(self.tap.came)}",
            expected_seq=seq,
            move=move_message(move),
        )
        with pytest.raises(Refused):
            await self.tap.ask("MakeMove", request)


class Seen(NamedTuple):
    """A match that was spied on, and what the operator alone knows of it."""

    spies: list[Spy]
    log: list[bytes]
    decks: list[list[str]]
    chain: SecretChain
    tokens: list[str]
    journal: str
    files: bytes
    """The database, with the files beside it."""

    @property
    def lines(self) -> list[MatchLine]:
        """The stored lines."""
        return [read_line(raw) for raw in self.log]

    @property
    def hands(self) -> list[int]:
        """The hands whose secrets must not come out too early: those played, and some to come."""
        return [*range(1, len(self.decks) + 3), 1000]

    @property
    def came(self) -> Iterator[tuple[Came, Viewer]]:
        """All that the spies received."""
        for spy in self.spies:
            for came in spy.tap.came:
                yield came, spy.viewer


async def spied_on(
    server: ServerProcess, ann: Client, policy: str
) -> tuple[str, list[Spy], list[str]]:
    """Let Ann and a spy play a match while another spy watches."""
    match = await ann.create_match(
        rules=ruleset_pb2.Ruleset(hands=4), reveal=POLICIES[policy], name="observed"
    )
    ann.nonces[nonce_key(match.id, (await ann.me()).id)] = ANNS_NONCE
    await ann.join(match.id, 0)
    tokens = [(await ann.create_player(name)).token for name in ("Bob", "Eve")]
    taps = [Tap(server.address, token) for token in tokens]
    commitment = bytes.fromhex(nonce_commitment(BOBS_NONCE))
    join = matches.JoinMatchRequest(match_id=match.id, nonce_commitment=commitment)
    assert (await taps[0].ask("JoinMatch", join)).seat == 1
    bob = Spy(taps[0], 1, match.id, policy)
    eve = Spy(taps[1], None, match.id, policy)
    await asyncio.gather(bob.play(eve), eve.watch(), ann.play(match.id, SimpleBot()))
    for tap in taps:
        await tap.close()
    return match.id, [bob, eve], tokens


@pytest.fixture(scope="module", params=POLICIES)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Play a match under each reveal policy, with the server's log at its most talkative."""
    db = tmp_path_factory.mktemp("secrecy") / "gin.db"
    return asyncio.run(played(db, request.param))


async def played(db: Path, policy: str) -> Seen:
    async with (
        gin_serve(db, "--log-level", "debug") as server,
        signed_up(server.address, "Ann") as ann,
    ):
        match_id, spies, tokens = await spied_on(server, ann, policy)
        tokens.append(ann._token)
    async with open_db(db) as store:
        secret = store.secret(match_id, "chain")
        assert secret is not None
        return Seen(
            spies=spies,
            log=[*store.read(match_id)],
            decks=decks_of(store, match_id),
            chain=SecretChain(secret),
            tokens=tokens,
            journal=server.journal,
            files=b"".join(
                file.read_bytes() for file in db.parent.glob(f"{db.name}*") if file.is_file()
            ),
        )


def test_c1_c2_no_card_comes_to_a_viewer_who_may_not_know_it(seen: Seen) -> None:
    """C1, C2 in no field of any view, event, history, position, list, audit or error."""
    known = Known(seen.log, seen.decks)
    for came, viewer in seen.came:
        assert known.leaked(came, viewer) == set()


def test_c1_the_search_finds_the_cards_that_a_seat_is_told(seen: Seen) -> None:
    """The search sees what it should: a seat's own cards would be a leak to a spectator."""
    known = Known(seen.log, seen.decks)
    bob, eve = seen.spies
    leaks = [known.leaked(came, None) for came in bob.tap.came]
    assert sum(map(bool, leaks)) > 20
    assert len(set().union(*leaks)) > 10
    assert len(eve.tap.came) > 50


def test_c3_nobody_sees_through_another_seats_eyes(seen: Seen) -> None:
    """C3 a position is refused to whoever may not see it, for as long as its deck is hidden."""
    for spy in seen.spies:
        assert set(spy.looks_refused) == OTHERS_EYES[spy.viewer]
        for codes in spy.looks_refused.values():
            assert set(codes) == {grpc.StatusCode.PERMISSION_DENIED}


def test_c1_no_secret_comes_to_anybody_before_it_is_revealed(seen: Seen) -> None:
    """C1 a hand's secret, the chain's end, a player's nonce, a token: as bytes or as text."""
    chain = [seen.chain.secret(hand) for hand in seen.hands]
    tokens = [token.encode() for token in (*seen.tokens, *map(hash_token, seen.tokens))]
    out: dict[bytes, float] = dict.fromkeys((*chain, ANNS_NONCE, *tokens), float("inf"))
    for line in seen.lines:
        match line.event:
            case SecretRevealed(hand=hand):
                out[seen.chain.secret(hand)] = line.seq
            case NonceRevealed(seat=0):
                out[ANNS_NONCE] = line.seq
            case _:
                pass
    for came, _ in seen.came:
        for secret, seq in out.items():
            if secret in came.raw or secret.hex().encode() in came.raw:
                assert latest(came) >= seq


def latest(came: Came) -> int:
    """Return the number of the latest event that something that came in tells of."""
    if isinstance(came.message, Refused):
        return int(came.message.info.metadata.get("seq", "0"))
    lines = (text for text in strings_in(came.message) if isinstance(text, bytes))
    return max((read_line(line).seq for line in lines), default=0)


def test_the_servers_own_log_tells_no_secret(seen: Seen) -> None:
    """Not a token, a secret, a nonce or a card, at its most talkative, after many refusals."""
    assert seen.journal.count('"event":"call"') > 30
    [signing] = [line for line in seen.journal.splitlines() if '"event":"signing"' in line]
    # The log's public key is base64, in which two letters may look like a card.
    assert card_texts(seen.journal.replace(json.loads(signing)["key"], "")) == set()
    chain = [seen.chain.secret(hand) for hand in seen.hands]
    for secret in (*chain, ANNS_NONCE, BOBS_NONCE):
        assert secret.hex() not in seen.journal
    for text in (*seen.tokens, *map(hash_token, seen.tokens), ANNS_NONCE.decode()):
        assert text not in seen.journal


def test_c3_no_token_is_in_the_database(seen: Seen) -> None:
    """C3 whoever reads it can be nobody: there are only hashes."""
    for token in seen.tokens:
        assert hash_token(token).encode() in seen.files
        assert token.encode() not in seen.files
