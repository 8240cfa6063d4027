"""Whole tournaments of every format with a director who does whatever there is to do, at random."""

from typing import get_args

from support_tournament_events import Simulation, terms_of
from support_tournaments import OUTCOMES

from ginrummy.rules.cards import BySeat
from ginrummy.tournaments.errors import TournamentError
from ginrummy.tournaments.event import Command, Elsewhere, Matches
from ginrummy.tournaments.event.commands import (
    Abort,
    EndByHand,
    Leave,
    PairByHand,
    Pause,
    Resume,
    Return,
    Rule,
)
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.results import Outcome

FORMATS = (
    RoundRobin(),
    RoundRobin(double=True),
    Gauntlet(challengers=2),
    Gauntlet(double=True),
    Swiss(rounds=4),
    Elimination(),
    Elimination(double=True, play_offs=2),
    Manual(),
)

PLAYS = (None, 1, 3, Matches(), Elsewhere())
"""Boards by their number, matches, or nothing on the server."""

ROUNDS_BY_HAND = 4


def director_acts(played: Simulation) -> list[Command]:
    """Return what a director and the entrants might do now, wise or not."""
    tournament, rng = played.tournament, played.rng
    someone = rng.choice(tournament.entries).id
    acts: list[Command] = [
        Leave(someone, "removed", "two clients"),
        Return(rng.choice([each.id for each in tournament.entries if not each.here] or [someone])),
        Pause(),
        Resume(),
        Resume(),
    ]
    pairings = [pairing for each in tournament.rounds for pairing in each.pairings]
    if pairings:
        pairing = rng.choice(pairings)
        outcome = rng.choice(get_args(Outcome))
        points = rng.choice((None, BySeat(17, 4)))
        acts.append(Rule(pairing.round, pairing.table, outcome, points, "seen by all"))
    if rng.random() < 0.2:
        acts.append(Abort("the hall is on fire"))
    return acts


def disturbed(played: Simulation) -> None:
    """Let somebody act, as far as it is allowed."""
    tournament, rng = played.tournament, played.rng
    if rng.random() < 0.2 and tournament.terms.format.late_entry:
        with_refusals(played, None)
        return
    command = rng.choice(director_acts(played))
    with_refusals(played, command)


def with_refusals(played: Simulation, command: Command | None) -> None:
    """Carry a command out, or enter somebody; a refusal changes nothing."""
    before, lines = played.tournament, len(played.lines)
    try:
        if command is None:
            played.enter()
        else:
            played.act(command, played.director)
    except TournamentError:
        assert played.tournament is before
        assert len(played.lines) == lines


def decided_elsewhere(played: Simulation) -> bool:
    """Let the director rule on a pairing that is played away from the server."""
    tournament = played.tournament
    if not isinstance(tournament.terms.play, Elsewhere) or not tournament.undecided:
        return False
    pairing = played.rng.choice(tournament.undecided)
    outcome = played.rng.choice(OUTCOMES)
    command = Rule(pairing.round, pairing.table, outcome, None, "as reported")
    played.act(command, played.director)
    return True


def goes_on(played: Simulation) -> bool:
    """Let the director do what the tournament waits for; return whether there was anything."""
    tournament = played.tournament
    if tournament.stage != "playing":
        return False
    if tournament.paused:
        played.act(Resume(), played.director)
        return True
    if decided_elsewhere(played):
        return True
    if tournament.undecided or not isinstance(tournament.terms.format, Manual):
        return False
    here = [each.id for each in tournament.playing if each.here]
    if len(tournament.rounds) >= ROUNDS_BY_HAND or len(here) < 2:
        played.act(EndByHand(), played.director)
    else:
        played.rng.shuffle(here)
        pairs = tuple(zip(here[::2], here[1::2], strict=False))
        played.act(PairByHand(pairs), played.director)
    return True


def eventful(seed: int, restless: float | None = None) -> Simulation:
    """Play a tournament of some format to its end, with whatever comes between."""
    probe = Simulation(terms_of(), seed=seed)
    rng = probe.rng
    format_, play = rng.choice(FORMATS), rng.choice(PLAYS)
    changes = {} if play is None or isinstance(play, int) else {"play": play}
    boards = play if isinstance(play, int) else 2
    terms = terms_of(
        format_,
        boards,
        tables=rng.choice((0, 1, 3)),
        round_ms=rng.choice((None, None, 60)),
        **changes,
    )
    played = Simulation(terms, entrants=rng.randint(2, 9), seed=seed + 1).started()
    restless = rng.choice((0.0, 0.02, 0.15)) if restless is None else restless
    while True:
        played.wait(rng.choice((0, 0, 1)))
        if played.tournament.stage == "playing" and rng.random() < restless:
            disturbed(played)
        if not played.step() and not goes_on(played):
            return played
