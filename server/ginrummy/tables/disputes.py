"""Disputes at the tables: opened, appealed and ruled on, and hands that are played again.

    a ruling ──> the match in which the hand is played again ──> its end ──> back into the match

What a ruling has played follows from the ruling: the match's id and its terms. So whoever sees to
it, in whatever process and however often, finds what was made before, and takes back once what has
come of it. A server sees to all of it at its start, and to each match as it ends.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from ginrummy.log.errors import LineError
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.record import record_of
from ginrummy.log.replays import (
    brought,
    replay_id,
    replay_limits,
    replay_origin,
    replay_request,
    replay_rules,
)
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import Command
from ginrummy.rules.disputes.commands import Appeal, OpenDispute, RuleOnDispute, TakeReplay
from ginrummy.rules.disputes.events import (
    DisputeReason,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.disputes.states import Dispute, Ruled
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import Event, HandDealt, MatchCreated
from ginrummy.rules.match import Ended
from ginrummy.store import MatchQuery, Store, StoreFailedError
from ginrummy.store.pages import Disputed
from ginrummy.tables.errors import LogDamagedError, NoSuchMatchError, StoppingError
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import SERVER, Request, Step, Table

__all__ = ["Disputes", "Heard", "replay_of"]

_AGAIN = 1.0
"""Seconds after which what the store kept from being done is tried again."""

_LONGEST_NAME = 100
_PAGE = 500


class Heard(NamedTuple):
    """What came of something that was asked for in a dispute, as it was when it happened."""

    dispute: Dispute
    match: Ended
    line: MatchLine
    """The last line that it caused."""


async def _to_nobody(_match_id: str) -> None:
    """Tell nobody that a result was adjusted."""


class Disputes:
    """The disputes over all matches of a card room."""

    def __init__(
        self,
        room: CardRoom,
        store: Store,
        adjusted: Callable[[str], Awaitable[None]] = _to_nobody,
    ) -> None:
        """Take the tables, and whom to tell of a match whose result may have been adjusted.

        `adjusted` may be told of the same more than once, and is told again at the next start.
        """
        self._room = room
        self._store = store
        self._adjusted = adjusted
        self._seeing_to: dict[str, asyncio.Task[None]] = {}
        room.when_over(self._over)

    async def start(self) -> None:
        """See to whatever was left undone when the server before this one ended."""
        for match_id in await self._disputed("replaying"):
            self._see_to_soon(match_id)
        for match_id in await self._disputed("adjusted"):
            await self._adjusted(match_id)

    async def close(self) -> None:
        """Leave what is under way to the next start."""
        tasks = list(self._seeing_to.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _disputed(self, wanted: Disputed) -> list[str]:
        found: list[str] = []
        query = MatchQuery(disputed=wanted, size=_PAGE)
        while True:
            page = await asyncio.to_thread(self._store.matches, query)
            found += [row.id for row in page.matches]
            if not page.next_token:
                return found
            query = MatchQuery(disputed=wanted, size=_PAGE, token=page.next_token)

    # --- what is asked for ------------------------------------------------------------------

    async def table(self, match_id: str) -> Table:
        """Return a match's table with all that any process has stored of it."""
        table = await self._room.table(match_id)
        await table.load()
        return table

    async def open(
        self,
        match_id: str,
        by: str,
        reason: DisputeReason,
        text: str,
        *,
        hand: int | None = None,
        event: int | None = None,
        request_id: str = "",
    ) -> Heard:
        """Dispute a hand, or the match as a whole, and return the dispute.

        Without `hand` it is the hand of which `event` is; without `event`, the last one of what is
        disputed. A repeated request is answered as it was the first time. Raises IllegalMoveError.
        """
        table = await self.table(match_id)
        record = await asyncio.to_thread(lambda: record_of(self._store.read(match_id)))
        if hand is None and event is not None:
            hand = record.hand_at(event)
        about = record.about(hand)
        if event is None:
            event = 0 if about is None else about.last
        wish = OpenDispute(by, about, event, reason, text)
        return await self._asked(table, Request(by, wish, request_id))

    async def appeal(
        self, match_id: str, by: str, dispute: int, text: str, *, request_id: str = ""
    ) -> Heard:
        """Appeal against a ruling, and return the dispute. Raises IllegalMoveError."""
        wish = Appeal(by, dispute, text)
        return await self._asked(await self.table(match_id), Request(by, wish, request_id))

    async def rule(self, match_id: str, wish: RuleOnDispute, *, request_id: str = "") -> Heard:
        """Rule on a dispute, and return it; a hand that is to be played again is set up by then.

        Raises IllegalMoveError.
        """
        heard = await self._asked(await self.table(match_id), Request(wish.by, wish, request_id))
        # Also where an appeal has called a replay off.
        await self.see_to(match_id)
        return heard

    async def _asked(self, table: Table, request: Request) -> Heard:
        steps = await self._acted(table, request)
        match, first = steps[-1].match, steps[0].line.event
        assert isinstance(match, Ended)
        number = getattr(first, "dispute", 0)
        return Heard(match.disputes[number - 1], match, steps[-1].line)

    async def _acted(self, table: Table, request: Request) -> tuple[Step, ...]:
        steps = await table.act(request)
        if any(_may_settle(step.line.event) for step in steps):
            await self._adjusted(table.match_id)
        return steps

    # --- hands that are played again --------------------------------------------------------

    def _over(self, table: Table) -> None:
        """See to the match of which a hand was played again at this table, now that it is over."""
        origin = table.match.terms.origin
        if origin is not None and origin.kind == "replay":
            self._see_to_soon(origin.match)

    def _see_to_soon(self, match_id: str) -> None:
        before = self._seeing_to.get(match_id)
        task = asyncio.ensure_future(self._seen_to(match_id, before))
        self._seeing_to[match_id] = task
        task.add_done_callback(lambda done: self._forget(match_id, done))

    def _forget(self, match_id: str, task: asyncio.Future[None]) -> None:
        if self._seeing_to.get(match_id) is task:
            del self._seeing_to[match_id]

    async def _seen_to(self, match_id: str, before: asyncio.Task[None] | None) -> None:
        """See to a match after whatever is doing so already, until it is done."""
        if before is not None:
            await asyncio.gather(before, return_exceptions=True)
        while True:
            try:
                await self.see_to(match_id)
            except StoreFailedError:
                await asyncio.sleep(_AGAIN)
            except (LogDamagedError, NoSuchMatchError, StoppingError):
                return  # whoever asks for the match is told
            else:
                return

    async def see_to(self, match_id: str) -> None:
        """Have every hand played again that a ruling wants to be, and take back what has come.

        What a ruling on appeal has called off is given up.
        """
        table = await self.table(match_id)
        match = table.match
        if not isinstance(match, Ended):
            return
        for dispute in match.disputes:
            for ruled in dispute.ruled:
                if ruled.ruling != "replay" or ruled.replay is not None:
                    continue
                if ruled is dispute.standing:
                    await self._play_again(table, match, dispute, ruled)
                else:
                    await self._call_off(replay_id(match_id, dispute.number, ruled.instance))

    async def _play_again(self, table: Table, match: Ended, dispute: Dispute, ruled: Ruled) -> None:
        lines = await asyncio.to_thread(lambda: list(self._store.read(table.match_id)))
        wish = _replay(table.match_id, match, dispute, ruled, lines)
        request_id = replay_request(table.match_id, dispute.number, ruled.instance)
        replay = await self._room.create(SERVER, wish, request_id)
        if not replay.closed:
            return
        assert isinstance(replay.match, Ended)
        back = TakeReplay(
            dispute=dispute.number,
            instance=ruled.instance,
            match=replay.match_id,
            seq=replay.seq,
            hash=replay.head_hash,
            reason=replay.match.outcome.reason,
            scored=brought(replay.match),
        )
        await self._take(table, back)

    async def _take(self, table: Table, back: Command) -> None:
        try:
            await self._acted(table, Request(SERVER, back))
        except IllegalMoveError:
            # Another process was first, or a ruling on appeal has called it off meanwhile.
            return

    async def _call_off(self, replay: str) -> None:
        if not await self._room.is_known(replay):
            return
        table = await self._room.table(replay)
        if not isinstance(table.match, Ended):
            await table.abort("aborted")


def _may_settle(event: Event) -> bool:
    """Say whether after an event the result may be another, or what it hung on has come."""
    match event:
        case ResultAdjusted() | HandReplayed():
            return True
        case DisputeRuled(instance=instance):
            # It may have called off what was awaited.
            return instance == 2
        case _:
            return False


def replay_of(match_id: str, dispute: Dispute) -> str | None:
    """Return the match by which a dispute's hand is, or was, played again; None for none."""
    for ruled in reversed(dispute.ruled):
        if ruled.ruling == "replay":
            return replay_id(match_id, dispute.number, ruled.instance)
    return None


def _replay(
    match_id: str, match: Ended, dispute: Dispute, ruled: Ruled, lines: list[bytes]
) -> NewMatch:
    """Return what the match is to be in which a hand is played again."""
    terms, hand = match.terms, dispute.hand
    assert hand is not None
    dealer, seq, hash_ = _place(match_id, hand, dispute.number, ruled.instance, lines)
    first, second = match.seats
    assert first is not None
    assert second is not None
    return NewMatch(
        rules=replay_rules(terms.rules),
        clock=terms.clock,
        limits=replay_limits(terms),
        seats=BySeat[str | None](first.player, second.player),
        name=_name(terms, hand),
        first_dealer=dealer,
        signing=terms.signing,
        dispute_ms=0,
        origin=replay_origin(match_id, seq, hash_, hand),
    )


def _name(terms: MatchCreated, hand: int) -> str:
    name = f"Hand {hand} again: {terms.name}" if terms.name else f"Hand {hand} again"
    return name[:_LONGEST_NAME]


def _place(
    match_id: str, hand: int, dispute: int, instance: int, lines: list[bytes]
) -> tuple[Seat, int, str]:
    """Return who dealt a hand, and the number and the hash of the ruling's line."""
    dealer: Seat | None = None
    try:
        for raw in lines:
            line = read_line(raw)
            match line.event:
                case HandDealt() as dealt if dealt.hand == hand:
                    dealer = dealt.dealer
                case DisputeRuled() as ruled if dealer is not None:
                    if (ruled.dispute, ruled.instance) == (dispute, instance):
                        return dealer, line.seq, line.hash
                case _:
                    pass
    except LineError as error:
        raise LogDamagedError(match_id, str(error)) from error
    raise LogDamagedError(match_id, f"it does not have hand {hand}, or the ruling on it")
