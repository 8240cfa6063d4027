"""The program's own log: one line an event, for people or for programs, and no secret in it.

What is logged is chosen where it happens, and holds no token, secret or hidden card. The steps
here are the last line of defence, for the day when somebody forgets.
"""

import logging
import re
import sqlite3
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import PurePath
from typing import Any, Literal, TextIO, TypeAlias

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from ginrummy.api.auth import TOKEN_PREFIX
from ginrummy.log.instants import write_instant

__all__ = ["LEVELS", "LogFormat", "configure", "fault_fields", "redact"]

LogFormat: TypeAlias = Literal["json", "console"]
"""One JSON object a line, or text for a terminal."""

LEVELS = ("debug", "info", "warning", "error")
"""From the most that can be said to the least."""

REDACTED = "[redacted]"

_looks_secret = re.compile("authorization|token|secret|nonce|deck|password", re.IGNORECASE).search

_tokens = re.compile(rf"(?i)bearer\s+\S+|{TOKEN_PREFIX}[a-z2-7]{{52}}")


def configure(
    log_format: LogFormat,
    level: str = "info",
    stream: TextIO = sys.stderr,
    *,
    worker: int | None = None,
) -> None:
    """Let this process log to `stream`; what the libraries log goes there in the same form.

    Where it is one of several that log to the same place, each line says which: `worker`.
    """
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        _add_time,
        *([] if worker is None else [_add_worker(worker)]),
        _add_fault,
        redact,
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer(serializer=_json)
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=stream.isatty())
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(stream),
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # At their own debug level gRPC and asyncio tell of every call.
    root.setLevel(max(number, logging.WARNING))


def fault_fields(error: BaseException) -> dict[str, Any]:
    """Return what is logged of a fault: its kind, and the way to where it arose.

    Its text is left out, since it may quote a value with hidden cards in it; but that of the
    machine's own errors, which know no cards, is told.
    """
    frames = traceback.extract_tb(error.__traceback__)
    fields: dict[str, Any] = {
        "exception": type(error).__name__,
        "where": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    causes = [type(cause).__name__ for cause in _causes(error)]
    if causes:
        fields["caused_by"] = causes
    if isinstance(error, OSError | sqlite3.Error):
        fields["why"] = str(error)
    return fields


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen = {id(error)}
    while (cause := error.__cause__ or error.__context__) is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        error = cause


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Take out of an event whatever looks secret by its key, is a token, or is no plain value."""
    for key, value in event.items():
        # The libraries' records carry themselves along until they are rendered.
        if not key.startswith("_"):
            event[key] = REDACTED if _looks_secret(key) else _plain(value)
    return event


def _plain(value: object) -> object:
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return _tokens.sub(REDACTED, value)
        case PurePath():
            return _tokens.sub(REDACTED, str(value))
        case Mapping():
            return {
                str(key): REDACTED if _looks_secret(str(key)) else _plain(inner)
                for key, inner in value.items()
            }
        case list() | tuple() | set() | frozenset():
            return [_plain(inner) for inner in value]
        case _:
            # The repr of a match, a hand or an error would show all that is in it.
            return f"<{type(value).__name__}>"


def _add_time(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event["time"] = write_instant(time.time_ns() // 1000)
    return event


def _add_worker(worker: int) -> Processor:
    def add(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event["worker"] = worker
        return event

    return add


def _add_fault(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    raised = event.pop("exc_info", None)
    if raised is True:
        raised = sys.exc_info()
    error = raised[1] if isinstance(raised, tuple) else raised
    if isinstance(error, BaseException):
        event.update(fault_fields(error))
    return event


def _json(event: MutableMapping[str, Any], **_options: object) -> str:
    # What every line has comes first.
    first = {key: event.pop(key) for key in ("time", "level", "worker", "event") if key in event}
    return msgspec.json.encode({**first, **event}).decode()
