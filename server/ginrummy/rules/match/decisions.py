"""What may be decided around the hands: seats, nonces, deals, ends, and whose deal is next."""

import hashlib
from typing import assert_never

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Seat, other
from ginrummy.rules.commands import (
    Abort,
    Command,
    Copy,
    CreateMatch,
    Deal,
    Expire,
    Forfeit,
    Join,
    Move,
    Pause,
    Play,
    Resign,
    Resume,
    RevealNonce,
    RevealPosition,
    RevealSecret,
)
from ginrummy.rules.disputes.commands import Appeal, OpenDispute, RuleOnDispute, TakeReplay
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    EndReason,
    Event,
    Forfeited,
    HandEvent,
    HandScored,
    HandVoided,
    MatchEnded,
    NonceRevealed,
    PlayerJoined,
    Resigned,
)
from ginrummy.rules.hand import Finished
from ginrummy.rules.match.disputing import decide_dispute
from ginrummy.rules.match.opening import check_key, open_match
from ginrummy.rules.match.refusing import not_now
from ginrummy.rules.match.revealing import reveal
from ginrummy.rules.match.states import (
    BOTH_SEATS,
    MS,
    Dealing,
    Ended,
    Gathering,
    Instant,
    Match,
    Playing,
    begins_in_a_position,
    hands_dealt,
    scored,
    seat_of,
    starting_score,
)
from ginrummy.rules.match.waiting import deadline, thinking_time
from ginrummy.rules.scoring import end_match

__all__ = ["decide", "next_dealer"]

_RESULTS = frozenset({HandScored, HandVoided})
"""What ends a hand, and may end the match with it."""


def decide(  # noqa: PLR0912 -- one case a command
    match: Match | None, command: Command, at: Instant
) -> tuple[Event, ...]:
    """Return the events that `command` causes at the instant `at`.

    `match` is None before the match is created. Raises IllegalMoveError where the command is not
    allowed in this state; nothing has changed then.
    """
    if match is None:
        if isinstance(command, CreateMatch):
            return open_match(command.terms, command.names, command.keys)
        raise IllegalMoveError(Reason.MATCH_NOT_STARTED, "", "there is no such match yet")
    match command:
        case Play(seat=seat, move=move):
            if type(move) is Resign:
                return _resign(match, seat)
            playing = _playing(match, at)
            return _with_match_end(playing, hands.decide(playing.hand, seat, move))
        case Deal():
            return _deal(match, command)
        case Copy(move=move):
            return _copy(match, move)
        case Join():
            return _join(match, command)
        case RevealNonce(seat=seat, nonce=nonce):
            return _reveal_nonce(match, seat, nonce)
        case RevealSecret() | RevealPosition():
            return (reveal(match, command),)
        case Expire():
            return _expire(match, at)
        case Forfeit(seat=seat, reason=reason):
            if reason == "illegal_moves":
                # Refused moves count only where a seat could have made one.
                _playing(match, at)
            _check_not_over(match)
            return Forfeited(seat, reason), _end(match, reason, other(seat))
        case Abort():
            return (_abort(match, command),)
        case Pause():
            _playing(match, at)
            return (ClockPaused(),)
        case Resume():
            if not isinstance(match, Playing):
                raise not_now("no hand is being played, so no clock can be resumed")
            return (ClockResumed(),)
        case OpenDispute() | Appeal() | RuleOnDispute() | TakeReplay():
            return decide_dispute(match, command, at)
        case CreateMatch():
            raise not_now("the match was created before")
        case _:
            assert_never(command)


def _check_not_over(match: Match) -> None:
    if isinstance(match, Ended):
        raise IllegalMoveError(Reason.MATCH_OVER, "X1", "the match has ended")


def _playing(match: Match, at: Instant) -> Playing:
    """Return the match if a seat can decide something at `at`."""
    if not isinstance(match, Playing):
        _check_not_over(match)
        if isinstance(match, Dealing) and match.last is not None:
            raise IllegalMoveError(
                Reason.HAND_OVER, "D1", "the hand has ended, and the next one is not dealt yet"
            )
        raise IllegalMoveError(
            Reason.MATCH_NOT_STARTED, "D1", "no hand is dealt: both seats and nonces come first"
        )
    if match.copies:
        raise not_now("the moves that this match takes over come first")
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
        for seat in BOTH_SEATS
        if match.seats[seat] is None and match.terms.seats[seat] in (None, join.player)
    ]
    # A seat kept for this player goes before one that anybody may take.
    free.sort(key=lambda seat: match.terms.seats[seat] != join.player)
    if not free or join.seat not in (None, *free):
        which = "no seat here is" if join.seat is None else f"seat {join.seat} is not"
        raise IllegalMoveError(Reason.SEAT_TAKEN, "", f"{which} free for you")
    if {join.nonce_commitment is None, join.nonce_by is None} != {match.terms.board is not None}:
        takes = "no nonces" if match.terms.board is not None else "a nonce of each player"
        raise IllegalMoveError(Reason.NONCE_MISMATCH, "", f"the decks of this match take {takes}")
    check_key(match.terms, join.key)
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
        takes = match.terms.board is None
        raise not_now("the nonces are out already" if takes else "a board takes no nonces")
    seated = match.seats[seat]
    if seated is None or match.seats[other(seat)] is None:
        raise not_now("a nonce is revealed once both seats are taken")
    if seated.nonce is not None:
        raise not_now(f"the nonce of seat {seat} is out already")
    if hashlib.sha256(bytes.fromhex(nonce)).hexdigest() != seated.nonce_commitment:
        raise IllegalMoveError(
            Reason.NONCE_MISMATCH, "", "the nonce is not the one committed to when joining"
        )
    return (NonceRevealed(seat, nonce),)


def _deal(match: Match, command: Deal) -> tuple[Event, ...]:
    if not isinstance(match, Dealing):
        raise not_now("no hand is to be dealt")
    last = match.last
    if last is None:
        agreed = match.terms.first_dealer
        dealer = command.first_dealer if agreed is None else agreed
        if dealer is None:
            raise not_now("the first dealer comes from the first hand's secret (D3)")
    else:
        dealer = next_dealer(last)
    events = hands.deal(match.terms.rules, hands_dealt(match) + 1, dealer, command.deck)
    if last is None and begins_in_a_position(match.terms) and len(events) > 1:
        raise not_now("a match does not branch off where a hand is over")
    return _with_match_end(match, events)


def _copy(match: Match, move: Move) -> tuple[Event, ...]:
    """Take a move over from where the match branched off, without a clock."""
    if not isinstance(match, Playing) or not match.copies:
        raise not_now("there is no move to take over from another match")
    seat = hands.to_move(match.hand)
    if seat is None:
        raise not_now("the hand is decided, and no move can be taken over")
    events = hands.decide(match.hand, seat, move)
    if len(events) > 1:
        raise not_now("a match does not branch off where a hand is over")
    return events


def next_dealer(last: Finished) -> Seat:
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
    if type(last) not in _RESULTS:
        return events
    assert isinstance(last, HandScored | HandVoided)
    rules, score = match.terms.rules, scored(match.score, last)
    reason: EndReason
    winner: Seat | None
    if match.terms.board is not None:
        # A sitting is one hand, whatever comes of it.
        reason, winner = "hands", None if isinstance(last, HandVoided) else last.winner
    elif (
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


def _end(match: Match, reason: EndReason, winner: Seat | None) -> MatchEnded:
    score = starting_score(match.terms) if isinstance(match, Gathering) else match.score
    return end_match(match.terms.rules, reason, winner, score.points, score.hands_won)


def _abort(match: Match, command: Abort) -> MatchEnded:
    _check_not_over(match)
    winner = None
    if command.reason == "round_clock" and not isinstance(match, Gathering):
        winner = _leader(match.score.points)
    return _end(match, command.reason, winner)


def _resign(match: Match, seat: Seat) -> tuple[Event, ...]:
    _check_not_over(match)
    # Leaving a match that has not started loses nothing.
    winner = None if isinstance(match, Gathering) else other(seat)
    return Resigned(seat), _end(match, "resigned", winner)


def _expire(match: Match, at: Instant) -> tuple[Event, ...]:
    end = deadline(match)
    if end is None or at <= end:
        raise not_now("no time is over yet")
    if not isinstance(match, Playing):
        return (_end(match, "abandoned", None),)
    seat = hands.to_move(match.hand)
    assert seat is not None
    if thinking_time(match, seat) > match.terms.limits.idle_ms * MS:
        return (_end(match, "abandoned", other(seat)),)
    return ClockExpired(seat), _end(match, "clock", other(seat))
