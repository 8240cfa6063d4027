"""The program's log: one line an event, and no secret in it even where somebody forgets."""

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog
from structlog.contextvars import bound_contextvars
from support_journal import journal_caught, journal_written
from support_messages import Plain
from support_rules import opened, playing, stack

from ginrummy.api.auth import new_token
from ginrummy.api.journal import LEVELS, fault_fields, redact
from ginrummy.rules.cards import DECK

TOKEN = new_token(lambda size: b"\x5a" * size)


def log() -> Plain:
    return structlog.get_logger()


def test_a_line_is_one_json_object() -> None:
    with journal_caught() as lines, bound_contextvars(call="c1"):
        log().info("serving", address="127.0.0.1:1", matches=3, ready=True, share=0.5, db=None)
    (line,) = lines()
    assert list(line)[:3] == ["time", "level", "event"]
    assert line.pop("time").endswith("Z")
    assert line == {
        "event": "serving",
        "level": "info",
        "call": "c1",
        "address": "127.0.0.1:1",
        "matches": 3,
        "ready": True,
        "share": 0.5,
        "db": None,
    }


def test_a_line_for_people_has_no_colours_where_there_is_no_terminal() -> None:
    with journal_written("console", "info") as text:
        log().info("serving", address="127.0.0.1:1")
    (line,) = text().splitlines()
    assert "serving" in line
    assert "address=127.0.0.1:1" in line
    assert "\x1b" not in line


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_says_what_is_left_out(level: str) -> None:
    with journal_caught(level) as lines:
        for name in LEVELS:
            getattr(log(), name)(name)
    assert [line["level"] for line in lines()] == list(LEVELS[LEVELS.index(level) :])


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(KeyError), journal_caught("loud"):
        pass


def test_what_the_libraries_log_is_in_the_same_form() -> None:
    with journal_caught("debug") as lines:
        logging.getLogger("grpc").warning("a %s of %s", "matter", TOKEN)
        logging.getLogger("grpc").info("of no interest")
    (line,) = lines()
    assert line["event"] == "a matter of [redacted]"
    assert line["level"] == "warning"


# --- secrets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    [
        "authorization",
        "Authorization",
        "token",
        "token_hash",
        "bearer_token",
        "secret",
        "chain_secret",
        "nonce",
        "nonce0",
        "deck",
        "next_deck",
        "password",
    ],
)
def test_what_looks_secret_by_its_key_is_taken_out(key: str) -> None:
    event = {"event": "x", key: "s3cr3t", "inner": {key: "s3cr3t", "rows": [{key: b"s3cr3t"}]}}
    cleaned = redact(None, "info", event)
    assert "s3cr3t" not in json.dumps(cleaned)
    assert cleaned[key] == "[redacted]"
    assert cleaned["inner"]["rows"] == [{key: "[redacted]"}]


@pytest.mark.parametrize(
    "text",
    [TOKEN, f"sent {TOKEN} twice", f"Bearer {TOKEN}", "authorization: bearer abc.def", "BEARER x"],
)
def test_a_token_is_taken_out_of_any_text(text: str) -> None:
    cleaned = redact(None, "info", {"event": text, "seen": [text], "path": Path("/tmp") / text})
    everything = json.dumps(cleaned)
    assert "[redacted]" in cleaned["event"]
    assert TOKEN not in everything
    assert "abc.def" not in everything


@pytest.mark.parametrize(
    "value",
    [
        playing(stack()),
        opened(),
        DECK[0],
        b"\x07" * 32,
        ValueError("the stock is 7H"),
        object(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_plain_value_is_named_by_its_kind(value: object) -> None:
    name = f"<{type(value).__name__}>"
    cleaned = redact(None, "info", {"event": "x", "value": value, "more": [value, {"a": value}]})
    assert cleaned == {"event": "x", "value": name, "more": [name, {"a": name}]}


def test_plain_values_stay_as_they_are() -> None:
    event = {
        "event": "call",
        "code": "OK",
        "ms": 1.25,
        "seqs": [1, 2],
        "match": "m_" + "0" * 26,
        "counts": {"open": 3},
        "path": Path("gin.db"),
    }
    assert redact(None, "info", dict(event)) == event | {"path": "gin.db"}


# --- faults -------------------------------------------------------------------------------------


def raised(cause: Callable[[], object]) -> Exception:
    try:
        cause()
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is wanted
        return error
    raise AssertionError("nothing was raised")


def test_a_fault_says_where_and_not_what() -> None:
    def fold() -> None:
        try:
            _ = dict[str, int]()["7H 8H"]
        except KeyError as error:
            raise ValueError("the stock is 7H 8H") from error

    fields = fault_fields(raised(fold))
    assert fields["exception"] == "ValueError"
    assert fields["caused_by"] == ["KeyError"]
    assert [frame.split()[-1] for frame in fields["where"]] == ["raised", "fold"]
    assert "7H" not in json.dumps(fields)


def test_the_machines_own_errors_are_told_in_full() -> None:
    fields = fault_fields(raised(lambda: Path("/nowhere/gin.db").read_bytes()))
    assert fields["exception"] == "FileNotFoundError"
    assert "/nowhere/gin.db" in fields["why"]


def test_an_exception_that_is_logged_keeps_its_text_to_itself() -> None:
    error = raised(lambda: int("7H"))
    with journal_caught() as lines:
        log().error("odd", exc_info=error)
        logging.getLogger("asyncio").error("odd", exc_info=error)
        try:
            int("7H")
        except ValueError:
            log().exception("odd")
    assert [line["exception"] for line in lines()] == ["ValueError"] * 3
    assert "7H" not in json.dumps(lines())
