"""Events as messages, for whoever may see them: everybody, since no event holds a hidden card."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol, assert_never

from ginrummy.api.dispute_event_messages import fill_dispute_event
from ginrummy.api.ending_messages import END_REASONS, fill_match_ended
from ginrummy.api.terms_messages import (
    REVEAL_POLICIES,
    SIGNING_POLICIES,
    clock_message,
    limits_message,
    ruleset_message,
)
from ginrummy.api.wire import CARD_NAMES, card_names
from ginrummy.api.written import card_fields, instant, key, number, part, text
from ginrummy.log.lines import MatchLine
from ginrummy.rules.cards import Card
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.events import (
    Board,
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    Event,
    Forfeited,
    HandDealt,
    HandKind,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
    Meld,
    NonceRevealed,
    Origin,
    OriginKind,
    PlayerJoined,
    PositionRevealed,
    Resigned,
    SecretRevealed,
    StockDrawn,
    UnseenCards,
    UpcardPassed,
    VoidReason,
)
from ginrummy.v1 import events_pb2 as pb

__all__ = [
    "END_REASONS",
    "HAND_KINDS",
    "VOID_REASONS",
    "event_message",
    "fill_board",
    "fill_knocked",
    "fill_laid_off",
    "fill_match_ended",
    "fill_origin",
    "fill_scored",
    "fill_voided",
    "with_drawn",
    "written_event",
]

HAND_KINDS: Mapping[HandKind, pb.HandKind.ValueType] = {
    "knock": pb.HAND_KIND_KNOCK,
    "undercut": pb.HAND_KIND_UNDERCUT,
    "gin": pb.HAND_KIND_GIN,
    "big_gin": pb.HAND_KIND_BIG_GIN,
}

VOID_REASONS: Mapping[VoidReason, pb.VoidReason.ValueType] = {
    "stock": pb.VOID_REASON_STOCK,
    "discard_draws": pb.VOID_REASON_DISCARD_DRAWS,
}

_ORIGIN_KINDS: Mapping[OriginKind, pb.OriginKind.ValueType] = {
    "fork": pb.ORIGIN_KIND_FORK,
    "replay": pb.ORIGIN_KIND_REPLAY,
}

_UNSEEN_CARDS: Mapping[UnseenCards, pb.UnseenCards.ValueType] = {
    "same": pb.UNSEEN_CARDS_SAME,
    "reshuffled": pb.UNSEEN_CARDS_RESHUFFLED,
    "fresh": pb.UNSEEN_CARDS_FRESH,
}


def event_message(line: MatchLine, drawn: Card | None = None) -> pb.Event:
    """Return a stored line as a message, with the card that it gave to the receiver alone."""
    return pb.Event.FromString(with_drawn(written_event(line), drawn))


def written_event(line: MatchLine) -> bytes:
    """Return the bytes of a stored line's message, as it is for everybody."""
    event = line.event
    what = _written_move(event) if isinstance(event, _MOVES) else _written(event)
    return b"".join(
        (
            _SEQ,
            number(line.seq),
            instant(_AT, line.at),
            text(_BY, line.by),
            text(_REQUEST_ID, line.cmd),
            part(_LINE, line.raw),
            what,
        )
    )


def with_drawn(event: bytes, drawn: Card | None) -> bytes:
    """Return the bytes of an event's message with the card that it gave to the receiver alone."""
    return event if drawn is None else event + _DRAWN[drawn.index]


_SEQ = key(pb.Event, "seq")
_AT = key(pb.Event, "at")
_BY = key(pb.Event, "by")
_REQUEST_ID = key(pb.Event, "request_id")
_LINE = key(pb.Event, "line")
_DRAWN = card_fields(pb.Event, "drawn")

_MOVES = (StockDrawn, Discarded, DiscardTaken, UpcardPassed)
"""What happens most, and of which there are only some two hundred different ones."""


def _written(event: Event) -> bytes:
    message = pb.Event()
    _fill(message, event)
    return message.SerializeToString()


_written_move = lru_cache(maxsize=None)(_written)


# A message's field is set in its place: to make a part by itself and copy it in takes twice as
# long. A number set to 0 marks its message as set all the same.
def _fill(message: pb.Event, event: Event) -> None:  # noqa: PLR0912 -- a branch an event
    match event:
        case Discarded(seat=seat, card=card):
            discarded = message.discarded
            discarded.seat = seat
            discarded.card = CARD_NAMES[card.index]
        case StockDrawn(seat=seat):
            message.stock_drawn.seat = seat
        case DiscardTaken(seat=seat, card=card):
            taken = message.discard_taken
            taken.seat = seat
            taken.card = CARD_NAMES[card.index]
        case UpcardPassed(seat=seat):
            message.upcard_passed.seat = seat
        case Knocked():
            fill_knocked(message.knocked, event)
        case LaidOff():
            fill_laid_off(message.laid_off, event)
        case HandScored():
            fill_scored(message.hand_scored, event)
        case HandVoided():
            fill_voided(message.hand_voided, event)
        case HandDealt(hand=hand, dealer=dealer, upcard=upcard):
            dealt = message.hand_dealt
            dealt.hand = hand
            dealt.dealer = dealer
            dealt.upcard = CARD_NAMES[upcard.index]
        case SecretRevealed() | PositionRevealed() | NonceRevealed():
            _fill_revealed(message, event)
        case PlayerJoined():
            _fill_joined(message.player_joined, event)
        case MatchCreated():
            _fill_created(message.match_created, event)
        case MatchEnded():
            fill_match_ended(message.match_ended, event)
        case ClockPaused():
            message.clock_paused.SetInParent()
        case ClockResumed():
            message.clock_resumed.SetInParent()
        case ClockExpired(seat=seat):
            message.clock_expired.seat = seat
        case Resigned(seat=seat):
            message.resigned.seat = seat
        case Forfeited():
            _fill_forfeited(message.forfeited, event)
        case (
            DisputeOpened() | DisputeRuled() | DisputeAppealed() | HandReplayed() | ResultAdjusted()
        ):
            fill_dispute_event(message, event)
        case _:
            assert_never(event)


def _fill_created(message: pb.MatchCreated, event: MatchCreated) -> None:
    message.rules.CopyFrom(ruleset_message(event.rules))
    if event.clock is not None:
        message.clock.CopyFrom(clock_message(event.clock))
    message.limits.CopyFrom(limits_message(event.limits))
    message.reveal = REVEAL_POLICIES[event.reveal]
    message.commitment = event.commitment
    message.chain = event.chain
    message.seats.extend(player or "" for player in event.seats)
    message.name = event.name
    if event.board is not None:
        fill_board(message.board, event.board)
    if event.first_dealer is not None:
        message.first_dealer = event.first_dealer
    message.signing = SIGNING_POLICIES[event.signing]
    message.dispute_ms = event.dispute_ms
    if event.origin is not None:
        fill_origin(message.origin, event.origin)


def fill_board(message: pb.Board, board: Board) -> None:
    """Write which board of which tournament a match is."""
    message.tournament_id = board.tournament
    message.number = board.number
    message.mix = board.mix


def fill_origin(message: pb.Origin, origin: Origin) -> None:
    """Write which line of which match another one branches off from."""
    message.kind = _ORIGIN_KINDS[origin.kind]
    message.match_id = origin.match
    message.seq = origin.seq
    message.hash = origin.hash
    message.hand = origin.hand
    message.scores.extend(origin.scores)
    message.unseen = _UNSEEN_CARDS[origin.unseen]
    message.position = origin.position or ""
    message.moves = origin.moves
    message.hands_won.extend(origin.hands_won)
    if origin.seat is not None:
        message.seat = origin.seat


def _fill_revealed(
    message: pb.Event, event: SecretRevealed | PositionRevealed | NonceRevealed
) -> None:
    match event:
        case SecretRevealed(hand=hand, secret=secret):
            message.secret_revealed.hand = hand
            message.secret_revealed.secret = secret
        case PositionRevealed(salt=salt, cards=cards):
            message.position_revealed.salt = salt
            names = ("" if card is None else CARD_NAMES[card.index] for card in cards)
            message.position_revealed.cards.extend(names)
        case NonceRevealed(seat=seat, nonce=nonce):
            message.nonce_revealed.seat = seat
            message.nonce_revealed.nonce = nonce


def _fill_joined(message: pb.PlayerJoined, event: PlayerJoined) -> None:
    message.seat = event.seat
    message.player_id = event.player
    message.name = event.name
    message.nonce_commitment = event.nonce_commitment or ""
    message.nonce_by_server = event.nonce_by == "server"
    message.key = event.key or ""


def _fill_forfeited(message: pb.Forfeited, event: Forfeited) -> None:
    message.seat = event.seat
    message.reason = END_REASONS[event.reason]


def fill_knocked(message: pb.Knocked, event: Knocked) -> None:
    """Write what the knocker laid down."""
    message.seat = event.seat
    _fill_melds(message.melds, event.melds)
    message.deadwood.extend(card_names(event.deadwood))
    message.gin = event.gin


def fill_laid_off(message: pb.LaidOff, event: LaidOff) -> None:
    """Write what the knocker's opponent laid down and laid off."""
    message.seat = event.seat
    _fill_melds(message.melds, event.melds)
    for layoff in event.layoffs:
        message.layoffs.add(card=CARD_NAMES[layoff.card.index], meld=layoff.meld)
    message.deadwood.extend(card_names(event.deadwood))


def fill_scored(message: pb.HandScored, event: HandScored) -> None:
    """Write what a hand is worth."""
    message.hand = event.hand
    message.kind = HAND_KINDS[event.kind]
    message.winner = event.winner
    message.points = event.points
    message.deadwood.extend(event.deadwood)
    message.difference = event.difference
    message.bonus = event.bonus
    message.doubled = event.doubled


def fill_voided(message: pb.HandVoided, event: HandVoided) -> None:
    """Write why a hand is void."""
    message.hand = event.hand
    message.reason = VOID_REASONS[event.reason]


class _Melds(Protocol):
    """The field `melds`, whose own type has no name at run time."""

    def add(self) -> pb.Meld:
        """Add a meld to fill."""


def _fill_melds(field: _Melds, melds: Iterable[Meld]) -> None:
    for meld in melds:
        field.add().cards.extend(card_names(meld))
