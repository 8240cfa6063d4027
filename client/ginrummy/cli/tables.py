"""Which table to sit down at: a match by its id, one that somebody waits at, or a new one."""

import asyncio
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import click

from ginrummy.cli.tournament.spans import read_span
from ginrummy.client import Client, RefusedError
from ginrummy.v1.match_pb2 import STAGE_GATHERING
from ginrummy.v1.ruleset_pb2 import (
    SIGNING_POLICY_OFF,
    SIGNING_POLICY_OPTIONAL,
    SIGNING_POLICY_REQUIRED,
    Ruleset,
    SigningPolicy,
)

__all__ = ["Wanted", "table_options"]

_LOOK_AGAIN = 1.0
"""Seconds between two looks for an open match."""


_SIGNING: Mapping[str, SigningPolicy.ValueType] = {
    "off": SIGNING_POLICY_OFF,
    "optional": SIGNING_POLICY_OPTIONAL,
    "required": SIGNING_POLICY_REQUIRED,
}


class Wanted(NamedTuple):
    """What the options say of the table."""

    match: str | None
    seek: bool
    preset: str
    target: int | None
    signing: str = "off"
    """Whether the players of a new match sign their moves."""
    dispute_ms: int | None = None
    """How long a new match may be disputed; None for as long as the server has it."""

    @property
    def is_new(self) -> bool:
        """Whether a match is to be made."""
        return not self.match and not self.seek

    async def find(self, client: Client, seats: Sequence[str] = ()) -> str:
        """Return the id of the match: the one named, an open one, or one made for these seats."""
        if self.match:
            return self.match
        if self.seek:
            return await _open_match(client)
        rules = None if self.target is None else Ruleset(target=self.target)
        made = await client.create_match(
            preset=self.preset,
            rules=rules,
            seats=seats,
            signing=_SIGNING[self.signing],
            dispute_ms=self.dispute_ms,
        )
        return made.id


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which table, as the argument `wanted`."""

    @functools.wraps(command)
    def gathered(
        *,
        match: str | None,
        seek: bool,
        preset: str,
        target: int | None,
        signing: str,
        dispute_within: int | None,
        **others: object,
    ) -> None:
        wanted = Wanted(match, seek, preset, target, signing, dispute_within)
        command(wanted=wanted, **others)

    for option in (
        click.option(
            "--dispute-within",
            metavar="TIME",
            callback=read_span,
            help="How long a new match may be disputed, such as 2h, or 0 for never; else 24h.",
        ),
        click.option(
            "--signing",
            type=click.Choice(tuple(_SIGNING)),
            default="off",
            show_default=True,
            help="Whether the players of a new match sign their moves.",
        ),
        click.option(
            "--target", type=click.IntRange(1), metavar="POINTS", help="Play a new match to this."
        ),
        click.option(
            "--preset", default="standard", show_default=True, help="The rules of a new match."
        ),
        click.option("--seek", is_flag=True, help="Join the first open match, or wait for one."),
        click.option("--match", metavar="ID", help="Sit down at this match."),
    ):
        gathered = option(gathered)
    return gathered


async def _open_match(client: Client) -> str:
    """Take a seat at the first match that has one free, or wait for one."""
    while True:
        async for row in client.matches(stage=STAGE_GATHERING):
            # Nobody is to be drawn into a practice match without asking for it by its id.
            if row.practice or all(seat.player_id for seat in row.seats):
                continue
            try:
                await client.join(row.id)
            except RefusedError:
                # Kept for somebody, taken in this moment, or one's own.
                continue
            return row.id
        await asyncio.sleep(_LOOK_AGAIN)
