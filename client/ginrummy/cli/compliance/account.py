"""The account of a scenario that has been played: what the checks judge."""

import msgspec

from ginrummy.cli.compliance.record import Record, Said
from ginrummy.cli.tournament.process import Exit
from ginrummy.tournaments.event.events import SittingEnded

__all__ = ["Account", "Finding"]


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a scenario."""

    record: Record
    session: str
    """The session's id that the bot was given."""
    sittings: tuple[SittingEnded, ...]
    """The bot is the entrant named first if `is_first`."""
    is_first: bool
    is_over: bool
    """The tournament came to its end in time."""
    seconds: float
    """How long it was waited for."""
    exit: Exit | None
    """How the process ended by itself; None where it was still running when it was told to go."""
    happened: bool
    """The scenario's fault has come about."""

    def lost(self, sitting: SittingEnded) -> bool:
        """Say whether the bot has lost a sitting."""
        return sitting.outcome == ("second" if self.is_first else "first")


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it must be."""

    expected: str
    seen: str
    section: str
    """The heading in docs/bots.md that says so."""
    wire: tuple[Said, ...] = ()
    """The messages that show it."""
