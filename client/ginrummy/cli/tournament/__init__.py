"""`gin tournament`: tournaments, from their announcement to their report.

A sub-command is a line in the table here and a module beside it, as with `gin` itself.
"""

import click

from ginrummy.cli.lazy import Entry, LazyGroup, Sections, examples

__all__ = ["SECTIONS", "tournament"]

SECTIONS: Sections = {
    "To take part": (
        Entry("enter", "ginrummy.cli.tournament.entering:enter", "Enter a tournament"),
        Entry("attend", "ginrummy.cli.tournament.attending:attend", "Let a bot play a tournament"),
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
    """Take part in tournaments."""
