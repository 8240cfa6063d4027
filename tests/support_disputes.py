"""Matches that have ended, and disputes over them."""

from typing import Any

from msgspec.structs import replace
from support_knocks import FOR_24, TO_THE_DRAW, dealer_wins, dealt_from, moved
from support_rules import PLAYERS, START, begun, carried_out, opened

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import Command, Play, Resign
from ginrummy.rules.disputes.commands import Appeal, Disputed, OpenDispute, RuleOnDispute
from ginrummy.rules.disputes.events import HandPoints, Ruling
from ginrummy.rules.disputes.states import Dispute
from ginrummy.rules.events import MatchCreated
from ginrummy.rules.match import Ended, Instant, Match

DAY = 86_400_000
"""Milliseconds."""
JUDGE = "p_0dq8m2k6y4sv1xj7ch9rn3wt5e"
SECOND_JUDGE = "p_1xr6t0e8w4kqz9vm2c7jd5hny3"

WHOLE = Disputed(None, 1, 60, None)
"""The match as a whole, as its log may have it."""
HANDS = {
    1: Disputed(1, 6, 20, HandPoints(0, 24)),
    2: Disputed(2, 21, 40, HandPoints(1, 24)),
    3: Disputed(3, 41, 60, HandPoints(0, 24)),
}
"""The hands of `to_40`."""


def disputable(**changes: Any) -> MatchCreated:  # noqa: ANN401 -- handed on
    """Return the terms of a match that may be disputed for a day."""
    return replace(opened(**changes), dispute_ms=DAY)


def to_40(terms: MatchCreated | None = None) -> Ended:
    """Return a match to 40 points that seat 0 has won 48 to 24: the dealer has won each hand."""
    match = begun(terms or disputable(target=40))
    for _ in range(3):
        match = dealer_wins(match)
    assert isinstance(match, Ended)
    return match


def broken_off(seat: Seat = 1) -> Ended:
    """Return a match to 100 that a seat has resigned in its second hand; seat 0 won the first."""
    match: Match = dealer_wins(begun(disputable()))
    match = moved(dealt_from(match, FOR_24), *TO_THE_DRAW)
    match = carried_out(match, Play(seat, Resign()))[1]
    assert isinstance(match, Ended)
    return match


def opening(seat: Seat = 1, hand: int | None = 3, **fields: Any) -> OpenDispute:  # noqa: ANN401
    """Return a seat's wish to dispute a hand of `to_40`, or the match as a whole."""
    about = WHOLE if hand is None else HANDS[hand]
    given: dict[str, Any] = {
        "event": about.last,
        "reason": "score_wrong",
        "text": "It was 14, not 24.",
    }
    return OpenDispute(by=PLAYERS[seat], about=about, **(given | fields))


def ruling(what: Ruling, *, dispute: int = 1, by: str = JUDGE, **fields: Any) -> RuleOnDispute:  # noqa: ANN401
    """Return a director's wish to rule on a dispute."""
    given = {"rule": "S1", "why": "The log says so."} | fields
    return RuleOnDispute(by=by, dispute=dispute, ruling=what, **given)


def appealing(seat: Seat = 0, dispute: int = 1) -> Appeal:
    """Return a seat's wish to appeal."""
    return Appeal(PLAYERS[seat], dispute, "I do not agree.")


def after(match: Match, *commands: Command, at: Instant = START) -> Ended:
    """Return an ended match after what was asked for in disputes."""
    for command in commands:
        match = carried_out(match, command, at)[1]
    assert isinstance(match, Ended)
    return match


def disputed(*commands: Command, seat: Seat = 1, hand: int | None = 3) -> Ended:
    """Return `to_40` after a dispute of it, and what came of that."""
    return after(to_40(), opening(seat, hand), *commands)


def standing(match: Ended) -> tuple[str, int | None, BySeat[int]]:
    """Return why and by whom a match is won as it stands, and its points."""
    return match.outcome.reason, match.outcome.winner, match.outcome.points


def first_dispute(match: Ended) -> Dispute:
    """Return a match's first dispute."""
    return match.disputes[0]
