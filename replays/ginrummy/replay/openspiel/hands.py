"""A match's hands as OpenSpiel's `gin_rummy` plays them, one by one."""

from collections.abc import Iterable, Iterator

import msgspec

from ginrummy.replay.openspiel.numbers import (
    DRAW,
    KNOCK,
    LONGEST_RUN,
    PASS,
    TAKE,
    card_number,
    lay_off_numbers,
    meld_action,
    surely_offers_knock,
)
from ginrummy.replay.stepping import Position
from ginrummy.rules.cards import BySeat, Card, Deck, Seat, card_set, cards_in, other
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    Event,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    Meld,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand import Discarding, Hand, Offering
from ginrummy.rules.match import Match, Playing
from ginrummy.rules.ruleset import Ruleset

__all__ = ["OpenSpielHand", "RefusedHand", "openspiel_hands"]

_MOST_DRAWS = 50
"""The draw from the discard pile that ends its hand as a draw; taking the upcard is none."""
_WALL = 2
"""The stock at which it lets a player knock or pass, and no more."""


class OpenSpielHand(msgspec.Struct, frozen=True):
    """A hand that OpenSpiel plays to the same result."""

    match: str
    hand: int
    game: str
    """What `pyspiel.load_game` takes."""
    seats: BySeat[Seat]
    """The seats of its players 0 and 1; player 0 is the non-dealer."""
    actions: tuple[int, ...]
    """Every action in its order, those of chance included."""
    returns: BySeat[int] | None
    """The points of its players 0 and 1 at the end; None for a hand that was broken off."""
    practice: bool
    """The match goes on from another one, and counts for nobody."""


class RefusedHand(msgspec.Struct, frozen=True):
    """A hand that OpenSpiel does not play, or not to the same result."""

    match: str
    hand: int
    refused: str
    """Why."""
    practice: bool


class _RefusedError(Exception):
    """Why a hand cannot be had."""


def openspiel_hands(positions: Iterable[Position]) -> Iterator[OpenSpielHand | RefusedHand]:
    """Yield the hands of a match, whose positions have to be all of it.

    Each is either one that OpenSpiel replays to the same result, or it says why there is none.
    """
    under_way: _Hand | None = None
    for position in positions:
        event = position.line.event
        if isinstance(event, HandDealt):
            if under_way is not None:
                yield under_way.told()
            under_way = _Hand(position.line.stream, event, position.match)
        elif under_way is not None:
            under_way.add(event, position.before)
    if under_way is not None:
        yield under_way.told()


class _Hand:
    """One hand as its events come."""

    def __init__(self, stream: str, event: HandDealt, match: Match) -> None:
        self._stream, self._number = stream, event.hand
        self._dealer = event.dealer
        self._rules: Ruleset = match.terms.rules
        self._practice = match.terms.is_practice
        self._actions: list[int] = []
        self._returns: BySeat[int] | None = None
        self._refused: str | None = None
        self._draws = 0
        self._thrown_back: Card | None = None
        self._spread: tuple[Meld, ...] = ()
        self._gin = False
        self._deck: Deck = ()
        deck = match.hand.layout.dealt.deck if isinstance(match, Playing) else None
        if deck is None:
            self._refused = "the hand's secret is not out, so its cards are not known"
        else:
            self._deck = deck
            dealt = (*deck[0:20:2], *deck[1:20:2], deck[20])
            self._actions += map(card_number, dealt)

    def told(self) -> OpenSpielHand | RefusedHand:
        """Return the hand as far as it has come."""
        if self._refused is not None:
            return RefusedHand(self._stream, self._number, self._refused, self._practice)
        seats: BySeat[Seat] = BySeat(other(self._dealer), self._dealer)
        actions = tuple(self._actions)
        return OpenSpielHand(
            match=self._stream,
            hand=self._number,
            game=_game(self._rules),
            seats=seats,
            actions=actions,
            returns=self._returns,
            practice=self._practice,
        )

    def add(self, event: Event, before: Match | None) -> None:
        """Go on with an event, as long as OpenSpiel goes on as well."""
        if self._refused is None and isinstance(before, Playing):
            try:
                self._add(event, before.hand)
            except _RefusedError as error:
                self._refused = str(error)

    def _add(self, event: Event, before: Hand) -> None:
        match event:
            case UpcardPassed():
                self._actions.append(PASS)
            case DiscardTaken():
                self._take(before)
            case StockDrawn():
                self._draw(before)
            case Discarded(card=card):
                self._throw(card, before)
            case Knocked():
                self._knock(event, before)
            case LaidOff():
                self._lay_off(event)
            case HandScored():
                self._score(event)
            case HandVoided():
                self._void(event, before)
            case _:
                pass

    def _take(self, before: Hand) -> None:
        self._may_go_on(before)
        self._draws += not isinstance(before, Offering)
        if self._draws == _MOST_DRAWS:
            raise _RefusedError(f"draw {_MOST_DRAWS} from the discard pile ends OpenSpiel's hand")
        self._actions.append(TAKE)

    def _draw(self, before: Hand) -> None:
        self._may_go_on(before)
        self._actions += [DRAW, card_number(self._deck[52 - before.layout.stock])]

    def _may_go_on(self, before: Hand) -> None:
        if before.layout.stock <= _WALL and not isinstance(before, Offering):
            raise _RefusedError(
                f"OpenSpiel's hand ends at a stock of {_WALL}, and this one goes on"
            )

    def _throw(self, card: Card, before: Hand) -> None:
        took = before.drawn if isinstance(before, Discarding) and before.taken else None
        back = card if card is took else None
        if back is not None and self._thrown_back is back:
            raise _RefusedError("both threw back the card that they took: a draw for OpenSpiel")
        self._thrown_back = back
        self._actions.append(card_number(card))

    def _knock(self, event: Knocked, before: Hand) -> None:
        layout = before.layout
        held = layout.hands[event.seat]
        laid = sum(len(meld) for meld in event.melds) + len(event.deadwood)
        if laid == held.bit_count():
            raise _RefusedError("OpenSpiel has no big gin")
        if not surely_offers_knock(held, layout.dealt.limit):
            raise _RefusedError("OpenSpiel may count the eleven cards too high to offer the knock")
        shown = card_set(card for cards in (*event.melds, event.deadwood) for card in cards)
        (face_down,) = cards_in(held & ~shown)
        self._actions += [KNOCK, card_number(face_down)]
        self._lay_down(event.melds)
        self._spread, self._gin = event.melds, event.gin

    def _lay_off(self, event: LaidOff) -> None:
        laid_off: list[Card] = []
        for layoff in event.layoffs:
            if card_number(layoff.card) not in lay_off_numbers(self._spread, laid_off):
                raise _RefusedError("OpenSpiel lays off no third card on one end of a run")
            laid_off.append(layoff.card)
        if not self._gin:
            self._actions += [*map(card_number, laid_off), PASS]
        self._lay_down(event.melds)

    def _lay_down(self, melds: tuple[Meld, ...]) -> None:
        for meld in melds:
            if len(meld) > LONGEST_RUN:
                raise _RefusedError(f"OpenSpiel has no run of more than {LONGEST_RUN} cards")
            self._actions.append(meld_action(meld))
        self._actions.append(PASS)

    def _score(self, event: HandScored) -> None:
        if event.doubled:
            raise _RefusedError("OpenSpiel doubles no hand")
        if event.kind == "undercut" and event.difference == 0 and event.points:
            raise _RefusedError("OpenSpiel scores nothing for a tie")
        won = event.points if event.winner != self._dealer else -event.points
        self._returns = BySeat(won, -won)

    def _void(self, event: HandVoided, before: Hand) -> None:
        if event.reason != "stock" or before.layout.stock != _WALL:
            raise _RefusedError("OpenSpiel's hand goes on where this one is void")
        # It asks the next player, who could still knock with the upcard there.
        self._actions.append(PASS)
        self._returns = BySeat(0, 0)


def _game(rules: Ruleset) -> str:
    limit = "oklahoma=true" if rules.oklahoma else f"knock_card={_limit(rules)}"
    bonuses = f"gin_bonus={rules.gin_bonus},undercut_bonus={rules.undercut_bonus}"
    return f"gin_rummy({limit},{bonuses})"


def _limit(rules: Ruleset) -> int:
    return 0 if rules.gin_only else rules.knock_limit
