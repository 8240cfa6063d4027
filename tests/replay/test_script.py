"""Scripted hands: every row of the vectors, and what a script can say."""

import json
from pathlib import Path

import pytest

from ginrummy.replay.script import Played, Refused, Result, ScriptError, play_script, write_answer
from ginrummy.rules.cards import DECK, BySeat, write_cards
from ginrummy.rules.errors import Reason

VECTORS = Path(__file__).parent.parent / "vectors"
ROWS = [
    (number, script, json.loads(expected))
    for number, (script, expected) in enumerate(
        zip(
            (VECTORS / "scripts.jsonl").read_text().splitlines(),
            (VECTORS / "scripts_expected.jsonl").read_text().splitlines(),
            strict=True,
        )
    )
]


@pytest.mark.parametrize(("script", "expected"), [row[1:] for row in ROWS])
def test_every_vector_ends_as_an_independent_referee_says(
    script: str, expected: dict[str, object]
) -> None:
    """K1 to S4, under every preset; of a refusal the vectors name the move alone."""
    answer = json.loads(write_answer(play_script(script)))
    assert {field: answer[field] for field in expected} == expected


def test_the_vectors_hold_all_ways_to_end() -> None:
    """A file that was cut short would pass for the wrong reason."""
    kinds = [row[2]["result"]["kind"] if row[2]["ok"] else "refused" for row in ROWS]
    assert len(ROWS) == 150
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "knock": 83,
        "undercut": 5,
        "gin": 17,
        "void": 8,
        "refused": 37,
    }


# --- what can be said ---------------------------------------------------------------------------


def script(*moves: dict[str, object], rules: object = "standard", deck: str = "") -> str:
    """Write a script on the unshuffled deck."""
    deck = deck or write_cards(DECK)
    return json.dumps({"rules": rules, "deck": deck, "dealer": 0, "moves": moves})


def move(seat: int, do: str, **fields: object) -> dict[str, object]:
    """Write a move."""
    return {"seat": seat, "do": do, **fields}


TO_THE_DRAW = (move(1, "pass"), move(0, "pass"), move(1, "draw"))


def test_a_script_may_end_before_its_hand_does() -> None:
    """Nothing is scored then."""
    assert play_script(script()) == Played(Result("open", None, 0, None))
    assert play_script(script(*TO_THE_DRAW)) == Played(Result("open", None, 0, None))


def test_the_first_refused_move_is_named() -> None:
    """With its reason and rule; later moves are not looked at."""
    moves = (*TO_THE_DRAW, move(1, "discard", card="KC"), move(0, "draw"))
    assert play_script(script(*moves)) == Refused(3, Reason.NOT_IN_HAND, "T1")


def test_a_move_after_the_end_is_refused() -> None:
    """A void hand is over, too."""
    floor = {"stock_floor": 31}
    over = Played(Result("void", None, 0, None))
    assert play_script(script(rules=floor)) == over
    for do in ("take", "draw", "resign"):
        answer = play_script(script(move(1, do), rules=floor))
        assert answer == Refused(0, Reason.HAND_OVER, "")


def test_a_resignation_leaves_the_hand_open() -> None:
    """X3 it ends the match, not the hand: nothing is scored, and no move follows."""
    assert play_script(script(move(0, "resign"))) == Played(Result("open", None, 0, None))
    answer = play_script(script(move(0, "resign"), move(1, "take")))
    assert answer == Refused(1, Reason.MATCH_OVER, "X3")


def test_rules_are_a_preset_with_or_without_changes() -> None:
    """The preset is `standard` where none is named."""
    taken = (move(1, "take"), move(1, "discard", card="8H"))
    standard: list[object] = ["standard", {"preset": "standard"}, {"gin_bonus": 1}]
    for rules in standard:
        assert isinstance(play_script(script(*taken, rules=rules)), Played)
    classic: list[object] = ["classic", {"preset": "classic"}, {"may_return_taken_card": False}]
    for rules in classic:
        assert play_script(script(*taken, rules=rules)) == Refused(
            1, Reason.RETURNS_TAKEN_CARD, "T2"
        )


def test_cards_are_read_as_everywhere_else() -> None:
    """C1 ten as 10, lower case, symbols, commas."""
    deck = write_cards(DECK).replace("TS", "10s").replace("QD", "q♦").replace(" ", ", ")
    answer = play_script(script(*TO_THE_DRAW, move(1, "discard", card="as"), deck=deck))
    assert isinstance(answer, Played)


GIN_DECK = (
    "3S KC 4S KD 5S 8S 7H 5H 8H 5D 9H 5C QS 9C QH 2D QD 3D QC JS JC 6S AS 2S 6H 7S 9S TS KS AH 2H "
    "3H 4H TH JH KH AD 4D 6D 7D 8D 9D TD JD AC 2C 3C 4C 6C 7C 8C TC"
)


def test_a_hand_is_scored_with_both_counts() -> None:
    """S3 `deadwood` is by seat; the server arranges what names no melds."""
    knock = (*TO_THE_DRAW, move(1, "knock", card="6S"))
    scored = Played(Result("gin", 1, 77, BySeat(52, 0)))
    assert play_script(script(*knock, deck=GIN_DECK)) == scored
    big = (*TO_THE_DRAW, move(1, "big_gin"))
    assert play_script(script(*big, rules="oklahoma", deck=GIN_DECK)) == Played(
        Result("big_gin", 1, 83, BySeat(52, 0))
    )


def test_laying_off_is_named_or_left_to_the_server() -> None:
    """L4 `auto`, or nothing named at all; melds and lay-offs of one's own are binding."""
    deck = GIN_DECK.replace("QC JS", "2C JS").replace("AC 2C", "AC QC")
    knocked = (
        *TO_THE_DRAW,
        move(1, "knock", card="6S", melds=["3S 4S 5S", "7H 8H 9H", "QS QH QD"]),
    )
    for best in (move(0, "lay_off", auto=True), move(0, "lay_off")):
        answer = play_script(script(*knocked, best, deck=deck))
        assert answer == Played(Result("knock", 1, 50, BySeat(52, 2)))
    nothing = move(0, "lay_off", melds=[], layoffs=[])
    answer = play_script(script(*knocked, nothing, deck=deck))
    assert answer == Played(Result("knock", 1, 65, BySeat(67, 2)))
    wrong = move(0, "lay_off", melds=["5H 5D 5C"], layoffs=[{"card": "8S", "meld": 1}])
    answer = play_script(script(*knocked, wrong, deck=deck))
    assert answer == Refused(4, Reason.DOES_NOT_FIT, "L1")


def test_a_card_named_twice_in_a_meld_is_an_illegal_move() -> None:
    """M3 it can be read, and is refused."""
    knock = move(1, "knock", card="6S", melds=["3S 3S 4S"])
    answer = play_script(script(*TO_THE_DRAW, knock, deck=GIN_DECK))
    assert answer == Refused(3, Reason.CARD_USED_TWICE, "M3")


# --- what is written ----------------------------------------------------------------------------


def test_answers_are_one_line_each() -> None:
    """As scripts outside this repository read them."""
    assert write_answer(play_script(script())) == (
        b'{"ok":true,"result":{"kind":"open","winner":null,"points":0,"deadwood":null}}'
    )
    assert write_answer(
        play_script(script(*TO_THE_DRAW, move(1, "knock", card="6S"), deck=GIN_DECK))
    ) == (b'{"ok":true,"result":{"kind":"gin","winner":1,"points":77,"deadwood":[52,0]}}')
    assert write_answer(play_script(script(move(0, "take")))) == (
        b'{"ok":false,"move":0,"reason":"NOT_YOUR_TURN","rule":"D2"}'
    )


# --- what cannot be read ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "not a JSON object"),
        ("{", "not a JSON object"),
        (b"\xff", "not a JSON object"),
        ("[]", "not in form"),
        ("{}", "deck"),
        (script(deck="AS 2S"), "2 cards are no deck"),
        (script(deck=write_cards((*DECK[:51], DECK[0]))), "AS is in it more than once"),
        (script(deck="1X"), "'1X' is not a card"),
        (script(rules="bridge"), "'bridge' is none of"),
        (script(rules={"preset": 5}), "5 is no name"),
        (script(rules={"limit": 5}), "limit: no such field"),
        (script(rules={"knock_limit": 11}), "knock_limit"),
        (script(rules={"knock_limit": "9"}), "knock_limit"),
        (script(move(2, "take")), "seat"),
        (script(move(1, "fold")), "fold"),
        (script({"seat": 1}), "do"),
        (script(move(1, "discard")), "card"),
        (script(move(1, "discard", card="XX")), "move 0: 'XX' is not a card"),
        (script(move(1, "knock", card="AS", meld=["2S"])), "meld"),
        (script(move(1, "knock", card="AS", melds=["2S 3S 4Z"])), "move 0: '4Z' is not a card"),
        (script(move(0, "lay_off", auto=True, melds=["2S 3S 4S"])), "either auto, or"),
        (script().replace('"dealer": 0', '"dealer": 2'), "dealer"),
    ],
)
def test_a_script_that_cannot_be_read_says_why(line: str | bytes, says: str) -> None:
    """Another fault than an illegal move, which is answered."""
    with pytest.raises(ScriptError, match=says):
        play_script(line)
