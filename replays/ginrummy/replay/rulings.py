"""Disputes, rulings and what follows from them, in words."""

from collections.abc import Callable, Mapping
from textwrap import wrap
from typing import TypeAlias, assert_never

from ginrummy.replay.ink import clean
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeOpened,
    DisputeReason,
    DisputeRuled,
    HandReplayed,
)

__all__ = [
    "CLAIMS",
    "describe_dispute",
    "describe_points",
    "describe_ruling",
    "text_lines",
    "text_of",
]

Name: TypeAlias = Callable[[Seat], str]
"""Gives what the player at a seat is called."""

CLAIMS: Mapping[DisputeReason, str] = {
    "card_not_in_deck": "a card is not the deck's",
    "move_denied": "a recorded move was never made",
    "score_wrong": "a score is wrong",
    "clock_wrong": "the clock was wrong",
    "log_changed": "the record was changed afterwards",
    "cards_seen": "hidden cards were seen",
    "rule_broken": "a rule was broken",
    "collusion": "two have played into each other's hands",
    "conduct": "somebody behaved badly",
    "other": "something else",
}
"""What is claimed, by the reason's code."""


def describe_dispute(
    event: DisputeOpened | DisputeRuled | DisputeAppealed | HandReplayed, name: Name
) -> str:
    """Return what was recorded of a dispute, in one line; its text is not in it (`text_of`)."""
    match event:
        case DisputeOpened(seat=seat, hand=hand, event=about, reason=reason):
            what = "the match" if hand is None else f"hand {hand}"
            return f"{name(seat)} disputes {what} at event {about}: {CLAIMS[reason]}"
        case DisputeAppealed(seat=seat, dispute=number):
            return f"{name(seat)} appeals against the ruling on dispute {number}"
        case DisputeRuled():
            where = " on appeal" if event.instance == 2 else ""
            return f"dispute {event.dispute}{where}: {describe_ruling(event, name)} ({event.rule})"
        case HandReplayed(dispute=number, scored=scored):
            if scored is None:
                return f"dispute {number}: nobody has won the replay, and the hand stays void"
            won = name(scored.winner)
            return f"dispute {number}: {won} scores {scored.points} in the hand played again"
        case _:
            assert_never(event)


def describe_ruling(event: DisputeRuled, name: Name) -> str:
    """Return what a director has ruled, in a few words."""
    match event.ruling:
        case "dismiss":
            return "dismissed"
        case "uphold":
            return "upheld, without consequence"
        case "adjust":
            return f"upheld, {describe_points(event.points, name)}"
        case "void":
            return "upheld, the hand is void"
        case "replay":
            return "upheld, the hand is void and played again"
        case "forfeit":
            assert event.seat is not None
            return f"upheld, {name(event.seat)} loses the match"


def describe_points(points: BySeat[int], name: Name) -> str:
    """Return what a ruling adds to the seats' points, or takes from them."""
    seats: tuple[Seat, Seat] = (0, 1)
    return ", ".join(f"{points[seat]:+d} for {name(seat)}" for seat in seats if points[seat])


def text_of(event: object) -> str | None:
    """Return what somebody has written to an event; None where nobody has."""
    match event:
        case DisputeOpened(text=text) | DisputeAppealed(text=text) | DisputeRuled(why=text):
            return text
        case _:
            return None


def text_lines(event: object, columns: int) -> list[str]:
    """Return what somebody has written to an event as lines of so many columns, to stand under it.

    None at all where nobody has.
    """
    text = text_of(event)
    if text is None:
        return []
    quoted = f'"{clean(text)}"'
    return wrap(quoted, columns, initial_indent="          ", subsequent_indent="           ")
