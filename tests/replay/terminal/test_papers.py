"""What is laid over the table: the score sheet, the audit's report, the keys."""

import re

from support_golden import golden_log
from support_logs import without

from ginrummy.replay.ink import Ink, width
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.app import TableScreen
from ginrummy.replay.terminal.course import Course
from ginrummy.replay.terminal.papers import draw_help, draw_report, draw_sheet
from ginrummy.replay.terminal.proving import Checked, Finding, Proof

LETTERS = Ink(symbols=False)
COURSE = Course(Replay(golden_log("classic")))
BAD = Proof(
    "1 fault found",
    is_good=False,
    checks=(Checked("FAULT", "deck", 9, "all cards are those of the committed decks " * 2),),
    findings=(Finding(50, "deck, rule K2", "5D is not the card that Bob held"),),
    remarks=("events 51 to 60 could not be judged: nobody knows the hand",),
)


def test_the_sheet_has_the_hands_that_are_over() -> None:
    assert draw_sheet(COURSE, COURSE.place(51, "full"), LETTERS)[1:] == ["no hand is over yet"]
    two = draw_sheet(COURSE, COURSE.place(69, "full"), LETTERS)
    assert [line.split() for line in two] == [
        ["hand", "Alice", "Bob"],
        ["1", "undercut", "+12", "12", "0"],
        ["2", "knock", "+50", "62", "0"],
    ]


def test_the_sheet_of_a_match_that_is_over_has_its_account() -> None:
    sheet = "\n".join(draw_sheet(COURSE, COURSE.place(84, "full"), LETTERS))
    assert "Alice wins the match on points, 482 to 0" in sheet
    assert "for hands won = 482" in sheet


def test_the_report_says_what_was_checked_and_found() -> None:
    lines = draw_report(COURSE, BAD, COURSE.place(1, "full"), 60, LETTERS)
    said = "\n".join(lines)
    assert lines[0] == "The log: 1 fault found"
    assert "FAULT   deck            9  all cards" in said
    assert "! event 50: deck, rule K2: 5D is not the card" in said
    assert "events 51 to 60 could not be judged" in said
    assert max(map(width, lines)) <= 60


def test_the_report_names_no_card_to_whoever_does_not_see_all() -> None:
    for perspective in COURSE.views[1:]:
        said = "\n".join(draw_report(COURSE, BAD, COURSE.place(1, perspective), 80, LETTERS))
        assert "event 50: deck, rule K2" in said
        assert "5D" not in said


def test_the_report_says_why_a_log_breaks_off_and_why_cards_are_hidden() -> None:
    proof = Proof("audited", is_good=True)
    broken = Course(Replay(without(golden_log("classic"), 30)))
    said = " ".join(draw_report(broken, proof, broken.place(1, "full"), 200, LETTERS))
    assert "cannot be followed past event 30: event 32 comes next" in said
    sealed = Course(Replay(golden_log("unrevealed")))
    said = " ".join(draw_report(sealed, proof, sealed.place(1, "full"), 200, LETTERS))
    assert "its secrets come out when the match is over" in said


def test_the_help_names_every_key() -> None:
    """A key that does something and is not told of is one that nobody finds."""
    told = set(re.split(r"[\s,;]+", " ".join(draw_help(LETTERS))))
    names = {"question_mark": "?", "plus": "+", "minus": "-", "tab": "tab", "K": "shift+k"}
    names |= {"pagedown": "page", "pageup": "page"}
    more = {"enter", "backspace", "equals_sign", "colon", "f1", "j", "G"}
    more |= {"ctrl+c", "ctrl+q", "ctrl+z"}
    for binding in TableScreen.BINDINGS:
        for key in binding.key.split(","):  # type: ignore[union-attr]
            assert key in more or names.get(key, key) in told, key


def test_the_help_fits_a_usual_terminal() -> None:
    assert len(draw_help(LETTERS)) <= 22
    assert max(map(width, draw_help(LETTERS))) <= 75
    assert "\n".join(draw_help(LETTERS)).isascii()
