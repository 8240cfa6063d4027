"""One distribution over four source roots: what `ginrummy` is made of, and how it is told."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pytest

TOP = Path(__file__).parents[1]
ROOTS = ("protos", "server", "client", "replays")
ROOMS = sorted(
    room
    for root in ROOTS
    for room in (TOP / root / "ginrummy").iterdir()
    if room.is_dir() and room.name != "__pycache__"
)
PYPROJECT = tomllib.loads((TOP / "pyproject.toml").read_text())


def module_name(path: Path) -> str:
    _root, *parts = path.relative_to(TOP).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = sorted({module_name(path) for room in ROOMS for path in room.rglob("*.py")})


@pytest.mark.parametrize("root", ROOTS)
def test_the_namespace_belongs_to_nobody(root: str) -> None:
    """A root with an `__init__.py` of its own would hide the other three."""
    assert not list((TOP / root / "ginrummy").glob("*.py*"))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_is_a_typed_package(room: Path) -> None:
    assert (room / "__init__.py").is_file()
    assert (room / "py.typed").is_file()


def test_every_tool_is_told_of_the_same_roots() -> None:
    tool = PYPROJECT["tool"]
    build = tool["hatch"]["build"]
    assert build["targets"]["wheel"]["packages"] == [f"{root}/ginrummy" for root in ROOTS]
    assert build["dev-mode-dirs"] == list(ROOTS)
    assert set(ROOTS) <= set(build["targets"]["sdist"]["include"])
    assert tool["ruff"]["src"] == list(ROOTS)
    paths = tool["mypy"]["mypy_path"].split(":")
    assert paths == [f"$MYPY_CONFIG_FILE_DIR/{root}" for root in (*ROOTS, "tests", "benchmarks")]


def test_the_import_contracts_know_every_room() -> None:
    assert sorted(PYPROJECT["tool"]["importlinter"]["root_packages"]) == sorted(
        f"ginrummy.{room.name}" for room in ROOMS
    )


@pytest.mark.parametrize("name", MODULES)
def test_what_a_module_offers_is_there(name: str) -> None:
    module = import_module(name)
    for offered in getattr(module, "__all__", ()):
        assert hasattr(module, offered), offered


def test_the_wheel_holds_every_room(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=TOP,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.iterdir()
    with ZipFile(wheel) as archive:
        held = set(archive.namelist())
    ours = {
        str(path.relative_to(TOP / root))
        for root in ROOTS
        for path in (TOP / root / "ginrummy").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in held if not name.startswith("ginrummy-")} == ours
    assert f"ginrummy-{PYPROJECT['project']['version']}.dist-info/licenses/LICENSE" in held
