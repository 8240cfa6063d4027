"""What a tournament can refuse, as one small tree.

TournamentError
├── InvalidEntryError     an entrant, or a field of entrants, that cannot be
├── InvalidPairingError   a match that cannot be: an entrant against itself, a table 0
├── InvalidResultError    an outcome that its end reason contradicts
├── InvalidTermsError     a format, a scoring or other terms that contradict themselves (field)
├── NotNowError           an act that has no place in the tournament's present state
├── RoundNotOverError     the next round depends on a match that has no result yet
└── UnknownEntrantError   somebody who has not entered
"""

__all__ = [
    "InvalidEntryError",
    "InvalidPairingError",
    "InvalidResultError",
    "InvalidTermsError",
    "NotNowError",
    "RoundNotOverError",
    "TournamentError",
    "UnknownEntrantError",
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
    """A format, a scoring or other terms that make no sense."""

    def __init__(self, why: str, field: str = "") -> None:
        super().__init__(f"{field}: {why}" if field else why)
        self.field = field
        """The field of the terms that is wrong, where one is."""
        self.why = why


class RoundNotOverError(TournamentError):
    """A match has no result yet, and the next round's pairings depend on it."""

    def __init__(self, round_number: int, table: int) -> None:
        super().__init__(f"round {round_number} table {table} has no result yet")
        self.round = round_number
        """The round of the match that is still open."""
        self.table = table
        """Its table."""


class NotNowError(TournamentError):
    """An act that has no place in the tournament's present state; the message says why."""


class UnknownEntrantError(TournamentError):
    """Somebody who has not entered the tournament."""

    def __init__(self, entrant: str) -> None:
        super().__init__(f"{entrant!r} has not entered this tournament")
        self.entrant = entrant
