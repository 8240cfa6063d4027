"""A command group that loads a command's code only when that command runs.

`gin --help` must answer at once, and a base install, which has no database or server libraries,
must still run whatever does not need them. So the group knows each command by a line of a table:
its name, where its code is, and what it does.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click

from ginrummy.cli.pipes import ending_unread

__all__ = ["Entry", "LazyGroup", "MissingExtraError", "Sections", "examples"]


class Entry(NamedTuple):
    """A command that is not loaded yet."""

    name: str
    target: str
    """Where the command is: `module:attribute`."""
    help: str
    """The first sentence of its help, without the full stop."""
    extra: str | None = None
    """The optional dependencies that it needs: `server` for `ginrummy[server]`."""


Sections = Mapping[str, tuple[Entry, ...]]
"""The commands under the headings of the group's help."""


class MissingExtraError(click.ClickException):
    """A command whose libraries are not installed."""

    exit_code = 2

    def __init__(self, command: str, entry: Entry, module: str | None) -> None:
        if entry.extra is None:
            message = f"{command} needs the Python module {module}: pip install ginrummy"
        else:
            package = f"ginrummy[{entry.extra}]"
            message = f"{command} needs the {entry.extra} extra: pip install '{package}'"
        super().__init__(message)


class LazyGroup(click.Group):
    """The commands of a table, shown in its sections and loaded one at a time."""

    def __init__(self, *, sections: Sections, **attrs: object) -> None:
        super().__init__(**attrs)  # type: ignore[arg-type]  # click's own arguments, handed on
        self.sections = sections
        self.entries = {entry.name: entry for rows in sections.values() for entry in rows}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return the names in the table's order."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; None where there is none of that name.

        Raises MissingExtraError where a library that it needs is not installed.
        """
        entry = self.entries.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry.target.partition(":")
        try:
            command = getattr(import_module(module), attribute)
        except ModuleNotFoundError as error:
            _name_the_extra(ctx, entry, error)
            raise
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or suggest one."""
        name = args[0]
        if name not in self.entries and not name.startswith("-"):
            from difflib import get_close_matches  # noqa: PLC0415  # seldom needed

            close = get_close_matches(name, self.entries, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that the arguments name."""
        try:
            with ending_unread():
                return super().invoke(ctx)
        except ModuleNotFoundError as error:
            # A command may import what it needs as late as it likes.
            entry = self.entries.get(ctx.invoked_subcommand or "")
            if entry is not None:
                _name_the_extra(ctx, entry, error)
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """Write the table, a section at a time."""
        for title, rows in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(entry.name, entry.help) for entry in rows])


def _name_the_extra(ctx: click.Context, entry: Entry, error: ModuleNotFoundError) -> None:
    """Raise MissingExtraError, unless it is one of our own rooms that is missing."""
    if (error.name or "").partition(".")[0] != "ginrummy":
        raise MissingExtraError(f"{ctx.command_path} {entry.name}", entry, error.name) from error


def examples(*lines: str) -> str:
    """Return an epilog that shows commands as they are typed."""
    # \b keeps click from flowing the lines together.
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))
