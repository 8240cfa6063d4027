"""What is said of one event, and the rows of the list of moves."""

from support_golden import golden_log
from support_logs import Table, without

from ginrummy.log.lines import line_hash
from ginrummy.replay.ink import Ink, width
from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import Replay
from ginrummy.replay.terminal.course import Course
from ginrummy.replay.terminal.moves import draw_move
from ginrummy.replay.terminal.proving import Finding
from ginrummy.replay.terminal.telling import address_of, draw_telling
from ginrummy.rules.commands import Pause
from ginrummy.rules.events import TimeControl
from ginrummy.rules.view import Perspective

LOG = golden_log("classic")
COURSE = Course(Replay(LOG), [Note(10, "Why not\nthe 8?\x1b[2J")])
LETTERS = Ink(symbols=False)
FINDING = Finding(50, "deck, rule K2", "5D is not the card that Bob held")


def telling(seq: int, perspective: Perspective = "full", columns: int = 80) -> list[str]:
    place = COURSE.place(seq, perspective)
    found = [FINDING] if seq == FINDING.seq else []
    return draw_telling(COURSE, place, found, columns, LETTERS)


def row(seq: int, perspective: Perspective = "full", columns: int = 80) -> str:
    place = COURSE.place(seq, perspective)
    return draw_move(COURSE, COURSE.row_of(seq), place, {50}, columns, LETTERS)


def test_an_event_is_told_with_its_rule_time_and_address() -> None:
    assert telling(49) == [
        "Bob draws 5C",
        "thought 1.5 s, rule T1, a turn, by Bob, 2026-11-29 22:50:06",
        f"address 49:{line_hash(LOG[48])}",
    ]


def test_an_address_is_what_an_audit_takes_as_a_receipt() -> None:
    assert address_of(COURSE.at(9)) == f"9:{line_hash(LOG[8])}"


def test_what_is_less_wanted_gives_way_to_narrowness() -> None:
    told, facts, address = telling(49, columns=50)
    assert told == "Bob draws 5C"
    assert facts == "thought 1.5 s, rule T1, by Bob, 22:50:06"
    assert address.startswith("49:")
    assert address.endswith("..")
    assert width(address) == 50


def test_what_another_draws_is_not_told() -> None:
    assert telling(49, 0)[0] == "Bob draws from the stock"
    assert "draws from the stock" in row(49, 0)
    assert "draws 5C" in row(49, 1)


def test_notes_stand_under_their_event_and_steer_nothing() -> None:
    assert telling(10)[1] == "* Why not the 8??[2J"
    assert row(10).split()[:3] == [">", "10", "*"]


def test_faults_stand_under_their_event() -> None:
    assert telling(50)[1] == "! deck, rule K2: 5D is not the card that Bob held"
    assert "!" in row(50)[:10]


def test_what_a_fault_tells_of_cards_is_for_all_cards_alone() -> None:
    """An audit knows the decks: what it says may be what a seat has not seen."""
    for perspective in COURSE.views[1:]:
        said = telling(50, perspective)
        assert said[1].startswith("! deck, rule K2 (what it is,")
        assert "5D is not" not in "\n".join(said)


def test_the_server_s_own_acts_are_told_apart() -> None:
    course = Course(Replay(golden_log("straight")))
    (seq, *_) = [
        each.line.seq
        for each in course.replay.between(1, course.last)
        if each.line.type == "laid_off"
    ]
    place = course.place(seq, "full")
    assert "by the server for " in draw_telling(course, place, (), 80, LETTERS)[1]
    assert draw_move(course, course.row_of(seq), place, (), 80, LETTERS).endswith(" server")
    assert "by the server, " in draw_telling(course, course.place(6, "full"), (), 80, LETTERS)[1]


def test_whoever_is_no_player_is_told_by_their_id() -> None:
    table = Table(3, clock=TimeControl(bank_ms=60_000)).seated()
    table.act(Pause(), table.director)
    course = Course(Replay(table.log))
    said = draw_telling(course, course.place(course.last, "public"), (), 80, LETTERS)
    assert said[1].startswith(f"by {table.director}, ")


def test_a_row_shows_where_one_is_and_how_long_it_took() -> None:
    assert row(49) == ">   49   Bob draws 5C" + " " * 54 + "1.5 s"
    here = COURSE.place(49, "full")
    other = draw_move(COURSE, COURSE.row_of(48), here, (), 80, LETTERS)
    assert other.startswith("    48   Alice discards 8C")


def test_a_heading_says_how_it_stands() -> None:
    place = COURSE.place(1, "full")
    number = COURSE.row_of(COURSE.replay.hand(2).first) - 1
    heading = draw_move(COURSE, number, place, (), 60, LETTERS)
    assert heading.startswith("-- Hand 2 ---")
    assert heading.endswith(" Alice 12, Bob 0 -")
    assert width(heading) == 60


def test_where_a_log_breaks_off_the_list_says_why() -> None:
    course = Course(Replay(without(LOG, 30)))
    last = draw_move(course, course.rows - 1, course.place(1, "full"), (), 80, LETTERS)
    assert last == "  event 32 comes next: no more can be followed"


def test_rows_keep_within_their_columns() -> None:
    for columns in (8, 20, 44, 80):
        for seq in range(1, COURSE.last + 1):
            assert width(row(seq, columns=columns)) <= columns


def test_a_signed_move_is_said_to_be_signed() -> None:
    course = Course(Replay(golden_log("signed")))
    signed = [
        position.line.seq
        for position in course.replay.between(1, course.last)
        if position.line.sig is not None
    ]
    assert signed
    for seq in range(1, course.last + 1):
        said = draw_telling(course, course.place(seq, "full"), (), 120, LETTERS)
        assert (", signed" in said[1]) == (seq in signed)
