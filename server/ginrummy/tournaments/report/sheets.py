"""A pairing's page: its boards with both halves, or the hands of its match."""

from collections.abc import Sequence

import msgspec

from ginrummy.rules.events import HandScored, HandVoided
from ginrummy.tournaments.entrants import Pairing
from ginrummy.tournaments.event.events import SittingEnded
from ginrummy.tournaments.event.schedule import Sitting, board_pairs
from ginrummy.tournaments.report.figures import against, sign_of, signed
from ginrummy.tournaments.report.logs import LogFile
from ginrummy.tournaments.report.matches import HandRecord, MatchRecord
from ginrummy.tournaments.report.naming import Names
from ginrummy.tournaments.report.words import SHORT_REASONS, VOIDS, hand_text
from ginrummy.tournaments.results import FORFEITS

__all__ = ["BoardRow", "HalfRow", "HandRow", "MatchSheet", "Played", "board_rows", "match_sheets"]


class Played(msgspec.Struct, frozen=True):
    """A sitting with the log of its match, where one was opened."""

    ended: SittingEnded
    log: LogFile | None
    match: MatchRecord | None


class HalfRow(msgspec.Struct, frozen=True):
    """One of a board's two hands."""

    dealer: str
    """Empty where none was dealt."""
    how: str
    first: int
    second: int
    log: LogFile | None


class BoardRow(msgspec.Struct, frozen=True):
    """A board with the halves that are over."""

    number: int
    halves: tuple[HalfRow, ...]
    sum: str
    """The pair's score from the first one's side; empty while it does not count."""
    sign: str
    running: str
    """The sum of the pairs so far; empty likewise."""


class HandRow(msgspec.Struct, frozen=True):
    """One hand of an ordinary match."""

    number: int
    dealer: str
    how: str
    first: str
    """What the one named first scored; empty for nothing."""
    second: str
    running: str


class MatchSheet(msgspec.Struct, frozen=True):
    """An ordinary match, hand by hand."""

    hands: tuple[HandRow, ...]
    end: str
    """How it ended, in a sentence."""
    totals: str
    """The final account with game and boxes; empty where it is that of the hands."""
    log: LogFile | None


def _by_seat(pairing: Pairing, ended: SittingEnded, names: Names) -> tuple[str, str]:
    first, second = Sitting(pairing, ended.board, ended.half).seats
    return names[first], names[second]


# --- boards -------------------------------------------------------------------------------------


def board_rows(pairing: Pairing, played: Sequence[Played], names: Names) -> tuple[BoardRow, ...]:
    """Return the boards of a pairing in their order."""
    pairs = board_pairs(each.ended for each in played)
    rows, total = [], 0
    boards: dict[int, list[Played]] = {}
    for each in sorted(played, key=lambda each: (each.ended.board, each.ended.half)):
        boards.setdefault(each.ended.board, []).append(each)
    for number, halves in boards.items():
        pair = pairs.get(number)
        score = 0 if pair is None else pair.points
        total += score
        rows.append(
            BoardRow(
                number=number,
                halves=tuple(_half(pairing, each, names) for each in halves),
                sum="" if pair is None else signed(score, 0),
                sign="" if pair is None else sign_of(score, 0),
                running="" if pair is None else signed(total, 0),
            )
        )
    return tuple(rows)


def _half(pairing: Pairing, played: Played, names: Names) -> HalfRow:
    ended = played.ended
    dealer = {"first": pairing.first, "second": pairing.second}.get(ended.dealer or "")
    return HalfRow(
        dealer=names[dealer] if dealer else "",
        how=_how(pairing, played, names),
        first=ended.points[0],
        second=ended.points[1],
        log=played.log,
    )


def _how(pairing: Pairing, played: Played, names: Names) -> str:
    ended = played.ended
    if ended.reason != "played":
        return _fault(pairing, ended, names)
    hands = played.match.hands if played.match else ()
    if not hands or hands[-1].result is None:
        return SHORT_REASONS[ended.reason]
    return _hand_text(hands[-1].result, _by_seat(pairing, ended, names))


def _hand_text(result: HandScored | HandVoided, seats: tuple[str, str]) -> str:
    if isinstance(result, HandVoided):
        return VOIDS[result.reason]
    return f"{seats[result.winner]}: {hand_text(result.kind)}"


def _fault(pairing: Pairing, ended: SittingEnded, names: Names) -> str:
    """Return how a sitting that was not played to its end ended, and through whom."""
    reason = SHORT_REASONS[ended.reason]
    loser = {"first": pairing.second, "second": pairing.first}.get(ended.outcome)
    if ended.reason in FORFEITS:
        whose = f" by {names[loser]}" if loser else " by both" if ended.outcome == "neither" else ""
        return f"forfeit{whose}: {reason}"
    return f"{names[loser]} {reason}" if loser and ended.reason == "resigned" else reason


# --- ordinary matches ---------------------------------------------------------------------------


def match_sheets(
    pairing: Pairing, played: Sequence[Played], names: Names
) -> tuple[MatchSheet, ...]:
    """Return the matches of a pairing; there is one, unless none was ever opened."""
    return tuple(_match_sheet(pairing, each, names) for each in played)


def _match_sheet(pairing: Pairing, played: Played, names: Names) -> MatchSheet:
    seats = _by_seat(pairing, played.ended, names)
    hands = played.match.hands if played.match else ()
    end = played.match.end if played.match else None
    totals = ""
    if end is not None and end.totals != end.points:
        totals = against(*end.totals)
    return MatchSheet(
        hands=tuple(_hand_row(each, seats) for each in hands),
        end=_end_text(pairing, played.ended, names),
        totals=totals,
        log=played.log,
    )


def _hand_row(hand: HandRecord, seats: tuple[str, str]) -> HandRow:
    result = hand.result
    scored = ["", ""]
    if isinstance(result, HandScored):
        scored[result.winner] = f"{result.points:,}"
    return HandRow(
        number=hand.number,
        dealer=seats[hand.dealer],
        how="not finished" if result is None else _hand_text(result, seats),
        first=scored[0],
        second=scored[1],
        running=against(*hand.points),
    )


def _end_text(pairing: Pairing, ended: SittingEnded, names: Names) -> str:
    winner = {"first": pairing.first, "second": pairing.second}.get(ended.outcome)
    if ended.reason == "played":
        return f"{names[winner]} wins" if winner else "A draw"
    said = _fault(pairing, ended, names)
    return f"{names[winner]} wins: {said}" if winner else said[:1].upper() + said[1:]
