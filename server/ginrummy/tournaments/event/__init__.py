"""A tournament as a fold of its own stream: what was agreed, who plays whom, how it came out.

    command, state -> decide -> events -> lines -> evolve -> state -> standings, statistics

Pure, as the matches' rules are: clocks, programs and secrets come in with the commands.
"""

from ginrummy.tournaments.event.commands import Command
from ginrummy.tournaments.event.decisions import decide
from ginrummy.tournaments.event.due import Due, due
from ginrummy.tournaments.event.events import TournamentEvent
from ginrummy.tournaments.event.evolution import evolve
from ginrummy.tournaments.event.fold import FORMS, TournamentFold, read_tournament_line
from ginrummy.tournaments.event.schedule import Sitting, sittings_of
from ginrummy.tournaments.event.states import Entry, Tournament
from ginrummy.tournaments.event.terms import Boards, Elsewhere, Matches, TournamentTerms

__all__ = [
    "FORMS",
    "Boards",
    "Command",
    "Due",
    "Elsewhere",
    "Entry",
    "Matches",
    "Sitting",
    "Tournament",
    "TournamentEvent",
    "TournamentFold",
    "TournamentTerms",
    "decide",
    "due",
    "evolve",
    "read_tournament_line",
    "sittings_of",
]
