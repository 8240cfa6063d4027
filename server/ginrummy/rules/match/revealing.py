"""When the secrets of a match's decks may come out, and the position in which a fork began."""

from ginrummy.rules.commands import RevealPosition, RevealSecret
from ginrummy.rules.events import PositionRevealed, SecretRevealed
from ginrummy.rules.match.refusing import not_now
from ginrummy.rules.match.states import Ended, Gathering, Match, Playing, hands_dealt
from ginrummy.rules.match.waiting import is_position_hidden

__all__ = ["reveal"]


def reveal(
    match: Match, command: RevealSecret | RevealPosition
) -> SecretRevealed | PositionRevealed:
    """Return the event that lets a secret, or the position, out.

    Whether it is the committed one is not decided here. Raises IllegalMoveError where it is not
    its time.
    """
    over = hands_dealt(match) - isinstance(match, Playing)
    if isinstance(command, RevealPosition):
        return _position(match, command, over)
    if not isinstance(match, Ended) and match.terms.reveal != "hand":
        raise not_now("the secrets of this match come out when it has ended")
    already = 0 if isinstance(match, Gathering) else match.revealed
    if not already < command.hand <= over:
        raise not_now(f"hand {command.hand} is not over, or its secret is out")
    if is_position_hidden(match):
        raise not_now("the position in which the match began comes out first")
    return SecretRevealed(command.hand, command.secret)


def _position(match: Match, command: RevealPosition, over: int) -> PositionRevealed:
    if not is_position_hidden(match):
        raise not_now("the match began in no position that is not out yet")
    if not isinstance(match, Ended) and match.terms.reveal != "hand":
        raise not_now("the position in which this match began comes out when it has ended")
    if over < 1:
        raise not_now("the hand with which the match began is not over")
    return PositionRevealed(command.salt, command.cards)
