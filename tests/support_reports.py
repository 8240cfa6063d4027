"""One tournament of every kind, played and ready to be reported."""

from collections.abc import Callable, Mapping
from pathlib import Path

from support_play import eager_move, simple_move
from support_played_events import PlayedEvent, Player
from support_tournaments import OUTCOMES

from ginrummy.rules.cards import BySeat
from ginrummy.rules.commands import Abort as AbortMatch
from ginrummy.rules.commands import Command, Forfeit, Resign
from ginrummy.rules.commands import Play as PlayMove
from ginrummy.rules.ruleset import make_ruleset
from ginrummy.tournaments.event import Boards, Elsewhere, Matches, TournamentTerms
from ginrummy.tournaments.event.commands import Abort, Leave, Return, Rule, Settle
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.report import write_report
from ginrummy.tournaments.statistics.sprt import Sprt

__all__ = ["EVENTS", "HOSTILE", "WHY", "bots", "people", "reported"]

HOSTILE = ('<script>alert("x")</script>', "<b onclick=alert(1)>&amp;'\"", "x" * 60)
"""Names that would be more than names where they are not escaped, and one that fills a line."""

WHY = "The score sheet that both have signed says otherwise"

_SHORT = make_ruleset("standard", {"target": 25})


def bots(*names: str) -> list[Player]:
    """Return bots of these names; every other one plays on a whim."""
    return [
        Player(name, eager_move if place % 2 else simple_move) for place, name in enumerate(names)
    ]


def people(number: int) -> list[Player]:
    """Return so many people."""
    names = (
        "Ada Lovelace",
        "Emmy Noether",
        "Srinivasa Ramanujan",
        "Carl Friedrich Gauß",
        "Hypatia",
    )
    return [
        Player(
            f"{names[place % 5]} {place + 1}", eager_move if place % 2 else simple_move, "person"
        )
        for place in range(number)
    ]


def three_bots() -> PlayedEvent:
    """Boards, some of which end otherwise than by the rules."""
    faults: dict[tuple[int, int, int, int], Command] = {
        (1, 1, 2, 1): Forfeit(0, "crash"),
        (1, 1, 3, 2): Forfeit(1, "stall"),
        (2, 1, 1, 1): AbortMatch("aborted"),
        (2, 1, 2, 2): PlayMove(0, Resign()),
        (3, 1, 2, 2): Forfeit(0, "illegal_moves"),
    }
    terms = TournamentTerms(name="Bots' cup", format=RoundRobin(), play=Boards(6))
    return PlayedEvent(terms, bots("expert", "simple", "chance"), faults=faults).start().play()


def duel() -> PlayedEvent:
    """A sequential test between two, decided before its boards are out."""
    test = Sprt(scale="points", h0=-5.0, h1=5.0, least_boards=4)
    terms = TournamentTerms(name="A duel", format=RoundRobin(), play=Boards(60), sprt=test)
    return PlayedEvent(terms, bots("expert", "simple"), seed=3).start().play()


def twice() -> PlayedEvent:
    """A double round robin on boards, so that everybody meets everybody twice."""
    terms = TournamentTerms(name="Twice", format=RoundRobin(double=True), play=Boards(2))
    return PlayedEvent(terms, bots("one", "two", "three")).start().play()


def club() -> PlayedEvent:
    """A Swiss event of people, in its last round: a ruling, comings and goings, byes."""
    terms = TournamentTerms(name="Club evening", format=Swiss(3), play=Matches(), rules=_SHORT)
    faults = {(1, 2, 0, 0): Forfeit(1, "no_show")}
    event = PlayedEvent(terms, people(7), faults=faults).start().play(1)
    stands = event.tournament.results[1, 3].outcome
    other = OUTCOMES[1] if stands == "first" else OUTCOMES[0]
    event.do(Rule(1, 3, other, BySeat(40, 33), WHY, "K3"), event.director)
    leaving = event.tournament.entries[2].id
    event.do(Leave(leaving, "withdrew", "a train to catch"), leaving)
    event.play(1)
    event.do(Return(leaving), event.director)
    return event.play(1, sittings=1)


def bracket() -> PlayedEvent:
    """A double elimination, played to its end."""
    terms = TournamentTerms(
        name="Knock-out", format=Elimination(double=True), play=Matches(), rules=_SHORT
    )
    return PlayedEvent(terms, people(5)).start().play()


def elsewhere(number: int = 33) -> PlayedEvent:
    """A Swiss event played at tables of one's own, its third round just paired."""
    terms = TournamentTerms(name="Pub league", format=Swiss(4), play=Elsewhere())
    event = PlayedEvent(terms, people(number)).start()
    for _ in range(2):
        for each in event.tournament.undecided:
            points = BySeat(event.rng.randrange(60), event.rng.randrange(60, 120))
            outcome = event.rng.choice(OUTCOMES)
            event.do(Rule(each.round, each.table, outcome, points, "sheet"), event.director)
        event.settle()
    return event


def hostile() -> PlayedEvent:
    """Names that are markup, in the event's and the entrants' places."""
    terms = TournamentTerms(name=HOSTILE[0], format=RoundRobin(), play=Boards(2))
    event = PlayedEvent(terms, bots(*HOSTILE, HOSTILE[1])).start().play()
    event.do(Rule(1, 1, "draw", None, HOSTILE[0], HOSTILE[1]), event.director)
    return event


def hostile_matches() -> PlayedEvent:
    """The same names, hand by hand."""
    terms = TournamentTerms(name=HOSTILE[1], format=RoundRobin(), play=Matches(), rules=_SHORT)
    return PlayedEvent(terms, bots(*HOSTILE)).start().play()


def empty() -> PlayedEvent:
    """Registration is open, and nobody has come yet."""
    return PlayedEvent(TournamentTerms(name="Nobody yet", format=Swiss(3), play=Matches()), [])


def waiting() -> PlayedEvent:
    """Everybody is paired, and nothing is played."""
    terms = TournamentTerms(name="Waiting", format=RoundRobin(), play=Boards(2))
    return PlayedEvent(terms, bots("one", "two")).start()


def given_up() -> PlayedEvent:
    """A tournament that was aborted in the middle of its first round."""
    terms = TournamentTerms(name="Given up", format=RoundRobin(), play=Boards(4))
    event = PlayedEvent(terms, bots("one", "two", "three")).start().play(1, sittings=3)
    event.do(Abort("the power went out"), event.director)
    for each in event.tournament.undecided:
        event.do(Settle(each.round, each.table, "aborted"))
    event.settle()
    return event


EVENTS: Mapping[str, Callable[[], PlayedEvent]] = {
    "three_bots": three_bots,
    "duel": duel,
    "twice": twice,
    "club": club,
    "bracket": bracket,
    "elsewhere": elsewhere,
    "hostile": hostile,
    "hostile_matches": hostile_matches,
    "empty": empty,
    "waiting": waiting,
    "given_up": given_up,
}
"""How each kind of tournament is made, by its name."""


def reported(event: PlayedEvent, directory: Path) -> Path:
    """Write a tournament's report, and return its directory."""
    return write_report(event.log, event.read, directory).parent
