"""The page in a real browser: the check of the log, and that nothing leaves it."""

import json

from support_logs import events_of
from support_replay_page import CLASSIC, EVIL, LAST, Shown


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


def test_signatures_are_checked_in_the_browser(shown: Shown) -> None:
    """By the browser's own Ed25519, and where it has none by the page's."""
    again = """
        (async (hashes) => {
            const bytes = Uint8Array.from(
                atob(document.getElementById("log").textContent), (char) => char.charCodeAt(0));
            const { clean, checked, faults } = await ginrummyVerifier.verify(bytes, { hashes });
            return [clean, checked.signatures, faults.map((fault) => fault.check)];
        })(%s)
    """
    shown.open("signed")
    assert shown.verdict() == "✓ Checked, no fault"
    for hashes in ("undefined", "ginrummyVerifier.ownHashes"):
        assert shown.ask(again % hashes) == [True, 58, []]
    shown.open("missigned")
    assert shown.verdict().startswith("✗ ")
    assert "(signatures): the signature is not that of seat" in shown.text("#report")
    with_webcrypto = shown.ask(again % "undefined")
    assert with_webcrypto == shown.ask(again % "ginrummyVerifier.ownHashes")
    assert with_webcrypto[0] is False
    assert "signatures" in with_webcrypto[2]


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
    shown.open("evil", "seq=30")
    assert EVIL in shown.text("#told")
    assert EVIL in shown.text("#noted")
    shown.browser.printed()
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
    assert sum(url.startswith("file://") for url in asked) == 2
