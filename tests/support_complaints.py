"""Ten complaints over real matches, each once where it is right and once where it is wrong.

    a match that was played ──> what a dishonest server makes of its log ──> a complaint ──> Case

Whoever keeps a log can compute all numbers and hashes anew after a change, so that is done here: no
chain gives anything away. What the players were told at the time they have kept.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec
from support_bundles import heads_of
from support_disputed_logs import open_dispute, rule
from support_disputes import DAY
from support_logs import Log, Table, changed, events_of, forged, played, relinked

from ginrummy.audit.audit import audit
from ginrummy.evidence.bundle.inputs import KeptHeads
from ginrummy.evidence.bundle.making import make_bundle
from ginrummy.log.instants import read_instant, write_instant
from ginrummy.log.lines import read_line, write_line
from ginrummy.log.record import record_of
from ginrummy.rules.cards import BySeat, Card, Seat
from ginrummy.rules.commands import Expire
from ginrummy.rules.disputes.events import DisputeOpened, DisputeReason, DisputeRuled
from ginrummy.rules.events import SecretRevealed, TimeControl
from ginrummy.rules.match import deadline

__all__ = ["CASES", "NEITHER", "Case"]

SECOND = 1_000_000
CLOCK = TimeControl(bank_ms=120_000, increment_ms=0, decision_ms=20_000)


class Case(NamedTuple):
    """A log with a complaint, and what the players have kept of it."""

    log: Log
    heads: tuple[KeptHeads, ...] = ()

    @property
    def bundle(self) -> bytes:
        """The evidence in its last dispute."""
        opened = msgspec.json.decode(self.log[events_of(self.log, "dispute_opened")[-1]])
        return make_bundle(self.log, dispute=opened["data"]["dispute"], heads=self.heads)


def complained(
    log: Sequence[bytes],
    reason: DisputeReason,
    text: str,
    *,
    hand: int | None,
    event: int,
    seat: Seat = 1,
) -> Log:
    """Return a log, whatever is in it, with a player's complaint at its end."""
    lines = [read_line(raw) for raw in log]
    last = lines[-1]
    about = record_of(log).about(hand)
    assert about is not None
    joined = [line.by for line in lines if line.type == "player_joined"]
    number = 1 + len(events_of(log, "dispute_opened"))
    opened = DisputeOpened(number, seat, hand, event, about.scored, reason, text)
    at = last.at + 30 * SECOND
    line = write_line(last.stream, last.seq + 1, at, joined[seat], "c0", opened, last.hash)
    return [*log, line.raw]


def _match(seed: int = 5, preset: str = "classic", **terms: object) -> Table:
    return played(seed, preset, dispute_ms=DAY, **({"hands": 2} | terms))


def _in_hand(log: Log, number: int, kind: str, nth: int = -1) -> int:
    """Return the number of an event of a type in a hand."""
    about = record_of(log).about(number)
    assert about is not None
    found = [at + 1 for at in events_of(log, kind) if about.first <= at + 1 <= about.last]
    return found[nth]


# --- "that card was not in the deck" --------------------------------------------------------------


def no_such_card(*, is_right: bool) -> Case:
    """A discard of another card than its seat ever held."""
    log = _match().log
    event = _in_hand(log, 2, "discarded", 3)
    if is_right:
        # A card that lies in the discard pile by then can be in nobody's hand.
        pile = _in_hand(log, 2, "discarded", 1)
        thrown = msgspec.json.decode(log[pile - 1])["data"]["card"]
        log = forged(log, event - 1, data_card=thrown)
    text = "That card was not in the deck any more."
    return Case(complained(log, "card_not_in_deck", text, hand=2, event=event))


# --- "I never threw it" ---------------------------------------------------------------------------


def never_thrown(*, is_right: bool) -> Case:
    """Two discards of a seat that have changed places, which no rule contradicts."""
    log = _match(signing="required").log
    forgery, event = _exchanged(log)
    seat: Seat = msgspec.json.decode(log[event - 1])["data"]["seat"]
    text = "I never threw it: I threw another one."
    disputed = forgery if is_right else log
    return Case(complained(disputed, "move_denied", text, hand=1, event=event, seat=seat))


def _exchanged(log: Log) -> tuple[Log, int]:
    """Return a log with two discards exchanged that only the signatures tell, and the first."""
    first, last = _in_hand(log, 1, "discarded", 0), _in_hand(log, 1, "discarded", -1)
    throws = [at for at in events_of(log, "discarded") if first <= at + 1 <= last]
    for one, other in combinations(throws, 2):
        card, later = (msgspec.json.decode(log[at])["data"]["card"] for at in (one, other))
        forgery = forged(forged(log, one, data_card=later), other, data_card=card)
        if {fault.check for fault in audit(forgery).faults} == {"signatures"}:
            return forgery, one + 1
    raise AssertionError("no two discards of this hand can be exchanged")


# --- "the score is wrong" -------------------------------------------------------------------------


def wrong_score(*, is_right: bool) -> Case:
    """A hand's score that is not that of the cards on the table."""
    log = _match().log
    event = _in_hand(log, 1, "hand_scored")
    if is_right:
        points = msgspec.json.decode(log[event - 1])["data"]["points"]
        log = forged(log, event - 1, data_points=points + 10)
    return Case(complained(log, "score_wrong", "The score is wrong.", hand=1, event=event))


# --- "I was not out of time" ----------------------------------------------------------------------


def not_out_of_time(*, is_right: bool) -> Case:
    """A time that is said to be over, and was five seconds before."""
    table = Table(3, "classic", clock=CLOCK, dispute_ms=DAY).seated()
    table.play(until=lambda _: len(table.lines) > 30)
    seat, end = table.turn, deadline(table.match)
    assert end is not None
    table.at = end + 1
    table.act(Expire(), "server")
    log = table.log
    event = events_of(log, "clock_expired")[0] + 1
    if is_right:
        log = _earlier(log, event, 5 * SECOND)
    text = "I was not out of time."
    hand = record_of(log).hand_at(event)
    return Case(complained(log, "clock_wrong", text, hand=hand, event=event, seat=seat))


def _earlier(log: Log, first: int, micros: int) -> Log:
    """Return a log whose events from one on are said to have been earlier."""
    times = [read_instant(msgspec.json.decode(raw)["at"]) for raw in log]
    moved = [
        changed(raw, at=write_instant(at - micros)) if seq >= first else raw
        for seq, (raw, at) in enumerate(zip(log, times, strict=True), start=1)
    ]
    return relinked(moved)


# --- "the server changed it afterwards" -----------------------------------------------------------


def changed_afterwards(*, is_right: bool) -> Case:
    """A log that was written anew with another time for a move, which nothing contradicts."""
    log = _match().log
    event = _in_hand(log, 1, "discarded", 1)
    kept = heads_of("seat-1", log, event - 1, event, event + 1)
    if is_right:
        at = read_instant(msgspec.json.decode(log[event - 1])["at"])
        log = forged(log, event - 1, at=write_instant(at + 1000))
    text = "The server changed it afterwards: I was told another hash."
    return Case(complained(log, "log_changed", text, hand=1, event=event), (kept,))


# --- "he saw my cards" ----------------------------------------------------------------------------


def saw_my_cards(*, is_right: bool) -> Case:
    """A secret that came out while its hand was being played: all cards could be computed."""
    table = _match()
    log = table.log
    event = _in_hand(log, 2, "stock_drawn", 2)
    if is_right:
        line = read_line(log[event - 1])
        secret = SecretRevealed(2, table.secrets.secret(2).hex())
        leak = write_line(line.stream, line.seq + 1, line.at, "server", "", secret, line.hash)
        log = relinked([*log[:event], leak.raw, *log[event:]])
    text = "He saw my cards: from then on he took what I needed."
    return Case(complained(log, "cards_seen", text, hand=2, event=event))


# --- and four more --------------------------------------------------------------------------------


def wrong_dealer(*, is_right: bool) -> Case:
    """A hand that the other seat had to deal (D3)."""
    log = _match().log
    event = _in_hand(log, 2, "hand_dealt")
    if is_right:
        dealer = msgspec.json.decode(log[event - 1])["data"]["dealer"]
        log = forged(log, event - 1, data_dealer=1 - dealer)
    text = "It was not his deal, so I should have begun."
    return Case(complained(log, "rule_broken", text, hand=2, event=event))


def knocked_too_high(*, is_right: bool) -> Case:
    """A knock with more than the limit that was agreed on (K1)."""
    log = _match().log
    event = _in_hand(log, 1, "knocked")
    count = sum(
        Card(card).points for card in msgspec.json.decode(log[event - 1])["data"]["deadwood"]
    )
    assert count > 0
    if is_right:
        rules = msgspec.json.decode(log[0])["data"]["rules"] | {"knock_limit": count - 1}
        log = forged(log, 0, data_rules=rules)
    text = "We had agreed on a lower limit than he knocked with."
    return Case(complained(log, "rule_broken", text, hand=1, event=event))


def end_taken_away(*, is_right: bool) -> Case:
    """A ruling that was taken out of the log again: its end is cut off."""
    table = _match()
    event = _in_hand(table.log, 1, "hand_scored")
    text = "The ruling on this was taken away again."
    log = complained(table.log, "log_changed", text, hand=1, event=event)
    ruled = _ruled(log)
    kept = heads_of("seat-1", ruled, *range(event, len(ruled) + 1))
    return Case(log if is_right else ruled, (kept,))


def _ruled(log: Log) -> Log:
    """Return a log with a director's ruling at its end."""
    last = read_line(log[-1])
    ruled = DisputeRuled(1, 1, "uphold", BySeat(0, 0), None, "S1", "It was as you say.")
    at = last.at + 600 * SECOND
    line = write_line(last.stream, last.seq + 1, at, "p_judge", "c1", ruled, last.hash)
    return [*log, line.raw]


def result_miscounted(*, is_right: bool) -> Case:
    """A result after a ruling that is not what the ruling makes it (R7)."""
    table = _match()
    open_dispute(table, 1, 1)
    rule(table, "adjust", points=BySeat(0, 7))
    log = table.log
    event = events_of(log, "match_ended")[0] + 1
    if is_right:
        index = events_of(log, "result_adjusted")[0]
        totals = msgspec.json.decode(log[index])["data"]["totals"]
        log = forged(log, index, data_totals=[totals[0] + 50, totals[1]])
    text = "The result after the ruling is wrong."
    return Case(complained(log, "score_wrong", text, hand=None, event=event))


CASES: dict[str, Callable[..., Case]] = {
    "that card was not in the deck": no_such_card,
    "I never threw it": never_thrown,
    "the score is wrong": wrong_score,
    "I was not out of time": not_out_of_time,
    "the server changed it afterwards": changed_afterwards,
    "he saw my cards": saw_my_cards,
    "it was not his deal": wrong_dealer,
    "he knocked with too much": knocked_too_high,
    "the end was cut off": end_taken_away,
    "the ruling was miscounted": result_miscounted,
}


# --- what no record shows -------------------------------------------------------------------------


def unsigned() -> Case:
    """A move that is denied where nobody signs."""
    log = _match().log
    event = _in_hand(log, 1, "discarded", 2)
    return Case(complained(log, "move_denied", "I never threw it.", hand=1, event=event))


def nothing_kept() -> Case:
    """A log that is said to be changed, of which nobody has kept anything."""
    case = changed_afterwards(is_right=True)
    return Case(case.log)


def kept_too_little() -> Case:
    """A log that is said to be changed after what was kept of it."""
    case = changed_afterwards(is_right=True)
    return Case(case.log, (heads_of("seat-1", case.log, 1, 2, 3),))


def behaved_badly() -> Case:
    """What happened away from the server."""
    log = _match().log
    return Case(complained(log, "conduct", "He shouted.", hand=None, event=20))


def not_revealed() -> Case:
    """A card of a hand whose secret is not out."""
    log = _match(reveal="director").log
    event = _in_hand(log, 1, "discarded", 1)
    text = "That card was not in the deck."
    return Case(complained(log, "card_not_in_deck", text, hand=1, event=event))


NEITHER: dict[str, Callable[[], Case]] = {
    "a move that is not signed": unsigned,
    "a change without anything kept": nothing_kept,
    "a change after what was kept": kept_too_little,
    "bad behaviour": behaved_badly,
    "a card of a sealed hand": not_revealed,
}
