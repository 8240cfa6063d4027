"""Elimination: who has lost once, or twice, is out; the last one left has won.

The bracket's shape is fixed by who is there at the start (`bracket`). What has happened in it is
read from the history by the labels of pairings, byes and absences. A round has every match whose
two sides are known by then.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import msgspec

from ginrummy.tournaments.entrants import Absence, Bye, Pairing, Round
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.pairing.bracket import Node, Source, double_bracket, single_bracket
from ginrummy.tournaments.pairing.first_deals import FirstDeals
from ginrummy.tournaments.pairing.formats import Field, Next, Over

__all__ = ["Elimination", "placings"]


class Elimination(msgspec.Struct, frozen=True, tag="elimination"):
    """Single or double elimination, with byes for the best seeds and ties played off.

    A match without a winner is played again with the other one dealing first, or by lot where it
    was dealt by lot; after `play_offs` such further matches the better seed goes on. Who is not
    there when their match is to be paired has lost it. Raises InvalidTermsError where `play_offs`
    is negative.
    """

    double: bool = False
    """Out with the second loss instead of the first."""
    play_offs: int = 5

    def __post_init__(self) -> None:
        if self.play_offs < 0:
            raise InvalidTermsError("there cannot be fewer than no play-offs")

    @property
    def late_entry(self) -> bool:
        """The bracket has no place for a late entry."""
        return False

    def pair(self, field: Field) -> Next:
        """Return every match that can be played now (`Format.pair`). It waits for all results."""
        course = _Course(self, field)
        byes: list[Bye] = []
        absences: list[Absence] = []
        while True:
            # Sides that become known only by this round's byes are paired in the next round,
            # unless there is no match in this one.
            pairings, free, missing = course.due()
            byes += free
            absences += missing
            if pairings:
                return Round(field.next_number, pairings, tuple(byes), tuple(absences))
            if not free and not missing:
                return Over("complete")
            course.walk_over(free, missing)


def placings(event: Elimination, field: Field) -> tuple[tuple[str, ...], ...]:
    """Return the entrants place by place: the winner, the loser of the final, and so on.

    Those who went out in the same round of the bracket share a place. Those who are still in it
    come first together, and those of them who have left come next.
    """
    course = _Course(event, field)
    rounds = list(dict.fromkeys(_round_of(node) for node in course.nodes))
    out: dict[str, int] = {}
    for node in course.nodes:
        if node.label in course.decided:
            out.update(
                dict.fromkeys(filter(None, course.sides(node)), rounds.index(_round_of(node)))
            )
    still_in = course.still_in()
    places: dict[int, list[str]] = defaultdict(list)
    for entrant in field.starters:
        here = len(rounds) + (entrant in field.present)
        places[here if entrant in still_in else out[entrant]].append(entrant)
    return tuple(tuple(places[place]) for place in sorted(places, reverse=True))


def _round_of(node: Node) -> str:
    return node.label.split(".")[0]


class _Course:
    """What has happened in the bracket so far."""

    def __init__(self, event: Elimination, field: Field) -> None:
        starters = field.starters
        self.nodes = (double_bracket if event.double else single_bracket)(len(starters))
        self.decided: dict[str, tuple[str | None, str | None]] = {}
        """Winner and loser of every match that is decided; None where there is no such entrant."""
        self._event = event
        self._field = field
        self._seeds = dict(enumerate(starters, start=1))
        self._rank = {each: seed for seed, each in self._seeds.items()}
        self._deals = FirstDeals(field.pairings)
        self._walked: dict[str, str | None] = {}
        results = field.results()
        self._played = defaultdict(list)
        for each in field.pairings:
            self._played[each.label].append(results[each.round, each.table])
        for paired in field.rounds:
            self._walk(paired.byes, paired.absences)
        self._settle()

    def due(self) -> tuple[tuple[Pairing, ...], list[Bye], list[Absence]]:
        """Return what the next round has to settle: matches, byes, and places that are lost."""
        number = self._field.next_number
        pairings: list[Pairing] = []
        byes: list[Bye] = []
        absences: list[Absence] = []
        for node in self.nodes:
            if node.label in self.decided or not self._ready(node):
                continue
            there = [each for each in self.sides(node) if each in self._field.present]
            absences += (
                Absence(number, each, node.label)
                for each in self.sides(node)
                if each is not None and each not in there
            )
            match there:
                case [str(one), str(another)]:
                    table = len(pairings) + 1
                    order = self._deals.order(*self._by_rank(one, another), table)
                    by_lot = self._deals.by_lot(one, another)
                    pairings.append(Pairing(number, table, *order, node.label, by_lot))
                case [str(one)]:
                    byes.append(Bye(number, one, node.label))
        return tuple(pairings), byes, absences

    def walk_over(self, byes: list[Bye], absences: list[Absence]) -> None:
        """Go on in the bracket by byes and absences of the round that is being paired."""
        self._walk(byes, absences)
        self._settle()

    def sides(self, node: Node) -> tuple[str | None, str | None]:
        """Return who is known to stand on either side of a match."""
        return self._entrant(node.one), self._entrant(node.another)

    def still_in(self) -> set[str]:
        """Return the winner, or those who have a match before them."""
        waiting = {
            each
            for node in self.nodes
            if node.label not in self.decided
            for each in self.sides(node)
            if each is not None
        }
        winner = self.decided.get(self.nodes[-1].label, (None, None))[0]
        return waiting if winner is None else waiting | {winner}

    def _walk(self, byes: Iterable[Bye], absences: Iterable[Absence]) -> None:
        for absence in absences:
            self._walked.setdefault(absence.label, None)
        for bye in byes:
            self._walked[bye.label] = bye.entrant

    def _settle(self) -> None:
        """Decide, in the bracket's order, every match that the history decides."""
        for node in self.nodes:
            if node.label not in self.decided and self._ready(node):
                winner = self._winner(node)
                if winner != _OPEN:
                    one, another = self.sides(node)
                    # Where neither was there to play, neither goes on.
                    loser = None if winner is None else another if winner == one else one
                    self.decided[node.label] = (winner, loser)

    def _winner(self, node: Node) -> str | None:
        """Return who has won a match, None for nobody; `_OPEN` where it is still to be played."""
        one, another = self.sides(node)
        if one is None and another is None:
            return None
        if node.label == "GF2" and one == self._entrant(self._final.one):
            # The winners' side has not lost yet, so there is nothing to make good.
            return one
        if node.label in self._walked:
            return self._walked[node.label]
        played = self._played[node.label]
        if played and played[-1].winner is not None:
            return played[-1].winner
        if one is not None and another is not None and len(played) > self._event.play_offs:
            return self._by_rank(one, another)[0]
        return _OPEN

    @property
    def _final(self) -> Node:
        """The grand final."""
        return self.nodes[-2]

    def _ready(self, node: Node) -> bool:
        """Say whether both sides of a match are known, be it that there is nobody."""
        return all(
            kind == "seed" or origin in self.decided for kind, origin in (node.one, node.another)
        )

    def _entrant(self, source: Source) -> str | None:
        match source:
            case ("seed", int(seed)):
                return self._seeds.get(seed)
            case ("winner", str(label)):
                return self.decided.get(label, (None, None))[0]
            case ("loser", str(label)):
                return self.decided.get(label, (None, None))[1]
        raise AssertionError(source)

    def _by_rank(self, one: str, another: str) -> tuple[str, str]:
        return (one, another) if self._rank[one] < self._rank[another] else (another, one)


_OPEN: Final = ""
"""No entrant's id."""
