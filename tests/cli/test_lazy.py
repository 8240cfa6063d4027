"""The table of commands: nothing heavy is loaded before its time, and what is missing is named."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from ginrummy.cli.lazy import Entry, LazyGroup


def group(*entries: Entry) -> LazyGroup:
    return LazyGroup(name="gin", sections={"Here": entries})


@click.command()
def late() -> None:
    raise ModuleNotFoundError("No module named 'sqlite_utils'", name="sqlite_utils")


@click.command()
def broken() -> None:
    raise ModuleNotFoundError("No module named 'ginrummy.nowhere'", name="ginrummy.nowhere")


def test_help_loads_nothing_but_click() -> None:
    code = """
import sys
from ginrummy.cli import main
main(["--help"], standalone_mode=False)
print(sorted({name.partition(".")[0] for name in sys.modules} & {"grpc", "google", "msgspec"}))
print(sorted(name for name in sys.modules if name.startswith("ginrummy.")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == [
        "[]",
        "['ginrummy.cli', 'ginrummy.cli.lazy', 'ginrummy.cli.pipes']",
    ]


@pytest.mark.parametrize("target", ["sqlite_nowhere.here:serve", f"{__name__}:late"])
def test_a_missing_extra_is_named(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    result = CliRunner().invoke(
        group(Entry("serve", target, "Serve", extra="server")), ["serve"], prog_name="gin"
    )
    assert result.exit_code == 2
    assert (
        result.stderr == "Error: gin serve needs the server extra: pip install 'ginrummy[server]'\n"
    )


def test_a_missing_base_module_is_named() -> None:
    result = CliRunner().invoke(
        group(Entry("melds", "nowhere.here:melds", "Arrange")), ["melds"], prog_name="gin"
    )
    assert result.exit_code == 2
    assert (
        result.stderr == "Error: gin melds needs the Python module nowhere: pip install ginrummy\n"
    )


def test_a_missing_room_of_ours_is_a_fault_of_ours() -> None:
    result = CliRunner().invoke(
        group(Entry("serve", f"{__name__}:broken", "Serve", extra="server")), ["serve"]
    )
    assert isinstance(result.exception, ModuleNotFoundError)


def test_a_mistyped_command_gets_a_suggestion() -> None:
    result = CliRunner().invoke(group(Entry("melds", "nowhere:melds", "Arrange")), ["meld"])
    assert result.exit_code == 2
    assert "No such command 'meld'. Did you mean 'melds'?" in result.stderr
