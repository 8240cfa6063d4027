"""The page in a real browser: keys, jumps, the address, and whose eyes it is seen with."""

import time

import pytest
from support_replay_page import CLASSIC, DEALS, KNOCKS, LAST, Shown

from ginrummy.replay.stepping import Replay
from ginrummy.rules.view import Perspective, view

_IS_IN_THE_LIST = """
(() => {
  const list = document.getElementById('list').getBoundingClientRect();
  const link = document.querySelector('#list [aria-current]').getBoundingClientRect();
  return list.top <= link.top + 1 && link.bottom <= list.bottom + 1;
})()
"""

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


def test_what_is_pressed_stays_where_it_is(shown: Shown) -> None:
    """Once a table has been as high as it gets, no step moves the buttons below it."""
    shown.open("classic")
    shown.ask("document.getElementById('steps').style.position = 'static'")
    top = "document.getElementById('on').getBoundingClientRect().top + scrollY"
    tops = []
    for _ in range(2):
        for seq in (1, 6, 30, 50, 52, 70, LAST):
            shown.ask(f"place.go({seq})")
            tops.append(shown.ask(top))
    assert tops[:7] == sorted(tops[:7])
    assert len(set(tops[7:])) == 1


def test_how_the_match_ended_stands_on_the_table(shown: Shown) -> None:
    shown.open("classic", f"seq={LAST}")
    told = shown.ask("[...document.querySelectorAll('.middle .result')].map(e => e.textContent)")
    assert told == ["Alice scores 49: 55 less 6", "Alice wins the match on points, 482 to 0"]


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


def test_keys_set_the_pace(shown: Shown) -> None:
    shown.open("classic")
    pace = "document.getElementById('pace').value"
    before = shown.ask(pace)
    shown.press("+")
    assert int(shown.ask(pace)) < int(before)
    shown.press("-", "-")
    assert int(shown.ask(pace)) > int(before)
    shown.press("-", "-", "-")
    assert shown.ask(pace) == "2400"


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
    assert shown.ask(_IS_IN_THE_LIST)


def test_the_list_of_a_long_match_stays_at_the_move(shown: Shown) -> None:
    """Of its hands those that are not seen have no layout, so their heights are guessed."""
    shown.open("long")
    last = int(shown.ask("document.getElementById('scrub').max"))
    assert last > 800
    for key in ("End", "Home", "n", "n", "End", "p", "p"):
        shown.press(key)
        shown.until(_IS_IN_THE_LIST)
    shown.open("long", f"seq={last // 2}")
    shown.until(_IS_IN_THE_LIST)


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


def test_what_is_laid_off_lies_where_it_fits(shown: Shown) -> None:
    """Alice has laid off 3C and 2C at the low end of 4C 5C 6C."""
    shown.open("classic", "seq=51")
    melds = shown.ask(
        "[...document.querySelectorAll('.seat-1 .meld')].map(meld =>"
        "[...meld.querySelectorAll('use')].map(each => each.getAttribute('href').slice(6)))"
    )
    assert melds == [["9S", "9H", "9D", "9C"], ["2C", "3C", "4C", "5C", "6C"]]


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


def test_a_practice_match_says_so_and_which_moves_are_not_its_own(shown: Shown) -> None:
    shown.open("fork", "seq=8")
    assert "A practice match: it goes on from event 60 of m_" in shown.text("#banners")
    assert shown.text("#list [aria-current]").endswith("taken over")
    shown.press("ArrowRight")
    assert "taken over" in shown.text("#told")
    shown.browser.printed()
    assert "A practice match" in shown.text("#paper")
