"""Every command says what it does, shows how, and is described in docs/command-line.md."""

import re
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ginrummy.cli import SECTIONS, main
from ginrummy.cli.lazy import Entry

ENTRIES = [entry for entries in SECTIONS.values() for entry in entries]
PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text()
# What stands under a heading "### gin NAME", up to the next heading.
DESCRIBED = dict(re.findall(r"^### gin ([\w-]+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))

every_command = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


def command(entry: Entry) -> click.Command:
    loaded = main.get_command(click.Context(main, info_name="gin"), entry.name)
    assert loaded is not None
    return loaded


@every_command
def test_the_list_of_commands_says_what_the_help_begins_with(entry: Entry) -> None:
    first_line = (command(entry).help or "").partition("\n")[0]
    assert first_line == f"{entry.help}."


@every_command
def test_help_shows_an_example(entry: Entry) -> None:
    result = CliRunner().invoke(main, [entry.name, "--help"], prog_name="gin")
    assert result.exit_code == 0
    _, heading, shown = result.output.partition("Examples:\n")
    assert heading
    assert f"gin {entry.name}" in shown


@every_command
def test_the_page_describes_every_option(entry: Entry) -> None:
    for option in command(entry).params:
        if isinstance(option, click.Option) and not option.hidden:
            assert option.opts[-1] in DESCRIBED[entry.name]


def test_the_page_describes_the_commands_there_are() -> None:
    assert list(DESCRIBED) == [entry.name for entry in ENTRIES]


def test_help_lists_every_command() -> None:
    shown = CliRunner().invoke(main, ["--help"]).output
    for title, entries in SECTIONS.items():
        assert f"{title}:\n" in shown
        for entry in entries:
            assert re.search(rf"^  {entry.name} +{re.escape(entry.help)}$", shown, re.MULTILINE)


def test_version_is_the_distributions() -> None:
    shown = CliRunner().invoke(main, ["--version"]).output
    assert shown == f"gin {version('ginrummy')}\n"


def test_h_is_help() -> None:
    assert CliRunner().invoke(main, ["-h"]).output == CliRunner().invoke(main, ["--help"]).output
