"""What the tests of the rules are written in: stacked decks, given/when/then."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

from ginrummy.rules import hand as hands
from ginrummy.rules import match as matches
from ginrummy.rules.cards import DECK, BySeat, Card, Deck, Seat, parse_cards
from ginrummy.rules.commands import Command, Deal, Join, Move, Play
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    Board,
    Event,
    HandDealt,
    HandEvent,
    Limits,
    MatchCreated,
    Meld,
    NonceRevealed,
    PlayerJoined,
    RevealPolicy,
    SigningPolicy,
    TimeControl,
)
from ginrummy.rules.hand import Hand
from ginrummy.rules.match import Instant, Match
from ginrummy.rules.ruleset import make_ruleset

START: Instant = 1_800_000_000_000_000
"""The instant at which the tests' matches are created."""

SECOND = 1_000_000
"""Microseconds in a second."""

SEATS: tuple[Seat, Seat] = (0, 1)
PLAYERS = BySeat("p_ann", "p_bob")


def nonce_of(player: str) -> str:
    """Return the nonce that a player of these tests always draws."""
    return sha256(player.encode()).hexdigest()[:32]


NONCES = BySeat(*map(nonce_of, PLAYERS))

# --- cards --------------------------------------------------------------------------------------


def cards(text: str) -> tuple[Card, ...]:
    """Read cards in the order in which they are written."""
    return parse_cards(text)


def melds(*texts: str) -> tuple[Meld, ...]:
    """Read melds, one a text."""
    return tuple(map(parse_cards, texts))


def stack(non_dealer: str = "", dealer: str = "", upcard: str = "", stock: str = "") -> Deck:
    """Return a deck that deals these cards (D1); the rest fills up in the unshuffled order.

    The hands may be written short of ten cards. `stock` names the first cards to be drawn.
    """
    named = [cards(text) for text in (non_dealer, dealer, upcard, stock)]
    taken = set(chain(*named))
    assert len(taken) == sum(map(len, named)), "a card is stacked twice"
    rest = [card for card in reversed(DECK) if card not in taken]
    first, second, turned = (
        (*group, *(rest.pop() for _ in range(size - len(group))))
        for group, size in zip(named[:3], (10, 10, 1), strict=True)
    )
    dealt = chain(*zip(first, second, strict=True))
    return (*dealt, *turned, *named[3], *reversed(rest))


PLAIN = stack(
    non_dealer="AS 3S 5S 7S 9S JS KS 2H 4H 6H",
    dealer="8H TH QH AD 3D 5D 7D 9D JD KD",
    upcard="2C",
    stock="4C 6C 8C",
)
"""Nobody is near a knock. Seat 0 deals, so seat 1 is the non-dealer."""


# --- one hand -----------------------------------------------------------------------------------


def dealt(deck: Deck, dealer: Seat = 0, preset: str = "standard", **changes: object) -> Hand:
    """Return hand 1 as it stands after the deal."""
    first, *others = hands.deal(make_ruleset(preset, changes), 1, dealer, deck)
    assert isinstance(first, HandDealt)
    return after(hands.start(make_ruleset(preset, changes), first, deck), *others)


def after(hand: Hand, *events: HandEvent) -> Hand:
    """Return the hand after more events."""
    for event in events:
        hand = hands.evolve(hand, event)
    return hand


def played(hand: Hand, *moves: Move) -> Hand:
    """Return the hand after legal moves, each of the seat that is then to decide."""
    for move in moves:
        seat = hands.to_move(hand)
        assert seat is not None
        hand = after(hand, *hands.decide(hand, seat, move))
    return hand


@dataclass(frozen=True)
class Decided:
    """What came of a wish: the events, or a refusal."""

    outcome: tuple[Event, ...] | IllegalMoveError

    def then(self, *events: Event) -> None:
        """Expect exactly these events."""
        assert self.outcome == events

    def then_ends_with(self, event: Event) -> None:
        """Expect this event as the last one."""
        assert isinstance(self.outcome, tuple), self.outcome
        assert self.outcome[-1] == event

    def refused(self, reason: Reason, rule: str) -> None:
        """Expect a refusal that cites the rule."""
        assert isinstance(self.outcome, IllegalMoveError), self.outcome
        assert (self.outcome.reason, self.outcome.rule) == (reason, rule)
        assert self.outcome.why


@dataclass(frozen=True)
class GivenHand:
    """A hand in which somebody wishes for something."""

    hand: Hand

    def when(self, seat: Seat, move: Move) -> Decided:
        """Let a seat wish for a move."""
        try:
            return Decided(hands.decide(self.hand, seat, move))
        except IllegalMoveError as refusal:
            return Decided(refusal)


def given(hand: Hand, *history: Move) -> GivenHand:
    """Begin a specification from a hand and the moves made since."""
    return GivenHand(played(hand, *history))


# --- a match ------------------------------------------------------------------------------------


def opened(
    preset: str = "standard",
    *,
    clock: TimeControl | None = None,
    limits: Limits | None = None,
    reveal: RevealPolicy = "match",
    chain: int = 1000,
    board: Board | None = None,
    seats: BySeat[str | None] | None = None,
    signing: SigningPolicy = "off",
    **changes: object,
) -> MatchCreated:
    """Return the terms of a match."""
    return MatchCreated(
        rules=make_ruleset(preset, changes),
        clock=clock,
        limits=limits or Limits(),
        reveal=reveal,
        commitment="c0" * 32,
        chain=chain,
        board=board,
        first_dealer=None,
        seats=seats or BySeat(None, None),
        signing=signing,
    )


def joining(seat: Seat | None, player: str = "") -> Join:
    """Return the command of a player to take that seat, committed to their nonce."""
    player = player or PLAYERS[seat or 0]
    commitment = sha256(bytes.fromhex(nonce_of(player))).hexdigest()
    return Join(seat, player, player.removeprefix("p_"), commitment, "player")


def joined(seat: Seat, player: str = "") -> PlayerJoined:
    """Return the event of a player's taking that seat, committed to their nonce."""
    wish = joining(seat, player)
    return PlayerJoined(seat, wish.player, wish.name, wish.nonce_commitment, wish.nonce_by)


def started(terms: MatchCreated | None = None) -> tuple[Event, ...]:
    """Return the events up to where the first hand can be dealt."""
    return (
        terms or opened(),
        joined(0),
        joined(1),
        NonceRevealed(0, NONCES[0]),
        NonceRevealed(1, NONCES[1]),
    )


@dataclass(frozen=True)
class GivenMatch:
    """A match in which somebody wishes for something."""

    match: Match | None

    def when(self, command: Command, at: Instant = START) -> Decided:
        """Let somebody wish for something at that instant."""
        try:
            return Decided(matches.decide(self.match, command, at))
        except IllegalMoveError as refusal:
            return Decided(refusal)


def given_match(match: Match | None, *history: Event) -> GivenMatch:
    """Begin a specification from a match and the events since, all at `START`."""
    return GivenMatch(gathered(match, *history))


def gathered(match: Match | None, *history: Event, at: Instant = START) -> Match | None:
    """Return the match after events in which no deck is needed."""
    for event in history:
        match = matches.evolve(match, event, at)
    return match


def begun(terms: MatchCreated | None = None, at: Instant = START) -> Match:
    """Return a match in which the first hand can be dealt."""
    match = gathered(None, *started(terms), at=at)
    assert match is not None
    return match


def folded(match: Match | None, command: Command, events: Sequence[Event], at: Instant) -> Match:
    """Return the match after the events that `command` caused, with the deck that it dealt."""
    for event in events:
        match = matches.evolve(match, event, at, getattr(command, "by", ""))
        if isinstance(event, HandDealt) and isinstance(command, Deal):
            match = matches.with_deck(match, command.deck)
    assert match is not None
    return match


def carried_out(
    match: Match | None, command: Command, at: Instant = START
) -> tuple[tuple[Event, ...], Match]:
    """Return the events of a command, and the match after them."""
    events = matches.decide(match, command, at)
    return events, folded(match, command, events, at)


def playing(
    deck: Deck,
    *moves: Move,
    dealer: Seat = 0,
    at: Instant = START,
    terms: MatchCreated | None = None,
) -> Match:
    """Return a match in its first hand after the moves made in it."""
    _, match = carried_out(begun(terms, at), Deal(deck, dealer), at)
    for move in moves:
        _, match = carried_out(match, Play(turn(match), move), at)
    return match


def turn(match: Match) -> Seat:
    """Return the seat that is to decide."""
    assert isinstance(match, matches.Playing)
    seat = hands.to_move(match.hand)
    assert seat is not None
    return seat
