"""What cannot be analysed, and why: for whoever asked."""

__all__ = [
    "AnalysisError",
    "BrokenLogError",
    "HandUnderWayError",
    "NoSuchHandError",
    "UnrevealedHandError",
]


class AnalysisError(Exception):
    """Something that cannot be analysed."""


class BrokenLogError(AnalysisError):
    """Lines that cannot be followed."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"the log cannot be followed past event {seq}: {why}")


class NoSuchHandError(AnalysisError):
    """A hand that the match does not have."""

    def __init__(self, hand: int, last: int) -> None:
        dealt = f"the last one dealt is {last}" if last else "none was dealt"
        super().__init__(f"there is no hand {hand}: {dealt}")


class UnrevealedHandError(AnalysisError):
    """A hand whose deck is not known yet."""

    def __init__(self, hand: int) -> None:
        super().__init__(
            f"hand {hand} cannot be analysed yet: its secret is not out, so its cards are not known"
        )


class HandUnderWayError(AnalysisError):
    """A hand that has no end yet."""

    def __init__(self, hand: int) -> None:
        super().__init__(f"hand {hand} cannot be analysed yet: it is still being played")
