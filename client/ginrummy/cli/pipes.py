"""What happens when nobody reads on: `gin log MATCH | head` ends, and says nothing."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from click.exceptions import Exit

__all__ = ["UNREAD", "ending_unread"]

UNREAD = 141
"""The exit code then: what a shell says of a program that a closed pipe has ended (128 + SIGPIPE).

It is none of those that say what a command has found.
"""


@contextmanager
def ending_unread() -> Iterator[None]:
    """Run what writes to standard output, and end without a word once nobody reads it.

    Raises click's Exit with `UNREAD` then.
    """
    try:
        try:
            yield
        finally:
            # What is still held back must not fail when the interpreter ends, where it would show.
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_the_rest()
        raise Exit(UNREAD) from None


def _drop_the_rest() -> None:
    """Let what is still to be written go nowhere."""
    # Where standard output is no file, nothing is written when the interpreter ends.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
