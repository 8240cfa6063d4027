"""Which 32 bytes are a public key of Ed25519: points of the curve, as RFC 8032 writes them.

A library takes any 32 bytes for a key. There are keys among them under which nobody can sign, and
keys of small order, under which one signature holds for many texts and so binds nobody to any.
Here no secret is touched, so nothing has to take the same time for every value.
"""

from typing import TypeAlias

__all__ = ["is_public_key"]

_KEY_BYTES = 32
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
"""That of the base point, and of every point that is a public key."""

_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)

_Point: TypeAlias = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z and xy = T/Z."""

_IDENTITY: _Point = (0, 1, 1, 0)


def is_public_key(raw: bytes) -> bool:
    """Say whether `raw` is the one spelling of a point of the base point's order.

    So it is the key to some secret: nothing else can come out of making one. It takes about a
    millisecond.
    """
    point = _point(raw)
    return point is not None and not _is_identity(point) and _is_identity(_times(_ORDER, point))


def _point(raw: bytes) -> _Point | None:
    """Return the point that 32 bytes spell (RFC 8032, 5.1.3); None where they spell none."""
    if len(raw) != _KEY_BYTES:
        return None
    number = int.from_bytes(raw, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    if y >= _P:
        return None
    u, v = (y * y - 1) % _P, (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P == _P - u and u:
        x = x * _ROOT_OF_MINUS_1 % _P
    if v * x * x % _P != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _is_identity(point: _Point) -> bool:
    x, y, z, _ = point
    return x % _P == 0 and (y - z) % _P == 0


def _times(number: int, point: _Point) -> _Point:
    found = _IDENTITY
    for bit in f"{number:b}":
        found = _sum(found, found)
        if bit == "1":
            found = _sum(found, point)
    return found


def _sum(one: _Point, another: _Point) -> _Point:
    """Return the sum of two points, of any two (RFC 8032, 5.1.4)."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = another
    a = (y1 - x1) * (y2 - x2) % _P
    b = (y1 + x1) * (y2 + x2) % _P
    c = t1 * 2 * _D * t2 % _P
    d = z1 * 2 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P
