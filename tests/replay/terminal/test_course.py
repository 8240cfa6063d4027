"""The rows of the list of moves, and which perspectives there are."""

from support_golden import golden_log
from support_logs import Table, in_hand, without

from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import HandSpan, Replay, ReplayError
from ginrummy.replay.terminal.course import Course, Place

LOG = golden_log("classic")
COURSE = Course(Replay(LOG))


def test_every_event_has_its_row_and_every_hand_a_heading() -> None:
    rows = [COURSE.row(number) for number in range(COURSE.rows)]
    assert [row for row in rows if isinstance(row, int)] == list(range(1, COURSE.last + 1))
    for span in COURSE.replay.hands:
        at = rows.index(span)
        assert rows[at + 1] == span.first
    assert len(rows) == COURSE.last + 3
    assert [rows[COURSE.row_of(seq)] for seq in range(1, COURSE.last + 1)] == list(
        range(1, COURSE.last + 1)
    )


def test_a_row_leads_to_its_event_and_a_heading_to_the_deal() -> None:
    for number in range(COURSE.rows):
        row = COURSE.row(number)
        assert COURSE.seq_in(number) == (row.first if isinstance(row, HandSpan) else row)
    assert COURSE.seq_in(-5) == 1
    assert COURSE.seq_in(10_000) == COURSE.last


def test_a_log_that_breaks_off_has_a_last_row_that_says_so() -> None:
    course = Course(Replay(without(LOG, 30)))
    assert course.last == 30
    assert isinstance(course.row(course.rows - 1), ReplayError)
    assert course.seq_in(course.rows - 1) == 30
    assert course.row_of(30) == course.rows - 2


def test_a_log_before_any_deal_has_no_heading() -> None:
    course = Course(Replay(LOG[:3]))
    assert [course.row(number) for number in range(course.rows)] == [1, 2, 3]
    assert course.views == ("public",)
    assert course.hidden is None


def test_a_log_that_opens_nothing_has_everybody_s_eyes_alone() -> None:
    course = Course(Replay(golden_log("unrevealed")))
    assert course.views == ("public",)
    assert course.hidden is not None
    assert "when the match is over" in course.hidden
    assert course.place(5, "full") == Place(5, "public")
    assert course.other_eyes(course.place(5, 0)) == Place(5, "public")


def test_a_log_that_opens_some_hands_has_all_eyes() -> None:
    course = Course(Replay(Table(13, reveal="hand").seated().play(until=in_hand(3)).log))
    assert course.views == ("full", 0, 1, "public")
    assert course.hidden is not None
    assert "in hand 3" in course.hidden


def test_places_outside_are_the_nearest_inside() -> None:
    assert COURSE.place(0, 1) == Place(1, 1)
    assert COURSE.place(9_999, "full") == Place(COURSE.last, "full")


def test_eyes_go_round() -> None:
    place = COURSE.place(7, "full")
    seen = []
    for _ in range(4):
        place = COURSE.other_eyes(place)
        seen.append(place.perspective)
    assert seen == [0, 1, "public", "full"]


def test_notes_are_found_by_their_events() -> None:
    course = Course(Replay(LOG), [Note(9, "one"), Note(9, "two"), Note(3, "else")])
    assert course.notes == {9: ["one", "two"], 3: ["else"]}
