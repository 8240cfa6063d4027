"""The rules that events stand under are rules of docs/rules.md."""

import re
from pathlib import Path

import pytest
from support_golden import GOLDEN, golden_log

from ginrummy.replay.stepping import positions
from ginrummy.rules.citing import CHAPTERS, rule_of
from ginrummy.rules.match import Playing

RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
NUMBERS = set(re.findall(r"^- \*\*([A-Z]\d)\*\*", RULES, re.MULTILINE))
HEADINGS = [heading.lower() for heading in re.findall(r"^## (.+)$", RULES, re.MULTILINE)]


def test_every_chapter_is_one_of_the_rules() -> None:
    assert set(CHAPTERS) == {number[0] for number in NUMBERS}
    assert set(CHAPTERS.values()) <= set(HEADINGS)


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.log")))
def test_every_rule_that_is_cited_is_there(name: str) -> None:
    cited = set()
    for position in positions(golden_log(name)):
        before = position.before
        cited.add(
            rule_of(position.line.event, before.hand if isinstance(before, Playing) else None)
        )
    assert cited <= NUMBERS | {""}
