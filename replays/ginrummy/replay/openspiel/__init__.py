"""Hands as OpenSpiel's `gin_rummy` plays them: the actions, and why a hand has none.

It needs no OpenSpiel. That the actions are legal there and lead to the same result is held by
tests that replay them with pyspiel. The format is described in docs/hand-history.md.
"""

from ginrummy.replay.openspiel.hands import OpenSpielHand, RefusedHand, openspiel_hands

__all__ = ["OpenSpielHand", "RefusedHand", "openspiel_hands"]
