"""Hypothesis strategies for every event, to be drawn from wherever stored values are tested.

The events are possible values of their types and no more: cards repeat, scores do not add up. A
test that needs a legal match plays one.
"""

from collections.abc import Mapping
from typing import get_args

from hypothesis import strategies as st

from ginrummy.rules.cards import DECK, BySeat
from ginrummy.rules.disputes.events import (
    LONGEST_TEXT,
    DisputeAppealed,
    DisputeOpened,
    DisputeReason,
    DisputeRuled,
    HandPoints,
    HandReplayed,
    ResultAdjusted,
    Ruling,
)
from ginrummy.rules.events import (
    Board,
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    EndReason,
    Event,
    Forfeited,
    ForfeitReason,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    LayOffCard,
    Limits,
    MatchCreated,
    MatchEnded,
    NonceRevealed,
    Origin,
    PlayerJoined,
    PositionRevealed,
    Resigned,
    SecretRevealed,
    StockDrawn,
    TimeControl,
    UpcardPassed,
)
from ginrummy.rules.ruleset import PRESETS, Ruleset

seats = st.sampled_from((0, 1))
cards = st.sampled_from(DECK)
hand_numbers = st.integers(1, 1000)
points = st.integers(0, 1_000_000)
names = st.text(max_size=40)
milliseconds = st.integers(0, 2**53 - 1)
hex16 = st.binary(min_size=16, max_size=16).map(bytes.hex)
hex32 = st.binary(min_size=32, max_size=32).map(bytes.hex)
hex64 = st.binary(min_size=64, max_size=64).map(bytes.hex)
player_ids = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=26, max_size=26).map(
    lambda text: "p_" + text
)
match_ids = player_ids.map(lambda text: "m_" + text[2:])
instants = st.integers(0, 253_402_300_799_999_999)
"""Every instant from 1970 to the end of the year 9999, in microseconds."""

melds = st.lists(cards, min_size=3, max_size=5).map(tuple)
spreads = st.lists(melds, max_size=3).map(tuple)
deadwoods = st.lists(cards, max_size=10).map(tuple)
points_by_seat = st.builds(BySeat, points, points)

_ruleset_fields = st.fixed_dictionaries(
    {
        "run_max": st.none() | st.integers(5, 13),
        "may_return_taken_card": st.booleans(),
        "gin_bonus": points,
        "undercut_bonus": points,
        "big_gin": st.booleans(),
        "big_gin_bonus": points,
        "stock_floor": st.integers(0, 31),
        "max_discard_draws": st.integers(1, 1_000_000),
        "next_dealer": st.sampled_from(("alternate", "loser", "winner")),
        "target": st.integers(1, 1_000_000),
        "hands": st.none() | hand_numbers,
        "game_bonus": points,
        "box_bonus": points,
        "shutout_doubles": st.booleans(),
    }
)
_knock_fields = st.one_of(
    st.fixed_dictionaries({"knock_limit": st.integers(0, 10), "gin_only": st.booleans()}),
    st.fixed_dictionaries({"oklahoma": st.just(value=True), "spades_double": st.booleans()}),
)
rulesets = st.sampled_from(list(PRESETS.values())) | st.builds(
    lambda fields, knocks: Ruleset(**fields, **knocks), _ruleset_fields, _knock_fields
)

_account = {
    "reason": st.sampled_from(get_args(EndReason)),
    "winner": st.none() | seats,
    "points": points_by_seat,
    "hands_won": points_by_seat,
    "game_bonus": points_by_seat,
    "box_bonus": points_by_seat,
    "doubled": st.booleans(),
    "totals": points_by_seat,
}

# --- what comes after a match's end -------------------------------------------------------------

_texts = st.text(min_size=1, max_size=60) | st.just("x" * LONGEST_TEXT)
_numbers = st.integers(1, 32)
_instances = st.sampled_from((1, 2))
_scored = st.none() | st.builds(HandPoints, winner=seats, points=points)
_added = st.integers(-1_000_000, 1_000_000)

_AFTERWARDS: Mapping[type[Event], st.SearchStrategy[Event]] = {
    DisputeOpened: st.builds(
        DisputeOpened,
        dispute=_numbers,
        seat=seats,
        hand=st.none() | hand_numbers,
        event=st.integers(1, 2**53),
        scored=_scored,
        reason=st.sampled_from(get_args(DisputeReason)),
        text=_texts,
    ),
    DisputeRuled: st.builds(
        DisputeRuled,
        dispute=_numbers,
        instance=_instances,
        ruling=st.sampled_from(get_args(Ruling)),
        points=st.builds(BySeat, _added, _added),
        seat=st.none() | seats,
        rule=names,
        why=_texts,
    ),
    DisputeAppealed: st.builds(DisputeAppealed, dispute=_numbers, seat=seats, text=_texts),
    HandReplayed: st.builds(
        HandReplayed,
        dispute=_numbers,
        instance=_instances,
        match=match_ids,
        seq=st.integers(1, 2**53),
        hash=hex32,
        reason=st.sampled_from(get_args(EndReason)),
        scored=_scored,
    ),
    ResultAdjusted: st.builds(ResultAdjusted, dispute=_numbers, **_account),
}

# --- every event --------------------------------------------------------------------------------

EVENTS: Mapping[type[Event], st.SearchStrategy[Event]] = {
    MatchCreated: st.builds(
        MatchCreated,
        rules=rulesets,
        clock=st.none()
        | st.builds(
            TimeControl,
            bank_ms=st.none() | milliseconds,
            increment_ms=milliseconds,
            decision_ms=st.none() | milliseconds,
        ),
        limits=st.builds(Limits, illegal_moves=points, start_ms=milliseconds, idle_ms=milliseconds),
        reveal=st.sampled_from(("match", "hand", "director")),
        commitment=hex32,
        chain=hand_numbers,
        board=st.none()
        | st.builds(
            Board, match_ids.map(lambda text: "t_" + text[2:]), st.integers(1, 2**31 - 1), hex32
        ),
        first_dealer=st.none() | seats,
        seats=st.builds(BySeat, st.none() | player_ids, st.none() | player_ids),
        name=names,
        signing=st.sampled_from(("off", "optional", "required")),
        dispute_ms=milliseconds.filter(lambda ms: ms >= 0),
        origin=st.none()
        | st.builds(
            Origin,
            kind=st.sampled_from(("fork", "replay")),
            match=match_ids,
            seq=st.integers(1, 2**53),
            hash=hex32,
            hand=hand_numbers,
            scores=st.builds(BySeat, points, points),
            hands_won=st.builds(BySeat, st.integers(0, 50), st.integers(0, 50)),
            unseen=st.sampled_from(("same", "reshuffled", "fresh")),
            seat=st.none() | seats,
            position=st.none() | hex32,
            moves=st.integers(0, 200),
        ),
    ),
    PlayerJoined: st.builds(
        lambda nonce, **fields: PlayerJoined(
            nonce_commitment=nonce[0], nonce_by=nonce[1], **fields
        ),
        nonce=st.just((None, None)) | st.tuples(hex32, st.sampled_from(("player", "server"))),
        seat=seats,
        player=player_ids,
        name=names,
        key=st.none() | hex32,
    ),
    NonceRevealed: st.builds(NonceRevealed, seat=seats, nonce=hex16),
    HandDealt: st.builds(HandDealt, hand=hand_numbers, dealer=seats, upcard=cards),
    UpcardPassed: st.builds(UpcardPassed, seat=seats),
    StockDrawn: st.builds(StockDrawn, seat=seats),
    DiscardTaken: st.builds(DiscardTaken, seat=seats, card=cards),
    Discarded: st.builds(Discarded, seat=seats, card=cards),
    Knocked: st.builds(Knocked, seat=seats, melds=spreads, deadwood=deadwoods, gin=st.booleans()),
    LaidOff: st.builds(
        LaidOff,
        seat=seats,
        melds=spreads,
        layoffs=st.lists(st.builds(LayOffCard, card=cards, meld=st.integers(0, 2)), max_size=4).map(
            tuple
        ),
        deadwood=deadwoods,
    ),
    HandScored: st.builds(
        HandScored,
        hand=hand_numbers,
        kind=st.sampled_from(("knock", "undercut", "gin", "big_gin")),
        winner=seats,
        points=points,
        deadwood=points_by_seat,
        difference=points,
        bonus=points,
        doubled=st.booleans(),
    ),
    HandVoided: st.builds(
        HandVoided, hand=hand_numbers, reason=st.sampled_from(("stock", "discard_draws"))
    ),
    SecretRevealed: st.builds(SecretRevealed, hand=hand_numbers, secret=hex32),
    PositionRevealed: st.builds(
        PositionRevealed,
        salt=hex16,
        cards=st.lists(st.none() | cards, max_size=52).map(tuple),
    ),
    ClockPaused: st.just(ClockPaused()),
    ClockResumed: st.just(ClockResumed()),
    ClockExpired: st.builds(ClockExpired, seat=seats),
    Resigned: st.builds(Resigned, seat=seats),
    Forfeited: st.builds(Forfeited, seat=seats, reason=st.sampled_from(get_args(ForfeitReason))),
    MatchEnded: st.builds(MatchEnded, **_account),
    **_AFTERWARDS,
}
"""A strategy for every event, by its class."""

events: st.SearchStrategy[Event] = st.one_of(*EVENTS.values())
"""Any event."""
