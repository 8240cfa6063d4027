"""A bot that is let play a match, and what becomes of it where it fails."""

import traceback

import click

from ginrummy.bots import Bot, BotSpecError, load_bot
from ginrummy.cli.outcome import BotFailedError
from ginrummy.client import Client, GinRummyError, InvalidRequestError, RefusedError, Result
from ginrummy.rules.cards import Seat

__all__ = ["let_play", "loaded"]


def loaded(spec: str, seed: int | None) -> Bot:
    """Return the bot that a spec names. Raises UsageError for one that there is not."""
    try:
        return load_bot(spec, seed)
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error


async def let_play(client: Client, match_id: str, player: Bot, seat: Seat | None = None) -> Result:
    """Let a bot play to the end; where it fails, give up the match for it.

    Raises BotFailedError then.
    """
    async with client.sit(match_id, seat) as session:
        try:
            return await session.play(player)
        except (RefusedError, InvalidRequestError) as error:
            await session.resign()
            raise BotFailedError(f"the bot's move was refused: {error}") from error
        except GinRummyError:
            raise
        except Exception as error:
            # Its author has to know where.
            traceback.print_exception(error)
            await session.resign()
            raise BotFailedError(f"the bot has failed: {error!r}") from error
