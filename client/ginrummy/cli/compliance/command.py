"""`gin compliance`: whether a bot does what a tournament will ask of it."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence

import click

from ginrummy.api.journal import configure
from ginrummy.bots import BotSpecError
from ginrummy.cli.compliance.report import summary, verdict_json, verdict_text
from ginrummy.cli.compliance.scenario import Scenario
from ginrummy.cli.compliance.scenarios import SCENARIOS
from ginrummy.cli.compliance.trial import NotStartedError, Verdict, try_out
from ginrummy.cli.lazy import examples
from ginrummy.cli.wire import run

__all__ = ["compliance", "tried"]

_SECONDS = 60.0
_MOST_JOBS = 4


class CannotStartError(click.ClickException):
    """A bot of which nothing can be said, since it does not run."""

    exit_code = 2


@click.command(
    epilog=examples(
        "gin compliance ./mybot.py:MyBot",
        "gin compliance 'node bot.mjs'",
        "gin compliance 'node bot.mjs' --only cut-after-move --only late",
        "gin compliance --list",
    )
)
@click.argument("spec", metavar="SPEC", required=False, default="")
@click.option("--list", "only_list", is_flag=True, help="List the scenarios, and try nothing.")
@click.option(
    "--only", "names", multiple=True, metavar="NAME", help="Try this scenario; may be repeated."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long a scenario may take.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 16),
    default=min(_MOST_JOBS, os.cpu_count() or 1),
    metavar="N",
    help="Try so many scenarios at once; as many as there are processors, up to 4.",
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object a scenario.")
@click.pass_context
def compliance(
    ctx: click.Context,
    spec: str,
    names: Sequence[str],
    timeout: float,
    jobs: int,
    *,
    only_list: bool,
    as_json: bool,
) -> None:
    """Try whether a bot is ready for a tournament.

    SPEC is simple, expert, ./mybot.py:MyBot, or a command line such as 'node bot.mjs'. The bot is
    started again for every scenario, at a server of its own, against an opponent that plays by a
    script, and over a connection that fails when it is to. Prints a line a scenario, and under one
    that failed what was expected, what came, and where to read about it. Exits with 0 where all
    were passed, with 1 where one was not, and with 2 where the bot could not be started.
    """
    if only_list:
        for scenario in SCENARIOS:
            click.echo(f"{scenario.name}\t{scenario.what}")
        return
    if not spec:
        raise click.UsageError("which bot? give its SPEC, or --list")
    configure("console", "critical")
    verdicts = run(_all(spec, _chosen(names), timeout, jobs, as_json=as_json))
    if not as_json:
        click.echo(summary(verdicts))
    ctx.exit(0 if all(verdict.passed for verdict in verdicts) else 1)


def _chosen(names: Sequence[str]) -> tuple[Scenario, ...]:
    known = {scenario.name for scenario in SCENARIOS}
    for name in names:
        if name not in known:
            raise click.UsageError(f"--only: there is no scenario {name!r}; --list has them all")
    return tuple(each for each in SCENARIOS if not names or each.name in names)


async def _all(
    spec: str,
    scenarios: Sequence[Scenario],
    timeout: float,  # noqa: ASYNC109 -- of each scenario
    jobs: int,
    *,
    as_json: bool,
) -> list[Verdict]:
    verdicts = []
    try:
        async for verdict in tried(spec, scenarios, timeout, jobs):
            verdicts.append(verdict)
            click.echo(verdict_json(verdict) if as_json else verdict_text(verdict))
    except BotSpecError as error:
        raise CannotStartError(str(error)) from error
    except NotStartedError as error:
        said = f":\n{error.last_words}" if error.last_words else ""
        raise CannotStartError(f"{error}{said}") from error
    return verdicts


async def tried(
    spec: str,
    scenarios: Sequence[Scenario],
    timeout: float,  # noqa: ASYNC109 -- of each scenario
    jobs: int,
) -> AsyncIterator[Verdict]:
    """Yield the verdicts in the order of the scenarios, of which `jobs` are tried at once.

    The first one is tried alone. Raises BotSpecError, or NotStartedError.
    """
    if not scenarios:
        return
    yield await try_out(scenarios[0], spec, timeout)
    free = asyncio.Semaphore(jobs)

    async def try_one(scenario: Scenario) -> Verdict:
        async with free:
            return await try_out(scenario, spec, timeout)

    tasks = [asyncio.create_task(try_one(scenario)) for scenario in scenarios[1:]]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
