"""Every reason for a refusal is reached by some wish, and says why to a person."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from support_disputes import appealing, disputed, opening, ruling, to_40
from support_knocks import FOR_24, KNOCK_DECK, TO_THE_DRAW, moved, non_dealer_wins, off
from support_rules import (
    PLAIN,
    START,
    begun,
    cards,
    carried_out,
    gathered,
    joining,
    nonce_of,
    opened,
    playing,
    stack,
    started,
)

from ginrummy.rules import match as matches
from ginrummy.rules.cards import Card
from ginrummy.rules.commands import (
    BigGin,
    Command,
    Deal,
    Discard,
    Draw,
    Knock,
    LayOff,
    Pass,
    Pause,
    Play,
    Resign,
    RevealNonce,
    Take,
)
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.match import Match

OVER = carried_out(playing(PLAIN), Play(0, Resign()))[1]
DRAWN = playing(KNOCK_DECK, *TO_THE_DRAW)
KNOCKED = moved(DRAWN, Knock(Card("KH")))
LONG_RUN = playing(stack("3S 4S 5S 6S 7S 8S QS QH QD AC", upcard="JC", stock="KH"), *TO_THE_DRAW)
DAYS = 86_400_000_000 * 2

REFUSED: Mapping[Reason, tuple[Match | None, Command]] = {
    Reason.NOT_YOUR_TURN: (playing(PLAIN), Play(0, Take())),
    Reason.WRONG_PHASE: (playing(PLAIN), Play(1, Draw())),
    Reason.UPCARD_PASSED: (playing(PLAIN, Pass(), Pass()), Play(1, Take())),
    Reason.NOT_IN_HAND: (DRAWN, Play(1, Discard(Card("KC")))),
    Reason.RETURNS_TAKEN_CARD: (
        playing(PLAIN, Take(), terms=opened("classic")),
        Play(1, Discard(Card("2C"))),
    ),
    Reason.NOT_A_MELD: (DRAWN, Play(1, Knock(Card("KH"), (cards("3S 4S QH"),)))),
    Reason.RUN_TOO_LONG: (
        LONG_RUN,
        Play(1, Knock(Card("KH"), (cards("3S 4S 5S 6S 7S 8S"), cards("QS QH QD")))),
    ),
    Reason.CARD_USED_TWICE: (DRAWN, Play(1, Knock(Card("3S"), (cards("3S 4S 5S"),)))),
    Reason.TOO_MUCH_DEADWOOD: (DRAWN, Play(1, Knock(Card("3S")))),
    Reason.GIN_ONLY: (
        playing(KNOCK_DECK, *TO_THE_DRAW, terms=opened("straight")),
        Play(1, Knock(Card("KH"))),
    ),
    Reason.NOT_GIN: (
        playing(KNOCK_DECK, *TO_THE_DRAW, terms=opened(big_gin=True)),
        Play(1, BigGin()),
    ),
    Reason.BIG_GIN_OFF: (DRAWN, Play(1, BigGin())),
    Reason.NO_SUCH_MELD: (KNOCKED, Play(0, LayOff((), off("6S3")))),
    Reason.DOES_NOT_FIT: (KNOCKED, Play(0, LayOff((), off("6S0")))),
    Reason.HAND_OVER: (non_dealer_wins(begun()), Play(0, Draw())),
    Reason.MATCH_NOT_STARTED: (begun(), Play(0, Draw())),
    Reason.MATCH_PAUSED: (carried_out(playing(PLAIN), Pause())[1], Play(1, Take())),
    Reason.TIME_OVER: (playing(PLAIN), Play(1, Take())),
    Reason.MATCH_OVER: (OVER, Play(1, Take())),
    Reason.SEAT_TAKEN: (gathered(None, *started()[:2]), joining(0, "p_eve")),
    Reason.ALREADY_SEATED: (gathered(None, *started()[:2]), joining(1, "p_ann")),
    Reason.NONCE_MISMATCH: (gathered(None, *started()[:3]), RevealNonce(0, nonce_of("p_eve"))),
    Reason.NOT_ALLOWED_NOW: (playing(PLAIN), Deal(FOR_24)),
    Reason.KEY_MISSING: (gathered(None, replace(opened(), signing="required")), joining(0)),
    Reason.SIGNING_OFF: (gathered(None, opened()), replace(joining(0), key="c0" * 32)),
    Reason.NOT_A_PARTICIPANT: (to_40(), replace(opening(), by="p_eve")),
    Reason.SELF_JUDGING: (disputed(), ruling("uphold", by="p_ann")),
    Reason.DISPUTE_WINDOW_OVER: (replace(to_40(), disputable_since=0), opening()),
    Reason.DISPUTED_ALREADY: (disputed(), opening()),
    Reason.EVENT_ELSEWHERE: (to_40(), opening(event=2)),
    Reason.NO_SUCH_HAND: (to_40(), replace(opening(), about=None)),
    Reason.NO_SUCH_DISPUTE: (to_40(), ruling("uphold")),
    Reason.NOT_RULED_YET: (disputed(), appealing()),
    Reason.RULED_ALREADY: (disputed(ruling("uphold")), ruling("void")),
    Reason.APPEALED_ALREADY: (disputed(ruling("uphold"), appealing()), appealing()),
    Reason.NO_SUCH_RULE: (disputed(), ruling("uphold", rule="Z1")),
    Reason.INVALID_RULING: (disputed(), ruling("adjust")),
    Reason.INVALID_TEXT: (to_40(), opening(text="")),
}
"""A match and a command that it refuses, for each reason."""


def test_there_is_a_wish_for_every_reason() -> None:
    """A reason that nothing reaches is no reason."""
    assert set(REFUSED) == set(Reason)


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.value)
def test_a_refusal_has_its_reason_and_says_why(reason: Reason) -> None:
    """A program reads the reason, a person the text, which ends with the rule's number."""
    match, command = REFUSED[reason]
    at = START + DAYS if reason is Reason.TIME_OVER else START
    with pytest.raises(IllegalMoveError) as refused:
        matches.decide(match, command, at)
    refusal = refused.value
    assert refusal.reason is reason
    assert len(refusal.why) > 10
    assert str(refusal) == (f"{refusal.why} ({refusal.rule})" if refusal.rule else refusal.why)


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.value)
def test_a_reason_is_written_as_it_is_named(reason: Reason) -> None:
    """The values are part of the API and never change."""
    assert reason.value == reason.name


def test_a_knock_broken_off_half_way_has_moved_nothing() -> None:
    """A meld that names a card not held is refused, and the same hand can discard."""
    with pytest.raises(IllegalMoveError):
        matches.decide(
            DRAWN, Play(1, Knock(Card("KH"), (cards("3S 4S 5S"), cards("QC QH QD")))), START
        )
    assert isinstance(DRAWN, matches.Playing)
    assert DRAWN.hand.layout.hands[1].bit_count() == 11
    assert isinstance(moved(DRAWN, Discard(Card("KH"))), matches.Playing)
