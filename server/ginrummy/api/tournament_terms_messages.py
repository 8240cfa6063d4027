"""What was agreed for a tournament, to and from messages.

`*_message` writes what the tournament holds, `*_from` reads what a request asks for. What cannot
be raises InvalidFieldError or InvalidTermsError, either with the field's path.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from google.protobuf.message import Message

from ginrummy.api.errors import InvalidFieldError, within
from ginrummy.api.fields import tournament_name_from
from ginrummy.api.terms_messages import (
    SIGNING_POLICIES,
    clock_from,
    clock_message,
    limits_from,
    limits_message,
    ruleset_from,
    ruleset_message,
    signing_from,
)
from ginrummy.tournaments.errors import InvalidTermsError
from ginrummy.tournaments.event.schedule import chain_length
from ginrummy.tournaments.event.terms import (
    Boards,
    Elsewhere,
    Matches,
    Play,
    TournamentFormat,
    TournamentTerms,
)
from ginrummy.tournaments.pairing.elimination import Elimination
from ginrummy.tournaments.pairing.gauntlet import Gauntlet
from ginrummy.tournaments.pairing.manual import Manual
from ginrummy.tournaments.pairing.round_robin import RoundRobin
from ginrummy.tournaments.pairing.swiss import Swiss
from ginrummy.tournaments.scoring import Scoring
from ginrummy.tournaments.standings import Terms
from ginrummy.tournaments.statistics.sprt import Sprt, parse_sprt
from ginrummy.tournaments.tie_breaks import TIE_BREAKS, TieBreak
from ginrummy.v1 import tournament_pb2 as pb

__all__ = ["sprt_text", "tournament_terms_from", "tournament_terms_message"]

_TIE_BREAKS: Mapping[TieBreak, pb.TieBreak.ValueType] = {
    "head_to_head": pb.TIE_BREAK_HEAD_TO_HEAD,
    "buchholz": pb.TIE_BREAK_BUCHHOLZ,
    "sonneborn_berger": pb.TIE_BREAK_SONNEBORN_BERGER,
    "point_difference": pb.TIE_BREAK_POINT_DIFFERENCE,
    "lot": pb.TIE_BREAK_LOT,
}

_TIE_BREAK_OF = {value: tie_break for tie_break, value in _TIE_BREAKS.items()}

_MOST_ROUNDS = 1000
_MOST_CHALLENGERS = 1000
_MOST_PLAY_OFFS = 20
_MOST_CREDIT = 1000

_FIELDS = {"boards": "boards.boards", "forfeit_points": "boards.forfeit_points"}
"""What a request calls the terms' fields that it has in another place."""


# --- to messages --------------------------------------------------------------------------------


def tournament_terms_message(terms: TournamentTerms) -> pb.TournamentTerms:
    """Return what was agreed, with every field set."""
    scoring = terms.standings.scoring
    message = pb.TournamentTerms(
        name=terms.name,
        rules=ruleset_message(terms.rules),
        limits=limits_message(terms.limits),
        scoring=pb.Scoring(win=scoring.win, draw=scoring.draw, loss=scoring.loss, bye=scoring.bye),
        tie_breaks=[_TIE_BREAKS[each] for each in terms.standings.tie_breaks],
        sprt=sprt_text(terms.sprt) if terms.sprt is not None else "",
        closed_entry=not terms.open_entry,
        check_in=terms.check_in,
        tables=terms.tables,
        round_ms=terms.round_ms or 0,
        reconnect_ms=terms.reconnect_ms,
        arrival_ms=terms.arrival_ms,
        signing=SIGNING_POLICIES[terms.signing],
    )
    if terms.clock is not None:
        message.clock.CopyFrom(clock_message(terms.clock))
    _fill_format(message, terms.format)
    _fill_play(message, terms.play)
    return message


def _fill_format(message: pb.TournamentTerms, event: TournamentFormat) -> None:
    # A part without a field that differs from the default is set by being named.
    match event:
        case RoundRobin(double=double):
            message.round_robin.SetInParent()
            message.round_robin.double = double
        case Gauntlet(challengers=challengers, double=double):
            message.gauntlet.challengers = challengers
            message.gauntlet.double = double
        case Swiss(rounds=rounds):
            message.swiss.rounds = rounds
        case Elimination(double=double, play_offs=play_offs):
            message.elimination.double = double
            message.elimination.play_offs = play_offs
        case Manual():
            message.manual.SetInParent()


def _fill_play(message: pb.TournamentTerms, play: Play) -> None:
    match play:
        case Boards(boards=boards, forfeit_points=forfeit_points):
            message.boards.boards = boards
            message.boards.forfeit_points = forfeit_points
        case Matches():
            message.matches.SetInParent()
        case Elsewhere():
            message.elsewhere.SetInParent()


def sprt_text(test: Sprt) -> str:
    """Return a test as a director writes it, with every field that can be written so."""
    return (
        f"{test.scale}0={_number(test.h0)},{test.scale}1={_number(test.h1)},"
        f"alpha={_number(test.alpha)},beta={_number(test.beta)}"
    )


def _number(value: float) -> str:
    return str(value).removesuffix(".0")


# --- from messages ------------------------------------------------------------------------------


def tournament_terms_from(message: pb.TournamentTerms) -> TournamentTerms:
    """Return what a director asks for."""
    name = tournament_name_from("terms.name", message.name)
    with within("terms"):
        rules = ruleset_from(message.preset, message.rules)
        clock = clock_from(message.clock) if message.HasField("clock") else None
        limits = limits_from(message.limits)
        signing = signing_from(message.signing)
    standings = _standings_from(message)
    with _in_request():
        terms = TournamentTerms(
            name=name,
            format=_format_from(message, standings.scoring),
            play=_play_from(message),
            rules=rules,
            clock=clock,
            limits=limits,
            standings=standings,
            sprt=parse_sprt(message.sprt) if message.sprt else None,
            open_entry=not message.closed_entry,
            check_in=message.check_in,
            tables=message.tables,
            round_ms=message.round_ms or None,
            signing=signing,
            **_set(message, ("reconnect_ms", "arrival_ms")),
        )
        # A chain that would be too long is refused here, where its field has a name.
        chain_length(terms.format, terms.boards)
    return terms


@contextmanager
def _in_request() -> Iterator[None]:
    """Give a field of the terms the name that it has in a request."""
    try:
        yield
    except InvalidTermsError as error:
        raise InvalidTermsError(error.why, _FIELDS.get(error.field, error.field)) from error


def _format_from(message: pb.TournamentTerms, scoring: Scoring) -> TournamentFormat:
    match message.WhichOneof("format"):
        case "round_robin":
            return RoundRobin(double=message.round_robin.double)
        case "gauntlet":
            gauntlet = message.gauntlet
            challengers = gauntlet.challengers or 1
            _check("terms.gauntlet.challengers", challengers, 1, _MOST_CHALLENGERS)
            return Gauntlet(challengers, gauntlet.double)
        case "swiss":
            _check("terms.swiss.rounds", message.swiss.rounds, 1, _MOST_ROUNDS)
            return Swiss(message.swiss.rounds, scoring)
        case "elimination":
            bracket = message.elimination
            play_offs = _set(bracket, ("play_offs",))
            for value in play_offs.values():
                _check("terms.elimination.play_offs", value, 0, _MOST_PLAY_OFFS)
            return Elimination(double=bracket.double, **play_offs)
        case "manual":
            return Manual()
        case _:
            raise InvalidFieldError(
                "terms.format",
                "say who meets whom: round_robin, gauntlet, swiss, elimination, manual",
            )


def _play_from(message: pb.TournamentTerms) -> Play:
    match message.WhichOneof("play"):
        case "boards":
            return Boards(message.boards.boards, **_set(message.boards, ("forfeit_points",)))
        case "matches":
            return Matches()
        case "elsewhere":
            return Elsewhere()
        case _:
            raise InvalidFieldError(
                "terms.play", "say how a pairing is played: boards, matches, elsewhere"
            )


def _standings_from(message: pb.TournamentTerms) -> Terms:
    scoring = Scoring()
    if message.HasField("scoring"):
        asked = message.scoring
        _check("terms.scoring.win", asked.win, 1, _MOST_CREDIT)
        with _named("scoring"):
            scoring = Scoring(asked.win, asked.draw, asked.loss, asked.bye)
    with _named("tie_breaks"):
        return Terms(scoring, tuple(_tie_breaks_from(message.tie_breaks)) or TIE_BREAKS)


def _tie_breaks_from(values: Iterable[pb.TieBreak.ValueType]) -> Iterator[TieBreak]:
    for index, value in enumerate(values):
        tie_break = _TIE_BREAK_OF.get(value)
        if tie_break is None:
            raise InvalidFieldError(f"terms.tie_breaks[{index}]", f"{value} is no tie-break")
        yield tie_break


@contextmanager
def _named(field: str) -> Iterator[None]:
    """Name the field of the terms that is refused inside."""
    try:
        yield
    except InvalidTermsError as error:
        raise InvalidTermsError(error.why, field) from error


def _set(message: Message, fields: Iterable[str]) -> dict[str, int]:
    """Return those of the fields that are set."""
    return {each: getattr(message, each) for each in fields if message.HasField(each)}


def _check(field: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise InvalidFieldError(field, f"{value} is not from {lowest} to {highest}")
