"""The rows' folds, by themselves."""

import pytest
from support_store import created, dealt, ended, joined, scored, whole_match, written

from ginrummy.log.lines import AnyLine
from ginrummy.rules.cards import BySeat
from ginrummy.rules.events import Event, MatchEnded
from ginrummy.store.projections import (
    MatchRow,
    PlayerRow,
    ResultRow,
    fold_match,
    fold_record,
    project,
    result_of,
)


class CountedRows:
    """Rows in memory that count how often they were changed."""

    def __init__(self) -> None:
        self.position = 0
        self.kept: list[MatchRow | ResultRow | PlayerRow] = []

    def match(self, match: str) -> MatchRow | None:
        found = [row for row in self.kept if isinstance(row, MatchRow) and row.id == match]
        return found[-1] if found else None

    def record(self, player: str) -> PlayerRow | None:
        found = [row for row in self.kept if isinstance(row, PlayerRow) and row.id == player]
        return found[-1] if found else None

    def keep(self, row: MatchRow | ResultRow | PlayerRow) -> None:
        self.kept.append(row)


def folded(events: list[Event]) -> MatchRow:
    match = None
    for position, line in enumerate(written("m_a", events).lines, 1):
        match = fold_match(match, position, line)
    assert match is not None
    return match


def lines(*events: Event) -> tuple[AnyLine, ...]:
    return written("m_a", events).lines


def test_a_line_seen_before_changes_nothing() -> None:
    """D9"""
    rows = CountedRows()
    match = whole_match(("p_ann", "p_ben"))
    for position, line in enumerate(lines(*match), 1):
        project(rows, position, line)
    kept = list(rows.kept)
    for position, line in enumerate(lines(*match), 1):
        project(rows, position, line)
    assert rows.kept == kept
    assert rows.position == len(match)
    assert sum(isinstance(row, ResultRow) for row in kept) == 1


def test_a_match_ends_once() -> None:
    rows = CountedRows()
    match = whole_match(("p_ann", "p_ben"))
    for position, line in enumerate(lines(*match, match[-1], scored(9, 1, 50)), 1):
        project(rows, position, line)
    assert sum(isinstance(row, ResultRow) for row in rows.kept) == 1
    record = rows.record("p_ann")
    assert record is not None
    assert record.matches == 1


def test_a_match_that_was_never_played_has_no_result() -> None:
    zero = BySeat(0, 0)
    nobody = MatchEnded("abandoned", None, zero, zero, zero, zero, doubled=False, totals=zero)
    for joins in ([], [joined(0, "p_ann")], [joined(0, "p_ann"), joined(1, "p_ben")]):
        match = folded([created(), *joins, nobody])
        assert match.stage == "ended"
        assert result_of(match, 9) is None


def test_a_match_that_was_given_up_has_no_result() -> None:
    """It counts for nobody, however it stood."""
    events = [created(), joined(0, "p_ann"), joined(1, "p_ben"), dealt(1), scored(1, 0, 7)]
    points, nothing = BySeat(7, 0), BySeat(0, 0)
    given_up = MatchEnded(
        "aborted", None, points, BySeat(1, 0), nothing, nothing, doubled=False, totals=points
    )
    assert result_of(folded([*events, given_up]), 9) is None


def test_a_match_lost_in_its_first_hand_has_a_result() -> None:
    events = [created(), joined(0, "p_ann"), joined(1, "p_ben"), dealt(1)]
    lost = ended(1, BySeat(0, 0), BySeat(0, 0))
    result = result_of(folded([*events, lost]), 9)
    assert result is not None
    assert (result.winner, result.hands) == (1, 0)


def test_a_drawn_match_is_drawn_for_both() -> None:
    events = [created(), joined(0, "p_ann"), joined(1, "p_ben"), dealt(1), scored(1, 0, 7)]
    drawn = ended(None, BySeat(7, 7), BySeat(1, 1))
    result = result_of(folded([*events, drawn]), 9)
    assert result is not None
    for seat, player in enumerate(("p_ann", "p_ben")):
        assert fold_record(None, result, seat) == PlayerRow(
            player, player.title(), 1, drawn=1, hands_won=1, points=7
        )


def test_a_record_bears_the_latest_name() -> None:
    result = result_of(folded(whole_match(("p_ann", "p_ben"))), 9)
    assert result is not None
    record = fold_record(PlayerRow("p_ann", "An", 3, won=1, lost=2), result, 0)
    assert (record.name, record.matches, record.won, record.lost) == ("P_Ann", 4, 2, 2)


@pytest.mark.parametrize("event", whole_match(("p_ann", "p_ben"))[1:])
def test_no_event_makes_a_match_but_its_creation(event: Event) -> None:
    assert fold_match(None, 1, lines(event)[0]) is None
