"""Logs whose secrets are not out: what everybody saw is checked, and what waits is said."""

import random

import pytest
from support_audit import GIN, at_fault, data, log_of, nth
from support_logs import Log, Table, events_of, forged, in_hand, played, results_of
from support_play import simple_move, soak

from ginrummy.audit.audit import audit
from ginrummy.audit.report import text
from ginrummy.rules.cards import parse_cards
from ginrummy.rules.commands import Discard, Knock, Move, Take
from ginrummy.rules.events import RevealPolicy
from ginrummy.rules.hand import Discarding, Drawing, Hand, legal_moves
from ginrummy.rules.melds import deadwood


@pytest.mark.parametrize("preset", ["standard", "classic", "straight", "oklahoma", "eaai"])
def test_play_is_checked_as_everybody_saw_it(preset: str) -> None:
    """No lawful play is found at fault for lack of a deck."""
    kinds: set[str] = set()
    for seed in range(soak(300, 12)):
        table = played(seed, preset)
        kinds |= results_of(table)
        report = audit(log_of(table, revealed=False))
        assert report.clean, text(report)
        whole = audit(table.log)
        for name in ("moves", "scores", "clocks", "actors"):
            assert report.check(name).status == "passed"
        assert report.check("moves").count == whole.check("moves").count
    assert kinds >= {"straight": {"gin"}, "oklahoma": {"knock", "gin"}}.get(preset, {"knock"})


def test_big_gin_in_a_hidden_hand_is_checked() -> None:
    """K5 all eleven cards are laid down, so that everybody can count them."""
    table = played(629, "oklahoma")
    assert "big_gin" in results_of(table)
    assert audit(log_of(table, revealed=False)).clean


def test_a_match_under_way_says_what_waits_for_which_hands() -> None:
    report = audit(Table(13).seated().play(until=in_hand(3)).log)
    assert report.clean
    waiting = {check.name: check.detail for check in report.checks if check.status == "waiting"}
    assert waiting == {
        "reveal": "hands 1 to 3: secret out as the match ends",
        "dealing": "hands 1 to 3: not before the secret is out",
        "deck": "hands 1 to 3: not before the secret is out",
    }
    assert report.check("deck").count == 0
    assert "reveal, dealing, deck wait for a secret" in text(report)


def test_hands_that_are_revealed_are_checked_while_the_match_goes_on() -> None:
    report = audit(Table(13, reveal="hand").seated().play(until=in_hand(3)).log)
    assert report.check("reveal").count == 2
    assert report.check("reveal").detail == "hand 3: secret out as the hand ends"
    assert report.check("deck").detail == "hand 3: not before the secret is out"
    assert report.check("deck").count > 0
    assert report.check("deck").count == report.check("moves").count


def test_a_director_lets_the_secrets_out() -> None:
    table = played(3, reveal="director", hands=2)
    report = audit(table.log)
    assert report.clean
    assert report.check("reveal").detail == ("hands 1 and 2: secret out on a director's word")
    table.act(table.reveal(), table.director)
    report = audit(table.log)
    assert report.check("reveal").status == report.check("deck").status == "passed"


@pytest.mark.parametrize("reveal", ["match", "hand"])
def test_a_secret_that_should_be_out_is_overdue(reveal: RevealPolicy) -> None:
    """A log may be read before its last lines are written, so that is no fault yet."""
    table = played(3, reveal=reveal, hands=2)
    report = audit(table.log[:-1])
    assert report.clean
    assert report.check("reveal").status == "waiting"
    assert "overdue" in report.check("reveal").detail


def test_an_operator_checks_the_decks_before_they_are_out() -> None:
    table = Table(13).seated().play(until=in_hand(3))
    report = audit(table.log, secrets=table.secrets)
    assert report.clean
    assert report.check("deck").status == report.check("dealing").status == "passed"
    assert report.check("reveal").status == "waiting"


def test_nonces_are_waited_for() -> None:
    table = Table(13).seated()
    joined = table.log[: events_of(table.log, "nonce_revealed")[1]]
    report = audit(joined)
    assert report.clean
    assert report.check("nonces").status == "waiting"
    assert report.check("deck").status == "not_applicable"


def test_a_match_that_nobody_joined_has_little_to_check() -> None:
    report = audit(Table(13).log)
    assert report.clean
    done = {check.name for check in report.checks if check.status == "passed"}
    assert done == {
        *("line-form", "stream", "sequence", "chain", "commitment"),
        *("clocks", "actors"),
    }
    assert report.check("end").detail == "the match is not over"


def with_deadwood(log: Log, index: int, card: str) -> Log:
    """Return the log with another card in the deadwood that is laid down in a line."""
    cards = parse_cards(" ".join([card, *data(log[index])["deadwood"][1:]]))
    ordered = [str(card) for card in sorted(cards, key=lambda card: card.index)]
    return forged(log, index, data_deadwood=ordered)


def test_nobody_has_a_card_that_lies_in_gin() -> None:
    """M3 what the knocker has laid down is in no other hand, though nobody knew it was theirs."""
    log = log_of(GIN, revealed=False)
    for index in events_of(log, "laid_off"):
        for meld in data(log[index - 1])["melds"]:
            assert at_fault(audit(with_deadwood(log, index, meld[0]))) == [("moves", index + 1)]


def knock_with_a_taken_card(hand: Hand, rng: random.Random) -> Move:
    """Wait with a hand that may knock, and knock with a card that was taken in sight of all."""
    moves = legal_moves(hand)
    if isinstance(hand, Discarding) and hand.drawn is not None and Knock(hand.drawn) in moves:
        return Knock(hand.drawn) if hand.taken else Discard(hand.drawn)
    if isinstance(hand, Drawing) and Take() in moves:
        held = hand.layout.hands[hand.seat]
        if deadwood(held) <= hand.layout.dealt.limit:
            return Take()
    move = simple_move(hand, rng)
    return Discard(move.card) if isinstance(move, Knock) else move


def test_nobody_has_the_card_that_was_seen_to_go_face_down() -> None:
    """K3 a card taken in sight of all that is not laid down was the face-down discard."""
    table = Table(31).seated()
    table.play(knock_with_a_taken_card, until=lambda _: table.lines[-1].type == "knocked")
    assert table.lines[-2].type == "discard_taken"
    face_down = data(table.log[-2])["card"]
    table.play(until=lambda _: table.lines[-1].type == "hand_dealt")
    index = nth(table.log, "laid_off")
    assert audit(table.log).clean
    assert at_fault(audit(with_deadwood(table.log, index, face_down))) == [("moves", index + 1)]
