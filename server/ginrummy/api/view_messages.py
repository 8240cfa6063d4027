"""Matches and views as messages: what the rules let a viewer see, and not a field more."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, assert_never

from ginrummy.api.event_messages import (
    END_REASONS,
    fill_board,
    fill_knocked,
    fill_laid_off,
    fill_match_ended,
    fill_origin,
    fill_scored,
    fill_voided,
)
from ginrummy.api.terms_messages import (
    REVEAL_POLICIES,
    SIGNING_POLICIES,
    clock_message,
    limits_message,
    ruleset_message,
)
from ginrummy.api.wire import CARD_NAMES, card_names, fill_timestamp, timestamp
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Resign, Take
from ginrummy.rules.events import HandScored, HandVoided
from ginrummy.rules.match import (
    Dealing,
    Ended,
    Gathering,
    Instant,
    Match,
    Playing,
    Seated,
    hands_dealt,
    starting_score,
)
from ginrummy.rules.view import HandView, HeldCards, MatchView, Phase
from ginrummy.store.projections import MatchRow, Stage
from ginrummy.v1 import events_pb2
from ginrummy.v1 import match_pb2 as pb

__all__ = [
    "STAGES",
    "Standing",
    "fill_view",
    "legal_message",
    "match_message",
    "summary_message",
    "view_message",
]

STAGES: Mapping[Stage, pb.Stage.ValueType] = {
    "gathering": pb.STAGE_GATHERING,
    "playing": pb.STAGE_PLAYING,
    "ended": pb.STAGE_ENDED,
}

_PHASES: Mapping[Phase, pb.Phase.ValueType] = {
    "offer": pb.PHASE_OFFER,
    "draw": pb.PHASE_DRAW,
    "discard": pb.PHASE_DISCARD,
    "lay_off": pb.PHASE_LAY_OFF,
    "over": pb.PHASE_OVER,
}

_MS = 1000
"""Microseconds in a millisecond."""


class Standing(NamedTuple):
    """What a view's message says beside the view: of which match, after which event, and when."""

    match_id: str
    seq: int
    head_hash: str
    now: Instant
    connected: Sequence[bool]
    """Whether each seat has a stream open."""


def view_message(view: MatchView, standing: Standing) -> pb.View:
    """Return a view as a message of its own."""
    message = pb.View()
    fill_view(message, view, standing)
    return message


def fill_view(message: pb.View, view: MatchView, standing: Standing) -> None:
    """Write into a message's field what `view_message` returns."""
    message.match_id, message.seq, message.head_hash, now, connected = standing
    message.stage = STAGES[view.stage]
    if view.terms.is_practice:
        message.practice = True
    if isinstance(view.perspective, int):
        message.seat = view.perspective
        message.nonce_due = _is_nonce_due(view, view.seats[view.perspective])
    message.points.extend(view.score.points)
    message.hands_won.extend(view.score.hands_won)
    message.connected.extend(connected)
    if view.hand is not None:
        _fill_hand(message.hand, view.hand)
    _fill_clock(message.clock, view, now)
    if view.outcome is not None:
        fill_match_ended(message.outcome, view.outcome)


def _is_nonce_due(view: MatchView, own: Seated | None) -> bool:
    """Say whether the viewer is to reveal a nonce: their own, once both seats are taken."""
    if view.stage != "gathering" or own is None or own.nonce is not None:
        return False
    return own.nonce_by == "player" and None not in view.seats


def _fill_hand(message: pb.HandView, hand: HandView) -> None:
    message.number = hand.number
    message.dealer = hand.dealer
    message.upcard = CARD_NAMES[hand.upcard.index]
    message.knock_limit = hand.knock_limit
    if hand.gin_only:
        message.gin_only = True
    message.phase = _PHASES[hand.phase]
    if hand.to_move is not None:
        message.to_move = hand.to_move
    hands = message.hands
    _fill_held(hands.add(), hand.hands[0])
    _fill_held(hands.add(), hand.hands[1])
    if hand.drawn is not None:
        message.drawn = CARD_NAMES[hand.drawn.index]
    if hand.taken:
        message.taken = True
    message.discard_pile.extend(card_names(hand.pile))
    message.stock = hand.stock
    message.discard_draws = hand.discard_draws
    if hand.upcard_passed:
        message.upcard_passed = True
    if hand.legal:
        _fill_legal(message.legal, hand.legal)
    if hand.phase in _LATE_PHASES:
        _fill_end(message, hand)


_LATE_PHASES = ("lay_off", "over")


def _fill_end(message: pb.HandView, hand: HandView) -> None:
    """Write how a hand ends: there is nothing of it before a knock, or a void."""
    if hand.face_down is not None:
        message.face_down = CARD_NAMES[hand.face_down.index]
    if hand.knocked is not None:
        fill_knocked(message.knocked, hand.knocked)
    if hand.laid_off is not None:
        fill_laid_off(message.laid_off, hand.laid_off)
    match hand.result:
        case HandScored():
            fill_scored(message.scored, hand.result)
        case HandVoided():
            fill_voided(message.voided, hand.result)
        case None:
            pass
        case _:
            assert_never(hand.result)


def _fill_held(message: pb.HeldCards, held: HeldCards) -> None:
    message.cards.extend(card_names(held.cards))
    if held.hidden:
        message.hidden = held.hidden
    if held.deadwood is not None:
        message.deadwood = held.deadwood


def legal_message(legal: Iterable[Move]) -> pb.LegalMoves:
    """Return the moves that a seat can make, as the rules list them."""
    message = pb.LegalMoves()
    _fill_legal(message, legal)
    return message


def _fill_legal(message: pb.LegalMoves, legal: Iterable[Move]) -> None:
    discards: list[str] = []
    knocks: list[str] = []
    for move in legal:
        match move:
            case Discard(card=card):
                discards.append(CARD_NAMES[card.index])
            case Knock(card=card):
                knocks.append(CARD_NAMES[card.index])
            case Draw():
                message.draw = True
            case Take():
                message.take = True
            case Pass():
                message.pass_upcard = True
            case BigGin():
                message.big_gin = True
            case LayOff():
                message.lay_off = True
            case Resign():
                pass  # It is always possible, and so not listed.
            case _:
                assert_never(move)
    if discards:
        message.discards.extend(discards)
    if knocks:
        message.knocks.extend(knocks)


def _fill_clock(message: pb.ClockView, view: MatchView, now: Instant) -> None:
    fill_timestamp(message.server_time, now)
    if view.deadline is not None:
        fill_timestamp(message.deadline, view.deadline)
    clock = view.clock
    if clock is None:
        return
    running = None
    if view.deadline is not None and view.hand is not None:
        running = view.hand.to_move
    if running is not None:
        message.running = running
    if clock.paused:
        message.paused = True
    if clock.bank is not None:
        left = clock.bank
        if running is not None:
            left = left.put(running, left[running] - (now - clock.since))
        message.bank_ms.extend(max(0, micros) // _MS for micros in left)


def match_message(
    match: Match, *, match_id: str, created_at: Instant, seq: int, head_hash: str
) -> pb.Match:
    """Return what was agreed for a match, and where it stands after event `seq`."""
    terms = match.terms
    score = starting_score(terms) if isinstance(match, Gathering) else match.score
    message = pb.Match(
        id=match_id,
        name=terms.name,
        stage=_stage(match),
        seats=[_seat_message(seated) for seated in match.seats],
        rules=ruleset_message(terms.rules),
        clock=None if terms.clock is None else clock_message(terms.clock),
        limits=limits_message(terms.limits),
        reveal=REVEAL_POLICIES[terms.reveal],
        signing=SIGNING_POLICIES[terms.signing],
        dispute_ms=terms.dispute_ms,
        commitment=terms.commitment,
        points=score.points,
        hands_won=score.hands_won,
        hands_dealt=hands_dealt(match),
        created_at=timestamp(created_at),
        seq=seq,
        head_hash=head_hash,
    )
    if isinstance(match, Ended):
        fill_match_ended(message.outcome, match.outcome)
        message.disputes = len(match.disputes)
        message.open_disputes = sum(each.awaits_ruling for each in match.disputes)
        message.adjusted = any(each.has_changed for each in match.disputes)
        message.replaying = any(each.awaits_replay for each in match.disputes)
    if terms.board is not None:
        fill_board(message.board, terms.board)
    if terms.origin is not None:
        fill_origin(message.origin, terms.origin)
    return message


def _stage(match: Match) -> pb.Stage.ValueType:
    match match:
        case Gathering():
            return pb.STAGE_GATHERING
        case Dealing() | Playing():
            return pb.STAGE_PLAYING
        case Ended():
            return pb.STAGE_ENDED
        case _:
            assert_never(match)


def _seat_message(seated: Seated | None) -> pb.Seat:
    if seated is None:
        return pb.Seat()
    return pb.Seat(player_id=seated.player, name=seated.name, key=seated.key or "")


def summary_message(row: MatchRow) -> pb.MatchSummary:
    """Return a row of a list of matches."""
    return pb.MatchSummary(
        id=row.id,
        name=row.name,
        stage=STAGES[row.stage],
        seats=[
            pb.Seat(player_id=player or "", name=name or "")
            for player, name in zip(row.players, row.names, strict=True)
        ],
        points=row.points if row.ended is None else row.totals,
        hands=row.hands,
        created_at=timestamp(row.created),
        ended_at=None if row.ended is None else timestamp(row.ended),
        reason=events_pb2.END_REASON_UNSPECIFIED if row.reason is None else END_REASONS[row.reason],
        winner=row.winner,
        practice=row.practice,
        disputes=row.disputes,
        open_disputes=row.open_disputes,
        adjusted=row.adjusted > 0,
        replay_of=row.replay_of or "",
        replaying=row.replaying > 0,
    )
