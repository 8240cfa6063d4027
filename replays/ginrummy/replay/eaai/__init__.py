"""Hands out of the text that the EAAI gin rummy challenge's program prints of its games.

    text -> read_hands -> scripted hands, as `gin script` takes them -> the rules play them again

Such a text holds every card that was dealt, drawn and laid down, but neither a commitment nor a
chain. So it becomes no log, which would claim what nobody can check, but scripts: each hand is
played again by the rules under the preset `eaai`, and has to end as the text says it did.
"""

from ginrummy.replay.eaai.hands import EaaiHand, read_hands
from ginrummy.replay.eaai.lines import EaaiError

__all__ = ["EaaiError", "EaaiHand", "read_hands"]
