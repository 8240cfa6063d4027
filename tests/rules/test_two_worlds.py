"""Two worlds that differ only in what somebody may not know look the same to them, to the byte.

A position is played to; then the cards that the viewer has not seen (the other hands' hidden
cards, the stock from its top on, a face-down discard) are dealt out anew among the places where
they lie. The same is done in that world from the deal on, and whatever the viewer gets to see of
it is compared.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

import msgspec
from support_play import Step, eager_move, lively, play_match, random_move, shuffled, soak
from support_rules import SEATS, folded, opened

from ginrummy.rules import match as matches
from ginrummy.rules.cards import DECK, CardSet, Deck, Seat, cards_in
from ginrummy.rules.commands import (
    BigGin,
    Deal,
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Play,
    Take,
)
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import DiscardTaken, Event, LayOffCard
from ginrummy.rules.hand import Counting, Finished, Hand, LayingOff
from ginrummy.rules.match import Instant, Match, Playing
from ginrummy.rules.ruleset import PRESETS
from ginrummy.rules.view import Perspective, drawn_card, view
from ginrummy.rules.wishes import wish_of

EYES: tuple[Perspective, ...] = (0, 1, "public")
POSITIONS = soak(30_000, 700)
A_MATCH = 7
"""How many positions are taken from one match."""


@dataclass(frozen=True)
class World:
    """A hand of a match, from its deal to the position that is looked at."""

    deck: Deck
    states: tuple[Match, ...]
    """The match after every event."""
    events: tuple[Event, ...]
    at: Instant

    @property
    def match(self) -> Match:
        """The position."""
        return self.states[-1]

    @property
    def hand(self) -> Hand:
        """The position of the hand."""
        assert not isinstance(self.match, matches.Gathering)
        hand = self.match.hand if isinstance(self.match, Playing) else self.match.last
        assert hand is not None
        return hand


def lived(steps: Sequence[Step], deck: Deck) -> World:
    """Return the world in which the same is done from the deal of this deck on.

    A knock throws whichever card is not laid down.
    """
    match = steps[0].before
    states: list[Match] = []
    events: list[Event] = []
    for step in steps:
        command = wish_of(match, step.events[0]) or step.command
        if isinstance(command, Deal):
            command = Deal(deck, command.first_dealer)
        for event in matches.decide(match, command, step.at):
            match = folded(match, command, (event,), step.at)
            states.append(match)
            events.append(event)
    return World(deck, tuple(states), tuple(events), steps[-1].at)


def positions(number: int, seed: int) -> Iterator[list[Step]]:
    """Yield random positions of random matches, each as the steps since its hand's deal."""
    rng = random.Random(seed)
    tables = [(eager_move, lively), (eager_move, shuffled), (random_move, lively)]
    for index, preset in zip(range(number // A_MATCH), cycle(PRESETS), strict=False):
        policy, shuffle = tables[index % len(tables)]
        steps = list(play_match(opened(preset, hands=2), rng, policy, shuffle))
        deals = [place for place, step in enumerate(steps) if isinstance(step.command, Deal)]
        # With the last command the secrets come out, and then nothing is hidden.
        for end in rng.choices(range(deals[0] + 1, len(steps)), k=A_MATCH):
            yield steps[max(deal for deal in deals if deal < end) : end]


# --- the other world ----------------------------------------------------------------------------


def other_world(world: World, steps: Sequence[Step], eyes: Perspective, seed: int) -> World:
    """Return a world that the viewer could not tell from this one."""
    unseen = unseen_by(world, eyes)
    places = [place for place, card in enumerate(world.deck) if unseen & card.bit]
    anew = list(world.deck)
    cards = random.Random(seed).sample(cards_in(unseen), len(places))
    for place, card in zip(places, cards, strict=True):
        anew[place] = card
    return lived(steps, tuple(anew))


def unseen_by(world: World, eyes: Perspective) -> CardSet:
    """Return the cards of which the viewer may not know where they lie."""
    layout = world.hand.layout
    unseen = sum(card.bit for card in world.deck[52 - layout.stock :])
    for seat in SEATS:
        if seat != eyes:
            unseen |= layout.hands[seat] & ~layout.shown[seat]
    if isinstance(world.hand, LayingOff | Counting | Finished):
        knocked = world.hand.knocked
        if knocked is not None and knocked.seat != eyes:
            # A face-down card that was taken from the pile before has been seen there.
            taken = [event.card for event in world.events if isinstance(event, DiscardTaken)]
            unseen |= layout.face_down & ~sum(card.bit for card in set(taken))
    return unseen


# --- what is compared ---------------------------------------------------------------------------

WISHES: tuple[Move, ...] = (
    Take(),
    Pass(),
    Draw(),
    *map(Discard, DECK),
    *map(Knock, DECK),
    *(Knock(card, (DECK[0:3], DECK[3:6])) for card in DECK),
    Knock(DECK[0], ()),
    Knock(DECK[0], (DECK[10:14],)),
    BigGin(),
    BigGin((DECK[0:3], DECK[13:16])),
    LayOff(),
    LayOff((DECK[0:3],)),
    *(LayOff((), (LayOffCard(card, 0),)) for card in DECK),
    LayOff((), (LayOffCard(DECK[0], 7),)),
)


def seen_of(world: World, eyes: Perspective) -> tuple[bytes, ...]:
    """Return all that reaches the viewer: the events, the cards beside them, the view."""
    beside = [
        drawn_card(state, event, eyes)
        for state, event in zip(world.states, world.events, strict=True)
    ]
    encode = msgspec.json.encode
    return (encode(world.events), encode(beside), encode(view(world.match, eyes)))


def refusals(world: World, seat: Seat) -> list[tuple[str, str, str] | None]:
    """Return how every wish of a seat is refused; None where it is not."""
    found: list[tuple[str, str, str] | None] = []
    for move in WISHES:
        try:
            matches.decide(world.match, Play(seat, move), world.at)
        except IllegalMoveError as refusal:
            found.append((refusal.reason.value, refusal.rule, str(refusal)))
        else:
            found.append(None)
    return found


def test_what_a_viewer_may_not_know_changes_no_byte_for_them() -> None:
    """Events, cards beside them, views and refusals are the same in both worlds."""
    seen: Counter[str] = Counter()
    for index, (steps, eyes) in enumerate(zip(positions(POSITIONS, 1), cycle(EYES), strict=False)):
        deck = steps[0].command
        assert isinstance(deck, Deal)
        world = lived(steps, deck.deck)
        assert world.match == steps[-1].after
        other = other_world(world, steps, eyes, index)
        assert seen_of(other, eyes) == seen_of(world, eyes)
        if eyes in (0, 1):
            assert refusals(other, eyes) == refusals(world, eyes)
        seen["positions"] += 1
        seen[str(eyes)] += 1
        seen[type(world.hand).__name__] += 1
        seen["hands differ"] += world.hand.layout.hands != other.hand.layout.hands
        seen["face-down cards differ"] += world.hand.layout.face_down != other.hand.layout.face_down
        seen["next cards differ"] += (
            world.deck[52 - world.hand.layout.stock] != (other.deck[52 - world.hand.layout.stock])
        )
    assert seen["positions"] > 0.95 * POSITIONS
    for kind in ("0", "1", "public", "Offering", "Drawing", "Discarding", "LayingOff", "Finished"):
        assert seen[kind] > POSITIONS / 50, seen
    # The worlds are different ones: a view that left anything out of the hidden would show it.
    for kind in ("hands differ", "face-down cards differ", "next cards differ"):
        assert seen[kind] > POSITIONS / 50, seen


def test_the_full_view_can_tell_the_worlds_apart() -> None:
    """The comparison sees what it should: eyes that see all cards see the difference."""
    told_apart = 0
    for index, steps in enumerate(positions(70, 2)):
        deal = steps[0].command
        assert isinstance(deal, Deal)
        world = lived(steps, deal.deck)
        other = other_world(world, steps, "public", index)
        told_apart += seen_of(other, "full") != seen_of(world, "full")
    assert told_apart > 50
