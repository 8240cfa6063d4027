"""Real logs, made by playing, and ways to spoil them.

    play -> Table.act -> lines, with every reveal and deal that is due
    tampered -> the same lines as somebody who wants to cheat would leave them

It does what a server's tables do, in as few lines as it takes, so that whatever reads logs can be
tested without a server.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from support_play import Policy, eager_move

from ginrummy.log.boards import secret_number
from ginrummy.log.deck import SecretChain, nonce_commitment
from ginrummy.log.ed25519 import public_key
from ginrummy.log.fold import Fold, shuffle_for
from ginrummy.log.ids import ID_ENTROPY, match_id, player_id
from ginrummy.log.instants import Instant
from ginrummy.log.lines import GENESIS, MatchLine, line_hash, write_line
from ginrummy.log.signatures import MOVE_EVENTS, move_text, sign_text, signed_text
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import (
    Command,
    CreateMatch,
    Deal,
    Join,
    Move,
    Play,
    RevealNonce,
    RevealSecret,
)
from ginrummy.rules.events import (
    Board,
    Event,
    HandScored,
    Limits,
    MatchCreated,
    NonceSource,
    RevealPolicy,
    SigningPolicy,
    TimeControl,
)
from ginrummy.rules.match import Ended, Match, Playing, decide, due, hands_dealt, nonce_to_reveal
from ginrummy.rules.ruleset import make_ruleset

START: Instant = 1_795_992_538_123_456
"""2026-11-29T22:48:58.123456Z."""

SECOND = 1_000_000
_SEATS: tuple[Seat, Seat] = (0, 1)

TOURNAMENT = "t_3d8zq1h5w9n4kx7vr2cm6yj0gb"
"""The tournament that boards are of."""

Log = list[bytes]
"""A log's lines, without line ends."""


class Table:
    """A match that is played and written down. What is random in it follows from the seed."""

    def __init__(  # noqa: PLR0913 -- the terms of a match
        self,
        seed: int,
        preset: str = "standard",
        *,
        clock: TimeControl | None = None,
        limits: Limits | None = None,
        reveal: RevealPolicy = "match",
        nonce_by: tuple[NonceSource, NonceSource] = ("player", "player"),
        chain: int = 60,
        name: str = "",
        board: int | None = None,
        signing: SigningPolicy = "off",
        keys: tuple[bool, bool] = (True, True),
        dispute_ms: int = 0,
        **changes: object,
    ) -> None:
        """Open the match; nobody sits yet, but at a board, by its number, which is dealt.

        `keys` says which seats have a key where moves are signed. Where they need not be, whoever
        has one signs two moves of three.
        """
        self.rng = random.Random(seed)
        self.stream = match_id(self.rng.randbytes(ID_ENTROPY))
        self.players = BySeat(*(player_id(self.rng.randbytes(ID_ENTROPY)) for _ in range(2)))
        self.director = player_id(self.rng.randbytes(ID_ENTROPY))
        self.secrets = SecretChain(self.rng.randbytes(32), chain)
        self.lines: list[MatchLine] = []
        self.at = START
        self.nonce_by = nonce_by
        self.names = ("Alice", "Bob")
        self._nonces = BySeat(self.rng.randbytes(16), self.rng.randbytes(16))
        self.signers: BySeat[bytes | None] = BySeat(None, None)
        """The secrets of the seats that sign."""
        if signing != "off":
            self.signers = BySeat(*(self.rng.randbytes(32) if has else None for has in keys))
        self._fold = Fold(self.secrets)
        terms = MatchCreated(
            rules=make_ruleset(preset, changes),
            clock=clock,
            limits=limits or Limits(),
            reveal=reveal,
            commitment=self.secrets.commitment,
            chain=chain,
            board=None,
            first_dealer=None,
            seats=BySeat(None, None),
            name=name,
            signing=signing,
            dispute_ms=dispute_ms,
        )
        if board is None:
            self.act(CreateMatch(self._agreed(terms)), self.director)
            return
        terms = replace(
            terms,
            reveal="director",
            board=Board(TOURNAMENT, board, self.rng.randbytes(32).hex()),
            seats=BySeat[str | None](*self.players),
        )
        self.act(CreateMatch(terms, BySeat(*self.names)), "server", cmd=f"board-{board}")

    def _agreed(self, terms: MatchCreated) -> MatchCreated:
        """Return the terms on which a match that is no board is opened."""
        return terms

    # --- what it is now -------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match as it stands, all cards known."""
        assert self._fold.match is not None
        return self._fold.match

    @property
    def log(self) -> Log:
        """The stored lines."""
        return [line.raw for line in self.lines]

    @property
    def turn(self) -> Seat:
        """The seat that is to decide."""
        assert isinstance(self.match, Playing)
        seat = hands.to_move(self.match.hand)
        assert seat is not None
        return seat

    # --- what happens ---------------------------------------------------------------------------

    def act(
        self, command: Command, by: str, *, cmd: str | None = None, sig: str | None = None
    ) -> None:
        """Carry a command out, with all that is due after it, as one append.

        A move is signed as its seat signs, unless its signature is given.
        """
        if cmd is None:
            cmd = "" if by == "server" else self.rng.randbytes(8).hex()
        self._append(command, by, cmd, sig)
        self.do_what_is_due(cmd)

    def do_what_is_due(self, cmd: str) -> None:
        """Do what the server has to do next: reveal a nonce, deal, let a secret out."""
        while (then := due(self.match)) is not None:
            self._append(self._due(then), "server", cmd)

    def _append(self, command: Command, by: str, cmd: str, sig: str | None = None) -> None:
        events = decide(self._fold.match, command, self.at)
        if sig is None and isinstance(command, Play):
            sig = self._signature(command.seat, events[0])
        for event in events:
            line = write_line(
                self.stream, self._fold.seq + 1, self.at, by, cmd, event, self._fold.hash, sig=sig
            )
            self._fold.add(line)
            self.lines.append(line)
            by, sig = "server", None

    def _signature(self, seat: Seat, event: Event) -> str | None:
        """Return the seat's signature over its move, where it signs this one."""
        secret = self.signers[seat]
        if secret is None:
            return None
        if self.match.terms.signing == "optional" and self.rng.random() < 1 / 3:
            return None
        assert isinstance(event, MOVE_EVENTS)
        return sign_text(secret, signed_text(self.stream, self._fold.hash, move_text(event)))

    def _due(self, then: str) -> Command:
        match then:
            case "nonce":
                seat = nonce_to_reveal(self.match)  # type: ignore[arg-type]  # due says so
                assert seat is not None
                return RevealNonce(seat, self._nonces[seat].hex())
            case "reveal":
                return self.reveal()
            case _:
                found = shuffle_for(
                    self.match, self.stream, hands_dealt(self.match) + 1, self.secrets
                )
                assert found is not None
                return Deal(found.deck, found.first_dealer)

    def reveal(self) -> RevealSecret:
        """Return the command that lets out the secret of the last hand that is over."""
        over = hands_dealt(self.match) - isinstance(self.match, Playing)
        secret = self.secrets.secret(secret_number(self.match.terms, over))
        return RevealSecret(over, secret.hex())

    @property
    def board(self) -> Board:
        """The board that the match is."""
        assert self.match.terms.board is not None
        return self.match.terms.board

    def seated(self) -> "Table":
        """Seat both players and reveal the nonces, so that the first hand is dealt.

        At a board they sit already.
        """
        if self.match.terms.board is not None:
            return self
        for seat, name in zip(_SEATS, self.names, strict=True):
            self.wait(1)
            commitment = nonce_commitment(self._nonces[seat])
            secret = self.signers[seat]
            key = None if secret is None else public_key(secret).hex()
            command = Join(seat, self.players[seat], name, commitment, self.nonce_by[seat], key)
            self.act(command, self.players[seat])
        for seat in _SEATS:
            if self.nonce_by[seat] == "player":
                self.wait(1)
                self.act(RevealNonce(seat, self._nonces[seat].hex()), self.players[seat])
        return self

    def deal_from(self, secrets: SecretChain) -> None:
        """Deal from other decks than those committed to, as a server must not."""
        self.secrets, self._fold = secrets, Fold(secrets)
        for line in self.lines:
            self._fold.add(line)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.at += int(seconds * SECOND)

    def move(self, move: Move, seat: Seat | None = None) -> None:
        """Make a move for a seat, the one whose turn it is unless said."""
        seat = self.turn if seat is None else seat
        self.act(Play(seat, move), self.players[seat])

    def play(
        self,
        policy: Policy = eager_move,
        *,
        until: Callable[[Match], bool] = lambda _: False,
        seconds: float = 1.5,
    ) -> "Table":
        """Play on to the end, or until `until` says so."""
        while isinstance(self.match, Playing) and not until(self.match):
            self.wait(seconds)
            self.move(policy(self.match.hand, self.rng))
        return self


def played(seed: int = 1, preset: str = "standard", **terms: Any) -> Table:  # noqa: ANN401 -- handed on
    """Return a match played to its end."""
    table = Table(seed, preset, **terms).seated().play()
    assert isinstance(table.match, Ended)
    return table


def board_played(seed: int = 1, number: int = 7, *, revealed: bool = True, **terms: Any) -> Table:  # noqa: ANN401 -- handed on
    """Return a board played to its end, its secret out unless told otherwise."""
    table = played(seed, board=number, **terms)
    if revealed:
        table.act(table.reveal(), "server")
    return table


def in_hand(number: int) -> Callable[[Match], bool]:
    """Return an `until` that stops when hand `number` is dealt."""
    return lambda match: hands_dealt(match) == number


def events_of(log: Iterable[bytes], *types: str) -> list[int]:
    """Return the indices of the lines that hold an event of these types."""
    return [index for index, raw in enumerate(log) if msgspec.json.decode(raw)["type"] in types]


def results_of(table: Table) -> set[str]:
    """Return how the hands of a match ended."""
    kinds = {line.event.kind for line in table.lines if isinstance(line.event, HandScored)}
    return kinds | {"void" for line in table.lines if line.type == "hand_voided"}


# --- spoiling -----------------------------------------------------------------------------------


def changed(raw: bytes, **fields: object) -> bytes:
    """Return a line with other fields, still in the canonical form; `data_…` changes the data."""
    line: dict[str, Any] = msgspec.json.decode(raw)
    for name, value in fields.items():
        if name.startswith("data_"):
            line["data"][name.removeprefix("data_")] = value
        else:
            line[name] = value
    return msgspec.json.encode(line)


def edited(log: Sequence[bytes], index: int, **fields: object) -> Log:
    """Return a log with one line changed and nothing else."""
    return [*log[:index], changed(log[index], **fields), *log[index + 1 :]]


def relinked(log: Sequence[bytes], *, renumber: bool = True) -> Log:
    """Return a log with every number and link made good, as its writer alone could do."""
    lines: Log = []
    prev = GENESIS
    for number, raw in enumerate(log, start=1):
        fields = {"prev": prev} | ({"seq": number} if renumber else {})
        lines.append(changed(raw, **fields))
        prev = line_hash(lines[-1])
    return lines


def forged(log: Sequence[bytes], index: int, **fields: object) -> Log:
    """Return a log with one line changed and all links made good after it."""
    return relinked(edited(log, index, **fields))


def without(log: Sequence[bytes], *indices: int) -> Log:
    """Return a log without some of its lines."""
    return [raw for index, raw in enumerate(log) if index not in indices]
