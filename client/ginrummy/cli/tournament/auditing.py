"""`gin tournament audit`: a tournament's log checked, and that of each of its matches audited."""

from collections.abc import Iterator
from typing import NamedTuple

import click
import msgspec

from ginrummy.audit.audit import audit as audit_lines
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.report import Report
from ginrummy.cli.lazy import examples
from ginrummy.cli.source import UnusableSourceError, source_options
from ginrummy.cli.tournament.results import show
from ginrummy.cli.tournament.source import TournamentLog, open_tournament
from ginrummy.log.errors import LineError
from ginrummy.log.fold import Secrets
from ginrummy.log.lines import read_line
from ginrummy.rules.events import MatchCreated
from ginrummy.store import kept_chain
from ginrummy.tournaments.checking import UnusableTournamentLogError, check, text
from ginrummy.tournaments.event import read_tournament_line
from ginrummy.tournaments.event.events import SittingEnded

__all__ = ["audit"]


@click.command(
    epilog=examples(
        "gin tournament audit t_7vk2c8w0r6ht9zq3nx5b7jd1ge --db league.db",
        "gin tournament audit evening.log --json | jq '.matches.faulty'",
    )
)
@click.argument("tournament", metavar="TOURNAMENT|FILE|-")
@click.option("--alone", is_flag=True, help="Without the moves of its matches.")
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object.")
@source_options
@click.pass_context
def audit(
    ctx: click.Context,
    *,
    tournament: str,
    alone: bool,
    as_json: bool,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Audit a tournament's log, and those of its matches.

    Decides every event again from those before it, holds each sitting against its match's log, and
    audits that log as gin audit does: decks, moves, scores, times.

    Exits with 0 where no fault was found, with 1 where there are faults, and with 2 where there is
    nothing that could be audited. What waits for a secret or a match's log is no fault.
    """
    with open_tournament(tournament, db, server, token) as log:
        try:
            report = check(log.lines, lambda match: list(log.match(match)) or None)
        except UnusableTournamentLogError as error:
            raise UnusableSourceError(f"{log.name}: {error}") from error
        matches = _Matches(0, (), ()) if alone else _audited(log)
    if as_json:
        told = {"tournament": report, "matches": matches._asdict()}
        click.echo(msgspec.json.encode(told))
    else:
        show(text(report).rstrip("\n"))
        if not alone:
            show("\n" + "\n".join(_told(matches)))
    ctx.exit(0 if report.clean and not matches.faulty else 1)


class _Matches(NamedTuple):
    """What the audits of a tournament's matches have found."""

    audited: int
    faulty: tuple[Report, ...]
    not_at_hand: tuple[str, ...]
    """The ids of those whose logs are not there, or cannot be audited."""


def _audited(log: TournamentLog) -> _Matches:
    audited, faulty, absent = 0, list[Report](), list[str]()
    for match in _matches(log):
        lines = list(log.match(match))
        try:
            report = audit_lines(lines, secrets=_own_secrets(log, match, lines))
        except UnusableLogError:
            absent.append(match)
            continue
        audited += 1
        if not report.clean:
            faulty.append(report)
    return _Matches(audited, tuple(faulty), tuple(absent))


def _matches(log: TournamentLog) -> Iterator[str]:
    """Yield the ids of the matches that the tournament names, as far as it can be read."""
    for raw in log.lines:
        try:
            event = read_tournament_line(raw).event
        except LineError:
            continue
        if isinstance(event, SittingEnded) and event.match:
            yield event.match


def _own_secrets(log: TournamentLog, match: str, lines: list[bytes]) -> Secrets | None:
    """Return the operator's own secrets, where the log comes from their database."""
    if log.store is None or not lines:
        return None
    try:
        created = read_line(lines[0]).event
    except LineError:
        return None
    return kept_chain(log.store, match, created) if isinstance(created, MatchCreated) else None


def _told(matches: _Matches) -> Iterator[str]:
    audited = f"{matches.audited} match{'es' if matches.audited != 1 else ''} audited"
    faulty = f"{len(matches.faulty)} with faults" if matches.faulty else "none with a fault"
    absent = f", {len(matches.not_at_hand)} not at hand" if matches.not_at_hand else ""
    yield f"{audited}, {faulty}{absent}."
    for report in matches.faulty:
        for fault in report.faults:
            yield f"{report.stream} event {fault.seq}: {fault.check}: {fault.message}"
