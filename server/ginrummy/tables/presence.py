"""Whose seat has a stream open at which server: told by word of mouth, and in no log.

A player and an opponent may be at two servers. Each server says which seats are connected to it,
and every table of the match counts them, wherever it is in memory.
"""

from collections import Counter
from collections.abc import Mapping
from functools import partial

from ginrummy.rules.cards import Seat
from ginrummy.rules.match import BOTH_SEATS
from ginrummy.store import Hearsay
from ginrummy.store.hearsay import Key
from ginrummy.tables.table import Table

__all__ = ["Presence"]


class Presence:
    """What a server says of its tables' seats, and what it hears of them."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        """Look after the tables that are in memory, by their matches' ids; at first say nothing."""
        self._tables = tables
        self._hearsay: Hearsay | None = None
        self._here: Counter[tuple[str, Seat]] = Counter()
        """The streams that each seat has open here, where it has any."""

    def listen(self, hearsay: Hearsay) -> None:
        """Begin to speak and to listen, before any table is in memory."""
        self._hearsay = hearsay
        hearsay.follow(self._heard)

    def attend_to(self, table: Table) -> None:
        """Say from now on who is at a table, and let it know who is there at other servers."""
        if self._hearsay is None:
            return
        table.news.tell = partial(self._changed, table.match_id)
        for seat in BOTH_SEATS:
            self._note(table, seat)

    def _changed(self, match_id: str, seat: Seat, by: int) -> None:
        """Take in that a seat has so many streams more."""
        of = (match_id, seat)
        self._here[of] += by
        is_there = self._here[of] > 0
        if not is_there:
            del self._here[of]
        if self._hearsay is not None:
            self._hearsay.say(match_id, _key(seat), "connected" if is_there else None)

    def _heard(self, stream: str, key: Key, _by: str, _what: str | None) -> None:
        table = self._tables.get(stream)
        if table is None:
            return
        for seat in BOTH_SEATS:
            if key == _key(seat):
                self._note(table, seat)

    def _note(self, table: Table, seat: Seat) -> None:
        assert self._hearsay is not None
        said = self._hearsay.said_of(table.match_id).get(_key(seat), {})
        table.news.note_elsewhere(seat, len(said))


def _key(seat: Seat) -> Key:
    return ("seat", str(seat))
