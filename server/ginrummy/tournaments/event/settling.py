"""How a pairing is decided by what was played of it, and how the sequential test goes along."""

from collections import Counter

from msgspec.structs import replace

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.errors import InvalidPairingError, NotNowError
from ginrummy.tournaments.event.commands import Settle, SettleReason
from ginrummy.tournaments.event.events import (
    ResultRecorded,
    SittingAdjusted,
    SittingEnded,
    TestEnded,
    TournamentEvent,
)
from ginrummy.tournaments.event.schedule import (
    board_pairs,
    leader,
    played_points,
    sittings_of,
)
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.event.terms import Elsewhere
from ginrummy.tournaments.results import FORFEITS, EndReason, Outcome
from ginrummy.tournaments.statistics.sprt import Course, call_off, catch_up

__all__ = ["advanced", "called_off", "resettled", "settled", "sprt_end", "with_adjusted"]


def settled(tournament: Tournament, command: Settle) -> tuple[TournamentEvent, ...]:
    """Return what decides a pairing; nothing where it is decided.

    Raises InvalidPairingError for one that was not paired, and NotNowError where the reason is not
    so.
    """
    pairing = tournament.pairing(command.round, command.table)
    if pairing is None:
        raise InvalidPairingError(f"there is no round {command.round} table {command.table}")
    if (command.round, command.table) in tournament.results:
        return ()
    played = [
        each
        for each in tournament.sittings
        if (each.round, each.table) == (command.round, command.table)
    ]
    if command.reason == "complete" and (
        isinstance(tournament.terms.play, Elsewhere)
        or len(played) < len(sittings_of(tournament, pairing))
    ):
        raise NotNowError(f"round {command.round} table {command.table} is not over")
    _check_reason(tournament, command)
    points = played_points(tournament, pairing)
    outcome, reason = _decided(tournament, pairing, command, played, points)
    return (ResultRecorded(command.round, command.table, outcome, reason, points),)


def _check_reason(tournament: Tournament, command: Settle) -> None:
    """Refuse a reason that the tournament's own state contradicts, as after a late change of it."""
    place = f"round {command.round} table {command.table}"
    match command.reason:
        case "withdrawn" if any(tournament.entry(each).here for each in command.absent):
            raise NotNowError(f"{place}: whoever withdrew is there again")
        case "aborted" if not tournament.aborted:
            raise NotNowError(f"{place}: the tournament goes on")
        case "decided" if tournament.test is None:
            raise NotNowError(f"{place}: the test goes on")
        case "round_clock" if tournament.terms.round_ms is None:
            raise NotNowError(f"{place}: the rounds have no time limit")


def _decided(
    tournament: Tournament,
    pairing: Pairing,
    command: Settle,
    played: list[SittingEnded],
    points: BySeat[int],
) -> tuple[Outcome, EndReason]:
    match command.reason:
        case "withdrawn" | "no_show" | "crash":
            return _against_the_absent(pairing, command), _FORFEIT[command.reason]
        case "aborted":
            return "void", "aborted"
        case "round_clock":
            return leader(points), "round_clock"
        case "decided":
            return leader(points), "played"
        case "complete":
            return _complete(tournament, played, points)


def _complete(
    tournament: Tournament, played: list[SittingEnded], points: BySeat[int]
) -> tuple[Outcome, EndReason]:
    """Return how a pairing comes out of which all sittings are over."""
    if tournament.terms.boards:
        return _on_boards(played, points)
    return played[0].outcome, played[0].reason


def _on_boards(played: list[SittingEnded], points: BySeat[int]) -> tuple[Outcome, EndReason]:
    """Return who is ahead after all boards, and why it ended: as its sittings did, if all alike."""
    reasons = Counter(each.reason for each in played if each.reason != "aborted")
    if not reasons:
        return "void", "aborted"
    outcome, usual = leader(points), reasons.most_common(1)[0][0]
    if set(reasons) == {"round_clock"}:
        return outcome, usual
    if not set(reasons) <= FORFEITS:
        return outcome, "played"
    # Nobody has played a hand to its end: equal forfeits are no draw.
    return ("neither" if outcome == "draw" else outcome), usual


_FORFEIT: dict[SettleReason, EndReason] = {
    "withdrawn": "withdrawn",
    "no_show": "no_show",
    "crash": "crash",
}


def _against_the_absent(pairing: Pairing, command: Settle) -> Outcome:
    absent = set(command.absent) & {pairing.first, pairing.second}
    if not absent:
        raise InvalidPairingError(
            f"round {command.round} table {command.table} is lost by one of its entrants"
        )
    if len(absent) == 2:
        return "neither"
    return "second" if pairing.first in absent else "first"


# --- rulings on the matches ---------------------------------------------------------------------


def with_adjusted(tournament: Tournament, event: SittingAdjusted) -> Tournament:
    """Return the tournament with a sitting as a ruling has it."""
    return replace(
        tournament,
        sittings=tuple(_adjusted(each, event) for each in tournament.sittings),
        round_sittings=tuple(_adjusted(each, event) for each in tournament.round_sittings),
    )


def _adjusted(sitting: SittingEnded, event: SittingAdjusted) -> SittingEnded:
    if sitting.match != event.match:
        return sitting
    return replace(
        sitting,
        seq=event.seq,
        hash=event.hash,
        outcome=event.outcome,
        reason=event.reason,
        points=event.points,
    )


def resettled(tournament: Tournament, pairing: Pairing) -> tuple[ResultRecorded, ...]:
    """Return how a pairing is decided by its sittings as they are now; nothing where it stays.

    What the director has ruled on it stands, and so does what was lost by not being there or given
    up; of these the points alone follow.
    """
    key = (pairing.round, pairing.table)
    before = tournament.results.get(key)
    if before is None or key in tournament.ruled:
        return ()
    played = [each for each in tournament.sittings if (each.round, each.table) == key]
    points = played_points(tournament, pairing)
    outcome, reason = before.outcome, before.reason
    if len(played) == len(sittings_of(tournament, pairing)):
        outcome, reason = _complete(tournament, played, points)
    elif reason not in _BY_ABSENCE:
        outcome = leader(points)
    after = ResultRecorded(*key, outcome, reason, points)
    same = (after.outcome, after.reason, after.points) == (
        before.outcome,
        before.reason,
        before.points,
    )
    return () if same else (after,)


_BY_ABSENCE: frozenset[EndReason] = frozenset(("withdrawn", "no_show", "crash", "aborted"))


# --- the sequential test ------------------------------------------------------------------------


def advanced(tournament: Tournament, ended: SittingEnded) -> Tournament:
    """Return the tournament with its test taken as far as the boards are over without a gap.

    The first seed is tested against the other one.
    """
    if tournament.course is None or tournament.test is not None:
        return tournament
    uncounted = (*tournament.uncounted, ended)
    rounds = {each.board: each.round for each in uncounted}
    pairs = {
        board: pair if _is_named_first(tournament, rounds[board]) else ~pair
        for board, pair in board_pairs(uncounted).items()
    }
    course = catch_up(tournament.course, pairs)
    left = tuple(each for each in uncounted if each.board > course.counted.boards)
    return replace(tournament, course=course, uncounted=left)


def _is_named_first(tournament: Tournament, round_number: int) -> bool:
    """Say whether the first seed is named first in a round of the two that a test is between."""
    pairing = tournament.pairing(round_number, 1)
    return pairing is not None and pairing.first == tournament.field.starters[0]


def sprt_end(tournament: Tournament, ended: SittingEnded) -> tuple[TestEnded, ...]:
    """Return the test's end, where the board that `ended` completes brings it about."""
    if tournament.test is not None:
        return ()
    course = advanced(tournament, ended).course
    return () if course is None or course.status == "running" else (_ended(course),)


def called_off(tournament: Tournament) -> tuple[TestEnded, ...]:
    """Return the end of a test that has not come to a decision; nothing where there is none."""
    if tournament.course is None or tournament.test is not None:
        return ()
    return (_ended(call_off(tournament.course)),)


def _ended(course: Course) -> TestEnded:
    # Six decimals say more than anybody needs, and a figure that is read again is the same.
    return TestEnded(course.status, course.counted.boards, round(course.llr, 6))
