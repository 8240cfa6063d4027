"""What the running of tournaments can refuse, beside the rules of tournaments themselves."""

from ginrummy.tables.errors import TableError

__all__ = ["NoSuchTournamentError", "NotRunHereError", "TooManyTablesError"]


class NoSuchTournamentError(TableError):
    """There is no tournament of that id."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"there is no tournament {tournament_id!r} on this server")
        self.tournament_id = tournament_id


class NotRunHereError(TableError):
    """Whoever attends has to attend where tournaments are run, which is another server just now."""

    def __init__(self) -> None:
        super().__init__("tournaments are run by another server just now: try the next one")


class TooManyTablesError(TableError):
    """A session that wants to sit at no table, or at more than anybody can."""

    def __init__(self, tables: int, most: int) -> None:
        super().__init__(f"{tables} is not from 1 to {most} tables")
