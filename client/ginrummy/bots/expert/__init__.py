"""A strong bot, as a table of its own parts.

events ──> memory ──> reading ──> imagined hands ──┬──> throwing ──┐
view   ────────────────────────> outs ──> worth ───┤               ├──> player ──> a move
                                                   └──> knocking ──┘
"""

from ginrummy.bots.expert.player import ExpertBot

__all__ = ["ExpertBot"]
