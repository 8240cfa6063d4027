"""What the processes that share a store say of themselves, by word of mouth.

Who is connected where, and who is called to which table, is for nobody to look up later. So it is
not in the log, and not in the database: each process says what is so at its place, and all others
remember it until they hear otherwise.

    here   a change ──> numbered, told to all          there   the next number: taken in
           every few seconds: "I am at change 17"              a gap, or a stranger: "say all again"
           all of it again, in parts                           nothing heard for a while: forgotten

Words may be lost, and a process may die in the middle of one: what is remembered is right again a
few seconds later.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from os import urandom
from time import monotonic
from typing import Literal, TypeAlias

import msgspec

from ginrummy.store.errors import StoreError
from ginrummy.store.membership import LONGEST_WORDS, Membership

__all__ = ["Hearsay", "Key", "Listener"]

Key: TypeAlias = tuple[str, ...]
"""What is said of a stream: which seat, which session, which call."""

Listener: TypeAlias = Callable[[str, Key, str, str | None], None]
"""Is told of a stream, a key of it, and the process by which what is said; None is said no more."""

_GATHER = 0.02
"""Seconds that further changes are gathered for."""

_HERE = 2.0
"""Seconds between two signs of life."""

_GONE = 7.0
"""Seconds without a sign of life after which what a process has said is forgotten."""

_ASK_AGAIN = 1.0
"""Seconds after which a process is asked once more to say all again."""


class _Said(msgspec.Struct, frozen=True, array_like=True):
    """One thing that is so at one process."""

    stream: str
    key: Key
    what: str | None
    """None where it is so no more."""


class _Words(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message."""

    by: str
    """Which process speaks: drawn anew whenever one starts."""
    turn: int
    """The number of its last change, this one's where it is one."""
    what: Literal["change", "here", "all", "again", "bye"]
    said: tuple[_Said, ...] = ()
    part: int = 0
    parts: int = 1
    """Which part of all that it says this is, and of how many."""
    whom: str = ""
    """Who is to say all again; empty for everybody."""


class _Other:
    """What is known of another process."""

    def __init__(self) -> None:
        self.turn: int | None = None
        """The last of its changes that was taken in; None before all was heard once."""
        self.heard_at = monotonic()
        self.asked_at = 0.0
        self.said: dict[tuple[str, Key], str] = {}
        self.parts: dict[int, tuple[_Said, ...]] = {}
        """The parts that were heard of all that it says again."""
        self.parts_turn = 0


class Hearsay:
    """One process's ear and voice among those that share a store, in its event loop.

    Until it has begun, and where nobody else can be there, nothing that is said goes anywhere.
    """

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.name = urandom(8).hex()
        """What the others know this process by."""
        self._member: Membership | None = None
        self._own: dict[tuple[str, Key], str] = {}
        self._others: dict[str, _Other] = {}
        self._of: dict[str, dict[Key, dict[str, str]]] = {}
        """What others say, by the stream, the key, and who says it."""
        self._listeners: list[Listener] = []
        self._turn = 0
        self._changes: list[_Said] = []
        self._to_say: list[_Words] = []
        self._say_all = False
        self._due = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self, member: Membership) -> None:
        """Begin to speak and to listen, where there may be others."""
        if member.is_shared:
            self._member = member
            self._to_say.append(self._words("again"))
            self._due.set()
            self._tasks = [
                asyncio.create_task(self._speak()),
                asyncio.create_task(self._keep_alive()),
            ]

    async def end(self) -> None:
        """Say farewell: all others forget at once what was said here."""
        member, self._member = self._member, None
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if member is not None and not member.away:
            # Where it does not come through, they forget it a little later.
            with suppress(StoreError):
                await asyncio.to_thread(member.tell, [_ENCODER.encode(self._words("bye"))])

    # --- speaking ---------------------------------------------------------------------------

    def say(self, stream: str, key: Key, what: str | None) -> None:
        """Let all others know that this is so here, or with None that it is so no more."""
        if self._member is None or self._own.get((stream, key)) == what:
            return
        if what is None:
            del self._own[stream, key]
        else:
            self._own[stream, key] = what
        self._changes.append(_Said(stream, key, what))
        self._due.set()

    async def _speak(self) -> None:
        while True:
            await self._due.wait()
            await asyncio.sleep(_GATHER)
            self._due.clear()
            words = [*self._changed(), *self._to_say]
            self._to_say = []
            if self._say_all:
                self._say_all = False
                words += self._all()
            member = self._member
            if words and member is not None:
                # Whoever misses a number asks for all.
                with suppress(StoreError):
                    await asyncio.to_thread(member.tell, [_ENCODER.encode(each) for each in words])

    async def _keep_alive(self) -> None:
        spoken_at = monotonic()
        while True:
            await asyncio.sleep(_HERE / 4)
            now = monotonic()
            if now - spoken_at >= _HERE:
                spoken_at = now
                self._to_say.append(self._words("here"))
                self._due.set()
            since = now - _GONE
            for name in [name for name, each in self._others.items() if each.heard_at < since]:
                self._forget(name)

    def _changed(self) -> Iterator[_Words]:
        changes, self._changes = self._changes, []
        for part in _parted(changes):
            self._turn += 1
            yield self._words("change", part)

    def _all(self) -> Iterator[_Words]:
        parts = list(_parted([_Said(*of, what) for of, what in self._own.items()])) or [()]
        for number, part in enumerate(parts):
            words = self._words("all", part)
            yield msgspec.structs.replace(words, part=number, parts=len(parts))

    def _words(
        self,
        what: Literal["change", "here", "all", "again", "bye"],
        said: tuple[_Said, ...] = (),
        whom: str = "",
    ) -> _Words:
        return _Words(self.name, self._turn, what, said, whom=whom)

    # --- listening --------------------------------------------------------------------------

    def follow(self, listener: Listener) -> None:
        """Tell the listener of every change of what others say."""
        self._listeners.append(listener)

    def said_of(self, stream: str) -> Mapping[Key, Mapping[str, str]]:
        """Return what others say of a stream: by the key, and by who says it."""
        return self._of.get(stream, {})

    def hear(self, told: Iterable[bytes]) -> None:
        """Take in what others have told."""
        for raw in told:
            # Another version may speak of what is not known here.
            with suppress(msgspec.MsgspecError):
                self._hear(_DECODER.decode(raw))

    def forget_all(self) -> None:
        """Know nothing of the others any more, as whoever is cut off from them."""
        for name in list(self._others):
            self._forget(name)

    def _hear(self, words: _Words) -> None:
        if words.by == self.name or self._member is None:
            return
        if words.what == "bye":
            self._forget(words.by)
            return
        other = self._others.setdefault(words.by, _Other())
        other.heard_at = monotonic()
        if words.what == "again":
            if words.whom in ("", self.name):
                self._say_all = True
                self._due.set()
        elif words.what == "all":
            self._hear_all(words, other)
        elif other.turn is not None and words.turn <= other.turn:
            return  # it is known
        elif words.what == "change" and other.turn is not None and words.turn == other.turn + 1:
            other.turn = words.turn
            for said in words.said:
                self._take_in(words.by, other, said)
        else:
            self._ask_again(words.by, other)
        if other.turn is None and words.what == "again":
            self._ask_again(words.by, other)

    def _ask_again(self, name: str, other: _Other) -> None:
        if monotonic() - other.asked_at >= _ASK_AGAIN:
            other.asked_at = monotonic()
            self._to_say.append(self._words("again", whom=name))
            self._due.set()

    def _hear_all(self, words: _Words, other: _Other) -> None:
        if other.turn is not None and words.turn <= other.turn:
            return
        if other.parts_turn != words.turn or words.part == 0:
            other.parts_turn, other.parts = words.turn, {}
        other.parts[words.part] = words.said
        if len(other.parts) < words.parts:
            return
        all_said = [said for part in other.parts.values() for said in part]
        other.turn, other.parts = words.turn, {}
        now = {(said.stream, said.key) for said in all_said}
        for stream, key in other.said.keys() - now:
            self._take_in(words.by, other, _Said(stream, key, None))
        for said in all_said:
            self._take_in(words.by, other, said)

    def _take_in(self, name: str, other: _Other, said: _Said) -> None:
        of = (said.stream, said.key)
        if other.said.get(of) == said.what:
            return
        if said.what is None:
            del other.said[of]
            self._drop(name, *of)
        else:
            other.said[of] = said.what
            self._of.setdefault(said.stream, {}).setdefault(said.key, {})[name] = said.what
        for listener in self._listeners:
            listener(said.stream, said.key, name, said.what)

    def _drop(self, name: str, stream: str, key: Key) -> None:
        of = self._of[stream]
        del of[key][name]
        if not of[key]:
            del of[key]
        if not of:
            del self._of[stream]

    def _forget(self, name: str) -> None:
        other = self._others.pop(name, None)
        if other is not None:
            for stream, key in list(other.said):
                self._take_in(name, other, _Said(stream, key, None))


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Words)

_FRAME = 200
"""Bytes of a message beside what is said in it."""


def _parted(said: Iterable[_Said]) -> Iterator[tuple[_Said, ...]]:
    """Yield what is said in parts that are no longer than words may be."""
    part: list[_Said] = []
    size = _FRAME
    for each in said:
        bytes_of_it = len(_ENCODER.encode(each)) + 1
        if part and size + bytes_of_it > LONGEST_WORDS:
            yield tuple(part)
            part, size = [], _FRAME
        part.append(each)
        size += bytes_of_it
    if part:
        yield tuple(part)
