"""The commands about cards: the contract that other people's scripts rely on."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginrummy.cli import main
from ginrummy.rules.cards import card_set, parse_cards, points

VECTORS = Path(__file__).parent.parent / "vectors"


def gin(*arguments: str, lines: list[str] | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input="".join(f"{line}\n" for line in lines or []))


def table(name: str) -> list[list[str]]:
    rows = (VECTORS / name).read_text().splitlines()[1:]
    assert rows
    return [row.split("\t") for row in rows]


def answers(result: Result) -> list[str]:
    assert result.stderr == ""
    assert result.exit_code == 0
    return result.stdout.splitlines()


# --- gin melds -----------------------------------------------------------------------------------


def test_melds_answers_the_vectors() -> None:
    rows = table("deadwood.tsv")
    answered = answers(gin("melds", "-", lines=[hand for hand, _ in rows]))
    assert [line.split("\t")[0] for line in answered] == [least for _, least in rows]


@pytest.mark.parametrize("preset", ["standard", "classic"])
def test_melds_writes_an_arrangement_of_the_whole_hand(preset: str) -> None:
    hands = [hand for hand, _ in table("deadwood.tsv")]
    for hand, line in zip(
        hands, answers(gin("melds", "--rules", preset, "-", lines=hands)), strict=True
    ):
        least, melds, left = line.split("\t")
        melded = [parse_cards(meld) for meld in melds.split(";") if meld]
        deadwood = parse_cards(left)
        assert sorted(map(str, (*deadwood, *(card for meld in melded for card in meld)))) == sorted(
            hand.split()
        )
        assert points(card_set(deadwood)) == int(least)


def test_melds_takes_a_hand_as_arguments() -> None:
    assert answers(gin("melds", "4d", "2D", "3♦", "10S", "5S", "5H", "5C", "AC")) == [
        "11\t5S 5H 5C;2D 3D 4D\tTS AC"
    ]


def test_melds_lays_down_a_long_run_in_pieces_where_runs_have_a_cap() -> None:
    """M2: 6 = 3+3."""
    hand = "2S 3S 4S 5S 6S 7S"
    assert answers(gin("melds", hand)) == ["0\t2S 3S 4S;5S 6S 7S\t"]
    assert answers(gin("melds", "--rules", "classic", hand)) == ["0\t2S 3S 4S 5S 6S 7S\t"]


def test_melds_refuses_what_is_no_card() -> None:
    result = gin("melds", "2D", "1D")
    assert result.exit_code == 2
    assert "'1D' is not a card" in result.stderr


def test_melds_without_a_hand_is_a_usage_error() -> None:
    result = gin("melds")
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


# --- gin layoff ----------------------------------------------------------------------------------


def test_layoff_answers_the_vectors() -> None:
    rows = table("layoff.tsv")
    answered = answers(gin("layoff", "-", lines=[f"{row[1]}\t{row[2]}" for row in rows]))
    assert [line.split("\t")[0] for line in answered] == [row[3] for row in rows]


def test_layoff_writes_where_each_card_goes() -> None:
    """L1: one card after the other on the growing run, the fourth of a rank on a set."""
    line = "6H 7H 8H;AS AC AD\t4H 5H AH KS KC KD 9D QC TS 3C"
    assert answers(gin("layoff", "-", lines=[line])) == [
        "32\tKS KD KC\t5H>0 4H>0 AH>1\tTS 9D 3C QC"
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("6H 7H 8H", "want 2 fields with tabs between"),
        ("6H 7H 9H\tKS", "M1"),
        ("6H 7H 8H;8H 8S 8D\tKS", "M3"),
        ("6H 7H 8H\t8H KS", "8H: in the melds and the hand"),
    ],
)
def test_layoff_names_what_is_wrong_with_a_line(line: str, why: str) -> None:
    result = gin("layoff", "-", lines=["6H 7H 8H\t9H", line])
    assert result.exit_code == 2
    assert result.stdout.startswith("0\t")
    assert "line 2: " in result.stderr
    assert why in result.stderr


# --- gin deck ------------------------------------------------------------------------------------


def test_deck_answers_the_vectors() -> None:
    rows = table("deck.tsv")
    answered = answers(gin("deck", "-", lines=["\t".join(row[:5]) for row in rows]))
    assert answered == ["\t".join(row[5:]) for row in rows]


@pytest.mark.parametrize(
    ("column", "text", "why"),
    [
        (0, "00ff", "the secret must be 32 bytes in hex"),
        (0, "xy" * 32, "the secret must be 32 bytes in hex"),
        (2, "0", "0 is not a hand's number"),
        (2, "-1", "'-1' is not a hand's number"),
        (2, "one", "'one' is not a hand's number"),
        (3, "", "the nonce must be 16 bytes in hex"),
    ],
)
def test_deck_names_what_is_wrong_with_a_line(column: int, text: str, why: str) -> None:
    fields = table("deck.tsv")[0][:5]
    fields[column] = text
    result = gin("deck", "-", lines=["\t".join(fields)])
    assert result.exit_code == 2
    assert f"line 1: {why}" in result.stderr


# --- gin script ----------------------------------------------------------------------------------


def test_script_answers_the_vectors() -> None:
    lines = (VECTORS / "scripts.jsonl").read_text().splitlines()
    expected = [
        json.loads(line) for line in (VECTORS / "scripts_expected.jsonl").read_text().splitlines()
    ]
    answered = [json.loads(line) for line in answers(gin("script", "-", lines=lines))]
    assert [
        # Of a refusal the referee gives no more than the move.
        one if one["ok"] else {"ok": False, "move": one["move"]}
        for one in answered
    ] == expected
    for refusal in (one for one in answered if not one["ok"]):
        assert list(refusal) == ["ok", "move", "reason", "rule"]
        assert refusal["reason"]


def scripted(*moves: dict[str, object], **changes: object) -> str:
    deck = json.loads((VECTORS / "scripts.jsonl").read_text().splitlines()[0])["deck"]
    return json.dumps({"rules": "standard", "deck": deck, "dealer": 0, "moves": moves} | changes)


def test_script_says_that_a_hand_is_open() -> None:
    line = scripted({"seat": 1, "do": "pass"})
    assert answers(gin("script", "-", lines=[line])) == [
        '{"ok":true,"result":{"kind":"open","winner":null,"points":0,"deadwood":null}}'
    ]


def test_script_says_which_move_is_refused_and_why() -> None:
    """D2: who passed the upcard may not take it after all."""
    passed = [{"seat": 1, "do": "pass"}, {"seat": 0, "do": "pass"}, {"seat": 1, "do": "take"}]
    assert answers(gin("script", "-", lines=[scripted(*passed)])) == [
        '{"ok":false,"move":2,"reason":"UPCARD_PASSED","rule":"D2"}'
    ]


def test_script_refuses_a_move_after_the_end() -> None:
    last = next(
        line
        for line, expected in zip(
            (VECTORS / "scripts.jsonl").read_text().splitlines(),
            (VECTORS / "scripts_expected.jsonl").read_text().splitlines(),
            strict=True,
        )
        if json.loads(expected)["ok"]
    )
    ended = json.loads(last)
    ended["moves"].append({"seat": 0, "do": "draw"})
    (answered,) = answers(gin("script", "-", lines=[json.dumps(ended)]))
    assert json.loads(answered)["move"] == len(ended["moves"]) - 1
    assert json.loads(answered)["reason"] == "HAND_OVER"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        (scripted(dealer=2), "$.dealer"),
        (scripted(extra=1), "unknown field `extra`"),
        (scripted(deck="AS 2S"), "deck: 2 cards are no deck"),
        (scripted(rules="bridge"), "preset: 'bridge' is none of standard"),
        (scripted(rules={"preset": ["classic"]}), "preset: ['classic'] is no name"),
        (scripted(rules={"preset": "classic", "jokers": 2}), "jokers: no such field"),
        (scripted({"seat": 1, "do": "cheat"}), "$.moves[0].do"),
        (scripted({"do": "take"}), "missing required field `seat`"),
        (scripted({"seat": 1, "do": "discard", "card": "1H"}), "'1H' is not a card"),
        (
            scripted({"seat": 1, "do": "lay_off", "auto": True, "melds": ["KS KH KD"]}),
            "either auto, or melds and layoffs",
        ),
    ],
)
def test_script_names_what_is_wrong_with_a_line(line: str, why: str) -> None:
    result = gin("script", "-", lines=[scripted(), line])
    assert result.exit_code == 2
    assert result.stdout.startswith('{"ok":true')
    assert "line 2: " in result.stderr
    assert why in result.stderr


# --- as a process --------------------------------------------------------------------------------

GIN = [sys.executable, "-m", "ginrummy.cli"]


def test_each_answer_is_out_before_the_next_question() -> None:
    with subprocess.Popen(
        [*GIN, "melds", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for hand, least in [("KS KH KD", "0"), ("KS QH", "20")]:
            process.stdin.write(f"{hand}\n")
            assert process.stdout.readline().split("\t")[0] == least
        process.stdin.close()
        assert process.wait() == 0


def test_what_came_before_a_bad_line_is_answered() -> None:
    done = subprocess.run(
        [*GIN, "melds", "-"], input=b"KS KH KD\n\n5\xff\nAS\n", capture_output=True, check=False
    )
    assert done.stdout == b"0\tKS KH KD\t\n"
    assert done.stderr == b"Error: line 3: this is not UTF-8 text\n"
    assert done.returncode == 2


def test_a_closed_pipe_is_no_news(tmp_path: Path) -> None:
    (tmp_path / "hands").write_bytes(b"KS KH KD\n" * 10_000)
    with (
        (tmp_path / "hands").open("rb") as hands,
        subprocess.Popen(
            [*GIN, "melds", "-"], stdin=hands, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"0\tKS KH KD\t\n"
        process.stdout.close()
        assert process.stderr.read() == b""
