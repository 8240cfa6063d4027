"""Disputes over a match: who may do what, and when (rules R4 to R6, R8, R9)."""

from typing import Any

import pytest
from msgspec.structs import replace
from support_disputes import (
    DAY,
    HANDS,
    JUDGE,
    SECOND_JUDGE,
    WHOLE,
    after,
    appealing,
    disputable,
    disputed,
    first_dispute,
    opening,
    ruling,
    to_40,
)
from support_knocks import dealer_wins
from support_rules import PLAYERS, SEATS, SECOND, START, begun, given_match

from ginrummy.rules import match as matches
from ginrummy.rules.cards import BySeat, Seat
from ginrummy.rules.citing import RULES
from ginrummy.rules.commands import Command, RevealSecret
from ginrummy.rules.disputes.commands import Appeal, OpenDispute, RuleOnDispute, TakeReplay
from ginrummy.rules.disputes.events import (
    LONGEST_TEXT,
    DisputeAppealed,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    HandPoints,
    HandReplayed,
    Ruling,
)
from ginrummy.rules.disputes.wishes import dispute_wish
from ginrummy.rules.errors import Reason
from ginrummy.rules.match.disputing import MOST_DISPUTES
from ginrummy.rules.wishes import same_wish

LATER = START + 3600 * SECOND
TOO_LATE = START + DAY * 1000 + 1
REPLAY = "m_" + "0" * 26


def taking(scored: HandPoints | None = None, dispute: int = 1, **fields: object) -> TakeReplay:
    """Return the server's wish to take a replay back."""
    wish = TakeReplay(dispute, 1, REPLAY, 70, "c0" * 32, "hands", scored)
    return replace(wish, **fields)


# --- opening ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", SEATS)
def test_each_player_can_dispute_a_hand(seat: Seat) -> None:
    """R4 the event says who, which hand and event, what that brought, why, and in what words."""
    given_match(to_40()).when(opening(seat)).then(
        DisputeOpened(
            dispute=1,
            seat=seat,
            hand=3,
            event=60,
            scored=HandPoints(0, 24),
            reason="score_wrong",
            text="It was 14, not 24.",
        )
    )


def test_the_match_as_a_whole_can_be_disputed() -> None:
    """R4 not everything that is claimed is about a hand."""
    wish = opening(hand=None, event=7, reason="conduct")
    given_match(to_40()).when(wish).then(
        DisputeOpened(1, 1, None, 7, None, "conduct", "It was 14, not 24.")
    )


def test_disputes_have_numbers_of_their_own_and_wait_for_a_ruling() -> None:
    over = after(to_40(), opening(1, 3), opening(0, 1), opening(1, 3, reason="cards_seen"))
    assert [each.number for each in over.disputes] == [1, 2, 3]
    assert {each.status for each in over.disputes} == {"open"}
    assert over.outcome == over.as_played


def test_nobody_else_can_dispute_a_match() -> None:
    """R4 only who has played it."""
    wish = replace(opening(), by="p_eve")
    given_match(to_40()).when(wish).refused(Reason.NOT_A_PARTICIPANT, "R4")


def test_a_match_is_disputed_when_it_is_over() -> None:
    """R4 before that the cards are not out, and what is recorded cannot be changed anyway."""
    given_match(dealer_wins(begun(disputable()))).when(opening()).refused(
        Reason.NOT_ALLOWED_NOW, "R4"
    )


def test_a_dispute_comes_within_the_time_that_the_terms_give() -> None:
    over = to_40()
    given_match(over).when(opening(), TOO_LATE - 1).then_ends_with(
        DisputeOpened(1, 1, 3, 60, HandPoints(0, 24), "score_wrong", "It was 14, not 24.")
    )
    given_match(over).when(opening(), TOO_LATE).refused(Reason.DISPUTE_WINDOW_OVER, "R4")


def test_a_match_whose_terms_give_no_time_cannot_be_disputed() -> None:
    never = to_40(replace(disputable(target=40), dispute_ms=0))
    given_match(never).when(opening()).refused(Reason.DISPUTE_WINDOW_OVER, "R4")


def test_the_time_begins_anew_when_the_secrets_come_out() -> None:
    """R4 that a card was not the deck's nobody can know before."""
    over = after(to_40(disputable(target=40, reveal="director")))
    out = after(over, RevealSecret(3, "c0" * 32), at=LATER)
    given_match(over).when(opening(), TOO_LATE).refused(Reason.DISPUTE_WINDOW_OVER, "R4")
    assert matches.decide(out, opening(), TOO_LATE)


def test_the_event_is_one_of_the_hand() -> None:
    for event in (40, 61):
        given_match(to_40()).when(opening(event=event)).refused(Reason.EVENT_ELSEWHERE, "R4")
    given_match(to_40()).when(opening(hand=None, event=0)).refused(Reason.EVENT_ELSEWHERE, "R4")


def test_a_hand_that_was_never_dealt_cannot_be_disputed() -> None:
    wish = replace(opening(), about=None)
    given_match(to_40()).when(wish).refused(Reason.NO_SUCH_HAND, "R4")


def test_one_claim_is_made_once_by_each_player() -> None:
    over = disputed()
    given_match(over).when(opening()).refused(Reason.DISPUTED_ALREADY, "R4")
    assert matches.decide(over, opening(0), START)
    assert matches.decide(over, opening(reason="other"), START)
    assert matches.decide(over, opening(hand=2), START)


def test_one_player_cannot_open_any_number_of_disputes() -> None:
    over = to_40()
    reasons = ("other", "conduct", "collusion", "cards_seen", "log_changed", "clock_wrong")
    many = [opening(1, hand, reason=reason) for hand in (1, 2, 3) for reason in reasons]
    for wish in many[:MOST_DISPUTES]:
        over = after(over, wish)
    given_match(over).when(many[MOST_DISPUTES]).refused(Reason.DISPUTED_ALREADY, "R4")
    assert matches.decide(over, opening(0), START)


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "\x1b[31m", "a\u202eb", "x" * 1001])
def test_a_text_can_be_printed_on_one_line(text: str) -> None:
    wishes: tuple[Command, ...] = (
        opening(text=text),
        replace(ruling("dismiss"), why=text),
        replace(appealing(), text=text),
    )
    states = (to_40(), disputed(), disputed(ruling("dismiss")))
    for state, wish in zip(states, wishes, strict=True):
        given_match(state).when(wish).refused(Reason.INVALID_TEXT, "")
    assert len("x" * 1001) == LONGEST_TEXT + 1


# --- ruling -------------------------------------------------------------------------------------


def test_a_director_rules_and_the_ruling_says_all() -> None:
    """R5, R6 which instance, what, on which rule it rests, and why."""
    given_match(disputed()).when(ruling("dismiss")).then(
        DisputeRuled(1, 1, "dismiss", BySeat(0, 0), None, "S1", "The log says so.")
    )
    over = disputed(ruling("dismiss"))
    (ruled,) = first_dispute(over).ruled
    assert (ruled.by, ruled.at, ruled.instance) == (JUDGE, START, 1)
    assert first_dispute(over).status == "ruled"


@pytest.mark.parametrize("player", PLAYERS)
def test_nobody_judges_their_own_match(player: str) -> None:
    """R5 be they a director or not."""
    given_match(disputed()).when(ruling("uphold", by=player)).refused(Reason.SELF_JUDGING, "R5")


def test_a_dispute_that_nobody_has_opened_is_not_ruled_on() -> None:
    for number in (0, 2, -1):
        given_match(disputed()).when(ruling("uphold", dispute=number)).refused(
            Reason.NO_SUCH_DISPUTE, ""
        )


def test_a_dispute_is_ruled_on_once_unless_there_is_an_appeal() -> None:
    again = ruling("uphold", by=SECOND_JUDGE)
    given_match(disputed(ruling("dismiss"))).when(again).refused(Reason.RULED_ALREADY, "R5")


def test_a_ruling_rests_on_a_rule_that_there_is() -> None:
    for number in ("", "S5", "s1", "Z1", "S1 "):
        given_match(disputed()).when(ruling("uphold", rule=number)).refused(Reason.NO_SUCH_RULE, "")
    for number in RULES:
        assert matches.decide(disputed(), ruling("uphold", rule=number), START)


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        ("adjust", {}),
        ("dismiss", {"points": BySeat(1, 0)}),
        ("forfeit", {"points": BySeat(1, 0), "seat": 0}),
        ("forfeit", {}),
        ("uphold", {"seat": 1}),
        ("adjust", {"points": BySeat(-49, 0)}),
    ],
)
def test_a_ruling_says_what_it_takes_and_nothing_else(
    what: Ruling,
    fields: dict[str, Any],
) -> None:
    """R6 points with adjust alone, which leaves nobody below 0, and a seat with forfeit alone."""
    given_match(disputed()).when(ruling(what, **fields)).refused(Reason.INVALID_RULING, "R6")


@pytest.mark.parametrize("what", ["void", "replay"])
def test_only_a_hand_can_be_void(what: Ruling) -> None:
    given_match(disputed(hand=None)).when(ruling(what)).refused(Reason.INVALID_RULING, "R6")


def test_a_hand_is_void_once() -> None:
    over = after(disputed(ruling("void")), opening(0))
    for what in ("void", "replay"):
        given_match(over).when(ruling(what, dispute=2)).refused(Reason.INVALID_RULING, "R6")
    assert matches.decide(over, ruling("uphold", dispute=2), START)


# --- appeals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", SEATS)
def test_each_player_can_appeal(seat: Seat) -> None:
    """R9 whoever opened it, and whatever was ruled."""
    over = disputed(ruling("dismiss"))
    given_match(over).when(appealing(seat)).then(DisputeAppealed(1, seat, "I do not agree."))
    assert first_dispute(after(over, appealing(seat))).status == "appealed"


def test_nobody_else_can_appeal() -> None:
    given_match(disputed(ruling("dismiss"))).when(replace(appealing(), by="p_eve")).refused(
        Reason.NOT_A_PARTICIPANT, "R4"
    )


def test_there_is_no_appeal_before_a_ruling() -> None:
    given_match(disputed()).when(appealing()).refused(Reason.NOT_RULED_YET, "R9")


def test_a_ruling_is_appealed_once() -> None:
    over = disputed(ruling("dismiss"), appealing(0))
    given_match(over).when(appealing(1)).refused(Reason.APPEALED_ALREADY, "R9")
    closed = after(over, ruling("uphold", by=SECOND_JUDGE))
    assert first_dispute(closed).status == "closed"
    given_match(closed).when(appealing(1)).refused(Reason.APPEALED_ALREADY, "R9")
    given_match(closed).when(ruling("void", by="p_third")).refused(Reason.RULED_ALREADY, "R5")


def test_an_appeal_comes_within_the_same_time_after_the_ruling() -> None:
    over = after(disputed(), ruling("dismiss"), at=LATER)
    end = LATER + DAY * 1000
    assert matches.decide(over, appealing(), end)
    given_match(over).when(appealing(), end + 1).refused(Reason.DISPUTE_WINDOW_OVER, "R4")


def test_the_time_to_appeal_begins_anew_when_a_replay_has_come_back() -> None:
    """R9 what came of the ruling is known only then."""
    over = after(disputed(ruling("replay")), taking(), at=LATER)
    assert matches.decide(over, appealing(), LATER + DAY * 1000)


def test_on_appeal_another_director_rules() -> None:
    """R9 the first one does not judge their own ruling."""
    over = disputed(ruling("dismiss"), appealing())
    given_match(over).when(ruling("uphold")).refused(Reason.SELF_JUDGING, "R9")
    given_match(over).when(ruling("uphold", by=SECOND_JUDGE)).then(
        DisputeRuled(1, 2, "uphold", BySeat(0, 0), None, "S1", "The log says so.")
    )


# --- replays ------------------------------------------------------------------------------------


def test_a_hand_that_is_played_again_comes_back_once() -> None:
    """R8 where a ruling waits for it."""
    over = disputed(ruling("replay"))
    assert first_dispute(over).awaits_replay
    won = HandPoints(1, 20)
    events = matches.decide(over, taking(won), START)
    assert events[0] == HandReplayed(1, 1, REPLAY, 70, "c0" * 32, "hands", won)
    back = after(over, taking(won))
    assert not first_dispute(back).awaits_replay
    given_match(back).when(taking(won)).refused(Reason.NOT_ALLOWED_NOW, "")


def test_no_replay_comes_back_that_no_ruling_waits_for() -> None:
    for over in (
        disputed(),
        disputed(ruling("void")),
        disputed(ruling("replay"), appealing(), ruling("void", by=SECOND_JUDGE)),
    ):
        given_match(over).when(taking()).refused(Reason.NOT_ALLOWED_NOW, "")
    given_match(disputed(ruling("replay"))).when(taking(instance=2)).refused(
        Reason.NOT_ALLOWED_NOW, ""
    )


# --- what was asked for -------------------------------------------------------------------------


def test_every_event_tells_what_was_asked_for() -> None:
    """An audit decides it again, and a repeated request is recognised."""
    over = to_40()
    wishes: tuple[OpenDispute | Appeal | RuleOnDispute | TakeReplay, ...] = (
        opening(),
        ruling("adjust", points=BySeat(-10, 0)),
        appealing(),
        ruling("replay", by=SECOND_JUDGE),
        taking(HandPoints(1, 31), instance=2),
    )
    for wish in wishes:
        first = matches.decide(over, wish, START)[0]
        by = getattr(wish, "by", "server")
        assert isinstance(first, DisputeEvent)
        assert dispute_wish(first, by, HANDS[3]) == wish
        assert same_wish(wish, over, first)
        for another in wishes:
            assert same_wish(another, over, first) == (another == wish)
        over = after(over, wish)
    assert not same_wish(
        opening(text="Another."), to_40(), matches.decide(to_40(), wishes[0], START)[0]
    )
    assert not same_wish(
        replace(opening(), about=WHOLE), to_40(), matches.decide(to_40(), opening(), START)[0]
    )
