"""The full audit report in its three forms: the checks, why they follow, and every decision."""

import re
from pathlib import Path

import msgspec
import pytest
from support_evidence import as_json, as_page, as_text, decided, full_report
from support_golden import golden_log
from support_logs import Log, Table, edited, events_of, forged, played
from support_pages import Page

from ginrummy.audit.audit import audit
from ginrummy.audit.report import CHECKS, Report
from ginrummy.evidence import grounds as grounds_module
from ginrummy.evidence.document import document_schema
from ginrummy.replay.ink import WIDTH, width
from ginrummy.replay.stepping import NoSuchPositionError

CLASSIC = golden_log("classic")
SCHEMA = Path(__file__).parents[2] / "docs" / "audit-report.schema.json"
NAMES = ("classic", "clock", "unrevealed", "board", "abandoned", "reveal_hand", "aborted")

EVIL = "\x1b[2J</td><script>alert(1)</script>"


def other_upcard() -> Log:
    """A server that turned up another card in the second hand than its deck has."""
    index = events_of(CLASSIC, "hand_dealt")[1]
    turned = msgspec.json.decode(CLASSIC[index])["data"]["upcard"]
    return forged(CLASSIC, index, data_upcard="AS" if turned != "AS" else "2S")


# --- why it follows -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_check_says_how_it_was_made_and_what_follows(name: str) -> None:
    full = full_report(golden_log(name))
    assert [ground.name for ground in full.grounds] == list(CHECKS)
    for ground in full.grounds:
        assert ground.how.endswith("."), ground.name
        assert bool(ground.so) == (ground.status == "passed"), ground.name


def test_no_check_is_without_its_reasons() -> None:
    assert set(CHECKS) <= set(grounds_module._HOW) & set(grounds_module._SO)


def test_what_failed_shows_nothing() -> None:
    log = forged(CLASSIC, events_of(CLASSIC, "hand_scored")[1], data_points=77)
    found = {ground.name: ground for ground in full_report(log).grounds}
    assert found["scores"].status == "failed"
    assert found["scores"].so == ""
    assert found["moves"].so != ""


def test_a_nonce_of_the_servers_weakens_what_the_nonces_show() -> None:
    both = played(129, "classic", nonce_by=("server", "server")).log
    one = played(129, "classic", nonce_by=("server", "player")).log
    said = [
        next(each.so for each in full_report(log).grounds if each.name == "nonces")
        for log in (both, one, CLASSIC)
    ]
    assert "the decks were the server's alone" in said[0]
    assert "neither the server nor a player could choose" in said[1]
    assert "Alice left it to the server" in said[1]
    assert "left it" not in said[2]


# --- one hand -------------------------------------------------------------------------------------


def test_a_report_of_one_hand_tells_its_decisions_alone() -> None:
    whole, second = full_report(CLASSIC), full_report(CLASSIC, hand=2)
    assert [hand.number for hand in second.hands()] == [2]
    assert decided(second) == next(
        list(hand.decisions) for hand in whole.hands() if hand.number == 2
    )
    # The checks are of the whole log all the same.
    assert second.report == whole.report


def test_faults_are_said_to_be_in_the_hand_or_elsewhere() -> None:
    log = forged(CLASSIC, events_of(CLASSIC, "hand_scored")[1], data_points=77)
    hit, missed = full_report(log, hand=2), full_report(log, hand=1)
    assert (hit.own_faults, missed.own_faults) == (1, 0)
    assert "1 of the faults above is in it" in as_text(hit)
    assert "None of its events is at fault" in as_text(missed)
    assert "1 of the faults above is in the rest" in " ".join(as_text(missed).split())


@pytest.mark.parametrize("name", ["classic", "abandoned"])
def test_a_hand_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(NoSuchPositionError, match="there is no hand 99"):
        full_report(golden_log(name), hand=99)


# --- logs that are not as they have to be ---------------------------------------------------------


def test_a_hand_that_was_not_dealt_from_its_deck_is_told_as_everybody_saw_it() -> None:
    full = full_report(other_upcard())
    assert full.report.check("dealing").status == "failed"
    assert full.survey.broken is None
    decks = {hand.number: hand.deal.deck for hand in full.hands() if hand.deal is not None}
    assert decks[2] is None
    assert decks[1] is not None


def test_what_cannot_be_followed_is_said_and_what_came_before_is_told() -> None:
    full = full_report([*CLASSIC[:40], *CLASSIC[41:]])
    assert decided(full)[-1].seq == 40
    assert full.survey.broken is not None
    for text in (as_text(full), as_page(full)):
        assert "No further decision is told: the log cannot be followed past event 40" in " ".join(
            text.split()
        )


def test_a_log_whose_first_line_cannot_be_read_still_has_a_report() -> None:
    full = full_report([b"{}", *CLASSIC[1:]])
    assert full.match is None
    assert decided(full) == []
    assert not as_json(full).clean
    assert "Not clean" in as_page(full)
    assert "NOT CLEAN" in as_text(full)


# --- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_text_is_eighty_columns_wide(name: str) -> None:
    for line in as_text(full_report(golden_log(name))).splitlines():
        assert width(line) <= WIDTH, line


def test_the_text_says_what_was_done_in_what_time_by_whom() -> None:
    text = as_text(full_report(golden_log("clock")))
    assert re.search(r"^ +9  Bob discards JS \(T1\) +22:49:05\.873$", text, re.MULTILINE)
    assert "        time  1,250 of 20,000 ms; bank Alice 59.25 s, Bob 58.5 s\n" in text
    assert "        held  2S 6S 7S JS KS 2H 4H 8H AD +3D 6D\n" in text
    assert "        knew  of Alice none, 10 hidden; 41 unseen\n" in text
    assert "        shown 3D; unseen by Alice 41, by others 51\n" in text
    assert "        by    the server for an absent player: the seat's time was over\n" in text


# --- JSON -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_json_holds_the_short_reports_fields_and_every_decision(name: str) -> None:
    log = golden_log(name)
    full = full_report(log)
    told = as_json(full)
    assert list(told.hand_by_hand) == list(full.hands())
    short = msgspec.json.decode(msgspec.json.encode(audit(log)))
    written = msgspec.json.decode(msgspec.json.encode(told))
    for field in set(Report.__struct_fields__) - {"checks"}:
        assert written[field] == short[field], field
    for check, ground in zip(short["checks"], written["checks"], strict=True):
        assert check.items() <= ground.items()


def test_the_schema_in_docs_is_that_of_the_report() -> None:
    again = (
        "import sys; from ginrummy.evidence.document import document_schema; "
        "sys.stdout.buffer.write(document_schema())"
    )
    assert SCHEMA.read_bytes() == document_schema(), f'python -c "{again}" > {SCHEMA}'


# --- the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_sound_and_asks_for_nothing(name: str, tmp_path: Path) -> None:
    file = tmp_path / "audit.html"
    file.write_text(as_page(full_report(golden_log(name))), encoding="utf-8")
    page = Page(file)
    tags = [tag for tag, _ in page.tags]
    assert tags.count("h1") == tags.count("main") == 1
    assert len(set(page.ids)) == len(page.ids)
    assert all(table.caption.strip() for table in page.tables)
    assert all(held["scope"] in ("col", "row") for tag, held in page.tags if tag == "th")
    assert not {"script", "img", "iframe", "object", "form"} & set(tags)
    for link in page.links:
        assert link.startswith("#"), link
        assert link[1:] in page.ids, link
    assert not re.search(r"url\(|@import|https?:", page.source)
    assert "default-src 'none'" in dict(page.tags[3][1])["content"]


def test_the_page_has_every_decision_and_leads_to_every_hand() -> None:
    full = full_report(CLASSIC)
    page = as_page(full)
    for decision in decided(full):
        assert f'id="event-{decision.seq}"' in page
    for hand in full.survey.hands:
        assert f'href="#hand-{hand.number}"' in page
        assert f'id="hand-{hand.number}"' in page


def test_a_fault_stands_at_its_decision_too() -> None:
    log = edited(CLASSIC, 20, by="p_zzzzzzzzzzzzzzzzzzzzzzzzzz")
    page = as_page(full_report(log))
    row = page.partition('id="event-21"')[2].partition("</tr>")[0]
    assert "actors: stock_drawn is by p_zzzz" in row


# --- what others chose ----------------------------------------------------------------------------


def test_no_name_steers_a_terminal_or_gets_into_a_page() -> None:
    table = Table(1, name=EVIL)
    table.names = (EVIL, "Bob")
    full = full_report(table.seated().play().log)
    text, page = as_text(full), as_page(full)
    assert "\x1b" not in text
    assert "\x1b" not in page
    assert "<script" not in page


def test_the_same_log_gives_the_same_bytes() -> None:
    assert as_page(full_report(CLASSIC)) == as_page(full_report(list(CLASSIC)))
    assert as_text(full_report(CLASSIC)) == as_text(full_report(list(CLASSIC)))
