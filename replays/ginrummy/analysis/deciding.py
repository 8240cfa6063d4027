"""The decisions of a hand, each with what its seat could know when it decided."""

import msgspec

from ginrummy.analysis.errors import HandUnderWayError, UnrevealedHandError
from ginrummy.analysis.knowledge import Heard, Knowledge, knowledge_at
from ginrummy.analysis.recording import LoggedHand
from ginrummy.rules.cards import Seat, card_set, cards_in
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    Event,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand import Dealt, Hand, to_move

__all__ = ["DecidedHand", "Decision", "decided_hand"]


class Decision(msgspec.Struct, frozen=True):
    """A move that a seat made, and the hand as it stood before it."""

    seq: int
    """The number of the event that the move caused."""
    seat: Seat
    move: Move
    hand: Hand
    """With every card."""
    knowledge: Knowledge


class DecidedHand(msgspec.Struct, frozen=True):
    """A hand that is over, with its decisions in their order."""

    stream: str
    dealt: Dealt
    decisions: tuple[Decision, ...]
    result: HandScored | HandVoided | None
    """None where the match ended before the hand did."""


def decided_hand(logged: LoggedHand) -> DecidedHand:
    """Return what was decided in a hand. What the server did was nobody's decision.

    Raises UnrevealedHandError where its deck is not known, HandUnderWayError where it is not over.
    """
    dealt = logged.begun.layout.dealt
    if not logged.over:
        raise HandUnderWayError(dealt.number)
    if dealt.deck is None:
        raise UnrevealedHandError(dealt.number)
    decisions: list[Decision] = []
    heard, result = Heard(), None
    for step in logged.steps:
        seat, move = to_move(step.before), _move_of(step.before, step.event)
        if seat is not None and move is not None and not step.by_server:
            knows = knowledge_at(step.before, seat, heard)
            decisions.append(Decision(step.seq, seat, move, step.before, knows))
        heard = heard.after(step.before, step.event)
        if isinstance(step.event, HandScored | HandVoided):
            result = step.event
    return DecidedHand(logged.stream, dealt, tuple(decisions), result)


def _move_of(hand: Hand, event: Event) -> Move | None:
    """Return the move that an event answers; None for what no seat decides by a move."""
    match event:
        case UpcardPassed():
            return Pass()
        case DiscardTaken():
            return Take()
        case StockDrawn():
            return Draw()
        case Discarded(card=card):
            return Discard(card)
        case Knocked(seat=seat, melds=melds, deadwood=deadwood):
            laid = card_set(card for meld in melds for card in meld) | card_set(deadwood)
            left = hand.layout.hands[seat] & ~laid
            return Knock(cards_in(left)[0], melds) if left else BigGin(melds)
        case LaidOff(melds=melds, layoffs=layoffs):
            return LayOff(melds, layoffs)
        case _:
            return None
