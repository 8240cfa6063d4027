"""How long an audit takes, beside SHA-256 and a JSON decode of the same lines and nothing else.

python benchmarks/audit_speed.py

A long match is played by the rules and written down as a server writes it. Then all checks are
made on it, and the floor is measured twice: with the JSON decoder that the program itself uses,
and with Python's own. Rounds take turns, so whatever else the machine does falls on all.
"""

import hashlib
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median

import msgspec
from comparison import Comparison

from ginrummy.audit.audit import audit
from ginrummy.log.deck import SecretChain, nonce_commitment
from ginrummy.log.fold import Fold, shuffle_for
from ginrummy.log.lines import write_line
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import (
    Command,
    CreateMatch,
    Deal,
    Discard,
    Join,
    Knock,
    Move,
    Play,
    RevealNonce,
    RevealSecret,
)
from ginrummy.rules.events import Limits, MatchCreated
from ginrummy.rules.hand import Discarding, Hand
from ginrummy.rules.match import Dealing, Ended, Gathering, Match, Playing, decide, hands_dealt
from ginrummy.rules.melds import arrange
from ginrummy.rules.ruleset import make_ruleset

__all__ = ["compare_audit", "long_log"]

_GOAL = 4.0
"""The most times the floor's time that an audit should take."""

_SEATS: tuple[Seat, Seat] = (0, 1)
_PLAYERS = BySeat("p_" + "0" * 26, "p_" + "1" * 26)
_NONCES = BySeat(b"0" * 16, b"1" * 16)


def compare_audit(rounds: int = 7, number: int = 30_000) -> Iterator[Comparison]:
    """Compare an audit of a log of `number` events with hashing and decoding its lines.

    The ratios are those of the times, so less is better.
    """
    log = long_log(number)

    def ours() -> None:
        assert audit(log).clean

    def hash_and_decode(decode: Callable[[bytes], object]) -> Callable[[], None]:
        def floor() -> None:
            for raw in log:
                hashlib.sha256(raw).hexdigest()
                decode(raw)

        return floor

    floors = {
        "msgspec": hash_and_decode(msgspec.json.Decoder().decode),
        "the standard library's json": hash_and_decode(json.loads),
    }
    taken: dict[str, list[float]] = {name: [] for name in ("audit", *floors)}
    for _ in range(rounds):
        taken["audit"].append(_seconds(ours))
        for name, floor in floors.items():
            taken[name].append(_seconds(floor))
    audit_time = median(taken["audit"])
    for name in floors:
        floor_time = median(taken[name])
        yield Comparison(
            f"audit, in times of SHA-256 and {name}",
            "events/s",
            len(log) / audit_time,
            len(log) / floor_time,
            audit_time / floor_time,
            _GOAL,
        )


def _seconds(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


# --- a long log ---------------------------------------------------------------------------------


def long_log(number: int, seed: int = 1) -> list[bytes]:
    """Return the log of one match of about `number` events, its secrets revealed at the end."""
    rng = random.Random(seed)
    secrets = SecretChain(rng.randbytes(32), number)
    fold = Fold(secrets)
    log: list[bytes] = []
    at = 1_795_992_538_123_456
    while (command := _next(fold.match, secrets, rng)) is not None:
        if len(log) >= number and isinstance(command, Deal):
            # The match would go on for much longer than it is wanted.
            return log
        by = _by(command)
        cmd = ""
        if by != "server":
            at += rng.randrange(2_000_000)
            cmd = rng.randbytes(8).hex()
        for event in decide(fold.match, command, at):
            line = write_line("m_" + "2" * 26, fold.seq + 1, at, by, cmd, event, fold.hash)
            fold.add(line)
            log.append(line.raw)
            by = "server"
    return log


def _next(match: Match | None, secrets: SecretChain, rng: random.Random) -> Command | None:
    match match:
        case None:
            return CreateMatch(_terms(secrets))
        case Gathering(seats=seats):
            joining = next((seat for seat in _SEATS if seats[seat] is None), None)
            if joining is not None:
                commitment = nonce_commitment(_NONCES[joining])
                return Join(joining, _PLAYERS[joining], "A player", commitment, "player")
            seat: Seat = 0 if seats[0] is not None and seats[0].nonce is None else 1
            return RevealNonce(seat, _NONCES[seat].hex())
        case Dealing(revealed=revealed):
            dealt = hands_dealt(match)
            if revealed < dealt:
                return RevealSecret(dealt, secrets.secret(dealt).hex())
            shuffled = shuffle_for(match, "m_" + "2" * 26, dealt + 1, secrets)
            assert shuffled is not None
            return Deal(*shuffled)
        case Playing(hand=hand):
            seat_to_move = hands.to_move(hand)
            assert seat_to_move is not None
            return Play(seat_to_move, _move(hand, rng))
        case Ended():
            return None


def _terms(secrets: SecretChain) -> MatchCreated:
    return MatchCreated(
        rules=make_ruleset("standard", {"target": 1_000_000}),
        clock=None,
        limits=Limits(),
        reveal="hand",
        commitment=secrets.commitment,
        chain=secrets.length,
        board=None,
        first_dealer=None,
        seats=BySeat(None, None),
    )


def _by(command: Command) -> str:
    match command:
        case Play(seat=seat) | RevealNonce(seat=seat):
            return _PLAYERS[seat]
        case Join(player=player):
            return player
        case CreateMatch():
            return _PLAYERS[0]
        case _:
            return "server"


def _move(hand: Hand, rng: random.Random) -> Move:
    """Knock where it is possible, throw high deadwood, and leave the rest to chance."""
    moves = hands.legal_moves(hand)
    if not isinstance(hand, Discarding):
        return rng.choice(moves)
    knock = next((move for move in moves if isinstance(move, Knock)), None)
    if knock is not None:
        return knock
    deadwood = arrange(hand.layout.hands[hand.seat], hand.layout.dealt.rules.run_max).deadwood
    return Discard(max(deadwood, key=lambda card: card.points))


def main() -> None:
    """Run the comparisons and print one line for each."""
    for found in compare_audit():
        sys.stdout.write(
            f"{found.name:<54} ours {found.ours:>9,.0f}  floor {found.baseline:>9,.0f} "
            f"{found.unit}  ratio {found.ratio:.2f} (goal {found.goal})\n"
        )


if __name__ == "__main__":
    main()
