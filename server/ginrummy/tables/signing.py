"""Whether a move has the signature that its match asks for, before anything of it is stored."""

from ginrummy.log.lines import MatchLine
from ginrummy.log.signatures import is_move_signed, is_text_signed, signed_text, wish_text
from ginrummy.rules.arrangements import arranged
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Command, Play
from ginrummy.rules.events import Event
from ginrummy.rules.hand import LayingOff
from ginrummy.rules.match import Match, Playing
from ginrummy.tables.errors import SignatureRefusedError

__all__ = ["check_signature", "holds_key", "same_signature"]


def check_signature(
    match: Match, seat: Seat, sig: str | None, stream: str, prev: str, event: Event
) -> None:
    """Check the signature of the move that `event` is the answer to.

    `match` is as it stood before, after the line whose hash is `prev`. Raises
    SignatureRefusedError.
    """
    policy, key = match.terms.signing, _key_of(match, seat)
    if sig is None:
        if policy == "required":
            why = "everybody signs their moves here: sign this one with the key you joined with"
            raise SignatureRefusedError("SIGNATURE_MISSING", why)
        return
    if policy == "off":
        raise SignatureRefusedError("SIGNING_OFF", "nobody signs their moves here: leave it out")
    if key is None:
        why = "you joined without a key, so no signature of yours can be checked: leave it out"
        raise SignatureRefusedError("KEY_MISSING", why)
    if not is_move_signed(key, stream, prev, event, sig):
        why = (
            "the signature is not that of the key you joined with over this move, decided on the "
            f"line with the hash {prev}"
        )
        raise SignatureRefusedError("SIGNATURE_WRONG", why)


def holds_key(match: Match, play: Play, sig: str | None, stream: str, prev: str) -> bool:
    """Say whether a move that is not legal is that of whoever may move for the seat.

    Where everybody signs, a token alone is not enough to lose a match by what is refused.
    """
    if match.terms.signing != "required":
        return True
    key = _key_of(match, play.seat)
    if sig is None or key is None or not isinstance(match, Playing):
        return False
    text = signed_text(stream, prev, _wish_text(match, play))
    return is_text_signed(key, text, sig)


def _wish_text(match: Playing, play: Play) -> str:
    hand, run_max = match.hand, match.terms.rules.run_max
    cards = hand.layout.hands[play.seat]
    spread = hand.knocked.melds if isinstance(hand, LayingOff) else ()
    return wish_text(arranged(play.move, cards, spread, run_max), cards)


def same_signature(
    before: Match | None, command: Command, sig: str | None, line: MatchLine
) -> bool:
    """Say whether a command that came again is signed as the one whose line is there.

    Another signature that holds for the same line is as good: a signer may draw a new one each
    time. `before` is the match as it stood when it came first.
    """
    if sig == line.sig:
        return True
    if sig is None or line.sig is None or before is None or not isinstance(command, Play):
        return False
    key = _key_of(before, command.seat)
    if key is None:
        return False
    return is_move_signed(key, line.stream, line.prev, line.event, sig)


def _key_of(match: Match, seat: Seat) -> str | None:
    seated = match.seats[seat]
    return None if seated is None else seated.key
