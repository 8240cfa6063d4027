"""A match's analysis as its page takes it: made now, or read from what `gin analyse` has written.

Either way the hands judged are held against the log, and handed over as plain data: the page knows
nothing of how they were judged.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from ginrummy.analysis.deciding import DecidedHand, decided_hand
from ginrummy.analysis.errors import AnalysisError
from ginrummy.analysis.judging import DEFAULT_WORLDS, HandJudged, move_name
from ginrummy.analysis.recording import LoggedMatch, read_match
from ginrummy.analysis.sight import luck_of
from ginrummy.analysis.summing import tally_of
from ginrummy.analysis.verdict import LEAST_HANDS, Sight, sight_of
from ginrummy.cli.analysed import said_of
from ginrummy.cli.judging import judge_hands
from ginrummy.cli.source import UnusableSourceError
from ginrummy.log.fold import Secrets
from ginrummy.replay.html import Analysis, Data
from ginrummy.rules.cards import BySeat, Seat

__all__ = ["PlayerSight", "analysis_of", "read_analysis"]

_SEATS: tuple[Seat, Seat] = (0, 1)
_SEED = 1


class PlayerSight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `gin analyse --player --json` says of a player."""

    player: str
    matches: int
    not_open: int
    """Hands that could not be looked at."""
    sight: Sight


def analysis_of(
    name: str, lines: Sequence[bytes], secrets: Secrets | None, seats: Sequence[Seat], worlds: int
) -> Analysis:
    """Judge the hands of a match that are open and over; how far it is, is said on standard error.

    `seats` are those whose decisions are wanted, and `worlds` is an even number of at least four.
    Raises UnusableSourceError where there is no such hand, or the log cannot be followed.
    """
    recorded = _recorded(name, lines, secrets)
    decided, skipped = _decided(recorded)
    if not decided:
        why = skipped[0] if skipped else "no hand was dealt"
        raise UnusableSourceError(f"{name}: there is nothing to analyse: {why}")
    judging = judge_hands(decided, seats=seats, worlds=worlds, seed=_SEED)
    with _progress(judging, len(decided), worlds) as going:
        hands = list(going)
    # What is said of a player's eyes follows from the cards that really lay there.
    looked_at = decided if len(seats) == 2 else ()
    return _handed_over(hands, _own_sights(looked_at, worlds), skipped)


def read_analysis(
    file: Path, name: str, lines: Sequence[bytes], secrets: Secrets | None
) -> Analysis:
    """Read what `gin analyse --json` has written of a match, and of its players.

    Every decision in it is held against the log. Raises UnusableSourceError where the file cannot
    be read, or says something of another match.
    """
    recorded = _recorded(name, lines, secrets)
    decided, skipped = _decided(recorded)
    reader = _Reader(recorded, {hand.dealt.number: hand for hand in decided})
    try:
        for number, line in enumerate(file.read_bytes().splitlines(), start=1):
            try:
                reader.add(line)
            except (msgspec.DecodeError, ValueError) as error:
                raise UnusableSourceError(f"{file}, line {number}: {error}") from error
    except OSError as error:
        raise UnusableSourceError(f"{file}: {error.strerror}") from error
    if not reader.hands:
        raise UnusableSourceError(f"{file}: there is no hand in it; gin analyse --json writes them")
    missing = [hand.dealt.number for hand in decided if hand.dealt.number not in reader.hands]
    skipped += [f"hand {number} is not in the analysis" for number in missing]
    sights = reader.sights(_own_sights(decided, DEFAULT_WORLDS))
    return _handed_over(list(reader.hands.values()), sights, skipped)


def _recorded(name: str, lines: Sequence[bytes], secrets: Secrets | None) -> LoggedMatch:
    try:
        return read_match(lines, secrets)
    except AnalysisError as error:
        raise UnusableSourceError(f"{name}: {error}; gin audit says more") from error


def _decided(recorded: LoggedMatch) -> tuple[list[DecidedHand], list[str]]:
    """Return the hands that can be judged, and why the others cannot."""
    decided: list[DecidedHand] = []
    skipped: list[str] = []
    for logged in recorded.hands:
        try:
            decided.append(decided_hand(logged))
        except AnalysisError as error:
            skipped.append(str(error))
    return decided, skipped


@contextmanager
def _progress(
    judging: Iterable[HandJudged], number: int, worlds: int
) -> Iterator[Iterable[HandJudged]]:
    """Say what is to be done, and on a terminal how much of it is done."""
    hands = "1 hand" if number == 1 else f"{number} hands"
    label = f"Judging {hands} in {worlds} worlds"
    if not sys.stderr.isatty():
        click.echo(f"{label}; a hand takes some seconds", err=True)
        yield judging
        return
    with click.progressbar(
        judging, length=number, label=label, file=sys.stderr, show_pos=True
    ) as bar:
        yield bar


class _Reader:
    """What a file says, line by line."""

    def __init__(self, recorded: LoggedMatch, decided: Mapping[int, DecidedHand]) -> None:
        self._stream = recorded.stream
        self._players = [seated and seated.player for seated in recorded.seats]
        self._decided = decided
        self.hands: dict[int, HandJudged] = {}
        self._sights: dict[Seat, PlayerSight] = {}

    def add(self, line: bytes) -> None:
        """Take in a line. Raises DecodeError or ValueError where it cannot be of this match."""
        fields = msgspec.json.decode(line)
        if isinstance(fields, dict) and "player" in fields:
            self._add_sight(msgspec.convert(fields, PlayerSight))
        else:
            self._add_hand(msgspec.json.decode(line, type=HandJudged))

    def _add_sight(self, said: PlayerSight) -> None:
        if said.player not in self._players:
            raise ValueError(f"{said.player} sits at neither seat of this match")
        self._sights[0 if said.player == self._players[0] else 1] = said

    def _add_hand(self, hand: HandJudged) -> None:
        if hand.stream != self._stream:
            raise ValueError(f"it is of {hand.stream}, not of {self._stream}")
        if hand.number in self.hands:
            raise ValueError(f"hand {hand.number} is in it twice")
        if hand.number not in self._decided:
            raise ValueError(f"this log has no hand {hand.number} that is open and over")
        made = {
            each.seq: (each.seat, move_name(each.move))
            for each in self._decided[hand.number].decisions
        }
        for each in hand.decisions:
            if made.get(each.seq) != (each.seat, each.move):
                raise ValueError(f"event {each.seq} is not {each.move} by seat {each.seat} here")
        self.hands[hand.number] = hand

    def sights(self, own: BySeat[Data]) -> BySeat[Data]:
        """Return what is said of the players; `own` of one of whom the file says nothing."""
        return BySeat(self._sight(0, own), self._sight(1, own))

    def _sight(self, seat: Seat, own: BySeat[Data]) -> Data:
        said = self._sights.get(seat)
        return own[seat] if said is None else _sight_data(said.matches, said.sight)


# --- as plain data ------------------------------------------------------------------------------


def _own_sights(decided: Sequence[DecidedHand], worlds: int) -> BySeat[Data]:
    """Return whether the players of one match play as if they saw hidden cards."""
    if len(decided) < LEAST_HANDS:
        # Nothing is said of so few, so nothing is worked out.
        few = _sight_data(1, Sight(len(decided), None, None))
        return BySeat(few, few)
    return BySeat(
        *(
            _sight_data(1, sight_of(luck_of(hand, seat, worlds, _SEED) for hand in decided))
            for seat in _SEATS
        )
    )


def _sight_data(matches: int, sight: Sight) -> Data:
    return {"matches": matches, "hands": sight.hands, "said": said_of(sight)}


def _handed_over(
    hands: Sequence[HandJudged], sights: BySeat[Data], skipped: Sequence[str]
) -> Analysis:
    """Return an analysis as the page takes it, which knows nothing of how it was made."""
    return Analysis(
        hands=[msgspec.to_builtins(hand) for hand in hands],
        clear={
            each.seq
            for hand in hands
            for each in hand.decisions
            if each.gave_away is not None and each.gave_away.is_clear
        },
        tallies=tuple(msgspec.to_builtins(tally_of(hands, seat)) for seat in _SEATS),
        sights=sights,
        skipped=skipped,
    )
