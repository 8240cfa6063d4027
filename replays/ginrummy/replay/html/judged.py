"""What an analysis says of a match, for the page: to each perspective what it may know.

Whoever judges hands plain data over, in the form in which `gin analyse --json` writes a hand. What
a seat's decisions were worth by what it could know is for that seat's eyes, and for those that see
all. What a knock scores against the hand that really lay there, and whether a player plays as if
they saw hidden cards, follow from cards that the seat did not know: they are for the latter alone.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

__all__ = ["Analysis", "Data", "judged_model"]

Data: TypeAlias = Mapping[str, Any]
"""A value of the analysis as plain data."""


class Analysis(msgspec.Struct, frozen=True):
    """What is said of a match's decisions."""

    hands: Sequence[Data]
    """The hands judged, each as `gin analyse --json` writes it."""
    clear: Collection[int]
    """The events at which more was given away than the error explains."""
    tallies: tuple[Data, Data]
    """What each seat's decisions come to: `hands`, `choices`, `gave_away`, `clear`, `lay_offs`,
    `missed`."""
    sights: tuple[Data, Data]
    """Whether each player plays as if they saw hidden cards: `matches` and `hands` that this was
    looked for in, and what is `said`: of each kind of choice its name, figures and a verdict."""
    skipped: Sequence[str]
    """Why hands were not judged, a sentence each."""


def judged_model(analysis: Analysis, views: Collection[str]) -> dict[str, Any] | None:
    """Return what the page's script takes of an analysis; None where no perspective may know it."""
    is_full = "full" in views
    seats = [seat for seat in (0, 1) if is_full or str(seat) in views]
    if not seats or not analysis.hands:
        return None
    decisions = [each for hand in analysis.hands for each in hand["decisions"]]
    model: dict[str, Any] = {
        "worlds": sorted({hand["worlds"] for hand in analysis.hands}),
        "scored": {hand["number"]: hand["scored"] for hand in analysis.hands},
        "decisions": {
            each["seq"]: _known(each) | {"clear": each["seq"] in analysis.clear}
            for each in decisions
            if each["seat"] in seats
        },
        "tallies": {seat: _tally(analysis.tallies[seat]) for seat in seats},
        "skipped": list(analysis.skipped),
    }
    if is_full:
        model["real"] = {
            each["seq"]: each["knock"]["real"] for each in decisions if each["knock"] is not None
        }
        model["sights"] = analysis.sights
    return model


def _known(judged: Data) -> dict[str, Any]:
    """Return what is said of a decision by what its seat could know."""
    outs = judged["outs"]
    return {
        "seat": judged["seat"],
        "did": judged["move"],
        "before": judged["before"],
        "after": judged["after"],
        "outs": outs and [_text(outs[kind]) for kind in ("melding", "lowering", "dead")],
        "choices": judged["choices"],
        "expects": _figure(judged["expected"]),
        "best": judged["best"],
        "gave": _figure(judged["gave_away"]),
        "knock": judged["knock"] and _knock(judged["knock"]),
        "laid": judged["lay_off"] and _lay_off(judged["lay_off"]),
    }


def _knock(knock: Data) -> dict[str, Any]:
    return {
        "card": knock["card"],
        "deadwood": knock["deadwood"],
        "made": knock["made"],
        "likely": _figure(knock["likely"]),
        "undercut": round(knock["undercut"], 3),
        "spread": [_text(meld) for meld in knock["best"]["melds"]],
        "better": _figure(knock["spread_gave_away"]),
    }


def _lay_off(laid: Data) -> dict[str, Any]:
    return {
        "left": laid["left"],
        "least": laid["least"],
        "melds": [_text(meld) for meld in laid["melds"]],
        "layoffs": [[each["card"], each["meld"]] for each in laid["layoffs"]],
        "missed": [[each["card"], each["meld"]] for each in laid["missed"]],
    }


def _tally(tally: Data) -> dict[str, Any]:
    return {**tally, "gave_away": _figure(tally["gave_away"])}


def _figure(estimate: Data | None) -> list[Any] | None:
    """Return a mean and its error; hundredths of a point say more than enough."""
    if estimate is None:
        return None
    mean, error = estimate["mean"], estimate["error"]
    return [round(mean, 2), None if error is None else round(error, 2)]


def _text(cards: Sequence[str]) -> str:
    return "".join(cards)
