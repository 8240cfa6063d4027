"""What no check can be made of."""

__all__ = ["UnusableTournamentLogError"]


class UnusableTournamentLogError(Exception):
    """There is nothing to check: no lines, or none that is an event of a tournament."""
