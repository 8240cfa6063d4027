"""The client: every call of the API, with its deadline, its retries and its errors.

async with connect("127.0.0.1:50051", token="…") as client:
    match = await client.create_match(preset="standard")
    result = await client.play(match.id, MyBot())
"""

import asyncio
from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar
from uuid import uuid4

import grpc
import msgspec

from ginrummy.client.bot import Bot
from ginrummy.client.calls import ONCE, Metadata, streamed, unary
from ginrummy.client.chain import Chain
from ginrummy.client.disputes import Disputes
from ginrummy.client.errors import Answer, NotFoundError, RefusedError, UnavailableError
from ginrummy.client.moves import move_message
from ginrummy.client.nonces import Nonces, kept_nonce, nonce_key
from ginrummy.client.receipts import ReceiptFiles
from ginrummy.client.retry import Retry
from ginrummy.client.seat import Result, SeatSession
from ginrummy.client.signing import Keys, MemoryKeys, Signer, signer_for
from ginrummy.client.targets import channel_target
from ginrummy.client.tournaments import Tournaments
from ginrummy.log.deck import nonce_commitment
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Move
from ginrummy.v1 import (
    events_pb2,
    log_service_pb2,
    log_service_pb2_grpc,
    match_pb2,
    match_service_pb2,
    match_service_pb2_grpc,
    player_service_pb2,
    player_service_pb2_grpc,
    ruleset_pb2,
)

__all__ = ["KEEPALIVE_SECONDS", "Client", "connect"]

KEEPALIVE_SECONDS = 30
"""How often a client with an open call asks whether the other side is still there."""

_CHANNEL = (
    ("grpc.keepalive_time_ms", KEEPALIVE_SECONDS * 1000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # What newer versions of gRPC go by; of itself it is a minute.
    ("grpc.http2.ping_timeout_ms", 10_000),
    # A stream on which nobody says anything for minutes is the normal case here.
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 2_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


def connect(
    target: str,
    *,
    token: str = "",
    retry: Retry = Retry(),  # noqa: B008 -- an immutable value
    nonces: Nonces | None = None,
    receipts: ReceiptFiles | None = None,
    keys: Keys | None = None,
    credentials: grpc.ChannelCredentials | None = None,
) -> "Client":
    """Return a client of the server at `target`, such as `127.0.0.1:50051`.

    Several servers of one log are named with commas between, and asked by turns; where one is lost
    the others go on. Raises InvalidAddressError.
    `await connect(…)` waits until the server is there and raises UnavailableError where it does
    not come; `async with connect(…) as client` leaves that to the first call. A connection that
    is lost is made again either way. It has to be called where an event loop runs. `nonces` keeps
    the nonces between joining and revealing, in memory unless told otherwise (`NonceFiles`).
    `receipts` keeps what seats are told, so that a change can be shown later; nothing is kept
    without. `keys` sign moves wherever a match lets players sign (`KeyFiles`, `KeyFile`); where
    none are given, moves are signed only where all have to be, by a key that lasts as long as the
    client. `credentials` are those of gRPC for TLS; without them the connection is not encrypted.
    """
    name, several = channel_target(target)
    options = (*_CHANNEL, *several)
    if credentials is None:
        channel = grpc.aio.insecure_channel(name, options=options)
    else:
        channel = grpc.aio.secure_channel(name, credentials, options=options)
    return Client(channel, target, token, retry, {} if nonces is None else nonces, receipts, keys)


class Client:
    """A player's, or anybody's, access to one server.

    Every call raises a CallError where the server does not do what was asked; where no server
    answers it tries again, as its Retry says, and then raises UnavailableError.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        target: str,
        token: str,
        retry: Retry,
        nonces: Nonces,
        receipts: ReceiptFiles | None = None,
        keys: Keys | None = None,
    ) -> None:
        """Use an open channel to `target`; `connect` makes one."""
        self.target = target
        self.retry = retry
        self.nonces = nonces
        self.receipts = receipts
        self.keys = keys
        self._own_keys = MemoryKeys()
        self._signers: dict[str, Signer | None] = {}
        """Who signs the moves of single calls, by the match."""
        self._channel = channel
        self._token = token
        self._me: player_service_pb2.Player | None = None
        self._players = player_service_pb2_grpc.PlayerServiceStub(channel)
        self._matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self._log = log_service_pb2_grpc.LogServiceStub(channel)
        self._tournaments = Tournaments(self, channel)
        self._disputes = Disputes(self, channel)

    def __await__(self) -> Generator[Any, None, Self]:
        return self._connected().__await__()

    async def _connected(self) -> Self:
        try:
            await asyncio.wait_for(self._channel.channel_ready(), self.retry.patience)
        except TimeoutError:
            told = Answer(grpc.StatusCode.UNAVAILABLE, f"no server answers at {self.target}")
            raise UnavailableError(told) from None
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Give up the connection and every call on it."""
        await self._channel.close()

    @property
    def metadata(self) -> Metadata:
        """What goes with every call: who calls."""
        return (("authorization", f"Bearer {self._token}"),) if self._token else ()

    @property
    def tournaments(self) -> Tournaments:
        """The calls of tournaments."""
        return self._tournaments

    @property
    def disputes(self) -> Disputes:
        """The calls of disputes."""
        return self._disputes

    async def _ask(
        self,
        method: "grpc.aio.UnaryUnaryMultiCallable[Asked, Answered]",
        request: Asked,
        retry: Retry | None = None,
    ) -> Answered:
        return await unary(method, request, self.metadata, retry or self.retry)

    # --- players ------------------------------------------------------------------------------

    async def create_player(
        self,
        name: str,
        role: player_service_pb2.Role.ValueType = player_service_pb2.ROLE_UNSPECIFIED,
    ) -> player_service_pb2.CreatePlayerResponse:
        """Make a player; the answer holds its token, which is shown this once."""
        # A second attempt may leave a player behind that nobody has the token of; no harm in it.
        request = player_service_pb2.CreatePlayerRequest(name=name, role=role)
        return await self._ask(self._players.CreatePlayer, request)

    async def sign_up(self, name: str) -> str:
        """Make a player, and be that player from now on; return its token."""
        made = await self.create_player(name)
        self.sign_in(made.token)
        return made.token

    def sign_in(self, token: str) -> None:
        """Be the player whose token this is from now on."""
        self._token = token
        self._me = None
        self._signers.clear()

    async def player(self, player_id: str = "") -> player_service_pb2.Player:
        """Return a player with what they have played; without an id, yourself."""
        request = player_service_pb2.GetPlayerRequest(player_id=player_id)
        return (await self._ask(self._players.GetPlayer, request)).player

    async def me(self) -> player_service_pb2.Player:
        """Return yourself, as you were when first asked for."""
        if self._me is None:
            self._me = await self.player()
        return self._me

    # --- matches ------------------------------------------------------------------------------

    async def create_match(  # noqa: PLR0913 -- the terms of a match
        self,
        *,
        preset: str = "standard",
        rules: ruleset_pb2.Ruleset | None = None,
        clock: ruleset_pb2.TimeControl | None = None,
        limits: ruleset_pb2.Limits | None = None,
        reveal: ruleset_pb2.RevealPolicy.ValueType = ruleset_pb2.REVEAL_POLICY_UNSPECIFIED,
        seats: Sequence[str] = (),
        name: str = "",
        signing: ruleset_pb2.SigningPolicy.ValueType = ruleset_pb2.SIGNING_POLICY_UNSPECIFIED,
        dispute_ms: int | None = None,
    ) -> match_pb2.Match:
        """Open a match: a preset, the fields of `rules` that differ from it, and its terms.

        `seats` are the ids of the players for whom the seats are kept: none, or two, of which
        either may be empty for whoever comes. `dispute_ms` is how long after its end a player may
        dispute it: one day where None, 0 for never.
        """
        request = match_service_pb2.CreateMatchRequest(
            preset=preset,
            rules=rules,
            clock=clock,
            limits=limits,
            reveal=reveal,
            seats=seats,
            name=name,
            signing=signing,
            dispute_ms=dispute_ms,
            request_id=new_request_id(),
        )
        return (await self._ask(self._matches.CreateMatch, request)).match

    async def fork_match(  # noqa: PLR0913 -- what is to be agreed
        self,
        match_id: str,
        seq: int,
        *,
        unseen: events_pb2.UnseenCards.ValueType = events_pb2.UNSEEN_CARDS_SAME,
        seat: Seat | None = None,
        clock: ruleset_pb2.TimeControl | None = None,
        limits: ruleset_pb2.Limits | None = None,
        reveal: ruleset_pb2.RevealPolicy.ValueType = ruleset_pb2.REVEAL_POLICY_UNSPECIFIED,
        seats: Sequence[str] = (),
        name: str = "",
        request_id: str = "",
    ) -> match_pb2.Match:
        """Open a practice match that goes on from event `seq` of a match.

        The cards that were not seen there stay the same or, as `unseen` says, are dealt anew; then
        `seat` is whose cards stay with those that everybody has seen. `seats` are kept as by
        `create_match`. `request_id` is drawn where empty; give one to ask again later.
        """
        request = match_service_pb2.ForkMatchRequest(
            match_id=match_id,
            seq=seq,
            unseen=unseen,
            seat=seat,
            clock=clock,
            limits=limits,
            reveal=reveal,
            seats=seats,
            name=name,
            request_id=request_id or new_request_id(),
        )
        return (await self._ask(self._matches.ForkMatch, request)).match

    async def matches(
        self,
        *,
        stage: match_pb2.Stage.ValueType = match_pb2.STAGE_UNSPECIFIED,
        player_id: str = "",
        page_size: int = 0,
    ) -> AsyncIterator[match_pb2.MatchSummary]:
        """Yield the matches, newest first; only those in a stage or of a player where asked."""
        request = match_service_pb2.ListMatchesRequest(
            stage=stage, player_id=player_id, page_size=page_size
        )
        while True:
            page = await self._ask(self._matches.ListMatches, request)
            for row in page.matches:
                yield row
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def match(self, match_id: str) -> match_pb2.Match:
        """Return what was agreed for a match, and where it stands."""
        request = match_service_pb2.GetMatchRequest(match_id=match_id)
        return (await self._ask(self._matches.GetMatch, request)).match

    async def presets(self) -> Sequence[match_service_pb2.Preset]:
        """Return the named rulesets."""
        request = match_service_pb2.ListPresetsRequest()
        return (await self._ask(self._matches.ListPresets, request)).presets

    async def join(self, match_id: str, seat: Seat | None = None) -> int:
        """Take a seat, that of a number or any that is free for you; return its number.

        Draws the nonce that this player brings to the shuffling, keeps it, and commits to it; and
        gives the public key, where this player signs. Raises as `signer` does.
        """
        # Who has no keys at hand signs only where everybody has to, and is told so there.
        signer = None if self.keys is None else await self.signer(match_id)
        try:
            return await self._join(match_id, seat, signer)
        except RefusedError as error:
            if error.reason != "KEY_MISSING":
                raise
        return await self._join(match_id, seat, await self.signer(match_id))

    async def _join(self, match_id: str, seat: Seat | None, signer: Signer | None) -> int:
        key = nonce_key(match_id, (await self.me()).id)
        commitment = nonce_commitment(kept_nonce(self.nonces, key))
        request = match_service_pb2.JoinMatchRequest(
            match_id=match_id,
            seat=seat,
            nonce_commitment=bytes.fromhex(commitment),
            request_id=new_request_id(),
            public_key=b"" if signer is None else signer.public_key,
        )
        return (await self._ask(self._matches.JoinMatch, request)).seat

    async def signer(self, match: match_pb2.Match | str) -> Signer | None:
        """Return who signs this player's moves at a match; None where they do not sign.

        Raises KeyLostError where they sit there with a key that is not kept here, KeyFileError,
        and SigningUnavailableError where no library for Ed25519 is installed.
        """
        if isinstance(match, str):
            match = await self.match(match)
        return signer_for(match, (await self.me()).id, self.keys_for(match.signing))

    def keys_for(self, signing: ruleset_pb2.SigningPolicy.ValueType) -> Keys | None:
        """Return the keys by which this client signs under a policy; None for none.

        Where everybody has to and none were given, they are keys that last as long as the client.
        """
        if self.keys is None and signing == ruleset_pb2.SIGNING_POLICY_REQUIRED:
            return self._own_keys
        return self.keys

    async def reveal_nonce(self, match_id: str) -> match_pb2.Match:
        """Open the commitment made when joining; a seat's session does it by itself.

        Raises KeyError where this client does not have the nonce.
        """
        nonce = self.nonces[nonce_key(match_id, (await self.me()).id)]
        request = match_service_pb2.RevealNonceRequest(
            match_id=match_id, nonce=nonce, request_id=new_request_id()
        )
        return (await self._ask(self._matches.RevealNonce, request)).match

    async def make_move(
        self, match_id: str, move: Move, expected_seq: int, request_id: str = ""
    ) -> match_service_pb2.MakeMoveResponse:
        """Make a move that was decided on the view of number `expected_seq`.

        `request_id` is drawn where empty; give one to send a move again later. The move is signed
        where this player signs: raises as `signer` does.
        """
        request = match_service_pb2.MakeMoveRequest(
            match_id=match_id,
            request_id=request_id or new_request_id(),
            expected_seq=expected_seq,
            move=move_message(move),
        )
        if self.keys is not None or match_id in self._signers:
            await self._sign(request, move)
        try:
            return await self._ask(self._matches.MakeMove, request)
        except RefusedError as error:
            if error.reason != "SIGNATURE_MISSING" or match_id in self._signers:
                raise
        await self._sign(request, move)
        return await self._ask(self._matches.MakeMove, request)

    async def _sign(self, request: match_service_pb2.MakeMoveRequest, move: Move) -> None:
        """Put this player's signature into the request for a move, where they sign."""
        match_id = request.match_id
        if match_id not in self._signers:
            self._signers[match_id] = await self.signer(match_id)
        signer = self._signers[match_id]
        if signer is None:
            return
        # A number that the match has not reached is refused as such.
        with suppress(NotFoundError):
            view = await self.position(match_id, request.expected_seq)
            named, request.signature = signer.sign(move, view)
            request.move.CopyFrom(move_message(named))

    async def view(self, match_id: str) -> match_pb2.View:
        """Return the match as you may see it now."""
        request = match_service_pb2.GetViewRequest(match_id=match_id)
        return (await self._ask(self._matches.GetView, request)).view

    async def pause(self, match_id: str) -> match_pb2.Match:
        """Halt the play and the clocks; for directors."""
        request = match_service_pb2.PauseMatchRequest(match_id=match_id)
        return (await self._ask(self._matches.PauseMatch, request, ONCE)).match

    async def resume(self, match_id: str) -> match_pb2.Match:
        """Let the play go on; for directors."""
        request = match_service_pb2.ResumeMatchRequest(match_id=match_id)
        return (await self._ask(self._matches.ResumeMatch, request, ONCE)).match

    async def reveal_secrets(self, match_id: str) -> match_pb2.Match:
        """Let the secrets of an ended match out; for directors."""
        request = match_service_pb2.RevealSecretsRequest(match_id=match_id)
        return (await self._ask(self._matches.RevealSecrets, request, ONCE)).match

    # --- playing and watching -----------------------------------------------------------------

    def sit(self, match_id: str, seat: Seat | None = None) -> SeatSession:
        """Return a session at a seat, which is taken as the session is entered."""
        return SeatSession(self, match_id, seat)

    async def play(self, match_id: str, bot: Bot, seat: Seat | None = None) -> Result:
        """Let `bot` play a match to its end, from taking a seat on.

        Raises what `SeatSession.play` raises.
        """
        async with self.sit(match_id, seat) as session:
            return await session.play(bot)

    def open_play(
        self,
    ) -> "grpc.aio.StreamStreamCall[match_service_pb2.PlayRequest, match_service_pb2.PlayResponse]":
        """Open a bare Play stream: no start is sent, nothing is resumed, nothing is checked."""
        return self._matches.Play(metadata=self.metadata)

    async def watch(
        self, match_id: str, after_seq: int = 0
    ) -> AsyncIterator[match_service_pb2.WatchResponse]:
        """Yield what happens in a match after event `after_seq`, until it has ended.

        A watch that breaks off is taken up again after the last event that was yielded, with a
        new snapshot and caught-up mark. Raises BrokenChainError where the events are no chain.
        """
        chain = Chain(match_id, after_seq)
        request = match_service_pb2.WatchRequest
        lagged = True
        while lagged:
            lagged = False
            updates = streamed(
                lambda: self._matches.Watch(
                    request(match_id=match_id, after_seq=chain.seq), metadata=self.metadata
                ),
                self.retry,
            )
            async for update in updates:
                lagged = update.HasField("lagged")
                if lagged or (
                    update.HasField("event")
                    and chain.add(update.event.line, update.event.seq) is None
                ):
                    continue
                yield update

    # --- the log ------------------------------------------------------------------------------

    async def log(self, match_id: str, after_seq: int = 0) -> AsyncIterator[bytes]:
        """Yield the stored lines after that of a number, without their line ends.

        They are not checked: that is an audit's task.
        """
        request = log_service_pb2.ReadLogRequest
        seen = after_seq
        pages = streamed(
            lambda: self._log.ReadLog(
                request(match_id=match_id, after_seq=seen), metadata=self.metadata
            ),
            self.retry,
        )
        async for page in pages:
            for line in page.lines:
                seen += 1
                yield line

    async def position(
        self,
        match_id: str,
        seq: int = 0,
        perspective: log_service_pb2.Perspective.ValueType = (
            log_service_pb2.PERSPECTIVE_UNSPECIFIED
        ),
    ) -> match_pb2.View:
        """Return the match as it stood after event `seq`, or after the last, in somebody's eyes."""
        request = log_service_pb2.GetPositionRequest(
            match_id=match_id, seq=seq, perspective=perspective
        )
        return (await self._ask(self._log.GetPosition, request)).view

    async def audit(
        self, match_id: str, *, receipt_hash: str = "", receipt_seq: int = 0
    ) -> log_service_pb2.AuditMatchResponse:
        """Let the server check all that a log lets be checked, and a hash that it gave earlier."""
        request = log_service_pb2.AuditMatchRequest(
            match_id=match_id, receipt_hash=receipt_hash, receipt_seq=receipt_seq
        )
        # A long log takes its time.
        patient = msgspec.structs.replace(self.retry, deadline=max(self.retry.deadline, 300.0))
        return await self._ask(self._log.AuditMatch, request, patient)

    async def key(self) -> str:
        """Return the verifier key of what the server signs of its log."""
        return (await self._ask(self._log.GetKey, log_service_pb2.GetKeyRequest())).key

    async def checkpoint(self, size: int = 0) -> log_service_pb2.GetCheckpointResponse:
        """Return what is signed of the whole log at a size, or last: to be kept."""
        request = log_service_pb2.GetCheckpointRequest(size=size)
        return await self._ask(self._log.GetCheckpoint, request)

    async def prove_inclusion(
        self, match_id: str, seq: int = 0
    ) -> log_service_pb2.ProveInclusionResponse:
        """Return the proof that a line, or the last, is in a log that was signed."""
        request = log_service_pb2.ProveInclusionRequest(match_id=match_id, seq=seq)
        return await self._ask(self._log.ProveInclusion, request)

    async def prove_consistency(
        self, old_size: int, new_size: int = 0
    ) -> log_service_pb2.ProveConsistencyResponse:
        """Return the proof that the log has only grown from one size to another, or the last."""
        request = log_service_pb2.ProveConsistencyRequest(old_size=old_size, new_size=new_size)
        return await self._ask(self._log.ProveConsistency, request)

    async def receipt(self, match_id: str) -> log_service_pb2.GetReceiptResponse:
        """Return the receipt of a match or a tournament as it is now."""
        request = log_service_pb2.GetReceiptRequest(match_id=match_id)
        return await self._ask(self._log.GetReceipt, request)

    async def evidence(
        self,
        match_id: str,
        dispute: int = 0,
        event: int = 0,
        heads: Mapping[str, bytes] | None = None,
    ) -> bytes:
        """Return the evidence bundle of a match, a zip file (docs/disputes.md).

        It is about a dispute, an event, or without either about the match's end. `heads` are files
        of kept hashes by who has kept them: `seat-0`, `seat-1`, `other-1`. For whoever has played
        the match, for directors and auditors.
        """
        kept = (heads or {}).items()
        request = log_service_pb2.GetEvidenceRequest(
            match_id=match_id,
            dispute=dispute,
            event=event,
            heads=[log_service_pb2.KeptHeads(holder=who, heads=raw) for who, raw in kept],
        )
        pieces: list[bytes] = []

        def begin() -> "grpc.aio.UnaryStreamCall[Any, log_service_pb2.GetEvidenceResponse]":
            # A call that is made again gives the file from its beginning.
            pieces.clear()
            return self._log.GetEvidence(request, metadata=self.metadata)

        async for response in streamed(begin, self.retry):
            pieces.append(response.piece)  # noqa: PERF401 -- `begin` starts the list anew
        return b"".join(pieces)


def new_request_id() -> str:
    """Return a request id that nobody has used."""
    return uuid4().hex
