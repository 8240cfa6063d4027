"""OpenSpiel's gin_rummy played beside ours, move for move, with every known difference asserted.

The differences are those of docs/rules.md, *Other engines*. Where one shows itself, the helper
states what each side does and counts it; a difference that is not known fails.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pyspiel
from support_play import Policy
from support_rules import after, dealt

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import Card, CardSet, Deck, Seat, cards_in, other
from ginrummy.rules.cards import card_set as set_of
from ginrummy.rules.commands import Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    HandEvent,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
)
from ginrummy.rules.hand import Discarding, Drawing, Finished, Hand, Offering

GAME = pyspiel.load_game("gin_rummy")
"""With its defaults it plays as the preset `standard` does: 10 to knock, 25 and 25."""
UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
TAKE: int = pyspiel.gin_rummy.DRAW_UPCARD_ACTION
DRAW: int = pyspiel.gin_rummy.DRAW_STOCK_ACTION
PASS: int = pyspiel.gin_rummy.PASS_ACTION
KNOCK: int = pyspiel.gin_rummy.KNOCK_ACTION
MELD: int = pyspiel.gin_rummy.MELD_ACTION_BASE

_SUITS = (0, 3, 2, 1)
"""Our S H D C in OpenSpiel's order S C D H."""


def number(card: Card) -> int:
    """Return OpenSpiel's number of a card."""
    return 13 * _SUITS[card.suit] + card.rank


def numbers(cards: CardSet) -> list[int]:
    """Return OpenSpiel's numbers of a set of cards."""
    return sorted(map(number, cards_in(cards)))


def least_deadwood(cards: CardSet) -> int:
    """Return what OpenSpiel takes for the least deadwood; of eleven cards one is thrown."""
    return int(UTILS.min_deadwood(numbers(cards)))


def meld_action(meld: Sequence[Card]) -> int:
    """Return OpenSpiel's action of laying down a meld."""
    return MELD + int(UTILS.meld_to_int(sorted(map(number, meld))))


def dealt_state(deck: Deck) -> pyspiel.State:
    """Return OpenSpiel's state after the deal: its player 0 is the non-dealer."""
    state = GAME.new_initial_state()
    for card in (*deck[0:20:2], *deck[1:20:2], deck[20]):
        state.apply_action(number(card))
    return state


@dataclass
class Beside:
    """One hand on both engines at once."""

    deck: Deck
    dealer: Seat
    ours: Hand = field(init=False)
    theirs: pyspiel.State = field(init=False)
    history: list[HandEvent] = field(default_factory=list)
    draws: int = 0
    """Draws from the discard pile as OpenSpiel counts them: the upcard's taker is none."""
    kept: int = 0
    """Points of cards that were laid off on our side only."""
    seen: Counter[str] = field(default_factory=Counter)
    """How the hand ended, and which differences showed themselves."""

    def __post_init__(self) -> None:
        self.ours = dealt(self.deck, self.dealer)
        self.theirs = dealt_state(self.deck)

    def play(self, policy: Policy, rng: random.Random) -> Counter[str]:
        """Play until the hand is over on either side, and return what was seen."""
        while True:
            may_knock = self.check_choices()
            move = policy(self.ours, rng)
            if isinstance(move, Knock) and not may_knock:
                move = Discard(move.card)
            self.make(move)
            if isinstance(self.ours, Finished):
                self.check_end(self.ours)
                return self.seen
            if self.theirs.is_terminal():
                self.check_early_end()
                return self.seen
            assert not self.both_threw_back()

    def player(self, seat: Seat) -> int:
        """Return OpenSpiel's number of a seat."""
        return 0 if seat != self.dealer else 1

    # --- what may be done -----------------------------------------------------------------------

    def check_choices(self) -> bool:
        """Expect the same legal moves on both sides; return whether they offer a knock."""
        seat = hands.to_move(self.ours)
        assert seat is not None
        assert self.theirs.current_player() == self.player(seat)
        legal = set(self.theirs.legal_actions())
        moves = hands.legal_moves(self.ours)
        if isinstance(self.ours, Discarding):
            throws = {number(move.card) for move in moves if isinstance(move, Discard)}
            knocks = {number(move.card) for move in moves if isinstance(move, Knock)}
            assert legal - {KNOCK} == throws
            return self.check_knocks(knocks, offered=KNOCK in legal)
        if isinstance(self.ours, Offering | Drawing):
            assert legal == {_DRAWS[type(move)] for move in moves}
        return False

    def check_knocks(self, knocks: set[int], *, offered: bool) -> bool:
        """Expect the same cards to permit a knock, or their count of eleven to be inexact."""
        assert isinstance(self.ours, Discarding)
        if offered:
            knocking = self.theirs.child(KNOCK)
            assert set(knocking.legal_actions()) == knocks
        elif knocks:
            held = self.ours.layout.hands[self.ours.seat]
            assert least_deadwood(held) > 10
            for card in cards_in(held):
                assert (least_deadwood(held & ~card.bit) <= 10) == (number(card) in knocks)
            self.seen["no knock where eleven cards are counted inexactly"] += 1
        return offered

    # --- what is done ---------------------------------------------------------------------------

    def make(self, move: Move) -> None:
        """Make a move on both sides."""
        seat = hands.to_move(self.ours)
        assert seat is not None
        events = hands.decide(self.ours, seat, move)
        before, self.ours = self.ours, after(self.ours, *events)
        self.history += events
        if isinstance(before, Drawing) and isinstance(move, Take):
            self.draws += 1
        match move:
            case Discard(card=card):
                self.theirs.apply_action(number(card))
            case Knock(card=card):
                self.theirs.apply_action(KNOCK)
                self.theirs.apply_action(number(card))
                self.lay_down(events)
            case LayOff():
                self.lay_down(events)
            case Draw():
                self.theirs.apply_action(DRAW)
                self.theirs.apply_action(number(self.deck[52 - before.layout.stock]))
            case _:
                self.theirs.apply_action(_DRAWS[type(move)])

    def lay_down(self, events: Sequence[HandEvent]) -> None:
        """Lay down on their side what the events lay down, and lay off first, as they do."""
        for event in events:
            if isinstance(event, Knocked):
                self.apply(*map(meld_action, event.melds), PASS)
            elif isinstance(event, LaidOff):
                if not self.is_gin():
                    self.lay_off(event)
                    self.apply(PASS)
                self.apply(*map(meld_action, event.melds), PASS)

    def is_gin(self) -> bool:
        """Say whether the hand's knock was gin."""
        return any(isinstance(event, Knocked) and event.gin for event in self.history)

    def apply(self, *actions: int) -> None:
        """Apply actions that have to be legal on their side."""
        for action in actions:
            assert action in self.theirs.legal_actions()
            self.theirs.apply_action(action)

    def lay_off(self, event: LaidOff) -> None:
        """Lay off on their side, where a chain stops at two cards on one end of a run."""
        (knocked,) = (event for event in self.history if isinstance(event, Knocked))
        spread = [set_of(meld) for meld in knocked.melds]
        for layoff in event.layoffs:
            action = number(layoff.card)
            if action in self.theirs.legal_actions():
                self.theirs.apply_action(action)
                self.seen["laid off"] += 1
                continue
            laid_down = cards_in(spread[layoff.meld])
            assert (
                laid_down[0].rank - layoff.card.rank > 2
                or layoff.card.rank - laid_down[-1].rank > 2
            )
            self.kept += layoff.card.points
            self.seen["a lay-off chain stops at two cards on one end"] += 1

    # --- how it ends ----------------------------------------------------------------------------

    def both_threw_back(self) -> bool:
        """Say whether the same card was just taken and thrown back by one seat and the other."""
        match self.history[-4:]:
            case [
                DiscardTaken(card=first),
                Discarded(card=second),
                DiscardTaken(card=third),
                Discarded(card=fourth),
            ]:
                return first is second is third is fourth
            case _:
                return False

    def check_early_end(self) -> None:
        """Expect the two known reasons for which their hand ends as a draw and ours goes on."""
        assert self.theirs.returns() == [0, 0]
        if self.both_threw_back():
            assert isinstance(self.ours, Drawing)
            self.seen["thrown back by both: a draw for them"] += 1
        else:
            assert isinstance(self.ours, Discarding)
            assert self.ours.taken
            assert (self.draws, self.ours.layout.discard_draws) == (50, 50)
            self.seen["50 draws: their hand ends before the card is taken"] += 1

    def check_end(self, over: Finished) -> None:
        """Expect the same points, or a known reason for others."""
        match over.result:
            case HandVoided(reason="stock"):
                self.check_wall(over)
            case HandVoided():
                self.check_draws()
            case HandScored():
                self.check_points(over.result)

    def check_wall(self, over: Finished) -> None:
        """Expect that they let the next player knock with the upcard, or call it a draw."""
        assert self.theirs.stock_size() == over.layout.stock == 2
        last = over.layout.pile[-1]
        (seat,) = (event.seat for event in self.history[-2:] if isinstance(event, Discarded))
        held = over.layout.hands[1 - seat] | last.bit
        knock = [KNOCK] if least_deadwood(held) <= 10 else []
        assert sorted(self.theirs.legal_actions()) == [PASS, *knock]
        self.seen["at a stock of two they may knock with the upcard"] += len(knock)
        self.seen["void"] += 1
        self.theirs.apply_action(PASS)
        assert self.theirs.is_terminal()
        assert self.theirs.returns() == [0, 0]

    def check_draws(self) -> None:
        """Expect that they count one draw less than we where the upcard was taken."""
        assert self.draws == 49
        assert not self.theirs.is_terminal()
        last = self.theirs.child(TAKE)
        assert last.is_terminal()
        assert last.returns() == [0, 0]
        self.seen["50 draws: we count the upcard's taker"] += 1

    def check_points(self, score: HandScored) -> None:
        """Expect the same points, but for a tie and for what a chain has kept in the hand."""
        assert self.theirs.is_terminal()
        knocker = score.winner if score.kind != "undercut" else other(score.winner)
        left = score.deadwood[other(knocker)] + self.kept
        difference = left - score.deadwood[knocker]
        gain = difference if score.kind != "gin" else difference + 25
        if difference < 0:
            gain -= 25
        returns = self.theirs.returns()
        assert returns[self.player(knocker)] == -returns[1 - self.player(knocker)] == gain
        if difference == 0 and score.kind != "gin":
            self.seen["a tie scores nothing for them"] += 1
        elif not self.kept:
            assert abs(gain) == score.points
            assert (gain > 0) == (score.winner == knocker)
        self.seen[score.kind] += 1


_DRAWS: dict[type[Move], int] = {Take: TAKE, Pass: PASS, Draw: DRAW}
