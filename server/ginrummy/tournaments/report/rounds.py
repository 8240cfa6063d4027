"""The rounds as the pages show them: who met whom, how it came out, and what was ruled."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import msgspec

from ginrummy.tournaments.entrants import Pairing, Round
from ginrummy.tournaments.event import Elsewhere, Tournament
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.report.chronicle import Chronicle, Verdict
from ginrummy.tournaments.report.figures import against, minute
from ginrummy.tournaments.report.logs import LOGS
from ginrummy.tournaments.report.naming import Names, pairing_page, round_page
from ginrummy.tournaments.report.words import SHORT_REASONS
from ginrummy.tournaments.results import MatchKey, Result
from ginrummy.tournaments.scoring import Scoring, credits_of

__all__ = ["PairingRow", "ResultText", "RoundSheet", "Ruling", "by_pairing", "round_sheets"]


class ResultText(msgspec.Struct, frozen=True):
    """One result of a pairing, in the order of its entrants."""

    credits: str
    """`2 : 0`, or `void`."""
    points: str
    reason: str
    """How it ended; empty for what was played to its end."""


class Ruling(msgspec.Struct, frozen=True):
    """A ruling: what it replaced, and why."""

    old: ResultText | None
    new: ResultText
    why: str
    rule: str
    by: str
    at: str


class PairingRow(msgspec.Struct, frozen=True):
    """A pairing's line."""

    table: int
    label: str
    """The place in the bracket; may be empty."""
    first: str
    second: str
    by_lot: bool
    winner: int | None
    """0 for the first, 1 for the second, None without a winner."""
    result: ResultText | None
    """None while it is open."""
    rulings: tuple[Ruling, ...]
    page: str | None
    log: str | None
    """The log of its one match; None where there are several, or none."""


class RoundSheet(msgspec.Struct, frozen=True):
    """A round's page."""

    number: int
    page: str
    rows: tuple[PairingRow, ...]
    byes: tuple[str, ...]
    absences: tuple[str, ...]
    open: int
    """How many pairings have no result yet."""


_Texts: TypeAlias = Callable[[Verdict], ResultText]


def by_pairing(tournament: Tournament) -> dict[MatchKey, list[SittingEnded]]:
    """Return the sittings of each pairing, in the order in which they ended."""
    found: dict[MatchKey, list[SittingEnded]] = defaultdict(list)
    for each in tournament.sittings:
        found[each.round, each.table].append(each)
    return found


def round_sheets(
    told: Chronicle, names: Names, sittings: Mapping[MatchKey, Sequence[SittingEnded]]
) -> tuple[RoundSheet, ...]:
    """Return all rounds, the first one first."""
    return tuple(_sheet(told, each, names, sittings) for each in told.tournament.rounds)


def _sheet(
    told: Chronicle,
    paired: Round,
    names: Names,
    sittings: Mapping[MatchKey, Sequence[SittingEnded]],
) -> RoundSheet:
    rows = tuple(
        _row(told, each, names, sittings.get((each.round, each.table), ()))
        for each in paired.pairings
    )
    return RoundSheet(
        number=paired.number,
        page=round_page(paired.number),
        rows=rows,
        byes=tuple(_with_label(names[each.entrant], each.label) for each in paired.byes),
        absences=tuple(_with_label(names[each.entrant], each.label) for each in paired.absences),
        open=sum(each.result is None for each in rows),
    )


def _with_label(name: str, label: str) -> str:
    return f"{name} ({label})" if label else name


def _row(
    told: Chronicle, pairing: Pairing, names: Names, played: Sequence[SittingEnded]
) -> PairingRow:
    tournament = told.tournament
    verdicts = told.verdicts.get((pairing.round, pairing.table), [])
    # Of what is played elsewhere the first ruling is how the result comes in, and rules on nothing.
    entered = verdicts[0] if verdicts and isinstance(tournament.terms.play, Elsewhere) else None

    def text(verdict: Verdict) -> ResultText:
        return _text(verdict, tournament.terms.standings.scoring, entered=verdict is entered)

    logged = [each.match for each in played if each.match]
    alone = len(logged) == 1 and not tournament.terms.boards
    return PairingRow(
        table=pairing.table,
        label=pairing.label,
        first=names[pairing.first],
        second=names[pairing.second],
        by_lot=pairing.dealt_by_lot,
        winner=_winner(verdicts[-1].result) if verdicts else None,
        result=text(verdicts[-1]) if verdicts else None,
        rulings=tuple(
            _ruling(before, ruled, names, text)
            for before, ruled in pairwise((None, *verdicts))
            if ruled is not None and ruled.why and ruled is not entered
        ),
        page=pairing_page(tournament, pairing) if played else None,
        log=f"{LOGS}/{logged[0]}.jsonl" if alone else None,
    )


def _winner(result: Result) -> int | None:
    if result.winner is None:
        return None
    return 0 if result.winner == result.pairing.first else 1


def _text(verdict: Verdict, scoring: Scoring, *, entered: bool) -> ResultText:
    result = verdict.result
    return ResultText(
        credits="void" if result.outcome == "void" else against(*credits_of(result, scoring)),
        points=against(*result.points),
        reason="" if entered or result.reason == "played" else SHORT_REASONS[result.reason],
    )


def _ruling(before: Verdict | None, ruled: Verdict, names: Names, text: _Texts) -> Ruling:
    return Ruling(
        old=None if before is None else text(before),
        new=text(ruled),
        why=ruled.why,
        rule=ruled.rule,
        by=names.of(ruled.by),
        at=minute(ruled.at),
    )
