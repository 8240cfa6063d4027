"""What an audit cannot be made of."""

__all__ = ["UnusableLogError"]


class UnusableLogError(Exception):
    """There is nothing to audit: no lines, or nothing that is a log."""
