"""Real logs with disputes in them, and the logs of hands that were played again by a ruling."""

from typing import Any

from msgspec.structs import replace
from support_disputes import DAY, JUDGE, SECOND_JUDGE
from support_logs import Table, played

from ginrummy.log.record import record_of
from ginrummy.log.replays import (
    brought,
    replay_id,
    replay_limits,
    replay_origin,
    replay_request,
    replay_rules,
)
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.commands import Command, CreateMatch, Play, Resign
from ginrummy.rules.disputes.commands import Appeal, OpenDispute, RuleOnDispute, TakeReplay
from ginrummy.rules.disputes.events import DisputeOpened, DisputeReason, DisputeRuled, Ruling
from ginrummy.rules.events import MatchCreated
from ginrummy.rules.match import Ended

__all__ = [
    "ReplayTable",
    "appeal",
    "appealed_match",
    "disputed_match",
    "open_dispute",
    "replayed_match",
    "rule",
    "take_back",
]


def open_dispute(
    table: Table,
    seat: Seat,
    hand: int | None,
    reason: DisputeReason = "score_wrong",
    text: str = "That is not what I was told.",
    event: int | None = None,
) -> None:
    """Let a seat dispute a hand, or the match as a whole."""
    table.wait(30)
    about = record_of(table.log).about(hand)
    assert about is not None
    wish = OpenDispute(table.players[seat], about, event or about.last, reason, text)
    table.act(wish, table.players[seat])


def rule(table: Table, what: Ruling, dispute: int = 1, by: str = JUDGE, **fields: Any) -> None:  # noqa: ANN401 -- handed on
    """Let a director rule."""
    table.wait(600)
    given = {"rule": "S1", "why": "The log proves it."} | fields
    table.act(RuleOnDispute(by=by, dispute=dispute, ruling=what, **given), by)


def appeal(table: Table, seat: Seat, dispute: int = 1) -> None:
    """Let a seat appeal."""
    table.wait(60)
    player = table.players[seat]
    table.act(Appeal(player, dispute, "Let somebody else look at it."), player)


def disputed_match(seed: int = 5, preset: str = "classic", **terms: Any) -> Table:  # noqa: ANN401 -- handed on
    """Return a match with three disputes: adjusted, dismissed and forfeited on appeal, open."""
    table = played(seed, preset, dispute_ms=DAY, **terms)
    open_dispute(table, 1, 1, text="It was 10 points less, as everybody saw.")
    opened = table.lines[-1].event
    assert isinstance(opened, DisputeOpened)
    assert opened.scored is not None
    points = BySeat(-3, 4) if opened.scored.winner == 0 else BySeat(4, -3)
    rule(table, "adjust", points=points, why="The bonus was counted twice.")
    open_dispute(table, 0, 2, "cards_seen", 'He \u2660 knew "everything".', event=None)
    rule(table, "dismiss", 2, rule="R2", why="There is nothing to show it.")
    appeal(table, 0, 2)
    rule(table, "forfeit", 2, SECOND_JUDGE, seat=1, rule="R2", why="A camera shows it.")
    open_dispute(table, 1, None, "conduct", "He shouted.", event=3)
    return table


# --- hands that are played again ----------------------------------------------------------------


class ReplayTable(Table):
    """The match in which a hand of another one is played again, as its last ruling has it."""

    def __init__(self, seed: int, original: Table, preset: str = "classic") -> None:
        """Open it, just after the ruling."""
        line = original.lines[-2]
        assert isinstance(line.event, DisputeRuled)
        self._ruling, self._original = line.event, original
        self._place = line.seq, line.hash
        super().__init__(seed, preset)

    def act(
        self, command: Command, by: str, *, cmd: str | None = None, sig: str | None = None
    ) -> None:
        """Carry a command out; the one that opens the match is made to be the ruling's."""
        if isinstance(command, CreateMatch):
            original, (dispute, instance) = (
                self._original,
                (self._ruling.dispute, self._ruling.instance),
            )
            self.at = original.at
            self.players = original.players
            self.signers = original.signers
            self.stream = replay_id(original.stream, dispute, instance)
            command = CreateMatch(self._terms(command.terms))
            by, cmd = "server", replay_request(original.stream, dispute, instance)
        super().act(command, by, cmd=cmd, sig=sig)

    def _terms(self, own: MatchCreated) -> MatchCreated:
        original, ruling = self._original, self._ruling
        assert isinstance(original.match, Ended)
        hand = original.match.disputes[ruling.dispute - 1].hand
        assert hand is not None
        (dealt,) = (
            line.event
            for line in original.lines
            if line.type == "hand_dealt" and getattr(line.event, "hand", None) == hand
        )
        terms = original.match.terms
        return replace(
            terms,
            rules=replay_rules(terms.rules),
            limits=replay_limits(terms),
            commitment=own.commitment,
            chain=own.chain,
            board=None,
            reveal="match",
            first_dealer=getattr(dealt, "dealer", None),
            seats=BySeat[str | None](*original.players),
            dispute_ms=0,
            origin=replay_origin(original.stream, *self._place, hand),
        )


def take_back(table: Table, replay: ReplayTable, dispute: int = 1) -> None:
    """Take back into a match what the replay has brought."""
    assert isinstance(replay.match, Ended)
    last, standing = replay.lines[-1], None
    assert isinstance(table.match, Ended)
    standing = table.match.disputes[dispute - 1].standing
    assert standing is not None
    table.at = replay.at
    wish = TakeReplay(
        dispute=dispute,
        instance=standing.instance,
        match=replay.stream,
        seq=last.seq,
        hash=last.hash,
        reason=replay.match.outcome.reason,
        scored=brought(replay.match),
    )
    table.act(wish, "server", cmd="")


def replayed_match(seed: int = 5, preset: str = "classic", **terms: Any) -> tuple[Table, Table]:  # noqa: ANN401 -- handed on
    """Return a match of which the last hand was played again, and the match in which it was."""
    table = played(seed, preset, dispute_ms=DAY, **terms)
    assert isinstance(table.match, Ended)
    assert table.match.last is not None
    last = table.match.last.layout.dealt.number
    open_dispute(table, 0, last, "card_not_in_deck", "The seven of hearts was there twice.")
    rule(table, "replay", rule="C1", why="Nobody can say what was dealt.")
    replay = ReplayTable(seed + 1, table, preset)
    replay.seated().play()
    take_back(table, replay)
    return table, replay


def appealed_match(seed: int = 5, preset: str = "classic", **terms: Any) -> tuple[Table, Table]:  # noqa: ANN401 -- handed on
    """Return a match of which a hand was played again on appeal, and the match in which it was.

    There the seat that did not appeal has given it up.
    """
    table = played(seed, preset, dispute_ms=DAY, **terms)
    open_dispute(table, 1, 1, "rule_broken", "He drew twice.")
    rule(table, "dismiss", rule="T1", why="The log shows one draw a turn.")
    appeal(table, 1)
    rule(table, "replay", by=SECOND_JUDGE, rule="R3", why="The play was held up on purpose.")
    replay = ReplayTable(seed + 1, table, preset)
    replay.seated()
    replay.wait(2)
    replay.act(Play(0, Resign()), replay.players[0])
    take_back(table, replay)
    return table, replay
