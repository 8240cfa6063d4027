"""The page in a real browser: keys, jumps, eyes, the address, notes, and the proof, from disk."""

import json
import time
from collections.abc import Callable, Iterator

import pytest
from support_chromium import FAINT, Browser, browser_or_skip
from support_golden import golden_log
from support_logs import Log, Table, edited, events_of, forged
from support_replay_page import Shown

from ginrummy.replay.html import write_page
from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import Replay
from ginrummy.rules.view import Perspective, view

CLASSIC = golden_log("classic")
KNOCKS = [index + 1 for index in events_of(CLASSIC, "knocked")]
DEALS = [index + 1 for index in events_of(CLASSIC, "hand_dealt")]
LAST = len(CLASSIC)

EVIL = "</script><img src=x onerror=\"document.title='taken'\">"


def page_of(lines: Log, only: Perspective | None = None, *notes: Note) -> bytes:
    return write_page(lines, Replay(lines), only, notes)


def _evil() -> Log:
    table = Table(1, name=EVIL)
    table.names = ("<b>A</b>", "</script>")
    return table.seated().play().log


def _damaged() -> Log:
    """A log with a score that does not follow, and one line changed without its hash."""
    scored = events_of(CLASSIC, "hand_scored")[1]
    log = forged(CLASSIC, scored, data_points=77)
    return edited(log, 20, by="p_zzzzzzzzzzzzzzzzzzzzzzzzzz")


PAGES: dict[str, Callable[[], bytes]] = {
    "classic": lambda: page_of(CLASSIC),
    "noted": lambda: page_of(CLASSIC, None, Note(30, "Why not the 8?\nIt was safe.")),
    "alice": lambda: page_of(CLASSIC, 0),
    "sealed": lambda: page_of(golden_log("unrevealed")),
    "oklahoma": lambda: page_of(golden_log("oklahoma")),
    "straight": lambda: page_of(golden_log("straight")),
    "clock": lambda: page_of(golden_log("clock")),
    "abandoned": lambda: page_of(golden_log("abandoned")),
    "damaged": lambda: page_of(_damaged()),
    # The log is as it was, and the picture shows another stock.
    "repainted": lambda: page_of(CLASSIC).replace(b'"order":"JC8C', b'"order":"8CJC', 1),
    "cut": lambda: page_of([*CLASSIC[:40], *CLASSIC[41:]]),
    "evil": lambda: page_of(_evil()),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_or_skip() as started:
        yield started


@pytest.fixture(scope="module")
def shown(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    directory = tmp_path_factory.mktemp("pages")
    for name, make in PAGES.items():
        (directory / f"{name}.html").write_bytes(make())
    return Shown(browser, directory)


@pytest.fixture
def forgetful(shown: Shown) -> Iterator[Shown]:
    """The browser, which has kept nothing before and keeps nothing after."""
    shown.open("abandoned")
    shown.ask("localStorage.clear()")
    yield shown
    shown.ask("localStorage.clear()")


# --- stepping -----------------------------------------------------------------------------------


def test_keys_step(shown: Shown) -> None:
    shown.open("classic")
    assert shown.seq == 1
    for key, seq in [
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", LAST),
        ("ArrowRight", LAST),
        ("Home", 1),
        ("ArrowLeft", 1),
        ("n", DEALS[0]),
        ("N", DEALS[1]),
        ("p", DEALS[0]),
        ("k", KNOCKS[0]),
        ("k", KNOCKS[1]),
    ]:
        shown.press(key)
        assert (key, shown.seq) == (key, seq)


def test_buttons_do_as_the_keys_do(shown: Shown) -> None:
    shown.open("classic")
    for button, seq in [
        ("on", 2),
        ("back", 1),
        ("last", LAST),
        ("first", 1),
        ("next-hand", DEALS[0]),
        ("next-knock", KNOCKS[0]),
        ("hand-before", DEALS[0]),
    ]:
        shown.click(f"#{button}")
        assert (button, shown.seq) == (button, seq)


def test_it_plays_by_itself_and_stops(shown: Shown) -> None:
    shown.open("classic", f"seq={LAST - 2}")
    shown.ask("document.getElementById('pace').value = '250'")
    shown.press(" ")
    assert shown.text("#auto title, #auto").strip() == ""
    assert shown.ask("document.getElementById('auto').getAttribute('aria-label')") == "Stop"
    shown.until(f"document.getElementById('scrub').value == {LAST}")
    assert shown.ask("document.getElementById('auto').getAttribute('aria-label')") == "Play"
    shown.press(" ")
    assert shown.seq == 1
    shown.until("document.getElementById('scrub').value > 1")
    shown.press(" ")
    stopped = shown.seq
    time.sleep(0.6)
    assert shown.seq == stopped


def test_keys_are_left_to_whoever_writes(shown: Shown) -> None:
    shown.open("classic", "seq=30")
    shown.ask("document.getElementById('note').focus()")
    shown.press("n", " ", "k", "ArrowLeft")
    assert shown.seq == 30
    assert shown.ask("document.getElementById('note').value") == "n k"


def test_a_click_on_a_move_goes_there(shown: Shown) -> None:
    shown.open("classic")
    shown.click("#list a[data-seq='51']")
    assert shown.seq == 51
    assert shown.ask("location.hash") == "#seq=51&view=full"
    assert shown.text("#list [aria-current]").startswith("51Alice lays off")
    assert shown.ask(
        "(() => { const list = document.getElementById('list').getBoundingClientRect();"
        "const link = document.querySelector('[aria-current]').getBoundingClientRect();"
        "return list.top <= link.top && link.bottom <= list.bottom; })()"
    )


# --- the address --------------------------------------------------------------------------------


def test_an_address_is_an_event_and_a_perspective(shown: Shown) -> None:
    shown.open("classic", "seq=30&view=0")
    assert (shown.seq, shown.view) == (30, "0")
    shown.press("ArrowRight")
    shown.until("location.hash === '#seq=31&view=0'")


@pytest.mark.parametrize(
    ("fragment", "seq", "eyes"),
    [
        ("seq=9999", LAST, "full"),
        ("seq=0&view=7", 1, "full"),
        ("seq=x&view=public", 1, "public"),
        ("proof", 1, "full"),
    ],
)
def test_an_address_that_is_not_there_does_no_harm(
    fragment: str, seq: int, eyes: str, shown: Shown
) -> None:
    shown.open("classic", fragment)
    assert (shown.seq, shown.view) == (seq, eyes)


def test_the_browser_goes_back_and_forward(shown: Shown) -> None:
    shown.open("classic", "seq=10")
    shown.press("k", "ArrowRight", "End")
    shown.ask("history.back()")
    shown.until(f"document.getElementById('scrub').value == {KNOCKS[0] + 1}")
    shown.ask("history.back()")
    shown.until("document.getElementById('scrub').value == 10")
    shown.ask("history.forward()")
    shown.until(f"document.getElementById('scrub').value == {KNOCKS[0] + 1}")


def test_the_link_to_an_event_can_be_copied(shown: Shown) -> None:
    shown.open("classic", "seq=30&view=1")
    shown.click("#link")
    shown.until("document.getElementById('copied').textContent !== ''")
    field = shown.ask("document.querySelector('#copied input')?.value ?? ''")
    copied = shown.text("#copied")
    assert field.endswith("#seq=30&view=1") or copied == "The link to this event is copied."


# --- whose eyes ---------------------------------------------------------------------------------

_ON_THE_TABLE = """
[...document.querySelectorAll('.seat')].map(seat => ({
  seat: Number(seat.className.match(/seat-(.)/)[1]),
  cards: [...seat.querySelectorAll('use')].map(use => use.getAttribute('href').slice(1)),
}))
"""


@pytest.mark.parametrize("perspective", ["full", "0", "1", "public"])
@pytest.mark.parametrize("seq", [30, 33, 50, LAST])
def test_only_what_a_perspective_sees_is_in_the_picture(
    perspective: str, seq: int, shown: Shown
) -> None:
    shown.open("classic", f"seq={seq}&view={perspective}")
    eyes: Perspective = {"0": 0, "1": 1, "full": "full"}.get(perspective, "public")  # type: ignore[assignment]
    hand = view(Replay(CLASSIC).at(seq).match, eyes).hand
    assert hand is not None
    for seat in shown.ask(_ON_THE_TABLE):
        held, faces = hand.hands[seat["seat"]], seat["cards"]
        allowed = {
            f"card-{card}" for card in (*held.cards, *([hand.face_down] * bool(hand.face_down)))
        }
        if hand.laid_off is not None:
            allowed |= {f"card-{each.card}" for each in hand.laid_off.layoffs}
        assert {face for face in faces if face != "card-back"} <= allowed
        if hand.laid_off is None:
            assert {f"card-{card}" for card in held.cards} <= set(faces)
        down = hand.knocked is not None and hand.knocked.seat == seat["seat"] and not hand.face_down
        assert faces.count("card-back") == held.hidden + down
    drawn = shown.text("#list")
    assert ("Bob draws from the stock" in drawn) == (perspective in ("0", "public"))


def test_the_eyes_change_with_a_button_and_a_key(shown: Shown) -> None:
    shown.open("classic", "seq=33")
    for eyes in ("0", "1", "public", "full"):
        shown.press("v")
        assert shown.view == eyes
    shown.click("#views [data-view='1']")
    assert (shown.view, shown.ask("location.hash")) == ("1", "#seq=33&view=1")
    assert shown.ask("document.querySelector('#table .seat:last-of-type h3').textContent") == "Bob"


def test_a_page_for_one_seat_has_no_other_eyes(shown: Shown) -> None:
    shown.open("alice", "seq=30&view=full")
    assert shown.view == "0"
    assert shown.ask("document.querySelectorAll('#views button').length") == 1
    assert "as Alice saw it" in shown.text("#banners")


def test_a_sealed_page_says_why(shown: Shown) -> None:
    shown.open("sealed", "seq=40")
    assert shown.view == "public"
    assert "its secrets come out when the match is over" in shown.text("#banners")


# --- the proof ----------------------------------------------------------------------------------


def test_a_good_log_is_checked_in_the_browser(shown: Shown) -> None:
    shown.open("classic")
    assert shown.verdict() == "✓ Checked, no fault"
    assert f"{LAST} lines, no fault" in shown.text("#report")
    assert f"All {LAST} lines of the log are in this file" in shown.text("#report")


def test_the_faults_of_a_damaged_log_lead_to_their_events(shown: Shown) -> None:
    shown.open("damaged")
    assert shown.verdict().startswith("✗ ")
    scored = events_of(CLASSIC, "hand_scored")[1] + 1
    links = shown.ask("[...document.querySelectorAll('.faults a')].map(each => each.textContent)")
    assert {"Event 21", f"Event {scored}"} <= set(links)
    assert shown.ask("document.querySelectorAll('#list .faulty').length") >= 2
    shown.ask(
        "[...document.querySelectorAll('.faults a')]"
        f".find(link => link.textContent === 'Event {scored}').click()"
    )
    shown.until(f"document.getElementById('scrub').value == {scored}")


def test_a_picture_that_is_not_the_log_s_is_told_from_it(shown: Shown) -> None:
    shown.open("repainted")
    assert shown.verdict() == "✗ Not what the log says"
    assert "the deal of hand 1 on this page is not" in shown.text("#report")
    shown.open("classic")
    shown.verdict()
    assert "The deals that this page shows are those" in shown.text("#report")


def test_a_log_with_a_line_cut_out_is_shown_up_to_there(shown: Shown) -> None:
    shown.open("cut")
    assert shown.verdict().startswith("✗ ")
    assert shown.ask("document.getElementById('scrub').max") == "40"
    assert "event 40" in shown.text("#banners")


def test_the_lines_of_one_perspective_are_checked_and_the_rest_is_owned_up_to(
    shown: Shown,
) -> None:
    shown.open("alice")
    assert shown.verdict() == "✓ Checked, no fault"
    assert f"The first {LAST - 1} of the log's {LAST} lines" in shown.text("#report")


def test_the_log_can_be_saved_as_it_is(shown: Shown) -> None:
    shown.open("classic")
    saved = shown.ask(
        "(async () => { let kept = null;"
        "const make = URL.createObjectURL;"
        "URL.createObjectURL = blob => { kept = blob; return make.call(URL, blob); };"
        "HTMLAnchorElement.prototype.click = function () { kept.fileName = this.download; };"
        "document.getElementById('save-log').dispatchEvent(new Event('click'));"
        "return [kept.fileName, await kept.text()]; })()"
    )
    name, text = saved
    assert name == f"{json.loads(CLASSIC[0])['stream']}.log"
    assert text.encode() == b"".join(line + b"\n" for line in CLASSIC)


def test_nothing_leaves_the_page(shown: Shown) -> None:
    shown.browser.want("Network")
    shown.open("evil")
    shown.verdict()
    shown.press("End", "v", "k")
    assert (
        shown.ask("fetch('https://example.org/').then(() => 'sent', () => 'refused')") == "refused"
    )
    assert shown.ask("document.title") == EVIL
    assert shown.ask("document.images.length") == 0
    asked = [
        event["params"]["request"]["url"]
        for event in shown.browser.events
        if event.get("method") == "Network.requestWillBeSent"
    ]
    assert all(url.startswith(("file://", "about:", "https://example.org/")) for url in asked)
    assert sum(url.startswith("file://") for url in asked) == 1


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
