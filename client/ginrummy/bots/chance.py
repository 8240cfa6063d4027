"""A bot that plays by chance: what every other one has to beat."""

from random import Random
from secrets import randbits

from ginrummy.bots.sight import legal_moves
from ginrummy.rules.commands import Move
from ginrummy.v1.match_pb2 import View

__all__ = ["RandomBot"]


class RandomBot:
    """Each legal move is as likely as any other. The same seed, asked the same, plays the same.

    What it draws follows from the seed and the position alone and not from what it drew before,
    so one that is started again in the middle of a match goes on as if nothing had happened.
    """

    def __init__(self, seed: int | None = None) -> None:
        """Choose by `seed`, or by one of the machine's where there is none."""
        self._seed = randbits(64) if seed is None else seed

    def _any(self, view: View) -> Move:
        position = f"{self._seed} {view.match_id} {view.seat} {view.seq}"
        return Random(position).choice(legal_moves(view))  # noqa: S311 -- a game, no secret

    offer = draw = discard = lay_off = _any
