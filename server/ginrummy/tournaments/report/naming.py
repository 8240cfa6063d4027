"""Who is who, and where what is: the names and the pages that everything else refers to."""

from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.event import Tournament

__all__ = ["Names", "pairing_page", "round_page"]


class Names:
    """The entrants' names by their ids; two of one name are told apart by their seeds."""

    def __init__(self, tournament: Tournament) -> None:
        names = [each.entrant.name for each in tournament.entries]
        self._names = {
            each.id: each.entrant.name
            if names.count(each.entrant.name) == 1
            else f"{each.entrant.name} ({each.entrant.seed})"
            for each in tournament.entries
        }

    def __getitem__(self, entrant: str) -> str:
        return self._names[entrant]

    def of(self, player: str) -> str:
        """Return an entrant's name; the id of somebody who is none, as a director may be."""
        return self._names.get(player, player)


def round_page(number: int) -> str:
    """Return the name of a round's page."""
    return f"round-{number}.html"


def pairing_page(tournament: Tournament, pairing: Pairing) -> str:
    """Return the name of a pairing's page; it has one where a sitting of it is over."""
    kind = "boards" if tournament.terms.boards else "match"
    return f"{kind}-{pairing.round}-{pairing.table}.html"
