"""What every call goes through: it is logged, counted, answered where it fails, and signed in.

    JournalInterceptor ─> MetricsInterceptor ─> ErrorInterceptor ─> AuthInterceptor ─> servicer

The first two see how a call ended, so they stand outside of the one that makes errors answers.
"""

import asyncio
import secrets
import time
from collections.abc import Sequence
from typing import Any

import grpc
import structlog
from google.protobuf.message import Message
from grpc_status import rpc_status
from structlog.contextvars import bind_contextvars
from structlog.typing import FilteringBoundLogger

from ginrummy.api.around import Around, Call, Method, code_of
from ginrummy.api.auth import Caller, Credentials, bearer, set_caller, token_hash
from ginrummy.api.calls import Context
from ginrummy.api.errors import NotSignedInError, answer_to, status_of
from ginrummy.api.journal import fault_fields
from ginrummy.api.metrics import CallMetrics

__all__ = [
    "AuthInterceptor",
    "ErrorInterceptor",
    "JournalInterceptor",
    "MetricsInterceptor",
    "interceptors",
]

_log: FilteringBoundLogger = structlog.get_logger()


def interceptors(
    credentials: Credentials, metrics: CallMetrics | None = None
) -> Sequence[grpc.aio.ServerInterceptor]:
    """Return all interceptors, the outermost first."""
    counting = [] if metrics is None else [MetricsInterceptor(metrics)]
    return (
        JournalInterceptor(),
        *counting,
        ErrorInterceptor(),
        AuthInterceptor(credentials),
    )


class JournalInterceptor(Around):
    """Names every call, so that all that is logged in it can be found, and logs how it ended."""

    def around(self, method: Method, proceed: Call) -> Call:
        """Bind the call's id and method for all that is logged inside."""
        log = _log.bind()
        # Moves are many and streams are few; what was refused is of interest either way.
        usual = log.debug if method.kind == "unary" else log.info

        async def call(request: Any, context: Context) -> Any:  # noqa: ANN401 -- any message
            bind_contextvars(call=secrets.token_hex(8), method=method.path)
            began = time.perf_counter()
            ended_by: BaseException | None = None
            try:
                return await proceed(request, context)
            except BaseException as error:
                ended_by = error
                raise
            finally:
                code = code_of(context, ended_by)
                tell = usual if code == "OK" else log.info
                tell("call", code=code, ms=round(1000 * (time.perf_counter() - began), 3))

        return call


class MetricsInterceptor(Around):
    """Counts and times every call."""

    def __init__(self, metrics: CallMetrics) -> None:
        super().__init__()
        self._metrics = metrics

    def around(self, method: Method, proceed: Call) -> Call:
        """Count a call when it begins, and with its code and duration when it ends."""
        metrics = self._metrics.of(method)

        async def call(request: Any, context: Context) -> Any:  # noqa: ANN401 -- any message
            metrics.started()
            began = time.perf_counter()
            ended_by: BaseException | None = None
            try:
                return await proceed(request, context)
            except BaseException as error:
                ended_by = error
                raise
            finally:
                metrics.ended(code_of(context, ended_by), time.perf_counter() - began)

        return call


class ErrorInterceptor(Around):
    """Ends a call that raised with the status that `errors.answer_to` has for it."""

    def around(self, _method: Method, proceed: Call) -> Call:
        """Turn whatever a servicer raises into a status; cancelling and aborts pass."""

        async def call(request: Any, context: Context) -> Any:  # noqa: ANN401 -- any message
            try:
                return await proceed(request, context)
            except grpc.aio.AbortError:
                raise
            except Exception as error:  # noqa: BLE001 -- the last one to catch anything
                if context.done():
                    # There is nobody left to be told, as when a stream was cut off.
                    return None
                incident = secrets.token_hex(4)
                if answer_to(error).is_fault:
                    _log.error("fault", incident=incident, **fault_fields(error))
                status = status_of(
                    error,
                    match_id=_named(request, "match_id"),
                    tournament_id=_named(request, "tournament_id"),
                    incident=incident,
                )
                await context.abort_with_status(rpc_status.to_status(status))

        return call


def _named(request: Any, field: str) -> str:  # noqa: ANN401 -- any message, or a stream of them
    value = getattr(request, field, "") if isinstance(request, Message) else ""
    return value if isinstance(value, str) else ""


_WITHOUT_TOKEN = frozenset({"/ginrummy.v1.PlayerService/CreatePlayer"})
"""Methods that one may call with a token or without."""

_PUBLIC_SERVICES = ("grpc.health.", "grpc.reflection.")
"""Services that ask nobody for a token."""

_CALLERS_KEPT = 10_000


class AuthInterceptor(Around):
    """Finds out who calls, and lets nobody in without a token of this server."""

    def __init__(self, credentials: Credentials) -> None:
        super().__init__()
        self._credentials = credentials
        self._callers: dict[str, Caller] = {}
        """By the hashes of their tokens; a player never changes, so none goes out of date."""

    def around(self, method: Method, proceed: Call) -> Call:
        """Set the caller for the servicer; the public services are left alone."""
        if method.service.startswith(_PUBLIC_SERVICES):
            return proceed
        needed = method.path not in _WITHOUT_TOKEN

        async def call(request: Any, context: Context) -> Any:  # noqa: ANN401 -- any message
            token = bearer(context.invocation_metadata())
            if token is not None:
                caller = await self._caller(token_hash(token))
                set_caller(caller)
                bind_contextvars(player=caller.player)
            elif needed:
                raise NotSignedInError(
                    "this call needs a token: send the metadata authorization: Bearer <token>"
                )
            return await proceed(request, context)

        return call

    async def _caller(self, hashed: str) -> Caller:
        caller = self._callers.get(hashed)
        if caller is not None:
            return caller
        credential = await asyncio.to_thread(self._credentials.player_by_token, hashed)
        if credential is None:
            raise NotSignedInError("that is no token of this server")
        caller = Caller(credential.player, credential.name, credential.role)
        if len(self._callers) >= _CALLERS_KEPT:
            # The one that came first goes: a dictionary keeps its order.
            del self._callers[next(iter(self._callers))]
        self._callers[hashed] = caller
        return caller
