"""The zip file of a bundle: the same bytes wherever it is made, and read as strictly by both."""

import json
import struct
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from support_bundles import members_of, packed
from support_disputed_logs import disputed_match
from support_node import VERIFIER, VERIFY, node

from ginrummy.evidence.bundle import archive as archives
from ginrummy.evidence.bundle.archive import read_archive, write_archive
from ginrummy.evidence.bundle.errors import BundleTooLargeError, UnusableBundleError
from ginrummy.evidence.bundle.making import make_bundle

MEMBERS = {"a.txt": b"one\n", "views/b.json": b"{}", "empty": b""}

READ = """
import { readFileSync } from "node:fs";
import { readArchive } from "ARCHIVE";
const shown = (map, as) => Object.fromEntries([...map].map(([name, value]) => [name, as(value)]));
for (const path of process.argv.slice(1)) {
  try {
    const { members, damaged } = readArchive(readFileSync(path));
    const hex = (bytes) => bytes.toString("hex");
    console.log(JSON.stringify({ members: shown(members, hex), damaged: shown(damaged, String) }));
  } catch (error) {
    console.log(JSON.stringify({ refused: error.message, kind: error.constructor.name }));
  }
}
"""


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return make_bundle(disputed_match().log, dispute=1)


def read_by_node(path: Path, raw: bytes) -> dict[str, Any]:
    path.write_bytes(raw)
    script = READ.replace("ARCHIVE", VERIFIER.with_name("archive.mjs").as_uri())
    run = node("--input-type=module", "-e", script, path)
    assert run.stderr == ""
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def read_by_us(raw: bytes) -> dict[str, dict[str, str]]:
    found = read_archive(raw)
    members = {name: data.hex() for name, data in found.members.items()}
    return {"members": members, "damaged": dict(found.damaged)}


# --- good ones ------------------------------------------------------------------------------------


def test_what_is_written_is_read_by_everybody(tmp_path: Path) -> None:
    raw = write_archive(MEMBERS)
    assert read_archive(raw) == (MEMBERS, {})
    assert read_by_node(tmp_path / "a.zip", raw) == read_by_us(raw)
    with ZipFile(BytesIO(raw)) as file:
        assert file.testzip() is None
        assert {name: file.read(name) for name in file.namelist()} == MEMBERS


def test_it_is_the_same_to_the_byte_and_holds_nothing_of_where_it_was_made() -> None:
    raw = write_archive(MEMBERS)
    assert raw == write_archive(dict(MEMBERS))
    with ZipFile(BytesIO(raw)) as file:
        for info in file.infolist():
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
            assert (info.extra, info.comment, info.create_system) == (b"", b"", 3)


def test_one_that_was_packed_anew_is_read_as_well(tmp_path: Path) -> None:
    raw = packed(tmp_path / "b.zip", list(MEMBERS.items()), deflated=True)
    assert dict(read_archive(raw).members) == MEMBERS
    assert read_by_node(tmp_path / "a.zip", raw) == read_by_us(raw)


def test_a_bundle_is_unpacked_by_others(bundle: bytes, tmp_path: Path) -> None:
    with ZipFile(BytesIO(bundle)) as file:
        file.extractall(tmp_path)  # names that lead elsewhere are refused before
    for name, data in members_of(bundle).items():
        assert (tmp_path / name).read_bytes() == data


def test_what_is_too_large_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_MEMBER", 3)
    with pytest.raises(BundleTooLargeError, match=r"a\.txt has 4 bytes"):
        write_archive(MEMBERS)


# --- bad ones -------------------------------------------------------------------------------------


def central(raw: bytes, number: int = 0) -> int:
    """Where a member's entry in the directory begins."""
    at = struct.unpack_from("<I", raw, len(raw) - 6)[0]
    for _ in range(number):
        at += 46 + struct.unpack_from("<H", raw, at + 28)[0]
    return int(at)


def put(raw: bytes, at: int, form: str, *values: int) -> bytes:
    changed = bytearray(raw)
    struct.pack_into(form, changed, at, *values)
    return bytes(changed)


def renamed(raw: bytes, name: bytes) -> bytes:
    assert len(name) == len(b"a.txt")
    return raw.replace(b"a.txt", name)


def twice(tmp_path: Path, first: str, second: str) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return packed(tmp_path / "twice.zip", [(first, b"one"), (second, b"other")])


def bomb(tmp_path: Path) -> bytes:
    """A member that unpacks to far more than it says."""
    raw = packed(tmp_path / "bomb.zip", [("a.txt", bytes(8 << 20))], deflated=True)
    return put(put(raw, 22, "<I", 100), central(raw) + 24, "<I", 100)


def with_a_gap(raw: bytes) -> bytes:
    at = central(raw)
    return put(raw[:at] + b"gap!" + raw[at:], len(raw) + 4 - 6, "<I", at + 4)


def overlapping(raw: bytes) -> bytes:
    """Two entries for one place."""
    return put(raw, central(raw, 1) + 42, "<I", 0)


GOOD = write_archive(MEMBERS)

REFUSED: dict[str, Callable[[Path], bytes]] = {
    "nothing": lambda _: b"",
    "a log": lambda _: disputed_match().log[0],
    "its beginning": lambda _: GOOD[:-1],
    "cut by half": lambda _: GOOD[: len(GOOD) // 2],
    "something before it": lambda _: b"#!/bin/sh\n" + GOOD,
    "something behind it": lambda _: GOOD + b"more",
    "a comment": lambda _: put(GOOD, len(GOOD) - 2, "<H", 4) + b"more",
    "a gap": lambda _: with_a_gap(GOOD),
    "an overlap": lambda _: overlapping(GOOD),
    "a name that leads up": lambda _: renamed(GOOD, b"../it"),
    "a name from the root": lambda _: renamed(GOOD, b"/root"),
    "a name for another system": lambda _: renamed(GOOD, b"a\\b.t"),
    "a name with a zero": lambda _: renamed(GOOD, b"a.t\0t"),
    "a folder": lambda tmp: packed(tmp / "c.zip", [("views/", b"")]),
    "a folder in a folder": lambda tmp: packed(tmp / "c.zip", [("a/b/c", b"")]),
    "a member twice": lambda tmp: twice(tmp, "a.txt", "a.txt"),
    "a member twice but for its case": lambda tmp: twice(tmp, "A.txt", "a.txt"),
    "a member that is encrypted": lambda _: put(put(GOOD, 6, "<H", 1), central(GOOD) + 8, "<H", 1),
    "an unknown packing": lambda _: put(put(GOOD, 8, "<H", 99), central(GOOD) + 10, "<H", 99),
    "an entry with more in it": lambda tmp: packed(tmp / "c.zip", [("a", b"")], extra=b"UT\0\0"),
    "headers that differ": lambda _: put(GOOD, 14, "<I", 7),
    "a size beyond all": lambda _: put(
        put(GOOD, 22, "<I", 0xFFFFFFFF), central(GOOD) + 24, "<I", 0xFFFFFFFF
    ),
    "too many members": lambda tmp: packed(tmp / "c.zip", [(f"m{n}", b"") for n in range(101)]),
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    directory = tmp_path_factory.mktemp("refused")
    return {name: make(directory) for name, make in REFUSED.items()}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_built_as_a_bundle_is_refused_by_both(
    name: str, refused: dict[str, bytes], tmp_path: Path
) -> None:
    with pytest.raises(UnusableBundleError):
        read_archive(refused[name])
    assert read_by_node(tmp_path / "a.zip", refused[name])["kind"] == "UnusableArchive"


@pytest.mark.parametrize("name", ["its beginning", "a name that leads up", "a member twice"])
def test_the_commands_exit_with_2_and_show_no_traceback(
    name: str, refused: dict[str, bytes], tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(refused[name])
    run = node(VERIFY, path)
    assert run.returncode == 2
    assert "at " not in run.stderr
    assert len(run.stderr.splitlines()) == 1


DAMAGED: dict[str, Callable[[Path], bytes]] = {
    "a byte of it": lambda _: GOOD.replace(b"one\n", b"two\n"),
    "its checksum": lambda _: put(put(GOOD, 14, "<I", 7), central(GOOD) + 16, "<I", 7),
    "a bomb": bomb,
    "its packed bytes": lambda tmp: put(
        packed(tmp / "c.zip", [("a.txt", b"one" * 90)], deflated=True), 35, "<H", 0xFFFF
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_member_is_named_by_both(name: str, tmp_path: Path) -> None:
    raw = DAMAGED[name](tmp_path)
    for found in (read_by_us(raw), read_by_node(tmp_path / "a.zip", raw)):
        assert list(found["damaged"]) == ["a.txt"]
        assert "a.txt" not in found["members"]


def test_no_changed_byte_of_a_bundle_is_taken_for_another_bundle(tmp_path: Path) -> None:
    """Whatever is read is what was written, or is said to be damaged, or all is refused."""
    raw = write_archive(MEMBERS)
    for place in range(len(raw)):
        for value in (0, 0xFF, raw[place] ^ 1):
            changed = raw[:place] + bytes([value]) + raw[place + 1 :]
            try:
                found = read_archive(changed)
            except UnusableBundleError:
                continue
            for name, data in found.members.items():
                assert MEMBERS.get(name, data) == data
