"""The forms that a history's lines have, as patterns (docs/hand-history.md, *Grammar*).

A pattern's groups are named as the fields of the event that the line tells; what differs from that
is turned into fields by the reader.
"""

import re
from collections.abc import Mapping, Sequence

from ginrummy.replay.text.phrases import QUOTED, SAID_ALONE, stored_name

__all__ = ["CHANGE", "DETAIL", "DONE", "ENTRY", "LAID_OFF", "LAID_PART", "MATCH", "SAID", "SCORE"]

_INT = "-?[0-9]+"

MATCH = re.compile(rf"match ({QUOTED})")
"""The second line."""

ENTRY = re.compile(r" *(?P<seq>[1-9][0-9]*)  (?:(?P<at>[0-9][0-9T:.-]+Z)  )?(?P<said>\S.*)")
"""An event's own line."""

DETAIL = re.compile(r" +(?P<name>[a-z_]+) (?P<value>\S.*)")
"""A line below an event's own."""


def _compiled(patterns: Mapping[str, str]) -> Sequence[tuple[str, re.Pattern[str]]]:
    return tuple((name, re.compile(pattern)) for name, pattern in patterns.items())


SAID = _compiled(
    {
        "match_created": r"(?P<practice>practice )?match opened, form (?P<form>[0-9]+): "
        rf"(?P<name>{QUOTED})",
        "player_joined": rf"seat (?P<seat>[01]) taken, form (?P<form>[0-9]+): (?P<name>{QUOTED})",
        "match_ended": r"match ended, form (?P<form>[0-9]+): (?:no winner|(?P<winner>.+) wins)",
        "dispute_opened": rf"dispute (?P<dispute>{_INT}) opened, form (?P<form>[0-9]+):"
        r" (?P<player>.+), (?P<reason>[a-z_]+)",
        "dispute_ruled": rf"dispute (?P<dispute>{_INT}) ruled, form (?P<form>[0-9]+):"
        r" (?P<ruling>[a-z_]+)",
        "dispute_appealed": rf"dispute (?P<dispute>{_INT}) appealed, form (?P<form>[0-9]+):"
        r" (?P<player>.+)",
        "hand_replayed": rf"dispute (?P<dispute>{_INT}) replayed, form (?P<form>[0-9]+):"
        r" (?P<reason>[a-z_]+)",
        "result_adjusted": r"result adjusted, form (?P<form>[0-9]+):"
        r" (?:no winner|(?P<winner>.+) wins)",
        "record": r"record (?P<type>[a-z_]+) (?P<form>[0-9]+) (?P<data>\{.*\})",
        "hand_dealt": rf"hand (?P<hand>{_INT}): (?P<dealer>.+) deals, upcard (?P<upcard>\S+)",
        "hand_voided": rf"hand (?P<hand>{_INT}) void: (?P<reason>[a-z_]+)",
        "hand_scored": rf"hand (?P<hand>{_INT}): (?P<winner>.+) scores (?P<points>{_INT})"
        rf" by (?P<kind>[a-z_]+), (?P<difference>{_INT}) \+ (?P<bonus>{_INT})"
        rf"(?P<doubled>, doubled)?, deadwood (?P<deadwood>{_INT} and {_INT})",
    }
)
"""What an event's own line says, where it does not begin with a player; by the stored name."""

DONE = _compiled(
    {
        "discard_taken": r" takes (?P<card>\S+)",
        "stock_drawn": r" draws(?: (?P<shown>\S+))?",
        "discarded": r" discards (?P<card>\S+)",
        "forfeited": r" forfeits: (?P<reason>[a-z_]+)",
        "knocked": r" (?:(?P<gin>goes gin)|knocks with (?P<count>[0-9]+))"
        r"(?:, (?P<shown>\S+) face down)?(?:: (?P<laid>.+))?",
        "laid_off": r" (?:lays off (?P<layoffs>.+), )?shows (?P<count>[0-9]+)(?:: (?P<laid>.+))?",
        **{stored_name(event): f" {words}" for event, words in SAID_ALONE.items()},
    }
)
"""What it says after the player that it begins with; by the stored name. `shown` is the card that
follows from the deck."""

LAID_OFF = re.compile(rf"(?P<card>\S+) on meld (?P<meld>{_INT})")
"""One card laid off."""

LAID_PART = re.compile(r"\[(?P<meld>[^\[\]]*)\]|(?P<card>[^\[\] ]+)")
"""A meld, or a card that is in none."""

SCORE = re.compile(rf"({_INT}) and ({_INT})")
"""A number for each seat."""

CHANGE = re.compile(r"(?P<name>[a-z_]+) (?P<value>[a-z0-9\"]+)")
"""A field in which a ruleset differs from its preset."""
