"""Terms, reasons and tie-breaks in words, as the pages say them."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from ginrummy.rules.events import HandKind, Limits, TimeControl, VoidReason
from ginrummy.rules.ruleset import Ruleset
from ginrummy.tournaments.event import Boards, Elsewhere, Matches, TournamentTerms
from ginrummy.tournaments.event.events import LeaveReason, TournamentEndReason
from ginrummy.tournaments.event.terms import Play, TournamentFormat
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.report.figures import MINUS, TO, count
from ginrummy.tournaments.results import EndReason
from ginrummy.tournaments.statistics.sprt import Scale, Sprt
from ginrummy.tournaments.tie_breaks import TieBreak

__all__ = [
    "ENDS",
    "LEAVES",
    "REASONS",
    "SHORT_REASONS",
    "TIE_BREAKS",
    "VOIDS",
    "TieBreakText",
    "clock_text",
    "format_text",
    "hand_text",
    "lead_text",
    "play_text",
    "rules_text",
    "scoring_text",
    "test_text",
]

REASONS: Mapping[EndReason, str] = {
    "played": "Played to the end by the rules",
    "resigned": "The loser resigned",
    "time": "The loser's time ran out",
    "illegal_moves": "The loser made too many illegal moves in a row",
    "crash": "The loser's program died",
    "stall": "The loser's program was silent, though its time was not over",
    "no_show": "Somebody did not come",
    "withdrawn": "The loser left the event",
    "round_clock": "The round's time was over; it counts as it stood",
    "ruling": "The director ruled",
    "aborted": "Given up unfinished; it counts for nobody",
}

SHORT_REASONS: Mapping[EndReason, str] = {
    "played": "played",
    "resigned": "resigned",
    "time": "on time",
    "illegal_moves": "illegal moves",
    "crash": "program died",
    "stall": "program silent",
    "no_show": "no-show",
    "withdrawn": "withdrawn",
    "round_clock": "round's time over",
    "ruling": "ruling",
    "aborted": "given up",
}

TieBreakText: TypeAlias = tuple[str, str, str]
"""A tie-break's name, a heading for its column, and what it is."""

TIE_BREAKS: Mapping[TieBreak, TieBreakText] = {
    "head_to_head": (
        "Head to head",
        "Met",
        "the credits from matches among the tied, where all of them have met equally often",
    ),
    "buchholz": (
        "Buchholz",
        "Buch",
        "the sum of all opponents' scores; a bye counts as an opponent with one's own score",
    ),
    "sonneborn_berger": (
        f"Sonneborn{TO}Berger",
        "SB",
        "each opponent's score times the credit from that match, added up",
    ),
    "point_difference": (
        "Point difference",
        "Diff",
        "the points of the game that were scored, less those of the opponents",
    ),
    "lot": (
        "Lot",
        "Lot",
        "drawn by a secret that was committed to beforehand; the higher number was drawn earlier",
    ),
}

LEAVES: Mapping[LeaveReason, str] = {
    "withdrew": "withdrew",
    "removed": "was removed by the director",
    "absent": "was not there",
}

ENDS: Mapping[TournamentEndReason, str] = {
    "complete": "Played to its end",
    "too_few": "Over, as fewer than two were left",
    "decided": "Over, as the sequential test was decided",
    "aborted": "Given up by the director",
}

VOIDS: Mapping[VoidReason, str] = {
    "stock": "void: the stock ran low",
    "discard_draws": "void: too many draws from the discard pile",
}

_HANDS: Mapping[HandKind, str] = {
    "knock": "knock",
    "undercut": "undercut",
    "gin": "gin",
    "big_gin": "big gin",
}

_SCALES: Mapping[Scale, str] = {
    "elo": "Elo a hand",
    "nelo": "normalised Elo",
    "points": "points a board",
}


def hand_text(kind: HandKind) -> str:
    """Return how a scored hand ended."""
    return _HANDS[kind]


def format_text(form: TournamentFormat) -> str:
    """Return who meets whom."""
    match form:
        case RoundRobin(double=double):
            return f"Round robin: everybody meets everybody {_times(double=double)}"
        case Gauntlet(challengers=challengers, double=double):
            who = "the first seed meets" if challengers == 1 else f"the first {challengers} meet"
            return f"Gauntlet: {who} everybody else {_times(double=double)}"
        case Swiss(rounds=rounds):
            return f"Swiss system: {count(rounds, 'round')}, each among those of equal score"
        case Elimination(double=double):
            out = "second" if double else "first"
            name = "Double" if double else "Single"
            return f"{name} elimination: out with the {out} loss"
        case Manual():
            return "Paired by the director, round by round"
        case _:
            assert_never(form)


def _times(*, double: bool) -> str:
    return "twice" if double else "once"


def play_text(play: Play, rules: Ruleset) -> str:
    """Return how the two of a pairing settle who is better."""
    match play:
        case Boards(boards=boards, forfeit_points=award):
            return (
                f"{count(boards, 'duplicate board')} a pairing: each is dealt twice, with seats"
                f" swapped. A hand that is lost by a forfeit gives the opponent"
                f" {count(award, 'point')}"
            )
        case Matches():
            if rules.hands is not None:
                return f"One match of {count(rules.hands, 'hand')} a pairing"
            return f"One match to {count(rules.target, 'point')} a pairing"
        case Elsewhere():
            return "Played at tables of one's own; the director enters the results"
        case _:
            assert_never(play)


def rules_text(rules: Ruleset) -> str:
    """Return the rules of a hand in a sentence."""
    if rules.gin_only:
        knocking = "Straight gin: no knocking"
    elif rules.oklahoma:
        knocking = "Oklahoma: the upcard sets the knock limit"
    else:
        knocking = f"Knock with {rules.knock_limit} or less"
    longest = "runs of any length" if rules.run_max is None else f"runs of at most {rules.run_max}"
    extras = [f"gin {rules.gin_bonus}", f"undercut {rules.undercut_bonus}"]
    if rules.big_gin:
        extras.append(f"big gin {rules.big_gin_bonus}")
    if rules.spades_double:
        extras.append("a spade upcard doubles")
    return f"{knocking}; {longest}; {', '.join(extras)}"


def clock_text(clock: TimeControl | None, limits: Limits) -> str:
    """Return how long a seat may think."""
    parts = []
    if clock is not None:
        if clock.bank_ms is not None:
            bank = f"{_duration(clock.bank_ms)} for the match"
            more = f", and {_duration(clock.increment_ms)} a decision" if clock.increment_ms else ""
            parts.append(bank + more)
        if clock.decision_ms is not None:
            parts.append(f"at most {_duration(clock.decision_ms)} a decision")
    idle = f"lost after {_duration(limits.idle_ms)} without a decision"
    return "; ".join([*(parts or ["No clock"]), idle])


def _duration(milliseconds: int) -> str:
    for unit, size in (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000)):
        if milliseconds >= size and not milliseconds % size:
            return count(milliseconds // size, unit)
    return f"{milliseconds / 1000:g} seconds" if milliseconds != 1000 else "1 second"


def scoring_text(terms: TournamentTerms) -> str:
    """Return what a pairing is worth."""
    scoring = terms.standings.scoring
    return f"Win {scoring.win}, draw {scoring.draw}, loss {scoring.loss}, bye {scoring.bye}"


def lead_text(bound: float, scale: Scale) -> str:
    """Return one of a test's two answers: `20 Elo a hand`."""
    return f"{bound:g} {_SCALES[scale]}".replace("-", MINUS)


def test_text(test: Sprt) -> str:
    """Return what a sequential test asks."""
    return (
        f"Is the lead {lead_text(test.h0, test.scale)} or less (H0), or"
        f" {lead_text(test.h1, test.scale)} or more (H1)? Chance of an error: alpha"
        f" {test.alpha:g}, beta {test.beta:g}"
    )
