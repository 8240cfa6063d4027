"""The rules' part of an audit: every event compared with what had to come in its place.

Where an event is not what it had to be, the audit goes on with what the rules say, so that one
wrong score is one fault. Where nobody can say what had to come, it leaves out the rest of the
hand, and goes on from that hand's result as it is written.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from ginrummy.audit.actors import SERVER, actor
from ginrummy.audit.beginning import Beginning
from ginrummy.audit.course import Course
from ginrummy.audit.findings import Findings
from ginrummy.audit.report import CheckName
from ginrummy.audit.secrets import Reveals
from ginrummy.audit.unseen import ImpossibleCardsError
from ginrummy.audit.words import check_of, differences, doing, named, rule_of, told_of, who
from ginrummy.log.fold import Secrets
from ginrummy.log.lines import MatchLine
from ginrummy.log.record import Record
from ginrummy.rules.disputes.events import (
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    ClockExpired,
    ClockPaused,
    ClockResumed,
    Discarded,
    DiscardTaken,
    Event,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchCreated,
    MatchEnded,
    NonceRevealed,
    PlayerJoined,
    PositionRevealed,
    SecretRevealed,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.match import Dealing, Ended, Gathering, Playing, hands_dealt

if TYPE_CHECKING:
    from ginrummy.log.signatures import MoveEvent

__all__ = ["Referee"]

_MOVES = frozenset({UpcardPassed, StockDrawn, DiscardTaken, Discarded, Knocked, LaidOff})
"""What nearly all lines of a log are."""

_RECORDED = frozenset({HandDealt, HandScored, HandVoided, MatchEnded})
"""The events that say where a hand begins and ends."""

_COUNTED: Mapping[type[Event], CheckName] = {
    NonceRevealed: "nonces",
    HandDealt: "dealing",
    HandScored: "scores",
    MatchEnded: "scores",
    DisputeOpened: "disputes",
    DisputeRuled: "disputes",
    DisputeAppealed: "disputes",
    HandReplayed: "disputes",
    ResultAdjusted: "rulings",
}
"""The checks that are counted by the events that call for them."""


class Referee:
    """Follows a match line by line, and notes what is against the rules."""

    def __init__(
        self,
        findings: Findings,
        stream: str,
        secrets: Secrets | None = None,
        beginning: Beginning | None = None,
    ) -> None:
        """Start before the first line of a match, with the secrets of some hands or without."""
        self.course = Course(stream, secrets)
        self.beginning = beginning or Beginning(findings)
        self.reveals = Reveals(findings)
        self.record = Record()
        self._findings = findings
        self._secrets = secrets
        self._at = 0
        # What still has to follow from an event that has happened, and that event.
        self._following: tuple[Event, ...] = ()
        self._cause: MatchLine | None = None
        # From which event on nothing can be judged, and why.
        self._lost: tuple[int, str] | None = None
        self._banks_lost = False
        # The last hand's result is known only as it is written.
        self._hand_unknown = False
        # The request id and the time of a line that did not go with its cause.
        self._odd: tuple[str, int] | None = None
        self._accused: set[tuple[str, str]] = set()
        self._judged = self._moves = self._known_moves = 0

    def judge(self, line: MatchLine) -> None:
        """Judge the next event."""
        before, self._at = self._at, line.at
        if line.at < before:
            self._findings.fault("clocks", line.seq, "its time is before that of the event before")
            line = replace(line, at=before)
        if type(line.event) in _RECORDED:
            self.record.add(line.seq, line.event)
        if self._lost is not None:
            self._look_for_footing(line)
        elif self._following:
            self._judge_consequence(line)
        elif self._is_players_move(line):
            self._judge_move(line)
        else:
            self._judge_cause(line)

    def _is_players_move(self, line: MatchLine) -> bool:
        """Say whether a line is what nearly all are: a move of the hand, by whoever may make it."""
        match, event = self.course.match, line.event
        if type(event) not in _MOVES or type(match) is not Playing or match.copies:
            return False
        seated = match.seats[cast("MoveEvent", event).seat]
        return seated is not None and line.by == seated.player

    def miss(self, first: int, last: int, why: str) -> None:
        """Go on without the events from `first` to `last`, which cannot be known."""
        while first <= last and self._lost is None and not self.course.after_unknown_gin:
            # What had to be there is taken to have been there.
            right = self._following or self.course.right_deal()
            if not right:
                break
            self.course.take(right[0], self._at)
            self._following = right[1:]
            first += 1
        if first <= last:
            self._lose(last + 1, why)

    def finish(self, seq: int) -> None:
        """Say what can only be said at the end, which is after event `seq`."""
        counts = self._findings.counts
        counts["clocks"] = counts["actors"] = self._judged
        counts["moves"], counts["deck"] = self._moves, self._known_moves
        counts["end"] = int(isinstance(self.course.match, Ended))
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
        elif self._opening is not None:
            message = "a board is opened and dealt at once, and the log ends: its end was cut off"
            self._findings.fault("end", seq + 1, message)
        elif self._copying:
            message = "not all moves are taken over, and the log ends: its end was cut off"
            self._findings.fault("end", seq + 1, message)

    @property
    def _opening(self) -> type[Event] | None:
        """What has to come next in the append that opens a board; None where none is opened."""
        match = self.course.match
        if match is None or match.terms.board is None:
            return None
        if isinstance(match, Ended) or hands_dealt(match):
            return None
        return PlayerJoined if isinstance(match, Gathering) else HandDealt

    @property
    def _copying(self) -> bool:
        """Whether a fork is still taking moves over, in the append that deals its first hand."""
        match = self.course.match
        return isinstance(match, Playing) and match.copies > 0

    # --- judging --------------------------------------------------------------------------------

    def _judge_cause(self, line: MatchLine) -> None:
        """Judge an event that does not follow from the one before: somebody has decided it."""
        event, match = line.event, self.course.match
        opening = self._opening
        if opening is not None and type(event) is not opening:
            message = f"a board is opened, seated and dealt at once, and {named(event)} comes"
            self._fault_and_lose(line, check_of(event), message, "")
            return
        if self._copying and type(event) not in _MOVES:
            message = f"the moves that are taken over follow the deal at once, not {named(event)}"
            self._fault_and_lose(line, check_of(event), message, "")
            return
        by = actor(match, event)
        if by is not None and line.by != by:
            self._accuse_actor(line, by)
        elif line.by == SERVER:
            self._check_append(line)
        self.beginning.check(line, match)
        if type(event) in _MOVES:
            self._judge_move(line)
            return
        self.reveals.check(line, match)
        if isinstance(event, MatchCreated):
            self._check_own_secrets(line.seq, event)
        if isinstance(event, DisputeEvent):
            self._judge_dispute(line, event)
        elif isinstance(event, MatchEnded) and self._hand_unknown and isinstance(match, Dealing):
            self._accept(line, (self.course.right_account(event),))
        elif self._banks_lost and _ends_on_time(event) and isinstance(match, Playing):
            self._time_out(line)
        else:
            self._judge_decision(line)

    def _judge_move(self, line: MatchLine) -> None:
        self._moves += 1
        self._known_moves += self.course.deck is not None
        self._judge_decision(line)

    def _judge_decision(self, line: MatchLine, *, timely: bool = False) -> None:
        try:
            right = self.course.right_events(line.event, line.at)
        except IllegalMoveError as refusal:
            if timely and refusal.reason is Reason.TIME_OVER:
                # Terms that leave less than no time at all: it is said already.
                self._lose(line.seq + 1, _nobody_knows(line))
            else:
                self._refused(line, refusal)
        except ImpossibleCardsError as error:
            message = f"{who(self.course.match, line.event)} cannot {doing(line.event)}: {error}"
            self._fault_and_lose(line, "moves", message, rule_of(line.event))
        else:
            self._cause, self._hand_unknown = line, False
            self._accept(line, right)

    def _judge_dispute(self, line: MatchLine, event: DisputeEvent) -> None:
        """Judge what comes after the end: a dispute, a ruling, or what a replay brought."""
        about = self.record.about(event.hand) if isinstance(event, DisputeOpened) else None
        try:
            right = self.course.right_in_dispute(event, line.by, about, line.at)
        except IllegalMoveError as refusal:
            message = f"{named(event)} may not come here: {told_of(refusal.why)}"
            self._fault_and_lose(line, check_of(event), message, refusal.rule)
        else:
            self._cause = line
            self._accept(line, right)

    def _judge_consequence(self, line: MatchLine) -> None:
        """Judge an event that has to follow from the one before."""
        assert self._cause is not None
        if self.course.after_unknown_gin and not self._see_hand_after_gin(line):
            return
        right = self._following[0]
        if type(line.event) is not type(right):
            message = (
                f"{named(right)} has to follow event {self._cause.seq} at once, and is missing"
            )
            self._findings.fault(check_of(right), line.seq, message, rule_of(right))
            for event in self._following:
                self.course.take(event, line.at)
            self._following = ()
            self._judge_cause(line)
            return
        if line.by != SERVER:
            self._accuse_actor(line, SERVER)
        else:
            self._check_append(line)
        self._accept(line, self._following)

    def _accept(self, line: MatchLine, right: tuple[Event, ...]) -> None:
        """Go on with what had to come first in `right`, whether or not it is what came."""
        found, first = line.event, right[0]
        if found != first:
            if type(found) is not type(first):
                self._fault_and_lose(line, check_of(found), f"{named(first)} had to come here", "")
                return
            message = f"{named(found)}: {differences(found, first)}"
            self._findings.fault(check_of(found), line.seq, message, rule_of(first, found))
        if type(first) in _COUNTED:
            self._findings.counts[_COUNTED[type(first)]] += 1
        self._judged += 1
        self._following = right[1:]
        self.course.take(first, line.at, line.by)

    def _see_hand_after_gin(self, line: MatchLine) -> bool:
        """Learn what has to follow from gin in a hand that is not known; say whether one can."""
        assert self._cause is not None
        message = f"laid_off has to follow event {self._cause.seq} at once, and is missing"
        if isinstance(line.event, LaidOff):
            try:
                self._following = self.course.right_after_gin(line.event, self._cause.at)
            except ImpossibleCardsError as error:
                message = f"{who(self.course.match, line.event)} cannot have held this: {error}"
            else:
                return True
        self._fault_and_lose(line, "moves", message, "L2")
        return False

    def _check_own_secrets(self, seq: int, terms: MatchCreated) -> None:
        """Go on without an operator's secrets where they are not the committed ones."""
        secret = None if self._secrets is None else self._secrets.secret(0)
        if secret is not None and secret.hex() != terms.commitment:
            message = "the secrets that are kept beside the log are not those committed to"
            self._findings.fault("commitment", seq, message)
            self.course.lose_decks()
        position = None if self._secrets is None else self._secrets.position
        committed = None if terms.origin is None else terms.origin.position
        if position is not None and position.commitment != committed:
            message = "the position that is kept beside the log is not the one committed to"
            self._findings.fault("position", seq, message)
            self.course.lose_decks()

    # --- who acted ------------------------------------------------------------------------------

    def _check_append(self, line: MatchLine) -> None:
        """Check that a line of the server's was stored with the event that it is an answer to."""
        cause = self._cause
        if cause is None or not (line.cmd or self._following or self._opening or self._copying):
            return
        stored_with = (cause.cmd, cause.at), self._odd
        if (line.cmd, line.at) in stored_with:
            return
        # If it is the cause that was changed, that need not be said again.
        self._odd = line.cmd, line.at
        if line.cmd != cause.cmd:
            message = f"it comes with event {cause.seq}, but has another request id"
            self._findings.fault("actors", line.seq, message)
        else:
            message = f"it comes with event {cause.seq}, but has another time"
            self._findings.fault("clocks", line.seq, message)

    def _accuse_actor(self, line: MatchLine, by: str) -> None:
        if (line.by, by) in self._accused:
            # Said once: whoever has one id wrong has it wrong in every move.
            return
        self._accused.add((line.by, by))
        message = f"{named(line.event)} is by {line.by}, but can only be by {by}"
        self._findings.fault("actors", line.seq, message)

    # --- refusals -------------------------------------------------------------------------------

    def _refused(self, line: MatchLine, refusal: IllegalMoveError) -> None:
        """Note that the rules refuse an event, and go on as well as can be."""
        event, match = line.event, self.course.match
        check = check_of(event, refusal)
        if refusal.reason is Reason.NOT_IN_HAND and self.course.deck is not None:
            check = "deck"
        message = f"{who(match, event)} may not {doing(event)}: {told_of(refusal.why)}"
        self._findings.fault(check, line.seq, message, refusal.rule)
        if refusal.reason in (Reason.TIME_OVER, Reason.MATCH_PAUSED):
            self._banks_lost = True
            # If it is the time that is wrong, the next one need not be found to go back.
            self._at = 0
            self.course.lose_clocks(line.at)
            self._judge_decision(line, timely=True)
        elif _ends_on_time(event) and isinstance(match, Playing):
            self._time_out(line)
        elif refusal.reason is Reason.NONCE_MISMATCH:
            # Which decks it makes nobody can say.
            self.course.lose_decks()
            self.course.take(event, line.at)
            self._cause = line
        elif isinstance(match, Ended):
            self._lose(line.seq + 1, "the match had ended")
        elif not isinstance(event, SecretRevealed | ClockPaused | ClockResumed):
            self._lose(line.seq + 1, _nobody_knows(line))

    def _time_out(self, line: MatchLine) -> None:
        """Go on from a time-out as it is written."""
        self._cause, self._following = line, ()
        if isinstance(line.event, ClockExpired):
            self._following = (self.course.right_end_on_time(line.event),)
        self.course.take(line.event, line.at)

    # --- losing one's footing, and finding it again ---------------------------------------------

    def _fault_and_lose(self, line: MatchLine, check: CheckName, message: str, rule: str) -> None:
        self._findings.fault(check, line.seq, message, rule)
        self._lose(line.seq + 1, _nobody_knows(line))

    def _lose(self, seq: int, why: str) -> None:
        self._following, self._cause = (), None
        self.course.lose_hand()
        if self._lost is None:
            self._lost = seq, why

    def _look_for_footing(self, line: MatchLine) -> None:
        """Go on from a hand's written result, or from the match's end."""
        assert self._lost is not None
        event, match = line.event, self.course.match
        self.reveals.check(line, None)
        self.beginning.check(line, None)
        if isinstance(event, HandDealt):
            self._findings.counts["dealing"] += 1
        if isinstance(match, Ended):
            self._check_after_end(line)
        elif match is not None and isinstance(event, MatchEnded):
            self.course.take(event, line.at)
        elif (
            isinstance(match, Playing)
            and isinstance(event, HandScored | HandVoided)
            and event.hand == match.hand.layout.dealt.number
        ):
            self.course.take_result(event, line.at)
            self._findings.leave_out(self._lost[0], line.seq, self._lost[1])
            self._lost, self._cause = None, line
            self._banks_lost = self._hand_unknown = True

    def _check_after_end(self, line: MatchLine) -> None:
        later = isinstance(line.event, SecretRevealed | PositionRevealed | DisputeEvent)
        if not later and not self._findings.failed("end"):
            message = f"{named(line.event)} comes after the match has ended"
            self._findings.fault("end", line.seq, message, "X1")


def _ends_on_time(event: Event) -> bool:
    """Say whether a match ends by this event because somebody's time is over."""
    if isinstance(event, MatchEnded):
        return event.reason == "abandoned"
    return isinstance(event, ClockExpired)


def _nobody_knows(line: MatchLine) -> str:
    return f"after event {line.seq} nobody can say how the match stood"
