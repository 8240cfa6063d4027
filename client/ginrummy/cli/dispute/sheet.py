"""A dispute on one sheet, eighty columns wide: the claim, the rulings, the result, what is next."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from textwrap import wrap

from google.protobuf.timestamp_pb2 import Timestamp

from ginrummy.bots.paint import Paint
from ginrummy.bots.rulings import tell_dispute, tell_replayed, tell_ruling
from ginrummy.bots.telling import Teller
from ginrummy.cli.dispute.case import Case
from ginrummy.cli.dispute.place import Where
from ginrummy.v1 import dispute_service_pb2 as pb
from ginrummy.v1 import events_pb2

__all__ = ["COLUMNS", "write_sheet"]

COLUMNS = 80
"""How wide a sheet is at most, but for long names of a database or a server."""

_STATUS = {
    "open": "open, it waits for a director's ruling",
    "ruled": "ruled on",
    "appealed": "appealed, it waits for a second director's ruling",
    "closed": "closed, ruled on for good",
}


def write_sheet(case: Case, now: datetime, where: Where) -> str:
    """Return a dispute, which is `where`, as text without the last line's end."""
    lines = [
        f"Dispute {case.dispute.opened.dispute} over {case.dispute.match_id}",
        *_wrapped(f"{_about(case)}: {_STATUS[case.status]}."),
        *_claim(case),
        *_rulings(case),
        *_result(case),
        *_next(case, now, where),
    ]
    # Names and claims are anybody's to choose: none steers a terminal.
    return "\n".join(
        "".join(char if char.isprintable() else "?" for char in line) for line in lines
    )


def _about(case: Case) -> str:
    first, second = (
        name or f"an empty seat {seat}" for seat, name in zip((0, 1), case.names, strict=True)
    )
    name = f" in {case.match.name}" if case.match.name else ""
    return f"{first} against {second}{name}"


def _teller(case: Case) -> Teller:
    return Teller(Paint(colour=False, symbols=False), case.names)


# --- what was said ------------------------------------------------------------------------------


def _claim(case: Case) -> Iterator[str]:
    opened, teller = case.dispute.opened, _teller(case)
    yield from _heading("The claim", "", case.dispute.opened_at)
    told, *_ = tell_dispute(events_pb2.Event(dispute_opened=opened), teller.does).splitlines()
    yield from _told(told, opened.text)
    if opened.HasField("scored"):
        scored = opened.scored
        yield from _told(f"The hand brought {teller.name(scored.winner)} {scored.points} points.")


def _rulings(case: Case) -> Iterator[str]:
    dispute, teller = case.dispute, _teller(case)
    for place, given in enumerate(dispute.rulings):
        if place == 1:
            yield from _appeal(case)
        which = "The ruling on appeal" if given.ruled.instance == 2 else "The ruling"
        yield from _heading(which, case.directors.get(given.director_id, ""), given.at)
        told = tell_ruling(given.ruled, teller.does)
        yield from _told(_upper(told), given.ruled.why)
        if given.HasField("replayed"):
            back = tell_replayed(given.replayed, teller.does)
            yield from _told(f"It came back: {back}.")
            yield f"  {given.replay_match_id}"
    if len(dispute.rulings) == 1:
        yield from _appeal(case)


def _appeal(case: Case) -> Iterator[str]:
    if case.dispute.HasField("appeal"):
        appealed = case.dispute.appeal.appealed
        yield from _heading("The appeal", _teller(case).name(appealed.seat), case.dispute.appeal.at)
        yield from _quoted(appealed.text)


def _result(case: Case) -> Iterator[str]:
    yield from _heading("The result")
    teller, stands = _teller(case), case.match.outcome
    if case.as_played is not None and case.as_played != stands:
        yield from _told(f"As played: {teller.result(case.as_played)}.")
        yield from _told(f"Now: {teller.result(stands)}.")
    else:
        yield from _told(f"{_upper(teller.result(stands))}.")


# --- what is next -------------------------------------------------------------------------------


def _next(case: Case, now: datetime, where: Where) -> Iterator[str]:
    dispute = case.dispute
    which = f"{dispute.match_id} {dispute.opened.dispute}"
    said: list[str] = []
    if case.status in ("open", "appealed"):
        who = "A director who has not played in this match rules"
        if case.status == "appealed":
            first = dispute.rulings[0].director_id
            who = f"{who}, another one than {case.directors.get(first, first)}"
        said += _wrapped(f"{who}:", "  ")
        said += _typed(f"gin dispute bundle {which} -o evidence.zip", where.options())
        ruling = f"gin dispute rule {which} RULING --rule RULE --why TEXT"
        said += _typed(ruling, where.options("--director NAME"))
    waiting = _awaited(case)
    if waiting:
        said += _wrapped("Both players play the hand again, in a match of its own:", "  ")
        at = "" if where.server is None else where.options()
        said += _typed(f"gin play --match {waiting}", at)
    if dispute.HasField("appeal_until"):
        until = _when(dispute.appeal_until)
        if now <= dispute.appeal_until.ToDatetime(UTC):
            said += _wrapped(f"Either player may appeal until {until}:", "  ")
            appeal = f"gin dispute appeal {which} --text TEXT"
            said += _typed(appeal, where.options("--player NAME"))
        else:
            said += _wrapped(f"The time to appeal was over at {until}: the ruling stands.", "  ")
    if said:
        yield from _heading("What is next")
        yield from said


def _typed(command: str, options: str) -> Iterator[str]:
    """Yield a command as it is typed, on several lines where it is too long for one."""
    line = "   "
    for part in re.split(" (?=--)", f"{command} {options}".strip()):
        if len(line) + len(part) + 3 > COLUMNS:
            yield f"{line} \\"
            line = "       "
        line += f" {part}"
    yield line


def _awaited(case: Case) -> str:
    """Return the match in which the hand is to be played again; empty where none is awaited."""
    if not case.dispute.rulings:
        return ""
    last: pb.GivenRuling = case.dispute.rulings[-1]
    return "" if last.HasField("replayed") else last.replay_match_id


# --- lines --------------------------------------------------------------------------------------


def _heading(title: str, by: str = "", at: Timestamp | None = None) -> Iterator[str]:
    yield ""
    when = "" if at is None else f", {_when(at)}"
    yield f"{title}{f' by {by}' if by else ''}{when}"


def _when(at: Timestamp) -> str:
    return at.ToDatetime(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _told(text: str, said: str = "") -> Iterator[str]:
    """Yield a sentence as indented lines, and below it what somebody has said."""
    yield from _wrapped(text, "  ")
    yield from _quoted(said)


def _quoted(text: str) -> Iterator[str]:
    if text:
        yield from wrap(f'"{text}"', COLUMNS, initial_indent="    ", subsequent_indent="     ")


def _wrapped(text: str, indent: str = "") -> Sequence[str]:
    return wrap(text, COLUMNS, initial_indent=indent, subsequent_indent=indent)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
