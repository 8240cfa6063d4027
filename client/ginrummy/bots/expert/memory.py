"""What the bot has seen: the terms of the match, and what each seat did in the hand being played.

A view shows the table as it stands. How it came to stand so is told by the events alone, and they
are told again to a bot that comes in the middle of a hand, so nothing here depends on when it came.
"""

from typing import NamedTuple

from ginrummy.rules.cards import Card, parse_card
from ginrummy.v1.events_pb2 import Event, MatchCreated
from ginrummy.v1.match_pb2 import View

__all__ = ["Course", "Memory", "Terms"]


class Terms(NamedTuple):
    """What of the ruleset no view says; the values of `standard` where no event has said them."""

    run_max: int | None = 5
    gin_bonus: int = 25
    undercut_bonus: int = 25
    stock_floor: int = 2
    max_discard_draws: int = 50
    target: int | None = None
    """Points that end the match; None where it goes over a number of hands."""


class Course:
    """What one seat has done in a hand so far."""

    def __init__(self) -> None:
        """Begin before its first turn."""
        self.thrown: list[Card] = []
        """Every card that it has discarded, also those taken up since."""
        self.taken: list[Card] = []
        """Every card that it took face up, also those thrown since."""
        self.left: list[Card] = []
        """Every card that it could have taken and did not."""


class Memory:
    """What has been told of one match."""

    def __init__(self) -> None:
        """Begin before the match."""
        self.terms = Terms()
        self._hand = 0
        self._top: Card | None = None
        self._courses = (Course(), Course())

    def saw(self, event: Event) -> None:
        """Take in the next event of the match."""
        match event.WhichOneof("event"):
            case "match_created":
                self.terms = _terms(event.match_created)
            case "hand_dealt":
                self._hand = event.hand_dealt.hand
                self._top = parse_card(event.hand_dealt.upcard)
                self._courses = (Course(), Course())
            case "upcard_passed":
                self._leaves(event.upcard_passed.seat)
            case "stock_drawn":
                self._leaves(event.stock_drawn.seat)
            case "discard_taken":
                taken = event.discard_taken
                self._courses[taken.seat].taken.append(parse_card(taken.card))
            case "discarded":
                thrown = event.discarded
                self._top = parse_card(thrown.card)
                self._courses[thrown.seat].thrown.append(self._top)
            case _:
                pass

    def course(self, view: View, seat: int) -> Course:
        """Return what a seat did in the hand of `view`: nothing, where no event told of that."""
        return self._courses[seat] if self._hand == view.hand.number else Course()

    def _leaves(self, seat: int) -> None:
        left = self._courses[seat].left
        # Who passes the upcard and then has to draw from the stock has left it once.
        if self._top is not None and self._top not in left[-1:]:
            left.append(self._top)


def _terms(created: MatchCreated) -> Terms:
    rules = created.rules
    many_hands = not rules.hands and not created.HasField("board")
    return Terms(
        run_max=rules.run_max or None,
        gin_bonus=rules.gin_bonus,
        undercut_bonus=rules.undercut_bonus,
        stock_floor=rules.stock_floor,
        max_discard_draws=rules.max_discard_draws,
        target=rules.target if many_hands else None,
    )
