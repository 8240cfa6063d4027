"""What the tables can refuse beside the rules, as one small tree.

TableError
├── NoSuchMatchError       no stream of that id
├── NoSuchEventError       the match has not come that far
├── StaleSeqError          decided on an older state of the match
├── RequestIdReusedError   one request id for two different commands
├── NotSeatedError         the caller has no seat here
├── SignatureRefusedError  a move's signature is missing, wrong, or not wanted
├── LimitReachedError      too many of something
├── LogDamagedError        the stored log cannot be folded
└── StoppingError          the server is going away
    └── CutOffError        it holds no table while it does not reach its database
"""

from typing import Literal

__all__ = [
    "CutOffError",
    "LimitReachedError",
    "LogDamagedError",
    "NoSuchEventError",
    "NoSuchMatchError",
    "NotSeatedError",
    "RequestIdReusedError",
    "SignatureRefusedError",
    "StaleSeqError",
    "StoppingError",
    "TableError",
]


class TableError(Exception):
    """Anything that the tables refuse. Nothing has been stored."""


class NoSuchMatchError(TableError):
    """There is no match of that id."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"there is no match {match_id!r} on this server")
        self.match_id = match_id


class NoSuchEventError(TableError):
    """The match has no event of that number yet."""

    def __init__(self, seq: int, last: int) -> None:
        super().__init__(f"there is no event {seq}: the last one is {last}")
        self.seq = seq
        self.last = last


class StaleSeqError(TableError):
    """The command was decided on a state that is no longer the match's."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(
            f"the match stands at event {actual}, not {expected}: read what happened, decide again"
        )
        self.expected = expected
        self.actual = actual


class RequestIdReusedError(TableError):
    """A request id was used before, for another command."""

    def __init__(self, request_id: str) -> None:
        super().__init__(
            f"the request id {request_id!r} was used for another command: take a new one for each"
        )
        self.request_id = request_id


class NotSeatedError(TableError):
    """Whoever asks does not sit at this table."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"you have no seat in {match_id}")
        self.match_id = match_id


class SignatureRefusedError(TableError):
    """A move whose signature is not as the match's terms want it."""

    def __init__(
        self,
        reason: Literal["SIGNATURE_MISSING", "SIGNATURE_WRONG", "SIGNING_OFF", "KEY_MISSING"],
        why: str,
    ) -> None:
        super().__init__(why)
        self.reason = reason
        """Why, for a program: a reason of the API without its prefix."""


class LimitReachedError(TableError):
    """There is more of something than this server allows."""

    def __init__(self, what: str, limit: int) -> None:
        super().__init__(f"too many {what}: the limit is {limit}")
        self.what = what
        self.limit = limit


class LogDamagedError(TableError):
    """The stored log of a match cannot be folded."""

    def __init__(self, match_id: str, why: str) -> None:
        super().__init__(f"the log of {match_id} is damaged: {why}")
        self.match_id = match_id
        self.why = why


class StoppingError(TableError):
    """The server is stopping and takes no more commands."""

    def __init__(self, why: str = "the server is stopping: connect again in a moment") -> None:
        super().__init__(why)


class CutOffError(StoppingError):
    """The server does not reach its database, and leaves the table to those that do."""

    def __init__(self) -> None:
        super().__init__("this server does not reach its database: connect to another one")
