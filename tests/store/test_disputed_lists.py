"""What every store's lists say of matches that are disputed, and of results that are adjusted."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest
from support_disputed_logs import disputed_match, replayed_match
from support_logs import Table

from ginrummy.log.lines import MatchLine
from ginrummy.rules.match import Ended
from ginrummy.store import Append, MatchQuery, MatchRow, PlayerRow, ResultRow, Store, postgres

if TYPE_CHECKING:
    from ginrummy.store.pages import Disputed


def stored(store: Store, lines: Iterable[MatchLine], *, one_by_one: bool = True) -> None:
    """Store a match's lines, each by itself or all at once."""
    lines = tuple(lines)
    parts = [(line,) for line in lines] if one_by_one else [lines]
    for part in parts:
        store.append([Append(part[0].stream, part[0].seq - 1, part)])


def row_of(store: Store, table: Table) -> MatchRow:
    row = store.match(table.stream)
    assert row is not None
    return row


def counted(store: Store) -> tuple[list[ResultRow], list[PlayerRow]]:
    return store.results(), store.records()


def right_records(table: Table) -> list[PlayerRow]:
    """Return the records of two who have played this match alone, by its result as it stands."""
    assert isinstance(table.match, Ended)
    outcome = table.match.outcome
    seats = sorted(zip(table.players, table.names, (0, 1), strict=True))
    return [
        PlayerRow(
            id=player,
            name=name,
            matches=1,
            won=int(outcome.winner == seat),
            lost=int(outcome.winner == 1 - seat),
            drawn=int(outcome.winner is None),
            hands_won=outcome.hands_won[seat],
            points=outcome.points[seat],
        )
        for player, name, seat in seats
    ]


@pytest.mark.parametrize("one_by_one", [True, False], ids=["one_by_one", "at_once"])
def test_a_result_follows_its_rulings_and_counts_once(store: Store, *, one_by_one: bool) -> None:
    table = disputed_match(5)
    stored(store, table.lines, one_by_one=one_by_one)
    assert isinstance(table.match, Ended)
    row, outcome = row_of(store, table), table.match.outcome
    assert (row.reason, row.winner, row.points, row.hands_won, row.totals) == (
        outcome.reason,
        outcome.winner,
        outcome.points,
        outcome.hands_won,
        outcome.totals,
    )
    assert (row.disputes, row.open_disputes, row.adjusted, row.replaying) == (3, 1, 2, 0)
    (result,) = store.results()
    assert (result.reason, result.points, result.totals) == (
        outcome.reason,
        outcome.points,
        outcome.totals,
    )
    assert store.records() == right_records(table)


def test_the_row_is_at_every_line_what_the_fold_says(store: Store) -> None:
    table, _ = replayed_match(5)
    ended = next(place for place, line in enumerate(table.lines) if line.type == "match_ended")
    stored(store, table.lines[: ended + 1])
    seen = []
    for line in table.lines[ended + 1 :]:
        stored(store, [line])
        row = row_of(store, table)
        seen.append((line.type, row.open_disputes, row.replaying, row.adjusted, row.winner))
    assert seen == [
        ("secret_revealed", 0, 0, 0, 0),
        ("dispute_opened", 1, 0, 0, 0),
        ("dispute_ruled", 0, 1, 0, 0),
        ("result_adjusted", 0, 1, 1, 1),
        ("hand_replayed", 0, 0, 1, 1),
        ("result_adjusted", 0, 0, 2, 1),
    ]
    assert store.records() == right_records(table)


def test_an_adjusted_result_is_found_again_by_whoever_reads_on(store: Store) -> None:
    table = disputed_match(5)
    ended = next(place for place, line in enumerate(table.lines) if line.type == "match_ended")
    stored(store, table.lines[: ended + 1])
    (before,) = store.results()
    stored(store, table.lines[ended + 1 :])
    (after,) = store.results(after=before.position)
    assert (after.match, after.position > before.position) == (before.match, True)
    assert after.totals != before.totals


def test_a_replay_counts_in_the_match_of_which_its_hand_is(store: Store) -> None:
    table, replay = replayed_match(5)
    stored(store, replay.lines)
    assert row_of(store, replay).replay_of == table.stream
    assert counted(store) == ([], [])
    stored(store, table.lines)
    assert [result.match for result in store.results()] == [table.stream]


def test_rebuilding_comes_to_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    # What comes after an end is then on another page than the match.
    monkeypatch.setattr(postgres, "_PAGE", 3)
    table, replay = replayed_match(5)
    for lines in (table.lines, replay.lines, disputed_match(6).lines):
        stored(store, lines)
    before = [*counted(store), store.matches(MatchQuery())]
    store.rebuild()
    assert [*counted(store), store.matches(MatchQuery())] == before


def test_matches_are_listed_by_what_their_disputes_have_come_to(store: Store) -> None:
    disputed, undisputed = disputed_match(5), Table(7).seated().play()
    replayed, _ = replayed_match(8)
    waiting = replayed.lines[:-2]
    for lines in (disputed.lines, undisputed.lines, waiting):
        stored(store, lines)
    right: dict[Disputed, list[str]] = {
        "any": [replayed.stream, disputed.stream],
        "open": [disputed.stream],
        "replaying": [replayed.stream],
        "adjusted": [replayed.stream, disputed.stream],
    }
    for wanted, ids in right.items():
        query = MatchQuery(disputed=wanted, size=1)
        found = []
        while True:
            page = store.matches(query)
            found += [row.id for row in page.matches]
            if not page.next_token:
                break
            query = MatchQuery(disputed=wanted, size=1, token=page.next_token)
        assert found == ids
