"""`gin compliance`: a bot is led through everything that may happen to it at a tournament.

    the bot ──> Cable ──> Relay ──> server, with the cards that a scenario wants ──> Opponent
               (cut)    (fault, record)                                              (script)

A scenario is a small tournament of the bot against an opponent that plays by a script. What is
said on the wire is recorded, and judged when the tournament is over.

- `scenarios`: what is tried, as data; `dealt` has its cards, `faults` what goes wrong, `checks`
  what must be so
- `trial`: one scenario from the first process to the judgement
- `command`, `report`: the command line
"""

from ginrummy.cli.compliance.command import compliance

__all__ = ["compliance"]
