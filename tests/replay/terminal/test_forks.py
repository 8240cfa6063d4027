"""A match that branches off from another is marked as one, and hides what it has to."""

import pytest
from support_forks import forked_match
from support_golden import golden_log
from support_terminal import cards_named, hidden_from, moves_of, scenery

from ginrummy.log.branching import Kept
from ginrummy.replay.ink import Ink
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.bars import draw_title
from ginrummy.replay.terminal.course import Course
from ginrummy.replay.terminal.papers import draw_report, draw_sheet
from ginrummy.replay.terminal.proving import Proof
from ginrummy.rules.cards import cards_in

LETTERS = Ink(symbols=False)
LOG = golden_log("classic")


def forked(kept: Kept) -> Course:
    return Course(Replay(forked_match(LOG, 75, kept=kept).log))


@pytest.mark.parametrize("kept", ["same", "reshuffled"])
def test_a_fork_is_marked_and_says_where_it_comes_from(kept: Kept) -> None:
    course = forked(kept)
    for seq in range(1, course.last + 1):
        title = draw_title(course, course.place(seq, "full"), 80, LETTERS)
        assert title.startswith("Practice: From event 75 of Golden classic")
    opened = " ".join(scenery(course, course.place(1, "full")))
    assert "A practice match: it goes on from event 75" in opened
    proof = Proof("audited, no fault", is_good=True)
    report = " ".join(draw_report(course, proof, course.place(9, "full"), 78, LETTERS))
    assert "A practice match: it goes on from event 75" in report


@pytest.mark.parametrize("kept", ["same", "reshuffled"])
def test_a_fork_hides_what_its_hands_hide(kept: Kept) -> None:
    course = forked(kept)
    for perspective in course.views[1:]:
        for seq in range(1, course.last + 1):
            place = course.place(seq, perspective)
            drawn = cards_named("\n".join(scenery(course, place)))
            hidden = hidden_from(course.replay, seq, perspective)
            assert not drawn & hidden, (seq, cards_in(drawn & hidden))
        assert len(moves_of(course, perspective)) == course.rows


def test_a_fork_s_sheet_begins_with_the_score_that_it_took_over() -> None:
    """The points scored before are in the totals, and are nobody's gain here."""
    course = forked("same")
    rows = course.replay.sheet
    assert rows[0].totals[0] - rows[0].gains[0] == 62
    assert rows[0].totals[1] - rows[0].gains[1] == 0
    sheet = draw_sheet(course, course.place(rows[0].seq, "full"), LETTERS)
    assert str(rows[0].totals[rows[0].gains[1] > 0]) in sheet[1]
