"""What is agreed for a tournament, from what the options say."""

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from ginrummy.rules.errors import InvalidRulesetError
from ginrummy.rules.events import SigningPolicy, TimeControl
from ginrummy.rules.ruleset import Ruleset, make_ruleset
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.event import Boards, Elsewhere, Matches, TournamentTerms
from ginrummy.tournaments.event.terms import Play, TournamentFormat
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.standings import Terms
from ginrummy.tournaments.statistics.errors import InvalidSprtError
from ginrummy.tournaments.statistics.sprt import parse_sprt
from ginrummy.tournaments.tie_breaks import TIE_BREAKS

__all__ = ["BOARDS", "FORMATS", "TermsWanted"]

BOARDS = 100
"""How many a pair plays where nothing is said of boards, hands or a target."""

FORMATS = (
    "round-robin",
    "double-round-robin",
    "gauntlet",
    "double-gauntlet",
    "swiss",
    "elimination",
    "double-elimination",
    "manual",
)
"""Who meets whom, as it is written in an option."""


class TermsWanted(msgspec.Struct, frozen=True, kw_only=True):
    """What the options say of a tournament."""

    name: str | None = None
    format_: str = "round-robin"
    rounds: int | None = None
    challengers: int | None = None
    boards: int | None = None
    hands: int | None = None
    target: int | None = None
    elsewhere: bool = False
    preset: str = "standard"
    changes: tuple[str, ...] = ()
    clock: TimeControl | None = None
    sprt: str | None = None
    tie_breaks: str | None = None
    tables: int | None = None
    forfeit_points: int | None = None
    reconnect: int | None = None
    arrival: int | None = None
    round_time: int | None = None
    check_in: bool = False
    signing: SigningPolicy = "off"

    @property
    def is_said(self) -> bool:
        """Whether any option was given."""
        return self != TermsWanted()

    def terms(self, *, tables: int = 0, open_entry: bool = True) -> TournamentTerms:
        """Return the terms, with so many tables where nothing is said of them.

        Raises click.UsageError, naming the option, for what cannot be.
        """
        try:
            standings = self._standings()
            return TournamentTerms(
                name=self._name(),
                format=self._format(standings),
                play=self._play(),
                rules=self._rules(),
                clock=self.clock,
                standings=standings,
                sprt=parse_sprt(self.sprt) if self.sprt else None,
                open_entry=open_entry,
                check_in=self.check_in,
                tables=tables if self.tables is None else self.tables,
                round_ms=self.round_time,
                signing=self.signing,
                **_given(reconnect_ms=self.reconnect, arrival_ms=self.arrival),
            )
        except InvalidTermsError as error:
            option = _OPTIONS.get(error.field, error.field)
            raise click.UsageError(f"{option}: {error.why}" if option else error.why) from error
        except InvalidRulesetError as error:
            raise click.UsageError(f"--rule: {error}") from error
        except InvalidSprtError as error:
            raise click.UsageError(f"--sprt: {error}") from error

    def _name(self) -> str:
        name = self.format_.replace("-", " ").capitalize() if self.name is None else self.name
        if not (1 <= len(name) <= 100 and name.isprintable()):
            raise click.UsageError("--name: a tournament's name has 1 to 100 printable characters")
        return name

    def _format(self, standings: Terms) -> TournamentFormat:
        if self.rounds is not None and self.format_ != "swiss":
            raise click.UsageError(
                "--rounds is for --format swiss: the others have their own number"
            )
        if self.challengers is not None and not self.format_.endswith("gauntlet"):
            raise click.UsageError("--challengers is for --format gauntlet")
        double = self.format_.startswith("double-")
        match self.format_.removeprefix("double-"):
            case "gauntlet":
                return Gauntlet(self.challengers or 1, double=double)
            case "swiss":
                if self.rounds is None:
                    raise click.UsageError("--format swiss needs --rounds: say how many")
                return Swiss(self.rounds, standings.scoring)
            case "elimination":
                return Elimination(double=double)
            case "manual":
                return Manual()
            case _:
                return RoundRobin(double=double)

    def _play(self) -> Play:
        ways = {
            "--boards": self.boards is not None,
            "--hands or --target": self.hands is not None or self.target is not None,
            "--elsewhere": self.elsewhere,
        }
        if sum(ways.values()) > 1:
            raise click.UsageError(f"give one of {', '.join(ways)}: how a pairing is played")
        if self.elsewhere:
            return Elsewhere()
        if ways["--hands or --target"]:
            if self.forfeit_points is not None:
                raise click.UsageError("--forfeit-points goes with --boards")
            return Matches()
        boards = BOARDS if self.boards is None else self.boards
        return Boards(boards, **_given(forfeit_points=self.forfeit_points))

    def _rules(self) -> Ruleset:
        changes: dict[str, Any] = {}
        for change in self.changes:
            field, equals, value = change.partition("=")
            if not equals:
                raise click.UsageError(f"--rule: {change!r} is not of the form FIELD=VALUE")
            changes[field] = _value(value)
        changes |= _given(hands=self.hands, target=self.target)
        return make_ruleset(self.preset, changes)

    def _standings(self) -> Terms:
        if self.tie_breaks is None:
            return Terms()
        names = [each.strip().replace("-", "_") for each in self.tie_breaks.split(",")]
        for name in names:
            if name not in TIE_BREAKS:
                raise click.UsageError(f"--tie-breaks: {name!r} is none of {', '.join(TIE_BREAKS)}")
        return Terms(
            tie_breaks=tuple(each for name in names for each in TIE_BREAKS if each == name)
        )


_OPTIONS: Mapping[str, str] = {
    "boards": "--boards",
    "forfeit_points": "--forfeit-points",
    "rules.hands": "--hands",
    "rules.spades_double": "--rule spades_double",
    "sprt": "--sprt",
    "tables": "--tables",
    "round_ms": "--round-time",
    "reconnect_ms": "--reconnect",
    "arrival_ms": "--arrival",
    "signing": "--signing",
}
"""What the terms' fields are called in a command line."""


def _given(**fields: int | None) -> dict[str, Any]:
    """Return the fields that were given."""
    return {field: value for field, value in fields.items() if value is not None}


def _value(text: str) -> object:
    """Return a rule's value as it is meant: true, a number, nothing, or a word."""
    words: dict[str, object] = {"true": True, "false": False, "none": None}
    if text in words:
        return words[text]
    return int(text) if text.isascii() and text.isdigit() else text
