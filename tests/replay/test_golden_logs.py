"""Logs that were written once and have to replay and audit for ever, to the same end (D5).

A line of `golden/*.log` is never changed, and neither is what is pinned of it here. When a new
form of an event is shipped, a new log with it is added.
"""

import hashlib
from typing import NamedTuple

import pytest
from support_golden import GOLDEN, golden_log

from ginrummy.audit.audit import audit
from ginrummy.audit.beginning import OriginLog
from ginrummy.log.lines import read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.stepping import Position, positions
from ginrummy.rules.cards import write_cards
from ginrummy.rules.events import HandScored, HandVoided
from ginrummy.rules.view import MatchView, view


class Pin(NamedTuple):
    """What a log has always said."""

    lines: int
    head: str
    """The last line's hash: its beginning."""
    hands: tuple[str, ...]
    """How each hand ended: its kind, winner and points."""
    end: str
    """Why the match ended, its winner, and the totals."""
    course: str
    """A digest of every card's place, the score and the clocks after every event."""
    waiting: tuple[str, ...] = ()
    """The checks that wait for a secret."""


PINS: dict[str, Pin] = {
    "abandoned": Pin(
        lines=2,
        head="785cefe2e34f0e36",
        hands=(),
        end="abandoned None [0, 0]",
        course="3688954afbd9d404",
    ),
    "aborted": Pin(
        lines=35,
        head="3a5d483ec6db805e",
        hands=("knock 0 6",),
        end="aborted None [6, 0]",
        course="1b0a9e86f76d0ec5",
    ),
    "appealed": Pin(
        lines=49,
        head="06aead59cb06f4a1",
        hands=("knock 0 35", "knock 1 43"),
        end="hands 1 [0, 63]",
        course="815d40c435af10cd",
    ),
    "appealed_hand": Pin(
        lines=9,
        head="ccceb905fd10a67b",
        hands=(),
        end="resigned 1 [0, 0]",
        course="b3b3d54fd02831a1",
    ),
    "board": Pin(
        lines=46,
        head="5189aa3afeaa12bf",
        hands=("gin 0 45",),
        end="hands 0 [45, 0]",
        course="6e401a2f090100dc",
    ),
    "board_unrevealed": Pin(
        lines=55,
        head="24cb6d0c4cbf93b8",
        hands=("knock 0 9",),
        end="hands 0 [9, 0]",
        course="665e01ee375b2eae",
        waiting=("reveal", "dealing", "deck"),
    ),
    "board_void": Pin(
        lines=77,
        head="0f8854b8a66dbf4d",
        hands=("void stock",),
        end="hands None [0, 0]",
        course="2c1365c0e63fd0cf",
    ),
    "board_withdrawn": Pin(
        lines=15,
        head="743de4fce5679541",
        hands=(),
        end="withdrawn 1 [0, 0]",
        course="565f31ef88224a5d",
    ),
    "classic": Pin(
        lines=84,
        head="59e7102dbf0bd47c",
        hands=("undercut 0 12", "knock 0 50", "knock 0 49"),
        end="target 0 [482, 0]",
        course="8f9cdb53155028b4",
    ),
    "clock": Pin(
        lines=64,
        head="56d97176c2939419",
        hands=("knock 1 11",),
        end="clock 1 [0, 11]",
        course="4b38fe2280820ad9",
    ),
    "disputed": Pin(
        lines=48,
        head="8652f790df1d1ab6",
        hands=("knock 0 62", "knock 1 3"),
        end="ruling 0 [59, 7]",
        course="4a5817a92cdf786a",
    ),
    "eaai": Pin(
        lines=65,
        head="62b92686c2e97048",
        hands=("knock 1 45", "knock 1 31", "undercut 1 28"),
        end="target 1 [0, 104]",
        course="7523dcaf26b93ba4",
    ),
    "forfeited": Pin(
        lines=14,
        head="ee41b7ff2e685a6a",
        hands=(),
        end="illegal_moves 1 [0, 0]",
        course="2c082f8d83d0d5f6",
    ),
    "fork_fresh": Pin(
        lines=236,
        head="fcb11bfdfe70ac28",
        hands=(
            "knock 0 20",
            "knock 1 7",
            "knock 0 23",
            "knock 0 27",
            "undercut 0 26",
            "knock 1 21",
            "knock 0 50",
        ),
        end="target 0 [146, 73]",
        course="2d191ece7c9022ed",
    ),
    "fork_reshuffled": Pin(
        lines=71,
        head="9ae99d4645f6bc75",
        hands=("knock 0 26",),
        end="target 0 [524, 0]",
        course="f5d59b8a5a8d4284",
    ),
    "fork_same": Pin(
        lines=107,
        head="ccc31d6cb71fee14",
        hands=("knock 0 65", "knock 0 18", "knock 0 16"),
        end="target 0 [502, 0]",
        course="0f60d48b2bf22b58",
    ),
    "nonces_v2": Pin(
        lines=71,
        head="7ada8d9ae33cd437",
        hands=("knock 1 8", "knock 0 36"),
        end="hands 0 [36, 8]",
        course="0828bedd598f65da",
    ),
    "oklahoma": Pin(
        lines=177,
        head="88c18fe497cd836c",
        hands=("knock 0 41", "knock 1 59", "knock 1 27", "big_gin 1 47", "gin 1 45"),
        end="target 1 [66, 378]",
        course="6d017281a6f6dd3f",
    ),
    "replayed": Pin(
        lines=50,
        head="d0534d2acdaf8ee1",
        hands=("knock 1 29", "knock 1 1"),
        end="hands 1 [0, 73]",
        course="79a640d9bc6542df",
    ),
    "replayed_hand": Pin(
        lines=14,
        head="a8b1de4e26422837",
        hands=("knock 1 44",),
        end="hands 1 [0, 44]",
        course="bc84abaeea910989",
    ),
    "resigned": Pin(
        lines=97,
        head="bbffb362c77731bd",
        hands=("gin 0 36", "knock 0 68", "knock 0 48"),
        end="resigned 0 [152, 0]",
        course="0775e0d5fa57594d",
    ),
    "reveal_director": Pin(
        lines=79,
        head="f352eea8e7e452bf",
        hands=("knock 0 14", "knock 1 9"),
        end="hands 0 [14, 9]",
        course="da401b79a9cb8b1f",
    ),
    "reveal_hand": Pin(
        lines=98,
        head="34fafdbeccbaf0f5",
        hands=("knock 0 17", "knock 0 46", "knock 1 6"),
        end="hands 0 [63, 6]",
        course="1190016eb8e3afce",
    ),
    "round_clock": Pin(
        lines=73,
        head="a149234ead164bb6",
        hands=("knock 0 17",),
        end="round_clock 0 [17, 0]",
        course="de39533d422b9a4f",
    ),
    "signed": Pin(
        lines=73,
        head="86ac0cb2b31f01b8",
        hands=(
            "knock 0 46",
            "big_gin 1 54",
            "gin 1 69",
        ),
        end="target 1 [71, 273]",
        course="7063ff2e21fa0a58",
    ),
    "signed_optional": Pin(
        lines=57,
        head="9ff5c5ad19d92311",
        hands=("knock 1 9",),
        end="resigned 1 [0, 9]",
        course="fd33f360348e31eb",
    ),
    "standard": Pin(
        lines=274,
        head="f17f009d659fd385",
        hands=("void stock", "undercut 0 25", "gin 0 38", "knock 0 23", "knock 0 10", "knock 0 18"),
        end="target 0 [553, 0]",
        course="b8b2cf48857c7843",
    ),
    "straight": Pin(
        lines=135,
        head="e4bcf181d1e13424",
        hands=("void stock", "gin 1 93", "gin 1 34"),
        end="target 1 [0, 504]",
        course="b8a96ebbd6c43f78",
    ),
    "unrevealed": Pin(
        lines=78,
        head="cb2c698f9a761f3c",
        hands=("knock 0 8", "knock 0 1"),
        end="-",
        course="2f881eac2edae9f9",
        waiting=("reveal", "dealing", "deck"),
    ),
}


def _result(result: HandScored | HandVoided) -> str:
    if isinstance(result, HandVoided):
        return f"void {result.reason}"
    return f"{result.kind} {result.winner} {result.points}"


def _state(position: Position) -> str:
    """Return where everything is, in words that no later change of the code's own values alters."""
    seen = view(position.match, "full")
    hand = seen.hand
    table = "-"
    if hand is not None:
        held = " / ".join(write_cards(cards.cards) for cards in hand.hands)
        table = f"{hand.phase} {hand.to_move} {held} / {write_cards(hand.pile)} / {hand.stock}"
        table += f" / {hand.face_down}"
    return f"{position.line.seq} {seen.stage} {table} {_account(seen)}"


def _account(seen: MatchView) -> str:
    bank = None if seen.clock is None or seen.clock.bank is None else list(seen.clock.bank)
    return f"{list(seen.score.points)} {list(seen.score.hands_won)} {bank}"


def _pin(log: list[bytes]) -> Pin:
    course = hashlib.sha256()
    outcome = None
    for position in positions(log, revealed_secrets(log)):
        course.update(_state(position).encode() + b"\n")
        outcome = view(position.match, "full").outcome
    events = [read_line(raw).event for raw in log]
    report = audit(log)
    end = "-"
    if outcome is not None:
        end = f"{outcome.reason} {outcome.winner} {list(outcome.totals)}"
    return Pin(
        lines=len(log),
        head=report.head.hash[:16],
        hands=tuple(
            _result(event) for event in events if isinstance(event, HandScored | HandVoided)
        ),
        end=end,
        course=course.hexdigest()[:16],
        waiting=tuple(check.name for check in report.checks if check.status == "waiting"),
    )


@pytest.mark.parametrize("name", PINS)
def test_a_log_says_what_it_has_always_said(name: str) -> None:
    assert _pin(golden_log(name)) == PINS[name]


@pytest.mark.parametrize("name", PINS)
def test_a_log_is_clean(name: str) -> None:
    assert not audit(golden_log(name)).faults


def test_every_golden_log_is_pinned() -> None:
    assert {path.stem for path in GOLDEN.glob("*.log")} == PINS.keys()


@pytest.mark.parametrize(
    ("fork", "origin"),
    [("fork_same", "classic"), ("fork_reshuffled", "standard"), ("fork_fresh", "eaai")],
)
def test_a_fork_is_clean_beside_the_log_that_it_branches_off_from(fork: str, origin: str) -> None:
    report = audit(golden_log(fork), origin=OriginLog(golden_log(origin)))
    assert report.clean
    assert report.check("origin").status == "passed"
    assert not audit(golden_log(fork), origin=OriginLog(golden_log("oklahoma"))).clean
