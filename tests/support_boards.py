"""One board of a tournament, as the tests open it at several tables."""

import hashlib

from ginrummy.log.boards import mix_of
from ginrummy.log.deck import SecretChain
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import Board
from ginrummy.rules.ruleset import PRESETS
from ginrummy.store import BOARDS_SECRET, Store
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import SERVER, Table

TOURNAMENT = "t_3d8zq1h5w9n4kx7vr2cm6yj0gb"

LAST = hashlib.sha256(b"the last board's secret").digest()

BOARDS = SecretChain(LAST, 40)
"""The secrets of a tournament's boards."""

MIX = mix_of({"p_alice": b"a" * 16, "p_bob": b"b" * 16})


def board(number: int = 7, mix: str = MIX) -> Board:
    """Return a board of the tournament."""
    return Board(TOURNAMENT, number, mix)


def sitting(seats: BySeat[str], preset: str = "standard") -> NewMatch:
    """Return what is wished of a sitting at which these players sit."""
    return NewMatch(
        rules=PRESETS[preset], reveal="director", seats=BySeat(*seats), name="Winter Open, board 7"
    )


async def opened_board(
    room: CardRoom,
    store: Store,
    players: BySeat[BySeat[str]],
    *,
    number: int = 7,
    request_id: str = "r1-t4-b7-h1",
) -> Table:
    """Return the table of a board, dealt, at which these players sit, given as id and name."""
    store.keep_secret(TOURNAMENT, BOARDS_SECRET, LAST)
    wish = sitting(BySeat(players[0][0], players[1][0]))
    names = BySeat(players[0][1], players[1][1])
    return await room.open_board(SERVER, wish, names, board(number), BOARDS, request_id)
