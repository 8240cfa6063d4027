"""Positions as JSON: a contract for programs."""

import json
from typing import Any

from support_golden import golden_log
from support_logs import Table

from ginrummy.replay.shape import write_position
from ginrummy.replay.stepping import Replay
from ginrummy.rules.events import Limits
from ginrummy.rules.view import Perspective

REPLAY = Replay(golden_log("clock"))


def shown(seq: int, perspective: Perspective, replay: Replay = REPLAY) -> Any:  # noqa: ANN401 -- JSON
    return json.loads(write_position(replay.at(seq), perspective))


def test_a_position_has_these_fields() -> None:
    found = shown(42, 0)
    assert list(found) == [
        *("match", "seq", "at", "by", "type", "data", "text", "seat", "view"),
    ]
    assert (found["seq"], found["type"], found["seat"]) == (42, "stock_drawn", 0)
    assert found["text"] == "Alice draws 4C"
    assert list(found["view"]) == [
        *(
            "stage",
            "practice",
            "players",
            "points",
            "hands_won",
            "clock",
            "deadline",
            "hand",
            "outcome",
        ),
    ]
    assert found["view"]["players"] == ["Alice", "Bob"]
    assert list(found["view"]["clock"]) == ["bank_ms", "since", "paused"]
    assert found["view"]["deadline"] > found["at"] == found["view"]["clock"]["since"]
    assert list(found["view"]["hand"]) == [
        *("number", "dealer", "upcard", "knock_limit", "gin_only", "phase", "to_move", "hands"),
        *("drawn", "taken", "pile", "stock", "discard_draws", "upcard_passed", "face_down"),
        *("knocked", "laid_off", "result", "legal"),
    ]
    assert found["view"]["hand"]["drawn"] == "4C"
    assert len(found["view"]["hand"]["hands"][0]["cards"]) == 11
    assert {"do": "discard", "card": "4C"} in found["view"]["hand"]["legal"]


def test_a_position_holds_what_its_viewer_may_know() -> None:
    assert shown(42, 1)["text"] == "Alice draws from the stock"
    assert shown(42, 1)["view"]["hand"]["drawn"] is None
    assert shown(42, 1)["view"]["hand"]["hands"][0]["hidden"] == 9
    assert shown(42, "public")["seat"] == "public"
    assert shown(42, "full")["seat"] == "all"
    assert shown(42, "full")["view"]["hand"]["drawn"] == "4C"


def test_every_position_can_be_written() -> None:
    moves = set()
    for name in ("oklahoma", "classic", "abandoned", "forfeited", "unrevealed"):
        replay = Replay(golden_log(name))
        for position in replay.between(1, replay.last):
            for perspective in (0, 1, "public", "full"):
                found = json.loads(write_position(position, perspective))
                hand = found["view"]["hand"]
                moves |= {move["do"] for move in (hand["legal"] if hand else [])}
    assert moves == {"pass", "take", "draw", "discard", "knock", "big_gin", "lay_off"}


def test_a_deadline_past_all_calendars_is_none() -> None:
    table = Table(3, limits=Limits(start_ms=2**53 - 1))
    assert shown(1, "full", Replay(table.log))["view"]["deadline"] is None
