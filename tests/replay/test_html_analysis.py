"""The analysis on the page in a real browser: the decision at hand, the graph, the table, paper."""

import json
from typing import Any

import pytest
from support_chromium import CONTRAST, FAINT, Browser
from support_golden import golden_log
from support_replay_page import Shown

from ginrummy.cli.judged import analysis_of
from ginrummy.replay.html import Analysis, write_page
from ginrummy.replay.stepping import Replay

CLASSIC = golden_log("classic")
LAST = len(CLASSIC)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analysis_of("classic", CLASSIC, None, (0, 1), 20)


@pytest.fixture(scope="module")
def shown(browser: Browser, analysis: Analysis, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    directory = tmp_path_factory.mktemp("pages")
    replay = Replay(CLASSIC)
    pages = {
        "all": write_page(CLASSIC, replay, None, (), analysis),
        "bob": write_page(CLASSIC, replay, 1, (), analysis),
        "public": write_page(CLASSIC, replay, "public", (), analysis),
        "none": write_page(CLASSIC, replay),
    }
    for name, page in pages.items():
        (directory / f"{name}.html").write_bytes(page)
    return Shown(browser, directory)


def decisions(analysis: Analysis) -> list[dict[str, Any]]:
    return [dict(each) for hand in analysis.hands for each in hand["decisions"]]


def one(analysis: Analysis, **wanted: Any) -> dict[str, Any]:  # noqa: ANN401 -- any field's value
    """Return the first decision with these fields; `True` and `False` say whether one is there."""
    for each in decisions(analysis):
        if all(
            bool(each[name]) == value if isinstance(value, bool) else each[name] == value
            for name, value in wanted.items()
        ):
            return each
    raise AssertionError(wanted)


def costly(analysis: Analysis) -> list[int]:
    return sorted(analysis.clear)


# --- the decision at hand -----------------------------------------------------------------------


def test_a_decision_says_its_deadwood_outs_expectation_and_the_best_found(
    shown: Shown, analysis: Analysis
) -> None:
    (seq, *_) = costly(analysis)
    said = one(analysis, seq=seq)
    shown.open("all", f"seq={seq}")
    told = shown.text("#decision")
    assert f"Deadwood{said['before']}" in told
    assert f"Outs{len(said['outs']['melding']) or 'none'}" in told
    assert f"± {said['expected']['error']:.1f} points in this hand" in told
    gave = said["gave_away"]
    assert f"{gave['mean']:.1f} ± {gave['error']:.1f} points more" in told
    assert shown.ask("document.querySelector('#decision .bad') !== null")


def test_a_knock_is_told_against_the_hand_that_lay_there_and_against_likely_ones(
    shown: Shown, analysis: Analysis
) -> None:
    said = one(analysis, knock=True)
    knock = said["knock"]
    shown.open("all", f"seq={said['seq']}")
    told = shown.text("#decision").replace("\u2212", "-")
    assert f"{knock['real']:+d} against the hand that lay there" in told
    assert f"{knock['likely']['mean']:+.1f}" in told
    shown.open("all", f"seq={said['seq']}&view={said['seat']}")
    told = shown.text("#decision").replace("\u2212", "-")
    assert f"{knock['likely']['mean']:+.1f}" in told
    assert "lay there" not in told


def test_a_lay_off_is_told_beside_the_least(shown: Shown, analysis: Analysis) -> None:
    laid = one(analysis, lay_off=True)
    shown.open("all", f"seq={laid['seq']}")
    assert (
        f"Laying off{laid['lay_off']['left']} points left, the least that could be"
        in shown.text("#decision")
    )


def test_a_missed_lay_off_and_a_better_spread_are_named(
    shown: Shown, analysis: Analysis, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nobody misses one in this match, so it is said of one all the same."""
    hands = json.loads(json.dumps(analysis.hands))
    for each in (each for hand in hands for each in hand["decisions"]):
        if each["lay_off"] is not None:
            each["lay_off"] |= {"left": 9, "least": 2, "missed": [{"card": "3C", "meld": 1}]}
        if each["knock"] is not None:
            each["knock"]["spread_gave_away"] = {"mean": 2.5, "error": 0.5}
            each["knock"]["best"]["melds"] = [["2C", "2D", "2H"], ["5S", "6S", "7S"]]
    missed = Analysis(
        hands=hands,
        clear=analysis.clear,
        tallies=analysis.tallies,
        sights=analysis.sights,
        skipped=["hand 4 cannot be analysed yet"],
    )
    file = tmp_path_factory.mktemp("missed") / "missed.html"
    file.write_bytes(write_page(CLASSIC, Replay(CLASSIC), None, (), missed))
    other = Shown(shown.browser, file.parent)
    other.open("missed", f"seq={one(analysis, lay_off=True)['seq']}")
    assert "9 points left, where 2 could have been; missed: 3♣ on meld 2" in other.text("#decision")
    other.open("missed", f"seq={one(analysis, knock=True)['seq']}")
    assert "2♣ 2♦ 2♥ · 5♠ 6♠ 7♠  scores 2.5 ± 0.5 points more" in other.text("#decision")
    assert other.text("#skipped") == "hand 4 cannot be analysed yet."


# --- whose eyes ---------------------------------------------------------------------------------


def test_what_one_seat_knew_is_not_shown_to_the_other(shown: Shown, analysis: Analysis) -> None:
    alice = one(analysis, seat=0)["seq"]
    shown.open("all", f"seq={alice}&view=1")
    assert "follows from cards that Bob did not see" in shown.text("#decision")
    assert shown.ask("document.querySelectorAll('#graph .of-0').length") == 1
    assert shown.ask("document.querySelectorAll('#graph svg[role] .of-0 .mark').length") == 0
    assert shown.ask("document.querySelectorAll('#graph svg[role] .of-1 .mark').length") > 0
    assert shown.ask("document.querySelectorAll('#tallies tbody tr').length") == 1
    shown.press("v")
    assert shown.view == "public"
    assert "not everybody has seen" in shown.text("#decision")
    assert shown.ask("document.getElementById('graph').hidden")
    assert shown.text("#tallies") == ""
    assert shown.ask("document.querySelectorAll('#list .cost').length") == 0


def test_a_page_for_one_seat_shows_that_seat_s_decisions(shown: Shown, analysis: Analysis) -> None:
    bob = one(analysis, seat=1, knock=True)
    shown.open("bob", f"seq={bob['seq']}")
    assert "on average against likely hands" in shown.text("#decision")
    assert "lay there" not in shown.text("#decision")
    assert "Beyond what could be known" not in shown.text("#analysis")


@pytest.mark.parametrize("name", ["none", "public"])
def test_a_page_without_an_analysis_has_no_place_for_one(name: str, shown: Shown) -> None:
    shown.open(name, "seq=30")
    assert shown.ask("document.getElementById('analysis')") is None
    assert shown.ask("getComputedStyle(document.querySelector('.for-analysis')).display") == "none"
    shown.press("c", "ArrowRight")
    assert shown.seq == 31


# --- the graph ----------------------------------------------------------------------------------

_CURSOR = "document.querySelector('#graph .cursor path').getAttribute('d')"


def test_the_graph_has_a_mark_for_each_decision_and_follows_the_steps(
    shown: Shown, analysis: Analysis
) -> None:
    shown.open("all", "seq=56")
    weighed = [each for each in analysis.hands[1]["decisions"] if each["expected"]]
    assert shown.ask("document.querySelectorAll('#graph svg[role] .mark').length") == len(weighed)
    assert shown.ask("document.querySelectorAll('#graph svg[role] .missed').length") == sum(
        each["seq"] in analysis.clear for each in weighed
    )
    first = shown.ask(_CURSOR)
    shown.press("ArrowRight")
    assert shown.ask(_CURSOR) != first
    label = shown.ask("document.querySelector('#graph svg[role]').getAttribute('aria-label')")
    assert label.startswith("Expected score over hand 2: Alice from ")
    shown.press("n")
    assert "hand 3" in shown.text("#graph figcaption")


def test_a_click_on_the_graph_goes_to_the_nearest_decision(
    shown: Shown, analysis: Analysis
) -> None:
    shown.open("all", "seq=56")
    weighed = [each["seq"] for each in analysis.hands[1]["decisions"] if each["expected"]]
    place = (
        "(() => { const marks = [...document.querySelectorAll('#graph svg[role] .mark')];"
        "const boxes = marks.map(each => each.getBoundingClientRect());"
        "const box = boxes.sort((one, other) => one.left - other.left)[%d];"
        "return [box.left + box.width / 2, box.top]; })()"
    )
    shown.ask("document.getElementById('graph').scrollIntoView({block: 'center'})")
    for number in (0, 4, len(weighed) - 1):
        left, top = shown.ask(place % number)
        shown.browser.click(left + 2, top + 15)
        assert shown.seq == weighed[number]
    shown.ask("history.back()")
    shown.until(f"document.getElementById('scrub').value == {weighed[4]}")


def test_the_graph_is_as_wide_as_its_place_also_after_it_was_hidden(shown: Shown) -> None:
    width = "document.querySelector('#graph svg').getBoundingClientRect().width"
    shown.open("all", "seq=56")
    whole = shown.ask(width)
    shown.open("all", "seq=56&view=public")
    shown.press("v")
    assert shown.view == "full"
    assert shown.ask(width) == whole


def test_the_graph_turns_round_with_the_eyes(shown: Shown) -> None:
    shown.open("all", "seq=56")
    assert "↑ points for Alice" in shown.text("#graph")
    shown.open("all", "seq=56&view=1")
    assert "↑ points for Bob" in shown.text("#graph")


# --- from one costly choice to the next ---------------------------------------------------------


def test_keys_and_buttons_go_through_the_costly_choices(shown: Shown, analysis: Analysis) -> None:
    first, second, *_ = costly(analysis)
    shown.open("all")
    shown.press("c")
    assert shown.seq == first
    shown.click("#next-costly")
    assert shown.seq == second
    shown.press("x")
    assert shown.seq == first
    shown.press("x")
    assert shown.seq == first
    assert shown.ask("document.getElementById('costly-before').hasAttribute('aria-disabled')")
    marked = shown.ask(
        "[...document.querySelectorAll('#list .cost')].map(e => Number(e.closest('a').dataset.seq))"
    )
    assert marked == costly(analysis)


def test_for_one_seat_only_its_own_are_gone_through(shown: Shown, analysis: Analysis) -> None:
    own = [each["seq"] for each in decisions(analysis) if each["seat"] == 1]
    shown.open("bob")
    shown.press("c")
    assert shown.seq == next(seq for seq in costly(analysis) if seq in own)


# --- the table ----------------------------------------------------------------------------------


def test_the_table_has_every_decision_of_the_hand_and_leads_to_it(
    shown: Shown, analysis: Analysis
) -> None:
    shown.open("all", "seq=56")
    shown.click("#decisions summary")
    shown.until("document.querySelectorAll('.decisions tbody tr').length > 0")
    wanted = [each["seq"] for each in analysis.hands[1]["decisions"]]
    rows = "[...document.querySelectorAll('.decisions tbody tr')].map(e => Number(e.dataset.seq))"
    assert shown.ask(rows) == wanted
    assert shown.ask("document.querySelector('.decisions [aria-current]').dataset.seq") == "56"
    shown.click(f".decisions [data-seq='{wanted[3]}'] a")
    assert shown.seq == wanted[3]
    shown.press("n")
    assert shown.ask(rows) == [each["seq"] for each in analysis.hands[2]["decisions"]]


def test_the_match_is_added_up_in_careful_words(shown: Shown, analysis: Analysis) -> None:
    shown.open("all", f"seq={LAST}")
    told = shown.text("#tallies").replace("\u2212", "-")
    gave = analysis.tallies[0]["gave_away"]
    assert f"Alice{gave['mean']:+.1f} ± {gave['error']:.1f}" in told
    assert "Draws: too little to say anything; it takes 30 hands with such choices." in told


# --- for everybody, and on paper ----------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_said_stands_out_from_its_ground(
    scheme: str, shown: Shown, analysis: Analysis
) -> None:
    shown.open("all", f"seq={costly(analysis)[0]}", dark=scheme == "dark")
    shown.verdict()
    for summary in range(2):
        shown.ask(f"document.querySelectorAll('#analysis summary')[{summary}].click()")
    shown.until("document.querySelectorAll('.decisions tbody tr').length > 0")
    assert shown.ask(FAINT) == []
    # What the lines of the graph and its text look like is SVG's, which the script above leaves.
    for selector, least in ((".of-0", 3), (".of-1", 3), (".missed", 3), ("text", 4.5)):
        assert shown.ask(_STANDS_OUT.replace("SELECTOR", f"#graph {selector}")) >= least


_STANDS_OUT = f"""
(() => {{
  const element = document.querySelector("SELECTOR");
  const style = getComputedStyle(element);
  const isText = element.matches("text");
  const drawn = isText ? style.fill : element.matches("path") ? style.stroke : style.color;
  return ({CONTRAST})(drawn, getComputedStyle(document.body).backgroundColor);
}})()
"""


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_it_fits_the_window(width: int, shown: Shown, analysis: Analysis) -> None:
    shown.open("all", f"seq={costly(analysis)[0]}", width=width)
    shown.click("#decisions summary")
    shown.until("document.querySelectorAll('.decisions tbody tr').length > 0")
    assert shown.ask("document.documentElement.scrollWidth <= innerWidth")
    assert shown.ask(
        "document.querySelector('#graph svg').getBoundingClientRect().right <= innerWidth"
    )


def test_the_keyboard_reaches_the_analysis(shown: Shown, analysis: Analysis) -> None:
    shown.open("all", f"seq={costly(analysis)[0]}")
    shown.ask("document.getElementById('pace').focus()")
    reached = []
    for _ in range(6):
        shown.press("Tab")
        reached.append(shown.ask("document.activeElement.id || document.activeElement.textContent"))
    for wanted in ("costly-before", "next-costly", "All decisions of this hand"):
        assert wanted in reached


def test_on_paper_every_hand_has_its_graph_and_its_decisions(
    shown: Shown, analysis: Analysis
) -> None:
    shown.open("all", "seq=30")
    assert shown.browser.printed().startswith(b"%PDF")
    assert shown.ask("document.querySelectorAll('#paper .hand svg[role=img].graph').length") == 3
    rows = shown.ask("document.querySelectorAll('#paper .decisions tbody tr').length")
    assert rows == len(decisions(analysis))
    assert "Analysis of the match" in shown.text("#paper")
    shown.open("all", "seq=30&view=public")
    shown.browser.printed()
    assert shown.ask("document.querySelectorAll('#paper .graph, #paper .decisions').length") == 0
