"""What a scenario is: a value that says what is dealt, who sits opposite, and what goes wrong."""

from collections.abc import Mapping

import msgspec

from ginrummy.cli.compliance import checks
from ginrummy.cli.compliance.account import Account, Finding
from ginrummy.cli.compliance.dealt import Deal
from ginrummy.cli.compliance.faults import Fault
from ginrummy.cli.compliance.opponent import Script
from ginrummy.v1.ruleset_pb2 import Ruleset, TimeControl
from ginrummy.v1.tournament_pb2 import Boards, Matches, RoundRobin, TournamentTerms

__all__ = ["Scenario"]

_ALWAYS: tuple[checks.Check, ...] = (
    checks.lives_to_the_end,
    checks.keeps_its_session,
    checks.not_refused,
    checks.one_move_a_decision,
)

_RECONNECT_MS = 30_000
_ARRIVAL_MS = 120_000


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may happen to a bot."""

    name: str
    what: str
    """What happens, and what the bot must do then, in one sentence."""
    preset: str = "standard"
    rules: Mapping[str, int] = {}
    """The fields of the ruleset that differ from the preset."""
    deal: Deal | None = None
    """The cards of its boards; None for a match of several hands with its committed decks."""
    boards: int = 1
    script: Script = Script()
    decision_ms: int = 0
    """The time of a decision; 0 where no clock runs."""
    fault: type[Fault] = Fault
    further: tuple[checks.Check, ...] = ()
    """What must be so, beside what must always be."""
    waits: bool = False
    """The process is given its time to end by itself."""
    section: str = checks.LIFE

    def terms(self) -> TournamentTerms:
        """Return the terms of its tournament."""
        terms = TournamentTerms(
            name=f"compliance: {self.name}",
            round_robin=RoundRobin(),
            preset=self.preset,
            rules=_ruleset(self.rules),
            reconnect_ms=_RECONNECT_MS,
            arrival_ms=_ARRIVAL_MS,
        )
        if self.deal is None:
            terms.matches.CopyFrom(Matches())
        else:
            terms.boards.CopyFrom(Boards(boards=self.boards))
        if self.decision_ms:
            terms.clock.CopyFrom(TimeControl(decision_ms=self.decision_ms))
        return terms

    def judge(self, account: Account) -> tuple[Finding, ...]:
        """Return what was not as it must be."""
        found = [finding for check in _ALWAYS for finding in check(account)]
        found += [finding for check in self.further for finding in check(account)]
        return tuple(found)

    def unreached(self, account: Account) -> bool:
        """Say whether the bot has not let it come to the point."""
        return self.fault is not Fault and not account.happened


def _ruleset(changes: Mapping[str, int]) -> Ruleset:
    rules = Ruleset()
    for field, value in changes.items():
        setattr(rules, field, value)
    return rules
