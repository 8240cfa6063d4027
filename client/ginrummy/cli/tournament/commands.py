"""From a bot as it is named in a command line to the command that lets it attend a tournament."""

import re
import shlex
import shutil
import sys

from ginrummy.bots import BOTS, BotSpecError

__all__ = ["command_of", "is_python"]

_PYTHON = re.compile(r"\S+\.py(:\w+)?|[\w.]+:\w+")


def is_python(spec: str) -> bool:
    """Say whether `spec` names a bot in Python; whatever else there is is a command line.

    Such are `simple`, `./mybot.py:MyBot` and `package.module:MyBot`.
    """
    return spec in BOTS or _PYTHON.fullmatch(spec) is not None


def command_of(spec: str, tournament_id: str) -> tuple[str, ...]:
    """Return the words of the command that attends a tournament with a bot.

    Raises BotSpecError for a command line that cannot be read, or whose program is not there.
    """
    if is_python(spec):
        gin = (sys.executable, "-m", "ginrummy.cli")
        # Whoever runs the server has nothing to hold it to, and may go on from a copy of its log.
        once = ("--quiet", "--no-receipts")
        return (*gin, "tournament", "attend", tournament_id, "--bot", spec, *once)
    try:
        words = shlex.split(spec)
    except ValueError as error:
        raise BotSpecError(f"{spec!r} is no command line: {error}") from error
    if not words:
        raise BotSpecError(f"{spec!r} names neither a bot nor a program")
    if shutil.which(words[0]) is None:
        raise BotSpecError(
            f"there is no program {words[0]!r}; a bot is {', '.join(BOTS)}, ./mybot.py:MyBot,"
            " package.module:MyBot or a command line"
        )
    return tuple(words)
