"""What keeps a report from being written."""

__all__ = ["ReportError"]


class ReportError(Exception):
    """A log that is missing, damaged or not the one vouched for, or a directory that is in use.

    The message says which, and what would be right.
    """
