"""A player written from the protos' comments alone, in a process without this project's code.

It knows the server's address, asks reflection for the messages, and plays by unary calls; Watch
tells it when there is something to do. Run as `python support_reflection_client.py ADDRESS NAME
[MATCH]`: without a match it opens one and prints its id.
"""

import hashlib
import secrets
import sys
from typing import Any

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

__all__: list[str] = []

RANKS = "A23456789TJQK"


class Service:
    """The methods of one of the server's services, found by reflection."""

    def __init__(self, channel: grpc.Channel, pool: DescriptorPool, name: str) -> None:
        self._channel = channel
        self._methods = pool.FindServiceByName(name).methods_by_name
        self.metadata: tuple[tuple[str, str], ...] = ()

    def request(self, method: str, **fields: object) -> Any:  # noqa: ANN401 -- whatever it is
        """Return a method's request with these fields."""
        return GetMessageClass(self._methods[method].input_type)(**fields)

    def call(self, method: str, request: Any) -> Any:  # noqa: ANN401 -- likewise
        """Make a unary call."""
        return self._begin(self._channel.unary_unary, method)(request, metadata=self.metadata)

    def stream(self, method: str, request: Any) -> Any:  # noqa: ANN401 -- likewise
        """Make a call whose answers are a stream."""
        return self._begin(self._channel.unary_stream, method)(request, metadata=self.metadata)

    def _begin(self, kind: Any, method: str) -> Any:  # noqa: ANN401 -- likewise
        found = self._methods[method]
        return kind(
            f"/{found.containing_service.full_name}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(found.output_type).FromString,
        )


def decide(move: Any, legal: Any) -> None:  # noqa: ANN401 -- a Move and LegalMoves
    """Fill in the move that somebody makes who knows how to read LegalMoves, and little more."""
    if legal.lay_off:
        move.lay_off.auto = True
    elif legal.big_gin:
        move.big_gin.SetInParent()
    elif legal.knocks:
        move.knock.card = max(legal.knocks, key=lambda card: RANKS.index(card[0]))
    elif legal.discards:
        move.discard.card = max(legal.discards, key=lambda card: RANKS.index(card[0]))
    elif legal.pass_upcard:
        move.pass_upcard.SetInParent()
    else:
        move.draw.SetInParent()


def play(matches: Service, match_id: str, nonce: bytes) -> Any:  # noqa: ANN401 -- a View
    """Play a match to its end, and return the last view."""
    while True:
        watch = matches.request("Watch", match_id=match_id)
        for update in matches.stream("Watch", watch):
            if update.WhichOneof("update") in ("snapshot", "event"):
                view = turns(matches, match_id, nonce)
                if view.HasField("outcome"):
                    return view


def turns(matches: Service, match_id: str, nonce: bytes) -> Any:  # noqa: ANN401 -- a View
    """Do all that there is to do now, and return the view after it."""
    while True:
        view = matches.call("GetView", matches.request("GetView", match_id=match_id)).view
        if view.nonce_due:
            reveal = matches.request("RevealNonce", match_id=match_id, nonce=nonce)
            matches.call("RevealNonce", reveal)
        elif view.hand.HasField("legal"):
            move = matches.request(
                "MakeMove",
                match_id=match_id,
                request_id=secrets.token_hex(8),
                expected_seq=view.seq,
            )
            decide(move.move, view.hand.legal)
            matches.call("MakeMove", move)
        else:
            return view


def main(address: str, name: str, match_id: str = "") -> None:
    """Become a player, sit down, play, and print the seat and both totals."""
    with grpc.insecure_channel(address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(database)
        named = {service.rpartition(".")[2]: service for service in database.get_services()}
        players = Service(channel, pool, named["PlayerService"])
        matches = Service(channel, pool, named["MatchService"])
        made = players.call("CreatePlayer", players.request("CreatePlayer", name=name))
        matches.metadata = (("authorization", f"Bearer {made.token}"),)
        if not match_id:
            match_id = matches.call("CreateMatch", matches.request("CreateMatch")).match.id
        nonce = secrets.token_bytes(16)
        join = matches.request(
            "JoinMatch", match_id=match_id, nonce_commitment=hashlib.sha256(nonce).digest()
        )
        seat = matches.call("JoinMatch", join).seat
        print(match_id, flush=True)  # noqa: T201 -- what a program says
        outcome = play(matches, match_id, nonce).outcome
        print(seat, *outcome.totals, flush=True)  # noqa: T201 -- likewise
    assert not [module for module in sys.modules if module.split(".")[0] == "ginrummy"]


if __name__ == "__main__":
    main(*sys.argv[1:])
