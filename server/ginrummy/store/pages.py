"""Lists a page at a time: what is asked for, what is answered, and the token between two pages."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Literal, LiteralString, TypeAlias

import msgspec

from ginrummy.store.errors import InvalidPageTokenError
from ginrummy.store.projections import MatchRow, Stage

__all__ = ["DISPUTED", "Disputed", "MatchPage", "MatchQuery", "page_of", "read_page_token"]

Disputed: TypeAlias = Literal["any", "open", "replaying", "adjusted"]
"""What a match's disputes have come to: there are any; one waits for a ruling; a hand has yet to
come back from being played again; the result was adjusted."""


class MatchQuery(msgspec.Struct, frozen=True):
    """Which matches a list shows."""

    stage: Stage | None = None
    """Only matches at this stage."""
    player: str | None = None
    """Only matches in which this player sits."""
    disputed: Disputed | None = None
    """Only matches over which there are such disputes."""
    size: int = 50
    """At most this many on a page."""
    token: str = ""
    """The `next_token` of the page before; empty for the first."""


class MatchPage(msgspec.Struct, frozen=True):
    """Some of a list's matches, the newest first."""

    matches: tuple[MatchRow, ...]
    next_token: str
    """Asks for the page after this one; empty on the last."""


DISPUTED: Mapping[Disputed, LiteralString] = {
    "any": "disputes",
    "open": "open_disputes",
    "replaying": "replaying",
    "adjusted": "adjusted",
}
"""Which field of a match's row is above 0 where there are such disputes over it."""


_TOKEN = "before:"  # noqa: S105 -- a place in a list, nothing secret
_FROM_THE_NEWEST = 2**63 - 1


def page_of(query: MatchQuery, matches: list[MatchRow]) -> MatchPage:
    """Return the page that `matches` make: what the query asked for, and one more if there is one.

    The token names a place in the order and not a count, so new matches move no page.
    """
    if len(matches) <= query.size:
        return MatchPage(tuple(matches), "")
    shown = tuple(matches[: query.size])
    place = f"{_TOKEN}{shown[-1].position}"
    return MatchPage(shown, urlsafe_b64encode(place.encode()).decode().rstrip("="))


def read_page_token(token: str) -> int:
    """Return the position before which a page's matches are. Raises InvalidPageTokenError."""
    if not token:
        return _FROM_THE_NEWEST
    try:
        place = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
    except ValueError:
        raise InvalidPageTokenError(token) from None
    position = place.removeprefix(_TOKEN)
    if not (place.startswith(_TOKEN) and position.isascii() and position.isdigit()):
        raise InvalidPageTokenError(token)
    return min(int(position[:20]), _FROM_THE_NEWEST)
