"""What was written to a dispute stands under its event, on every terminal."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from support_disputed_logs import disputed_match, open_dispute

from ginrummy.replay.ink import Ink, width
from ginrummy.replay.pager import Place, screen
from ginrummy.replay.render import draw
from ginrummy.replay.rulings import text_lines, text_of
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.course import Course
from ginrummy.replay.terminal.telling import draw_telling
from ginrummy.rules.disputes.events import DisputeOpened

LETTERS = Ink(symbols=False)
LONG = "It was fourteen and not twenty-four, as all who stood there have seen. " * 3
TABLE = disputed_match()
open_dispute(TABLE, 0, None, "conduct", LONG.strip())
REPLAY = Replay(TABLE.log)
SAID = [(line.seq, line.event) for line in TABLE.lines if text_of(line.event) is not None]


def drawn(seq: int) -> Iterator[list[str]]:
    """Yield an event as it is drawn at once, stepped through with keys, and on a whole screen."""
    yield draw(REPLAY.at(seq), "full", last=REPLAY.last).splitlines()
    yield screen(REPLAY, Place(seq, "full"), (80, 40), LETTERS)
    course = Course(REPLAY)
    yield draw_telling(course, course.place(seq, "full"), (), 80, LETTERS)


@pytest.mark.parametrize(("seq", "event"), SAID, ids=[str(seq) for seq, _ in SAID])
def test_the_words_stand_under_the_event_whole(seq: int, event: object) -> None:
    text = text_of(event)
    assert text is not None
    for lines in drawn(seq):
        assert max(map(width, lines)) <= 80
        assert f'"{text}"' in " ".join(" ".join(lines).split())


def test_no_words_are_put_where_nobody_has_said_any() -> None:
    (ended,) = (line for line in TABLE.lines if line.type == "match_ended")
    assert text_lines(ended.event, 80) == []
    assert all('"' not in line for lines in drawn(ended.seq) for line in lines)


def test_what_is_said_steers_no_terminal() -> None:
    (opened,) = (event for _, event in SAID if getattr(event, "text", "") == LONG.strip())
    assert isinstance(opened, DisputeOpened)
    lines = text_lines(replace(opened, text="\x1b[2J gone"), 80)
    assert lines == ['          "?[2J gone"']
