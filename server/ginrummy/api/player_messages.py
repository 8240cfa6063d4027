"""Players as messages, and their roles."""

from collections.abc import Mapping

from ginrummy.api.errors import InvalidFieldError
from ginrummy.api.wire import timestamp
from ginrummy.store.credentials import Credential, Role
from ginrummy.store.projections import PlayerRow
from ginrummy.v1 import player_service_pb2 as pb

__all__ = ["ROLES", "player_message", "role_from"]

ROLES: Mapping[Role, pb.Role.ValueType] = {
    "player": pb.ROLE_PLAYER,
    "director": pb.ROLE_DIRECTOR,
    "auditor": pb.ROLE_AUDITOR,
}

_ROLE_OF = {value: role for role, value in ROLES.items()}


def role_from(value: pb.Role.ValueType) -> Role:
    """Return the role that a request asks for, `player` where it names none."""
    if value == pb.ROLE_UNSPECIFIED:
        return "player"
    role = _ROLE_OF.get(value)
    if role is None:
        raise InvalidFieldError("role", f"{value} is no role")
    return role


def player_message(credential: Credential, record: PlayerRow | None) -> pb.Player:
    """Return a player with what they have played, which is nothing where there is no record."""
    return pb.Player(
        id=credential.player,
        name=credential.name,
        role=ROLES[credential.role],
        matches=record.matches if record else 0,
        won=record.won if record else 0,
        lost=record.lost if record else 0,
        created_at=timestamp(credential.created),
    )
