"""`gin audit`: everything checked that a log lets be checked."""

import re
from contextlib import ExitStack
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from ginrummy.audit.audit import audit as audit_lines
from ginrummy.audit.beginning import OriginLog
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.receipts import Kept
from ginrummy.audit.report import Report, text
from ginrummy.audit.whole import WholeReport, whole_text
from ginrummy.cli.bundles import is_bundle, judge_bundle
from ginrummy.cli.full_audit import Form, FullAudit, Seat
from ginrummy.cli.lazy import examples
from ginrummy.cli.signed import key_option, known_key
from ginrummy.cli.source import (
    Log,
    UnusableSourceError,
    all_logs,
    is_file,
    open_log,
    source_options,
)
from ginrummy.log.errors import LineError
from ginrummy.log.heads import MalformedHeadsError, read_heads
from ginrummy.log.lines import read_line
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import RECEIPT_HEADER, MalformedReceiptError, read_receipt

__all__ = ["audit"]

_RECEIPT = re.compile("([1-9][0-9]{0,17}):([0-9a-f]{64})")


def _read_kept(ctx: click.Context, param: click.Parameter, value: str | None) -> Kept | None:
    """Read what somebody was given earlier: `SEQ:HASH`, a receipt, or a file of hashes."""
    if value is None:
        return None
    found = _RECEIPT.fullmatch(value)
    if found is not None:
        return Kept({int(found[1]): found[2]})
    if not Path(value).is_file():
        raise click.BadParameter(
            f"{value!r} is no file, nor an event's number, a colon and 64 hex digits", ctx, param
        )
    raw = Path(value).read_bytes()
    try:
        if raw.startswith(RECEIPT_HEADER.encode()):
            return Kept(receipt=read_receipt(raw))
        return Kept(read_heads(raw))
    except (MalformedReceiptError, MalformedHeadsError) as error:
        raise click.BadParameter(f"{value} is no receipt: {error}", ctx, param) from error


@click.command(
    epilog=examples(
        "gin audit m_7vk2c8w0r6ht9zq3nx5b7jd1ge",
        "gin audit final.log --receipt 57:3b1e...",
        'gin audit final.log --receipt final.tlog-proof --key "$(cat server.key)"',
        "gin audit --checkpoint last-year.checkpoint --db league.db",
        "gin audit --all --db league.db",
        "gin audit practice.log --origin final.log",
        "gin audit final.log --replay again.log",
        "gin audit final.log --json | jq '.faults[]'",
        "gin audit final.log --format html -o audit.html",
        "gin audit final.log --hand 3 --seat 0",
        "gin audit evidence.zip",
    )
)
@click.argument("match", metavar="MATCH|FILE|-", required=False)
@click.option("--all", "every", is_flag=True, help="Audit every match of the database.")
@click.option(
    "--receipt",
    callback=_read_kept,
    metavar="FILE|SEQ:HASH",
    help="A receipt, hashes that you kept, or one: is that still what the log holds?",
)
@click.option(
    "--checkpoint",
    metavar="FILE",
    help="A checkpoint that you kept: has the whole log only grown since?",
)
@click.option(
    "--origin",
    metavar="MATCH|FILE",
    help="Of a match that branches off from another: does it begin as that one's log has it?",
)
@click.option(
    "--replay",
    "replays",
    multiple=True,
    metavar="MATCH|FILE",
    help="A match in which a hand was played again: is it what is told of it? May be given again.",
)
@key_option
@click.option("--json", "as_json", is_flag=True, help="The report as JSON, one a line.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    help="The full report: why each check follows, and every decision of the match.",
)
@click.option(
    "--hand", type=click.IntRange(min=1), metavar="N", help="Tell the decisions of this hand alone."
)
@click.option(
    "--seat",
    type=click.Choice(["0", "1", "public", "all"]),
    help="Whose eyes the full report is for; without it, all that the log gives away.",
)
@click.option(
    "--decisions/--no-decisions",
    "with_decisions",
    default=None,
    help="Tell every decision, or leave them out; a full report tells them.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the full report there; a file that exists is not overwritten.",
)
@source_options
@click.pass_context
def audit(  # noqa: PLR0913 -- its options
    ctx: click.Context,
    *,
    match: str | None,
    every: bool,
    receipt: Kept | None,
    checkpoint: str | None,
    origin: str | None,
    replays: tuple[str, ...],
    pinned: VerifierKey | None,
    as_json: bool,
    form: Form | None,
    hand: int | None,
    seat: Seat | None,
    with_decisions: bool | None,
    output: Path | None,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Audit a match's log.

    Checks its form and chain, its decks, and every move, score and time in it.

    Exits with 0 where no fault was found, with 1 where there are faults, each named with its
    event, and with 2 where there is nothing that could be audited. What waits for a secret that
    is not out is no fault. The database of your own server has the secrets, so nothing waits.

    A practice match that goes on from another one is compared with that one's log, and a hand that
    was played again with the ruling that had it so. Where the other log is not in the same
    database, --origin names it; --replay names the log of a hand that was played again, where it
    is the match with the ruling that is audited.

    With --format it is a full report: what was checked and why the result follows, who decided
    what in what time, who could know which cards then, and what the server decided for an absent
    player. It tells what the log gives away by itself. From the database of your own server,
    --seat opens what is still hidden.

    A file that gin dispute bundle has made is judged as a whole: whether it is intact, what its log
    and all that was kept of it say of the claim.

    With --checkpoint it is the whole log that is checked: a database's from its lines alone, a
    server's by the proof that it gives.
    """
    full = _full_audit(ctx, form, hand, seat, with_decisions, output, as_json=as_json)
    if full is not None and (every or checkpoint is not None):
        raise click.UsageError("a full report is about one match: name it alone", ctx)
    if checkpoint is not None:
        if match is not None or every or receipt is not None:
            raise click.UsageError("--checkpoint is about all matches: give it alone", ctx)
        from ginrummy.cli.whole import audited_whole  # noqa: PLC0415 -- one match needs it not

        whole = audited_whole(checkpoint, pinned, db, server, token)
        click.echo(_json(whole) if as_json else whole_text(whole), nl=as_json)
        ctx.exit(0 if whole.clean else 1)
    if every == (match is not None):
        raise click.UsageError("name a match or a file, or ask for --all", ctx)
    if match is not None and is_bundle(match):
        if receipt is not None or (full is not None and not as_json and form != "json"):
            why = (
                "a bundle has its own receipt and full report; gin dispute verify --heads compares"
                " it with hashes that you have kept"
            )
            raise click.UsageError(why, ctx)
        ctx.exit(judge_bundle(match, pinned, as_json=as_json or form == "json"))
    if match is not None:
        if receipt is not None and receipt.receipt is not None:
            receipt = _with_key(receipt, pinned, match, (db, server, token))
        with ExitStack() as opened:
            log = opened.enter_context(open_log(match, db, server, token))
            if origin is not None:
                beside = opened.enter_context(open_log(origin, db, server, token))
                log = log._replace(origin=OriginLog(beside.lines, beside.secrets))
            if replays:
                again = [
                    opened.enter_context(open_log(each, db, server, token)) for each in replays
                ]
                log = log._replace(replays={_match_of(each): each.lines for each in again}.get)
            if full is not None:
                ctx.exit(full.write(log, receipt, output))
            report = _audited(log, receipt)
        click.echo(_json(report) if as_json else text(report), nl=as_json)
        ctx.exit(0 if report.clean else 1)
    if receipt is not None or origin is not None or replays or server is not None:
        why = "--all is for a database, and goes without --receipt, --origin and --replay"
        raise click.UsageError(why, ctx)
    with all_logs(db) as logs:
        codes = [_audit_among_many(log, as_json=as_json) for log in logs]
    matches = "1 match" if len(codes) == 1 else f"{len(codes)} matches"
    click.echo(f"{matches}, {len(codes) - codes.count(0)} with faults", err=True)
    ctx.exit(max(codes, default=0))


def _full_audit(
    ctx: click.Context,
    form: Form | None,
    hand: int | None,
    seat: Seat | None,
    with_decisions: bool | None,  # noqa: FBT001 -- an option's value
    output: Path | None,
    *,
    as_json: bool,
) -> FullAudit | None:
    """Return what is asked for of a full report; None where only the short one is wanted."""
    if (form, hand, seat, with_decisions, output) == (None,) * 5:
        return None
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json is another form than --format {form}: choose one", ctx)
    if hand is not None and with_decisions is False:
        raise click.UsageError("--hand is about decisions, and --no-decisions leaves them out", ctx)
    return FullAudit(
        form or ("json" if as_json else "text"),
        hand,
        seat,
        with_decisions=with_decisions is not False,
    )


def _with_key(
    kept: Kept, pinned: VerifierKey | None, match: str, place: tuple[str, str | None, str]
) -> Kept:
    """Return what was kept, with the key whose signature it has to have."""
    db, server, token = place
    if pinned is None and server is None and is_file(match):
        click.echo(
            "The receipt's signature is not checked: --key says which key it has to be of.",
            err=True,
        )
        return kept
    return replace(kept, key=pinned or known_key(db, server, token))


def _audited(log: Log, receipt: Kept | None = None) -> Report:
    try:
        return audit_lines(
            log.lines,
            secrets=log.secrets,
            receipt=receipt,
            origin=log.origin,
            replays=log.replays,
        )
    except UnusableLogError as error:
        raise UnusableSourceError(f"{log.name} is no log that can be used: {error}") from error


def _match_of(log: Log) -> str:
    """Return the match that a log is of."""
    try:
        return read_line(next(iter(log.lines))).stream
    except (StopIteration, LineError) as error:
        raise UnusableSourceError(f"{log.name} is no log of a match") from error


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


def _json(report: Report | WholeReport) -> str:
    return msgspec.json.encode(report).decode()
