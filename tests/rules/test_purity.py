"""The rules are pure: what they may import, and so what they cannot do."""

import ast
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "server" / "ginrummy" / "rules"

# No file, socket, clock, randomness, thread or log is in reach of these.
PURE = {
    "collections",
    "enum",
    "functools",
    "hashlib",
    "itertools",
    "msgspec",
    "operator",
    "types",
    "typing",
}


@pytest.mark.parametrize("path", sorted(RULES.glob("*.py")), ids=lambda path: path.name)
def test_the_rules_import_nothing_that_acts(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    outside = {name for name in imported if not f"{name}.".startswith("ginrummy.rules.")}
    assert {name.partition(".")[0] for name in outside} <= PURE
