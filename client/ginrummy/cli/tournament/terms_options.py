"""The options that say what is agreed for a tournament."""

import functools
from collections.abc import Callable
from typing import Any

import click

from ginrummy.cli.tournament.spans import read_clock, read_span
from ginrummy.cli.tournament.terms import BOARDS, FORMATS, TermsWanted
from ginrummy.rules.ruleset import PRESETS
from ginrummy.tournaments.tie_breaks import TIE_BREAKS

__all__ = ["terms_options"]


def terms_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a tournament's terms, as the argument `wanted`."""

    @functools.wraps(command)
    def gathered(**options: Any) -> None:  # noqa: ANN401 -- click's values
        fields = {each: options.pop(each) for each in TermsWanted.__struct_fields__}
        fields["changes"] = tuple(fields["changes"])
        command(wanted=TermsWanted(**fields), **options)

    for option in reversed(_DECLARED):
        gathered = option(gathered)
    return gathered


_DECLARED = (
    click.option("--name", metavar="NAME", help="What it is called."),
    click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        default="round-robin",
        show_default=True,
        metavar="FORMAT",
        help=f"Who meets whom: {', '.join(FORMATS)}.",
    ),
    click.option("--rounds", type=click.IntRange(1, 1000), metavar="N", help="Rounds of a swiss."),
    click.option(
        "--challengers",
        type=click.IntRange(1, 1000),
        metavar="N",
        help="How many of the first seeds challenge the rest of a gauntlet.",
    ),
    click.option(
        "--boards",
        type=click.IntRange(1),
        metavar="N",
        help=f"A pairing is N duplicate boards; {BOARDS} unless something is said.",
    ),
    click.option(
        "--hands", type=click.IntRange(1), metavar="N", help="A pairing is a match of N hands."
    ),
    click.option(
        "--target", type=click.IntRange(1), metavar="POINTS", help="A pairing is a match to this."
    ),
    click.option(
        "--elsewhere", is_flag=True, help="It is played away from the server: you enter results."
    ),
    click.option(
        "--preset",
        type=click.Choice(list(PRESETS)),
        default="standard",
        show_default=True,
        metavar="PRESET",
        help=f"The rules: {', '.join(PRESETS)}.",
    ),
    click.option(
        "--rule",
        "changes",
        multiple=True,
        metavar="FIELD=VALUE",
        help="A field of the rules that differs from the preset, as gin_bonus=20.",
    ),
    click.option(
        "--clock",
        callback=read_clock,
        metavar="CLOCK",
        help="5m for a match, 5m+10s with increment, /30s a decision, or both.",
    ),
    click.option(
        "--sprt",
        metavar="TEST",
        help="Stop as soon as two entrants are told apart, as elo0=0,elo1=20.",
    ),
    click.option(
        "--tie-breaks", metavar="A,B,...", help=f"In this order: {', '.join(TIE_BREAKS)}."
    ),
    click.option(
        "--tables", type=click.IntRange(0, 10_000), metavar="N", help="The most sittings at once."
    ),
    click.option(
        "--forfeit-points",
        type=click.IntRange(0, 1000),
        metavar="POINTS",
        help="What the opponent scores for a board's hand that is forfeited; 50 unless given.",
    ),
    click.option(
        "--reconnect",
        callback=read_span,
        metavar="TIME",
        help="How long a lost program has to be back; 5s.",
    ),
    click.option(
        "--arrival",
        callback=read_span,
        metavar="TIME",
        help="How long one has to come to a table; 60s.",
    ),
    click.option(
        "--round-time",
        callback=read_span,
        metavar="TIME",
        help="A round's time; then it counts as it stands.",
    ),
    click.option("--check-in", is_flag=True, help="Only who has checked in takes part."),
    click.option(
        "--signing",
        type=click.Choice(["off", "optional", "required"]),
        default="off",
        show_default=True,
        metavar="POLICY",
        help="Whether entrants sign their moves: off, optional, required.",
    ),
)
