"""`gin tournament`: tournaments, from their announcement to their report.

A sub-command is a line in the table here and a module beside it, as with `gin` itself.
"""

import click

from ginrummy.cli.lazy import Entry, LazyGroup, Sections, examples

__all__ = ["SECTIONS", "tournament"]

_HERE = "ginrummy.cli.tournament"

SECTIONS: Sections = {
    "To take part": (
        Entry("enter", "ginrummy.cli.tournament.entering:enter", "Enter a tournament"),
        Entry("attend", "ginrummy.cli.tournament.attending:attend", "Let a bot play a tournament"),
    ),
    "To direct": (
        Entry("run", f"{_HERE}.running:run", "Run a whole tournament", "server"),
        Entry("new", f"{_HERE}.acts:new", "Announce a tournament", "server"),
        Entry("add", f"{_HERE}.adding:add", "Enter people by name", "server"),
        Entry("start", f"{_HERE}.acts:start", "Close registration and start", "server"),
        Entry("pause", f"{_HERE}.acts:pause", "Halt the play and all clocks", "server"),
        Entry("resume", f"{_HERE}.acts:resume", "Let the play go on", "server"),
        Entry("abort", f"{_HERE}.acts:abort", "Give a tournament up", "server"),
        Entry("check-in", f"{_HERE}.acts:check_in", "Note that an entrant is there", "server"),
        Entry(
            "seed",
            f"{_HERE}.acts:seed",
            "Set the order of strength, before the start",
            "server",
        ),
        Entry("remove", f"{_HERE}.acts:remove", "Take an entrant out", "server"),
        Entry(
            "return",
            f"{_HERE}.acts:return_",
            "Let an entrant come back, from the next round on",
            "server",
        ),
        Entry("pair", f"{_HERE}.acts:pair", "Pair the next round by hand", "server"),
        Entry("rule", f"{_HERE}.acts:rule", "Enter or change a result", "server"),
        Entry("end", f"{_HERE}.acts:end", "End a tournament after its last round", "server"),
    ),
    "To look at": (
        Entry("list", f"{_HERE}.listing:list_", "List tournaments, the newest first", "server"),
        Entry(
            "show",
            f"{_HERE}.looking:show_",
            "Show what was agreed, who takes part, and every round",
            "server",
        ),
        Entry(
            "standings",
            f"{_HERE}.looking:standings",
            "Print the standings, and what is behind them",
            "server",
        ),
        Entry("sheet", f"{_HERE}.looking:sheet_", "Print a round's pairing sheet", "server"),
        Entry(
            "watch", f"{_HERE}.watching:watch", "Watch a tournament, one line an event", "server"
        ),
        Entry(
            "ratings",
            f"{_HERE}.listing:ratings",
            "Rate the people of all tournaments",
            "server",
        ),
    ),
    "Its log": (
        Entry("log", f"{_HERE}.looking:log", "Print a tournament's stored lines", "server"),
        Entry("export", f"{_HERE}.looking:export", "Write a tournament to a file", "server"),
        Entry(
            "audit",
            f"{_HERE}.auditing:audit",
            "Audit a tournament's log, and those of its matches",
            "server",
        ),
    ),
    "To publish": (
        Entry("report", f"{_HERE}.report:report", "Write a tournament's report", "server"),
    ),
}
"""Every sub-command, in the order of the help."""


@click.group(
    cls=LazyGroup,
    sections=SECTIONS,
    epilog=examples(
        "gin tournament attend t_5rmrk0w2nxs39vg2mba0c1fchm --bot ./mybot.py:MyBot --enter",
        "gin tournament COMMAND --help",
    ),
)
def tournament() -> None:
    """Run and enter tournaments."""
