"""A player's key, and the moves that it signs.

    key (made at first use, kept in a file) ──> Signer ──> the signature that goes with a move

Ed25519 is in the extra `signing`; whoever does not sign needs nothing of it.
"""

import base64
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from secrets import token_bytes
from typing import NamedTuple, Protocol

from ginrummy.client.errors import KeyFileError, KeyLostError, SigningUnavailableError
from ginrummy.log.signatures import sign_text, signed_text, wish_text
from ginrummy.rules.arrangements import arranged
from ginrummy.rules.cards import CardSet, card_set, parse_cards
from ginrummy.rules.commands import Move
from ginrummy.rules.events import Meld
from ginrummy.v1.match_pb2 import Match, View
from ginrummy.v1.ruleset_pb2 import (
    SIGNING_POLICY_OPTIONAL,
    SIGNING_POLICY_REQUIRED,
    SigningPolicy,
)
from ginrummy.v1.tournament_pb2 import Tournament

__all__ = [
    "KeyFile",
    "KeyFiles",
    "Keys",
    "MemoryKeys",
    "SignedMove",
    "Signer",
    "can_sign",
    "entry_key",
    "is_signed",
    "signer_for",
]

_KEY_BYTES = 32

_DER = bytes.fromhex("302e020100300506032b657004220420")
"""What stands before the 32 bytes in PKCS #8 (RFC 8410), as `openssl genpkey` writes it."""

_BEGIN, _END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"


def can_sign() -> bool:
    """Say whether the library for Ed25519 is installed."""
    try:
        import ginrummy.log.ed25519  # noqa: F401, PLC0415 -- it may not be there
    except ModuleNotFoundError:
        return False
    return True


# --- keys ---------------------------------------------------------------------------------------


class Keys(Protocol):
    """Where the keys of players are: 32 secret bytes for each."""

    def secret(self, player_id: str) -> bytes:
        """Return a player's key, made now if there is none. Raises KeyFileError."""
        ...


class MemoryKeys(Keys):
    """Keys that are gone when the program ends."""

    def __init__(self) -> None:
        """Begin without any."""
        self._secrets: dict[str, bytes] = {}

    def secret(self, player_id: str) -> bytes:
        """Return a player's key, drawn at the first call."""
        return self._secrets.setdefault(player_id, token_bytes(_KEY_BYTES))


class KeyFile(Keys):
    """One key in one file, by which any player signs: PKCS #8 in PEM, as OpenSSL reads it."""

    def __init__(self, path: Path) -> None:
        """Use the key in `path`, which is made at the first signature if it is not there."""
        self._path = path

    def secret(self, player_id: str) -> bytes:  # noqa: ARG002 -- one key for all
        """Return the key of the file. Raises KeyFileError where there is none in it."""
        return _kept(self._path)


class KeyFiles(Keys):
    """Keys in a directory, for each player one in a file that nobody else may read."""

    def __init__(self, directory: Path) -> None:
        """Keep them in `directory`, which is made when there is something to keep."""
        self._directory = directory

    def file(self, player_id: str) -> Path:
        """Return the file of a player's key. Raises KeyFileError for what is no player's id."""
        # An id comes from the server, and a path may not.
        if re.fullmatch(r"\w+", player_id, re.ASCII) is None:
            raise KeyFileError(f"{player_id!r} is no player's id")
        return self._directory / f"{player_id}.pem"

    def secret(self, player_id: str) -> bytes:
        """Return a player's key, made at the first call. Raises KeyFileError."""
        return _kept(self.file(player_id))


def _kept(path: Path) -> bytes:
    """Return the key in a file, made now if it is not there."""
    try:
        if not path.exists():
            _make(path)
        mode, text = path.stat().st_mode, path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise KeyFileError(f"the key in {path} cannot be used: {error}") from error
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise KeyFileError(
            f"the key in {path} can be read by others, who could sign with it: chmod 600 {path}"
        )
    secret = _read(text)
    if secret is None:
        raise KeyFileError(
            f"{path} holds no Ed25519 key: openssl genpkey -algorithm ed25519 makes one"
        )
    return secret


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # It is whole before it has its name, and another program that made one meanwhile is first.
    handle, written = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(_write(token_bytes(_KEY_BYTES)))
        try:
            path.hardlink_to(written)
        except FileExistsError:
            pass
        except OSError:
            # Not every file system has a second name for a file.
            Path(written).replace(path)
    finally:
        Path(written).unlink(missing_ok=True)


def _write(secret: bytes) -> str:
    return f"{_BEGIN}\n{base64.b64encode(_DER + secret).decode()}\n{_END}\n"


def _read(text: str) -> bytes | None:
    lines = text.strip().splitlines()
    if len(lines) < 2 or (lines[0], lines[-1]) != (_BEGIN, _END):
        return None
    try:
        der = base64.b64decode("".join(lines[1:-1]), validate=True)
    except ValueError:
        return None
    if not der.startswith(_DER) or len(der) != len(_DER) + _KEY_BYTES:
        return None
    return der[len(_DER) :]


# --- signing ------------------------------------------------------------------------------------


class SignedMove(NamedTuple):
    """A move with everything named that it lays down, and the signature over it."""

    move: Move
    signature: bytes


class Signer:
    """One player's key at one match."""

    def __init__(self, secret: bytes, match: Match) -> None:
        """Take 32 secret bytes, and the match whose moves are to be signed.

        Raises SigningUnavailableError where no library for Ed25519 is installed.
        """
        self.public_key = _public_key(secret, match.id)
        """The 32 bytes by which others check what is signed here."""
        self._secret = secret
        self._match_id = match.id
        self._run_max = match.rules.run_max or None

    def __repr__(self) -> str:
        return f"Signer({self.public_key.hex()!r}, {self._match_id!r})"

    def sign(self, move: Move, view: View) -> SignedMove:
        """Sign a move that was decided on a view of one's own seat.

        What the move leaves to the server, an arrangement or lay-offs, is named as the server
        would (K2, L4): it is signed, and nobody can have meant another one afterwards.
        """
        cards = _own_cards(view)
        named = arranged(move, cards, _spread(view), self._run_max)
        text = signed_text(self._match_id, view.head_hash, wish_text(named, cards))
        return SignedMove(named, bytes.fromhex(sign_text(self._secret, text)))


def _own_cards(view: View) -> CardSet:
    if not view.HasField("seat") or not view.HasField("hand"):
        return 0
    return card_set(_cards(view.hand.hands[view.seat].cards))


def _spread(view: View) -> Sequence[Meld]:
    return tuple(_cards(meld.cards) for meld in view.hand.knocked.melds)


def _cards(texts: Iterable[str]) -> Meld:
    return parse_cards(" ".join(texts))


def entry_key(tournament: Tournament, player_id: str, keys: Keys | None) -> bytes:
    """Return the public key that a player enters a tournament with; empty where none is asked for.

    It is for boards, at which players are seated by the server; a match is joined with one's key.
    Raises SigningUnavailableError, or KeyFileError.
    """
    terms = tournament.terms
    if keys is None or not (is_signed(terms.signing) and terms.HasField("boards")):
        return b""
    return _public_key(keys.secret(player_id), tournament.id)


def is_signed(policy: SigningPolicy.ValueType) -> bool:
    """Say whether moves may, or have to, be signed under a policy."""
    return policy in (SIGNING_POLICY_OPTIONAL, SIGNING_POLICY_REQUIRED)


def _public_key(secret: bytes, where: str) -> bytes:
    try:
        from ginrummy.log.ed25519 import public_key  # noqa: PLC0415 -- it may not be there
    except ModuleNotFoundError as error:
        raise SigningUnavailableError(where) from error
    return public_key(secret)


def signer_for(match: Match, player_id: str, keys: Keys | None) -> Signer | None:
    """Return who signs a player's moves at a match; None where they do not sign.

    They sign wherever they may if `keys` are given. Raises KeyLostError where they sit there with
    another key, SigningUnavailableError, or KeyFileError.
    """
    if keys is None or not is_signed(match.signing):
        return None
    own = next((seat for seat in match.seats if seat.player_id == player_id), None)
    if own is not None and not own.key:
        # They joined without one where one may, as from another program.
        return None
    signer = Signer(keys.secret(player_id), match)
    if own is not None and own.key != signer.public_key.hex():
        raise KeyLostError(
            f"you sit at {match.id} with the key {own.key}, and it is not kept here: use the "
            "`keys` that you joined with"
        )
    return signer
