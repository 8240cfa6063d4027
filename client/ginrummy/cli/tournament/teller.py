"""A tournament's events as sentences."""

from ginrummy.cli.tournament.sheet import result_text
from ginrummy.log.instants import write_instant
from ginrummy.tournaments.event import Tournament
from ginrummy.tournaments.event.events import (
    BoardsRevealed,
    EntrantCheckedIn,
    EntrantEntered,
    EntrantLeft,
    EntrantNonceRevealed,
    EntrantReturned,
    EntrantsSeeded,
    LotsDrawn,
    RegistrationClosed,
    ResultRecorded,
    ResultRuled,
    RoundPaired,
    SittingAdjusted,
    SittingEnded,
    TestEnded,
    TournamentAborted,
    TournamentCreated,
    TournamentEnded,
    TournamentEvent,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from ginrummy.tournaments.event.fold import TournamentLine

__all__ = ["Teller"]


class Teller:
    """Tells a tournament line by line."""

    def told(self, line: TournamentLine, tournament: Tournament) -> str:
        """Return an event as a line: its number, its time and a sentence.

        `tournament` is the one after the event.
        """
        at = write_instant(line.at)[11:19]
        return f"{line.seq:>6}  {at}  {_sentence(line.event, tournament)}"


def _sentence(event: TournamentEvent, tournament: Tournament) -> str:  # noqa: C901, PLR0912 -- one case an event
    def name(entrant: str) -> str:
        return tournament.entry(entrant).entrant.name

    match event:
        case TournamentCreated():
            return f"{event.terms.name} is announced"
        case EntrantEntered():
            return f"{event.name} enters"
        case EntrantCheckedIn():
            return f"{name(event.entrant)} is there"
        case EntrantsSeeded():
            return f"Seeds: {', '.join(map(name, event.order))}"
        case RegistrationClosed():
            return "Registration is closed"
        case EntrantNonceRevealed():
            return f"{name(event.entrant)}'s nonce is out"
        case TournamentStarted():
            return "The tournament starts, and the boards are fixed"
        case EntrantLeft():
            why = f": {event.why}" if event.why else ""
            return f"{name(event.entrant)} {_LEFT[event.reason]}{why}"
        case EntrantReturned():
            return f"{name(event.entrant)} is back from round {event.round} on"
        case RoundPaired():
            pairs = [f"{name(each.first)} - {name(each.second)}" for each in event.pairings]
            byes = [f"bye {name(each.entrant)}" for each in event.byes]
            gone = [f"{name(each.entrant)} not there" for each in event.absences]
            return f"Round {event.number}: {'; '.join([*pairs, *byes, *gone])}"
        case SittingEnded():
            return _sitting(event, tournament)
        case SittingAdjusted():
            return f"By a ruling, {_sitting(event, tournament)}"
        case ResultRecorded() | ResultRuled():
            return _result(event, tournament)
        case TestEnded():
            return f"The test: {event.status} after {event.boards} boards, llr {event.llr:+.2f}"
        case BoardsRevealed():
            return f"The boards up to {event.board} are open"
        case LotsDrawn():
            return "The lots are drawn"
        case TournamentPaused():
            return "Play is halted"
        case TournamentResumed():
            return "Play goes on"
        case TournamentAborted():
            return f"The tournament is given up: {event.why}"
        case TournamentEnded():
            return f"The tournament is over: {event.reason.replace('_', ' ')}"


_LEFT = {"withdrew": "leaves", "removed": "is taken out", "absent": "is not there"}


def _place(event: SittingEnded | SittingAdjusted | ResultRecorded | ResultRuled) -> str:
    return f"Round {event.round} table {event.table}"


def _sitting(event: SittingEnded | SittingAdjusted, tournament: Tournament) -> str:
    pairing = tournament.pairing(event.round, event.table)
    assert pairing is not None
    first, second = (
        tournament.entry(each).entrant.name for each in (pairing.first, pairing.second)
    )
    board = f" board {event.board}.{event.half}" if event.board else ""
    why = "" if event.reason == "played" else f", {event.reason.replace('_', ' ')}"
    return f"{_place(event)}{board}: {first} {event.points[0]}, {second} {event.points[1]}{why}"


def _result(event: ResultRecorded | ResultRuled, tournament: Tournament) -> str:
    names = {each.id: each.entrant.name for each in tournament.entries}
    result = tournament.results[event.round, event.table]
    why = f": {event.why}" if isinstance(event, ResultRuled) else ""
    pairing = result.pairing
    two = f"{names[pairing.first]} - {names[pairing.second]}"
    return f"{_place(event)}: {two} {result_text(result, names)}{why}"
