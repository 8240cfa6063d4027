"""Every command says what it does, shows how, and is described in docs/command-line.md."""

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from ginrummy.cli import main
from ginrummy.cli.lazy import Entry, LazyGroup


class Listed(NamedTuple):
    """A command with the words that it is called by."""

    words: tuple[str, ...]
    entry: Entry
    command: click.Command

    @property
    def name(self) -> str:
        """What it is called by, after `gin`."""
        return " ".join(self.words)


def listed(group: LazyGroup, words: tuple[str, ...] = ()) -> Iterator[Listed]:
    """Yield the commands of a group in the order of its help, each group before its own."""
    for name, entry in group.entries.items():
        command = group.get_command(click.Context(group, info_name="gin"), name)
        assert command is not None
        yield Listed((*words, name), entry, command)
        if isinstance(command, LazyGroup):
            yield from listed(command, (*words, name))


assert isinstance(main, LazyGroup)
COMMANDS = list(listed(main))
GROUPS = [((), main)] + [
    (each.words, each.command) for each in COMMANDS if isinstance(each.command, LazyGroup)
]
PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text()
# What stands under a heading "### gin NAME", up to the next heading.
DESCRIBED = dict(re.findall(r"^### gin ([\w -]+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))

every_command = pytest.mark.parametrize("one", COMMANDS, ids=lambda one: one.name)


@every_command
def test_the_list_of_commands_says_what_the_help_begins_with(one: Listed) -> None:
    first_line = (one.command.help or "").partition("\n")[0]
    assert first_line == f"{one.entry.help}."


@every_command
def test_help_shows_an_example(one: Listed) -> None:
    result = CliRunner().invoke(main, [*one.words, "--help"], prog_name="gin")
    assert result.exit_code == 0
    _, heading, shown = result.output.partition("Examples:\n")
    assert heading
    assert f"gin {one.name}" in shown


@every_command
def test_the_page_describes_every_option(one: Listed) -> None:
    for option in one.command.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert option.opts[-1] in DESCRIBED[one.name]


def test_the_page_describes_the_commands_there_are() -> None:
    assert list(DESCRIBED) == [one.name for one in COMMANDS]


@pytest.mark.parametrize(("words", "group"), GROUPS, ids=range(len(GROUPS)))
def test_help_lists_every_command(words: tuple[str, ...], group: LazyGroup) -> None:
    shown = CliRunner().invoke(main, [*words, "--help"]).output
    for title, entries in group.sections.items():
        assert f"{title}:\n" in shown
        for entry in entries:
            assert re.search(rf"^  {entry.name} +{re.escape(entry.help)}$", shown, re.MULTILINE)


def test_version_is_the_distributions() -> None:
    shown = CliRunner().invoke(main, ["--version"]).output
    assert shown == f"gin {version('ginrummy')}\n"


def test_h_is_help() -> None:
    assert CliRunner().invoke(main, ["-h"]).output == CliRunner().invoke(main, ["--help"]).output
