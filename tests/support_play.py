"""Hands and matches that play themselves, for whatever has to hold in every position."""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from support_rules import NONCES, SEATS, SECOND, START, carried_out, joining, turn

from ginrummy.rules import match as matches
from ginrummy.rules.cards import DECK, Card, CardSet, Deck, card_set, cards_in, points
from ginrummy.rules.commands import (
    BigGin,
    Command,
    CreateMatch,
    Deal,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Play,
    RevealNonce,
    RevealSecret,
    Take,
)
from ginrummy.rules.events import Event, LayOffCard, MatchCreated, Meld
from ginrummy.rules.hand import Discarding, Drawing, Hand, LayingOff, Offering, legal_moves
from ginrummy.rules.match import Instant, Match, Playing, due, hands_dealt
from ginrummy.rules.melds import RUNS, SETS, arrange, deadwood

SOAK = os.environ.get("GINRUMMY_SOAK") == "1"
"""Whether the long counts are asked for (`make soak`)."""

Policy = Callable[[Hand, random.Random], Move]
"""Chooses a move for the seat that is to decide. It may look at the whole hand."""

Shuffle = Callable[[random.Random], Deck]
"""Makes the deck for a hand."""


def soak(long: int, sample: int) -> int:
    """Return how often to try: `long` where the long counts are asked for."""
    return long if SOAK else sample


# --- policies -----------------------------------------------------------------------------------


def random_move(hand: Hand, rng: random.Random) -> Move:
    """Choose any legal move, one time in two with an arrangement of one's own."""
    return _arranged(hand, rng.choice(legal_moves(hand)), rng)


def eager_move(hand: Hand, rng: random.Random) -> Move:
    """Choose as `simple_move` does, with a whim now and then."""
    if rng.random() < 0.1:
        return random_move(hand, rng)
    return _arranged(hand, simple_move(hand, rng), rng)


def simple_move(hand: Hand, _: random.Random) -> Move:
    """Take only what makes or grows a meld, throw the highest deadwood, knock as soon as may be."""
    match hand:
        case Offering():
            return Take() if _upcard_helps(hand) else Pass()
        case Drawing(upcard_passed=upcard_passed):
            return Take() if _upcard_helps(hand) and not upcard_passed else Draw()
        case Discarding():
            return _simple_throw(hand)
        case _:
            return LayOff()


def _upcard_helps(hand: Offering | Drawing) -> bool:
    # With a card more and none thrown yet, the count stays as it was only if the card is melded.
    held = hand.layout.hands[hand.seat]
    return deadwood(held | hand.layout.pile[-1].bit) <= deadwood(held)


def _simple_throw(hand: Discarding) -> Move:
    held = hand.layout.hands[hand.seat]
    moves = legal_moves(hand)
    if BigGin() in moves:
        return BigGin()
    knocks = [move for move in moves if isinstance(move, Knock)]
    if knocks:
        return min(knocks, key=lambda knock: deadwood(held & ~knock.card.bit))
    just_taken = hand.drawn if hand.taken else None
    left = arrange(held, hand.layout.dealt.rules.run_max).deadwood
    throws = [card for card in left if card is not just_taken]
    throws = throws or [card for card in cards_in(held) if card is not just_taken]
    return Discard(max(throws, key=lambda card: card.points))


def _arranged(hand: Hand, move: Move, rng: random.Random) -> Move:
    """Return the move, one time in two with a random legal arrangement where it has any."""
    if rng.random() < 0.5:
        return move
    if isinstance(move, LayOff) and isinstance(hand, LayingOff):
        return random_lay_off(hand, rng)
    if isinstance(move, Knock) and isinstance(hand, Discarding):
        dealt = hand.layout.dealt
        rest = hand.layout.hands[hand.seat] & ~move.card.bit
        for _ in range(10):
            melds = random_melds(rest, dealt.rules.run_max, rng)
            if points(left_of(rest, melds)) <= dealt.limit:
                return Knock(move.card, melds)
    return move


def left_of(held: CardSet, melds: tuple[Meld, ...]) -> CardSet:
    """Return the cards that are in none of the melds."""
    return held & ~card_set(card for meld in melds for card in meld)


_MELDS = (*sorted(SETS), *sorted(RUNS))


def random_melds(held: CardSet, run_max: int | None, rng: random.Random) -> tuple[Meld, ...]:
    """Return some disjoint melds of these cards, their cards in any order."""
    possible = [
        meld
        for meld in _MELDS
        if not meld & ~held and (meld in SETS or meld.bit_count() <= (run_max or 13))
    ]
    rng.shuffle(possible)
    chosen: list[Meld] = []
    for meld in possible[: rng.randrange(len(possible) + 1)]:
        if not meld & ~held:
            held &= ~meld
            chosen.append(tuple(rng.sample(cards_in(meld), meld.bit_count())))
    return tuple(chosen)


def random_lay_off(hand: LayingOff, rng: random.Random) -> LayOff:
    """Return a legal way of laying off, seldom the best."""
    layout, knocked = hand.layout, hand.knocked
    held = layout.hands[1 - knocked.seat]
    melds = random_melds(held, layout.dealt.rules.run_max, rng)
    left = set(cards_in(left_of(held, melds)))
    lying = [card_set(meld) for meld in knocked.melds]
    layoffs: list[LayOffCard] = []
    for _ in range(rng.randrange(6)):
        fits = fitting(lying, left)
        if not fits:
            break
        layoffs.append(chosen := rng.choice(fits))
        lying[chosen.meld] |= chosen.card.bit
        left.remove(chosen.card)
    return LayOff(melds, tuple(layoffs))


def fitting(lying: list[CardSet], held: set[Card]) -> list[LayOffCard]:
    """Return the lay-offs of single cards that these melds on the table allow (L1)."""
    return [
        LayOffCard(card, index)
        for card in sorted(held, key=lambda card: card.index)
        for index, meld in enumerate(lying)
        if meld | card.bit in (SETS if meld in SETS else RUNS)
    ]


# --- decks --------------------------------------------------------------------------------------


def shuffled(rng: random.Random) -> Deck:
    """Return a random deck."""
    return tuple(rng.sample(DECK, 52))


def lively(rng: random.Random) -> Deck:
    """Return a deck of which one hand is nearly a knock, and the other has cards to lay off.

    Played by anybody who knocks, it ends in a knock, gin, an undercut or lay-offs within a few
    turns, and seldom void.
    """
    free = set(DECK)
    knocker = _some_melds(free, rng.randrange(2, 4), rng)
    lying = [card_set(meld) for meld in knocker]
    strong = [card for meld in knocker for card in meld][:10]
    free -= set(strong)
    weak = [card for meld in _some_melds(free, rng.randrange(4), rng) for card in meld]
    for _ in range(rng.randrange(5)):
        if fits := fitting(lying, free - set(weak)):
            chosen = rng.choice(fits)
            lying[chosen.meld] |= chosen.card.bit
            weak.append(chosen.card)
    weak = weak[:10]
    others = rng.sample(DECK, 52)
    # Low cards first, so that what is not melded permits a knock.
    low = iter(sorted(others, key=lambda card: card.points + rng.randrange(6)))
    strong = _filled(strong, low, set(weak))
    weak = _filled(weak, iter(others), set(strong))
    rest = [card for card in others if card not in {*strong, *weak}]
    hands = [rng.sample(strong, 10), rng.sample(weak, 10)]
    rng.shuffle(hands)
    return (*chain(*zip(*hands, strict=True)), *rest)


def _filled(hand: list[Card], more: Iterator[Card], taken: set[Card]) -> list[Card]:
    """Return ten cards: the hand, and as many more as it lacks."""
    filled = [*hand, *(card for card in more if card not in taken and card not in hand)]
    return filled[:10]


def _some_melds(free: set[Card], number: int, rng: random.Random) -> list[Meld]:
    """Return up to `number` disjoint melds of free cards, none of more than five."""
    held = card_set(free)
    melds: list[Meld] = []
    for meld in rng.sample(_MELDS, len(_MELDS)):
        if len(melds) == number:
            break
        if meld.bit_count() <= 5 and not meld & ~held:
            held &= ~meld
            melds.append(cards_in(meld))
    return melds


# --- matches ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One command in the course of a match."""

    before: Match | None
    command: Command
    events: tuple[Event, ...]
    after: Match
    at: Instant


def play_match(
    terms: MatchCreated,
    rng: random.Random,
    policy: Policy = eager_move,
    shuffle: Shuffle = shuffled,
) -> Iterator[Step]:
    """Play a whole match, one second a command, and yield every step."""
    match: Match | None = None
    at = START
    while True:
        command = _next_command(match, terms, rng, policy, shuffle)
        if command is None:
            return
        events, after = carried_out(match, command, at)
        yield Step(match, command, events, after, at)
        match = after
        at += SECOND


def _next_command(
    match: Match | None,
    terms: MatchCreated,
    rng: random.Random,
    policy: Policy,
    shuffle: Shuffle,
) -> Command | None:
    if match is None:
        return CreateMatch(terms)
    if isinstance(match, matches.Gathering):
        return _gathering_command(match)
    if isinstance(match, Playing):
        return Play(turn(match), policy(match.hand, rng))
    match due(match):
        case "reveal":
            return RevealSecret(hands_dealt(match), rng.randbytes(32).hex())
        case "deal":
            return Deal(shuffle(rng), rng.choice(SEATS) if hands_dealt(match) == 0 else None)
        case _:
            return None


def _gathering_command(match: matches.Gathering) -> Command:
    for seat in SEATS:
        if match.seats[seat] is None:
            return joining(seat)
    first = match.seats[0]
    assert first is not None
    return RevealNonce(1, NONCES[1]) if first.nonce else RevealNonce(0, NONCES[0])
