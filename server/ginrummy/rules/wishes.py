"""Back from what happened to what was wished: the command that an event answers.

An audit decides each event's command again and compares; a server tells by it whether a repeated
request asks for what was done the first time.
"""

from ginrummy.rules.cards import Deck, Seat, card_set, cards_in
from ginrummy.rules.commands import (
    Abort,
    BigGin,
    Command,
    Copy,
    CreateMatch,
    Deal,
    Discard,
    Draw,
    Expire,
    Forfeit,
    Join,
    Knock,
    LayOff,
    Move,
    Pass,
    Pause,
    Play,
    Resign,
    Resume,
    RevealNonce,
    RevealPosition,
    RevealSecret,
    Take,
)
from ginrummy.rules.disputes.commands import Appeal, OpenDispute, RuleOnDispute, TakeReplay
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.disputes.wishes import same_dispute_wish
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    Event,
    Forfeited,
    HandDealt,
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
from ginrummy.rules.hand import Discarding, LayingOff
from ginrummy.rules.match import Match, Playing

__all__ = ["deal_of", "same_wish", "wish_of"]

# What says nothing but its name is made once: an audit asks for one of them at every other line.
_DRAW, _TAKE, _PASS, _RESIGN = Draw(), Take(), Pass(), Resign()


def wish_of(before: Match | None, event: Event) -> Command | None:
    """Return the command that `event` is the first answer to.

    None where the event only follows from another one (a score, a match's end, what the server
    lays down after gin), where it needs a deck (see `deal_of`), where the face-down discard of a
    knock is not known, or where it is about a dispute (see `dispute_wish`).
    """
    wish = _wish_of(before, event)
    if isinstance(before, Playing) and before.copies and isinstance(wish, Play):
        return Copy(wish.move)
    return wish


def _wish_of(before: Match | None, event: Event) -> Command | None:
    match event:
        case Discarded(seat=seat, card=card):
            return Play(seat, Discard(card))
        case StockDrawn(seat=seat):
            return Play(seat, _DRAW)
        case DiscardTaken(seat=seat):
            return Play(seat, _TAKE)
        case UpcardPassed(seat=seat):
            return Play(seat, _PASS)
        case Knocked():
            return _knock(before, event)
        case LaidOff(seat=seat, melds=melds, layoffs=layoffs):
            return None if _after_gin(before) else Play(seat, LayOff(melds, layoffs))
        case Resigned(seat=seat):
            return Play(seat, _RESIGN)
        case _:
            return _act_of(event)


def _act_of(event: Event) -> Command | None:
    """Return the act around the play that an event is the first answer to."""
    match event:
        case MatchCreated():
            return CreateMatch(event)
        case PlayerJoined():
            return Join(
                seat=event.seat,
                player=event.player,
                name=event.name,
                nonce_commitment=event.nonce_commitment,
                nonce_by=event.nonce_by,
                key=event.key,
            )
        case NonceRevealed(seat=seat, nonce=nonce):
            return RevealNonce(seat, nonce)
        case SecretRevealed(hand=hand, secret=secret):
            return RevealSecret(hand, secret)
        case PositionRevealed(salt=salt, cards=cards):
            return RevealPosition(salt, cards)
        case ClockPaused():
            return Pause()
        case ClockResumed():
            return Resume()
        case ClockExpired():
            return Expire()
        case Forfeited(seat=seat, reason=reason):
            return Forfeit(seat, reason)
        case MatchEnded(reason="abandoned"):
            return Expire()
        case MatchEnded(reason="aborted" | "round_clock" as reason):
            return Abort(reason)
        case _:
            return None


def deal_of(event: HandDealt, deck: Deck, first_dealer: Seat | None) -> Deal:
    """Return the command that dealt a hand, from the deck and first dealer of its secret."""
    return Deal(deck=deck, first_dealer=first_dealer if event.hand == 1 else None)


def same_wish(command: Command, before: Match | None, event: Event) -> bool:
    """Say whether `command`, sent again, asks for what `event` was the answer to.

    An arrangement that was left to the server is the same as the one that it chose.
    """
    match command, event:
        case (
            OpenDispute() | Appeal() | RuleOnDispute() | TakeReplay(),
            DisputeOpened()
            | DisputeAppealed()
            | DisputeRuled()
            | HandReplayed()
            | ResultAdjusted(),
        ):
            return same_dispute_wish(command, event)
    wish = wish_of(before, event)
    match command, wish:
        case Play(seat=seat, move=move), Play():
            return seat == wish.seat and _same_move(move, wish.move)
        case CreateMatch(), CreateMatch():
            # What the players are called is not in the event.
            return command.terms == wish.terms
        case Join(), Join():
            # Which seat, and a nonce that the server draws, were not the caller's to say.
            same_player = (command.player, command.key) == (wish.player, wish.key)
            return same_player and command.seat in (None, wish.seat)
        case _:
            return command == wish


def _same_move(move: Move, done: Move) -> bool:
    match move, done:
        case (Knock(melds=None), Knock()):
            return move.card is done.card
        case (BigGin(melds=None), BigGin()) | (LayOff(melds=None, layoffs=()), LayOff()):
            return True
        case _:
            return move == done


def _knock(before: Match | None, event: Knocked) -> Play | None:
    if not isinstance(before, Playing) or not isinstance(before.hand, Discarding):
        return None
    laid = card_set(event.deadwood)
    for meld in event.melds:
        laid |= card_set(meld)
    if laid.bit_count() == 11:
        return Play(event.seat, BigGin(event.melds))
    face_down = cards_in(before.hand.layout.hands[event.seat] & ~laid)
    if len(face_down) != 1:
        return None
    return Play(event.seat, Knock(face_down[0], event.melds))


def _after_gin(before: Match | None) -> bool:
    return (
        isinstance(before, Playing)
        and isinstance(before.hand, LayingOff)
        and before.hand.knocked.gin
    )
