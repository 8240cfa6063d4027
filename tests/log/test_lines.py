"""Lines: every event comes back as it was, from one spelling only, and nothing is passed over."""

import hashlib
import json
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support_events import EVENTS, events, hex32, hex64, instants, match_ids, names, player_ids

from ginrummy.log.errors import LineError, MalformedLineError, UnknownEventError
from ginrummy.log.instants import InvalidInstantError
from ginrummy.log.lines import (
    EVENT_TYPES,
    GENESIS,
    Line,
    MatchLine,
    line_hash,
    read_line,
    write_line,
)
from ginrummy.rules.cards import Card
from ginrummy.rules.events import (
    Discarded,
    Event,
    MatchCreated,
    NonceRevealed,
    SecretRevealed,
    StockDrawn,
)

STREAM = "m_scyr0fbpvntbbqq3d6c9xj9gar"
PLAYER = "p_5ttc80qmk73dsa016wt85kcwxs"
AT = 1_795_992_538_123_456

DISCARDED = (
    b'{"v":1,"stream":"m_scyr0fbpvntbbqq3d6c9xj9gar","seq":7,"at":"2026-11-29T22:48:58.123456Z",'
    b'"by":"p_5ttc80qmk73dsa016wt85kcwxs","cmd":"r-1","type":"discarded",'
    b'"data":{"seat":0,"card":"7H"},'
    b'"prev":"0000000000000000000000000000000000000000000000000000000000000000"}'
)


def line_of(event: Event) -> MatchLine:
    return write_line(STREAM, 7, AT, PLAYER, "r-1", event, GENESIS)


def test_every_event_has_a_name_and_only_one() -> None:
    assert set(EVENT_TYPES.values()) == set(get_args(Event)) == set(EVENTS)
    assert len(EVENT_TYPES) == len(set(EVENT_TYPES.values())) == 25


def test_a_line_is_these_bytes() -> None:
    line = line_of(Discarded(0, Card("7H")))
    assert line.raw == DISCARDED
    assert line == Line(
        raw=DISCARDED,
        hash=hashlib.sha256(DISCARDED).hexdigest(),
        stream=STREAM,
        seq=7,
        at=AT,
        by=PLAYER,
        cmd="r-1",
        type="discarded",
        v=1,
        event=Discarded(0, Card("7H")),
        prev=GENESIS,
        sig=None,
    )
    assert line_hash(DISCARDED) == line.hash


def test_a_signature_stands_between_data_and_prev() -> None:
    line = write_line(STREAM, 7, AT, PLAYER, "r-1", StockDrawn(1), GENESIS, sig="ab" * 64)
    assert line.sig == "ab" * 64
    fields = list(json.loads(line.raw))
    assert fields == ["v", "stream", "seq", "at", "by", "cmd", "type", "data", "sig", "prev"]


@pytest.mark.parametrize("event_type", EVENTS, ids=lambda event_type: event_type.__name__)
@given(data=st.data())
def test_every_event_reads_back(event_type: type[Event], data: st.DataObject) -> None:
    event = data.draw(EVENTS[event_type])
    written = line_of(event)
    read = read_line(written.raw)
    assert read == written
    assert read.event == event
    assert type(read.event) is event_type
    assert EVENT_TYPES[read.type] is event_type


@given(
    stream=match_ids,
    seq=st.integers(1, 2**53 - 1),
    at=instants,
    by=player_ids | st.just("server"),
    cmd=names,
    event=events,
    prev=hex32,
    sig=st.none() | hex64,
)
def test_every_envelope_reads_back(
    *,
    stream: str,
    seq: int,
    at: int,
    by: str,
    cmd: str,
    event: Event,
    prev: str,
    sig: str | None,
) -> None:
    line = write_line(stream, seq, at, by, cmd, event, prev, sig=sig)
    assert read_line(line.raw) == line
    assert (line.stream, line.seq, line.at, line.by) == (stream, seq, at, by)
    assert (line.cmd, line.event, line.prev, line.sig) == (cmd, event, prev, sig)
    assert b"\n" not in line.raw


@given(events)
def test_any_json_reader_gets_the_same_fields(event: Event) -> None:
    """Canonical is what JSON writers without spaces make of it: no escape of ours differs."""
    raw = line_of(event).raw
    again = json.dumps(json.loads(raw), separators=(",", ":"), ensure_ascii=False)
    assert again.encode() == raw


@given(event=events, place=st.integers(0), byte=st.integers(0, 255))
def test_no_changed_byte_reads_as_the_same_line(event: Event, place: int, byte: int) -> None:
    line = line_of(event)
    changed = bytearray(line.raw)
    changed[place % len(changed)] = byte
    raw = bytes(changed)
    if raw == line.raw:
        return
    try:
        read = read_line(raw)
    except LineError:
        return
    assert read.raw == raw
    assert read.hash != line.hash
    assert msgspec.structs.replace(read, raw=line.raw, hash=line.hash) != line


def test_every_single_byte_of_a_line_matters() -> None:
    """As above, for all 255 other bytes at all places of one line."""
    line = read_line(DISCARDED)
    survivors = set()
    for place in range(len(DISCARDED)):
        for byte in range(256):
            changed = DISCARDED[:place] + bytes([byte]) + DISCARDED[place + 1 :]
            if changed == DISCARDED:
                continue
            try:
                read = read_line(changed)
            except LineError:
                continue
            assert read.hash != line.hash
            survivors.add(
                (read.stream, read.seq, read.at, read.by, read.cmd, read.event, read.prev)
            )
    assert (STREAM, 7, AT, PLAYER, "r-1", Discarded(0, Card("7H")), GENESIS) not in survivors
    assert (STREAM, 7, AT, PLAYER, "r-1", Discarded(0, Card("8H")), GENESIS) in survivors


def changed(old: bytes, new: bytes) -> bytes:
    assert DISCARDED.count(old) == 1
    return DISCARDED.replace(old, new)


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        pytest.param(b"", "truncated", id="nothing"),
        pytest.param(DISCARDED + b"\n", "byte 261 on: .* where its end", id="newline"),
        pytest.param(DISCARDED + b"{}", "trailing characters", id="more"),
        pytest.param(b"\xef\xbb\xbf" + DISCARDED, "malformed", id="byte order mark"),
        pytest.param(b" " + DISCARDED, "byte 0 on", id="space before"),
        pytest.param(DISCARDED[:-1], "truncated", id="cut"),
        pytest.param(changed(b'"v":1', b'"v": 1'), "byte 5 on", id="space"),
        pytest.param(changed(b'"v":1', b'"v":1.0'), "got `float`", id="float"),
        pytest.param(changed(b'"v":1', b'"v":01'), "malformed", id="leading zero"),
        pytest.param(changed(b'"v":1', b'"v":0'), ">= 1", id="version 0"),
        pytest.param(changed(b'"v":1', b'"v":"1"'), "got `str`", id="text for number"),
        pytest.param(changed(b'"seq":7', b'"seq":0'), ">= 1", id="seq 0"),
        pytest.param(changed(b'"seq":7', b'"seq":7e0'), "got `float`", id="exponent"),
        pytest.param(
            changed(b'"seq":7', b'"seq":' + b"7" * 5000), "out of range", id="long number"
        ),
        pytest.param(changed(b'"seq":7,', b'"seq":7,"seq":7,'), "not in canon", id="doubled field"),
        pytest.param(changed(b'"seq":7,', b""), "missing required field `seq`", id="no seq"),
        pytest.param(
            changed(b'"seq":7,', b'"seq":7,"x":1,'), "unknown field `x`", id="extra field"
        ),
        pytest.param(
            changed(b'"v":1,"stream":"m_scyr0fbpvntbbqq3d6c9xj9gar",', b"").replace(
                b'"seq"', b'"stream":"m_scyr0fbpvntbbqq3d6c9xj9gar","v":1,"seq"'
            ),
            "not in canonical form from byte 2 on",
            id="field order",
        ),
        pytest.param(changed(b"m_scyr0fbpvntbbqq3d6c9xj9gar", b""), "length >= 1", id="no stream"),
        pytest.param(changed(b"p_5ttc80qmk73dsa016wt85kcwxs", b""), "length >= 1", id="nobody"),
        pytest.param(changed(b'"r-1"', b"null"), "got `null`", id="null cmd"),
        pytest.param(changed(b'"r-1"', b'"\\u0072-1"'), "canonical form", id="needless escape"),
        pytest.param(changed(b'"r-1"', b'"r\\/1"'), "canonical form", id="escaped slash"),
        pytest.param(changed(b'"r-1"', b'"\xff"'), "UTF-8", id="not UTF-8"),
        pytest.param(changed(b'"r-1"', b'"\\ud800"'), "truncated|surrogate|malformed", id="half"),
        pytest.param(changed(b"58.123456Z", b"58.123Z"), "is not a time", id="milliseconds"),
        pytest.param(changed(b"58.123456Z", b"58.123456+00:00"), "is not a time", id="offset"),
        pytest.param(changed(b"T22:48", b" 22:48"), "is not a time", id="space in time"),
        pytest.param(changed(b"-11-29", b"-11-31"), "is not a time", id="no such day"),
        pytest.param(changed(b'{"seat":0,', b"{"), "missing required field `seat`", id="no seat"),
        pytest.param(changed(b'"7H"}', b'"7H","x":0}'), "unknown field `x`", id="extra in data"),
        pytest.param(changed(b'"7H"}', b'"7H" }'), "canonical form", id="space in data"),
        pytest.param(
            changed(b'"seat":0,"card":"7H"', b'"card":"7H","seat":0'), "canonical", id="data order"
        ),
        pytest.param(changed(b'"seat":0', b'"seat":2'), "Invalid enum value 2", id="seat 2"),
        pytest.param(changed(b'"seat":0', b'"seat":-0'), "canonical form", id="minus zero"),
        pytest.param(changed(b'"seat":0', b'"seat":false'), "got `bool`", id="false for 0"),
        pytest.param(changed(b'"7H"', b'"7h"'), "Invalid enum value '7h'", id="lower-case card"),
        pytest.param(changed(b'"7H"', b'"10H"'), "Invalid enum value '10H'", id="long ten"),
        pytest.param(changed(b'{"seat":0,"card":"7H"}', b"null"), "got `null`", id="null data"),
        pytest.param(
            changed(b'{"seat":0,"card":"7H"}', b"[" * 99_999), "recursion|trunc", id="deep"
        ),
        pytest.param(changed(b'"0000', b'"A000'), "not 64 lower-case hex", id="upper-case prev"),
        pytest.param(changed(b'"0000', b'"000'), "not 64 lower-case hex", id="short prev"),
        pytest.param(
            changed(b'0000"}', b'0000\\n"}'), "not 64 lower-case hex", id="newline in prev"
        ),
        pytest.param(changed(b',"prev"', b',"sig":null,"prev"'), "got `null`", id="null sig"),
        pytest.param(changed(b',"prev"', b',"sig":"","prev"'), "matching regex", id="empty sig"),
        pytest.param(
            changed(b',"prev"', b',"sig":"' + b"AB" * 64 + b'","prev"'),
            "matching regex",
            id="upper-case sig",
        ),
        pytest.param(
            DISCARDED[:-1] + b',"sig":"' + b"ab" * 64 + b'"}', "canonical form", id="sig after prev"
        ),
    ],
)
def test_every_other_spelling_is_refused(raw: bytes, what: str) -> None:
    with pytest.raises(MalformedLineError, match=what):
        read_line(raw)


def test_a_refusal_says_where() -> None:
    with pytest.raises(MalformedLineError) as refusal:
        read_line(changed(b'"card":"7H"', b'"card": "7H"'))
    assert (refusal.value.stream, refusal.value.seq) == (STREAM, 7)
    assert str(refusal.value) == (
        "m_scyr0fbpvntbbqq3d6c9xj9gar, event 7: not in canonical form from byte 181 on: "
        '\' "7H"},"prev":"000000000\' where \'"7H"},"prev":"0000000000\' should stand'
    )


def test_a_line_that_cannot_be_placed_says_so() -> None:
    with pytest.raises(MalformedLineError, match=r"^a line, event \?: ") as refusal:
        read_line(DISCARDED[:100])
    assert (refusal.value.stream, refusal.value.seq) == (None, None)


def event_line(name: str, data: str) -> bytes:
    return changed(b'"discarded"', f'"{name}"'.encode()).replace(
        b'{"seat":0,"card":"7H"}', data.encode()
    )


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("nonce_revealed", {"seat": 0, "nonce": "AB" * 16}, "matching regex"),
        ("nonce_revealed", {"seat": 0, "nonce": "ab" * 15}, "matching regex"),
        ("nonce_revealed", {"seat": 0, "nonce": "ab" * 16 + "\n"}, "matching regex"),
        ("secret_revealed", {"hand": 1, "secret": "AB" * 32}, "matching regex"),
        ("secret_revealed", {"hand": 1, "secret": "ab" * 16}, "matching regex"),
        ("hand_voided", {"hand": 1, "reason": "boredom"}, "Invalid enum value 'boredom'"),
        ("knocked", {"seat": 0, "melds": [["7X"]], "deadwood": [], "gin": True}, "enum value '7X'"),
        ("clock_paused", {"seat": 0}, "unknown field `seat`"),
        ("stock_drawn", {"seat": 0, "card": "7H"}, "unknown field `card`"),
    ],
)
def test_data_that_cannot_be_is_refused(name: str, data: dict[str, Any], what: str) -> None:
    raw = event_line(name, json.dumps(data, separators=(",", ":")))
    with pytest.raises(MalformedLineError, match=f"data of {name}: .*{what}"):
        read_line(raw)


@given(EVENTS[MatchCreated])
def test_an_impossible_ruleset_is_a_malformed_line(created: Event) -> None:
    raw = line_of(created).raw
    data = json.loads(raw)["data"]
    data["rules"]["knock_limit"] = 11
    with pytest.raises(MalformedLineError, match="knock_limit: 11 is not a whole number"):
        read_line(event_line("match_created", json.dumps(data, separators=(",", ":"))))


@given(EVENTS[MatchCreated], st.sampled_from(("knock_limit", "target", "shutout_doubles")))
def test_a_ruleset_is_stored_with_every_field(created: Event, field: str) -> None:
    """B3 A default that changes later changes no old match, so a line may not lean on one."""
    raw = line_of(created).raw
    data = json.loads(raw)["data"]
    del data["rules"][field]
    with pytest.raises(MalformedLineError):
        read_line(event_line("match_created", json.dumps(data, separators=(",", ":"))))


@pytest.mark.parametrize(
    ("name", "version"), [("dispute_closed", 1), ("discarded", 2), ("Discarded", 1), ("", 1)]
)
def test_an_unknown_event_stops_the_reader(name: str, version: int) -> None:
    """D5 It is named with type, version and position, and never skipped."""
    raw = changed(b'"discarded"', f'"{name}"'.encode()).replace(b'"v":1', f'"v":{version}'.encode())
    with pytest.raises(UnknownEventError) as refusal:
        read_line(raw)
    unknown = refusal.value
    assert (unknown.type, unknown.version, unknown.stream, unknown.seq) == (
        name,
        version,
        STREAM,
        7,
    )
    assert str(unknown).startswith(f"{STREAM}, event 7: {name} in version {version} ")


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 0},
        {"by": ""},
        {"stream": ""},
        {"prev": GENESIS.upper() + "0"},
        {"prev": "A" * 64},
        {"sig": "ab"},
        {"event": NonceRevealed(0, "AB" * 16)},
        {"event": SecretRevealed(1, "")},
        {"event": StockDrawn(3)},  # type: ignore[arg-type]  # no such seat
    ],
    ids=str,
)
def test_what_could_not_be_read_is_not_written(change: dict[str, Any]) -> None:
    fields: dict[str, Any] = {
        "stream": STREAM,
        "seq": 1,
        "at": AT,
        "by": PLAYER,
        "cmd": "",
        "event": StockDrawn(0),
        "prev": GENESIS,
    }
    write_line(**fields)
    with pytest.raises(MalformedLineError):
        write_line(**(fields | change))


def test_an_instant_without_a_text_is_not_written() -> None:
    with pytest.raises(InvalidInstantError):
        write_line(STREAM, 1, 10**20, PLAYER, "", StockDrawn(0), GENESIS)
