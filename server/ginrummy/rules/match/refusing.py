"""The refusal of an act that has no place in a match's present state."""

from ginrummy.rules.errors import IllegalMoveError, Reason

__all__ = ["not_now"]


def not_now(why: str) -> IllegalMoveError:
    """Return the refusal, with why in words for whoever asked."""
    return IllegalMoveError(Reason.NOT_ALLOWED_NOW, "", why)
