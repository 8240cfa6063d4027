"""The page's data: every layer is what the rules let its perspective see, and nothing else."""

import base64
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from support_forks import forked_match
from support_golden import GOLDEN, golden_log
from support_logs import Table, changed, events_of, in_hand, played
from support_play import soak

from ginrummy.log.lines import line_hash
from ginrummy.replay.html import write_page
from ginrummy.replay.html.faces import faces
from ginrummy.replay.html.model import VIEWS, Model, layers_of, make_model
from ginrummy.replay.ink import Ink
from ginrummy.replay.notes import Note
from ginrummy.replay.stepping import Position, Replay
from ginrummy.replay.words import describe
from ginrummy.rules.cards import Card, card_set, cards_in, points
from ginrummy.rules.match import starting_score
from ginrummy.rules.melds import deadwood
from ginrummy.rules.view import HandView, Perspective, view

NAMES = sorted(path.stem for path in GOLDEN.glob("*.log"))
SEALED = "unrevealed"
"""A golden log whose secrets are not out."""

State = dict[str, Any]


def followed(model: Model, perspective: Perspective) -> Iterator[State]:
    """Put the layers on each other, as the page's script does."""
    layers = [model["layers"].get(name, {}) for name in layers_of([perspective])]
    public: State = {}
    known: list[State] = [{} for _ in layers]
    for seq, event in enumerate(model["events"], start=1):
        public |= event["set"]
        told = event["told"]
        for layer, fields in zip(layers, known, strict=True):
            fields.update(layer.get(seq, {}))
            told = fields.pop("told", told)
        state = dict(public)
        for fields in known:
            state |= fields
        yield state | {"told": told}


def read_cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, re.findall("..", text)))


class Held:
    """A seat's cards, read from a layer."""

    def __init__(self, text: str) -> None:
        melds, loose, hidden = text.split("|")
        self.melds = [tuple(map(read_cards, meld.split("+"))) for meld in melds.split()]
        self.deadwood = read_cards(loose)
        self.hidden = int(hidden)

    @property
    def own(self) -> tuple[Card, ...]:
        """The seat's own cards, in the deck's order, without what the other seat has added."""
        melded = card_set(card for meld in self.melds for card in meld[0])
        return cards_in(melded | card_set(self.deadwood))


# --- what is shown is what the rules show -------------------------------------------------------


def expect_view(state: State, position: Position, perspective: Perspective) -> None:
    seen = view(position.match, perspective)
    assert state["stage"] == seen.stage
    assert state["points"] == seen.score.points
    assert state["won"] == seen.score.hands_won
    assert (state["outcome"] is None) == (seen.outcome is None)
    assert state["told"] == describe(position, perspective, Ink())
    if seen.hand is None:
        assert state["hand"] is None
        return
    expect_hand(state, seen.hand)


def expect_hand(state: State, hand: HandView) -> None:
    assert (state["hand"], state["dealer"]) == (hand.number, hand.dealer)
    assert (state["phase"], state["turn"]) == (hand.phase, hand.to_move)
    assert state["stock"] == hand.stock
    assert (state["result"] is None) == (hand.result is None)
    thrown = state["pile"].split()
    assert tuple(Card(each[:2]) for each in thrown if each[3] == ".") == hand.pile
    for seat in (0, 1):
        expect_seat(state, hand, seat)


def expect_seat(state: State, hand: HandView, seat: int) -> None:
    held, shown = Held(state[f"cards{seat}"]), hand.hands[seat]
    laid_off = hand.laid_off if hand.laid_off is not None and hand.laid_off.seat == seat else None
    gone = card_set(each.card for each in laid_off.layoffs) if laid_off else 0
    assert held.own == cards_in(card_set(shown.cards) & ~gone)
    assert held.hidden == shown.hidden
    drawn = hand.drawn if hand.to_move == seat else None
    assert state[f"drawn{seat}"] == (None if drawn is None else str(drawn))
    if held.hidden:
        assert state[f"deadwood{seat}"] is None
        return
    assert state[f"deadwood{seat}"] == points(card_set(held.deadwood))
    if not state[f"laid{seat}"]:
        assert state[f"deadwood{seat}"] == deadwood(card_set(shown.cards))
    for meld, *added in held.melds:
        assert len(meld) >= 3
        assert all(len(more) == 1 for more in added)


@pytest.mark.parametrize("name", NAMES)
def test_every_state_is_the_view_of_its_perspective(name: str) -> None:
    replay = Replay(golden_log(name))
    model = make_model(replay, None)
    for perspective in VIEWS:
        if str(perspective) in model["views"]:
            states = followed(model, perspective)
            for state, position in zip(states, replay.between(1, replay.last), strict=True):
                expect_view(state, position, perspective)


@pytest.mark.parametrize("seed", range(soak(60, 2)))
@pytest.mark.parametrize("only", VIEWS)
def test_one_perspective_alone_is_its_view_as_well(seed: int, only: Perspective) -> None:
    replay = Replay(played(seed, ("standard", "oklahoma")[seed % 2]).log)
    model = make_model(replay, only)
    assert model["views"] == [str(only)]
    for state, position in zip(followed(model, only), replay.between(1, replay.last), strict=True):
        expect_view(state, position, only)


def test_the_stock_s_order_is_the_deck_s_and_for_all_cards_alone() -> None:
    """A stock's first card is the one that is drawn next."""
    replay = Replay(golden_log("classic"))
    model = make_model(replay, None)
    states = list(followed(model, "full"))
    for state, later in pairwise(states):
        if state["hand"] is not None and state["hand"] == later["hand"]:
            assert len(read_cards(state["order"])) == state["stock"]
            if later["stock"] < state["stock"]:
                drawn = later["drawn0"] or later["drawn1"]
                assert state["order"].startswith(drawn)
    for perspective in (0, 1, "public"):
        assert all("order" not in state for state in followed(model, perspective))


def test_think_times_are_between_the_decisions() -> None:
    model = make_model(Replay(golden_log("clock")), None)
    decided = [event for event in model["events"] if "thought" in event]
    assert {event["thought"] for event in decided} == {1250, 7500}
    assert all("seat" in event for event in decided)


def test_the_score_sheet_adds_up() -> None:
    for name in NAMES:
        replay = Replay(golden_log(name))
        model = make_model(replay, None)
        begun = starting_score(replay.at(1).match.terms).points
        sums = [begun[seat] + sum(row["gains"][seat] for row in model["sheet"]) for seat in (0, 1)]
        assert tuple(sums) == view(replay.at(replay.last).match, "public").score.points
        hands = [row["hand"] for row in model["sheet"] if row["kind"] != "ruling"]
        assert hands == list(range(1, len(hands) + 1))


# --- what is hidden is not there ----------------------------------------------------------------


def test_where_no_secret_is_out_there_is_the_public_view_alone() -> None:
    model = make_model(Replay(golden_log(SEALED)), None)
    assert model["views"] == ["public"]
    assert model["layers"] == {}
    assert "its secrets come out when the match is over" in model["hidden"]
    assert make_model(Replay(golden_log(SEALED)), 0)["views"] == ["public"]
    assert make_model(Replay(golden_log("classic")), None)["hidden"] is None


def test_where_some_secrets_are_out_the_page_says_which_hand_is_shut() -> None:
    log = Table(13, reveal="hand").seated().play(until=in_hand(3)).log
    model = make_model(Replay(log), None)
    assert [hand["open"] for hand in model["hands"]] == [True, True, False]
    assert "dealt in hand 3: its secrets come out when a hand is over" in model["hidden"]
    assert len(model["views"]) == 4


def data_of(page: bytes) -> tuple[str, list[bytes]]:
    """Return what a page holds of a match: its model's text, and its log's lines."""
    text = page.decode()
    model = re.search(r'<script type="application/json" id="model">(.*?)</script>', text, re.DOTALL)
    log = re.search(r'<script type="text/plain" id="log">(.*?)</script>', text, re.DOTALL)
    assert model is not None
    assert log is not None
    return model[1], base64.b64decode(log[1]).splitlines()


@pytest.mark.parametrize("only", [0, 1, "public"])
@pytest.mark.parametrize("seed", range(soak(60, 4)))
def test_a_page_for_one_perspective_holds_no_card_that_is_hidden_from_it(
    seed: int, only: Perspective
) -> None:
    """In the first hand, so that every card is either known by now or must not be named at all."""
    moves = iter(range(5 + 7 * (seed % 4)))
    table = Table(seed).seated().play(until=lambda _: next(moves, None) is None)
    over = [*events_of(table.log, "hand_scored", "hand_voided"), len(table.log)]
    lines = table.log[: over[0]]
    replay = Replay(lines, table.secrets)
    seen = view(replay.at(replay.last).match, only).hand
    assert seen is not None
    assert seen.number == 1
    model, log = data_of(write_page(lines, replay, only))
    known = set(seen.pile) | {card for held in seen.hands for card in held.cards}
    thrown = re.findall(r"([A2-9TJQK][SHDC])[-01][.01]", model)
    known |= set(map(Card, thrown)) | {seen.upcard}
    if seen.face_down is not None:
        known.add(seen.face_down)
    ever = set(map(Card, re.findall(r"[A2-9TJQK][SHDC]", model)))
    assert ever <= known | _once_held(replay, only)
    assert log == lines
    symbols = dict(zip("\u2660\u2665\u2666\u2663", "SHDC", strict=True))
    told = re.findall("([A2-9TJQK])([\u2660\u2665\u2666\u2663])", model)
    assert {Card(rank + symbols[suit]) for rank, suit in told} <= ever


def _once_held(replay: Replay, perspective: Perspective) -> set[Card]:
    """Return what a perspective has seen in either hand at any time."""
    return {
        card
        for position in replay.between(1, replay.last)
        if (hand := view(position.match, perspective).hand) is not None
        for held in hand.hands
        for card in held.cards
    }


@pytest.mark.parametrize("name", ["classic", "reveal_hand", "reveal_director", "board"])
@pytest.mark.parametrize("only", [0, 1, "public"])
def test_a_page_for_one_perspective_holds_no_secret(name: str, only: Perspective) -> None:
    lines = golden_log(name)
    secrets = [json.loads(line)["data"]["secret"] for line in lines if b'"secret_revealed"' in line]
    assert secrets
    page = write_page(lines, Replay(lines), only)
    model, log = data_of(page)
    assert log == lines[: len(log)]
    assert b'"secret_revealed"' in lines[len(log)]
    for secret in secrets:
        assert secret.encode() not in page
        assert secret.encode() not in b"".join(log)
    about = json.loads(model)["log"]
    assert (about["lines"], about["kept"]) == (len(lines), len(log))
    assert set(json.loads(model)["layers"]) == {str(only)} - {"public"}


@pytest.mark.parametrize("only", [0, 1, "public"])
def test_a_fork_s_page_for_one_perspective_ends_before_its_position(only: Perspective) -> None:
    """A position names cards of both hands and of the stock, as a secret does."""
    lines = forked_match(golden_log("classic"), 60).log
    out = events_of(lines, "position_revealed")[0]
    page = write_page(lines, Replay(lines), only)
    _, log = data_of(page)
    assert log == lines[:out]
    assert json.loads(lines[out])["data"]["salt"].encode() not in page


def test_a_practice_match_is_called_one_and_its_first_moves_are_taken_over() -> None:
    match = json.loads(golden_log("classic")[0])["stream"]
    model = make_model(Replay(forked_match(golden_log("classic"), 60).log), None)
    assert model["match"]["origin"] == (
        f"A practice match: it goes on from event 60 of {match}"
        " (hand 2), and every card lies where it lay. It counts in no record."
    )
    told = [event.get("server") for event in model["events"]]
    assert told[5:14] == [None, *["taken over"] * 7, None]
    assert "thought" not in model["events"][7]


def test_a_damaged_line_with_a_secret_stays_out_as_well() -> None:
    lines = golden_log("classic")
    broken = [
        *lines[:40],
        lines[-1].replace(b'"secret_revealed"', b'"secret_revealed" '),
        *lines[41:],
    ]
    _, log = data_of(write_page(broken, Replay(broken), "public"))
    assert log == lines[:40]


def test_the_public_page_is_the_same_whether_or_not_the_cards_are_known() -> None:
    """Two worlds that differ in what is hidden give the same public data."""
    table = Table(3).seated().play(until=in_hand(2))
    known, unknown = Replay(table.log, table.secrets), Replay(table.log)
    one, other = make_model(known, "public"), make_model(unknown, "public")
    assert one["events"] == other["events"]
    assert one["layers"] == other["layers"] == {}


# --- the file -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_golden_log_is_a_page_with_its_log_byte_for_byte(name: str) -> None:
    lines = golden_log(name)
    page = write_page(lines, Replay(lines))
    model, log = data_of(page)
    assert log == lines
    assert json.loads(model)["log"]["head"] == line_hash(lines[-1])
    # The cards, the style and both programs take some 200 kB.
    assert len(page) < 250_000 + 4 * sum(map(len, lines))


def test_a_long_match_stays_far_below_a_megabyte() -> None:
    lines = played(5, "standard", target=300).log
    assert len(lines) > 500
    assert len(write_page(lines, Replay(lines))) / len(lines) < 1_200


def test_a_name_can_end_no_element() -> None:
    evil = "</script><script>document.title='taken'</script><!--&"
    table = Table(1, name=evil)
    table.names = ("<b>A</b>", "</script>")
    lines = table.seated().play().log
    page = write_page(lines, Replay(lines), None, [Note(3, evil)]).decode()
    assert page.count("</script>") == 4
    assert "<script>document" not in page
    assert "<b>A" not in page
    model, _ = data_of(page.encode())
    assert json.loads(model)["match"]["name"] == evil
    assert json.loads(model)["notes"] == [{"seq": 3, "text": evil}]


def test_a_log_that_breaks_off_is_shown_as_far_as_it_goes() -> None:
    lines = golden_log("classic")
    broken = [*lines[:60], changed(lines[60], type="rained"), *lines[61:]]
    model, log = data_of(write_page(broken, Replay(broken)))
    assert log == broken
    assert len(json.loads(model)["events"]) == 60
    assert "cannot be followed past event 60" in json.loads(model)["broken"]


def test_every_card_has_a_face() -> None:
    drawn = "".join(faces())
    assert set(re.findall(r'<symbol id="card-(..)"', drawn)) == set(map(str, Card))
    used = set(re.findall(r'href="#([^"]+)"', drawn))
    assert used == {f"pip-{suit}" for suit in "SHDC"}
    assert "http" not in drawn


@pytest.mark.parametrize("rank", "23456789T")
def test_a_number_has_as_many_pips(rank: str) -> None:
    """Two of them are those of its corners."""
    drawn = next(each for each in faces() if f'id="card-{rank}H"' in each)
    number = 10 if rank == "T" else int(rank)
    assert drawn.count("#pip-H") == number + 2
