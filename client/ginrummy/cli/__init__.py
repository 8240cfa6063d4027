"""The command `gin`, the outermost room: it may use every other one, and none knows it.

A command is a line in the table here and a module beside it, loaded when the command runs
(`lazy`). What a command prints on standard output is for programs, what it says to people goes to
standard error; it exits with 0, with 1 where it found what it was to look for (an audit's faults),
or with 2 where it could not be run as it was asked.
"""

import click

from ginrummy.cli.lazy import Entry, LazyGroup, Sections, examples

__all__ = ["SECTIONS", "main"]

SECTIONS: Sections = {
    "To begin with": (
        Entry(
            "demo",
            "ginrummy.cli.demo:demo",
            "Show it all: a match of two bots, its replay, its audit",
            "server",
        ),
    ),
    "Matches": (
        Entry("serve", "ginrummy.cli.serve:serve", "Run the server", "server"),
        Entry("play", "ginrummy.cli.play:play", "Sit down at a table and play"),
        Entry("bot", "ginrummy.cli.play:bot", "Let a bot play a match"),
        Entry("watch", "ginrummy.cli.play:watch", "Watch a match, one line an event"),
        Entry(
            "fork",
            "ginrummy.cli.fork:fork",
            "Go on from any event of a match, in a practice match",
            "server",
        ),
        Entry(
            "matches", "ginrummy.cli.records:matches", "List matches, the newest first", "server"
        ),
    ),
    "Tournaments": (
        Entry("tournament", "ginrummy.cli.tournament:tournament", "Run and enter tournaments"),
        Entry(
            "compliance",
            "ginrummy.cli.compliance:compliance",
            "Try whether a bot is ready for a tournament",
            "server",
        ),
    ),
    "Disputes": (Entry("dispute", "ginrummy.cli.dispute:dispute", "Settle disputes over matches"),),
    "The log": (
        Entry("log", "ginrummy.cli.logs:log", "Print a match's stored lines", "replays"),
        Entry("export", "ginrummy.cli.logs:export", "Write a match to a file", "replays"),
        Entry("replay", "ginrummy.cli.replay:replay", "Replay a match from its log", "replays"),
        Entry("audit", "ginrummy.cli.audit:audit", "Audit a match's log", "replays"),
        Entry(
            "analyse",
            "ginrummy.cli.analyse:analyse",
            "Say what the decisions of a match were worth",
            "replays",
        ),
        Entry(
            "receipt", "ginrummy.cli.receipts:receipt", "Write the receipt of a match", "replays"
        ),
        Entry(
            "checkpoint",
            "ginrummy.cli.receipts:checkpoint",
            "Write what a server has signed of its whole log last",
            "replays",
        ),
        Entry(
            "key",
            "ginrummy.cli.receipts:key",
            "Print the key that checks what a server signs",
            "replays",
        ),
    ),
    "The database": (
        Entry(
            "player", "ginrummy.cli.records:player", "Make a player, and print the token", "server"
        ),
        Entry(
            "prepare",
            "ginrummy.cli.records:prepare",
            "Make a database's tables, or bring them up to date",
            "server",
        ),
        Entry(
            "backup",
            "ginrummy.cli.records:backup",
            "Copy the database, also while the server runs",
            "server",
        ),
        Entry(
            "migrate",
            "ginrummy.cli.migrate:migrate",
            "Copy a log into an empty database of another kind",
            "server",
        ),
        Entry(
            "rebuild",
            "ginrummy.cli.records:rebuild",
            "Make the lists again from the log",
            "server",
        ),
    ),
    "The program": (Entry("bench", "ginrummy.cli.bench:bench", "Measure everything", "dev"),),
    "Cards": (
        Entry("melds", "ginrummy.cli.cards:melds", "Arrange hands for least deadwood"),
        Entry("layoff", "ginrummy.cli.cards:layoff", "Lay off on a knock for least deadwood"),
        Entry("script", "ginrummy.cli.script:script", "Play scripted hands"),
        Entry(
            "import",
            "ginrummy.cli.importing:import_",
            "Turn an EAAI text into scripted hands",
            "replays",
        ),
        Entry("deck", "ginrummy.cli.cards:deck", "Shuffle committed decks"),
    ),
}
"""Every command, in the order of the help."""


@click.group(
    cls=LazyGroup,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "gin demo",
        "gin play --against simple",
        "gin melds 2D 3D 4D 5S 5H 5C KS QS 9H AC",
        "gin COMMAND --help",
    ),
)
@click.version_option(package_name="ginrummy", message="gin %(version)s")
def main() -> None:
    """Gin Rummy: play, record, replay and audit matches."""
