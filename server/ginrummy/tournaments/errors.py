"""What a tournament can refuse, as one small tree.

TournamentError
├── InvalidEntryError     an entrant, or a field of entrants, that cannot be
├── InvalidPairingError   a match that cannot be: an entrant against itself, a table 0
├── InvalidResultError    an outcome that its end reason contradicts
├── InvalidTermsError     a format or a scoring that contradicts itself
└── RoundNotOverError     the next round depends on a match that has no result yet
"""

__all__ = [
    "InvalidEntryError",
    "InvalidPairingError",
    "InvalidResultError",
    "InvalidTermsError",
    "RoundNotOverError",
    "TournamentError",
]


class TournamentError(Exception):
    """Anything that a tournament refuses. Nothing has changed."""


class InvalidEntryError(TournamentError):
    """An entrant without an id or a seed, entered twice, or present without having entered."""


class InvalidPairingError(TournamentError):
    """An entrant against itself, or a round or a table that is not a number from 1."""


class InvalidResultError(TournamentError):
    """A result whose outcome and end reason contradict each other."""


class InvalidTermsError(TournamentError):
    """A format or a scoring with a number that makes no sense."""


class RoundNotOverError(TournamentError):
    """A match has no result yet, and the next round's pairings depend on it."""

    def __init__(self, round_number: int, table: int) -> None:
        super().__init__(f"round {round_number} table {table} has no result yet")
        self.round = round_number
        """The round of the match that is still open."""
        self.table = table
        """Its table."""
