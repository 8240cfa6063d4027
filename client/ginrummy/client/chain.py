"""The chain of a match's lines, checked as they come in."""

from ginrummy.client.links import Links
from ginrummy.log.lines import MatchLine, read_line

__all__ = ["Chain"]


class Chain(Links[MatchLine]):
    """The lines of one match that have come in so far."""

    __slots__ = ()

    def __init__(self, match_id: str, after_seq: int = 0) -> None:
        """Start before the first line, or after that of number `after_seq`, taken on trust."""
        super().__init__(match_id, read_line, after_seq)

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self.stream
