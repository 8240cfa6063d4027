"""Why what a check says follows: how it was made, from what, and what that shows.

A check that has passed shows something; one that failed, waits or was not made shows nothing, and
says only how it is made.
"""

from collections.abc import Callable, Mapping

import msgspec

from ginrummy.audit.report import Check, CheckName, Report
from ginrummy.replay.about import describe_clock
from ginrummy.reporting.telling import Status, counted
from ginrummy.rules.events import MatchCreated
from ginrummy.rules.match import Match

__all__ = ["Ground", "grounds"]


class Ground(msgspec.Struct, frozen=True):
    """One check of a report, with why its result follows."""

    name: CheckName
    status: Status
    count: int
    detail: str
    how: str
    """How it was made, and from what."""
    so: str
    """What it shows; empty where it has not passed."""


def grounds(report: Report, match: Match | None) -> tuple[Ground, ...]:
    """Return the checks of a report with why they follow; `match` is as it stands at its end."""
    return tuple(_ground(check, _Case(report, match)) for check in report.checks)


class _Case(msgspec.Struct, frozen=True):
    report: Report
    match: Match | None

    @property
    def terms(self) -> MatchCreated | None:
        return None if self.match is None else self.match.terms

    @property
    def on_board(self) -> bool:
        return self.terms is not None and self.terms.board is not None


def _ground(check: Check, case: _Case) -> Ground:
    # A check that came later is told by what it means, until its reasons are written down here.
    meaning = _just(f"{check.detail[:1].upper()}{check.detail[1:]}.")
    how, so = _HOW.get(check.name, meaning)(case), ""
    if check.status == "passed":
        so = _SO.get(check.name, meaning)(case)
    return Ground(check.name, check.status, check.count, check.detail, how, so)


def _just(text: str) -> Callable[[_Case], str]:
    return lambda _: text


# --- how ----------------------------------------------------------------------------------------


def _commitment_how(case: _Case) -> str:
    if case.terms is None:
        return "The first line has to hold the commitment, and cannot be read."
    what = "boards" if case.on_board else "hands"
    return (
        f"The first line holds the end of a chain of {case.terms.chain} secrets, one for each of "
        f"as many {what}: {case.terms.commitment}."
    )


def _clocks_how(case: _Case) -> str:
    clock = None if case.terms is None else case.terms.clock
    return (
        "The time of a decision runs from the event that brought it about to its own. Both banks "
        f"were counted again from the lines' times, by the match's terms: {describe_clock(clock)}."
    )


def _nonces_how(case: _Case) -> str:
    if case.on_board:
        return "A board's deck takes the nonces of all entrants, in the tournament's own log."
    return (
        "SHA-256 was computed of each nonce that came out, and compared with what its seat had "
        "committed to on joining."
    )


def _dealing_how(case: _Case) -> str:
    made_of = "its secret, the tournament's mix and the board's number"
    if not case.on_board:
        made_of = "its secret, both nonces, the match's id and the hand's number"
    return (
        f"Each hand's deck was shuffled again from {made_of}. Its card 21 was compared with the "
        "upcard, and the dealer with the one whom the deck or rule D3 names."
    )


_HOW: Mapping[str, Callable[[_Case], str]] = {
    "line-form": _just(
        "Each line was read, written anew in the one spelling that the format allows, and "
        "compared byte by byte."
    ),
    "stream": _just("Each line names its match; the names were compared."),
    "sequence": _just("The lines' numbers were counted from 1."),
    "chain": _just("SHA-256 was computed of each line, and compared with what the next one holds."),
    "receipt": _just(
        "Hashes that somebody was told, or a receipt of the server's signed tree, are compared "
        "with the lines that they are for."
    ),
    "commitment": _commitment_how,
    "origin": _just(
        "What the first line says of the match from which this one branches off is compared with "
        "that match's own log."
    ),
    "position": _just(
        "The position in which the match begins is compared with what its first line commits to."
    ),
    "reveal": _just(
        "Each secret that came out was hashed as many times as its number says, and compared with "
        "the commitment; and it was looked whether it came out when the terms say."
    ),
    "nonces": _nonces_how,
    "dealing": _dealing_how,
    "deck": _just(
        "With the decks known, the hands were followed card by card: what is drawn is the deck's "
        "next card, and what is thrown, laid down or laid off has to be in that hand."
    ),
    "moves": _just(
        "Each move was put to the rules again, in the position that it was made in. They had to "
        "allow it, and to answer with the very events that are stored."
    ),
    "scores": _just(
        "Each hand's score was computed again from the cards that were laid down (S1 to S4), and "
        "the final account from these (X1, X2)."
    ),
    "clocks": _clocks_how,
    "actors": _just(
        "The player who sits at a seat was compared with who made its moves, and the request id "
        "and time of what follows from an event with the event's own."
    ),
    "signatures": _just(
        "Each player's Ed25519 signature was checked over the match's id, the hash of the line "
        "that the move was decided on, and the move as its line shows it, with the key that the "
        "player joined with."
    ),
    "disputes": _just(
        "Each complaint, ruling and appeal was put to the rules again: whether it came in time, "
        "and from somebody who may make it."
    ),
    "rulings": _just(
        "What the rulings that stand make of the score was computed again, and compared with what "
        "is stored after them."
    ),
    "replays": _just(
        "In which match a hand is played again follows from the ruling. That match's own log is "
        "audited, and compared with the ruling and with what is stored of it."
    ),
    "end": _just(
        "What has to follow at the end, and what may not follow any more, was looked for."
    ),
}


# --- what it shows ------------------------------------------------------------------------------


def _chain_so(case: _Case) -> str:
    head = case.report.head
    return (
        f"Whoever has noted the hash of event {head.seq} has noted every line before it: none can "
        "be changed, left out, added or moved without another hash coming out."
    )


def _nonces_so(case: _Case) -> str:
    seats = [] if case.match is None else list(case.match.seats)
    left = [each.name for each in seats if each is not None and each.nonce_by == "server"]
    if len(left) == len(seats):
        return (
            "Both nonces are those committed to before the first deal. Both players left it to "
            "the server to draw theirs, so the decks were the server's alone."
        )
    so = (
        "Both nonces are those committed to before the first deal. So neither the server nor a "
        "player could choose a deck."
    )
    return so + "".join(f" {name} left it to the server to draw a nonce." for name in left)


def _deck_so(case: _Case) -> str:
    return (
        f"In {counted(case.report.check('deck').count, 'move')} no card appears that was not in "
        "the committed deck and at that place of it."
    )


def _moves_so(case: _Case) -> str:
    return f"{counted(case.report.check('moves').count, 'move')} were legal as they were made."


def _clocks_so(case: _Case) -> str:
    so = "No time goes back, and no decision came after its time was over."
    outcome = case.report.outcome
    if outcome is not None and outcome.reason in ("clock", "abandoned"):
        so += " The time that ended the match was over when it did."
    return so


_SO: Mapping[str, Callable[[_Case], str]] = {
    "line-form": _just("Each event has one spelling only, and so one hash only."),
    "stream": _just("No line of another match is among them."),
    "sequence": _just("None is missing, none is doubled."),
    "chain": _chain_so,
    "receipt": _just(
        "What was kept is still what the log holds, and nothing before it is changed."
    ),
    "commitment": _just(
        "Every deck was fixed before anybody had joined, and none could be chosen since."
    ),
    "origin": _just("It takes over what that match was at that event, and nothing else."),
    "position": _just("Nobody could choose the position after the match was made."),
    "reveal": _just("The secrets are those that the decks were committed to with."),
    "nonces": _nonces_so,
    "dealing": _just("The decks that were dealt are the committed ones, dealt by the right seats."),
    "deck": _deck_so,
    "moves": _moves_so,
    "scores": _just("Every point follows from the cards on the table and the match's own rules."),
    "clocks": _clocks_so,
    "actors": _just("Nobody moved for another, as far as the players' tokens tell."),
    "signatures": _just(
        "Whoever holds the players' keys made these moves, in this order: neither player can deny "
        "one, and the server cannot have made one up."
    ),
    "disputes": _just("Nobody ruled on their own complaint, and none came too late."),
    "rulings": _just("The result that stands is the one that the rulings make."),
    "replays": _just(
        "Each hand that counts in the place of another was played as the ruling has it, and its "
        "own log shows what it brought."
    ),
    "end": _just("The log ends where the match does."),
}
