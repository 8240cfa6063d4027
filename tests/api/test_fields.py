"""The plain fields of requests: what is let in, and by which name the rest is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.fields import (
    commitment_from,
    name_from,
    nonce_from,
    player_name_from,
    public_key_from,
    request_id_from,
    seat_from,
    seats_from,
    signature_from,
    stage_from,
)
from ginrummy.api.player_messages import role_from
from ginrummy.api.terms_messages import (
    clock_from,
    dispute_ms_from,
    limits_from,
    reveal_from,
    ruleset_from,
    signing_from,
)
from ginrummy.rules.cards import BySeat
from ginrummy.rules.errors import InvalidRulesetError
from ginrummy.v1.ruleset_pb2 import Limits, Ruleset, TimeControl

ANN = "p_" + "0" * 26
BOB = "p_" + "z" * 26
YEAR = 366 * 86_400_000


def test_ids_nonces_and_seats() -> None:
    assert request_id_from("r" * 64) == "r" * 64
    assert request_id_from("", needed=False) == ""
    assert nonce_from(b"\x0a" * 16) == "0a" * 16
    assert commitment_from(b"") is None
    assert commitment_from(b"\xff" * 32) == "ff" * 32
    assert (seat_from(0), seat_from(1)) == (0, 1)
    assert seats_from([]) == BySeat(None, None)
    assert seats_from([ANN, ""]) == BySeat(ANN, None)
    assert seats_from(["", ""]) == BySeat(None, None)
    assert seats_from([ANN, BOB]) == BySeat(ANN, BOB)


@pytest.mark.parametrize("name", ["Ann", "Zoë O'Brien", "三郎", "x" * 64, "  two  words"])
def test_names(name: str) -> None:
    assert player_name_from(name) == name
    assert name_from(name) == name


def test_a_match_may_be_nameless() -> None:
    assert name_from("") == ""
    assert name_from("x" * 100) == "x" * 100


REFUSED: list[tuple[str, Callable[..., object], Any]] = [
    ("request_id", request_id_from, ""),
    ("request_id", request_id_from, "r" * 65),
    ("nonce", nonce_from, b""),
    ("nonce", nonce_from, b"\0" * 17),
    ("nonce_commitment", commitment_from, b"\0" * 31),
    ("public_key", public_key_from, b"\1" * 31),
    ("public_key", public_key_from, b"\1" * 33),
    # Of small order, no point of the curve, and a second spelling of one.
    ("public_key", public_key_from, b"\0" * 32),
    ("public_key", public_key_from, b"\2" + b"\0" * 31),
    ("public_key", public_key_from, b"\xee" + b"\xff" * 31),
    ("signature", signature_from, b"\1" * 63),
    ("signature", signature_from, b"\1" * 65),
    ("seat", seat_from, 2),
    ("seat", seat_from, -1),
    ("seats", seats_from, [ANN]),
    ("seats", seats_from, [ANN, BOB, ANN]),
    ("seats[0]", seats_from, ["ann", ""]),
    ("seats[1]", seats_from, ["", ANN.upper()]),
    ("seats[1]", seats_from, [ANN, ANN]),
    ("name", name_from, "x" * 101),
    ("name", name_from, "bell\a"),
    ("name", player_name_from, ""),
    ("name", player_name_from, "   "),
    ("name", player_name_from, "x" * 65),
    ("name", player_name_from, "Ann\x1b[2J"),
    ("name", player_name_from, "Ann\u202eboB"),
    ("stage", stage_from, 9),
    ("role", role_from, 9),
    ("reveal", reveal_from, 9),
    ("signing", signing_from, 9),
    ("dispute_ms", dispute_ms_from, -1),
    ("dispute_ms", dispute_ms_from, YEAR + 1),
    ("clock.bank_ms", clock_from, TimeControl(bank_ms=0)),
    ("clock.bank_ms", clock_from, TimeControl(bank_ms=YEAR + 1)),
    ("clock.decision_ms", clock_from, TimeControl(decision_ms=-1)),
    ("clock.increment_ms", clock_from, TimeControl(bank_ms=1, increment_ms=-1)),
    ("clock.increment_ms", clock_from, TimeControl(decision_ms=1, increment_ms=1)),
    ("limits.illegal_moves", limits_from, Limits(illegal_moves=-1)),
    ("limits.illegal_moves", limits_from, Limits(illegal_moves=1001)),
    ("limits.start_ms", limits_from, Limits(start_ms=YEAR + 1)),
    ("limits.idle_ms", limits_from, Limits(idle_ms=-1)),
]


@pytest.mark.parametrize(("field", "read", "value"), REFUSED)
def test_what_cannot_be_is_refused_by_its_field(
    field: str, read: Callable[..., object], value: object
) -> None:
    with pytest.raises(InvalidFieldError) as refused:
        read(value)
    assert refused.value.field == field
    assert refused.value.why


@pytest.mark.parametrize(
    ("field", "preset", "message"),
    [
        ("preset", "texas", Ruleset()),
        ("preset", "Standard", Ruleset()),
        ("knock_limit", "", Ruleset(knock_limit=-1)),
        ("knock_limit", "", Ruleset(knock_limit=101)),
        ("target", "", Ruleset(target=0)),
        ("gin_bonus", "", Ruleset(gin_bonus=-25)),
        ("run_max", "", Ruleset(run_max=-1)),
        ("hands", "", Ruleset(hands=-1)),
        ("next_dealer", "", Ruleset(next_dealer=7)),  # type: ignore[arg-type]  # a later client's
        ("gin_only", "oklahoma", Ruleset(gin_only=True)),
    ],
)
def test_a_ruleset_that_cannot_be_is_refused_by_its_field(
    field: str, preset: str, message: Ruleset
) -> None:
    """A11"""
    with pytest.raises(InvalidRulesetError) as refused:
        ruleset_from(preset, message)
    assert refused.value.field == field
