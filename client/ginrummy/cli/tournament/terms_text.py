"""What was agreed for a tournament, in sentences."""

from ginrummy.api.tournament_terms_messages import sprt_text
from ginrummy.cli.tournament.spans import clock_text, span_text
from ginrummy.rules.ruleset import PRESETS, Ruleset
from ginrummy.tournaments.event import Boards, Elsewhere, TournamentTerms
from ginrummy.tournaments.event.terms import TournamentFormat
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss

__all__ = ["terms_text"]


def terms_text(terms: TournamentTerms) -> list[str]:
    """Return the terms, a sentence each."""
    said = [f"{_format(terms.format)}; {_play(terms)}.", f"Rules: {_rules(terms.rules)}."]
    if terms.clock is not None:
        said.append(f"Clock: {clock_text(terms.clock)}.")
    if terms.round_ms is not None:
        said.append(f"A round takes {span_text(terms.round_ms)} at the most.")
    said.append(f"Tie-breaks: {', '.join(terms.standings.tie_breaks).replace('_', ' ') or 'none'}.")
    if terms.signing != "off":
        said.append(_SIGNED[terms.signing])
    if terms.sprt is not None:
        said.append(f"Test: {sprt_text(terms.sprt)}.")
    said.append(
        f"{'Open to all' if terms.open_entry else 'The director enters everybody'}{_ready(terms)}."
    )
    if not isinstance(terms.play, Elsewhere):
        said.append(
            f"Called entrants have {span_text(terms.arrival_ms)} to come, and lost programs"
            f" {span_text(terms.reconnect_ms)} to be back; at most {terms.tables or 'all'} sittings"
            " at once."
        )
    return said


_SIGNED = {
    "optional": "Whoever has a key may sign their moves.",
    "required": "Everybody signs their moves.",
}


def _ready(terms: TournamentTerms) -> str:
    return "; who has not checked in at the start is left out" if terms.check_in else ""


def _format(format_: TournamentFormat) -> str:
    match format_:
        case RoundRobin(double=double):
            return f"{_doubled(double)}round robin".capitalize()
        case Gauntlet(challengers=challengers, double=double):
            return f"{_doubled(double)}gauntlet of {challengers}".capitalize()
        case Swiss(rounds=rounds):
            return f"Swiss, {rounds} round{'s' if rounds != 1 else ''}"
        case Elimination(double=double):
            return f"{_doubled(double)}elimination".capitalize()
        case _:
            return "Paired by the director"


def _doubled(double: bool) -> str:  # noqa: FBT001 -- a word for it
    return "double " if double else ""


def _play(terms: TournamentTerms) -> str:
    if isinstance(terms.play, Boards):
        return f"{terms.play.boards} boards a pairing, {terms.play.forfeit_points} points a forfeit"
    if isinstance(terms.play, Elsewhere):
        return "played away from the server"
    hands = terms.rules.hands
    return f"a match of {hands} hands" if hands else f"a match to {terms.rules.target}"


def _rules(rules: Ruleset) -> str:
    """Return the preset that is nearest, and what differs from it."""
    differing = {
        name: [
            f"{field} {_word(getattr(rules, field))}"
            for field in Ruleset.__struct_fields__
            if field not in ("hands", "target") and getattr(rules, field) != getattr(preset, field)
        ]
        for name, preset in PRESETS.items()
    }
    name = min(differing, key=lambda each: len(differing[each]))
    return ", ".join([name, *differing[name]])


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
