"""A bot that plays by chance: what every other one has to beat."""

from random import Random

from ginrummy.bots.sight import legal_moves
from ginrummy.rules.commands import Move
from ginrummy.v1.match_pb2 import View

__all__ = ["RandomBot"]


class RandomBot:
    """Each legal move is as likely as any other. The same seed, asked the same, plays the same."""

    def __init__(self, seed: int | None = None) -> None:
        """Choose by `seed`, or by the machine's chance where there is none."""
        self._random = Random(seed)  # noqa: S311 -- a game, no secret

    def _any(self, view: View) -> Move:
        return self._random.choice(legal_moves(view))

    offer = draw = discard = lay_off = _any
