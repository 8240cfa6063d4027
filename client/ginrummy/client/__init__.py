"""The Python client: a connection that mends itself, seats that check what they are told.

    async with connect("127.0.0.1:50051", token="…") as client:
        result = await client.play(match_id, bot)

`ginrummy.client.sync` has the same without `await`. Messages are those of `ginrummy.v1`.
"""

from ginrummy.client.attending import Attended, Played
from ginrummy.client.bot import Bot, Decision, HandOver, to_decide
from ginrummy.client.client import KEEPALIVE_SECONDS, Client, connect
from ginrummy.client.disputes import Disputes
from ginrummy.client.errors import (
    BrokenChainError,
    CallError,
    ForgedMoveError,
    GinRummyError,
    InvalidAddressError,
    InvalidRequestError,
    KeyFileError,
    KeyLostError,
    LimitReachedError,
    NonceLostError,
    NotFoundError,
    NotPermittedError,
    NotSignedInError,
    RefusedError,
    RequestIdReusedError,
    ServerFaultError,
    SigningUnavailableError,
    StaleError,
    TamperedDeckError,
    UnavailableError,
    VerificationError,
)
from ginrummy.client.nonces import NonceFiles, Nonces
from ginrummy.client.receipts import ReceiptFiles
from ginrummy.client.retry import Retry
from ginrummy.client.seat import Result, SeatSession
from ginrummy.client.signing import KeyFile, KeyFiles, Keys, MemoryKeys, SignedMove, Signer
from ginrummy.client.tournaments import Tournaments
from ginrummy.client.verifier import Verifier

__all__ = [
    "KEEPALIVE_SECONDS",
    "Attended",
    "Bot",
    "BrokenChainError",
    "CallError",
    "Client",
    "Decision",
    "Disputes",
    "ForgedMoveError",
    "GinRummyError",
    "HandOver",
    "InvalidAddressError",
    "InvalidRequestError",
    "KeyFile",
    "KeyFileError",
    "KeyFiles",
    "KeyLostError",
    "Keys",
    "LimitReachedError",
    "MemoryKeys",
    "NonceFiles",
    "NonceLostError",
    "Nonces",
    "NotFoundError",
    "NotPermittedError",
    "NotSignedInError",
    "Played",
    "ReceiptFiles",
    "RefusedError",
    "RequestIdReusedError",
    "Result",
    "Retry",
    "SeatSession",
    "ServerFaultError",
    "SignedMove",
    "Signer",
    "SigningUnavailableError",
    "StaleError",
    "TamperedDeckError",
    "Tournaments",
    "UnavailableError",
    "VerificationError",
    "Verifier",
    "connect",
    "to_decide",
]
