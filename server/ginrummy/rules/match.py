"""A match as a state machine: seats, nonces, one hand after the other, clocks, and the end.

    Gathering ──> Dealing <──> Playing ──> Ended
        └──────────────────────────────────^

Times are data here: `decide` and `evolve` take the instant at which something happens, in
microseconds since 1970 UTC, and no clock is read. What is hidden comes in with the command that
needs it, and goes under the state with `with_deck`; without it the same fold is the public one.
"""

import hashlib
from typing import Literal, TypeAlias, assert_never

import msgspec

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Deck, Seat, other
from ginrummy.rules.commands import (
    Command,
    CreateMatch,
    Deal,
    Expire,
    Forfeit,
    Join,
    Pause,
    Play,
    Resign,
    Resume,
    RevealNonce,
    RevealSecret,
)
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    EndReason,
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
    NonceSource,
    PlayerJoined,
    Resigned,
    SecretRevealed,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand import Finished, Hand, Offering
from ginrummy.rules.scoring import end_match

__all__ = [
    "Clock",
    "Dealing",
    "Due",
    "Ended",
    "Gathering",
    "Instant",
    "Match",
    "Playing",
    "Score",
    "Seated",
    "Seats",
    "deadline",
    "decide",
    "due",
    "evolve",
    "hands_dealt",
    "nonce_to_reveal",
    "seat_of",
    "with_deck",
]

Instant: TypeAlias = int
"""Microseconds since 1970-01-01T00:00:00Z."""

_BOTH: tuple[Seat, Seat] = (0, 1)

_MS = 1000
"""Microseconds in a millisecond, the unit of every limit in the log."""


class Seated(msgspec.Struct, frozen=True):
    """Who sits at a seat, and their share in the shuffling."""

    player: str
    name: str
    nonce_commitment: str
    nonce_by: NonceSource
    key: str | None
    nonce: str | None = None
    """None until it is revealed."""


Seats: TypeAlias = BySeat[Seated | None]


class Score(msgspec.Struct, frozen=True):
    """The match's account so far, in points and in hands."""

    points: BySeat[int] = BySeat(0, 0)
    hands_won: BySeat[int] = BySeat(0, 0)


class Clock(msgspec.Struct, frozen=True):
    """The time that the seats have left, in microseconds."""

    bank: BySeat[int] | None
    """None where the match has no bank."""
    since: Instant
    """When the present decision's time began."""
    paused: bool = False


class Gathering(msgspec.Struct, frozen=True):
    """The seats are being taken and the nonces revealed."""

    terms: MatchCreated
    seats: Seats
    since: Instant
    """When the match was created."""


class Dealing(msgspec.Struct, frozen=True):
    """The next hand is to be dealt."""

    terms: MatchCreated
    seats: Seats
    score: Score
    clock: Clock
    last: Finished | None
    """The hand before; None ahead of the first."""
    revealed: int = 0
    """The last hand whose secret is out; 0 for none."""


class Playing(msgspec.Struct, frozen=True):
    """A hand is being played."""

    terms: MatchCreated
    seats: Seats
    score: Score
    clock: Clock
    hand: Hand
    revealed: int = 0


class Ended(msgspec.Struct, frozen=True):
    """The match is over."""

    terms: MatchCreated
    seats: Seats
    score: Score
    clock: Clock
    last: Hand | None
    """The last hand as it stood; None where none was dealt."""
    outcome: MatchEnded
    revealed: int = 0


Match: TypeAlias = Gathering | Dealing | Playing | Ended
"""A match in any state."""

Due: TypeAlias = Literal["nonce", "deal", "reveal"]
"""What the server itself has to do next: reveal a nonce that it drew, deal, or let a secret out."""


def seat_of(match: Match, player: str) -> Seat | None:
    """Return the seat where `player` sits, or None."""
    for seat, seated in enumerate(match.seats):
        if seated is not None and seated.player == player:
            return 1 if seat else 0
    return None


def hands_dealt(match: Match) -> int:
    """Return how many hands have been dealt, void ones and the present one included."""
    match match:
        case Gathering():
            return 0
        case Playing(hand=hand):
            return hand.layout.dealt.number
        case Dealing(last=last) | Ended(last=last):
            return last.layout.dealt.number if last is not None else 0
        case _:
            assert_never(match)


def due(match: Match) -> Due | None:
    """Return what the server has to do before anybody can decide anything, or None."""
    if isinstance(match, Gathering):
        nonces_missing = all(match.seats) and nonce_to_reveal(match) is not None
        return "nonce" if nonces_missing else None
    if isinstance(match, Dealing | Ended) and hands_dealt(match) > match.revealed:
        reveal = match.terms.reveal
        if reveal == "hand" or (reveal == "match" and isinstance(match, Ended)):
            return "reveal"
    return "deal" if isinstance(match, Dealing) else None


def nonce_to_reveal(match: Gathering) -> Seat | None:
    """Return the first seat whose nonce the server drew and has not revealed, or None."""
    for seat in _BOTH:
        seated = match.seats[seat]
        if seated is not None and seated.nonce_by == "server" and seated.nonce is None:
            return seat
    return None


def deadline(match: Match) -> Instant | None:
    """Return when the time for what the match waits for is over, or None where nothing runs."""
    if isinstance(match, Gathering):
        return match.since + match.terms.limits.start_ms * _MS
    if not isinstance(match, Playing) or match.clock.paused:
        return None
    seat = hands.to_move(match.hand)
    if seat is None:
        return None
    return match.clock.since + min(_thinking_time(match, seat), match.terms.limits.idle_ms * _MS)


def _thinking_time(match: Playing, seat: Seat) -> int:
    """Return how long `seat` may think about this decision; past any idle limit if for ever."""
    control, bank = match.terms.clock, match.clock.bank
    allowed = match.terms.limits.idle_ms * _MS + 1
    if control is not None and control.decision_ms is not None:
        allowed = min(allowed, control.decision_ms * _MS)
    return allowed if bank is None else min(allowed, bank[seat])


# --- what may be decided ------------------------------------------------------------------------


def decide(match: Match | None, command: Command, at: Instant) -> tuple[Event, ...]:
    """Return the events that `command` causes at the instant `at`.

    `match` is None before the match is created. Raises IllegalMoveError where the command is not
    allowed in this state; nothing has changed then.
    """
    if match is None:
        if isinstance(command, CreateMatch):
            return (command.terms,)
        raise IllegalMoveError(Reason.MATCH_NOT_STARTED, "", "there is no such match yet")
    match command:
        case Play(seat=seat, move=move):
            if isinstance(move, Resign):
                return _resign(match, seat)
            playing = _playing(match, at)
            return _with_match_end(playing, hands.decide(playing.hand, seat, move))
        case Deal():
            return _deal(match, command)
        case Join():
            return _join(match, command)
        case RevealNonce(seat=seat, nonce=nonce):
            return _reveal_nonce(match, seat, nonce)
        case RevealSecret():
            return _reveal_secret(match, command)
        case Expire():
            return _expire(match, at)
        case Forfeit(seat=seat):
            _playing(match, at)
            return Forfeited(seat, "illegal_moves"), _end(match, "illegal_moves", other(seat))
        case Pause():
            _playing(match, at)
            return (ClockPaused(),)
        case Resume():
            if not isinstance(match, Playing):
                raise _not_now("no hand is being played, so no clock can be resumed")
            return (ClockResumed(),)
        case CreateMatch():
            raise _not_now("the match was created before")
        case _:
            assert_never(command)


def _not_now(why: str) -> IllegalMoveError:
    return IllegalMoveError(Reason.NOT_ALLOWED_NOW, "", why)


def _playing(match: Match, at: Instant) -> Playing:
    """Return the match if a seat can decide something at `at`."""
    if isinstance(match, Ended):
        raise IllegalMoveError(Reason.MATCH_OVER, "X1", "the match has ended")
    if isinstance(match, Dealing) and match.last is not None:
        raise IllegalMoveError(
            Reason.HAND_OVER, "D1", "the hand has ended, and the next one is not dealt yet"
        )
    if not isinstance(match, Playing):
        raise IllegalMoveError(
            Reason.MATCH_NOT_STARTED, "D1", "no hand is dealt: both seats and nonces come first"
        )
    if match.clock.paused:
        raise IllegalMoveError(Reason.MATCH_PAUSED, "X3", "the match is paused by its director")
    end = deadline(match)
    if end is not None and at > end:
        raise IllegalMoveError(Reason.TIME_OVER, "X3", "the time for this decision is over")
    return match


def _join(match: Match, join: Join) -> tuple[Event, ...]:
    if not isinstance(match, Gathering):
        raise IllegalMoveError(Reason.SEAT_TAKEN, "", "both seats are taken")
    if seat_of(match, join.player) is not None:
        raise IllegalMoveError(Reason.ALREADY_SEATED, "", "you sit at this table already")
    free: list[Seat] = [
        seat
        for seat in _BOTH
        if match.seats[seat] is None and match.terms.seats[seat] in (None, join.player)
    ]
    # A seat kept for this player goes before one that anybody may take.
    free.sort(key=lambda seat: match.terms.seats[seat] != join.player)
    if not free or join.seat not in (None, *free):
        which = "no seat here is" if join.seat is None else f"seat {join.seat} is not"
        raise IllegalMoveError(Reason.SEAT_TAKEN, "", f"{which} free for you")
    seat = free[0] if join.seat is None else join.seat
    joined = PlayerJoined(
        seat=seat,
        player=join.player,
        name=join.name,
        nonce_commitment=join.nonce_commitment,
        nonce_by=join.nonce_by,
        key=join.key,
    )
    return (joined,)


def _reveal_nonce(match: Match, seat: Seat, nonce: str) -> tuple[Event, ...]:
    if not isinstance(match, Gathering):
        raise _not_now("the nonces are out already")
    seated = match.seats[seat]
    if seated is None or match.seats[other(seat)] is None:
        raise _not_now("a nonce is revealed once both seats are taken")
    if seated.nonce is not None:
        raise _not_now(f"the nonce of seat {seat} is out already")
    if hashlib.sha256(bytes.fromhex(nonce)).hexdigest() != seated.nonce_commitment:
        raise IllegalMoveError(
            Reason.NONCE_MISMATCH, "", "the nonce is not the one committed to when joining"
        )
    return (NonceRevealed(seat, nonce),)


def _deal(match: Match, command: Deal) -> tuple[Event, ...]:
    if not isinstance(match, Dealing):
        raise _not_now("no hand is to be dealt")
    last = match.last
    if last is None:
        if command.first_dealer is None:
            raise _not_now("the first dealer comes from the first hand's secret (D3)")
        dealer = command.first_dealer
    else:
        dealer = _next_dealer(last)
    return _with_match_end(
        match, hands.deal(match.terms.rules, hands_dealt(match) + 1, dealer, command.deck)
    )


def _next_dealer(last: Finished) -> Seat:
    """Return who deals after `last` (D3); after a void hand the same dealer again (T3)."""
    dealt, result = last.layout.dealt, last.result
    if isinstance(result, HandVoided):
        return dealt.dealer
    match dealt.rules.next_dealer:
        case "alternate":
            return other(dealt.dealer)
        case "winner":
            return result.winner
        case "loser":
            return other(result.winner)


def _leader(points: BySeat[int]) -> Seat | None:
    if points[0] == points[1]:
        return None
    return 0 if points[0] > points[1] else 1


def _with_match_end(match: Dealing | Playing, events: tuple[HandEvent, ...]) -> tuple[Event, ...]:
    """Return the events, and the match's end if the last of them brings it about (X1)."""
    last = events[-1]
    if not isinstance(last, HandScored | HandVoided):
        return events
    rules, score = match.terms.rules, _scored(match.score, last)
    reason: EndReason
    winner: Seat | None
    if (
        isinstance(last, HandScored)
        and rules.hands is None
        and score.points[last.winner] >= rules.target
    ):
        reason, winner = "target", last.winner
    elif rules.hands is not None and sum(score.hands_won) >= rules.hands:
        reason, winner = "hands", _leader(score.points)
    elif last.hand == match.terms.chain:
        reason, winner = "hands_exhausted", _leader(score.points)
    else:
        return events
    return *events, end_match(rules, reason, winner, score.points, score.hands_won)


def _scored(score: Score, result: HandScored | HandVoided) -> Score:
    if isinstance(result, HandVoided):
        return score
    winner = result.winner
    return Score(
        points=score.points.put(winner, score.points[winner] + result.points),
        hands_won=score.hands_won.put(winner, score.hands_won[winner] + 1),
    )


def _end(match: Match, reason: EndReason, winner: Seat | None) -> MatchEnded:
    score = Score() if isinstance(match, Gathering) else match.score
    return end_match(match.terms.rules, reason, winner, score.points, score.hands_won)


def _resign(match: Match, seat: Seat) -> tuple[Event, ...]:
    if isinstance(match, Ended):
        raise IllegalMoveError(Reason.MATCH_OVER, "X1", "the match has ended")
    # Leaving a match that has not started loses nothing.
    winner = None if isinstance(match, Gathering) else other(seat)
    return Resigned(seat), _end(match, "resigned", winner)


def _expire(match: Match, at: Instant) -> tuple[Event, ...]:
    end = deadline(match)
    if end is None or at <= end:
        raise _not_now("no time is over yet")
    if not isinstance(match, Playing):
        return (_end(match, "abandoned", None),)
    seat = hands.to_move(match.hand)
    assert seat is not None
    if _thinking_time(match, seat) > match.terms.limits.idle_ms * _MS:
        return (_end(match, "abandoned", other(seat)),)
    return ClockExpired(seat), _end(match, "clock", other(seat))


def _reveal_secret(match: Match, command: RevealSecret) -> tuple[Event, ...]:
    over = hands_dealt(match)
    if isinstance(match, Playing):
        over -= 1
    if not isinstance(match, Ended) and match.terms.reveal != "hand":
        raise _not_now("the secrets of this match come out when it has ended")
    already = 0 if isinstance(match, Gathering) else match.revealed
    if not already < command.hand <= over:
        raise _not_now(f"hand {command.hand} is not over, or its secret is out")
    return (SecretRevealed(command.hand, command.secret),)


# --- what has happened --------------------------------------------------------------------------


def evolve(match: Match | None, event: Event, at: Instant) -> Match:
    """Return the match after `event` at the instant `at`; it trusts the event.

    Raises ValueError for an event that has no place here, as only a damaged log can hold.
    """
    match event, match:
        case (
            StockDrawn()
            | Discarded()
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
            )
        case MatchCreated(), None:
            return Gathering(terms=event, seats=BySeat(None, None), since=at)
        case PlayerJoined() | NonceRevealed(), Gathering():
            return _gathered(match, event, at)
        case ClockPaused() | ClockResumed(), Playing():
            return msgspec.structs.replace(match, clock=_halted(match, event, at))
        case ClockExpired() | Resigned() | Forfeited(), Gathering() | Dealing() | Playing():
            return match
        case SecretRevealed(hand=number), Dealing() | Playing() | Ended():
            return msgspec.structs.replace(match, revealed=number)
        case MatchEnded(), Gathering() | Dealing() | Playing():
            return _ended(match, event, at)
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
    if mover is not None and not isinstance(event, HandVoided):
        clock = Clock(bank=_charged(match, mover, at), since=at)
    if not isinstance(hand, Finished):
        return Playing(match.terms, match.seats, match.score, clock, hand, match.revealed)
    score = _scored(match.score, hand.result)
    return Dealing(match.terms, match.seats, score, clock, hand, match.revealed)


def _charged(match: Playing, seat: Seat, at: Instant) -> BySeat[int] | None:
    """Return the banks after a decision of `seat` at `at`: its time off, the increment on."""
    bank, control = match.clock.bank, match.terms.clock
    if bank is None or control is None:
        return bank
    left = bank[seat] - (at - match.clock.since) + control.increment_ms * _MS
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
        return msgspec.structs.replace(match, seats=match.seats.put(event.seat, seated))
    before = match.seats[event.seat]
    if before is None:
        raise ValueError(f"a nonce is revealed at seat {event.seat}, where nobody sits")
    seats = match.seats.put(event.seat, msgspec.structs.replace(before, nonce=event.nonce))
    if any(seated is None or seated.nonce is None for seated in seats):
        return msgspec.structs.replace(match, seats=seats)
    return Dealing(
        terms=match.terms, seats=seats, score=Score(), clock=_new_clock(match.terms, at), last=None
    )


def _new_clock(terms: MatchCreated, at: Instant) -> Clock:
    if terms.clock is None or terms.clock.bank_ms is None:
        return Clock(bank=None, since=at)
    bank = terms.clock.bank_ms * _MS
    return Clock(bank=BySeat(bank, bank), since=at)


def _ended(match: Gathering | Dealing | Playing, event: MatchEnded, at: Instant) -> Ended:
    match match:
        case Gathering(terms=terms, seats=seats):
            return Ended(terms, seats, Score(), _new_clock(terms, at), None, event)
        case Dealing(last=last):
            pass
        case Playing(hand=last):
            pass
        case _:
            assert_never(match)
    return Ended(match.terms, match.seats, match.score, match.clock, last, event, match.revealed)
