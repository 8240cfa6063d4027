"""A zip file as a bundle is: written so that the same members make the same bytes, read strictly.

Of what a zip file can be, a bundle is the least: its members stand one after the other from the
first byte on, the directory follows them, and nothing is before, between or behind. So any two
programs read the same from it, and no member can be in it twice, lead out of a directory, or be
larger than it says. Both are done here, byte by byte, since a reader that forgives is the one that
somebody will make use of.
"""

import re
import struct
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from ginrummy.evidence.bundle.errors import BundleTooLargeError, UnusableBundleError

__all__ = ["LARGEST_BUNDLE", "LARGEST_MEMBER", "Archive", "read_archive", "write_archive"]

LARGEST_MEMBER = 64 << 20
"""In bytes, unpacked."""

LARGEST_BUNDLE = 256 << 20
"""In bytes: all members, unpacked; and the file itself."""

_MOST_MEMBERS = 100

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_LOCAL_MARK, _CENTRAL_MARK, _END_MARK = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"

_VERSION = 20
_UNIX = 3 << 8
_MODE = 0o100644 << 16
_NO_TIME, _NO_DATE = 0, (1 << 5) | 1
"""1980-01-01, 00:00: a time of its own would make every bundle another one."""

_STORED, _DEFLATED = 0, 8

_is_name = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}(/[a-z0-9][a-z0-9._-]{0,60})?").fullmatch
"""At most one folder, and nothing that a file system takes for anything but a name."""


class Archive(NamedTuple):
    """What was read of a zip file."""

    members: Mapping[str, bytes]
    """The members that could be read, by their names, in their order."""
    damaged: Mapping[str, str]
    """Why the others could not."""


def write_archive(members: Mapping[str, bytes]) -> bytes:
    """Return a zip file of these members, in their order and not compressed.

    Not compressed, since no two compressors make the same bytes. Raises BundleTooLargeError.
    """
    out, directory = bytearray(), bytearray()
    total = 0
    for name, data in members.items():
        total += len(data)
        if len(data) > LARGEST_MEMBER or total > LARGEST_BUNDLE:
            raise BundleTooLargeError(
                f"{name} has {len(data):,} bytes: a bundle takes {LARGEST_MEMBER >> 20} MiB a"
                f" member, and {LARGEST_BUNDLE >> 20} MiB in all"
            )
        raw, crc, size, at = name.encode("ascii"), zlib.crc32(data), len(data), len(out)
        out += _LOCAL.pack(
            _LOCAL_MARK, _VERSION, 0, _STORED, _NO_TIME, _NO_DATE, crc, size, size, len(raw), 0
        )
        out += raw + data
        directory += _CENTRAL.pack(
            _CENTRAL_MARK, _UNIX | _VERSION, _VERSION, 0, _STORED, _NO_TIME, _NO_DATE, crc, size,
            size, len(raw), 0, 0, 0, 0, _MODE, at,
        )  # fmt: skip
        directory += raw
    number = len(members)
    end = _END.pack(_END_MARK, 0, 0, number, number, len(directory), len(out), 0)
    return bytes(out + directory + end)


def read_archive(raw: bytes) -> Archive:
    """Return the members of a zip file, and why others could not be read.

    Raises UnusableBundleError for a file that is not built as a bundle is.
    """
    members: dict[str, bytes] = {}
    damaged: dict[str, str] = {}
    end, total = 0, 0
    entries, directory_at = _directory(raw)
    folded: set[str] = set()
    for entry in entries:
        # To some file systems, names that differ in nothing but their case are one.
        if entry.name.lower() in folded:
            raise UnusableBundleError(f"{entry.name} is in it twice")
        folded.add(entry.name.lower())
        total += entry.size
        if entry.size > LARGEST_MEMBER or total > LARGEST_BUNDLE:
            raise UnusableBundleError(
                f"{entry.name} says that it has {entry.size:,} bytes, more than a bundle takes"
            )
        if entry.at != end:
            raise UnusableBundleError(f"{entry.name} does not follow what is before it")
        packed, end = _packed(raw, entry)
        try:
            members[entry.name] = _unpacked(packed, entry)
        except ValueError as error:
            damaged[entry.name] = str(error)
    if end != directory_at:
        raise UnusableBundleError("there is something between its members and their directory")
    return Archive(members, damaged)


class _Entry(NamedTuple):
    name: str
    method: int
    crc: int
    packed: int
    size: int
    at: int


def _directory(raw: bytes) -> tuple[list[_Entry], int]:
    """Return the entries of the directory, and where it begins."""
    if len(raw) > LARGEST_BUNDLE + (1 << 20):
        raise UnusableBundleError(f"it has {len(raw):,} bytes, more than a bundle takes")
    if len(raw) < _END.size or raw[-_END.size :][:4] != _END_MARK:
        raise UnusableBundleError(
            "it does not end as a zip file of a bundle does: it was cut, or is no bundle"
        )
    _, disk, first_disk, here, number, size, start, comment = _END.unpack(raw[-_END.size :])
    if disk or first_disk or comment or here != number or number > _MOST_MEMBERS:
        raise UnusableBundleError("its end is not that of a bundle")
    if start + size != len(raw) - _END.size:
        raise UnusableBundleError("its directory is not where its end says: it was cut or changed")
    entries, at = [], start
    for _ in range(number):
        entry, at = _entry(raw, at, len(raw) - _END.size)
        entries.append(entry)
    if at != start + size:
        raise UnusableBundleError("its directory holds more than its members")
    return entries, start


def _entry(raw: bytes, at: int, limit: int) -> tuple[_Entry, int]:
    if at + _CENTRAL.size > limit:
        raise UnusableBundleError("its directory breaks off")
    fields = _CENTRAL.unpack_from(raw, at)
    mark, _, _, flags, method, _, _, crc, packed, size, length, extra, comment, disk = fields[:14]
    name = raw[at + _CENTRAL.size : at + _CENTRAL.size + length].decode("ascii", errors="replace")
    if mark != _CENTRAL_MARK or _is_name(name) is None or len(name) != length:
        raise UnusableBundleError(f"{name[:80]!r} is not the name of a bundle's member")
    if flags or extra or comment or disk or method not in (_STORED, _DEFLATED):
        raise UnusableBundleError(f"{name} is packed in a way that no bundle is")
    return _Entry(name, method, crc, packed, size, fields[16]), at + _CENTRAL.size + length


def _packed(raw: bytes, entry: _Entry) -> tuple[bytes, int]:
    """Return a member's bytes as they are packed, and where they end."""
    begin = entry.at + _LOCAL.size
    if begin > len(raw):
        raise UnusableBundleError(f"{entry.name} is not where the directory says")
    mark, _, flags, method, _, _, crc, packed, size, length, extra = _LOCAL.unpack_from(
        raw, entry.at
    )
    name = raw[begin : begin + length].decode("ascii", errors="replace")
    said = (mark, name, flags, method, crc, packed, size, extra)
    if said != (_LOCAL_MARK, entry.name, 0, *entry[1:5], 0):
        raise UnusableBundleError(f"{entry.name} is not what the directory says of it")
    end = begin + length + packed
    if end > len(raw):
        raise UnusableBundleError(f"{entry.name} breaks off")
    return raw[begin + length : end], end


def _unpacked(packed: bytes, entry: _Entry) -> bytes:
    """Return a member's bytes. Raises ValueError where they are damaged."""
    data = packed
    if entry.method == _DEFLATED:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = inflater.decompress(packed, entry.size + 1)
        except zlib.error as error:
            raise ValueError("it cannot be unpacked: it was changed") from error
        if not inflater.eof or inflater.unused_data:
            raise ValueError("it does not unpack to as many bytes as it says")
    if len(data) != entry.size:
        raise ValueError("it does not unpack to as many bytes as it says")
    if zlib.crc32(data) != entry.crc:
        raise ValueError("its checksum is another one: it was changed")
    return data
