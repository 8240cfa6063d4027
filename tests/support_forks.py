"""Forks of matches, made and played as the tables make them.

a match's log, an event's number ──> forked ──> Fork, a table of its own
"""

from collections.abc import Sequence

from msgspec.structs import replace
from support_logs import Table

from ginrummy.log.branching import Branch, Kept, branch
from ginrummy.log.deck import SecretChain
from ginrummy.log.fold import Fold, Secrets
from ginrummy.log.reveals import revealed_secrets
from ginrummy.rules.cards import Seat
from ginrummy.rules.commands import Command, RevealPosition
from ginrummy.rules.events import MatchCreated
from ginrummy.rules.match import Playing, is_position_hidden
from ginrummy.rules.wishes import wish_of
from ginrummy.store import MemoryStore
from ginrummy.tables.forks import NewFork, kept_origin

__all__ = ["Fork", "forked", "forked_match"]


class Fork(Table):
    """A match that goes on from an event of another one."""

    def __init__(
        self, seed: int, at: Branch, kept: Kept = "same", seat: Seat | None = None, **terms: object
    ) -> None:
        """Open it where `at` stood; nobody sits yet."""
        self.branch = at
        self._wish = NewFork(kept=kept, seat=seat)
        super().__init__(seed, **terms)  # type: ignore[arg-type]  # handed on

    def _agreed(self, terms: MatchCreated) -> MatchCreated:
        at = self.branch
        origin, position = kept_origin(
            MemoryStore(), self.stream, at, self._wish, self.rng.randbytes
        )
        self.secrets = SecretChain(
            self.secrets.secret(self.secrets.length), self.secrets.length, position
        )
        self._fold = Fold(self.secrets)
        rules = at.terms.rules if at.terms.board is None else replace(at.terms.rules, hands=1)
        return replace(
            terms,
            rules=rules,
            first_dealer=at.dealer,
            name=self._wish.named(at),
            origin=origin,
            dispute_ms=0,
        )

    def _due(self, then: str) -> Command:
        match then:
            case "copy":
                match = self.match
                assert isinstance(match, Playing)
                wish = wish_of(match, self.branch.moves[len(self.branch.moves) - match.copies])
                assert wish is not None
                return wish
            case "position":
                return self.reveal_position()
            case _:
                return super()._due(then)

    def reveal_position(self) -> RevealPosition:
        """Return the command that lets the position out."""
        position = self.secrets.position
        assert position is not None
        return RevealPosition(position.salt.hex(), position.places)

    def let_out(self) -> "Fork":
        """Let what is hidden out, as a director does, where the terms leave it to one."""
        command = self.reveal_position() if is_position_hidden(self.match) else self.reveal()
        self.act(command, self.director)
        return self


def forked(
    log: Sequence[bytes],
    at: int,
    kept: Kept = "same",
    seat: Seat | None = None,
    *,
    seed: int = 1,
    secrets: SecretChain | Secrets | None = None,
    **terms: object,
) -> Fork:
    """Return a fork of a match after event `at`, both players seated and all moves taken over."""
    found = branch(log, at, secrets or revealed_secrets(log))
    table = Fork(seed, found, kept, seat, **terms)
    table.seated()
    return table


def forked_match(log: Sequence[bytes], at: int, **how: object) -> Fork:
    """Return a fork that is played to its end."""
    fork = forked(log, at, seed=77, **how)  # type: ignore[arg-type]  # handed on
    fork.play()
    return fork
