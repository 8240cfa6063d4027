"""The rules' part of an audit: every event judged by deciding again what it answers.

    line -> wish_of -> the command -> decide -> the events that had to come -> compare -> evolve

Where an event is not what it had to be, the audit goes on with what the rules say, so that one
wrong score is one fault. Where nobody can say what had to come, it leaves out the rest of the
hand, and goes on from that hand's result as it is written.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from ginrummy.audit.actors import SERVER, actor
from ginrummy.audit.findings import Findings
from ginrummy.audit.report import CheckName
from ginrummy.audit.secrets import Reveals
from ginrummy.audit.unseen import (
    ImpossibleCardsError,
    deck_turning,
    laid_down,
    supposing,
    with_laid_off,
)
from ginrummy.audit.words import check_of, differences, doing, named, rule_of, who
from ginrummy.log.deck import Shuffle
from ginrummy.log.fold import Secrets, shuffle_for
from ginrummy.log.instants import Instant
from ginrummy.log.lines import Line
from ginrummy.rules.cards import Deck, cards_in, other, write_cards
from ginrummy.rules.commands import Command, Deal, Play
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Event,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
    NonceRevealed,
    SecretRevealed,
)
from ginrummy.rules.hand import Finished
from ginrummy.rules.match import (
    Clock,
    Dealing,
    Ended,
    Match,
    Playing,
    Score,
    decide,
    due,
    evolve,
    hands_dealt,
    with_deck,
)
from ginrummy.rules.scoring import end_match
from ginrummy.rules.wishes import wish_of

__all__ = ["Referee"]

_COUNTED: Mapping[type[Event], CheckName] = {
    NonceRevealed: "nonces",
    HandDealt: "dealing",
    HandScored: "scores",
    MatchEnded: "scores",
}
"""The checks that are counted by the events that call for them."""


class Referee:
    """A match as the rules want it, followed line by line."""

    def __init__(self, findings: Findings, stream: str, secrets: Secrets | None = None) -> None:
        """Start before the first line of a match, with the secrets of some hands or without."""
        self.match: Match | None = None
        self.reveals = Reveals(findings)
        self.hidden: tuple[int, int] | None = None
        """The first and the last hand whose deck is not known; None where all are."""
        self._findings = findings
        self._stream = stream
        self._secrets = secrets
        self._at: Instant = 0
        self._deck: Deck | None = None
        # What still has to follow from an event that has happened, and that event.
        self._following: tuple[Event, ...] = ()
        self._cause: Line | None = None
        # Gin in a hand that is not known: what follows depends on what the opponent then shows.
        self._gin: tuple[Playing, Command] | None = None
        # From which event on nothing can be judged, and why.
        self._lost: tuple[int, str] | None = None
        self._banks_lost = False
        self._hand_unknown = False
        self._accused: set[tuple[str, str]] = set()
        self._judged = self._moves = self._known_moves = 0

    def judge(self, line: Line) -> None:
        """Judge the next event."""
        before, self._at = self._at, line.at
        if line.at < before:
            self._findings.fault("clocks", line.seq, "its time is before that of the event before")
            line = replace(line, at=before)
        if self._lost is not None:
            self._look_for_footing(line)
        elif self._following:
            self._judge_consequence(line)
        else:
            self._judge_cause(line)

    def miss(self, first: int, last: int, why: str) -> None:
        """Go on without the events from `first` to `last`, which cannot be known."""
        while first <= last:
            # What had to be there is taken to have been there.
            right = self._right_events()
            if not right:
                break
            self._take(right[0], self._at)
            self._following = right[1:]
            first += 1
        if first <= last:
            self._lose(last + 1, why)

    def finish(self, seq: int) -> None:
        """Say what can only be said at the end, which is after event `seq`."""
        counts = self._findings.counts
        counts["clocks"] = counts["actors"] = self._judged
        counts["moves"], counts["deck"] = self._moves, self._known_moves
        counts["end"] = int(isinstance(self.match, Ended))
        if self._lost is not None:
            self._findings.leave_out(self._lost[0], seq, self._lost[1])
        elif self._following:
            assert self._cause is not None
            self._findings.fault(
                "end",
                seq + 1,
                f"{named(self._following[0])} has to follow event {self._cause.seq} at once, and "
                "the log ends: its end was cut off",
            )

    def _right_events(self) -> tuple[Event, ...]:
        """Return what has to come next, whoever acts; nothing where that depends on a player."""
        if self._following or self._lost is not None:
            return () if self._gin is not None else self._following
        shuffled = self._shuffled()
        if shuffled is None or self.match is None or due(self.match) != "deal":
            return ()
        self._deck = shuffled.deck
        return decide(self.match, Deal(*shuffled), 0)

    # --- judging --------------------------------------------------------------------------------

    def _judge_cause(self, line: Line) -> None:
        """Judge an event that does not follow from the one before: somebody has decided it."""
        by = actor(self.match, line.event)
        if by is not None and line.by != by:
            self._accuse_actor(line, by)
        elif line.by == SERVER:
            self._check_append(line)
        self.reveals.check(line, self.match)
        if isinstance(line.event, MatchCreated):
            self._check_own_secrets(line.seq, line.event)
        self._judge_decision(line)

    def _judge_decision(self, line: Line) -> None:
        event, match = line.event, self.match
        if self._is_unknown_time_out(event):
            self._time_out(line)
            return
        if self._hand_unknown and isinstance(event, MatchEnded) and isinstance(match, Dealing):
            self._accept(line, (self._account(match, event),))
            return
        try:
            events = self._decide_again(line)
        except IllegalMoveError as refusal:
            self._refused(line, refusal)
            return
        except ImpossibleCardsError as error:
            message = f"{who(self.match, line.event)} cannot {doing(line.event)}: {error}"
            self._fault_and_lose(line, "moves", message, "T1")
            return
        self._cause, self._hand_unknown = line, False
        self._accept(line, events)

    def _judge_consequence(self, line: Line) -> None:
        """Judge an event that has to follow from the one before."""
        assert self._cause is not None
        if self._gin is not None and not self._see_hand_after_gin(line):
            return
        right = self._following[0]
        if type(line.event) is not type(right):
            self._findings.fault(
                check_of(right),
                line.seq,
                f"{named(right)} has to follow event {self._cause.seq} at once, and is missing",
                rule_of(right),
            )
            for event in self._following:
                self._take(event, line.at)
            self._following = ()
            self._judge_cause(line)
            return
        if line.by != SERVER:
            self._accuse_actor(line, SERVER)
        else:
            self._check_append(line)
        self._accept(line, self._following)

    def _accept(self, line: Line, right: tuple[Event, ...]) -> None:
        """Go on with what had to come first in `right`, whether or not it is what came."""
        found, first = line.event, right[0]
        if found != first:
            if type(found) is not type(first):
                self._fault_and_lose(line, check_of(found), f"{named(first)} had to come here", "")
                return
            message = f"{named(found)}: {differences(found, first)}"
            self._findings.fault(check_of(found), line.seq, message, rule_of(first))
        self._following = right[1:]
        self._judged += 1
        self._take(first, line.at)

    def _take(self, event: Event, at: Instant) -> None:
        match = evolve(self.match, event, at)
        counted = _COUNTED.get(type(event))
        if counted is not None:
            self._findings.counts[counted] += 1
        if isinstance(event, HandDealt):
            if self._deck is not None:
                match = with_deck(match, self._deck)
            else:
                first, _ = self.hidden or (event.hand, 0)
                self.hidden = first, event.hand
        self.match = match

    # --- deciding again -------------------------------------------------------------------------

    def _decide_again(self, line: Line) -> tuple[Event, ...]:
        """Return the events that had to come where this line's event came.

        Raises IllegalMoveError or ImpossibleCardsError where none such may come at all.
        """
        event, match = line.event, self.match
        if isinstance(event, HandDealt):
            return self._deal_again(event, line.at)
        if self._deck is None and isinstance(match, Playing):
            match = supposing(match, event)
        command = wish_of(match, event)
        if command is None:
            raise IllegalMoveError(Reason.WRONG_PHASE, rule_of(event), self._why_no_wish(event))
        events = decide(match, command, line.at)
        if isinstance(command, Play):
            self._moves += 1
            self._known_moves += self._deck is not None
        if self._deck is None and isinstance(event, Knocked) and event.gin:
            assert isinstance(match, Playing)
            self._gin = match, command
        return events

    def _deal_again(self, event: HandDealt, at: Instant) -> tuple[Event, ...]:
        match = self.match
        self._deck = None
        shuffled = self._shuffled()
        if shuffled is None:
            return decide(match, Deal(deck_turning(event.upcard), event.dealer), at)
        events = decide(match, Deal(*shuffled), at)
        self._deck = shuffled.deck
        return events

    def _shuffled(self) -> Shuffle | None:
        """Return the committed deck of the next hand, or None where it is not known."""
        match = self.match
        if self._secrets is None or not isinstance(match, Dealing):
            return None
        hand = hands_dealt(match) + 1
        if hand > match.terms.chain:
            return None
        return shuffle_for(match, self._stream, hand, self._secrets)

    def _check_own_secrets(self, seq: int, terms: MatchCreated) -> None:
        """Go on without an operator's secrets where they are not the committed ones."""
        secret = None if self._secrets is None else self._secrets.secret(0)
        if secret is not None and secret.hex() != terms.commitment:
            message = "the secrets that are kept beside the log are not those committed to"
            self._findings.fault("commitment", seq, message)
            self._secrets = None

    def _see_hand_after_gin(self, line: Line) -> bool:
        """Learn what follows from gin, now that the opponent's hand is on the table."""
        assert self._gin is not None
        assert self._cause is not None
        match, command = self._gin
        self._gin = None
        if not isinstance(line.event, LaidOff):
            message = f"laid_off has to follow event {self._cause.seq} at once, and is missing"
            self._fault_and_lose(line, "moves", message, "L2")
            return False
        try:
            known = with_laid_off(match, line.event)
        except ImpossibleCardsError as error:
            self._fault_and_lose(line, "moves", f"laid_off: {error}", "L2")
            return False
        self._following = decide(known, command, self._cause.at)[1:]
        return True

    def _why_no_wish(self, event: Event) -> str:
        match = self.match
        if isinstance(event, Knocked) and isinstance(match, Playing):
            laid = laid_down(event)
            stray = laid & ~match.hand.layout.hands[event.seat]
            if stray:
                return f"{write_cards(cards_in(stray))} is not in the hand"
            return f"{laid.bit_count()} cards are laid down"
        return "it follows from nothing"

    # --- refusals -------------------------------------------------------------------------------

    def _refused(self, line: Line, refusal: IllegalMoveError) -> None:
        """Note that the rules refuse an event, and go on as well as can be."""
        event, match = line.event, self.match
        if refusal.reason in (Reason.TIME_OVER, Reason.MATCH_PAUSED):
            self._too_late(line, refusal)
            return
        if isinstance(event, ClockExpired | MatchEnded) and isinstance(match, Playing):
            self._note_refusal(line, "clocks", refusal)
            self._time_out(line)
            return
        check = check_of(event, refusal)
        if refusal.reason is Reason.NOT_IN_HAND and self._deck is not None:
            check = "deck"
        self._note_refusal(line, check, refusal)
        match event:
            case NonceRevealed() if refusal.reason is Reason.NONCE_MISMATCH:
                # Which decks it makes nobody can say: they stay unknown.
                self._secrets, self._cause = None, line
                self._take(event, line.at)
            case SecretRevealed() | ClockPaused() | ClockResumed() if not isinstance(match, Ended):
                pass
            case _:
                why = f"after event {line.seq} nobody can say how the match stood"
                self._lose(line.seq + 1, "the match had ended" if isinstance(match, Ended) else why)

    def _note_refusal(self, line: Line, check: CheckName, refusal: IllegalMoveError) -> None:
        event = line.event
        message = f"{who(self.match, event)} may not {doing(event)}: {refusal.why}"
        self._findings.fault(check, line.seq, message, refusal.rule)

    def _too_late(self, line: Line, refusal: IllegalMoveError) -> None:
        """Note a decision that came when there was no time for it; judge it all the same."""
        match = self.match
        assert isinstance(match, Playing)
        self._note_refusal(line, "clocks", refusal)
        self.match = replace(match, clock=Clock(bank=None, since=line.at))
        self._banks_lost = True
        # If it is the time that is wrong, the next one need not be found to go back.
        self._at = 0
        self._judge_decision(line)

    def _is_unknown_time_out(self, event: Event) -> bool:
        """Say whether the match ends for a time that nobody can count any more."""
        return (
            self._banks_lost
            and isinstance(event, ClockExpired | MatchEnded)
            and isinstance(self.match, Playing)
            and self.match.terms.clock is not None
        )

    def _account(self, match: Dealing, event: MatchEnded) -> MatchEnded:
        """Return the match's account after a hand of which only the result is known."""
        score = match.score
        return end_match(
            match.terms.rules, event.reason, event.winner, score.points, score.hands_won
        )

    def _time_out(self, line: Line) -> None:
        """Go on from a time-out as it is written."""
        event, match = line.event, self.match
        assert isinstance(match, Playing)
        if isinstance(event, ClockExpired):
            score = match.score
            end = end_match(
                match.terms.rules, "clock", other(event.seat), score.points, score.hands_won
            )
            self._following = (end,)
        self._cause = line
        self._take(event, line.at)

    def _check_append(self, line: Line) -> None:
        """Check that a line of the server's was stored with the event that it is an answer to."""
        cause = self._cause
        if cause is None or not (line.cmd or self._following):
            return
        if line.cmd != cause.cmd:
            message = f"it comes with event {cause.seq}, but has another request id"
            self._findings.fault("actors", line.seq, message)
        elif line.at != cause.at:
            message = f"it comes with event {cause.seq}, but has another time"
            self._findings.fault("clocks", line.seq, message)
        else:
            return
        # If it was the cause that was changed, it need not be said again.
        self._cause = replace(cause, cmd=line.cmd, at=line.at)

    def _accuse_actor(self, line: Line, by: str) -> None:
        if (line.by, by) in self._accused:
            # Said once: whoever has one id wrong has it wrong in every move.
            return
        self._accused.add((line.by, by))
        message = f"{named(line.event)} is by {line.by}, but can only be by {by}"
        self._findings.fault("actors", line.seq, message)

    # --- losing one's footing, and finding it again ---------------------------------------------

    def _fault_and_lose(self, line: Line, check: CheckName, message: str, rule: str) -> None:
        self._findings.fault(check, line.seq, message, rule)
        self._lose(line.seq + 1, f"after event {line.seq} nobody can say how the match stood")

    def _lose(self, seq: int, why: str) -> None:
        self._following, self._gin, self._cause = (), None, None
        if self._lost is None:
            self._lost = seq, why

    def _look_for_footing(self, line: Line) -> None:
        """Go on from a hand's written result, or from the match's end."""
        assert self._lost is not None
        event, match = line.event, self.match
        self.reveals.check(line, None)
        if isinstance(event, HandDealt):
            self._findings.counts["dealing"] += 1
        if isinstance(match, Ended):
            self._check_after_end(line)
        elif match is not None and isinstance(event, MatchEnded):
            self.match = evolve(match, event, line.at)
        elif (
            isinstance(match, Playing)
            and isinstance(event, HandScored | HandVoided)
            and event.hand == match.hand.layout.dealt.number
        ):
            self.match = _after_hand(match, event, line.at)
            self._findings.leave_out(self._lost[0], line.seq, self._lost[1])
            self._lost, self._cause = None, line
            self._banks_lost = self._hand_unknown = True

    def _check_after_end(self, line: Line) -> None:
        if not isinstance(line.event, SecretRevealed) and not self._findings.failed("end"):
            message = f"{named(line.event)} comes after the match has ended"
            self._findings.fault("end", line.seq, message, "X1")


def _after_hand(match: Playing, result: HandScored | HandVoided, at: Instant) -> Dealing:
    """Return the match after a hand of which only the result is known."""
    score = match.score
    if isinstance(result, HandScored):
        winner = result.winner
        score = Score(
            points=score.points.put(winner, score.points[winner] + result.points),
            hands_won=score.hands_won.put(winner, score.hands_won[winner] + 1),
        )
    last = Finished(match.hand.layout, None, None, result)
    clock = Clock(bank=None, since=at)
    return Dealing(match.terms, match.seats, score, clock, last, match.revealed)
