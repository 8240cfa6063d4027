"""What the running of tournaments can refuse, beside the rules of tournaments themselves."""

from ginrummy.tables.errors import TableError

__all__ = ["NoSuchTournamentError", "TooManyTablesError"]


class NoSuchTournamentError(TableError):
    """There is no tournament of that id."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"there is no tournament {tournament_id!r} on this server")
        self.tournament_id = tournament_id


class TooManyTablesError(TableError):
    """A session that wants to sit at no table, or at more than anybody can."""

    def __init__(self, tables: int, most: int) -> None:
        super().__init__(f"{tables} is not from 1 to {most} tables")
