"""What players of gin rummy argue about, and what our rules say of it (cases B1 to B10)."""

import json
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from support_golden import golden_log
from support_knocks import DEFENDER, KNOCKER, dealer_wins
from support_logs import played
from support_rules import begun, opened, stack

from ginrummy.audit.audit import audit
from ginrummy.log.fold import Fold
from ginrummy.log.lines import read_line
from ginrummy.replay.script import Answer, Played, Refused, Result, play_script
from ginrummy.rules.cards import BySeat, Deck, other, write_cards
from ginrummy.rules.errors import Reason
from ginrummy.rules.events import HandDealt, HandScored, HandVoided, MatchCreated
from ginrummy.rules.match import Dealing, Ended, Playing
from ginrummy.rules.ruleset import PRESETS, NextDealer

Move = dict[str, object]


def move(seat: int, do: str, **fields: object) -> Move:
    return {"seat": seat, "do": do, **fields}


TO_THE_DRAW = (move(1, "pass"), move(0, "pass"), move(1, "draw"))
AUTO = move(0, "lay_off", auto=True)


def answer(deck: Deck, *moves: Move, rules: object = "standard") -> Answer:
    """Return what comes of moves in a hand that seat 0 deals."""
    script = {"rules": rules, "deck": write_cards(deck), "dealer": 0, "moves": moves}
    return play_script(json.dumps(script))


def scored(kind: str, winner: int, points: int, deadwood: tuple[int, int]) -> Played:
    return Played(Result(kind, winner, points, BySeat(*deadwood)))  # type: ignore[arg-type]  # of its words


# --- between two hands ----------------------------------------------------------------------------


POLICIES: tuple[NextDealer, ...] = ("alternate", "loser", "winner")


@pytest.mark.parametrize("policy", POLICIES)
def test_b1_one_setting_says_who_deals_next_and_a_dead_hand_changes_nothing(
    policy: NextDealer,
) -> None:
    """D3, T3 the dealer stands in each deal, and a replay reads it there."""
    seeds = (played(seed, hands=3, next_dealer=policy, stock_floor=20) for seed in range(100))
    table = next(each for each in seeds if {"hand_voided", "hand_scored"} <= _types(each.log))
    dealers: list[int] = []
    before: HandScored | HandVoided | None = None
    for line in table.lines:
        match line.event:
            case HandDealt(dealer=dealer):
                if isinstance(before, HandVoided):
                    assert dealer == dealers[-1]
                elif before is not None:
                    last, won = dealers[-1], before.winner
                    right = {"alternate": 1 - last, "loser": other(won), "winner": won}
                    assert dealer == right[policy]
                dealers.append(dealer)
            case HandScored() | HandVoided() as before:
                pass
            case _:
                pass
    # Read by other rules, an old log has the dealers that it had.
    fold, read = Fold(), []
    for line in table.lines:
        event = line.event
        if isinstance(event, MatchCreated):
            another = next(each for each in POLICIES if each != policy)
            event = replace(event, rules=replace(event.rules, next_dealer=another))
        match_ = fold.add(replace(line, event=event))
        if isinstance(event, HandDealt) and isinstance(match_, Playing):
            read.append(match_.hand.layout.dealt.dealer)
    assert read == dealers


def _types(log: list[bytes]) -> set[str]:
    return {read_line(raw).type for raw in log}


def test_b3_an_old_match_keeps_the_bonuses_that_it_was_made_with() -> None:
    """A match has the values of all rules, not a preset's name."""
    log = golden_log("standard")
    before = audit(log).outcome
    others = {
        name: replace(rules, gin_bonus=20, undercut_bonus=10, box_bonus=20)
        for name, rules in PRESETS.items()
    }
    with patch.dict("ginrummy.rules.ruleset.PRESETS", others):
        report = audit(log)
    assert (report.clean, report.outcome) == (True, before)


def test_b4_boxes_do_not_count_toward_the_target() -> None:
    """X1, X2 three hands of 24 are 72 points, and the match goes on."""
    match = begun(opened(next_dealer="winner", target=100))
    for _ in range(3):
        match = dealer_wins(match)
    assert isinstance(match, Dealing)
    assert match.score.points == BySeat(72, 0)
    for _ in range(2):
        match = dealer_wins(match)
    assert isinstance(match, Ended)
    assert (match.outcome.points, match.outcome.hands_won) == (BySeat(120, 0), BySeat(5, 0))
    assert match.outcome.box_bonus == BySeat(5 * 25, 0)


# --- knocks ---------------------------------------------------------------------------------------

KNOCKER_7 = "3S 4S 5S 7H 8H 9H QS QH QD 7C"
DEFENDER_7 = "KC KD KS 2D 3D 4D JC JD JS 7D"


def test_b2_a_tie_is_an_undercut() -> None:
    """S2 seven against seven: the defender scores the bonus and nothing more."""
    deck = stack(KNOCKER_7, DEFENDER_7, upcard="AC", stock="KH")
    found = answer(deck, *TO_THE_DRAW, move(1, "knock", card="KH"), AUTO)
    assert found == scored("undercut", 0, 25, (7, 7))


def test_b5_one_may_knock_on_the_first_turn_but_not_before_drawing() -> None:
    """K1 the upcard's taker included; T1 a draw comes first."""
    hand = "3S 4S 5S 7H 8H 9H QS QH 9C KD"
    deck = stack(hand, "KC KS KH 2D 3D 4D JC JD JS 7D", upcard="QD")
    found = answer(deck, move(1, "take"), move(1, "knock", card="KD"), AUTO)
    assert isinstance(found, Played)
    assert found.result.deadwood == BySeat(7, 9)
    assert answer(deck, move(1, "knock", card="KD")) == Refused(0, Reason.WRONG_PHASE, "D2")


# --- laying off -----------------------------------------------------------------------------------

KNOCKED = (*TO_THE_DRAW, move(1, "knock", card="KH"))
DECK = stack(KNOCKER, DEFENDER, upcard="JC", stock="KH")


def test_b6_nobody_has_to_lay_off() -> None:
    """L4 a choice that is not the best is binding, with cards that fit kept."""
    done = move(0, "lay_off", melds=[], layoffs=[])
    assert answer(DECK, *KNOCKED, done) == scored("knock", 1, 76 - 2, (76, 2))
    best = answer(DECK, *KNOCKED, AUTO)
    assert isinstance(best, Played)
    assert best.result.points < 74


def test_b7_the_knocker_never_lays_off() -> None:
    """L3 neither while the defender may nor after it."""
    own = move(1, "lay_off", melds=[], layoffs=[{"card": "2C", "meld": 0}])
    first = answer(DECK, *KNOCKED, own)
    assert isinstance(first, Refused)
    assert (first.move, first.reason) == (4, Reason.NOT_YOUR_TURN)
    after = answer(DECK, *KNOCKED, AUTO, own)
    assert isinstance(after, Refused)
    assert (after.move, after.reason) == (5, Reason.HAND_OVER)


def test_b8_after_gin_the_opponents_own_melds_still_count() -> None:
    """L2, S3 42 points are left, and the hand is over without a lay-off."""
    gin = "AS 2S 3S 4S 6H 7H 8H JC JD JS"
    against = "QC QD QH 5S 5H 8C 9C 2D 3D KS"
    deck = stack(gin, against, upcard="TD", stock="KH")
    found = answer(deck, *TO_THE_DRAW, move(1, "knock", card="KH"))
    assert found == scored("gin", 1, 42 + 25, (42, 0))


# --- the card that was just taken -----------------------------------------------------------------


def test_b9_a_taken_card_does_not_go_back_in_the_same_turn() -> None:
    """T2 where the ruleset says so: with a reason of its own, and for a knock as well."""
    hand, dealers = "AS 2S 4H 6H 8H 9D JD 3C 5C 7C", "AD 3D 5D 7D TD 2C 4C 6C 8C QC"
    deck = stack(hand, dealers, upcard="KS", stock="QS QH KH")
    back = answer(deck, move(1, "take"), move(1, "discard", card="KS"), rules="classic")
    assert back == Refused(1, Reason.RETURNS_TAKEN_CARD, "T2")
    later = (
        *(move(1, "take"), move(1, "discard", card="9D")),
        *(move(0, "draw"), move(0, "discard", card="QS")),
        *(move(1, "draw"), move(1, "discard", card="KS")),
    )
    assert isinstance(answer(deck, *later, rules="classic"), Played)
    assert isinstance(answer(deck, *later[:1], move(1, "discard", card="KS")), Played)
    knocker = stack(KNOCKER, dealers.replace("2C", "KC"), upcard="KS")
    knock = answer(knocker, move(1, "take"), move(1, "knock", card="KS"), rules="classic")
    assert knock == Refused(1, Reason.RETURNS_TAKEN_CARD, "T2")


# --- Oklahoma -------------------------------------------------------------------------------------

DOUBLED = {"preset": "oklahoma", "spades_double": True}
KNOCKER_6 = "3S 4S 5S 7H 8H 9H QS QH QD 6C"


def test_b10_a_spade_doubles_the_hand_and_its_bonus() -> None:
    """K6 whether or not somebody takes it; boxes and the game bonus stay as they are."""
    knock = (*TO_THE_DRAW, move(1, "knock", card="8C"), AUTO)
    deck = stack(KNOCKER_6, "KC KD KS KH 2D 3D 4D JC TD 4C", upcard="6S", stock="8C")
    assert answer(deck, *knock, rules=DOUBLED) == scored("knock", 1, 2 * 18, (24, 6))
    tie = stack(KNOCKER_6, "KC KD KS 2D 3D 4D JC JD JS 6D", upcard="6S", stock="8C")
    assert answer(tie, *knock, rules=DOUBLED) == scored("undercut", 0, 2 * 25, (6, 6))
    taker = "AH 4S 5S 7H 8H 9H QS QH QD KC"
    taken = stack(taker, "KD KS KH 2D 3D 4D JC TD 4C 9C", upcard="6S")
    found = answer(taken, move(1, "take"), move(1, "knock", card="KC"), AUTO, rules=DOUBLED)
    assert found == scored("knock", 1, 2 * 32, (33, 1))
    plain = answer(taken, move(1, "take"), move(1, "knock", card="KC"), AUTO, rules="oklahoma")
    assert plain == scored("knock", 1, 32, (33, 1))
