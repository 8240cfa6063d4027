"""A tournament's log checked: every line, link, pairing, result, secret, and its matches' ends.

It decides every event again from those before it, as the audit of a match does. The matches'
own moves are that audit's: here each sitting is only held against its match's log.
"""

from ginrummy.tournaments.checking.check import check
from ginrummy.tournaments.checking.errors import UnusableTournamentLogError
from ginrummy.tournaments.checking.report import (
    CHECKS,
    Check,
    CheckName,
    Fault,
    Status,
    TournamentReport,
    text,
)

__all__ = [
    "CHECKS",
    "Check",
    "CheckName",
    "Fault",
    "Status",
    "TournamentReport",
    "UnusableTournamentLogError",
    "check",
    "text",
]
