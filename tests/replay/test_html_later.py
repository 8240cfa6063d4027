"""The page in a real browser: what comes after a match's end, and what was signed in it."""

import json
from pathlib import Path

import pytest
from support_disputed_logs import disputed_match, open_dispute, rule
from support_golden import golden_log
from support_logs import Log, events_of, forged, played
from support_replay_page import Shown, page_of

EVIL = "</q></script><img src=x onerror=\"document.title='taken'\">\n\u202eend \u0007"
MINUTE = 60_000


@pytest.fixture(scope="module")
def later(shown: Shown, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    directory = tmp_path_factory.mktemp("later")
    table = played(6, "classic", dispute_ms=10 * MINUTE)
    open_dispute(table, 0, 1)
    rule(table, "dismiss")
    # The rules let nobody write this; a log may hold it all the same.
    evil = forged(
        forged(table.log, len(table.log) - 2, data_text=EVIL), len(table.log) - 1, data_why=EVIL
    )
    for name, log in [
        ("disputed", disputed_match().log),
        ("evil", evil),
        ("signed", golden_log("signed")),
        ("unsigned", golden_log("classic")),
    ]:
        (directory / f"{name}.html").write_bytes(page_of(log))
    return Shown(shown.browser, directory)


@pytest.fixture(scope="module")
def disputed() -> Log:
    return disputed_match().log


def test_disputes_have_a_place_of_their_own_behind_the_hands(later: Shown, disputed: Log) -> None:
    first = events_of(disputed, "dispute_opened")[0] + 1
    later.open("disputed")
    assert f"begins at event {first}" in later.text("#banners")
    later.ask("document.querySelector('#banners a').click()")
    later.until(f"document.getElementById('scrub').value == {first}")
    assert later.text("#list h3:last-of-type") == "After the match"
    seqs = later.ask(
        "[...document.querySelector('#list [aria-label=\"After the match\"]')"
        ".querySelectorAll('a')].map(e => Number(e.dataset.seq))"
    )
    assert seqs == list(range(first, len(disputed) + 1))
    assert "hand 9" not in later.text("#told small")


def test_what_somebody_has_written_stands_with_the_event(later: Shown, disputed: Log) -> None:
    for index in events_of(disputed, "dispute_opened", "dispute_ruled", "dispute_appealed"):
        data = json.loads(disputed[index])["data"]
        later.open("disputed", f"seq={index + 1}")
        assert later.text("#told .written") == data.get("text", data.get("why"))


def test_a_ruling_has_its_row_in_the_score_sheet(later: Shown, disputed: Log) -> None:
    later.open("disputed", f"seq={len(disputed)}")
    rows = later.ask("[...document.querySelectorAll('#rows tbody tr')].map(e => e.textContent)")
    assert "by ruling" in rows[-1]
    assert "Alice wins the match by a director's ruling" in later.text("#rows .account")


def test_disputes_are_printed_with_their_texts(later: Shown) -> None:
    later.open("disputed")
    later.browser.printed()
    paper = later.text("#paper .later")
    assert "The bonus was counted twice." in paper
    assert later.ask(
        "[...document.querySelectorAll('#paper .hand')].every(e => !/dispute/.test(e.textContent))"
    )


def test_a_text_ends_no_element_and_turns_nothing_round(later: Shown) -> None:
    later.open("evil", "seq=9999")
    title = later.ask("document.title")
    later.press("ArrowLeft")
    written = later.text("#told .written")
    assert written == EVIL.replace("\u202e", "?").replace("\u0007", "?")
    later.browser.printed()
    assert later.ask("document.title") == title
    assert later.ask("document.images.length") == 0


def test_it_fits_a_phone_with_the_longest_text(later: Shown, tmp_path: Path) -> None:
    table = played(6, "classic", dispute_ms=10 * MINUTE)
    open_dispute(table, 0, 1, text="W" * 1000)
    (tmp_path / "long.html").write_bytes(page_of(table.log))
    page = Shown(later.browser, tmp_path)
    page.open("long", "seq=9999", width=390)
    assert page.ask("document.documentElement.scrollWidth <= innerWidth")


def test_a_signed_move_says_so(later: Shown) -> None:
    signed = [index + 1 for index, raw in enumerate(golden_log("signed")) if b'"sig":' in raw]
    later.open("signed", f"seq={signed[0]}")
    assert later.text("#told small").count("signed") == 1
    later.open("unsigned", "seq=30")
    assert "signed" not in later.text("#told small")
