"""What every store promises of its lists."""

import pytest
from support_store import (
    NEW,
    START,
    FaultyStore,
    created,
    dealt,
    joined,
    moves,
    other_stream,
    rows,
    scored,
    stored,
    whole_match,
    written,
)

from ginrummy.rules.cards import BySeat
from ginrummy.store import (
    Conflict,
    InvalidPageTokenError,
    MatchPage,
    MatchQuery,
    PlayerRow,
    Store,
    StoreFailedError,
)

PLAYERS = ("p_ann", "p_ben", "p_cat")


def listed(store: Store, query: MatchQuery) -> list[str]:
    return [row.id for row in store.matches(query).matches]


def walk(store: Store, size: int, **filters: str) -> list[str]:
    """Return the matches on all pages."""
    ids: list[str] = []
    token = ""
    while True:
        page = store.matches(MatchQuery(size=size, token=token, **filters))  # type: ignore[arg-type]  # stage is a literal
        assert len(page.matches) <= size
        ids += [row.id for row in page.matches]
        token = page.next_token
        if not token:
            return ids


@pytest.fixture
def busy(store: FaultyStore) -> FaultyStore:
    """Twelve matches, m_00 to m_11, by turns just open, being played and ended."""
    for number in range(12):
        players = PLAYERS[number % 3], PLAYERS[(number + 1) % 3]
        events = whole_match(players, f"match {number}")[: (1, 5, 14)[number % 3]]
        stored(store, written(f"m_{number:02}", events))
    return store


def test_a_match_is_followed_from_its_creation_to_its_end(store: Store) -> None:
    assert store.match("m_a") is None
    head = NEW
    seen = []
    for event in whole_match(("p_ann", "p_ben"), "final"):
        head = stored(store, written("m_a", [event], head))
        match = store.match("m_a")
        assert match is not None
        seen.append((match.stage, match.players, match.hands, match.points, match.hands_won))
    both = BySeat("p_ann", "p_ben")
    nothing = BySeat(0, 0)
    assert seen == [
        ("gathering", BySeat(None, None), 0, nothing, nothing),
        ("gathering", BySeat("p_ann", None), 0, nothing, nothing),
        ("gathering", both, 0, nothing, nothing),
        ("playing", both, 0, nothing, nothing),
        ("playing", both, 0, nothing, nothing),
        ("playing", both, 1, BySeat(60, 0), BySeat(1, 0)),
        ("playing", both, 1, BySeat(60, 0), BySeat(1, 0)),
        ("playing", both, 2, BySeat(60, 0), BySeat(1, 0)),
        ("playing", both, 2, BySeat(60, 0), BySeat(1, 0)),
        ("playing", both, 2, BySeat(60, 0), BySeat(1, 0)),
        ("playing", both, 3, BySeat(60, 12), BySeat(1, 1)),
        ("playing", both, 3, BySeat(60, 12), BySeat(1, 1)),
        ("playing", both, 4, BySeat(105, 12), BySeat(2, 1)),
        ("ended", both, 4, BySeat(105, 12), BySeat(2, 1)),
    ]
    assert match is not None
    assert (match.name, match.created) == ("final", START)
    assert (match.ended, match.reason, match.winner) == (START + 13_000_000, "target", 0)
    assert match.names == BySeat("P_Ann", "P_Ben")
    assert match.totals == BySeat(205, 12)


def test_a_result_and_two_records_follow_from_an_end(store: Store) -> None:
    assert store.results() == []
    assert store.records() == []
    stored(store, written("m_a", whole_match(("p_ann", "p_ben"))))
    stored(store, written("m_b", whole_match(("p_ben", "p_ann"))))
    stored(store, written("m_c", whole_match(("p_ann", "p_cat"))))
    assert [(row.match, row.players, row.winner) for row in store.results()] == [
        ("m_a", BySeat("p_ann", "p_ben"), 0),
        ("m_b", BySeat("p_ben", "p_ann"), 0),
        ("m_c", BySeat("p_ann", "p_cat"), 0),
    ]
    assert store.records() == [
        PlayerRow("p_ann", "P_Ann", 3, won=2, lost=1, hands_won=5, points=222),
        PlayerRow("p_ben", "P_Ben", 2, won=1, lost=1, hands_won=3, points=117),
        PlayerRow("p_cat", "P_Cat", 1, lost=1, hands_won=1, points=12),
    ]
    assert store.record("p_cat") == store.records()[2]
    assert store.record("p_nobody") is None


def test_results_are_listed_in_the_order_of_the_ends(busy: FaultyStore) -> None:
    results = busy.results()
    assert [row.match for row in results] == ["m_02", "m_05", "m_08", "m_11"]
    assert [row.match for row in busy.results(limit=3)] == ["m_02", "m_05", "m_08"]
    assert busy.results(after=results[1].position) == results[2:]
    assert busy.results(player="p_cat") == results
    assert busy.results(player="p_ann", after=results[0].position, limit=2) == results[1:3]
    assert busy.results(player="p_ben") == []


def test_matches_are_listed_the_newest_first(busy: FaultyStore) -> None:
    assert listed(busy, MatchQuery(size=4)) == ["m_11", "m_10", "m_09", "m_08"]


def test_matches_are_filtered_by_stage_and_player(busy: FaultyStore) -> None:
    assert listed(busy, MatchQuery(stage="gathering")) == ["m_09", "m_06", "m_03", "m_00"]
    assert listed(busy, MatchQuery(stage="playing")) == ["m_10", "m_07", "m_04", "m_01"]
    assert listed(busy, MatchQuery(player="p_ben")) == ["m_10", "m_07", "m_04", "m_01"]
    assert listed(busy, MatchQuery(player="p_cat", stage="ended", size=1)) == ["m_11"]
    assert listed(busy, MatchQuery(player="p_nobody")) == []


@pytest.mark.parametrize("size", [1, 3, 4, 5, 11, 12, 13])
def test_pages_hold_every_match_once(busy: FaultyStore, size: int) -> None:
    assert walk(busy, size) == [f"m_{number:02}" for number in reversed(range(12))]
    assert walk(busy, size, player="p_cat") == [
        f"m_{number:02}" for number in reversed(range(12)) if number % 3
    ]


def test_new_matches_move_no_page(busy: FaultyStore) -> None:
    first = busy.matches(MatchQuery(size=5))
    for number in range(12, 20):
        stored(busy, written(f"m_{number:02}", [created()]))
    second = busy.matches(MatchQuery(size=5, token=first.next_token))
    third = busy.matches(MatchQuery(size=5, token=second.next_token))
    assert [row.id for page in (first, second, third) for row in page.matches] == [
        f"m_{number:02}" for number in reversed(range(12))
    ]
    assert third.next_token == ""


@pytest.mark.parametrize("token", ["x", "é", "AAAA", "YmVmb3JlOg", "YmVmb3JlOi01", "=" * 9])
def test_a_token_that_no_list_gave_out_is_refused(store: Store, token: str) -> None:
    with pytest.raises(InvalidPageTokenError):
        store.matches(MatchQuery(token=token))


def test_open_matches_are_those_that_have_not_ended(busy: FaultyStore) -> None:
    assert busy.open_matches() == [f"m_{number:02}" for number in range(12) if number % 3 != 2]


def test_streams_that_are_no_matches_change_no_row(store: Store) -> None:
    stored(store, moves("m_a", 3))
    stored(store, written("t_a", [joined(0, "p_ann"), dealt(1), scored(1, 0, 5)]))
    stored(store, written("t_b", whole_match(("p_ann", "p_ben"))))
    stored(store, other_stream("t_c"))
    assert rows(store) == (MatchPage((), ""), [], [])
    assert store.open_matches() == []
    store.rebuild()
    assert rows(store) == (MatchPage((), ""), [], [])


def test_streams_that_are_no_matches_are_kept_like_every_other(store: Store) -> None:
    match = stored(store, written("m_a", whole_match(("p_ann", "p_ben"))))
    other = other_stream("t_a")
    stored(store, other)
    assert list(store.read("t_a")) == [line.raw for line in other.lines]
    assert store.head("t_a") == other.head
    assert list(store.streams()) == ["m_a", "t_a"]
    assert list(store.streams("m_")) == ["m_a"]
    assert store.read_all(match.seq) == [(match.seq + line.seq, line.raw) for line in other.lines]
    assert store.append([other]) == [Conflict("t_a", 0, other.head)]
    before = rows(store)
    store.rebuild()
    assert rows(store) == before
    assert listed(store, MatchQuery()) == ["m_a"]


def test_a_conflict_changes_no_row(busy: FaultyStore) -> None:
    before = rows(busy)
    busy.append([written("m_02", whole_match(("p_ann", "p_ben")))])
    assert rows(busy) == before


@pytest.mark.parametrize("fault", ["before", "after"])
def test_rows_change_with_the_log_or_not_at_all(busy: FaultyStore, fault: str) -> None:
    """D9"""
    before = rows(busy)
    append = written("m_x", whole_match(("p_ann", "p_ben")))
    busy.fault = "before" if fault == "before" else "after"
    with pytest.raises(StoreFailedError):
        busy.append([append])
    busy.fault = None
    after = rows(busy)
    assert (after == before) == (fault == "before") == (busy.head("m_x") == NEW)
    busy.rebuild()
    assert rows(busy) == after


def test_a_rebuild_gives_the_same_rows(busy: FaultyStore) -> None:
    before = rows(busy)
    busy.rebuild()
    assert rows(busy) == before
    stored(busy, written("m_x", whole_match(("p_ann", "p_ben"))))
    after = rows(busy)
    assert after != before
    busy.rebuild()
    assert rows(busy) == after
