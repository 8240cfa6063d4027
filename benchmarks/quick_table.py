"""A table without a server: two bots play in this process, and see what a server would send them.

    deck, dealer ──> decide ──> events ──> saw(event) ──> view ──> the bot's move ──> decide ...

What is left out is what no decision of a bot may follow from: the log's bytes, hashes and clocks.
"""

import inspect
import time
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from ginrummy.api.event_messages import event_message
from ginrummy.api.move_messages import move_from
from ginrummy.api.view_messages import Standing, view_message
from ginrummy.client.bot import HOOKS, Bot, HandEnds, decision
from ginrummy.client.moves import move_message
from ginrummy.log.deck import nonce_commitment
from ginrummy.log.lines import GENESIS, Line
from ginrummy.rules import hand as hands
from ginrummy.rules import match as matches
from ginrummy.rules.cards import DECK, BySeat, Deck, Seat
from ginrummy.rules.commands import Command, CreateMatch, Deal, Join, Move, Play, RevealNonce
from ginrummy.rules.events import Event, HandDealt, Limits, MatchCreated, MatchEnded
from ginrummy.rules.match import Ended, Match, Playing
from ginrummy.rules.ruleset import Ruleset
from ginrummy.rules.view import drawn_card, view
from ginrummy.tournaments.statistics.pairs import Pair
from ginrummy.v1 import events_pb2, match_pb2

__all__ = ["QuickTable", "decks", "duplicate_board", "play_hand", "play_match"]

_START = 1_795_992_538_000_000
_SECOND = 1_000_000
_NONCES = (b"\x01" * 16, b"\x02" * 16)


def decks(seed: int) -> Iterator[Deck]:
    """Yield decks without end; the same seed yields the same ones."""
    rng = Random(seed)
    while True:
        yield tuple(rng.sample(DECK, 52))


class QuickTable:
    """One match between two bots. Each is told every event as its seat may see it."""

    def __init__(self, bots: Sequence[Bot], rules: Ruleset, chain: int, match_id: str) -> None:
        """Seat the bots, 0 and 1; the match ends after `chain` hands at the latest."""
        self.match_id = match_id
        self.seconds: tuple[list[float], list[float]] = ([], [])
        """The processor time of each decision of each seat."""
        self._bots = bots
        self._match: Match | None = None
        self._seq = 0
        self._ends = (HandEnds(), HandEnds())
        # The bots that leave a hook out are not made a message for.
        self._hears = [any(hasattr(bot, hook) for hook in HOOKS) for bot in bots]
        terms = MatchCreated(
            rules=rules,
            clock=None,
            limits=Limits(),
            reveal="match",
            commitment="c0" * 32,
            chain=chain,
            seats=BySeat(None, None),
            board=None,
            first_dealer=None,
        )
        self._act(CreateMatch(terms))
        for seat, nonce in enumerate(_NONCES):
            named = f"p_{seat}"
            self._act(Join(_seat(seat), named, named, nonce_commitment(nonce), "player"))
        for seat, nonce in enumerate(_NONCES):
            self._act(RevealNonce(_seat(seat), nonce.hex()))

    @property
    def match(self) -> Match:
        """The match as it stands, all cards known."""
        assert self._match is not None
        return self._match

    def play(self, shuffled: Iterable[Deck], first_dealer: Seat) -> MatchEnded:
        """Play hands from these decks until the match has ended; return how it did.

        Raises IllegalMoveError where a bot's move is not allowed.
        """
        dealer: Seat | None = first_dealer
        for deck in shuffled:
            self._act(Deal(deck, dealer))
            dealer = None
            while isinstance(self.match, Playing):
                self._turn(self.match)
            if isinstance(self.match, Ended):
                return self.match.outcome
        raise ValueError("there are fewer decks than hands")

    def view(self, seat: Seat) -> match_pb2.View:
        """Return the match as a server would show it to a seat."""
        at = _START + _SECOND * self._seq
        standing = Standing(self.match_id, self._seq, GENESIS, at, (True, True))
        return view_message(view(self.match, seat), standing)

    def decided(self, seat: Seat, looked: match_pb2.View) -> Move:
        """Ask a seat's bot for the move that this view waits for."""
        begin = time.process_time()
        move = decision(self._bots[seat], looked)
        self.seconds[seat].append(time.process_time() - begin)
        if inspect.isawaitable(move):
            raise TypeError("a bot that has to be awaited cannot play at this table")
        return move

    def heard(self, seat: Seat, event: events_pb2.Event) -> None:
        """Tell a seat's bot of an event, and of the hand's end or the match's if it is that."""
        bot = self._bots[seat]
        over = self._ends[seat].add(event)
        _call(bot, "saw", event)
        if over is not None:
            _call(bot, "hand_over", over)
        if event.HasField("match_ended"):
            _call(bot, "match_over", event.match_ended)

    def _turn(self, playing: Playing) -> None:
        seat = hands.to_move(playing.hand)
        assert seat is not None
        move = self.decided(seat, self.view(seat))
        # Over the wire and back, as a server would read it.
        self._act(Play(seat, move_from(move_message(move))))

    def _act(self, command: Command) -> None:
        at = _START + _SECOND * self._seq
        for event in matches.decide(self._match, command, at):
            self._match = matches.evolve(self._match, event, at)
            if isinstance(event, HandDealt) and isinstance(command, Deal):
                self._match = matches.with_deck(self._match, command.deck)
            self._seq += 1
            self._tell(event, at)

    def _tell(self, event: Event, at: int) -> None:
        line = Line(
            raw=b"",
            hash=GENESIS,
            stream=self.match_id,
            seq=self._seq,
            at=at,
            by="server",
            cmd="",
            type="",
            v=1,
            event=event,
            prev=GENESIS,
            sig=None,
        )
        for seat in (0, 1):
            if self._hears[seat]:
                drawn = drawn_card(self.match, event, _seat(seat))
                self.heard(_seat(seat), event_message(line, drawn))


def play_hand(
    bots: Sequence[Bot], rules: Ruleset, deck: Deck, dealer: Seat, match_id: str = "m_1"
) -> QuickTable:
    """Let two bots play one hand, void or not, as a match of its own; return the table after it."""
    table = QuickTable(bots, rules, 1, match_id)
    table.play((deck,), dealer)
    return table


def play_match(bots: Sequence[Bot], rules: Ruleset, seed: int, match_id: str = "m_1") -> QuickTable:
    """Let two bots play a match from the decks of a seed; return the table after it."""
    table = QuickTable(bots, rules, 1000, match_id)
    table.play(decks(seed), _seat(seed % 2))
    return table


def duplicate_board(
    first: Sequence[Bot], second: Sequence[Bot], rules: Ruleset, deck: Deck, number: int
) -> tuple[Pair, tuple[QuickTable, QuickTable]]:
    """Play a board twice with seats swapped: the pair from the first side's point of view.

    Each side brings two bots, one for each hand, since a bot plays one match.
    """
    dealing = play_hand((first[0], second[0]), rules, deck, 0, f"m_{number}a")
    not_dealing = play_hand((second[1], first[1]), rules, deck, 0, f"m_{number}b")
    pair = Pair(as_dealer=_lead(dealing.match, 0), as_non_dealer=_lead(not_dealing.match, 1))
    return pair, (dealing, not_dealing)


def _lead(match: Match, seat: int) -> int:
    assert isinstance(match, Ended)
    return match.outcome.points[seat] - match.outcome.points[1 - seat]


def _seat(number: int) -> Seat:
    return 1 if number else 0


def _call(bot: Bot, hook: str, *what: object) -> None:
    method = getattr(bot, hook, None)
    if method is not None:
        method(*what)
