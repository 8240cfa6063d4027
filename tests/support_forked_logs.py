"""Logs of forks: a match that is made to go on from an event of another one."""

from collections.abc import Sequence

from msgspec.structs import replace
from support_logs import Table

from ginrummy.log.branching import Kept, branch, position
from ginrummy.log.deck import SecretChain
from ginrummy.log.fold import Fold
from ginrummy.log.lines import read_line
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Command, CreateMatch, RevealPosition
from ginrummy.rules.events import Origin
from ginrummy.rules.match import Playing
from ginrummy.rules.wishes import wish_of

__all__ = ["ForkTable", "forked_match"]


class ForkTable(Table):
    """A match that goes on after an event of another one's log."""

    def __init__(
        self,
        seed: int,
        log: Sequence[bytes],
        seq: int,
        kept: Kept = "same",
        seat: Seat | None = None,
    ) -> None:
        """Open it."""
        self._at = branch(log, seq, revealed_secrets(log))
        self._kept: Kept = kept
        self._viewer = seat
        super().__init__(seed)

    def act(
        self, command: Command, by: str, *, cmd: str | None = None, sig: str | None = None
    ) -> None:
        """Carry a command out; the one that opens the match is made to be the fork's."""
        if isinstance(command, CreateMatch):
            at = self._at
            begun = position(at, self._kept, self._viewer, self.rng.randbytes)
            assert begun is not None
            self.secrets = SecretChain(self.secrets.secret(60), 60, begun)
            self._fold = Fold(self.secrets)
            terms = replace(
                command.terms,
                rules=at.terms.rules,
                first_dealer=at.dealer,
                commitment=self.secrets.commitment,
                name=f"From event {at.seq} of {at.match}",
                origin=Origin(
                    kind="fork",
                    match=at.match,
                    seq=at.seq,
                    hash=at.hash,
                    hand=at.hand,
                    scores=at.score.points,
                    hands_won=at.score.hands_won,
                    unseen=self._kept,
                    seat=self._viewer,
                    position=begun.commitment,
                    moves=len(at.moves),
                ),
            )
            command = CreateMatch(terms)
        super().act(command, by, cmd=cmd, sig=sig)

    def _due(self, then: str) -> Command:
        if then == "copy":
            match, moves = self.match, self._at.moves
            assert isinstance(match, Playing)
            wish = wish_of(match, moves[len(moves) - match.copies])
            assert wish is not None
            return wish
        if then == "position":
            begun = self.secrets.position
            assert begun is not None
            return RevealPosition(begun.salt.hex(), begun.places)
        return super()._due(then)


def forked_match(log: Sequence[bytes], seq: int, **how: object) -> ForkTable:
    """Return a fork that is played to its end."""
    table = ForkTable(77, log, seq, **how)  # type: ignore[arg-type]  # handed on
    table.seated().play()
    assert read_line(table.log[-1]).type in ("match_ended", "secret_revealed")
    return table
