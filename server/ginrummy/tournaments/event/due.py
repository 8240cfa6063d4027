"""What a tournament waits for that nobody has to ask for: the server's own next act."""

from collections import Counter
from typing import Literal, TypeAlias

import msgspec

from ginrummy.tournaments.event.commands import Command, End, Pair, Settle, Start
from ginrummy.tournaments.event.schedule import boards_over, count_sittings
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.pairing.manual import Manual

__all__ = ["Due", "Opening", "due"]


class Opening(msgspec.Struct, frozen=True):
    """A secret that is to come out: an entrant's nonce that the server drew, a board's, the lots'.

    The state does not hold it: whoever does opens it.
    """

    what: Literal["nonce", "boards", "lots"]
    entrant: str = ""
    board: int = 0


Due: TypeAlias = Command | Opening


def due(tournament: Tournament) -> Due | None:
    """Return what the server has to do next, or None while it waits for somebody else.

    Entrants that are to reveal their own nonces are waited for; how long is the runner's affair.
    """
    match tournament.stage:
        case "registration":
            return End("aborted") if tournament.aborted else None
        case "nonces":
            return End("aborted") if tournament.aborted else _nonces(tournament)
        case "playing":
            return _round(tournament)
        case "ended":
            return _secrets(tournament)


def _nonces(tournament: Tournament) -> Due | None:
    awaited = [each for each in tournament.entries if each.here and each.nonce is None]
    for each in awaited:
        if each.nonce_by == "server":
            return Opening("nonce", entrant=each.id)
    return None if awaited else Start()


def _round(tournament: Tournament) -> Due | None:
    undecided = tournament.undecided
    expected = count_sittings(tournament)
    played = Counter((each.round, each.table) for each in tournament.round_sittings)
    for pairing in undecided:
        key = (pairing.round, pairing.table)
        if expected and played[key] == expected:
            return Settle(*key, "complete")
    opening = _boards(tournament)
    if opening is not None:
        return opening
    if undecided or tournament.paused:
        return None
    if tournament.aborted:
        return End("aborted")
    if tournament.test is not None:
        return End("decided" if tournament.test.status != "no_decision" else "complete")
    # Where the director pairs, only the director knows that there is no further round.
    return None if isinstance(tournament.terms.format, Manual) else Pair()


def _boards(tournament: Tournament) -> Opening | None:
    over = boards_over(tournament) if tournament.terms.boards else 0
    return Opening("boards", board=over) if over > tournament.revealed else None


def _secrets(tournament: Tournament) -> Due | None:
    opening = _boards(tournament)
    if opening is not None:
        return opening
    return Opening("lots") if tournament.lots_secret is None else None
