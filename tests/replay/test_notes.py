"""Notes on a replay's events, as somebody gives them along with it."""

import pytest

from ginrummy.replay.notes import BadNoteError, Note, read_notes


def test_notes_are_read_line_by_line() -> None:
    lines = [b'{"seq": 9, "text": "later"}', b"", b'{"text":"sooner","seq":2}']
    assert read_notes(lines, 9) == (Note(2, "sooner"), Note(9, "later"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"what is this?", "line 1"),
        (b"\xff", "line 1"),
        (b'{"seq": 0, "text": "x"}', "line 1"),
        (b'{"seq": 1, "text": ""}', "line 1"),
        (b'{"seq": 1, "text": "x", "by": "me"}', "line 1"),
        (b'{"seq": 10, "text": "x"}', "there is no event 10, the last one is 9"),
    ],
)
def test_what_is_no_note_is_refused(line: bytes, why: str) -> None:
    with pytest.raises(BadNoteError, match=why):
        read_notes([line], 9)
