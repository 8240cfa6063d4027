"""Events in words: what happened, as somebody at the table would say it."""

from typing import TypeAlias, assert_never

from ginrummy.replay.ink import PLAIN, Ink, clean, cut
from ginrummy.replay.rulings import describe_dispute
from ginrummy.replay.stepping import Position
from ginrummy.rules.cards import Card, Seat, card_set, other, points
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    EndReason,
    Event,
    Forfeited,
    ForfeitReason,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
    NonceRevealed,
    PlayerJoined,
    PositionRevealed,
    Resigned,
    SecretRevealed,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.match import Seats
from ginrummy.rules.ruleset import Ruleset
from ginrummy.rules.view import Perspective, drawn_card, view

__all__ = ["describe", "describe_end", "describe_result", "describe_rules", "name_of"]

_LONGEST_NAME = 20
"""Columns of a name; so many of two still fit in a line with what they did."""

_Act: TypeAlias = (
    UpcardPassed
    | StockDrawn
    | DiscardTaken
    | Discarded
    | Knocked
    | LaidOff
    | ClockExpired
    | Resigned
    | Forfeited
)
"""What a seat does, or what befalls it."""

_REASONS: dict[EndReason, str] = {
    "target": "on points",
    "hands": "after the last hand",
    "hands_exhausted": "after the last committed deck",
    "resigned": "by resignation",
    "clock": "on time",
    "illegal_moves": "by illegal moves",
    "abandoned": "as the match was abandoned",
    "crash": "as a program died",
    "stall": "as a program was silent",
    "no_show": "as a player did not come",
    "withdrawn": "as a player left the tournament",
    "aborted": "as it was given up",
    "round_clock": "as the round's time was over",
    "ruling": "by a director's ruling",
}

_FORFEITS: dict[ForfeitReason, str] = {
    "illegal_moves": "too many illegal moves in a row",
    "crash": "the program has died",
    "stall": "the program was silent",
    "no_show": "nobody came",
    "withdrawn": "the player has left the tournament",
}


def name_of(seats: Seats, seat: Seat) -> str:
    """Return what the player at a seat is called."""
    seated = seats[seat]
    name = "" if seated is None else cut(clean(seated.name), _LONGEST_NAME)
    return name or f"seat {seat}"


def describe(position: Position, perspective: Perspective, ink: Ink = PLAIN) -> str:
    """Return what the position's event did, in one line, as far as the viewer may know it."""
    match, event = position.match, position.line.event
    drawn = drawn_card(match, event, perspective)
    face_down = None
    if isinstance(event, Knocked):
        seen = view(match, perspective).hand
        face_down = None if seen is None else seen.face_down
    return _Teller(match.seats, ink).tell(event, drawn or face_down)


def describe_result(seats: Seats, result: HandScored | HandVoided) -> str:
    """Return how a hand ended, in one line."""
    return _Teller(seats, PLAIN).tell(result, None)


def describe_end(seats: Seats, outcome: MatchEnded | ResultAdjusted) -> str:
    """Return how a match ended, or counts after a ruling, in one line."""
    how = _REASONS[outcome.reason]
    if outcome.winner is None:
        return f"the match ends without a winner, {how}"
    won, lost = outcome.totals[outcome.winner], outcome.totals[other(outcome.winner)]
    return f"{name_of(seats, outcome.winner)} wins the match {how}, {won} to {lost}"


def describe_rules(rules: Ruleset) -> str:
    """Return what kind of match it is, in a few words."""
    length = f"to {rules.target}" if rules.hands is None else f"{rules.hands} hands"
    if rules.gin_only:
        return f"straight gin {length}"
    if rules.oklahoma:
        return f"Oklahoma {length}"
    return f"{length}, knock at {rules.knock_limit}"


def _opened(terms: MatchCreated) -> str:
    """Return what kind of match is opened."""
    if terms.board is not None:
        return f"board {terms.board.number}"
    return "a practice match" if terms.is_practice else "the match"


class _Teller:
    """Tells the events of one match."""

    def __init__(self, seats: Seats, ink: Ink) -> None:
        self._seats = seats
        self._card = ink.card
        self._cards = ink.cards

    def tell(self, event: Event, known: Card | None) -> str:
        """Tell an event; `known` is the card that not everybody may know of."""
        match event:
            case MatchCreated(rules=rules):
                return f"{_opened(event)} is opened: {describe_rules(rules)}"
            case PlayerJoined(seat=seat):
                return f"{self._name(seat)} sits down at seat {seat}"
            case NonceRevealed(seat=seat):
                return self._nonce(seat)
            case HandDealt(hand=hand, dealer=dealer, upcard=upcard):
                return f"hand {hand}: {self._name(dealer)} deals and turns up {self._card(upcard)}"
            case SecretRevealed(hand=hand):
                return f"the secret of hand {hand} is out, and with it those of all before"
            case PositionRevealed():
                return "the position in which the match began is out"
            case ClockPaused():
                return "the match is paused"
            case ClockResumed():
                return "the clock starts anew"
            case HandScored():
                return self._score(event)
            case HandVoided(reason="stock"):
                return "the hand is void: the stock has run out"
            case HandVoided():
                return "the hand is void: too many cards were drawn from the discard pile"
            case MatchEnded():
                return describe_end(self._seats, event)
            case ResultAdjusted():
                return f"the result now: {describe_end(self._seats, event)}"
            case DisputeOpened() | DisputeAppealed() | DisputeRuled() | HandReplayed():
                return describe_dispute(event, self._name)
            case _:
                return f"{self._name(event.seat)} {self._act(event, known)}"

    def _act(self, event: _Act, known: Card | None) -> str:
        """Tell what a seat did, without its name."""
        match event:
            case UpcardPassed():
                return "passes"
            case StockDrawn():
                return f"draws {'from the stock' if known is None else self._card(known)}"
            case DiscardTaken(card=card):
                return f"takes {self._card(card)}"
            case Discarded(card=card):
                return f"discards {self._card(card)}"
            case Knocked():
                return self._knock(event, known)
            case LaidOff():
                return self._lay_off(event)
            case ClockExpired():
                return "has no time left"
            case Resigned():
                return "resigns"
            case Forfeited(reason=reason):
                return f"forfeits: {_FORFEITS[reason]}"
            case _:
                assert_never(event)

    def _knock(self, event: Knocked, face_down: Card | None) -> str:
        if sum(map(len, event.melds)) == 11:
            return "goes big gin"
        what = "goes gin" if event.gin else f"knocks with {points(card_set(event.deadwood))}"
        return what if face_down is None else f"{what}, {self._card(face_down)} face down"

    def _lay_off(self, event: LaidOff) -> str:
        left = f"is left with {points(card_set(event.deadwood))}"
        if not event.layoffs:
            return left
        return f"lays off {self._cards(layoff.card for layoff in event.layoffs)} and {left}"

    def _score(self, event: HandScored) -> str:
        winner = self._name(event.winner)
        more = max(event.deadwood)
        less = min(event.deadwood)
        sum_of = f"{more} less {less}" if less else str(more)
        if event.bonus:
            bonus = {"undercut": "the undercut", "big_gin": "big gin"}.get(event.kind, event.kind)
            sum_of += f", {event.bonus} for {bonus}"
        if event.doubled:
            sum_of += ", doubled"
        return f"{winner} scores {event.points}: {sum_of}"

    def _nonce(self, seat: Seat) -> str:
        seated = self._seats[seat]
        if seated is not None and seated.nonce_by == "server":
            return f"the server reveals the nonce that it drew for {self._name(seat)}"
        return f"{self._name(seat)} reveals a nonce"

    def _name(self, seat: Seat) -> str:
        return name_of(self._seats, seat)
