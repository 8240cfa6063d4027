"""All that a tournament's results say, at whatever moment: standings, ratings, who beat whom.

The unit is what is played: on boards a pair of hands, elsewhere a match. Whatever counts in the
standings counts here, forfeits too. The boards of a pairing that was ruled void count for nobody.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

import msgspec

from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.schedule import board_pairs
from ginrummy.tournaments.event.states import Tournament
from ginrummy.tournaments.lots import draw_lots
from ginrummy.tournaments.pairing.elimination import Elimination, placings
from ginrummy.tournaments.results import END_REASONS, EndReason, MatchKey, Result
from ginrummy.tournaments.standings import Standings, standings
from ginrummy.tournaments.statistics.intervals import (
    Estimate,
    Narrowing,
    mean_by_board,
    mean_points,
    narrowing,
    sign_test,
)
from ginrummy.tournaments.statistics.pairs import Pair, Tally, tally
from ginrummy.tournaments.statistics.ratings import Meeting, bradley_terry
from ginrummy.tournaments.statistics.sprt import Course

__all__ = ["Encounter", "EntrantSummary", "Summary", "boards_played", "standings_of", "summary"]

_Two: TypeAlias = tuple[str, str]
"""Two entrants' ids, the better seed in front."""

_PAIRS_TO_COMPARE = 2
"""Fewer say nothing about their spread."""


class Encounter(msgspec.Struct, frozen=True):
    """All that two entrants have played against each other, from the better seed's side."""

    one: str
    """The better seed."""
    two: str
    wins: int
    """Pairs of hands on boards, matches elsewhere."""
    draws: int
    losses: int
    chance: float
    """How likely so uneven a count is between equals, either way: the sign test's p-value."""
    boards: Tally | None = None
    """The pairs as a sum; None where no boards are played."""
    points_a_board: Estimate | None = None
    """None without a complete board."""


class EntrantSummary(msgspec.Struct, frozen=True):
    """What one entrant has to show beside its line of the standings."""

    entrant: str
    boards: int
    """Complete pairs of hands, against all opponents; 0 where no boards are played."""
    pairs_won: int
    pairs_drawn: int
    pairs_lost: int
    points_a_board: Estimate | None
    """Points less the opponent's; None without a complete board."""
    rating: Estimate | None
    """On the Elo scale, against the mean of the field; None before there is a result."""


class Summary(msgspec.Struct, frozen=True):
    """A tournament's results as they stand."""

    standings: Standings
    """With how many matches ended for each reason."""
    entrants: tuple[EntrantSummary, ...]
    """In the order of the standings."""
    crosstable: tuple[Encounter, ...]
    """Everybody who has met, in the order of seeds."""
    sittings: dict[EndReason, int]
    """How many sittings ended for each reason; the sum is how many there were."""
    narrowing: Narrowing | None
    """What the boards spared; None where fewer than two are complete."""
    test: Course | None
    """The sequential test; None where there is none."""
    placings: tuple[tuple[str, ...], ...]
    """The bracket place by place, between rounds; empty without a bracket."""

    def entrant(self, entrant: str) -> EntrantSummary:
        """Return one entrant's. Raises KeyError for somebody whom the tournament is not about."""
        for each in self.entrants:
            if each.entrant == entrant:
                return each
        raise KeyError(entrant)


def standings_of(tournament: Tournament) -> Standings:
    """Return the standings alone; lots count once their secret is out."""
    entrants = [each.entrant for each in tournament.playing]
    lots: tuple[str, ...] = ()
    if tournament.lots_secret is not None:
        secret = bytes.fromhex(tournament.lots_secret)
        lots = draw_lots(secret, tournament.id, (each.id for each in entrants))
    return standings(entrants, tournament.records, tournament.terms.standings, lots)


def summary(tournament: Tournament) -> Summary:
    """Return what a tournament's results say as they stand."""
    table = standings_of(tournament)
    boards = boards_played(tournament)
    met = _encounters_on_boards(boards) if tournament.terms.boards else _encounters(tournament)
    ratings = _ratings(tournament, met)
    own = _by_entrant(boards)
    return Summary(
        standings=table,
        entrants=tuple(
            _entrant(row.entrant, own.get(row.entrant, {}), ratings.get(row.entrant))
            for row in table.rows
        ),
        crosstable=met,
        sittings=_reasons(tournament.sittings),
        narrowing=_narrowing(boards),
        test=_test(tournament),
        placings=_placings(tournament),
    )


def _entrant(
    entrant: str, boards: Mapping[int, list[Pair]], rating: Estimate | None
) -> EntrantSummary:
    tallies = [tally(pairs) for pairs in boards.values()]
    total = sum(tallies, Tally())
    return EntrantSummary(
        entrant=entrant,
        boards=total.boards,
        pairs_won=total.wins,
        pairs_drawn=total.draws,
        pairs_lost=total.losses,
        points_a_board=mean_by_board(tallies) if tallies else None,
        rating=rating,
    )


# --- who has met whom ---------------------------------------------------------------------------


def boards_played(tournament: Tournament) -> dict[_Two, dict[int, Pair]]:
    """Return the complete boards of all who have met, by number, from the better seed's side."""
    played: dict[MatchKey, list[SittingEnded]] = defaultdict(list)
    if tournament.terms.boards:
        for each in tournament.sittings:
            played[each.round, each.table].append(each)
    results, order = tournament.results, _order(tournament)
    boards: dict[_Two, dict[int, Pair]] = defaultdict(dict)
    for pairing in _pairings(tournament):
        key = (pairing.round, pairing.table)
        if key not in played or _is_struck(results.get(key)):
            continue
        two = _two(pairing, order)
        for board, pair in board_pairs(played[key]).items():
            boards[two][board] = pair if two[0] == pairing.first else ~pair
    return _in_order(boards, order)


def _is_struck(result: Result | None) -> bool:
    return result is not None and result.reason == "ruling" and result.outcome == "void"


def _encounters_on_boards(boards: Mapping[_Two, Mapping[int, Pair]]) -> tuple[Encounter, ...]:
    met = []
    for (one, two), played in boards.items():
        total = tally(played.values())
        met.append(
            Encounter(
                one=one,
                two=two,
                wins=total.wins,
                draws=total.draws,
                losses=total.losses,
                chance=sign_test(total.wins, total.losses),
                boards=total,
                points_a_board=mean_points(total) if total.boards else None,
            )
        )
    return tuple(met)


def _encounters(tournament: Tournament) -> tuple[Encounter, ...]:
    order = _order(tournament)
    counts: dict[_Two, Counter[str]] = defaultdict(Counter)
    for result in tournament.results.values():
        if result.outcome in ("first", "second", "draw"):
            two = _two(result.pairing, order)
            how = "wins" if result.winner == two[0] else "losses"
            counts[two][how if result.winner else "draws"] += 1
    return tuple(
        Encounter(
            one=one,
            two=two,
            wins=count["wins"],
            draws=count["draws"],
            losses=count["losses"],
            chance=sign_test(count["wins"], count["losses"]),
        )
        for (one, two), count in _in_order(counts, order).items()
    )


def _order(tournament: Tournament) -> dict[str, int]:
    return {each.id: place for place, each in enumerate(tournament.by_seed)}


def _pairings(tournament: Tournament) -> Iterable[Pairing]:
    return (pairing for each in tournament.rounds for pairing in each.pairings)


def _two(pairing: Pairing, order: Mapping[str, int]) -> _Two:
    first, second = pairing.first, pairing.second
    return (first, second) if order[first] < order[second] else (second, first)


_T = TypeVar("_T")


def _in_order(met: Mapping[_Two, _T], order: Mapping[str, int]) -> dict[_Two, _T]:
    return {two: met[two] for two in sorted(met, key=lambda two: (order[two[0]], order[two[1]]))}


# --- what follows -------------------------------------------------------------------------------


def _by_entrant(boards: Mapping[_Two, Mapping[int, Pair]]) -> dict[str, dict[int, list[Pair]]]:
    """Return every entrant's pairs on each board, from its own side."""
    own: dict[str, dict[int, list[Pair]]] = defaultdict(lambda: defaultdict(list))
    for (one, two), played in boards.items():
        for board, pair in played.items():
            own[one][board].append(pair)
            own[two][board].append(~pair)
    return own


def _ratings(tournament: Tournament, met: Iterable[Encounter]) -> dict[str, Estimate]:
    """Return the rating of everybody who has a result."""
    meetings = [
        Meeting(
            each.one,
            each.two,
            each.boards.pentanomial if each.boards else (each.losses, each.draws, each.wins),
        )
        for each in met
        if each.wins + each.draws + each.losses
    ]
    if not meetings:
        return {}
    ratings = bradley_terry(meetings, entrants=[each.id for each in tournament.playing])
    rated = {name for each in meetings for name in (each.one, each.two)}
    return {name: ratings.rating(name) for name in ratings.names if name in rated}


def _reasons(sittings: Iterable[SittingEnded]) -> dict[EndReason, int]:
    return dict.fromkeys(END_REASONS, 0) | Counter(each.reason for each in sittings)


def _narrowing(boards: Mapping[_Two, Mapping[int, Pair]]) -> Narrowing | None:
    if max(map(len, boards.values()), default=0) < _PAIRS_TO_COMPARE:
        return None
    return narrowing(*(played.values() for played in boards.values()))


def _test(tournament: Tournament) -> Course | None:
    """Return how far the test has come, as ended where it was called off."""
    course, ended = tournament.course, tournament.test
    if course is None or ended is None:
        return course
    return msgspec.structs.replace(course, status=ended.status)


def _placings(tournament: Tournament) -> tuple[tuple[str, ...], ...]:
    event = tournament.terms.format
    if not isinstance(event, Elimination) or not tournament.starters or tournament.undecided:
        return ()
    return placings(event, tournament.field)
