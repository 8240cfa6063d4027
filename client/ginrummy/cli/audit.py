"""`gin audit`: everything checked that a log lets be checked."""

import re

import click
import msgspec

from ginrummy.audit.audit import audit as audit_lines
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.report import Head, Report, text
from ginrummy.cli.lazy import examples
from ginrummy.cli.source import Log, UnusableSourceError, all_logs, open_log, source_options

__all__ = ["audit"]

_RECEIPT = re.compile("([1-9][0-9]{0,17}):([0-9a-f]{64})")


def _read_receipt(ctx: click.Context, param: click.Parameter, value: str | None) -> Head | None:
    """Read `SEQ:HASH`: a line that somebody was given earlier."""
    if value is None:
        return None
    found = _RECEIPT.fullmatch(value)
    if found is None:
        raise click.BadParameter(
            f"{value!r} is not an event's number, a colon and 64 hex digits", ctx, param
        )
    return Head(int(found[1]), found[2])


@click.command(
    epilog=examples(
        "gin audit m_7vk2c8w0r6ht9zq3nx5b7jd1ge",
        "gin audit final.log --receipt 57:3b1e...",
        "gin audit --all --db league.db",
        "gin audit final.log --json | jq '.faults[]'",
    )
)
@click.argument("match", metavar="MATCH|FILE|-", required=False)
@click.option("--all", "every", is_flag=True, help="Audit every match of the database.")
@click.option(
    "--receipt",
    callback=_read_receipt,
    metavar="SEQ:HASH",
    help="An event's number and hash that you were given: is it still in the log?",
)
@click.option("--json", "as_json", is_flag=True, help="The report as JSON, one a line.")
@source_options
@click.pass_context
def audit(
    ctx: click.Context,
    *,
    match: str | None,
    every: bool,
    receipt: Head | None,
    as_json: bool,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Audit a match's log.

    Checks its form and chain, its decks, and every move, score and time in it.

    Exits with 0 where no fault was found, with 1 where there are faults, each named with its
    event, and with 2 where there is nothing that could be audited. What waits for a secret that
    is not out is no fault. The database of your own server has the secrets, so nothing waits.
    """
    if every == (match is not None):
        raise click.UsageError("name a match or a file, or ask for --all", ctx)
    if match is not None:
        with open_log(match, db, server, token) as log:
            report = _audited(log, receipt)
        click.echo(_json(report) if as_json else text(report), nl=as_json)
        ctx.exit(0 if report.clean else 1)
    if receipt is not None or server is not None:
        raise click.UsageError("--all is for a database, and goes without --receipt", ctx)
    with all_logs(db) as logs:
        codes = [_audit_among_many(log, as_json=as_json) for log in logs]
    click.echo(f"{len(codes)} matches, {len(codes) - codes.count(0)} with faults", err=True)
    ctx.exit(max(codes, default=0))


def _audited(log: Log, receipt: Head | None = None) -> Report:
    try:
        return audit_lines(log.lines, secrets=log.secrets, receipt=receipt)
    except UnusableLogError as error:
        raise UnusableSourceError(f"{log.name} is no log that can be used: {error}") from error


def _audit_among_many(log: Log, *, as_json: bool) -> int:
    """Audit one match of many, write what was found, and return its exit code."""
    try:
        report = _audited(log)
    except UnusableSourceError as error:
        click.echo(f"Error: {error.message}", err=True)
        return error.exit_code
    if as_json:
        click.echo(_json(report))
    elif report.clean:
        click.echo(f"{report.stream}\tclean\t{report.lines}")
    else:
        click.echo(f"{report.stream}\tfaulty\t{report.lines}")
        for fault in report.faults:
            click.echo(f"{report.stream}\tevent {fault.seq}\t{fault.check}: {fault.message}")
    return 0 if report.clean else 1


def _json(report: Report) -> str:
    return msgspec.json.encode(report).decode()
