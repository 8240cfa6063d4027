"""`gin dispute`: disputes over matches that have ended, and the evidence to settle them by.

A sub-command is a line in the table here and a module beside it, as with `gin` itself.
"""

import click

from ginrummy.cli.lazy import Entry, LazyGroup, Sections, examples

__all__ = ["SECTIONS", "dispute"]

_HERE = "ginrummy.cli.dispute"

SECTIONS: Sections = {
    "To dispute": (
        Entry(
            "open",
            f"{_HERE}.claiming:open_",
            "Dispute a hand of a match, or the match as a whole",
            "server",
        ),
        Entry(
            "appeal",
            f"{_HERE}.claiming:appeal",
            "Have a ruling looked at by another director",
            "server",
        ),
    ),
    "To judge": (
        Entry("rule", f"{_HERE}.ruling:rule", "Rule on a dispute, first or on appeal", "server"),
    ),
    "To look at": (
        Entry(
            "list",
            f"{_HERE}.looking:list_",
            "List disputes, those over the newest matches first",
            "server",
        ),
        Entry("show", f"{_HERE}.looking:show", "Show a dispute as it stands", "server"),
    ),
    "The evidence": (
        Entry("bundle", f"{_HERE}.evidence:bundle", "Put all evidence into one file", "replays"),
        Entry(
            "verify", f"{_HERE}.evidence:verify", "Judge a file of evidence by itself", "replays"
        ),
    ),
}
"""Every sub-command, in the order of the help."""


@click.group(
    cls=LazyGroup,
    sections=SECTIONS,
    epilog=examples(
        "gin dispute list --status open",
        "gin dispute show m_7vk2c8w0r6ht9zq3nx5b7jd1ge 1",
        "gin dispute bundle m_7vk2c8w0r6ht9zq3nx5b7jd1ge 1 -o evidence.zip",
        "gin dispute COMMAND --help",
    ),
)
def dispute() -> None:
    """Settle disputes over matches."""
