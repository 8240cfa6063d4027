"""The committed deck: what fixes a hand's cards before the deal, and proves them after.

When a match is created the server draws 32 random bytes, the secret of the last hand that the
match could have, and publishes where hashing it down a thousand times ends. Hand k's deck follows
from secret k, the match, and a nonce that each player was committed to before. A secret that is
out proves itself and all before it, and tells nothing of the next.

Secrets and nonces are bytes here, and random ones come in as arguments. No message or repr ever
shows one. The whole construction is described in docs/log-format.md, *The committed deck*.
"""

import hmac
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import NamedTuple, TypeVar

from ginrummy.log.positions import Position
from ginrummy.rules.cards import DECK, BySeat, Deck, Seat

__all__ = [
    "CHAIN_LENGTH",
    "LONGEST_CHAIN",
    "NONCE_BYTES",
    "SECRET_BYTES",
    "SecretChain",
    "Shuffle",
    "check_size",
    "drawn_seat",
    "hash_down",
    "nonce_commitment",
    "shuffle",
    "shuffled",
    "verify_secret",
    "words",
]

T = TypeVar("T")

CHAIN_LENGTH = 1000
"""How many hands a new match's commitment covers."""

LONGEST_CHAIN = 1_000_000
"""More secrets than any chain has; a forged number is no reason to hash for days."""

SECRET_BYTES = 32
NONCE_BYTES = 16

_DOMAIN = b"ginrummy/v1/deck\0"
_EIGHT_WORDS = Struct(">8I")
_STRIDE = 32


def hash_down(secret: bytes, steps: int) -> bytes:
    """Return what `steps` times SHA-256 makes of a secret: that of as many hands before."""
    for _ in range(steps):
        secret = sha256(secret).digest()
    return secret


def verify_secret(secret: bytes, hand: int, commitment: str) -> bool:
    """Say whether `secret` is the one that `commitment`, in hex, holds for `hand`."""
    return hash_down(secret, hand).hex() == commitment


def nonce_commitment(nonce: bytes) -> str:
    """Return what a player publishes of a nonce before revealing it: its SHA-256, in hex."""
    return sha256(nonce).hexdigest()


class SecretChain:
    """The secrets of hands 0 to `length`, from the last one; hand 0's is the commitment.

    It keeps every 32nd secret, so that an open match takes two kilobytes and no hand more than a
    few microseconds.
    """

    __slots__ = ("_marks", "length", "position")

    def __init__(
        self, last: bytes, length: int = CHAIN_LENGTH, position: Position | None = None
    ) -> None:
        """Hash down from `last`, the secret of hand `length`: 32 bytes drawn at random.

        `position` is what a fork begins in, which is as secret.
        """
        check_size("secret", last, SECRET_BYTES)
        self.length = length
        self.position = position
        marks = [last]
        for _ in range(length // _STRIDE):
            marks.append(hash_down(marks[-1], _STRIDE))
        self._marks = tuple(marks)

    @property
    def commitment(self) -> str:
        """What is published of the chain before its first secret: hand 0's, in hex."""
        return self.secret(0).hex()

    def secret(self, hand: int) -> bytes:
        """Return the secret of a hand. Raises ValueError for a hand the chain does not reach."""
        if not 0 <= hand <= self.length:
            raise ValueError(f"hand {hand} is not among the 0 to {self.length} of the chain")
        strides, steps = divmod(self.length - hand, _STRIDE)
        return hash_down(self._marks[strides], steps)


class Shuffle(NamedTuple):
    """What a hand's secret decides."""

    deck: Deck
    first_dealer: Seat | None
    """Who deals hand 1 (D3); None for every later hand."""


def shuffle(secret: bytes, match: str, hand: int, nonces: BySeat[bytes]) -> Shuffle:
    """Return the committed deck of a match's hand, and for hand 1 the first dealer (D3).

    Raises ValueError for a secret, a nonce or a hand's number that cannot be one.
    """
    check_size("secret", secret, SECRET_BYTES)
    for nonce in nonces:
        check_size("nonce", nonce, NONCE_BYTES)
    if not 1 <= hand < 1 << 32:
        raise ValueError(f"{hand} is not a hand's number: they start at 1")
    place = match.encode() + b"\0" + hand.to_bytes(4)
    key = hmac.digest(secret, _DOMAIN + place + nonces[0] + nonces[1], "sha256")
    numbers = words(key)
    deck = shuffled(DECK, numbers)
    return Shuffle(deck, drawn_seat(numbers) if hand == 1 else None)


def words(key: bytes) -> Iterator[int]:
    """Yield the endless stream of 32-bit words that a key stands for."""
    for block in count():
        yield from _EIGHT_WORDS.unpack(hmac.digest(key, block.to_bytes(4), "sha256"))


def shuffled(things: Sequence[T], numbers: Iterator[int]) -> tuple[T, ...]:
    """Return `things` in the order that the next words give, all orders alike."""
    order = list(things)
    for i, unfair in _steps(len(order)):
        word = next(numbers)
        while word >= unfair:
            word = next(numbers)
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def drawn_seat(numbers: Iterator[int]) -> Seat:
    """Return the seat that the next word names."""
    return 1 if next(numbers) % 2 else 0


@cache
def _steps(size: int) -> tuple[tuple[int, int], ...]:
    """Return each place to fill, from the last, and the first word that is passed over there.

    From that word on, above the last whole multiple of `i + 1`, a plain remainder would favour low
    numbers.
    """
    return tuple((i, (1 << 32) - (1 << 32) % (i + 1)) for i in range(size - 1, 0, -1))


def check_size(name: str, value: bytes, size: int) -> None:
    """Raise ValueError where a secret or the like is not `size` bytes long."""
    # The value itself stays out of the message: a secret is shown nowhere.
    if len(value) != size:
        raise ValueError(f"a {name} is {size} bytes, not {len(value)}")
