"""A practice match is called one wherever a match is told, drawn, listed or exported."""

import msgspec
import pytest
from support_forks import forked
from support_golden import golden_log

from ginrummy.log.reveals import revealed_secrets
from ginrummy.replay.about import describe_origin, title_of
from ginrummy.replay.history import tell
from ginrummy.replay.openspiel import openspiel_hands
from ginrummy.replay.render import draw
from ginrummy.replay.shape import write_position
from ginrummy.replay.stepping import Replay, positions
from ginrummy.replay.text import HistoryError, check, parse, recorded, write

FORKS = ["fork_same", "fork_reshuffled", "fork_fresh"]
SAME = Replay(golden_log("fork_same"))
CLASSIC = Replay(golden_log("classic"))


def test_its_title_says_so_and_another_match_s_does_not() -> None:
    assert title_of(SAME.at(9).match) == "Practice: From event 58 of Golden classic"
    assert title_of(CLASSIC.at(9).match) == "Golden classic"


def test_a_picture_of_it_says_so() -> None:
    drawn = draw(SAME.at(20), "full", last=SAME.last)
    assert drawn.startswith("Practice: From event 58 of Golden classic ")
    assert "Practice" not in draw(CLASSIC.at(20), "full", last=CLASSIC.last)


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("fork_same", "every card lies where it lay"),
        ("fork_reshuffled", "all cards that Bob had not seen there are dealt anew"),
        ("fork_fresh", "its deal is its own"),
    ],
)
def test_the_story_of_it_begins_with_where_it_comes_from(name: str, cards: str) -> None:
    replay = Replay(golden_log(name))
    told = list(tell(replay.between(1, replay.last), "full"))
    beginning = " ".join(told[1:5])
    assert "A practice match: it goes on from event" in beginning
    assert str(describe_origin(replay.at(1).match)) in beginning
    assert "It counts in no record." in beginning
    assert cards.replace("Bob", "seat 1") in beginning
    assert all(len(line) <= 80 for line in told)
    assert any("the position in which the match began is out" in line for line in told) == (
        name != "fork_fresh"
    )


def test_programs_are_told_so() -> None:
    for replay, practice in ((SAME, True), (CLASSIC, False)):
        position = msgspec.json.decode(write_position(replay.at(9), "full"))
        assert position["view"]["practice"] is practice


@pytest.mark.parametrize("name", FORKS)
def test_its_hand_history_says_so_and_reads_back(name: str) -> None:
    history = recorded(golden_log(name))
    text = "\n".join(write(history))
    assert '  practice match opened, form 3: "From event' in text
    assert parse(text) == history
    check(parse(text))
    without = text.replace("practice match opened", "match opened")
    with pytest.raises(HistoryError, match="a practice match is one that goes on from another"):
        parse(without)
    other = "\n".join(write(recorded(golden_log("classic"))))
    with pytest.raises(HistoryError, match="a practice match is one that goes on from another"):
        parse(other.replace("match opened", "practice match opened"))


@pytest.mark.parametrize("name", FORKS)
def test_who_replays_its_hands_in_openspiel_is_told_so(name: str) -> None:
    log = golden_log(name)
    hands = list(openspiel_hands(positions(log, revealed_secrets(log))))
    assert {hand.practice for hand in hands} == {True}
    log = golden_log("eaai")
    hands = list(openspiel_hands(positions(log, revealed_secrets(log))))
    assert {hand.practice for hand in hands} == {False}


def test_the_moves_that_were_taken_over_are_among_the_actions() -> None:
    log = forked(golden_log("eaai"), 14).play().log
    (first, *_) = openspiel_hands(positions(log, revealed_secrets(log)))
    whole = golden_log("eaai")
    (origin, *_) = openspiel_hands(positions(whole, revealed_secrets(whole)))
    assert first.actions[:28] == origin.actions[:28]  # type: ignore[union-attr]  # neither is refused
