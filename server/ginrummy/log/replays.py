"""The match in which a hand is played again: its terms and its id follow from the ruling (R8)."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from ginrummy.log.errors import LineError
from ginrummy.log.ids import match_id_for
from ginrummy.log.lines import read_line
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.disputes.events import DisputeOpened, DisputeRuled, HandPoints, Instance
from ginrummy.rules.events import HandDealt, Limits, MatchCreated, Origin, PlayerJoined
from ginrummy.rules.match import Ended
from ginrummy.rules.ruleset import Ruleset

__all__ = [
    "Ordered",
    "brought",
    "ordered",
    "replay_id",
    "replay_limits",
    "replay_origin",
    "replay_request",
    "replay_rules",
]

_SERVER = "server"


def replay_request(match: str, dispute: int, instance: Instance) -> str:
    """Return the request id with which the server opens the replay that a ruling has ordered."""
    return f"{match}/{dispute}/{instance}"


def replay_id(match: str, dispute: int, instance: Instance) -> str:
    """Return the id of the replay that a ruling has ordered."""
    return match_id_for(_SERVER, replay_request(match, dispute, instance))


def replay_origin(match: str, seq: int, hash_: str, hand: int) -> Origin:
    """Return what a replay says of where it comes from: the line of the ruling, and the hand."""
    return Origin(
        kind="replay",
        match=match,
        seq=seq,
        hash=hash_,
        hand=hand,
        scores=BySeat(0, 0),
        unseen="fresh",
        position=None,
        moves=0,
    )


def replay_rules(rules: Ruleset) -> Ruleset:
    """Return the rules of a replay: those of the match, over one hand."""
    return replace(rules, hands=1)


def replay_limits(terms: MatchCreated) -> Limits:
    """Return the limits of a replay: those of the match, with as long to come as to dispute."""
    return replace(terms.limits, start_ms=max(terms.limits.start_ms, terms.dispute_ms))


def brought(replayed: Ended) -> HandPoints | None:
    """Return what a hand has brought that was played again; None where nobody has won it."""
    outcome = replayed.outcome
    winner: Seat | None = outcome.winner
    if winner is None:
        return None
    if outcome.reason == "hands":
        return HandPoints(winner, outcome.points[winner])
    # Whoever gives it up, or is made to lose it, loses as much as by gin against no deadwood.
    return HandPoints(winner, replayed.terms.rules.gin_bonus)


# --- back from a log ----------------------------------------------------------------------------


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that a ruling has played again, as the log of its match has it."""

    match: str
    """The id of the match whose hand it is."""
    dispute: int
    instance: Instance
    hand: int
    seq: int
    """The number of the ruling's line."""
    hash: str
    """That line's hash."""
    dealer: Seat
    """Who dealt the hand."""
    players: BySeat[str | None]
    """The ids of those who played it."""
    terms: MatchCreated
    """The terms of the match."""

    @property
    def request(self) -> str:
        """The request id with which the server opens the replay."""
        return replay_request(self.match, self.dispute, self.instance)

    def differences(self, replay: MatchCreated) -> tuple[str, ...]:
        """Return the fields in which a replay's terms are not what follows from the ruling."""
        right = replace(
            replay,
            rules=replay_rules(self.terms.rules),
            clock=self.terms.clock,
            limits=replay_limits(self.terms),
            first_dealer=self.dealer,
            seats=self.players,
            signing=self.terms.signing,
            origin=replay_origin(self.match, self.seq, self.hash, self.hand),
        )
        return tuple(
            name
            for name in replay.__struct_fields__
            if getattr(replay, name) != getattr(right, name)
        )


def ordered(lines: Iterable[bytes]) -> Iterator[Ordered]:
    """Yield what the rulings in a match's log have played again; unreadable lines are passed over.

    Nothing is checked: of what is there twice the first counts.
    """
    terms: MatchCreated | None = None
    players: BySeat[str | None] = BySeat(None, None)
    dealers: dict[int, Seat] = {}
    hands: dict[int, int | None] = {}
    for raw in lines:
        try:
            line = read_line(raw)
        except LineError:
            continue
        match line.event:
            case MatchCreated() as created:
                terms = terms or created
            case PlayerJoined(seat=seat, player=player):
                players = players.put(seat, players[seat] or player)
            case HandDealt(hand=number, dealer=dealer):
                dealers.setdefault(number, dealer)
            case DisputeOpened(dispute=number, hand=disputed):
                hands.setdefault(number, disputed)
            case DisputeRuled(ruling="replay", dispute=number, instance=instance):
                hand = hands.get(number)
                if terms is not None and hand is not None and hand in dealers:
                    yield Ordered(
                        match=line.stream,
                        dispute=number,
                        instance=instance,
                        hand=hand,
                        seq=line.seq,
                        hash=line.hash,
                        dealer=dealers[hand],
                        players=players,
                        terms=terms,
                    )
            case _:
                pass
