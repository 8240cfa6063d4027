"""A program that does not outlive whoever started it: `python leash.py PARENT COMMAND...`.

It is the first program of every process that the host starts, and becomes the command itself. It
imports nothing of ours, since a tournament starts many of them. On Linux the kernel keeps the
promise, also where the host is killed; elsewhere there is none to keep it.
"""

import ctypes
import os
import signal
import sys

__all__ = ["leashed"]

_PR_SET_PDEATHSIG = 1
"""Of <sys/prctl.h>: the signal that a process gets when its parent dies, kept over an exec."""

_CANNOT_RUN = 127
"""What a shell exits with for a command that is not there."""


def leashed(parent: int, command: list[str]) -> None:
    """Become `command`, which is killed as soon as the process `parent` is gone.

    Exits with 127 where it cannot be run.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        # It went before the kernel was told.
        sys.exit(_CANNOT_RUN)
    # Python ignores it, and what is ignored stays so in the command.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 -- the command of the tournament's director
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be run: {error.strerror}\n")
        sys.exit(_CANNOT_RUN)


if __name__ == "__main__":
    leashed(int(sys.argv[1]), sys.argv[2:])
