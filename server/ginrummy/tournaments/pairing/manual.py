"""Pairing by hand: the director names each round's matches."""

import msgspec

from ginrummy.tournaments.pairing.formats import Field, Next, Over

__all__ = ["Manual"]


class Manual(msgspec.Struct, frozen=True, tag="manual"):
    """No round is paired but by the director; entrants may come, go and come back between."""

    @property
    def late_entry(self) -> bool:
        """The director pairs whoever is there."""
        return True

    def pair(self, field: Field) -> Next:
        """Return that there is no round to be paired by itself, once all results are there."""
        field.results()
        return Over("complete")
