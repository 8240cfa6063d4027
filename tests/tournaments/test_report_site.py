"""The report as a whole: it is complete, closed in itself, safe, and says what the logs say."""

import re
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from support_pages import Page
from support_played_events import PlayedEvent
from support_reports import EVENTS, HOSTILE, WHY, elsewhere, reported, three_bots

from ginrummy.audit.audit import audit
from ginrummy.audit.sources import LogFile
from ginrummy.tournaments.event.schedule import board_pairs
from ginrummy.tournaments.event.summary import Summary, summary
from ginrummy.tournaments.report import ReportError, write_report
from ginrummy.tournaments.report.figures import TO, margin, signed
from ginrummy.tournaments.report.naming import Names


class Report:
    """A written report, with the tournament that it is of."""

    def __init__(self, event: PlayedEvent, directory: Path) -> None:
        self.event = event
        self.directory = reported(event, directory)
        self.pages = {each.name: Page(each) for each in sorted(self.directory.glob("*.html"))}

    @property
    def summary(self) -> Summary:
        return summary(self.event.tournament)

    @property
    def names(self) -> Names:
        return Names(self.event.tournament)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    return {
        name: Report(make(), tmp_path_factory.mktemp("reports") / name)
        for name, make in EVENTS.items()
    }


@pytest.fixture(params=EVENTS)
def report(request: pytest.FixtureRequest, reports: dict[str, Report]) -> Report:
    return reports[request.param]


# --- closed in itself ---------------------------------------------------------------------------


def test_every_link_leads_to_a_file_of_the_report(report: Report) -> None:
    for page in report.pages.values():
        for link in page.links:
            if link == "data:,":
                continue
            parts = urlsplit(link)
            assert (parts.scheme, parts.netloc) == ("", ""), link
            target = report.directory / unquote(parts.path) if parts.path else page.file
            assert target.is_file(), link
            if parts.fragment:
                assert parts.fragment in Page(target).ids


def test_every_page_and_every_log_is_linked(report: Report) -> None:
    linked = {link for page in report.pages.values() for link in page.links}
    written = {
        str(each.relative_to(report.directory))
        for each in report.directory.rglob("*")
        if each.is_file()
    }
    assert written <= linked


def test_nothing_runs_and_nothing_comes_from_elsewhere(report: Report) -> None:
    for page in report.pages.values():
        for tag, attributes in page.tags:
            assert tag not in ("script", "iframe", "object", "embed", "img")
            assert not any(name.startswith("on") for name in attributes)
    style = (report.directory / "style.css").read_text()
    assert not re.search(r"url\(|@import|https?:", style)


def test_the_pages_are_sound_for_whoever_hears_them(report: Report) -> None:
    for name, page in report.pages.items():
        tags = [tag for tag, _ in page.tags]
        assert tags.count("h1") == tags.count("main") == 1, name
        assert page.title.strip(f" {TO}"), name
        assert len(set(page.ids)) == len(page.ids), name
        assert all(table.caption.strip() for table in page.tables), name
        for tag, attributes in page.tags:
            if tag == "th":
                assert attributes["scope"] in ("col", "row", "rowgroup"), name
            if tag == "svg":
                assert attributes["role"] == "img"
                assert set(attributes["aria-labelledby"].split()) <= set(page.ids)
            if attributes.get("role") == "region":
                assert set(attributes["aria-labelledby"].split()) <= set(page.ids)
                assert attributes["tabindex"] == "0"


# --- the logs -----------------------------------------------------------------------------------


def test_the_logs_are_what_is_stored_byte_for_byte(report: Report) -> None:
    event, logs = report.event, report.directory / "logs"
    for stream, lines in {event.id: event.log, **event.matches}.items():
        assert (logs / f"{stream}.jsonl").read_bytes() == b"".join(raw + b"\n" for raw in lines)
    assert len(list(logs.iterdir())) == 1 + len(event.matches) + 1


def test_every_listed_hash_is_the_files(report: Report) -> None:
    logs = report.directory / "logs"
    hashes = {each.name: sha256(each.read_bytes()).hexdigest() for each in logs.glob("*.jsonl")}
    sums = (logs / "SHA256SUMS").read_text().splitlines()
    listed = {name: listed_hash for listed_hash, _, name in (line.partition("  ") for line in sums)}
    assert listed == hashes
    shown: dict[str, str] = {}
    for name, page in report.pages.items():
        if name.startswith(("boards-", "match-")):
            shown.update(page.table("hashes").rows[1:])  # type: ignore[arg-type]  # rows of two
    shown[f"{report.event.id}.jsonl"] = hashes[f"{report.event.id}.jsonl"]
    assert shown == hashes
    assert hashes[f"{report.event.id}.jsonl"] in report.pages["audit.html"].text


def test_a_published_match_can_be_audited(reports: dict[str, Report]) -> None:
    directory = reports["bracket"].directory / "logs"
    for log in directory.glob("m_*.jsonl"):
        assert audit(LogFile(str(log))).clean, log.name


# --- what it says -------------------------------------------------------------------------------


def test_the_standings_are_those_of_the_summary(report: Report) -> None:
    names, results = report.names, report.summary
    for page in ("index.html", "standings.html"):
        rows = report.pages[page].table("standings").rows[1:]
        if not results.standings.rows:
            assert rows == [["Nobody has entered yet."]]
            continue
        assert len(rows) == len(results.standings.rows)
        for cells, row, own in zip(rows, results.standings.rows, results.entrants, strict=True):
            assert cells[0] == str(row.place)
            assert cells[1].startswith(names[row.entrant])
            assert cells[2] == f"{row.score} {TO.join(map(str, (row.wins, row.draws, row.losses)))}"
            figures = " ".join(cells[3:])
            if own.points_a_board is not None:
                assert f"{signed(own.points_a_board.value)} {margin(own.points_a_board)}" in figures
            if own.rating is not None:
                assert f"{signed(own.rating.value, 0)} {margin(own.rating, 0)}" in figures


def test_the_end_reasons_add_up(report: Report) -> None:
    """E10 each sitting has one end reason, and the sum of reasons is the number of sittings."""
    event = report.event.tournament
    if not event.sittings:
        return
    *rows, last = report.pages["index.html"].table("reasons").rows[1:]
    assert last[1:] == [str(len(event.sittings)), str(report.summary.standings.matches)]
    assert [sum(int(row[i] or 0) for row in rows) for i in (1, 2)] == [int(n) for n in last[1:]]


def test_the_boards_of_a_pairing_add_up(reports: dict[str, Report]) -> None:
    report = reports["three_bots"]
    event = report.event.tournament
    for pairing in event.rounds[0].pairings + event.rounds[1].pairings:
        played = [
            each
            for each in event.sittings
            if (each.round, each.table) == (pairing.round, pairing.table)
        ]
        page = report.pages[f"boards-{pairing.round}-{pairing.table}.html"]
        rows = page.table("boards").rows[1:]
        first_halves = [row for row in rows if len(row) == 7]
        assert len(rows) == len(played)
        pairs = board_pairs(played)
        total = 0
        for row in first_halves:
            pair = pairs.get(int(row[0]))
            total += pair.points if pair else 0
            expected = f"{signed(pair.points, 0)} {signed(total, 0)}" if pair else "not complete"
            assert row[5] == expected


def test_each_hand_says_how_it_ended_and_through_whom(reports: dict[str, Report]) -> None:
    pages = reports["three_bots"].pages
    text = " ".join(pages[f"boards-{number}-1.html"].text for number in (1, 2, 3))
    for said in ("program died", "program silent", "illegal moves", "resigned", "given up"):
        assert said in text, said
    assert re.search(r"forfeit by (expert|simple|chance): program died", text)
    assert re.search(r"(expert|simple|chance): (knock|gin|undercut)", text)


def test_a_match_is_told_hand_by_hand(reports: dict[str, Report]) -> None:
    report = reports["bracket"]
    for name, page in report.pages.items():
        if not name.startswith("match-"):
            continue
        rows = page.table("hands").rows[1:]
        points = [0, 0]
        for row in rows:
            points[0] += int(row[3] or 0)
            points[1] += int(row[4] or 0)
            assert row[5] == f"{points[0]} : {points[1]}"
        assert max(points) >= 25


def test_a_ruling_stands_with_its_why_and_strikes_the_old_result(
    reports: dict[str, Report],
) -> None:
    report = reports["club"]
    old = next(
        each
        for each in report.event.tournament.records
        if getattr(each, "reason", "") == "played" and each.pairing.table == 3  # type: ignore[union-attr]
    )
    for name in ("rounds.html", "round-1.html", "match-1-3.html"):
        page = report.pages[name]
        assert WHY in page.text
        assert "(rule K3)" in page.text
        (struck,) = page.struck
        assert struck.startswith("2 : 0" if old.outcome == "first" else "0 : 2")  # type: ignore[union-attr]


def test_what_was_entered_by_hand_is_no_ruling(reports: dict[str, Report]) -> None:
    assert "Ruling" not in reports["elsewhere"].pages["rounds.html"].text


def test_comings_goings_and_byes_are_told(reports: dict[str, Report]) -> None:
    text = reports["club"].pages["index.html"].text
    assert "Srinivasa Ramanujan 3 withdrew (a train to catch)" in text
    assert "Srinivasa Ramanujan 3 is back" in text
    assert "has a bye" in text
    assert "“the power went out”" in reports["given_up"].pages["index.html"].text


def test_the_bracket_has_its_places(reports: dict[str, Report]) -> None:
    report = reports["bracket"]
    winner = report.summary.placings[0][0]
    assert f"Places in the bracket: 1 {report.names[winner]}" in report.pages["index.html"].text


def test_the_sequential_test_is_told(reports: dict[str, Report]) -> None:
    report = reports["duel"]
    course = report.summary.test
    assert course is not None
    text = report.pages["index.html"].text
    assert f"H1 accepted after {course.counted.boards} boards: expert leads simple" in text
    assert f"is {signed(course.llr, 2)}" in text


def test_auditors_find_commitments_and_secrets(report: Report) -> None:
    event, text = report.event.tournament, report.pages["index.html"].text
    assert event.commitment in text
    assert event.lots in text
    assert all(each.nonce_commitment in text for each in event.entries)
    assert event.mix in text
    if event.stage == "ended":
        assert event.lots_secret is not None
        assert event.lots_secret in text
    if event.revealed:
        assert report.event.chain.secret(event.revealed).hex() in text


def test_no_secret_is_told_before_it_is_out(reports: dict[str, Report]) -> None:
    report = reports["waiting"]
    written = b"".join(each.read_bytes() for each in report.directory.rglob("*") if each.is_file())
    for board in (1, 2):
        assert report.event.chain.secret(board).hex().encode() not in written
    assert report.event.lots.hex().encode() not in written


@pytest.mark.parametrize("name", ["hostile", "hostile_matches"])
def test_a_name_is_never_more_than_a_name(name: str, reports: dict[str, Report]) -> None:
    report = reports[name]
    for page in report.pages.values():
        assert "<script" not in page.source
        assert "<b onclick" not in page.source
        assert report.event.tournament.terms.name in page.text
    text = report.pages["rounds.html"].text
    assert all(each in text for each in HOSTILE)


def test_two_of_one_name_are_told_apart(reports: dict[str, Report]) -> None:
    text = reports["hostile"].pages["standings.html"].text
    assert f"{HOSTILE[1]} (2)" in text
    assert f"{HOSTILE[1]} (4)" in text


def test_who_has_met_twice_has_a_link_to_each_meeting(reports: dict[str, Report]) -> None:
    links = reports["twice"].pages["crosstable.html"].links
    boards = [link for link in links if link.startswith("boards-")]
    assert len(boards) == 12
    assert len(set(boards)) == 6


# --- writing ------------------------------------------------------------------------------------


def _bytes(directory: Path) -> dict[str, bytes]:
    return {str(p.relative_to(directory)): p.read_bytes() for p in directory.rglob("*.*")}


def test_the_same_logs_give_the_same_bytes(tmp_path: Path) -> None:
    event = three_bots()
    assert _bytes(reported(event, tmp_path / "one")) == _bytes(reported(event, tmp_path / "two"))


def test_a_report_is_written_anew_in_its_place_as_the_tournament_goes_on(tmp_path: Path) -> None:
    event = EVENTS["waiting"]()
    reported(event, tmp_path)
    event.play()
    assert _bytes(reported(event, tmp_path)) == _bytes(reported(event, tmp_path / "new"))


def test_a_directory_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(ReportError, match="holds something else"):
        reported(elsewhere(4), tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["index.html"]
    with pytest.raises(ReportError, match="is a file"):
        reported(elsewhere(4), tmp_path / "index.html")


def test_another_tournaments_report_is_left_alone(tmp_path: Path) -> None:
    reported(three_bots(), tmp_path)
    other = EVENTS["duel"]()
    with pytest.raises(ReportError, match="holds something else"):
        reported(other, tmp_path)


def test_a_missing_log_is_named(tmp_path: Path) -> None:
    event = three_bots()
    gone = next(iter(event.matches))
    del event.matches[gone]
    with pytest.raises(ReportError, match=f"no log of {gone}"):
        reported(event, tmp_path / "report")


def test_a_log_that_the_tournament_does_not_vouch_for_is_refused(tmp_path: Path) -> None:
    event = three_bots()
    one, other, *_ = event.matches
    event.matches[one] = event.matches[other]
    with pytest.raises(ReportError, match=f"{one} is not the match"):
        reported(event, tmp_path / "report")


@pytest.mark.parametrize(
    ("lines", "message"),
    [([], "is empty"), ([b"no line"], "cannot be read"), (["second"], "cannot be read")],
)
def test_what_is_no_tournament_is_refused(
    lines: list[bytes | str], message: str, tmp_path: Path
) -> None:
    read = [elsewhere(4).log[1] if each == "second" else each for each in lines]
    with pytest.raises(ReportError, match=message):
        write_report(read, lambda _: (), tmp_path / "report")  # type: ignore[arg-type]
    assert not (tmp_path / "report").exists()
