"""The files that a command writes: always new ones, so that nothing that was kept is lost."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ginrummy.cli.source import UnusableSourceError

__all__ = ["write_new"]


def write_new(output: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that is not there yet, piece by piece.

    Raises UnusableSourceError where it is there already or cannot be written; what the making of
    the pieces raises goes through.
    """
    with _named(output):
        file = output.open("xb")
    try:
        for piece in pieces:
            with _named(output):
                file.write(piece)
    finally:
        with _named(output):
            file.close()


@contextmanager
def _named(output: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise UnusableSourceError(f"{output} is there already: name a new file") from error
    except OSError as error:
        raise UnusableSourceError(f"{output}: {error.strerror or error}") from error
