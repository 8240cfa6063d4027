"""What an event makes of a match. No rule is here: an event says what was decided."""

from typing import assert_never

import msgspec

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Deck, Seat
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
    Event,
    Forfeited,
    HandDealt,
    HandEvent,
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
from ginrummy.rules.hand import Finished, Offering
from ginrummy.rules.match.disputing import evolve_dispute
from ginrummy.rules.match.states import (
    MS,
    Clock,
    Dealing,
    Ended,
    Gathering,
    Instant,
    Match,
    Playing,
    Seated,
    Seats,
    hands_dealt,
    scored,
    starting_score,
)

__all__ = ["evolve", "with_deck"]


def evolve(match: Match | None, event: Event, at: Instant, by: str = "") -> Match:
    """Return the match after `event` at the instant `at`; it trusts the event.

    Who caused it, `by`, is remembered of rulings alone: on appeal somebody else has to rule.

    Raises ValueError for an event that has no place here, as only a damaged log can hold.
    """
    match event, match:
        case (
            Discarded()
            | StockDrawn()
            | DiscardTaken()
            | UpcardPassed()
            | Knocked()
            | LaidOff()
            | HandScored()
            | HandVoided(),
            Playing(),
        ):
            return _hand_goes_on(match, event, at)
        case HandDealt(), Dealing(terms=terms, seats=seats, score=score, clock=clock):
            return Playing(
                terms=terms,
                seats=seats,
                score=score,
                clock=msgspec.structs.replace(clock, since=at),
                hand=hands.start(terms.rules, event),
                revealed=match.revealed,
                position_out=match.position_out,
                copies=0 if terms.origin is None or hands_dealt(match) else terms.origin.moves,
            )
        case MatchCreated(), None:
            return Gathering(terms=event, seats=BySeat(None, None), since=at)
        case PlayerJoined() | NonceRevealed(), Gathering():
            return _gathered(match, event, at)
        case ClockPaused() | ClockResumed(), Playing():
            return msgspec.structs.replace(match, clock=_halted(match, event, at))
        case ClockExpired() | Resigned() | Forfeited(), Gathering() | Dealing() | Playing():
            return match
        case SecretRevealed(hand=number), Dealing() | Playing():
            return msgspec.structs.replace(match, revealed=number)
        case SecretRevealed(hand=number), Ended():
            # What can be judged from the cards, can be disputed once they are out.
            return msgspec.structs.replace(match, revealed=number, disputable_since=at)
        case PositionRevealed(), Dealing() | Playing() | Ended():
            return msgspec.structs.replace(match, position_out=True)
        case MatchEnded(), Gathering() | Dealing() | Playing():
            return _ended(match, event, at)
        case (
            DisputeOpened()
            | DisputeAppealed()
            | DisputeRuled()
            | HandReplayed()
            | ResultAdjusted(),
            Ended(),
        ):
            return evolve_dispute(match, event, at, by)
        case _:
            raise ValueError(
                f"{type(event).__name__} cannot follow while the match is {type(match).__name__}"
            )


def with_deck(match: Match, deck: Deck) -> Playing:
    """Return a match whose hand has just been dealt with the hand's deck put under it.

    Raises ValueError where no hand has just been dealt, or the deck turns another upcard.
    """
    if not isinstance(match, Playing) or not isinstance(match.hand, Offering):
        raise ValueError("a deck goes under a hand that has just been dealt")
    return msgspec.structs.replace(match, hand=hands.with_deck(match.hand, deck))


def _hand_goes_on(match: Playing, event: HandEvent, at: Instant) -> Playing | Dealing:
    mover = hands.to_move(match.hand)
    hand = hands.evolve(match.hand, event)
    clock = match.clock
    if match.copies:
        # It was decided elsewhere, in another match's time.
        clock = msgspec.structs.replace(clock, since=at)
    elif mover is not None and type(event) is not HandVoided:
        clock = Clock(bank=_charged(match, mover, at), since=at)
    terms, seats, revealed, position_out = (
        match.terms,
        match.seats,
        match.revealed,
        match.position_out,
    )
    if not isinstance(hand, Finished):
        copies = match.copies and match.copies - 1
        return Playing(terms, seats, match.score, clock, hand, revealed, position_out, copies)
    score = scored(match.score, hand.result)
    return Dealing(terms, seats, score, clock, hand, revealed, position_out)


def _charged(match: Playing, seat: Seat, at: Instant) -> BySeat[int] | None:
    """Return the banks after a decision of `seat` at `at`: its time off, the increment on."""
    bank, control = match.clock.bank, match.terms.clock
    if bank is None or control is None:
        return bank
    left = bank[seat] - (at - match.clock.since) + control.increment_ms * MS
    return bank.put(seat, left)


def _halted(match: Playing, event: ClockPaused | ClockResumed, at: Instant) -> Clock:
    bank, seat = match.clock.bank, hands.to_move(match.hand)
    if isinstance(event, ClockResumed):
        return Clock(bank=bank, since=at)
    if bank is not None and seat is not None and not match.clock.paused:
        bank = bank.put(seat, bank[seat] - (at - match.clock.since))
    return Clock(bank=bank, since=at, paused=True)


def _gathered(
    match: Gathering, event: PlayerJoined | NonceRevealed, at: Instant
) -> Gathering | Dealing:
    if isinstance(event, PlayerJoined):
        seated = Seated(event.player, event.name, event.nonce_commitment, event.nonce_by, event.key)
        seats = match.seats.put(event.seat, seated)
        if match.terms.board is None or None in seats:
            return msgspec.structs.replace(match, seats=seats)
        return _complete(match, seats, at)
    before = match.seats[event.seat]
    if before is None:
        raise ValueError(f"a nonce is revealed at seat {event.seat}, where nobody sits")
    seats = match.seats.put(event.seat, msgspec.structs.replace(before, nonce=event.nonce))
    if any(seated is None or seated.nonce is None for seated in seats):
        return msgspec.structs.replace(match, seats=seats)
    return _complete(match, seats, at)


def _complete(match: Gathering, seats: Seats, at: Instant) -> Dealing:
    """Return the match once nothing more is to be gathered."""
    return Dealing(
        terms=match.terms,
        seats=seats,
        score=starting_score(match.terms),
        clock=_new_clock(match.terms, at),
        last=None,
    )


def _new_clock(terms: MatchCreated, at: Instant) -> Clock:
    if terms.clock is None or terms.clock.bank_ms is None:
        return Clock(bank=None, since=at)
    bank = terms.clock.bank_ms * MS
    return Clock(bank=BySeat(bank, bank), since=at)


def _ended(match: Gathering | Dealing | Playing, event: MatchEnded, at: Instant) -> Ended:
    match match:
        case Gathering(terms=terms, seats=seats):
            clock = _new_clock(terms, at)
            return Ended(terms, seats, starting_score(terms), clock, None, event, event, at)
        case Dealing(last=last):
            pass
        case Playing(hand=last):
            pass
        case _:
            assert_never(match)
    return Ended(
        match.terms,
        match.seats,
        match.score,
        match.clock,
        last,
        event,
        event,
        at,
        match.revealed,
        match.position_out,
    )
