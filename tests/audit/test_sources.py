"""Where lines come from: anew each time, a piece at a time, and whole."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from support_logs import played

from ginrummy.audit.audit import audit
from ginrummy.audit.errors import UnusableLogError
from ginrummy.audit.sources import LogFile, spooled

LOG = played(129, "classic").log


def test_a_file_is_its_lines_each_time(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    path.write_bytes(b"".join(raw + b"\n" for raw in LOG))
    lines = LogFile(path)
    assert list(lines) == list(lines) == LOG
    assert audit(lines) == audit(LOG)


def test_the_last_line_needs_no_newline(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    path.write_bytes(b"\n".join(LOG))
    assert list(LogFile(path)) == LOG


def test_a_torn_last_line_is_found(tmp_path: Path) -> None:
    """D4 a copy that broke off ends in the middle of a line, and the audit says so."""
    path = tmp_path / "match.log"
    path.write_bytes(b"\n".join(LOG)[:-40])
    report = audit(LogFile(path))
    assert [(fault.check, fault.seq) for fault in report.faults] == [("line-form", len(LOG))]
    assert "breaks off" in report.faults[0].message


def test_lines_may_be_longer_than_a_piece(tmp_path: Path) -> None:
    path = tmp_path / "long.log"
    path.write_bytes(b"a" * 700_000 + b"\n" + b"b" * 3 + b"\n\n")
    assert list(map(len, LogFile(path))) == [700_000, 3, 0]


def test_a_file_without_lines_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"\0" * 3_000_000)
    with pytest.raises(UnusableLogError, match="more than a megabyte"):
        list(LogFile(path))


def test_what_can_be_gone_through_once_is_kept() -> None:
    with spooled(iter(LOG)) as lines:
        assert list(lines) == list(lines) == LOG
    assert audit(iter(LOG)) == audit(LOG)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "no line"),
        ([b""], "none of its lines"),
        ([b"hello", b"world"], "none of its lines"),
        ([b'{"a":1}'] * 5000, "none of its lines"),
        ([b"[]", b"null", b"{}"], "none of its lines"),
    ],
)
def test_what_is_no_log_cannot_be_audited(lines: list[bytes], why: str) -> None:
    with pytest.raises(UnusableLogError, match=why):
        audit(lines)


def test_a_log_of_events_that_nobody_here_knows_is_a_log() -> None:
    """D5 it is not passed over either."""
    raw = LOG[0].replace(b'"v":3', b'"v":9').replace(b"match_created", b"league_opened")
    report = audit([raw])
    assert report.stream
    assert "league_opened in version 9" in report.faults[0].message


class _Endless:
    """Lines that are made as they are asked for, so that only an audit can hold them."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.times):
            yield from LOG


def test_a_long_log_takes_no_more_memory_than_a_short_one() -> None:
    """Even one that is wrong in nearly every line."""

    def peak(times: int) -> int:
        tracemalloc.start()
        try:
            audit(_Endless(times))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1)
    assert peak(200) < peak(20) + 100_000
