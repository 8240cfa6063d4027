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
from ginrummy.api.wire import CARD_NAMES, timestamp
from ginrummy.api.written import card_fields, flag, instant, key, number, numbers, part, text
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
    "PHASES",
    "STAGES",
    "Standing",
    "legal_message",
    "match_message",
    "summary_message",
    "view_message",
    "written_view",
]

STAGES: Mapping[Stage, pb.Stage.ValueType] = {
    "gathering": pb.STAGE_GATHERING,
    "playing": pb.STAGE_PLAYING,
    "ended": pb.STAGE_ENDED,
}

PHASES: Mapping[Phase, pb.Phase.ValueType] = {
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
    """Return a view as a message."""
    return pb.View.FromString(written_view(view, standing))


def written_view(view: MatchView, standing: Standing) -> bytes:
    """Return the bytes of a view's message; `standing` is what it says beside the view."""
    match_id, seq, head_hash, now, connected = standing
    fields = [
        text(_MATCH_ID, match_id),
        _SEQ,
        number(seq),
        text(_HEAD_HASH, head_hash),
        _STAGES[view.stage],
        numbers(_POINTS, view.score.points),
        numbers(_HANDS_WON, view.score.hands_won),
        numbers(_CONNECTED, connected),
        part(_CLOCK, _written_clock(view, now)),
    ]
    if isinstance(view.perspective, int):
        fields.append(_SEAT + number(view.perspective))
        if _is_nonce_due(view, view.seats[view.perspective]):
            fields.append(_NONCE_DUE)
    if view.terms.is_practice:
        fields.append(_PRACTICE)
    if view.hand is not None:
        fields.append(part(_HAND, _written_hand(view.hand)))
    if view.outcome is not None:
        ended = events_pb2.MatchEnded()
        fill_match_ended(ended, view.outcome)
        fields.append(part(_OUTCOME, ended.SerializeToString()))
    return b"".join(fields)


_MATCH_ID = key(pb.View, "match_id")
_SEQ = key(pb.View, "seq")
_HEAD_HASH = key(pb.View, "head_hash")
_STAGES = {name: key(pb.View, "stage") + number(stage) for name, stage in STAGES.items()}
_SEAT = key(pb.View, "seat")
_POINTS = key(pb.View, "points")
_HANDS_WON = key(pb.View, "hands_won")
_HAND = key(pb.View, "hand")
_CLOCK = key(pb.View, "clock")
_CONNECTED = key(pb.View, "connected")
_NONCE_DUE = flag(pb.View, "nonce_due")
_OUTCOME = key(pb.View, "outcome")
_PRACTICE = flag(pb.View, "practice")


def _is_nonce_due(view: MatchView, own: Seated | None) -> bool:
    """Say whether the viewer is to reveal a nonce: their own, once both seats are taken."""
    if view.stage != "gathering" or own is None or own.nonce is not None:
        return False
    return own.nonce_by == "player" and None not in view.seats


def _written_hand(hand: HandView) -> bytes:
    fields = [
        _NUMBER + number(hand.number),
        _DEALER + number(hand.dealer),
        _UPCARD[hand.upcard.index],
        _KNOCK_LIMIT + number(hand.knock_limit),
        _PHASES[hand.phase],
        part(_HANDS, _written_held(hand.hands[0])),
        part(_HANDS, _written_held(hand.hands[1])),
        *[_DISCARD_PILE[card.index] for card in hand.pile],
        _STOCK + number(hand.stock),
        _DISCARD_DRAWS + number(hand.discard_draws),
    ]
    if hand.to_move is not None:
        fields.append(_TO_MOVE + number(hand.to_move))
    if hand.drawn is not None:
        fields.append(_DRAWN[hand.drawn.index])
    if hand.taken:
        fields.append(_TAKEN)
    if hand.gin_only:
        fields.append(_GIN_ONLY)
    if hand.upcard_passed:
        fields.append(_UPCARD_PASSED)
    if hand.legal:
        fields.append(part(_LEGAL, _written_legal(hand.legal)))
    if hand.phase in _LATE_PHASES:
        end = pb.HandView()
        _fill_end(end, hand)
        # Fields of one message may stand in any order, and one part after the other.
        fields.append(end.SerializeToString())
    return b"".join(fields)


_NUMBER = key(pb.HandView, "number")
_DEALER = key(pb.HandView, "dealer")
_UPCARD = card_fields(pb.HandView, "upcard")
_KNOCK_LIMIT = key(pb.HandView, "knock_limit")
_GIN_ONLY = flag(pb.HandView, "gin_only")
_PHASES = {name: key(pb.HandView, "phase") + number(phase) for name, phase in PHASES.items()}
_TO_MOVE = key(pb.HandView, "to_move")
_HANDS = key(pb.HandView, "hands")
_DRAWN = card_fields(pb.HandView, "drawn")
_TAKEN = flag(pb.HandView, "taken")
_DISCARD_PILE = card_fields(pb.HandView, "discard_pile")
_STOCK = key(pb.HandView, "stock")
_DISCARD_DRAWS = key(pb.HandView, "discard_draws")
_UPCARD_PASSED = flag(pb.HandView, "upcard_passed")
_LEGAL = key(pb.HandView, "legal")

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


def _written_held(held: HeldCards) -> bytes:
    fields = [_CARDS[card.index] for card in held.cards]
    if held.hidden:
        fields.append(_HIDDEN + number(held.hidden))
    if held.deadwood is not None:
        fields.append(_DEADWOOD + number(held.deadwood))
    return b"".join(fields)


_CARDS = card_fields(pb.HeldCards, "cards")
_HIDDEN = key(pb.HeldCards, "hidden")
_DEADWOOD = key(pb.HeldCards, "deadwood")


def legal_message(legal: Iterable[Move]) -> pb.LegalMoves:
    """Return the moves that a seat can make, as the rules list them."""
    return pb.LegalMoves.FromString(_written_legal(legal))


def _written_legal(legal: Iterable[Move]) -> bytes:
    fields = []
    for move in legal:
        match move:
            case Discard(card=card):
                fields.append(_DISCARDS[card.index])
            case Knock(card=card):
                fields.append(_KNOCKS[card.index])
            case Draw():
                fields.append(_DRAW)
            case Take():
                fields.append(_TAKE)
            case Pass():
                fields.append(_PASS)
            case BigGin():
                fields.append(_BIG_GIN)
            case LayOff():
                fields.append(_LAY_OFF)
            case Resign():
                pass  # It is always possible, and so not listed.
            case _:
                assert_never(move)
    return b"".join(fields)


_PASS = flag(pb.LegalMoves, "pass_upcard")
_TAKE = flag(pb.LegalMoves, "take")
_DRAW = flag(pb.LegalMoves, "draw")
_DISCARDS = card_fields(pb.LegalMoves, "discards")
_KNOCKS = card_fields(pb.LegalMoves, "knocks")
_BIG_GIN = flag(pb.LegalMoves, "big_gin")
_LAY_OFF = flag(pb.LegalMoves, "lay_off")


def _written_clock(view: MatchView, now: Instant) -> bytes:
    fields = instant(_SERVER_TIME, now)
    if view.deadline is not None:
        fields += instant(_DEADLINE, view.deadline)
    clock = view.clock
    if clock is None:
        return fields
    running = None
    if view.deadline is not None and view.hand is not None:
        running = view.hand.to_move
    if running is not None:
        fields += _RUNNING + number(running)
    if clock.paused:
        fields += _PAUSED
    if clock.bank is not None:
        left = clock.bank
        if running is not None:
            left = left.put(running, left[running] - (now - clock.since))
        fields += numbers(_BANK_MS, [max(0, micros) // _MS for micros in left])
    return fields


_BANK_MS = key(pb.ClockView, "bank_ms")
_RUNNING = key(pb.ClockView, "running")
_PAUSED = flag(pb.ClockView, "paused")
_DEADLINE = key(pb.ClockView, "deadline")
_SERVER_TIME = key(pb.ClockView, "server_time")


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
