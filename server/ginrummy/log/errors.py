"""Why a line cannot be read, as one small tree.

    LineError
    ├── MalformedLineError   not the one canonical spelling of any event (where, what)
    └── UnknownEventError    a type or a version that this program does not know (type, version)

Neither is ever passed over: a reader that skipped a line would tell another match (D5).
"""

__all__ = ["LineError", "MalformedLineError", "UnknownEventError"]


class LineError(Exception):
    """A line that cannot be read. `stream` and `seq` say where, as far as they could be read."""

    def __init__(self, what: str, stream: str | None, seq: int | None) -> None:
        super().__init__(f"{stream or 'a line'}, event {'?' if seq is None else seq}: {what}")
        self.what = what
        """What is wrong with it."""
        self.stream = stream
        """The stream that the line names; None where even that cannot be read."""
        self.seq = seq
        """The number that the line gives itself; None where even that cannot be read."""


class MalformedLineError(LineError):
    """Bytes that are not the canonical form of an event."""


class UnknownEventError(LineError):
    """An event of a type or a version that this program does not know."""

    def __init__(self, event_type: str, version: int, stream: str, seq: int) -> None:
        super().__init__(
            f"{event_type} in version {version} is known to no reader here", stream, seq
        )
        self.type = event_type
        """The event's type, as stored."""
        self.version = version
        """The version of its form, as stored."""
