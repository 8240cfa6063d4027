"""From a bot's name, as it is written in a command line, to a bot.

    random, simple, expert    the bots that come with this package
    ./mybot.py:MyBot          a class in a file
    package.module:MyBot      a class in a module that can be imported

The name after the colon may be left out where there is only one bot to mean.
"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import cast

from ginrummy.bots.chance import RandomBot
from ginrummy.bots.expert import ExpertBot
from ginrummy.bots.simple import SimpleBot
from ginrummy.client.bot import Bot

__all__ = ["BOTS", "BotSpecError", "bot_maker", "load_bot"]

BOTS: dict[str, type[RandomBot] | type[SimpleBot] | type[ExpertBot]] = {
    "random": RandomBot,
    "simple": SimpleBot,
    "expert": ExpertBot,
}
"""The bots that come with this package, by name."""

_DECISIONS = ("offer", "draw", "discard", "lay_off")


class BotSpecError(ValueError):
    """A name that stands for no bot; the message says what would."""


def load_bot(spec: str, seed: int | None = None) -> Bot:
    """Return a new bot of that name.

    `seed` goes to a bot whose construction takes an argument of that name. Raises BotSpecError.
    """
    return bot_maker(spec, seed)()


def bot_maker(spec: str, seed: int | None = None) -> Callable[[], Bot]:
    """Return what makes new bots of that name, whose code is loaded once.

    Raises BotSpecError, as does whatever is returned for a bot that cannot be made.
    """
    where, _, name = spec.rpartition(":") if ":" in spec else (spec, "", "")
    kind: Callable[..., object] = BOTS.get(spec) or _named(_module(where), name, spec)
    return partial(_made, kind, spec, seed)


def _made(kind: Callable[..., object], spec: str, seed: int | None) -> Bot:
    try:
        takes_seed = "seed" in inspect.signature(kind).parameters
        bot: object = kind(seed=seed) if takes_seed else kind()
    except Exception as error:
        raise BotSpecError(f"{spec}: {_title(kind)} cannot be made: {error!r}") from error
    missing = [method for method in _DECISIONS if not callable(getattr(bot, method, None))]
    if missing:
        raise BotSpecError(f"{spec}: {_title(kind)} has no method {' or '.join(missing)}")
    return cast("Bot", bot)


def _module(where: str) -> ModuleType:
    """Return the module in a file or of a dotted name."""
    if where.endswith(".py") or "/" in where:
        return _file(Path(where))
    _look_in(Path.cwd())
    try:
        return importlib.import_module(where)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{where}.".startswith(f"{error.name}."):
            # It is there, but something that it needs is not.
            raise BotSpecError(f"{where} cannot be loaded: {error}") from error
        raise BotSpecError(
            f"{where!r} is no bot: write {', '.join(BOTS)}, ./mybot.py:MyBot"
            " or package.module:MyBot"
        ) from error
    except Exception as error:
        raise BotSpecError(f"{where} cannot be loaded: {error!r}") from error


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise BotSpecError(f"there is no file {path}")
    # A file may be called as a module that others need: it is not to take that one's place.
    name = f"{path.stem} (bot)"
    loaded = importlib.util.spec_from_file_location(name, path)
    if loaded is None or loaded.loader is None:
        raise BotSpecError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(loaded)
    sys.modules[name] = module
    # A bot can be more than one file.
    _look_in(path.parent)
    try:
        loaded.loader.exec_module(module)
    except Exception as error:
        raise BotSpecError(f"{path} cannot be loaded: {error!r}") from error
    return module


def _look_in(directory: Path) -> None:
    """Let modules be imported from a directory, before all others."""
    found = str(directory.resolve())
    if found not in sys.path:
        sys.path.insert(0, found)


def _title(kind: Callable[..., object]) -> str:
    return getattr(kind, "__name__", repr(kind))


def _named(module: ModuleType, name: str, spec: str) -> Callable[..., object]:
    there = {
        bot: value
        for bot, value in vars(module).items()
        if inspect.isclass(value)
        and value.__module__ == module.__name__
        and all(hasattr(value, method) for method in _DECISIONS)
    }
    if not name and len(there) == 1:
        return next(iter(there.values()))
    found = getattr(module, name, None) if name else None
    if inspect.isclass(found):
        return found
    has = f"it has {', '.join(there)}" if there else "it has no class with a bot's four methods"
    raise BotSpecError(f"{spec}: {'no class ' + name if name else 'which class?'}; {has}")
