"""What every store promises of its log."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from support_store import FaultyStore, check_log, everything, moves, stored, written

from ginrummy.log.lines import GENESIS
from ginrummy.rules.events import StockDrawn
from ginrummy.store import Append, Conflict, Head, Store, StoreClosedError, StoreFailedError


def test_a_stream_that_nobody_wrote_to_is_empty(store: Store) -> None:
    assert store.head("m_a") == Head(0, GENESIS)
    assert list(store.read("m_a")) == []
    assert store.read_all() == []
    assert store.last_position() == 0
    assert list(store.streams()) == []


def test_an_append_gives_the_new_head(store: Store) -> None:
    append = moves("m_a", 3)
    assert store.append([append]) == [Head(3, append.lines[-1].hash)]
    assert store.head("m_a") == append.head


def test_nothing_at_all_may_be_appended(store: Store) -> None:
    assert store.append([]) == []
    assert store.last_position() == 0


def test_lines_are_read_as_they_were_appended(store: Store) -> None:
    first = moves("m_a", 2, cmd="é \N{PLAYING CARD ACE OF SPADES} \"'\\ \0")
    second = moves("m_a", 3, first.head)
    stored(store, first)
    stored(store, second)
    raws = [line.raw for line in first.lines + second.lines]
    assert list(store.read("m_a")) == raws
    assert list(store.read("m_a", after=2)) == raws[2:]
    assert list(store.read("m_a", after=5)) == []
    assert list(store.read("m_a", after=99)) == []


@pytest.mark.parametrize("count", [499, 500, 501, 1000, 1203])
def test_long_streams_are_read_whole(store: Store, count: int) -> None:
    append = moves("m_a", count)
    stored(store, append)
    assert list(store.read("m_a")) == [line.raw for line in append.lines]


def test_all_lines_come_in_commit_order(store: Store) -> None:
    first, second, third = moves("m_b", 2), moves("m_a", 2), moves("m_c")
    store.append([first, second])
    stored(store, third)
    lines = [line.raw for append in (first, second, third) for line in append.lines]
    found = list(everything(store))
    assert [raw for _, raw in found] == lines
    assert store.read_all(limit=2) == found[:2]
    assert store.read_all(after=found[1][0], limit=2) == found[2:4]
    assert store.read_all(after=store.last_position()) == []


def test_a_stale_append_stores_nothing_and_hears_where_the_stream_stands(store: Store) -> None:
    first = moves("m_a", 2)
    stored(store, first)
    for stale in (moves("m_a", 3), moves("m_a", 1, Head(1, first.lines[0].hash))):
        assert store.append([stale]) == [Conflict("m_a", stale.expected_seq, first.head)]
    assert check_log(store) == {"m_a": 2}


def test_an_append_ahead_of_its_stream_is_a_conflict(store: Store) -> None:
    first = moves("m_a")
    assert store.append([moves("m_a", 1, first.head)]) == [Conflict("m_a", 1, Head())]
    assert check_log(store) == {}


def test_an_append_onto_another_line_of_the_same_number_is_a_conflict(store: Store) -> None:
    first, other = moves("m_a"), moves("m_a", cmd="another")
    stored(store, first)
    assert store.append([moves("m_a", 1, other.head)]) == [Conflict("m_a", 1, first.head)]
    assert check_log(store) == {"m_a": 1}


def test_a_conflict_leaves_the_rest_of_its_batch_alone(store: Store) -> None:
    first = moves("m_a")
    stored(store, first)
    outcomes = store.append([moves("m_b", 2), moves("m_a", 5), moves("m_c")])
    assert [type(outcome) for outcome in outcomes] == [Head, Conflict, Head]
    assert check_log(store) == {"m_a": 1, "m_b": 2, "m_c": 1}


def test_of_two_appends_onto_one_head_in_a_batch_the_first_is_stored(store: Store) -> None:
    won, lost = moves("m_a", 1), moves("m_a", 2)
    assert store.append([won, lost]) == [won.head, Conflict("m_a", 0, won.head)]
    assert check_log(store) == {"m_a": 1}


def test_a_batch_may_hold_a_stream_twice(store: Store) -> None:
    first = moves("m_a", 2)
    second = moves("m_a", 2, first.head)
    assert store.append([first, second]) == [first.head, second.head]
    assert check_log(store) == {"m_a": 4}


def test_lines_that_do_not_follow_one_another_are_no_append() -> None:
    whole = moves("m_a", 3)
    for lines in ((), whole.lines[::2], whole.lines[1:], moves("m_b").lines):
        with pytest.raises(ValueError, match="m_a"):
            Append("m_a", 0, lines)


def test_streams_are_listed_by_name(store: Store) -> None:
    for stream in ("t_b", "m_b", "m_a", "m_ab", "t_a", "n", "m"):
        stored(store, moves(stream, 2))
    assert list(store.streams()) == ["m", "m_a", "m_ab", "m_b", "n", "t_a", "t_b"]
    assert list(store.streams("m_")) == ["m_a", "m_ab", "m_b"]
    assert list(store.streams("m_ab")) == ["m_ab"]
    assert list(store.streams("x")) == []


def test_of_many_threads_onto_one_head_exactly_one_is_stored(store: Store) -> None:
    """D1"""
    start = Barrier(25)

    def race(writer: int) -> bool:
        append = written("m_a", [StockDrawn(0)], cmd=str(writer))
        start.wait()
        (outcome,) = store.append([append])
        return isinstance(outcome, Head)

    with ThreadPoolExecutor(25) as threads:
        assert sum(threads.map(race, range(25))) == 1
    assert check_log(store) == {"m_a": 1}


def test_readers_see_whole_appends_while_a_writer_writes(store: Store) -> None:
    """Each append has three lines, so a reader never ends in the middle of one."""

    def write() -> None:
        head = Head()
        for _ in range(100):
            head = stored(store, moves("m_a", 3, head))

    def read() -> list[int]:
        return [len(list(store.read("m_a"))) % 3 for _ in range(50)]

    with ThreadPoolExecutor(3) as threads:
        writing = threads.submit(write)
        readings = [threads.submit(read) for _ in range(2)]
        writing.result()
        assert {rest for reading in readings for rest in reading.result()} == {0}
    assert check_log(store) == {"m_a": 300}


def test_a_failure_before_the_commit_stores_nothing(store: FaultyStore) -> None:
    first = moves("m_a", 2)
    stored(store, first)
    batch = [moves("m_a", 1, first.head), moves("m_b", 2)]
    store.fault = "before"
    with pytest.raises(StoreFailedError):
        store.append(batch)
    store.fault = None
    assert store.head("m_a") == first.head
    assert check_log(store) == {"m_a": 2}
    assert store.append(batch) == [append.head for append in batch]
    assert check_log(store) == {"m_a": 3, "m_b": 2}


def test_a_failure_after_the_commit_has_stored_all(store: FaultyStore) -> None:
    """Whoever reads the stream again learns the truth, and goes on from there."""
    batch = [moves("m_a", 3), moves("m_b", 2)]
    store.fault = "after"
    with pytest.raises(StoreFailedError):
        store.append(batch)
    store.fault = None
    assert [store.head(append.stream) for append in batch] == [append.head for append in batch]
    assert list(store.read("m_a")) == [line.raw for line in batch[0].lines]
    assert store.append(batch) == [Conflict(each.stream, 0, each.head) for each in batch]
    stored(store, moves("m_a", 1, batch[0].head))
    assert check_log(store) == {"m_a": 4, "m_b": 2}


def test_a_closed_store_says_so(store: Store) -> None:
    stored(store, moves("m_a"))
    store.close()
    store.close()
    with pytest.raises(StoreClosedError):
        store.append([moves("m_b")])
    with pytest.raises(StoreClosedError):
        store.head("m_a")
    with pytest.raises(StoreClosedError):
        list(store.read("m_a"))
