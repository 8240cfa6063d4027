"""`gin script`: whole hands from stacked decks, for a shell's pipe."""

import click

from ginrummy.cli.lazy import examples
from ginrummy.cli.lines import UnusableLineError, answer_lines, standard_input
from ginrummy.replay.script import ScriptError, play_script, write_answer

__all__ = ["script"]

_FORMS = """\b
One line in:
  {"rules": "standard", or {"preset": "classic", FIELD: VALUE...},
   "deck": "52 cards, the first one dealt first", "dealer": 0,
   "moves": [{"seat": 1, "do": "take"}, ...]}

\b
The moves:
  {"seat": 0 or 1, "do": "pass", "take", "draw", "resign", or
   "discard"  with "card": "KS"
   "knock"    with "card": "KS", and "melds": ["2D 2C 2H", ...] or none for the best
   "big_gin"  with "melds" or none
   "lay_off"  with "melds" and "layoffs": [{"card": "2S", "meld": 0}, ...] in their order,
              or with "auto": true for the best}

\b
One line out:
  {"ok": true, "result": {"kind": "knock", "gin", "big_gin", "undercut", "void" or "open",
   "winner": 0, 1 or null, "points": N, "deadwood": [seat 0's, seat 1's] or null}}
  {"ok": false, "move": the refused one's index, "reason": "WRONG_PHASE", "rule": "T1"}"""


@click.command(
    epilog="\n\n".join(
        (
            _FORMS,
            examples(
                "gin script - < hands.jsonl",
                "gin script - < hands.jsonl | jq -r 'select(.ok) | .result.kind' | sort | uniq -c",
            ),
        )
    )
)
@standard_input
def script() -> None:
    """Play scripted hands.

    Takes a hand a line of standard input, as JSON: a stacked deck and the moves of both seats.
    Answers each with a line: how it ended, or which move is refused first, and why.
    """
    answer_lines(_played)


def _played(line: str) -> str:
    try:
        return write_answer(play_script(line)).decode()
    except ScriptError as error:
        raise UnusableLineError(str(error)) from error
