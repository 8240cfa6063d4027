"""`gin analyse`: what each decision of a hand was worth, by what the seat could know."""

import os
import sys
from collections.abc import Iterator

import click
import msgspec

from ginrummy.analysis.deciding import DecidedHand, decided_hand
from ginrummy.analysis.errors import AnalysisError, NoSuchHandError
from ginrummy.analysis.judging import DEFAULT_WORLDS
from ginrummy.analysis.recording import LoggedHand, LoggedMatch, read_match
from ginrummy.analysis.sight import HandLuck, luck_of
from ginrummy.analysis.verdict import sight_of
from ginrummy.cli.analysed import hand_page, sight_lines
from ginrummy.cli.judging import judge_hands
from ginrummy.cli.lazy import examples
from ginrummy.cli.source import Log, UnusableSourceError, all_logs, open_log, source_options
from ginrummy.replay.ink import Ink
from ginrummy.rules.cards import Seat

__all__ = ["analyse"]

_SEATS: dict[str | None, tuple[Seat, ...]] = {None: (0, 1), "0": (0,), "1": (1,)}


@click.command(
    epilog=examples(
        "gin analyse m_7vk2c8w0r6ht9zq3nx5b7jd1ge --hand 3",
        "gin analyse final.log --hand 1 --seat 0 --worlds 1000",
        "gin analyse --player p_4w8zq1h5n9x7kc3vr2tm6yj0gb --db league.db",
        "gin analyse final.log --json | jq '.decisions[] | select(.gave_away.mean > 5)'",
    )
)
@click.argument("match", metavar="MATCH|FILE|-", required=False)
@click.option("--hand", type=click.IntRange(min=1), metavar="N", help="Only this hand.")
@click.option("--seat", type=click.Choice(["0", "1"]), help="Only this seat's decisions.")
@click.option(
    "--player",
    metavar="ID",
    help="Say whether this player plays as if they saw hidden cards: in all matches, or the one.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a hand and line.")
@click.option(
    "--worlds",
    type=click.IntRange(min=4, max=100_000),
    default=DEFAULT_WORLDS,
    show_default=True,
    metavar="N",
    help="How many ways the hidden cards may lie each decision is judged in.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="What the worlds are drawn from; the same gives the same figures.",
)
@click.option("--letters", is_flag=True, help="Suits as the letters S H D C.")
@source_options
@click.pass_context
def analyse(  # noqa: PLR0913 -- one for each option
    ctx: click.Context,
    *,
    match: str | None,
    hand: int | None,
    seat: str | None,
    player: str | None,
    as_json: bool,
    worlds: int,
    seed: int,
    letters: bool,
    db: str,
    server: str | None,
    token: str,
) -> None:
    """Say what the decisions of a match were worth.

    Each decision is judged by what its seat could know: the cards that it did not see are laid
    out in many ways that fit, and each choice is played on in all of them by a fixed policy. The
    figures are points of the hand; docs/analysis.md says what they mean, and what they do not.

    Only hands whose secrets are out can be analysed, or those of your own server's database.
    """
    worlds += worlds % 2
    if player is not None:
        if hand is not None or seat is not None:
            raise click.UsageError(
                "--player is for all hands and goes by the id, not by a seat", ctx
            )
        _say_sight(player, match, worlds, seed, (db, server, token), as_json=as_json)
        return
    if match is None:
        raise click.UsageError("name a match or a file, or ask for a --player", ctx)
    with open_log(match, db, server, token) as log:
        recorded = _read(log)
        decided = _decided(log.name, recorded, hand)
        hands = judge_hands(decided, seats=_SEATS[seat], worlds=worlds, seed=seed)
        for number, judged in enumerate(hands):
            if as_json:
                click.echo(msgspec.json.encode(judged))
                continue
            if number:
                click.echo()
            for line in hand_page(judged, recorded.seats, _ink(letters=letters)):
                click.echo(line)


def _decided(name: str, recorded: LoggedMatch, hand: int | None) -> Iterator[DecidedHand]:
    """Yield the hand that is asked for, or all that can be judged; of the others it is said why.

    Raises UnusableSourceError where there is none.
    """
    nothing = "no hand was dealt"
    found = False
    try:
        wanted = recorded.hands if hand is None else (_hand(recorded, hand),)
    except NoSuchHandError as error:
        raise UnusableSourceError(f"{name}: {error}") from error
    for logged in wanted:
        try:
            decided = decided_hand(logged)
        except AnalysisError as error:
            nothing = str(error)
            if hand is None:
                click.echo(f"{name}: {error}", err=True)
            continue
        found = True
        yield decided
    if not found:
        raise UnusableSourceError(f"{name}: there is nothing to analyse: {nothing}")


def _say_sight(
    player: str,
    match: str | None,
    worlds: int,
    seed: int,
    where: tuple[str, str | None, str],
    *,
    as_json: bool,
) -> None:
    """Print what a player's draws and discards say, in one match or in all of a database."""
    db, server, token = where
    found: list[HandLuck] = []
    matches = skipped = 0
    if match is None and server is not None:
        raise click.UsageError("all matches of a player are read from a database, not a server")
    with open_log(match, db, server, token) if match is not None else all_logs(db) as source:
        for log in (source,) if isinstance(source, Log) else source:
            recorded = _read(log)
            for seat in (seat for seat in _SEATS[None] if _sits(recorded, seat, player)):
                matches += 1
                for logged in recorded.hands:
                    try:
                        found.append(luck_of(decided_hand(logged), seat, worlds, seed))
                    except AnalysisError:
                        skipped += 1
    if not matches:
        raise UnusableSourceError(f"{player} sits in no match of {match or db}")
    sight = sight_of(found)
    if as_json:
        said = {"player": player, "matches": matches, "not_open": skipped}
        click.echo(msgspec.json.encode(said | {"sight": sight}))
        return
    hidden = f", {skipped} more not over or not revealed" if skipped else ""
    click.echo(f"{player}: {sight.hands} hands of {matches} matches{hidden}")
    for line in sight_lines(sight):
        click.echo(line)


def _sits(recorded: LoggedMatch, seat: Seat, player: str) -> bool:
    seated = recorded.seats[seat]
    return seated is not None and seated.player == player


def _read(log: Log) -> LoggedMatch:
    try:
        return read_match(log.lines, log.secrets)
    except AnalysisError as error:
        raise UnusableSourceError(f"{log.name}: {error}; gin audit says more") from error


def _hand(recorded: LoggedMatch, number: int) -> LoggedHand:
    for logged in recorded.hands:
        if logged.number == number:
            return logged
    raise NoSuchHandError(number, recorded.hands[-1].number if recorded.hands else 0)


def _ink(*, letters: bool) -> Ink:
    """Return what standard output can be drawn with."""
    symbols = not letters and (sys.stdout.encoding or "").lower().startswith("utf")
    colour = (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    return Ink(symbols=symbols, colour=colour)
