"""The plain fields of requests, read and checked: ids, names, nonces, seats.

Each raises InvalidFieldError with the field's name in the request.
"""

import re
from collections.abc import Sequence

from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.view_messages import STAGES
from ginrummy.log.curve25519 import is_public_key
from ginrummy.log.deck import NONCE_BYTES
from ginrummy.log.signatures import SIGNATURE_BYTES
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.store.projections import Stage
from ginrummy.tournaments.running.attendance import MOST_TABLES
from ginrummy.v1 import match_pb2

__all__ = [
    "commitment_from",
    "name_from",
    "nonce_from",
    "player_name_from",
    "public_key_from",
    "request_id_from",
    "seat_from",
    "seats_from",
    "session_from",
    "signature_from",
    "stage_from",
    "tables_from",
    "text_from",
    "tournament_name_from",
]

_COMMITMENT_BYTES = 32
_KEY_BYTES = 32
_LONGEST_REQUEST_ID = 64
_LONGEST_MATCH_NAME = 100
_LONGEST_PLAYER_NAME = 64
_LONGEST_TEXT = 500

_is_player_id = re.compile("p_[0-9a-hjkmnp-tv-z]{26}").fullmatch

_STAGE_OF = {value: stage for stage, value in STAGES.items()}


def request_id_from(text: str, *, needed: bool = True) -> str:
    """Return a request id; an empty one is refused where it is needed."""
    if not text and needed:
        raise InvalidFieldError("request_id", "a new one is needed for every move")
    _check_length("request_id", text, _LONGEST_REQUEST_ID)
    return text


def nonce_from(nonce: bytes) -> str:
    """Return a nonce, in hex as the log has it."""
    if len(nonce) != NONCE_BYTES:
        raise InvalidFieldError("nonce", f"{len(nonce)} bytes, where {NONCE_BYTES} are a nonce")
    return nonce.hex()


def commitment_from(commitment: bytes) -> str | None:
    """Return the commitment to a nonce, in hex; None where the server is to draw the nonce."""
    if not commitment:
        return None
    if len(commitment) != _COMMITMENT_BYTES:
        raise InvalidFieldError(
            "nonce_commitment",
            f"{len(commitment)} bytes, where the SHA-256 of a nonce has {_COMMITMENT_BYTES}",
        )
    return commitment.hex()


def public_key_from(key: bytes) -> str | None:
    """Return a public key, in hex; None where none was given."""
    if not key:
        return None
    if not is_public_key(key):
        what = f"{len(key)} bytes" if len(key) != _KEY_BYTES else "no key that anybody can sign by"
        raise InvalidFieldError(
            "public_key", f"{what}, where the public half of an Ed25519 key has {_KEY_BYTES} bytes"
        )
    return key.hex()


def signature_from(signature: bytes) -> str | None:
    """Return the signature of a move, in hex; None where there is none."""
    if not signature:
        return None
    if len(signature) != SIGNATURE_BYTES:
        raise InvalidFieldError(
            "signature",
            f"{len(signature)} bytes, where an Ed25519 signature has {SIGNATURE_BYTES}",
        )
    return signature.hex()


def seat_from(number: int) -> Seat:
    """Return a seat."""
    if number == 0:
        return 0
    if number == 1:
        return 1
    raise InvalidFieldError("seat", f"{number} is neither seat 0 nor seat 1")


def seats_from(players: Sequence[str]) -> BySeat[str | None]:
    """Return the players for whom the seats are kept; None for whoever comes."""
    if not players:
        return BySeat(None, None)
    if len(players) != 2:
        raise InvalidFieldError("seats", f"{len(players)} of them: name both seats or none")
    for index, player in enumerate(players):
        if player and not _is_player_id(player):
            raise InvalidFieldError(f"seats[{index}]", "a player's id is p_ and 26 characters")
    first, second = (player or None for player in players)
    if first is not None and first == second:
        raise InvalidFieldError("seats[1]", "one player cannot sit on both sides")
    return BySeat(first, second)


def name_from(text: str) -> str:
    """Return what a match is to be called, which may be nothing."""
    return _printable("name", text, _LONGEST_MATCH_NAME)


def player_name_from(text: str) -> str:
    """Return what a player is to be called."""
    if not text.strip():
        raise InvalidFieldError("name", "a player is called something")
    return _printable("name", text, _LONGEST_PLAYER_NAME)


def tournament_name_from(field: str, text: str) -> str:
    """Return what a tournament is to be called."""
    if not text.strip():
        raise InvalidFieldError(field, "a tournament is called something")
    return _printable(field, text, _LONGEST_MATCH_NAME)


def session_from(text: str) -> str:
    """Return the name of a program's run."""
    if not text:
        raise InvalidFieldError("session_id", "every run of a program takes a new one")
    return _printable("session_id", text, _LONGEST_REQUEST_ID)


def tables_from(number: int) -> int:
    """Return how many tables a program sits at at once."""
    if not 1 <= number <= MOST_TABLES:
        raise InvalidFieldError("tables", f"{number} is not from 1 to {MOST_TABLES}")
    return number


def text_from(field: str, text: str) -> str:
    """Return a remark for the record, which may be nothing."""
    return _printable(field, text, _LONGEST_TEXT)


def stage_from(value: match_pb2.Stage.ValueType) -> Stage | None:
    """Return the stage that a list is narrowed to; None for any."""
    if value == match_pb2.STAGE_UNSPECIFIED:
        return None
    stage = _STAGE_OF.get(value)
    if stage is None:
        raise InvalidFieldError("stage", f"{value} is no stage")
    return stage


def _printable(field: str, text: str, longest: int) -> str:
    _check_length(field, text, longest)
    # Names are shown on other people's terminals, where a control character is a command.
    odd = next((character for character in text if not character.isprintable()), None)
    if odd is not None:
        raise InvalidFieldError(field, f"U+{ord(odd):04X} in it cannot be printed")
    return text


def _check_length(field: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise InvalidFieldError(field, f"{len(text)} characters, where {longest} are the most")
