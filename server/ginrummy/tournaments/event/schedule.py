"""Which sittings a pairing consists of, in which order they are played, and what they add up to."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from ginrummy.log.deck import LONGEST_CHAIN
from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.entrants import Pairing, Round
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.states import SittingKey, Tournament
from ginrummy.tournaments.event.terms import Boards, Elsewhere, TournamentFormat
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin, rounds_of
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import Outcome
from ginrummy.tournaments.statistics.pairs import Pair

__all__ = [
    "Sitting",
    "board_pairs",
    "boards_over",
    "chain_length",
    "count_sittings",
    "first_board",
    "has_sitting",
    "is_last_round",
    "leader",
    "played_points",
    "sittings_of",
    "sittings_of_round",
]

_LAG = 8
"""By how many boards a board's second half comes after its first: whoever has just played one side
of it is not to play the other straight away."""

_MOST_MEETINGS = 12
"""Meetings of one pair that a commitment covers where the director pairs."""


class Sitting(msgspec.Struct, frozen=True):
    """A match of the log: all of a pairing, or one of the two hands of one of its boards."""

    pairing: Pairing
    board: int = 0
    """The board's number, from 1; 0 where no boards are played."""
    half: Literal[0, 1, 2] = 0
    """1: who was named first sits at seat 0. 2: at seat 1. 0: no boards are played."""

    @property
    def key(self) -> SittingKey:
        """What it is known by in its tournament."""
        return self.pairing.round, self.pairing.table, self.board, self.half

    def request_id(self, tournament: str) -> str:
        """Return the request id under which the server opens the match, whose id follows from it.

        So a server that goes on after another one finds the match, and an audit knows which it is.
        """
        return "/".join(map(str, (tournament, *self.key)))

    @property
    def seats(self) -> BySeat[str]:
        """The entrants at seat 0 and seat 1."""
        first, second = self.pairing.first, self.pairing.second
        return BySeat(second, first) if self.half == 2 else BySeat(first, second)

    def by_seat(self, first_and_second: BySeat[int]) -> BySeat[int]:
        """Return a pair of numbers given by seats in the pairing's order, or the other way."""
        one, other = first_and_second
        return BySeat(other, one) if self.half == 2 else first_and_second


def first_board(tournament: Tournament, pairing: Pairing) -> int:
    """Return the number of the first board that a pairing plays.

    A pair that meets again plays the next boards, and all pairs play the same ones at their first
    meeting: no two play a board twice.
    """
    pair = {pairing.first, pairing.second}
    met = sum(
        {each.first, each.second} == pair
        for played in tournament.rounds
        if played.number < pairing.round
        for each in played.pairings
    )
    return met * tournament.terms.boards + 1


def sittings_of(tournament: Tournament, pairing: Pairing) -> tuple[Sitting, ...]:
    """Return all sittings of a pairing, in the order of boards; none for one played elsewhere."""
    if isinstance(tournament.terms.play, Elsewhere):
        return ()
    boards = tournament.terms.boards
    if not boards:
        return (Sitting(pairing),)
    start = first_board(tournament, pairing)
    return tuple(
        Sitting(pairing, board, half) for board in range(start, start + boards) for half in _HALVES
    )


_HALVES: tuple[Literal[1, 2], Literal[1, 2]] = (1, 2)


def count_sittings(tournament: Tournament) -> int:
    """Return how many sittings each pairing has: as many as `sittings_of` would name."""
    if isinstance(tournament.terms.play, Elsewhere):
        return 0
    return len(_HALVES) * tournament.terms.boards or 1


def has_sitting(tournament: Tournament, pairing: Pairing, board: int, half: int) -> bool:
    """Say whether a pairing has that sitting; the same as looking through `sittings_of`."""
    play = tournament.terms.play
    if not isinstance(play, Boards):
        return (board, half) == (0, 0) and not isinstance(play, Elsewhere)
    start = first_board(tournament, pairing)
    return start <= board < start + play.boards and half in _HALVES


def sittings_of_round(tournament: Tournament, paired: Round) -> tuple[Sitting, ...]:
    """Return all sittings of a round in the order in which they are begun."""
    sittings = [each for pairing in paired.pairings for each in sittings_of(tournament, pairing)]
    sittings.sort(key=lambda each: (each.board + _LAG * (each.half == 2), each.pairing.table))
    return tuple(sittings)


def chain_length(format_: TournamentFormat, boards: int) -> int:
    """Return how many boards a commitment has to cover.

    Raises InvalidTermsError where no chain is as long.
    """
    length = _meetings(format_) * boards
    if length > LONGEST_CHAIN:
        raise InvalidTermsError(
            f"a pair could come to play {length}, and {LONGEST_CHAIN} is the most", "boards"
        )
    return length


def _meetings(format_: TournamentFormat) -> int:
    """Return how often a pair can meet at the most."""
    match format_:
        case RoundRobin(double=double) | Gauntlet(double=double):
            return 2 if double else 1
        case Swiss(rounds=rounds):
            # A pair meets again only where it cannot be avoided.
            return rounds
        case Elimination(play_offs=play_offs):
            # In a double elimination the grand final can be their third meeting.
            return 3 * (play_offs + 1)
        case Manual():
            return _MOST_MEETINGS


def is_last_round(tournament: Tournament) -> bool:
    """Say whether it is known that no round comes after the present one."""
    if tournament.stage == "ended":
        return True
    number = tournament.rounds[-1].number if tournament.rounds else 0
    match tournament.terms.format:
        case RoundRobin(double=double):
            return number >= rounds_of(len(tournament.field.starters), double=double)
        case Gauntlet(challengers=challengers, double=double):
            others = len(tournament.field.starters) - challengers
            return number >= max(challengers, others) * (2 if double else 1)
        case Swiss(rounds=rounds):
            return number >= rounds
        case Elimination() | Manual():
            return False


# --- what was played ----------------------------------------------------------------------------


def board_pairs(sittings: Iterable[SittingEnded]) -> dict[int, Pair]:
    """Return the boards of one pairing of which both halves are over, from the first one's side.

    An aborted half is no half.
    """
    halves: dict[tuple[int, int], SittingEnded] = {
        (each.board, each.half): each for each in sittings if each.reason != "aborted"
    }
    pairs: dict[int, Pair] = {}
    for (board, half), one in halves.items():
        two = halves.get((board, 2))
        if half != 1 or two is None:
            continue
        as_seat_0, as_seat_1 = (each.points[0] - each.points[1] for each in (one, two))
        # The same seat deals in both halves, so whoever dealt one did not deal the other.
        dealt_first = one.dealer == "first" or two.dealer == "second"
        pairs[board] = Pair(as_seat_0, as_seat_1) if dealt_first else Pair(as_seat_1, as_seat_0)
    return pairs


def played_points(tournament: Tournament, pairing: Pairing) -> BySeat[int]:
    """Return what the first and the second have scored; on boards, in complete pairs alone."""
    mine = [
        each
        for each in tournament.sittings
        if (each.round, each.table) == (pairing.round, pairing.table)
    ]
    if isinstance(tournament.terms.play, Boards):
        whole = board_pairs(mine).keys()
        mine = [each for each in mine if each.board in whole and each.reason != "aborted"]
    return BySeat(sum(each.points[0] for each in mine), sum(each.points[1] for each in mine))


def leader(points: BySeat[int]) -> Outcome:
    """Return who has more points."""
    if points[0] == points[1]:
        return "draw"
    return "first" if points[0] > points[1] else "second"


def boards_over(tournament: Tournament) -> int:
    """Return the last board up to which nobody will play any more.

    That is known only in the last round, and after the end.
    """
    if tournament.stage == "ended":
        return tournament_boards(tournament)
    if not tournament.rounds or not is_last_round(tournament):
        return 0
    open_boards = list(_open_boards(tournament))
    return min(open_boards) - 1 if open_boards else tournament_boards(tournament)


def tournament_boards(tournament: Tournament) -> int:
    """Return the last board that was begun."""
    return max((each.board for each in tournament.sittings), default=0)


def _open_boards(tournament: Tournament) -> Iterator[int]:
    """Yield the first board of each undecided pairing that is not over."""
    over = Counter((each.round, each.table, each.board) for each in tournament.round_sittings)
    for pairing in tournament.undecided:
        key, start = (pairing.round, pairing.table), first_board(tournament, pairing)
        boards = range(start, start + tournament.terms.boards)
        left = (board for board in boards if over[(*key, board)] < len(_HALVES))
        first = next(left, None)
        if first is not None:
            yield first
