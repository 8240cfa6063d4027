"""The seam for new forms: old lines keep their bytes, and read as what they mean today (D5)."""

import msgspec
import pytest

from ginrummy.log.errors import MalformedLineError, UnknownEventError
from ginrummy.log.lines import EVENT_TYPES, FORMS, GENESIS, line_hash, read_line, write_line
from ginrummy.log.upcast import OLD_FORMS, Forms, OldForm
from ginrummy.rules.cards import Card
from ginrummy.rules.events import Discarded, StockDrawn


class DiscardedV1(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A first form that named the seat by a letter."""

    who: str
    card: Card


class DiscardedV2(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A second form, with the seat as it is today but the card in two parts."""

    seat: int
    rank: str
    suit: str


def from_v1(old: DiscardedV1) -> DiscardedV2:
    return DiscardedV2("AB".index(old.who), str(old.card)[0], str(old.card)[1])


def from_v2(old: DiscardedV2) -> Discarded:
    return Discarded(1 if old.seat else 0, Card(old.rank + old.suit))


PAST = {
    ("discarded", 1): OldForm(DiscardedV1, from_v1),
    ("discarded", 2): OldForm(DiscardedV2, from_v2),
}
FORMS_WITH_A_PAST = Forms(EVENT_TYPES, PAST)


def line_in(version: int, data: str) -> bytes:
    return (
        f'{{"v":{version},"stream":"m_1","seq":3,"at":"2026-11-29T22:48:58.123456Z","by":"p_1",'
        f'"cmd":"","type":"discarded","data":{data},"prev":"{GENESIS}"}}'
    ).encode()


V1 = line_in(1, '{"who":"B","card":"7H"}')
V2 = line_in(2, '{"seat":1,"rank":"7","suit":"H"}')
V3 = line_in(3, '{"seat":1,"card":"7H"}')


@pytest.mark.parametrize(("raw", "version"), [(V1, 1), (V2, 2), (V3, 3)])
def test_every_version_reads_as_the_newest_and_keeps_its_bytes(raw: bytes, version: int) -> None:
    line = read_line(raw, FORMS_WITH_A_PAST)
    assert line.event == Discarded(1, Card("7H"))
    assert (line.v, line.raw, line.hash) == (version, raw, line_hash(raw))


def test_the_newest_version_is_what_is_written() -> None:
    event = Discarded(1, Card("7H"))
    line = write_line(
        "m_1", 3, 1_795_992_538_123_456, "p_1", "", event, GENESIS, forms=FORMS_WITH_A_PAST
    )
    assert line.raw == V3


def test_an_event_without_a_past_is_still_in_its_first_version() -> None:
    line = write_line("m_1", 1, 0, "p_1", "", StockDrawn(0), GENESIS, forms=FORMS_WITH_A_PAST)
    assert line.v == 1


@pytest.mark.parametrize(
    "raw",
    [
        line_in(1, '{"seat":1,"card":"7H"}'),
        line_in(1, '{"card":"7H","who":"B"}'),
        line_in(1, '{"who":"B","card":"7H","x":0}'),
        line_in(1, '{"who":"B", "card":"7H"}'),
        line_in(1, '{"who":"\\u0042","card":"7H"}'),
        line_in(2, '{"seat":1,"card":"7H"}'),
        line_in(3, '{"who":"B","card":"7H"}'),
    ],
)
def test_an_old_form_is_held_to_its_own_spelling(raw: bytes) -> None:
    with pytest.raises(MalformedLineError):
        read_line(raw, FORMS_WITH_A_PAST)


def test_a_version_yet_to_come_is_unknown() -> None:
    with pytest.raises(UnknownEventError, match="discarded in version 4"):
        read_line(line_in(4, '{"seat":1,"card":"7H"}'), FORMS_WITH_A_PAST)
    with pytest.raises(UnknownEventError, match="discarded in version 2"):
        read_line(V2, FORMS)


def test_versions_have_no_holes() -> None:
    with pytest.raises(ValueError, match="a hole in the way up"):
        Forms(EVENT_TYPES, {("discarded", 2): PAST["discarded", 2]})


def test_an_old_form_belongs_to_an_event() -> None:
    with pytest.raises(ValueError, match="old forms of no event: thrown"):
        Forms(EVENT_TYPES, {("thrown", 1): PAST["discarded", 1]})


class Opened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of another kind of stream."""

    title: str


def test_a_stream_of_another_kind_has_forms_of_its_own() -> None:
    forms: Forms[Opened] = Forms({"opened": Opened})
    line = write_line("t_1", 1, 0, "p_1", "r", Opened("Cup"), GENESIS, forms=forms)
    again = read_line(line.raw, forms)
    assert again == line
    assert again.event.title == "Cup"
    assert (line.type, line.v) == ("opened", 1)
    with pytest.raises(UnknownEventError, match="opened in version 1"):
        read_line(line.raw)
    with pytest.raises(UnknownEventError, match="discarded in version 3"):
        read_line(V3, forms)


def test_every_old_form_is_strict() -> None:
    """Without this an old line could lose a field that it stored, unseen."""
    for form in OLD_FORMS.values():
        assert form.fields.__struct_config__.forbid_unknown_fields
        assert form.fields.__struct_config__.frozen
