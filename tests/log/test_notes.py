"""Signed notes, checkpoints and receipts against the examples of their specifications."""

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginrummy.log.checkpoints import checkpoint_text, read_checkpoint
from ginrummy.log.merkle import InvalidProofError, fold, inclusion_proof, leaf_hash, root
from ginrummy.log.notes import (
    InvalidKeyError,
    MalformedNoteError,
    NoteSignature,
    VerifierKey,
    read_note,
    write_note,
)
from ginrummy.log.receipts import MalformedReceiptError, Receipt, read_receipt, write_receipt
from ginrummy.log.signing import SigningKey, UnsignedNoteError, check_signed, signed

# The example of c2sp.org/signed-note.
FOO = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
MESSAGE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""  # noqa: E501
POEM = """Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
"""  # noqa: E501

# The example of c2sp.org/tlog-checkpoint.
SOFA = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
"""  # noqa: E501

# That of c2sp.org/tlog-proof, whose signatures are cut short there; and with them left out, whose
# extra data is no base64 of any length, there.
PROOF = """c2sp.org/tlog-proof@v1
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=
EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=
RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=
AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=

example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

— example.com/fancylog hI2DJwAA
— witness1.example mJirIkAA
"""

KEY = SigningKey("ginrummy.example/log", bytes(range(32)))


def test_the_example_of_the_specification_is_signed_by_its_key() -> None:
    key = VerifierKey.read(FOO)
    assert str(key) == FOO
    note = read_note(MESSAGE.encode())
    assert note.text == "This is an example message.\n"
    check_signed(note, key)
    (signature,) = note.signatures
    assert write_note(note.text, signature) == MESSAGE.encode()


def test_a_text_may_have_empty_lines() -> None:
    note = read_note(POEM.encode())
    assert note.text.count("\n") == 4
    assert note.text.endswith("sera.\n")
    assert [each.name for each in note.signatures] == ["quasimodo.example/salvatore"]


def test_a_note_is_signed_and_checked() -> None:
    raw = signed("one\n\ntwo\n", KEY)
    note = read_note(raw)
    check_signed(note, KEY.verifier)
    assert signed("one\n\ntwo\n", KEY) == raw
    assert KEY.secret.hex() not in repr(KEY)
    assert str(KEY.secret) not in repr(KEY)


def test_a_changed_note_is_signed_by_nobody() -> None:
    raw = signed("one\n", KEY)
    for old, new in ((b"one", b"0ne"), (b"/log", b"/lag")):
        with pytest.raises(UnsignedNoteError):
            check_signed(read_note(raw.replace(old, new, 1)), KEY.verifier)


def test_another_key_has_not_signed_it() -> None:
    note = read_note(signed("one\n", KEY))
    for other in (SigningKey(KEY.name, bytes(32)), SigningKey("elsewhere", KEY.secret)):
        with pytest.raises(UnsignedNoteError, match="not signed by"):
            check_signed(note, other.verifier)


def test_signatures_of_others_do_not_matter_and_one_of_ones_own_that_fails_does() -> None:
    raw, other = signed("one\n", KEY), signed("one\n", SigningKey("witness", bytes(32)))
    line = other.rpartition(b"\n\n")[2]
    check_signed(read_note(raw + line), KEY.verifier)
    wrong = NoteSignature(KEY.name, KEY.verifier.key_id, bytes(64))
    line = write_note("one\n", wrong).rpartition(b"\n\n")[2]
    with pytest.raises(UnsignedNoteError, match="does not hold"):
        check_signed(read_note(raw + line), KEY.verifier)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "\n",
        "one\n",
        "one\n\n",
        "one\n\n— name\n",
        "one\n\n— name AAAA\n",
        "one\n\n— name AAAAAA==",
        "one\n\n— name AAAAAB==\n",
        "one\n\n- name AAAAAAAA\n",
        "one\n\n— na me AAAAAAAA\n",
        "one\n\n— na+me AAAAAAAA\n",
        "one\n\n— name AAAAAAAA\n\n",
        "one\r\n\n— name AAAAAAAA\n",
        "one\t\n\n— name AAAAAAAA\n",
    ],
)
def test_what_is_no_note_is_refused(raw: str) -> None:
    with pytest.raises(MalformedNoteError):
        read_note(raw.encode())


def test_what_is_no_text_is_no_note() -> None:
    with pytest.raises(MalformedNoteError, match="UTF-8"):
        read_note(b"\xff\n\n")
    with pytest.raises(ValueError, match="newline"):
        signed("one", KEY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        FOO.replace("530d", "530e"),
        FOO.replace("/foo", "/bar"),
        FOO.replace("+Aek", "+Bek"),
        FOO[:-4],
        FOO + "A",
        "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidKeyError):
        VerifierKey.read(text)


# --- checkpoints ----------------------------------------------------------------------------------


def test_the_checkpoint_of_the_specification() -> None:
    found = read_checkpoint(SOFA.encode())
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20852163)
    assert b64encode(found.root) == b"CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
    assert checkpoint_text(found.origin, found.size, found.root) == found.note.text


def test_a_checkpoint_may_have_further_lines() -> None:
    found = read_checkpoint(SOFA.replace("q2I=\n", "q2I=\nmore\n").encode())
    assert found.size == 20852163


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("example.com/behind-the-sofa\n2", "2"),
        ("20852163", "020852163"),
        ("20852163", "-1"),
        ("20852163", "1_000"),
        ("20852163", "\N{ARABIC-INDIC DIGIT ONE}"),
        ("CsUY", "CsU"),
        ("jxq2I=", "jxq2J="),
        ("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", "CsUY"),
        ("q2I=\n", "q2I=\n\n"),
    ],
)
def test_what_is_no_checkpoint_is_refused(old: str, new: str) -> None:
    with pytest.raises(MalformedNoteError):
        read_checkpoint(SOFA.replace(old, new, 1).encode())


# --- receipts -------------------------------------------------------------------------------------


def receipt(size: int, index: int) -> bytes:
    def subtree(level: int, place: int) -> bytes:
        first, last = place << level, (place + 1) << level
        return fold([leaf_hash(b"%d" % each) for each in range(first, last)])

    text = checkpoint_text(KEY.name, size, root(size, subtree))
    proof = inclusion_proof(index, size, subtree)
    return write_receipt("m_a", 7, index, proof, signed(text, KEY))


def test_the_receipt_of_the_specification() -> None:
    found = read_receipt(PROOF.encode())
    assert (found.index, len(found.proof), found.checkpoint.size) == (73894, 5, 109482)
    assert [each.name for each in found.checkpoint.note.signatures] == [
        "example.com/fancylog",
        "witness1.example",
    ]
    assert (found.stream, found.seq) == ("", 0)


@given(st.integers(1, 300), st.data())
def test_a_receipt_is_read_as_it_was_written(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    raw = receipt(size, index)
    found = read_receipt(raw)
    assert (found.stream, found.seq, found.index) == ("m_a", 7, index)
    check_signed(found.checkpoint.note, KEY.verifier)
    found.check(leaf_hash(b"%d" % index))
    with pytest.raises(InvalidProofError):
        found.check(leaf_hash(b"another"))


@given(st.data())
def test_no_changed_receipt_is_accepted(data: st.DataObject) -> None:
    """Whatever byte is changed: it is unreadable, unsigned, unproved, or names another line."""
    raw = bytearray(receipt(11, 6))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    try:
        found = read_receipt(bytes(raw))
    except MalformedReceiptError:
        return
    try:
        check_signed(found.checkpoint.note, KEY.verifier)
        found.check(leaf_hash(b"6"))
    except (UnsignedNoteError, InvalidProofError):
        return
    assert (found.stream, found.seq) != ("m_a", 7)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@v1", "@v2"),
        ("index 73894\n", ""),
        ("index 73894", "index 073894"),
        ("index 73894", "index -1"),
        ("index 73894", "extra AA\nindex 73894"),
        ("gSKy", "gSK"),
        ("109482", "many"),
        ("vk=\n\n", "vk=\n"),
    ],
)
def test_what_is_no_receipt_is_refused(old: str, new: str) -> None:
    with pytest.raises(MalformedReceiptError):
        read_receipt(PROOF.replace(old, new, 1).encode())


def test_extra_data_of_another_kind_names_nothing() -> None:
    found: Receipt = read_receipt(PROOF.replace("index", "extra AAAA\nindex", 1).encode())
    assert (found.stream, found.seq, found.index) == ("", 0, 73894)
