"""A seat's session: a Play stream that outlives its connection, with all that it says checked.

server ──> events, view ──> verifier ──> bot ──> move ──> server
             ^                                    │
             └── a new stream, after the last event seen: the unanswered move goes again ──┘
"""

import asyncio
import inspect
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from uuid import uuid4

import grpc

from ginrummy.client.bot import Bot, HandEnds, decision, tell, to_decide
from ginrummy.client.errors import (
    Answer,
    CallError,
    ForgedMoveError,
    InvalidRequestError,
    NonceLostError,
    RefusedError,
    ServerFaultError,
    StaleError,
    UnavailableError,
    call_error,
    refusal_error,
)
from ginrummy.client.moves import move_message
from ginrummy.client.nonces import nonce_key
from ginrummy.client.receipts import HeadKeeper, receipt_fault
from ginrummy.client.retry import Attempts
from ginrummy.client.verifier import Verifier
from ginrummy.log.lines import MatchLine
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Move, Resign
from ginrummy.v1.errors_pb2 import Refusal
from ginrummy.v1.events_pb2 import Event, MatchEnded
from ginrummy.v1.match_pb2 import STAGE_ENDED, View
from ginrummy.v1.match_service_pb2 import (
    PlayMove,
    PlayNonce,
    PlayRequest,
    PlayResponse,
    PlayStart,
)

if TYPE_CHECKING:
    from ginrummy.client.client import Client
    from ginrummy.client.signing import Signer

__all__ = ["Result", "SeatSession"]

_NOBODYS_FAULT = ("MATCH_OVER", "MATCH_PAUSED", "TIME_OVER")
"""Why a move is refused that was right when it was decided."""


class Result(NamedTuple):
    """How a match ended for a seat, and what of it was proved."""

    seat: int
    outcome: MatchEnded
    checked: int
    """Hands whose every card this seat saw was checked against the committed deck."""
    unchecked: int
    """Hands whose secret is not out, so that they could not be checked."""


class SeatSession:
    """One player at one match: `async with client.sit(match_id) as seat`.

    `play` lets a bot play to the end. Without a bot: `wait` for a view, and answer it by `move`
    where `to_decide` says that there is something to decide. Either reveals the nonce when it is
    due, connects again as often as needed, and raises BrokenChainError or TamperedDeckError as
    soon as something that the server sent does not fit.
    """

    def __init__(self, client: "Client", match_id: str, seat: Seat | None) -> None:
        """Prepare to sit down; nothing is sent before the session is entered."""
        self.match_id = match_id
        self.verifier = Verifier(match_id)
        self._client = client
        self._wanted = seat
        self._key = ""
        self._attempts = Attempts(client.retry)
        self._call: grpc.aio.StreamStreamCall[PlayRequest, PlayResponse] | None = None
        self._fresh = True
        """No view has come over this stream yet."""
        self._nonce_sent = False
        self._pending: PlayMove | None = None
        """The move that is not known to be answered."""
        self._waiting: asyncio.Task[View] | None = None
        """The wait for news that goes on while a bot thinks."""
        self._view: View | None = None
        self._signer: Signer | None = None
        """Who signs the moves; None where they are not signed."""
        self._keeper: HeadKeeper | None = None
        """Who writes down what is told, where receipts are kept."""
        self._last_line = b""
        self._untold: list[Event] = []
        self._hand_ends = HandEnds()

    async def __aenter__(self) -> Self:
        me = await self._client.me()
        match = await self._client.match(self.match_id)
        self._signer = await self._client.signer(match)
        if me.id not in (seat.player_id for seat in match.seats):
            await self._client.join(self.match_id, self._wanted)
        self._key = nonce_key(self.match_id, me.id)
        public_key = "" if self._signer is None else self._signer.public_key.hex()
        nonce = self._client.nonces.get(self._key)
        self.verifier = Verifier(self.match_id, nonce, me.id, public_key)
        if self._client.receipts is not None:
            self._keeper = HeadKeeper(self._client.receipts, self._key)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._waiting is not None:
            await _cancelled(self._waiting)
        self._hang_up()

    @property
    def view(self) -> View | None:
        """The last view; None before the first `wait`."""
        return self._view

    async def wait(self) -> View:
        """Return the next view that the server sends; the first is that of the present state.

        One comes when this seat has something to decide, and at the end of a hand and of the match.
        """
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            return await waiting
        return await self._news()

    async def move(self, move: Move) -> View:
        """Make a move that was decided on the last view; return the next one.

        Raises RefusedError where it is not allowed, InvalidRequestError where it cannot be read,
        and StaleError where the match had gone on.
        """
        if self._view is None:
            raise ValueError("a move answers a view: wait for one first")
        signature = b""
        if self._signer is not None:
            move, signature = self._signer.sign(move, self._view)
        self._pending = PlayMove(
            request_id=uuid4().hex,
            expected_seq=self._view.seq,
            move=move_message(move),
            signature=signature,
        )
        await self._write(PlayRequest(move=self._pending))
        return await self.wait()

    async def resign(self) -> None:
        """Give up the match, whoever's turn it is."""
        seq = self.verifier.chain.seq
        while True:
            try:
                await self._client.make_move(self.match_id, Resign(), seq)
            except StaleError as error:
                if error.seq is None:
                    raise
                seq = error.seq
            else:
                return

    async def play(self, bot: Bot) -> Result:
        """Let `bot` make the decisions until the match has ended.

        Raises what its methods raise, and the RefusedError or InvalidRequestError of a move of
        its own unless it has a method `refused`.
        """
        view = self._view or await self.wait()
        while True:
            await self._tell(bot)
            if view.stage == STAGE_ENDED:
                break
            view = await self._turn(bot, view) if to_decide(view) else await self.wait()
        await self._read_rest()
        await self._keep_receipt()
        self._client.nonces.pop(self._key, None)
        await tell(bot, "match_over", view.outcome)
        checked = self.verifier.checked
        return Result(view.seat, view.outcome, checked, self.verifier.dealt - checked)

    async def _turn(self, bot: Bot, view: View) -> View:
        """Ask the bot, make its move, and return the view to go on with."""
        move = await self._decided(bot, view)
        if move is None:
            return await self.wait()
        try:
            return await self.move(move)
        except StaleError:
            # A new stream begins with the present state and all events up to it.
            self._hang_up()
            return await self.wait()
        except (RefusedError, InvalidRequestError) as error:
            if error.reason in _NOBODYS_FAULT:
                return await self.wait()
            if not hasattr(bot, "refused"):
                raise
            await tell(bot, "refused", view, error)
            return view

    async def _decided(self, bot: Bot, view: View) -> Move | None:
        """Return what the bot decides on `view`, or None where the match has gone on meanwhile."""
        wish = decision(bot, view)
        if not inspect.isawaitable(wish):
            return wish
        deciding = asyncio.ensure_future(wish)
        try:
            while True:
                if self._waiting is None:
                    self._waiting = asyncio.create_task(self._news())
                await asyncio.wait((deciding, self._waiting), return_when=asyncio.FIRST_COMPLETED)
                if not self._waiting.done():
                    return await deciding
                if self._waiting.exception() is not None or self._waiting.result().seq != view.seq:
                    return None
                # Only the connection was made anew.
                self._waiting = None
        finally:
            await _cancelled(deciding)

    async def _tell(self, bot: Bot) -> None:
        """Tell the bot what has happened since it was last told."""
        untold, self._untold = self._untold, []
        for event in untold:
            await tell(bot, "saw", event)
            hand = self._hand_ends.add(event)
            if hand is not None:
                await tell(bot, "hand_over", hand)

    async def _read_rest(self) -> None:
        """Read the secrets that came out after the last message, unless they wait for somebody."""
        if self.verifier.checked < self.verifier.dealt and self.verifier.reveals_at_end:
            # The match is over and told: a server that has gone away only leaves hands unchecked.
            with suppress(UnavailableError):
                async for line in self._client.log(self.match_id, self.verifier.chain.seq):
                    self._add(Event(seq=self.verifier.chain.seq + 1, line=line))

    async def _keep_receipt(self) -> None:
        """Fetch the receipt of the whole match, and keep it beside the hashes."""
        if self._client.receipts is None:
            return
        # The match is over and told: a server that has gone away leaves the hashes at least.
        with suppress(CallError):
            found = await self._client.receipt(self.match_id)
            seq = self.verifier.chain.seq
            if found.seq == seq:
                why = receipt_fault(found.receipt, self.match_id, self._last_line)
                if why is not None:
                    raise self.verifier.chain.fault(seq, f"its receipt does not prove it: {why}")
            self._client.receipts.keep_receipt(self._key, found.receipt)

    # --- the stream -----------------------------------------------------------------------------

    async def _news(self) -> View:
        """Return the next view that brings anything new.

        Raises the error that a refusal of the pending move means.
        """
        while True:
            response = await self._response()
            for event in response.events:
                self._take_in(event)
            if response.HasField("refusal"):
                await self._take_refusal(response.refusal)
            if not response.HasField("view") or response.view.seq < self.verifier.chain.seq:
                continue
            view, fresh = response.view, self._fresh
            if view.seq > self.verifier.chain.seq and not fresh:
                # The events up to it are missing; a new stream has to bring them.
                self._hang_up()
                continue
            self.verifier.saw(view)
            self._fresh = False
            if view.nonce_due:
                await self._reveal_nonce()
            if self._pending is None or view.seq != self._pending.expected_seq:
                self._pending = None
                self._view = view
                return view
            if fresh:
                # The match stands as it did when the move was sent: it may not have arrived.
                await self._write(PlayRequest(move=self._pending))

    def _take_in(self, event: Event) -> None:
        line = self._add(event)
        if line is not None:
            self._untold.append(event)
            if self._pending is not None and line.cmd == self._pending.request_id:
                self._check_signature(line, self._pending.signature)
                self._pending = None

    def _check_signature(self, line: MatchLine, sent: bytes) -> None:
        """Check that a move of one's own is recorded as it was sent, and not as it was not."""
        if line.by != self.verifier.player_id or (line.sig or "") == sent.hex():
            return
        what = "this seat's own move is recorded with another signature than it was sent with"
        raise ForgedMoveError(what, match_id=self.match_id, seq=line.seq)

    def _add(self, event: Event) -> MatchLine | None:
        """Check an event, and keep its hash where receipts are kept; None if it came before."""
        line = self.verifier.add(event)
        if line is not None and self._keeper is not None:
            self._last_line = line.raw
            first = self._keeper.keep(line.seq, line.hash, line.at)
            if first != line.hash:
                raise self.verifier.chain.fault(
                    line.seq, f"it had the hash {first} when it was told first, not {line.hash}"
                )
        return line

    async def _take_refusal(self, refusal: Refusal) -> None:
        error = refusal_error(refusal)
        if isinstance(error, UnavailableError):
            # The server is stopping: what waits for an answer goes out again on a new stream.
            self._hang_up()
            await self._attempts.failed(error)
        elif not refusal.request_id:
            # That of a nonce, which may have been out already.
            if error.reason != "NOT_ALLOWED_NOW":
                raise error
        elif self._pending is not None and refusal.request_id == self._pending.request_id:
            self._pending = None
            raise error

    async def _reveal_nonce(self) -> None:
        if self._nonce_sent:
            return
        nonce = self._client.nonces.get(self._key)
        if nonce is None:
            raise NonceLostError(
                f"{self.match_id} waits for the nonce that you committed to when joining, and it "
                f"is not kept here: use the `nonces` that you joined with"
            )
        self._nonce_sent = True
        await self._write(PlayRequest(nonce=PlayNonce(nonce=nonce)))

    async def _response(self) -> PlayResponse:
        """Return the stream's next message, from a new stream where the old one has ended."""
        while True:
            if self._call is None:
                await self._open()
            assert self._call is not None
            failure: CallError
            try:
                response = await self._call.read()
                if isinstance(response, PlayResponse):
                    self._attempts.succeeded()
                    return response
                told = Answer(grpc.StatusCode.UNAVAILABLE, "the stream ended before the match")
                failure = UnavailableError(told)
            except grpc.aio.AioRpcError as error:
                failure = call_error(error)
                if isinstance(failure, ServerFaultError) and not failure.reason:
                    # No server of ours says so. What is sent onto a stream that is just ending
                    # takes its status away from it, and only a new one tells.
                    failure = UnavailableError(failure.answer)
                failure.__cause__ = error
            self._hang_up()
            if failure.reason == "NO_SUCH_EVENT":
                # Nothing was asked for but what comes after an event that the server has told.
                seq = self.verifier.chain.seq
                raise self.verifier.chain.fault(seq, "the server has lost it since it was told")
            await self._attempts.failed(failure)

    async def _open(self) -> None:
        self._fresh = True
        self._nonce_sent = False
        start = PlayStart(match_id=self.match_id, after_seq=self.verifier.chain.seq)
        call = self._client.open_play()
        await _write(call, PlayRequest(start=start))
        # Only now: a move made meanwhile must not overtake the start.
        self._call = call

    async def _write(self, request: PlayRequest) -> None:
        if self._call is not None:
            await _write(self._call, request)

    def _hang_up(self) -> None:
        if self._call is not None:
            self._call.cancel()
            self._call = None


async def _write(
    call: "grpc.aio.StreamStreamCall[PlayRequest, PlayResponse]", request: PlayRequest
) -> None:
    """Send a message on a stream; if it has ended, the next read says why."""
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await call.write(request)


async def _cancelled(task: "asyncio.Future[Any]") -> None:
    """Cancel a task and wait until it has taken notice."""
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task
