"""What is hidden from a perspective is nowhere in what is drawn for it."""

import pytest
from support_golden import GOLDEN, golden_log
from support_logs import events_of, played, without
from support_play import soak
from support_terminal import cards_named, hidden_from, moves_of, scenery

from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.course import Course
from ginrummy.rules.cards import cards_in
from ginrummy.rules.events import StockDrawn
from ginrummy.rules.view import Perspective

NAMES = sorted(path.stem for path in GOLDEN.glob("*.log"))
LIMITED: tuple[Perspective, ...] = (0, 1, "public")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("perspective", LIMITED)
def test_no_hidden_card_is_drawn(name: str, perspective: Perspective) -> None:
    course = Course(Replay(golden_log(name)))
    for seq in range(1, course.last + 1, soak(1, 7)):
        place = course.place(seq, perspective)
        drawn = cards_named("\n".join(scenery(course, place)))
        hidden = hidden_from(course.replay, seq, place.perspective)
        assert not drawn & hidden, (seq, cards_in(drawn & hidden))


def test_the_test_would_find_a_hidden_card() -> None:
    course = Course(Replay(golden_log("classic")))
    drawn = cards_named("\n".join(scenery(course, course.place(20, "full"))))
    assert hidden_from(course.replay, 20, 0)
    assert drawn & hidden_from(course.replay, 20, 0)


@pytest.mark.parametrize("seed", range(soak(60, 3)))
def test_an_opened_log_shows_everybody_what_a_sealed_one_does(seed: int) -> None:
    """Two worlds: the lines are the same, and whether their secrets are known makes no odds."""
    log = played(seed, ("standard", "oklahoma")[seed % 2]).log
    log = without(log, *events_of(log, "secret_revealed"))
    table = played(seed, ("standard", "oklahoma")[seed % 2])
    opened, sealed = Course(Replay(log, table.secrets)), Course(Replay(log))
    assert opened.views != sealed.views == ("public",)
    assert moves_of(opened, "public") == moves_of(sealed, "public")
    for seq in range(1, opened.last + 1):
        one, other = (scenery(course, course.place(seq, "public")) for course in (opened, sealed))
        # Whose eyes there are to choose from is another matter.
        assert [*one[:1], *one[2:]] == [*other[:1], *other[2:]]


@pytest.mark.parametrize("perspective", LIMITED)
def test_the_list_names_no_card_that_another_has_drawn(perspective: Perspective) -> None:
    course = Course(Replay(golden_log("classic")))
    rows = moves_of(course, perspective)
    others = 0
    for seq in range(1, course.last + 1):
        event = course.at(seq).line.event
        if isinstance(event, StockDrawn) and event.seat != perspective:
            others += 1
            assert "draws from the stock" in rows[course.row_of(seq)]
    assert others


def test_the_stock_s_order_is_for_all_cards_alone() -> None:
    course = Course(Replay(golden_log("classic")))
    texts = {view: "\n".join(scenery(course, course.place(20, view))) for view in course.views}
    assert [view for view, text in texts.items() if ", next " in text] == ["full"]
