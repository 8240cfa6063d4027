"""A report's parts as plain text for people, eighty columns wide: its checks, faults and verdict.

They read alike whatever was checked. Nothing in them can steer a terminal.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Literal, Protocol, TypeAlias

__all__ = [
    "SIGNS",
    "CheckLike",
    "FaultLike",
    "Status",
    "as_text",
    "check_lines",
    "counted",
    "fault_lines",
    "verdict",
]

Status: TypeAlias = Literal["passed", "failed", "waiting", "stopped", "not_applicable"]
"""What became of a check. `waiting`: some of it needs what is not there yet, such as a secret.
`stopped`: it found no fault, but could not go on after one that another check found.
`not_applicable`: nothing in this log calls for it."""

SIGNS: Mapping[Status, str] = {
    "passed": "ok",
    "failed": "FAULT",
    "waiting": "waits",
    "stopped": "stopped",
    "not_applicable": "-",
}
"""What stands before a check."""


class CheckLike(Protocol):
    """One kind of check, and what became of it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def status(self) -> Status:
        """What became of it."""

    @property
    def count(self) -> int:
        """How often it was made."""

    @property
    def detail(self) -> str:
        """What it means, or what it waits for."""


class FaultLike(Protocol):
    """Something that is not as it has to be."""

    @property
    def check(self) -> str:
        """The check that found it."""

    @property
    def seq(self) -> int:
        """The number of the event at fault."""

    @property
    def message(self) -> str:
        """What is wrong."""


def as_text(parts: Iterable[Sequence[str]]) -> str:
    """Return a report's parts under each other, with a newline at its end.

    Names and types are anybody's to choose in a file that one is sent: none steers a terminal.
    """
    said = "\n".join(line for part in parts if part for line in (*part, ""))
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in said)


def counted(number: int, what: str) -> str:
    """Return `1 event`, `57 events`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def check_lines(checks: Iterable[CheckLike]) -> list[str]:
    """Return a line for each check; fifty columns are left for its detail."""
    return [
        f"  {SIGNS[check.status]:<7} {check.name:<10} {check.count:>7}  {check.detail}"
        for check in checks
    ]


def fault_lines(faults: Iterable[FaultLike], left_out: int) -> list[str]:
    """Return some lines for each fault, and how many are not listed."""
    lines = [line for fault in faults for line in _fault(fault)]
    return [*lines, f"and {left_out} more"] if left_out else lines


def _fault(fault: FaultLike) -> Iterator[str]:
    rule = getattr(fault, "rule", "")
    yield f"event {fault.seq}: {fault.check}" + (f", rule {rule}" if rule else "")
    yield from wrap(fault.message, 78, initial_indent="    ", subsequent_indent="    ")


def verdict(faults: int, waiting: Sequence[str], waits: str) -> str:
    """Return what it comes to; `waits` says of the waiting checks, by their names, what for."""
    if faults:
        return f"NOT CLEAN: {counted(faults, 'fault')} found."
    if waiting:
        return f"Clean as far as can be told; {waits.format(', '.join(waiting))}."
    return "Clean: no fault found."
