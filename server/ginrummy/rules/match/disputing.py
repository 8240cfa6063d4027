"""What may be decided in a dispute over a match that has ended, and what it makes of the match.

Where a ruling or a replay changes the result, the event that says so comes with it, at once. The
account is worked out anew each time, from what was played and from all rulings that stand, so that
a ruling on appeal takes the place of the first one without a trace of it in the numbers.
"""

import re
from typing import assert_never

from msgspec.structs import replace

from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.citing import RULES
from ginrummy.rules.disputes.accounts import adjusted_account, may_bring
from ginrummy.rules.disputes.commands import (
    Appeal,
    DisputeCommand,
    OpenDispute,
    RuleOnDispute,
    TakeReplay,
)
from ginrummy.rules.disputes.events import (
    LONGEST_TEXT,
    MOST_POINTS,
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    HandReplayed,
    ResultAdjusted,
)
from ginrummy.rules.disputes.states import Appealed, Dispute, Ruled
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import MatchEnded
from ginrummy.rules.hand import Finished
from ginrummy.rules.match.refusing import not_now
from ginrummy.rules.match.states import (
    MS,
    Ended,
    Instant,
    Match,
    Score,
    hands_dealt,
    seat_of,
)

__all__ = [
    "MOST_DISPUTES",
    "decide_dispute",
    "dispute_of",
    "evolve_dispute",
    "is_text",
    "no_dispute",
]

MOST_DISPUTES = 16
"""Disputes that one seat may open over a match."""


def decide_dispute(match: Match, command: DisputeCommand, at: Instant) -> tuple[DisputeEvent, ...]:
    """Return the events that a dispute's command causes at the instant `at`.

    Raises IllegalMoveError where it is not allowed; nothing has changed then.
    """
    if not isinstance(match, Ended):
        raise IllegalMoveError(
            Reason.NOT_ALLOWED_NOW, "R4", "a match is disputed when it is over, not while it runs"
        )
    match command:
        case OpenDispute():
            return (_open(match, command, at),)
        case Appeal():
            return (_appeal(match, command, at),)
        case RuleOnDispute():
            event: DisputeRuled | HandReplayed = _rule(match, command)
        case TakeReplay():
            event = _take_replay(match, command)
        case _:
            assert_never(command)
    return event, *_adjusted(match, event, at, getattr(command, "by", ""))


def dispute_of(match: Ended, number: int) -> Dispute:
    """Return the dispute of that number. Raises IllegalMoveError where there is none."""
    if not 1 <= number <= len(match.disputes):
        raise no_dispute(number, len(match.disputes))
    return match.disputes[number - 1]


def no_dispute(number: int, last: int) -> IllegalMoveError:
    """Return the refusal of a dispute that there is not, `last` being the last one's number."""
    there = f"the last one is {last}" if last else "there is none"
    return IllegalMoveError(
        Reason.NO_SUCH_DISPUTE, "", f"there is no dispute {number} over this match: {there}"
    )


_unprintable = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
).search


def is_text(text: str) -> bool:
    """Say whether a text can be a claim or a reason.

    It is on one line and not too long, not all spaces, and has no control characters, nor any that
    turn the direction of reading.
    """
    return bool(text.strip(" ")) and len(text) <= LONGEST_TEXT and _unprintable(text) is None


# --- what may be decided ------------------------------------------------------------------------


def _open(match: Ended, wish: OpenDispute, at: Instant) -> DisputeOpened:
    seat, about = _participant(match, wish.by), wish.about
    if about is None:
        last = hands_dealt(match)
        there = f"the last one is {last}" if last else "none was dealt"
        raise IllegalMoveError(Reason.NO_SUCH_HAND, "R4", f"there is no such hand: {there}")
    _check_window(match, match.disputable_since, at, "the match has ended and its secrets are out")
    if not about.first <= wish.event <= about.last:
        of = "the match" if about.hand is None else f"hand {about.hand}"
        raise IllegalMoveError(
            Reason.EVENT_ELSEWHERE,
            "R4",
            f"event {wish.event} is not of {of}, which has the events {about.first} to"
            f" {about.last}",
        )
    own = [each for each in match.disputes if each.seat == seat]
    for each in own:
        if (each.hand, each.reason) == (about.hand, wish.reason):
            raise IllegalMoveError(
                Reason.DISPUTED_ALREADY,
                "R4",
                f"you have disputed this already, for the same reason: dispute {each.number}",
            )
    if len(own) == MOST_DISPUTES:
        raise IllegalMoveError(
            Reason.DISPUTED_ALREADY, "R4", f"you have opened {MOST_DISPUTES} disputes, the most"
        )
    _check_text(wish.text)
    return DisputeOpened(
        dispute=len(match.disputes) + 1,
        seat=seat,
        hand=about.hand,
        event=wish.event,
        scored=about.scored,
        reason=wish.reason,
        text=wish.text,
    )


def _appeal(match: Ended, wish: Appeal, at: Instant) -> DisputeAppealed:
    dispute, seat = dispute_of(match, wish.dispute), _participant(match, wish.by)
    if not dispute.ruled:
        raise IllegalMoveError(Reason.NOT_RULED_YET, "R9", "nobody has ruled on this dispute yet")
    if dispute.appealed is not None:
        raise IllegalMoveError(
            Reason.APPEALED_ALREADY, "R9", "a ruling is appealed once, and this one was"
        )
    _check_window(match, dispute.appealable_since, at, "the ruling")
    _check_text(wish.text)
    return DisputeAppealed(dispute.number, seat, wish.text)


def _rule(match: Ended, wish: RuleOnDispute) -> DisputeRuled:
    dispute = dispute_of(match, wish.dispute)
    if seat_of(match, wish.by) is not None:
        raise IllegalMoveError(
            Reason.SELF_JUDGING, "R5", "nobody rules on a dispute over a match of their own"
        )
    if not dispute.awaits_ruling:
        again = "and nobody has appealed" if dispute.appealed is None else "on appeal, for good"
        raise IllegalMoveError(
            Reason.RULED_ALREADY, "R5", f"this dispute has been ruled on, {again}"
        )
    if any(each.by == wish.by for each in dispute.ruled):
        raise IllegalMoveError(
            Reason.SELF_JUDGING, "R9", "on appeal another director rules than the first time"
        )
    if wish.rule not in RULES:
        raise IllegalMoveError(
            Reason.NO_SUCH_RULE, "", f"there is no rule {wish.rule!r}: a ruling names one, as S1"
        )
    _check_text(wish.why)
    _check_ruling(match, dispute, wish)
    return DisputeRuled(
        dispute=dispute.number,
        instance=2 if dispute.ruled else 1,
        ruling=wish.ruling,
        points=wish.points,
        seat=wish.seat,
        rule=wish.rule,
        why=wish.why,
    )


def _check_ruling(match: Ended, dispute: Dispute, wish: RuleOnDispute) -> None:
    """Refuse a ruling that says too little, too much, or nothing that could be carried out."""
    if (wish.ruling == "adjust") != (wish.points != BySeat(0, 0)):
        raise _invalid("adjust says what it adds to the points, and nothing else changes them")
    if max(map(abs, wish.points)) > MOST_POINTS:
        raise _invalid(f"a ruling adds {MOST_POINTS} points at most, or takes them off")
    if (wish.ruling == "forfeit") != (wish.seat is not None):
        raise _invalid("forfeit says which seat loses the match, and nothing else does")
    if wish.ruling not in ("void", "replay"):
        return
    if dispute.hand is None:
        raise _invalid(f"this dispute is about no hand, so there is none to {wish.ruling}")
    for each in match.disputes:
        if each.number != dispute.number and each.hand == dispute.hand and each.voids:
            raise _invalid(
                f"hand {dispute.hand} is void already, by the ruling on dispute {each.number}"
            )
    if wish.ruling == "replay" and None in match.seats:
        raise _invalid("a hand is played again by both players, and a seat was never taken")


def _take_replay(match: Ended, wish: TakeReplay) -> HandReplayed:
    dispute = dispute_of(match, wish.dispute)
    standing = dispute.standing
    if standing is None or not dispute.awaits_replay or standing.instance != wish.instance:
        raise not_now("no hand is being played again by that ruling, or it has come back")
    if not may_bring(match.terms.rules, wish.reason, wish.scored):
        raise IllegalMoveError(
            Reason.NOT_ALLOWED_NOW,
            "R8",
            f"a hand that is played again does not end by {wish.reason} and bring that",
        )
    return HandReplayed(
        dispute=wish.dispute,
        instance=wish.instance,
        match=wish.match,
        seq=wish.seq,
        hash=wish.hash,
        reason=wish.reason,
        scored=wish.scored,
    )


def _participant(match: Ended, player: str) -> Seat:
    seat = seat_of(match, player)
    if seat is None:
        raise IllegalMoveError(
            Reason.NOT_A_PARTICIPANT, "R4", "only who has played a match disputes it, or appeals"
        )
    return seat


def _check_window(match: Ended, since: Instant, at: Instant, what: str) -> None:
    window = match.terms.dispute_ms
    if not window:
        raise IllegalMoveError(
            Reason.DISPUTE_WINDOW_OVER, "R4", "by its terms this match cannot be disputed"
        )
    if at > since + window * MS:
        raise IllegalMoveError(
            Reason.DISPUTE_WINDOW_OVER,
            "R4",
            f"it is too late: that is done within {_spelled(window)} after {what}",
        )


def _spelled(milliseconds: int) -> str:
    for unit, size in (("hour", 3_600_000), ("minute", 60_000), ("second", 1000)):
        count, rest = divmod(milliseconds, size)
        if count and not rest:
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return f"{milliseconds} ms"


def _check_text(text: str) -> None:
    if not is_text(text):
        raise IllegalMoveError(
            Reason.INVALID_TEXT,
            "",
            f"a text has 1 to {LONGEST_TEXT} characters that can be printed",
        )


def _invalid(why: str) -> IllegalMoveError:
    return IllegalMoveError(Reason.INVALID_RULING, "R6", why)


# --- what follows -------------------------------------------------------------------------------


def _adjusted(
    match: Ended, event: DisputeRuled | HandReplayed, at: Instant, by: str
) -> tuple[ResultAdjusted, ...]:
    """Return what the result is after `event`, where that is another one than before."""
    after = evolve_dispute(match, event, at, by)
    account = adjusted_account(after.terms, after.as_played, _broken_off(after), after.disputes)
    if min(account.points) < 0:
        least = min(account.points)
        raise _invalid(f"nobody's points go below 0, and this would leave {least}")
    if account == match.outcome:
        return ()
    return (
        ResultAdjusted(
            dispute=event.dispute,
            reason=account.reason,
            winner=account.winner,
            points=account.points,
            hands_won=account.hands_won,
            game_bonus=account.game_bonus,
            box_bonus=account.box_bonus,
            doubled=account.doubled,
            totals=account.totals,
        ),
    )


def _broken_off(match: Ended) -> int | None:
    """Return the number of the hand that the match's end broke off, or None."""
    last = match.last
    return None if last is None or isinstance(last, Finished) else last.layout.dealt.number


def evolve_dispute(match: Ended, event: DisputeEvent, at: Instant, by: str) -> Ended:
    """Return the match after `event`, which `by` caused at the instant `at`; it trusts the event.

    Raises ValueError for an event about a dispute that there is not.
    """
    match event:
        case DisputeOpened():
            opened = Dispute(
                number=event.dispute,
                seat=event.seat,
                hand=event.hand,
                event=event.event,
                scored=event.scored,
                reason=event.reason,
                text=event.text,
                at=at,
            )
            if event.dispute != len(match.disputes) + 1:
                raise ValueError(f"dispute {event.dispute} comes after {len(match.disputes)}")
            return replace(match, disputes=(*match.disputes, opened))
        case DisputeAppealed(seat=seat, text=text):
            return _changed(match, event, appealed=Appealed(seat, text, at))
        case DisputeRuled():
            ruled = Ruled(
                instance=event.instance,
                ruling=event.ruling,
                points=event.points,
                seat=event.seat,
                rule=event.rule,
                why=event.why,
                by=by,
                at=at,
            )
            return _changed(match, event, ruled=(*_found(match, event).ruled, ruled))
        case HandReplayed():
            *before, last = _found(match, event).ruled or (None,)
            if last is None:
                raise ValueError(f"nothing is ruled in dispute {event.dispute}")
            return _changed(match, event, ruled=(*before, replace(last, replay=event, back_at=at)))
        case ResultAdjusted():
            account = MatchEnded(
                reason=event.reason,
                winner=event.winner,
                points=event.points,
                hands_won=event.hands_won,
                game_bonus=event.game_bonus,
                box_bonus=event.box_bonus,
                doubled=event.doubled,
                totals=event.totals,
            )
            score = Score(event.points, event.hands_won)
            return replace(match, outcome=account, score=score)
        case _:
            assert_never(event)


def _found(match: Ended, event: DisputeAppealed | DisputeRuled | HandReplayed) -> Dispute:
    if event.dispute > len(match.disputes):
        raise ValueError(f"there is no dispute {event.dispute}")
    return match.disputes[event.dispute - 1]


def _changed(
    match: Ended, event: DisputeAppealed | DisputeRuled | HandReplayed, **changes: object
) -> Ended:
    changed = replace(_found(match, event), **changes)
    place = event.dispute - 1
    disputes = (*match.disputes[:place], changed, *match.disputes[place + 1 :])
    return replace(match, disputes=disputes)
