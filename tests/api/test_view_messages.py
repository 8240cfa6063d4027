"""Views, matches, rows and players as messages: all that the rules show, and nothing else."""

import random
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_events import instants, match_ids, names, player_ids, points, seats
from support_messages import Plain, builtins, field_names, null_for_zero, plain, struct_fields
from support_play import eager_move, lively, play_match
from support_rules import SECOND, START, gathered, opened, playing, stack, started

from ginrummy.api.player_messages import player_message
from ginrummy.api.view_messages import (
    Standing,
    legal_message,
    match_message,
    summary_message,
    view_message,
)
from ginrummy.api.wire import instant_of
from ginrummy.rules import commands, view
from ginrummy.rules import events as facts
from ginrummy.rules.cards import BySeat, Card
from ginrummy.rules.events import TimeControl
from ginrummy.rules.match import Ended, Gathering, Match, Score, hands_dealt
from ginrummy.store import credentials, projections
from ginrummy.v1 import match_pb2

PERSPECTIVES: tuple[view.Perspective, ...] = (0, 1, "public", "full")


def shown(match: Match, perspective: view.Perspective, now: int) -> match_pb2.View:
    """Return the message of a view, after an event that does not matter."""
    return view_message(
        view.view(match, perspective),
        Standing("m_1", 7, "ab" * 32, now, (True, False)),
    )


# --- views --------------------------------------------------------------------------------------


def expected_hand(hand: view.HandView) -> dict[str, Plain]:
    fields: dict[str, Plain] = builtins(msgspec.structs.replace(hand, legal=()))
    fields["discard_pile"] = fields.pop("pile")
    for card in ("drawn", "face_down"):
        fields[card] = fields[card] or ""
    result = fields.pop("result")
    is_score = isinstance(hand.result, facts.HandScored)
    fields["scored"] = result if is_score else None
    fields["voided"] = None if is_score else result
    fields["legal"] = expected_legal(hand.legal) if hand.legal else None
    return fields


def expected_legal(legal: tuple[commands.Move, ...]) -> dict[str, Plain]:
    return {
        "pass_upcard": commands.Pass() in legal,
        "take": commands.Take() in legal,
        "draw": commands.Draw() in legal,
        "discards": [str(m.card) for m in legal if isinstance(m, commands.Discard)],
        "knocks": [str(m.card) for m in legal if isinstance(m, commands.Knock)],
        "big_gin": commands.BigGin() in legal,
        "lay_off": commands.LayOff() in legal,
    }


@pytest.mark.parametrize("seed", range(6))
def test_a_view_says_what_the_rules_show(seed: int) -> None:
    terms = opened("oklahoma" if seed % 2 else "standard", hands=6)
    phases = set()
    for step in play_match(terms, random.Random(seed), eager_move, lively):
        for perspective in PERSPECTIVES:
            seen = view.view(step.after, perspective)
            check_view(shown(step.after, perspective, step.at), seen)
            if seen.hand is not None:
                phases.add(seen.hand.phase)
    assert phases == set(get_args(view.Phase))


def check_view(message: match_pb2.View, seen: view.MatchView) -> None:
    fields = plain(message)
    assert (fields["match_id"], fields["seq"]) == ("m_1", 7)
    assert fields["head_hash"] == "ab" * 32
    assert fields["stage"] == seen.stage
    assert fields["seat"] == (seen.perspective if seen.perspective in (0, 1) else None)
    assert fields["points"] == list(seen.score.points)
    assert fields["hands_won"] == list(seen.score.hands_won)
    assert fields["hand"] == (None if seen.hand is None else expected_hand(seen.hand))
    assert fields["connected"] == [True, False]
    assert fields["outcome"] == (None if seen.outcome is None else builtins(seen.outcome))


def test_every_field_of_a_view_is_in_its_message_and_back() -> None:
    """A field that is added to one of them must be added to the other."""
    hand = struct_fields(view.HandView) - {"pile", "result"} | {"discard_pile", "scored", "voided"}
    assert hand == field_names(match_pb2.HandView)
    match = struct_fields(view.MatchView)
    told_otherwise = {
        "perspective": {"seat", "nonce_due"},
        "terms": {"practice"},  # else of the match, not of a moment in it
        "seats": set(),  # likewise
        "score": {"points", "hands_won"},
        "deadline": set(),  # in the clock
    }
    of_the_moment = {"match_id", "seq", "head_hash", "connected"}
    names = (match - told_otherwise.keys()).union(*told_otherwise.values(), of_the_moment)
    assert names == field_names(match_pb2.View)


def test_every_move_can_be_listed() -> None:
    every = (
        commands.Pass(),
        commands.Take(),
        commands.Draw(),
        commands.Discard(Card("7H")),
        commands.Knock(Card("8H")),
        commands.BigGin(),
        commands.LayOff(),
        commands.Resign(),
    )
    assert {type(move) for move in every} == set(get_args(commands.Move))
    assert plain(legal_message(every)) == expected_legal(every)
    assert all(plain(legal_message(every)).values())


# --- clocks and nonces --------------------------------------------------------------------------

BANK = TimeControl(bank_ms=60_000, increment_ms=1_000)
DECK = stack()


def test_the_running_bank_is_counted_down_to_now() -> None:
    """C9 a client needs no guess of its own."""
    match = playing(DECK, terms=opened(clock=BANK))
    clock = shown(match, "public", START + 2 * SECOND + 999).clock
    assert list(clock.bank_ms) == [60_000, 57_999]
    assert (clock.running, clock.paused) == (1, False)
    assert instant_of(clock.server_time) == START + 2 * SECOND + 999
    assert instant_of(clock.deadline) == START + 60 * SECOND


def test_a_bank_never_shows_less_than_nothing() -> None:
    match = playing(DECK, terms=opened(clock=BANK))
    assert list(shown(match, 1, START + 61 * SECOND).clock.bank_ms) == [60_000, 0]


def test_a_paused_clock_runs_for_nobody() -> None:
    """C9 the pause is in the snapshot."""
    match = gathered(playing(DECK, terms=opened(clock=BANK)), facts.ClockPaused())
    assert match is not None
    clock = shown(match, 0, START + 5 * SECOND).clock
    assert clock.paused
    assert not clock.HasField("running")
    assert not clock.HasField("deadline")
    assert list(clock.bank_ms) == [60_000, 60_000]


def test_without_a_bank_the_deadline_alone_is_told() -> None:
    match = playing(DECK, terms=opened(clock=TimeControl(decision_ms=3_000)))
    clock = shown(match, 0, START).clock
    assert list(clock.bank_ms) == []
    assert clock.running == 1
    assert instant_of(clock.deadline) == START + 3 * SECOND


def test_a_match_that_gathers_has_a_deadline_and_no_clock() -> None:
    match = gathered(None, opened(clock=BANK))
    assert match is not None
    clock = shown(match, "public", START).clock
    assert instant_of(clock.deadline) == START + 3600 * SECOND
    assert not clock.HasField("running")


def test_a_nonce_is_due_of_whoever_drew_one_once_both_sit() -> None:
    terms, first, second, out, _ = started()
    drawn_by_server = msgspec.structs.replace(second, nonce_by="server")

    def due(*history: facts.Event) -> tuple[bool, ...]:
        match = gathered(None, terms, *history)
        assert match is not None
        eyes: tuple[view.Perspective, ...] = (0, 1, "public")
        return tuple(shown(match, perspective, START).nonce_due for perspective in eyes)

    assert due() == (False, False, False)
    assert due(first) == (False, False, False)
    assert due(first, second) == (True, True, False)
    assert due(first, second, out) == (False, True, False)
    assert due(first, drawn_by_server) == (True, False, False)


# --- matches, rows and players ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_match_says_what_was_agreed_and_where_it_stands(seed: int) -> None:
    terms = opened("classic", hands=3, clock=TimeControl(decision_ms=1000))
    stages = set()
    for step in play_match(terms, random.Random(seed), eager_move, lively):
        match = step.after
        fields = plain(
            match_message(match, match_id="m_1", created_at=5, seq=9, head_hash="cd" * 32)
        )
        stages.add(fields["stage"])
        assert fields["stage"] == view.view(match, "public").stage
        assert (fields["id"], fields["name"], fields["created_at"]) == ("m_1", terms.name, 5)
        assert (fields["seq"], fields["head_hash"]) == (9, "cd" * 32)
        assert null_for_zero(fields["rules"]) == builtins(terms.rules)
        assert fields["clock"] == builtins(terms.clock)
        assert fields["limits"] == builtins(terms.limits)
        assert (fields["reveal"], fields["commitment"]) == (terms.reveal, terms.commitment)
        assert fields["seats"] == [
            {
                "player_id": seated.player if seated else "",
                "name": seated.name if seated else "",
                "key": (seated.key or "") if seated else "",
            }
            for seated in match.seats
        ]
        check_progress(fields, match)
    assert stages == {"gathering", "playing", "ended"}


def check_progress(fields: dict[str, Plain], match: Match) -> None:
    score = Score() if isinstance(match, Gathering) else match.score
    assert fields["points"] == list(score.points)
    assert fields["hands_won"] == list(score.hands_won)
    assert fields["hands_dealt"] == hands_dealt(match)
    outcome = builtins(match.outcome) if isinstance(match, Ended) else None
    assert fields["outcome"] == outcome


pairs = st.builds(BySeat, points, points)
open_rows = st.builds(
    projections.MatchRow,
    id=match_ids,
    position=st.integers(1, 2**40),
    name=names,
    created=instants,
    stage=st.sampled_from(("gathering", "playing")),
    players=st.builds(BySeat, st.none() | player_ids, st.none() | player_ids),
    names=st.builds(BySeat, st.none() | names, st.none() | names),
    hands=st.integers(0, 1000),
    points=pairs,
    hands_won=pairs,
)
ended_rows = st.builds(
    msgspec.structs.replace,
    open_rows,
    stage=st.just("ended"),
    totals=pairs,
    ended=instants,
    reason=st.sampled_from(get_args(facts.EndReason)),
    winner=st.none() | seats,
    practice=st.booleans(),
    disputes=st.integers(0, 32),
    open_disputes=st.integers(0, 32),
    adjusted=st.booleans(),
    replay_of=st.none() | match_ids,
)


@given(open_rows | ended_rows)
def test_a_row_of_a_list(row: projections.MatchRow) -> None:
    has_ended = row.ended is not None
    assert plain(summary_message(row)) == {
        "id": row.id,
        "name": row.name,
        "stage": row.stage,
        "seats": [
            {"player_id": player or "", "name": name or "", "key": ""}
            for player, name in zip(row.players, row.names, strict=True)
        ],
        "points": list(row.totals if has_ended else row.points),
        "hands": row.hands,
        "created_at": row.created,
        "ended_at": row.ended,
        "reason": row.reason,
        "winner": row.winner,
        "practice": row.practice,
        "disputes": row.disputes,
        "open_disputes": row.open_disputes,
        "replaying": row.replaying > 0,
        "adjusted": row.adjusted,
        "replay_of": row.replay_of or "",
    }


def test_a_player_who_has_played() -> None:
    credential = credentials.Credential("p_1", "Ann", "director", "00", 77)
    record = projections.PlayerRow("p_1", "Ann", matches=6, won=3, lost=2, drawn=1)
    assert plain(player_message(credential, record)) == {
        "id": "p_1",
        "name": "Ann",
        "role": "director",
        "matches": 6,
        "won": 3,
        "lost": 2,
        "created_at": 77,
    }


def test_a_player_who_has_not_played() -> None:
    fields = plain(player_message(credentials.Credential("p_1", "Ann", "player", "00", 77), None))
    assert (fields["matches"], fields["won"], fields["lost"]) == (0, 0, 0)
