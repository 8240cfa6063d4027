"""Two servers with the same log that differ only in what a viewer may not know.

The log is public, so it is the same line by line. What differs lies in the operator's database
alone: the secrets of the hands, and with them every card that the viewer has not seen.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TypeAlias
from unittest.mock import patch

from support_logs import Table as Played

from ginrummy.api.auth import Caller
from ginrummy.log import boards
from ginrummy.log import deck as decks
from ginrummy.log.boards import secret_number
from ginrummy.log.deck import SecretChain, Shuffle
from ginrummy.log.fold import Fold, shuffle_for
from ginrummy.log.lines import MatchLine
from ginrummy.rules.cards import BySeat, CardSet, Deck, cards_in
from ginrummy.rules.events import Board, DiscardTaken, HandDealt
from ginrummy.rules.hand import Counting, Finished, Hand, LayingOff
from ginrummy.rules.match import Ended, Match, Playing, hands_dealt
from ginrummy.store import BOARDS_SECRET, CHAIN_SECRET, Append, GroupCommit, Head, MemoryStore
from ginrummy.tables.room import CardRoom

__all__ = ["Eyes", "Position", "opened", "other_decks", "positions", "rigged", "worlds"]

Eyes: TypeAlias = int | None
"""A seat's number; None for a spectator."""

_CHAIN = 1000


@dataclass(frozen=True)
class Position:
    """A match as it stood after one of its commands, and everything that is known of it."""

    match_id: str
    lines: tuple[MatchLine, ...]
    players: BySeat[str]
    secrets: SecretChain
    match: Match
    hands: tuple[Hand, ...]
    """Every hand that was dealt, as it ended or stands; those whose secrets are not out."""

    def caller(self, eyes: Eyes) -> Caller:
        """Return who it is that looks."""
        if eyes is None:
            return Caller("p_" + "e" * 26, "Eve", "player")
        return Caller(self.players[eyes], "Alice" if eyes == 0 else "Bob", "player")


def positions(
    number: int, seed: int, a_match: int = 12, *, dispute_ms: int = 0
) -> Iterator[Position]:
    """Yield random positions of random matches, `a_match` of each.

    They may be disputed for `dispute_ms` after their end.
    """
    rng = random.Random(seed)
    presets = ("standard", "classic", "straight", "oklahoma", "eaai")
    for index in range(number // a_match):
        played = Played(
            seed * 100_000 + index,
            presets[index % len(presets)],
            # Where a director lets the secrets out, all is hidden after the match's end as well.
            reveal="director" if index % 3 else "match",
            chain=_CHAIN,
            hands=2 if index % 4 == 0 else 1,
            board=index + 1 if index % 6 == 1 else None,
            dispute_ms=dispute_ms,
        )
        played.seated().play()
        yield from _some_positions(played, rng, a_match)


def _some_positions(played: Played, rng: random.Random, number: int) -> Iterator[Position]:
    fold = Fold(played.secrets)
    states = [fold.add(line) for line in played.lines]
    lines = played.lines
    deal = next(place for place, line in enumerate(lines) if line.type == "hand_dealt")
    ends = [
        place
        for place in range(deal, len(lines))
        # What one command causes is stored as one: nobody ever sees the half of it.
        if (place + 1 == len(lines) or lines[place + 1].cmd != lines[place].cmd)
        and not (isinstance(states[place], Ended) and _revealed(states[place]))
    ]
    late = [place for place in ends if isinstance(_hand_of(states[place]), LayingOff | Finished)]
    for _ in range(number):
        # Knocks and ends are a few positions in many.
        end = rng.choice(late if late and rng.random() < 0.25 else ends)
        hands = {hands_dealt(state): _hand_of(state) for state in states[deal : end + 1]}
        yield Position(
            match_id=played.stream,
            lines=tuple(lines[: end + 1]),
            players=played.players,
            secrets=played.secrets,
            match=states[end],
            hands=tuple(hands.values()),
        )


def _revealed(match: Match) -> int:
    return getattr(match, "revealed", 0)


def _hand_of(match: Match) -> Hand:
    hand = match.hand if isinstance(match, Playing) else getattr(match, "last", None)
    assert hand is not None
    return hand


# --- the other world ----------------------------------------------------------------------------


def other_decks(position: Position, eyes: Eyes, rng: random.Random) -> list[Deck]:
    """Return a deck for every hand that the viewer could not tell from the real one."""
    found: list[Deck] = []
    for hand in position.hands:
        deck = hand.layout.dealt.deck
        assert deck is not None
        unseen = _unseen(position, hand, eyes)
        places = [place for place, card in enumerate(deck) if unseen & card.bit]
        anew = list(deck)
        cards = rng.sample(cards_in(unseen), len(places))
        for place, card in zip(places, cards, strict=True):
            anew[place] = card
        found.append(tuple(anew))
    return found


def _unseen(position: Position, hand: Hand, eyes: Eyes) -> CardSet:
    """Return the cards of a hand of which the viewer may not know where they lie."""
    layout, deck = hand.layout, hand.layout.dealt.deck
    assert deck is not None
    unseen = sum(card.bit for card in deck[52 - layout.stock :])
    for seat in (0, 1):
        if seat != eyes:
            unseen |= layout.hands[seat] & ~layout.shown[seat]
    if isinstance(hand, LayingOff | Counting | Finished):
        knocked = hand.knocked
        if knocked is not None and knocked.seat != eyes:
            # A face-down card that was taken from the pile before has been seen there.
            unseen |= layout.face_down & ~_taken(position, layout.dealt.number)
    return unseen


def _taken(position: Position, number: int) -> CardSet:
    taken: CardSet = 0
    present = 0
    for line in position.lines:
        if isinstance(line.event, HandDealt):
            present = line.event.hand
        if isinstance(line.event, DiscardTaken) and present == number:
            taken |= line.event.card.bit
    return taken


# --- servers of both ----------------------------------------------------------------------------

_RIGGED: dict[bytes, Shuffle] = {}


@contextmanager
def rigged() -> Iterator[None]:
    """Let the secrets of other worlds stand for the decks that they were given."""

    def shuffle(secret: bytes, match: str, hand: int, nonces: BySeat[bytes]) -> Shuffle:
        return _RIGGED.get(secret) or decks.shuffle(secret, match, hand, nonces)

    def sitting_deck(secret: bytes, board: Board, match: str) -> Shuffle:
        return _RIGGED.get(secret) or boards.sitting_deck(secret, board, match)

    with (
        patch("ginrummy.log.fold.shuffle", shuffle),
        patch("ginrummy.log.fold.sitting_deck", sitting_deck),
    ):
        yield
    _RIGGED.clear()


def worlds(position: Position, eyes: Eyes, rng: random.Random) -> tuple[bytes, bytes, bool]:
    """Return the end of the secrets' chain in both worlds, and whether their cards differ."""
    other = SecretChain(rng.randbytes(32))
    anew = other_decks(position, eyes, rng)
    real: list[Deck] = []
    for hand in range(1, len(anew) + 2):
        found = shuffle_for(position.match, position.match_id, hand, position.secrets)
        if found is None:
            # A board has one hand.
            break
        real.append(found.deck)
        if hand <= len(anew):
            found = Shuffle(anew[hand - 1], found.first_dealer)
        _RIGGED[other.secret(secret_number(position.match.terms, hand))] = found
    return position.secrets.secret(_CHAIN), other.secret(_CHAIN), real[: len(anew)] != anew


Room: TypeAlias = tuple[CardRoom, MemoryStore]


class _AtOnce(GroupCommit):
    """Commits without a thread of its own: thousands of card rooms are opened here."""

    def append(self, append: Append) -> "asyncio.Future[Head]":
        future: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
        (outcome,) = self._store.append([append])
        assert isinstance(outcome, Head)
        future.set_result(outcome)
        return future


@asynccontextmanager
async def opened(position: Position, chain_end: bytes) -> AsyncIterator[Room]:
    """Open a card room whose store has the position's log and this secret."""
    store = MemoryStore()
    board = position.match.terms.board
    if board is None:
        store.keep_secret(position.match_id, CHAIN_SECRET, chain_end)
    else:
        store.keep_secret(board.tournament, BOARDS_SECRET, chain_end)
    store.append([Append(position.match_id, 0, position.lines)])
    now = position.lines[-1].at + 1000
    room = CardRoom(store, _AtOnce(store), lambda: now, random.Random(1).randbytes)
    yield room, store
    await room.close()
