"""Stepping: every position of a log, in any order, with the cards that it gives away."""

from itertools import pairwise

import pytest
from support_logs import Table, changed, events_of, in_hand, played, relinked, without
from support_play import soak

from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.stepping import HandSpan, NoSuchPositionError, Replay, ReplayError, positions
from ginrummy.rules.match import Playing
from ginrummy.rules.view import view

TABLE = played(790, "standard")
LOG = TABLE.log


@pytest.mark.parametrize("preset", ["standard", "classic", "straight", "oklahoma", "eaai"])
def test_a_revealed_log_replays_as_it_was_played(preset: str) -> None:
    """The fold of the stored lines is the one of live play, with every card."""
    for seed in range(soak(100, 3)):
        table = played(seed, preset)
        live = list(positions(table.log, table.secrets))
        again = list(positions(table.log, revealed_secrets(table.log)))
        assert again == live
        assert again[-1].match == table.match


@pytest.mark.parametrize("seed", range(soak(100, 4)))
def test_a_hidden_log_replays_as_everybody_saw_it(seed: int) -> None:
    """The public fold is the public view of the full one, after every event."""
    table = played(seed, ("standard", "oklahoma")[seed % 2])
    log = without(table.log, *events_of(table.log, "secret_revealed"))
    assert revealed_secrets(log) is None
    for public, full in zip(positions(log), positions(log, table.secrets), strict=True):
        for perspective in ("public", "full"):
            seen = view(public.match, perspective)
            assert seen.hand == view(full.match, "public").hand
            assert seen.score == view(full.match, "public").score


def test_secrets_that_come_out_on_the_way_open_the_hands_before() -> None:
    log = Table(13, reveal="hand").seated().play(until=in_hand(3)).log
    known = []
    for position in positions(log, revealed_secrets(log)):
        match = position.match
        if isinstance(match, Playing):
            known.append((match.hand.layout.dealt.number, match.hand.layout.dealt.deck is not None))
    assert set(known) == {(1, True), (2, True), (3, False)}


def test_a_false_secret_opens_nothing() -> None:
    log = relinked([*LOG[:-1], changed(LOG[-1], data_secret="ab" * 32)])
    assert revealed_secrets(log) is None
    assert revealed_secrets([LOG[0], b"?", LOG[-1]]) is not None
    assert revealed_secrets([b"?", *LOG]) is None
    assert revealed_secrets([]) is None
    assert revealed_secrets(LOG[1:]) is None


def test_positions_come_one_after_another() -> None:
    found = list(positions(LOG, TABLE.secrets))
    assert [position.line.raw for position in found] == LOG
    assert found[0].before is None
    assert all(then.before is now.match for now, then in pairwise(found))


def test_every_position_can_be_had_at_once() -> None:
    replay = Replay(LOG)
    found = list(positions(LOG, TABLE.secrets))
    assert replay.last == len(LOG)
    for seq in (1, 2, 63, 64, 65, 66, 128, 129, 200, len(LOG)):
        assert replay.at(seq).line == found[seq - 1].line
        assert replay.at(seq).match == found[seq - 1].match
    assert [there.match for there in replay.between(60, 70)] == [
        there.match for there in found[59:70]
    ]
    assert replay.broken is None


def test_hands_lie_where_they_were_dealt() -> None:
    replay = Replay(LOG)
    dealt = [index + 1 for index in events_of(LOG, "hand_dealt")]
    assert [span.first for span in replay.hands] == dealt
    assert [span.number for span in replay.hands] == list(range(1, len(dealt) + 1))
    assert replay.hand(2) == HandSpan(2, dealt[1], dealt[2] - 1, is_open=True)
    assert replay.hands[-1].last == len(LOG)
    assert Replay(LOG[:3]).hands == ()


def test_hands_whose_decks_are_not_known_are_told_apart() -> None:
    log = Table(13, reveal="hand").seated().play(until=in_hand(3)).log
    assert [span.is_open for span in Replay(log).hands] == [True, True, False]


def test_knocks_lie_where_somebody_laid_down() -> None:
    assert Replay(LOG).knocks == tuple(index + 1 for index in events_of(LOG, "knocked"))


def test_what_was_folded_lately_is_not_folded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Going to and fro costs no more than the first time; going far forgets what lies behind."""
    monkeypatch.setattr("ginrummy.replay.stepping._READY", 2)
    replay = Replay(LOG)
    first = replay.at(70)
    assert replay.at(70) is first
    for seq in range(1, replay.last + 1, 64):
        replay.at(seq)
    assert replay.at(70) is not first
    assert replay.at(70).match == first.match


@pytest.mark.parametrize("seq", [0, -1, len(LOG) + 1])
def test_what_is_not_there_is_named(seq: int) -> None:
    with pytest.raises(NoSuchPositionError, match=f"no event {seq}: they go from 1 to"):
        Replay(LOG).at(seq)


def test_a_hand_that_is_not_there_is_named() -> None:
    with pytest.raises(NoSuchPositionError, match="no hand 99: the last one dealt is"):
        Replay(LOG).hand(99)
    with pytest.raises(NoSuchPositionError, match="none was dealt"):
        Replay(LOG[:2]).hand(1)


@pytest.mark.parametrize(
    ("spoilt", "last", "why"),
    [
        ([*LOG[:20], b'{"v":1', *LOG[20:]], 20, "truncated"),
        ([*LOG[:20], changed(LOG[20], type="melted"), *LOG[21:]], 20, "melted in version 1"),
        ([*LOG[:20], changed(LOG[20], v=7), *LOG[21:]], 20, "version 7"),
        (without(LOG, 20), 20, "event 22 comes next"),
        ([*LOG[:20], *LOG[19:]], 20, "event 20 comes next"),
        ([*LOG[:20], played(1).log[20]], 20, "of m_"),
        ([*LOG[:6], changed(LOG[5], seq=7)], 6, "cannot follow"),
    ],
)
def test_a_log_is_followed_as_far_as_it_goes_and_no_further(
    spoilt: list[bytes], last: int, why: str
) -> None:
    """D5 nothing is passed over: an unknown event stops a replay with its type and version."""
    replay = Replay(spoilt)
    assert replay.last == last
    assert replay.broken is not None
    assert (replay.broken.seq, why in replay.broken.why) == (last, True)
    with pytest.raises(ReplayError, match=f"past event {last}: "):
        list(positions(spoilt))
    assert replay.at(last).line.raw == LOG[last - 1]


@pytest.mark.parametrize("lines", [[], [b"hello"], LOG[1:], LOG[:0]])
def test_what_does_not_even_begin_cannot_be_replayed(lines: list[bytes]) -> None:
    with pytest.raises(ReplayError, match="past event 0"):
        Replay(lines)
