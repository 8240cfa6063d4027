"""The signatures: whether each move that has to be signed is, and by the key of its player."""

from ginrummy.audit.actors import SERVER
from ginrummy.audit.findings import Findings
from ginrummy.log.curve25519 import is_public_key
from ginrummy.log.lines import MatchLine
from ginrummy.log.signatures import MOVE_EVENTS, is_move_signed
from ginrummy.rules.cards import Seat
from ginrummy.rules.events import MatchCreated, PlayerJoined, SigningPolicy

__all__ = ["Signatures"]

_TERMS = (MatchCreated, PlayerJoined)


class Signatures:
    """The keys that the players gave, and what they have signed.

    It looks at each line by itself: how the match stood does not matter to it.
    """

    def __init__(self, findings: Findings) -> None:
        self.moves = 0
        """How many moves of players there are."""
        self._findings = findings
        self._policy: SigningPolicy | None = None
        """None while the line that says it was not read."""
        self._keys: dict[Seat, str | None] = {}

    @property
    def detail(self) -> str:
        """What it means that nothing is at fault."""
        signed = self._findings.counts["signatures"]
        if self._policy != "off" and not self.moves:
            return "no move was made so far"
        if self._policy == "required":
            return "each move is signed by its player"
        if self._policy == "optional" and signed:
            return f"{signed} of {self.moves} moves are signed, each by its player"
        return "no move is signed" if self._policy == "optional" else "nobody signs in this match"

    def check(self, line: MatchLine) -> None:
        """Check the next line."""
        event = line.event
        if self._policy in ("off", None) and line.sig is None and type(event) not in _TERMS:
            return
        if isinstance(event, MOVE_EVENTS) and line.by != SERVER:
            self.moves += 1
            self._check_move(line, event.seat)
        elif line.sig is not None:
            message = f"{line.type} by {line.by} is no move of a player, and has a signature"
            self._findings.fault("signatures", line.seq, message)
        elif isinstance(event, MatchCreated):
            self._policy = self._policy or event.signing
        elif isinstance(event, PlayerJoined):
            self._take_key(line.seq, event)

    def _take_key(self, seq: int, joined: PlayerJoined) -> None:
        self._keys[joined.seat] = joined.key
        if joined.key is not None and not is_public_key(bytes.fromhex(joined.key)):
            message = f"the key of seat {joined.seat} is no Ed25519 key that anybody can sign by"
            self._findings.fault("signatures", seq, message)

    def _check_move(self, line: MatchLine, seat: Seat) -> None:
        if line.sig is None:
            if self._policy == "required":
                message = f"this move of seat {seat} is not signed, and everybody signs here"
                self._findings.fault("signatures", line.seq, message)
            return
        self._findings.counts["signatures"] += 1
        if self._policy == "off":
            message = f"this move of seat {seat} is signed, and nobody signs here"
            self._findings.fault("signatures", line.seq, message)
            return
        key = self._keys.get(seat)
        if self._policy is None or (key is None and seat not in self._keys):
            # The line with the policy or the key could not be read: that is said already.
            return
        if key is None:
            message = f"this move is signed, and seat {seat} has no key"
            self._findings.fault("signatures", line.seq, message)
        elif not is_move_signed(key, line.stream, line.prev, line.event, line.sig):
            message = (
                f"the signature is not that of seat {seat}'s key over this move, decided on the "
                "line before: one of them was changed"
            )
            self._findings.fault("signatures", line.seq, message)
