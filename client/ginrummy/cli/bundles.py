"""Evidence bundles on the command line: made from a log and what was kept of it, and judged."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from ginrummy.cli.source import UnusableSourceError
from ginrummy.evidence.bundle.errors import UnusableBundleError
from ginrummy.evidence.bundle.inputs import KeptHeads
from ginrummy.log.notes import VerifierKey

__all__ = ["is_bundle", "judge_bundle"]

_ZIP = b"PK"


def is_bundle(name: str) -> bool:
    """Say whether a name is that of a file which may be a bundle; no log begins like one."""
    path = Path(name)
    try:
        with path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP
    except (OSError, ValueError):
        return False


def judge_bundle(
    name: str,
    key: VerifierKey | None,
    heads: Sequence[KeptHeads] = (),
    *,
    as_json: bool,
) -> int:
    """Write what is found of a bundle, and return the exit code: 0 without a fault, or else 1.

    `key` is the server's and `heads` are hashes of the match, where one has them from elsewhere.
    Raises UnusableSourceError for what is no bundle.
    """
    from ginrummy.evidence.bundle.checking import check_bundle  # noqa: PLC0415 -- with templates
    from ginrummy.evidence.bundle.telling import bundle_text  # noqa: PLC0415 -- likewise

    try:
        report = check_bundle(Path(name).read_bytes(), key, heads)
    except OSError as error:
        raise UnusableSourceError(f"{name}: {error.strerror or error}") from error
    except UnusableBundleError as error:
        raise UnusableSourceError(f"{name} is no bundle that can be used: {error}") from error
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
    else:
        click.echo(bundle_text(report), nl=False)
    return 0 if report.clean else 1
