"""The page in a real browser: notes, whoever reads it otherwise, small windows, and paper."""

from itertools import pairwise

import pytest
from support_chromium import CONTRAST, FAINT
from support_replay_page import LAST, Shown

# --- notes --------------------------------------------------------------------------------------

_WRITE = (
    "(() => {{ const note = document.getElementById('note'); note.value = {};"
    "note.dispatchEvent(new Event('input')); }})()"
)


def test_notes_are_written_and_kept(forgetful: Shown) -> None:
    forgetful.open("classic", "seq=30")
    forgetful.ask(_WRITE.format("'Here it turned.'"))
    forgetful.press("ArrowRight")
    assert forgetful.ask("document.getElementById('note').value") == ""
    forgetful.open("classic", "seq=30")
    assert forgetful.ask("document.getElementById('note').value") == "Here it turned."
    assert "Here it turned." in forgetful.text("#told")
    assert "Event 30, Bob discards" in forgetful.ask("notes.asText()")
    assert forgetful.ask("notes.asLines()") == '{"seq":30,"text":"Here it turned."}\n'
    forgetful.ask(_WRITE.format("''"))
    assert forgetful.ask("notes.asLines()") == ""


def test_notes_that_came_with_the_page_are_shown(shown: Shown) -> None:
    shown.open("noted", "seq=30")
    assert "Why not the 8?" in shown.text("#told")
    assert "came with the page" in shown.text("#noted")
    shown.press("ArrowRight")
    assert "Why not the 8?" not in shown.text("#told")


# --- for everybody ------------------------------------------------------------------------------


def test_what_happens_is_read_out(shown: Shown) -> None:
    shown.open("classic", "seq=30&view=full")
    assert shown.ask("document.getElementById('told').getAttribute('aria-live')") == "polite"
    assert shown.text("#told .unseen") == f"Event 30 of {LAST}: Bob discards 7 of spades"
    names = shown.ask("[...document.querySelectorAll('#table .card')].map(e => e.ariaLabel)")
    assert "7 of spades, thrown by Bob, on top" in names
    assert "4 of hearts" in names
    assert all(names)


def test_everything_that_can_be_pressed_has_a_name(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    nameless = shown.ask(
        "[...document.querySelectorAll('button, select, textarea, input, a')].filter(e =>"
        "!(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert nameless == []


def test_the_keyboard_reaches_everything(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    reached = []
    for _ in range(40):
        shown.press("Tab")
        reached.append(shown.ask("document.activeElement.id || document.activeElement.tagName"))
    for wanted in ("verdict", "dark", "scrub", "auto", "pace", "note", "save-log"):
        assert wanted in reached
    # The list of moves is one stop, and the arrows go through it.
    assert shown.ask("document.querySelectorAll('#list a[tabindex=\"0\"]').length") == 1
    shown.ask("document.querySelector('#list [aria-current]').focus()")
    shown.press("ArrowDown", "ArrowDown", "ArrowUp")
    assert shown.ask("document.activeElement.dataset.seq") == "31"


def test_the_focus_goes_as_the_page_is_read(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    reached: list[str] = []
    while "save-log" not in reached:
        assert len(reached) < 60
        shown.press("Tab")
        reached.append(shown.ask(_FOCUSED))
    wanted = [
        *("To the table", "verdict", "full", "0", "1", "public", "colours", "dark", "link"),
        *("scrub", "first", "back", "auto", "on", "last", "hand-before", "next-hand"),
        *("next-knock", "pace", "30 Bob discards", "note", "How to check it yourself", "save-log"),
    ]
    assert [each for each in reached if each in wanted] == wanted


_FOCUSED = """
(() => {
  const { id, dataset, textContent } = document.activeElement;
  if (dataset.seq) return dataset.seq + ' ' + textContent.match(/[A-Z][a-z]+ [a-z]+/)[0];
  return id || dataset.view || textContent.trim();
})()
"""


def test_what_has_the_focus_shows_it(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    for _ in range(12):
        shown.press("Tab")
        style, width = shown.ask(
            "(() => { const style = getComputedStyle(document.activeElement);"
            "return [style.outlineStyle, parseFloat(style.outlineWidth)]; })()"
        )
        assert style != "none"
        assert width >= 1


@pytest.mark.parametrize("name", ["classic", "sealed", "damaged"])
def test_headings_and_regions_say_how_the_page_is_built(name: str, shown: Shown) -> None:
    shown.open(name, "seq=40")
    shown.verdict()
    levels = shown.ask(
        "[...document.querySelectorAll('#screen :is(h1, h2, h3, h4)')]"
        ".map(e => Number(e.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert shown.ask("document.querySelectorAll('main').length") == 1
    assert shown.ask("document.documentElement.lang") == "en"
    nameless = shown.ask(
        "[...document.querySelectorAll('section, [role=group], [role=region], [role=img]')]"
        ".filter(e => !e.ariaLabel && !e.closest('[aria-hidden=true]')"
        "&& !document.getElementById(e.getAttribute('aria-labelledby'))).map(e => e.outerHTML)"
    )
    assert nameless == []


def test_only_what_happens_is_spoken_of_itself(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    live = shown.ask(
        "[...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map(e => e.id)"
    )
    assert live == ["verdict", "told", "copied"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("four", [False, True])
def test_every_suit_stands_out_from_its_card(four: bool, scheme: str, shown: Shown) -> None:  # noqa: FBT001 -- a case
    shown.open("classic", "seq=30", dark=scheme == "dark")
    shown.ask(f"document.documentElement.dataset.four = '{'on' if four else 'off'}'")
    contrasts = shown.ask(_SUITS)
    assert len(contrasts) == 4
    assert min(contrasts) >= 4.5
    assert shown.ask(
        "new Set([...'SHDC'].map(suit =>"
        "getComputedStyle(document.querySelector(`#card-7${suit} .${suit}`)).fill)).size"
    ) == (4 if four else 2)


_SUITS = f"""
[...'SHDC'].map(suit => {{
  const fill = what => getComputedStyle(document.querySelector(what)).fill;
  return ({CONTRAST})(fill(`#card-7${{suit}} .${{suit}}`), fill(`#card-7${{suit}} .paper`));
}})
"""


def test_what_is_pressed_is_large_enough_for_a_finger(shown: Shown) -> None:
    """WCAG asks for 24 pixels each way."""
    shown.open("classic", "seq=30", width=390)
    small = shown.ask(
        "[...document.querySelectorAll('button, select, input, #list a, #verdict')].filter(e => {"
        "const box = e.getBoundingClientRect(); return box.width < 24 || box.height < 24; })"
        ".map(e => e.outerHTML)"
    )
    assert small == []


def test_whoever_wants_no_motion_gets_none(shown: Shown) -> None:
    moving = "getComputedStyle(document.querySelector('.thrown.top .card')).animationName"
    shown.open("classic", "seq=30")
    assert shown.ask(moving) == "arrive"
    shown.open("classic", "seq=30", still=True)
    assert shown.ask(moving) == "none"


_FITS = """
(() => {
  const ends = /knocked|laid_off|hand_scored|hand_voided|match_ended/;
  const isTried = seq => seq % 9 === 0 || ends.test(match.event(seq).type);
  for (let seq = 1; seq <= match.last; seq++) {
    const view = match.views[seq % match.views.length];
    if (!isTried(seq)) continue;
    table.draw(match.state(seq, view), view);
    if (document.documentElement.scrollWidth > innerWidth) return [seq, view];
  }
  return 'fits';
})()
"""


@pytest.mark.parametrize("name", ["oklahoma", "straight", "clock", "sealed", "evil", "damaged"])
def test_it_fits_a_phone_at_every_stage(name: str, shown: Shown) -> None:
    shown.open(name, f"seq={LAST}", width=390)
    shown.verdict()
    assert shown.ask(_FITS) == "fits"


def test_it_fits_the_narrowest_window(shown: Shown) -> None:
    """320 pixels, as WCAG asks of whoever magnifies."""
    for seq in (1, 30, 51, LAST):
        shown.open("classic", f"seq={seq}", width=320)
        assert shown.ask("document.documentElement.scrollWidth <= innerWidth"), seq


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground(scheme: str, shown: Shown) -> None:
    for name, fragment in [
        ("classic", f"seq={LAST}"),
        ("noted", "seq=30"),
        ("sealed", "seq=40"),
        ("damaged", "seq=69&view=0"),
    ]:
        shown.open(name, fragment, dark=scheme == "dark")
        shown.verdict()
        assert shown.ask(FAINT) == []


_GROUND = "getComputedStyle(document.body).backgroundColor"


def test_dark_and_four_colours_are_a_switch(forgetful: Shown) -> None:
    forgetful.open("classic", "seq=30")
    light = forgetful.ask(_GROUND)
    forgetful.click("#dark")
    dark = forgetful.ask(_GROUND)
    assert dark != light
    forgetful.open("classic")
    assert forgetful.ask(_GROUND) == dark
    forgetful.open("classic", dark=True)
    forgetful.click("#dark")
    assert forgetful.ask(_GROUND) == light
    colour = "getComputedStyle(document.querySelector('#card-7D .D')).fill"
    two = forgetful.ask(colour)
    forgetful.click("#colours")
    assert forgetful.ask(colour) != two


def test_on_paper_it_is_a_hand_history(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    assert shown.browser.printed().startswith(b"%PDF")
    paper = shown.text("#paper")
    for told in ("Hand 3", "Bob knocks with 8, 5♦ face down", "Alice at the end, deadwood 6"):
        assert told in paper
    assert shown.ask("document.querySelectorAll('#paper .spreads .added').length") == 3
    shown.open("classic", "seq=30", printing=True)
    assert shown.ask("getComputedStyle(document.getElementById('screen')).display") == "none"
    assert shown.ask(_GROUND) == "rgb(255, 255, 255)"


def test_no_two_things_have_one_name(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    ids = shown.ask("[...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len(set(ids))
