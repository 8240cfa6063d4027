"""PlayerService: players and their tokens."""

import asyncio
from collections.abc import Callable

from ginrummy.api.auth import caller_of, caller_or_nobody, new_token
from ginrummy.api.calls import Context
from ginrummy.api.errors import NoSuchPlayerError, NotPermittedError
from ginrummy.api.fields import player_name_from
from ginrummy.api.player_messages import player_message, role_from
from ginrummy.log.ids import ID_ENTROPY, player_id
from ginrummy.rules.match import Instant
from ginrummy.store import Credential, Store, hash_token
from ginrummy.v1 import player_service_pb2 as pb
from ginrummy.v1 import player_service_pb2_grpc

__all__ = ["PlayerServicer"]


class PlayerServicer(player_service_pb2_grpc.PlayerServiceServicer):
    """Anybody may become a player; directors and auditors are made by a director."""

    def __init__(
        self, store: Store, clock: Callable[[], Instant], entropy: Callable[[int], bytes]
    ) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy

    async def CreatePlayer(
        self, request: pb.CreatePlayerRequest, context: Context
    ) -> pb.CreatePlayerResponse:
        name, role = player_name_from(request.name), role_from(request.role)
        if role != "player":
            maker = caller_or_nobody(context)
            if maker is None or maker.role != "director":
                raise NotPermittedError(f"only a director makes a player of role {role}")
        token = new_token(self._entropy)
        credential = Credential(
            player=player_id(self._entropy(ID_ENTROPY)),
            name=name,
            role=role,
            token_hash=hash_token(token),
            created=self._clock(),
        )
        await asyncio.to_thread(self._store.add_player, credential)
        return pb.CreatePlayerResponse(player=player_message(credential, None), token=token)

    async def GetPlayer(
        self, request: pb.GetPlayerRequest, context: Context
    ) -> pb.GetPlayerResponse:
        player = request.player_id or caller_of(context).player
        credential = await asyncio.to_thread(self._store.player, player)
        if credential is None:
            raise NoSuchPlayerError(player)
        record = await asyncio.to_thread(self._store.record, player)
        return pb.GetPlayerResponse(player=player_message(credential, record))
