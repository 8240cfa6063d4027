"""A database with a match to dispute, and directors who rule on it with nothing but that."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from support_disputes import DAY, JUDGE, SECOND_JUDGE
from support_logs import Table, played

from ginrummy.cli import main
from ginrummy.store import CHAIN_SECRET, Append, Credential, Head, Role, SqliteStore

__all__ = ["CENTURY", "Court", "gin"]

CENTURY = 36_500 * DAY
"""Milliseconds within which a match of any log may be disputed now."""


def gin(*arguments: object) -> Result:
    """Run `gin` in this process."""
    return CliRunner().invoke(main, [str(each) for each in arguments], prog_name="gin")


class Court:
    """A database with a match that Alice and Bob have played, and the directors Dee and Dan."""

    def __init__(self, path: Path, table: Table | None = None) -> None:
        """Store the match, by default one of two hands that may be disputed for a century."""
        self.db = path
        self.table = table or played(5, "classic", hands=2, dispute_ms=CENTURY)
        self.match = self.table.stream
        self.store(self.table)
        self.let_in(JUDGE, "Dee", "director")
        self.let_in(SECOND_JUDGE, "Dan", "director")

    def store(self, table: Table) -> None:
        """Store a match with the secrets of its decks."""
        with closing(SqliteStore(self.db)) as store:
            end = table.secrets.secret(table.secrets.length)
            store.keep_secret(table.stream, CHAIN_SECRET, end)
            (outcome,) = store.append([Append(table.stream, 0, tuple(table.lines))])
            assert isinstance(outcome, Head)

    def let_in(self, player: str, name: str, role: Role) -> None:
        """Make a player, as the operator may."""
        with closing(SqliteStore(self.db)) as store:
            store.add_player(Credential(player, name, role, f"{player:0>64}"[-64:], created=0))

    def asked(self, *arguments: object) -> Result:
        """Run `gin dispute` on the database."""
        return gin("dispute", *arguments, "--db", self.db)

    def told(self, *arguments: object) -> dict[str, Any]:
        """Run `gin dispute`, and return the dispute as it stands after it."""
        result = self.asked(*arguments, "--json")
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        told: dict[str, Any] = json.loads(result.stdout)
        return told

    def opened(self, player: str = "Alice", **options: object) -> dict[str, Any]:
        """Dispute hand 1, or what the options say."""
        given = {"reason": "score_wrong", "text": "It was 14, not 24.", "hand": 1} | options
        return self.told("open", self.match, "--player", player, *_written(given))

    def ruled(
        self, ruling: str, *more: object, by: str = "Dee", dispute: int = 1
    ) -> dict[str, Any]:
        """Rule on a dispute."""
        because = ("--rule", "S1", "--why", "The log says so.", "--director", by)
        return self.told("rule", self.match, dispute, ruling, *because, *more)

    def appealed(self, player: str = "Bob", dispute: int = 1) -> dict[str, Any]:
        """Appeal against a ruling."""
        return self.told("appeal", self.match, dispute, "--player", player, "--text", "No.")

    def lines(self) -> list[bytes]:
        """Return the match's log as it is stored."""
        with closing(SqliteStore(self.db)) as store:
            return list(store.read(self.match))


def _written(options: dict[str, object]) -> list[object]:
    return [
        part
        for name, value in options.items()
        if value is not None
        for part in (f"--{name}", value)
    ]
