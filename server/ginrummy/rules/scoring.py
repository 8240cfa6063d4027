"""What a hand and a match are worth (rules S1 to S4, X1, X2)."""

from ginrummy.rules.cards import BySeat, Card, Seat, other, points
from ginrummy.rules.cards import card_set as cards_of
from ginrummy.rules.events import EndReason, HandKind, HandScored, Knocked, MatchEnded
from ginrummy.rules.ruleset import Ruleset

__all__ = ["end_match", "score_hand"]

_SPADES = 0


def score_hand(
    rules: Ruleset, hand: int, upcard: Card, knocked: Knocked, opponent_deadwood: int
) -> HandScored:
    """Return the score of a hand that ended with `knocked`.

    `opponent_deadwood` is the opponent's final count in points, after any lay-offs. Gin is never
    undercut (S3); an equal count is an undercut (S2).
    """
    knocker = knocked.seat
    own = points(cards_of(knocked.deadwood))
    kind: HandKind
    if knocked.gin:
        kind, winner = ("big_gin" if sum(map(len, knocked.melds)) == 11 else "gin"), knocker
        bonus = rules.big_gin_bonus if kind == "big_gin" else rules.gin_bonus
    elif opponent_deadwood > own:
        kind, winner, bonus = "knock", knocker, 0
    else:
        kind, winner, bonus = "undercut", other(knocker), rules.undercut_bonus
    difference = abs(opponent_deadwood - own)
    doubled = rules.spades_double and upcard.suit == _SPADES
    return HandScored(
        hand=hand,
        kind=kind,
        winner=winner,
        points=(difference + bonus) * (2 if doubled else 1),
        deadwood=BySeat(own, opponent_deadwood) if knocker == 0 else BySeat(opponent_deadwood, own),
        difference=difference,
        bonus=bonus,
        doubled=doubled,
    )


def end_match(
    rules: Ruleset,
    reason: EndReason,
    winner: Seat | None,
    points: BySeat[int],
    hands_won: BySeat[int],
) -> MatchEnded:
    """Return the final account of a match (X2).

    Bonuses are paid at the end of a match to `target` only; a match that ended in any other way
    counts its hand points alone.
    """
    game_bonus = box_bonus = BySeat(0, 0)
    doubled = False
    if reason == "target" and winner is not None:
        game_bonus = game_bonus.put(winner, rules.game_bonus)
        box_bonus = BySeat(hands_won[0] * rules.box_bonus, hands_won[1] * rules.box_bonus)
        doubled = rules.shutout_doubles and hands_won[other(winner)] == 0
    totals = BySeat(points[0] + game_bonus[0], points[1] + game_bonus[1])
    if doubled and winner is not None:
        totals = totals.put(winner, 2 * totals[winner])
    return MatchEnded(
        reason=reason,
        winner=winner,
        points=points,
        hands_won=hands_won,
        game_bonus=game_bonus,
        box_bonus=box_bonus,
        doubled=doubled,
        totals=BySeat(totals[0] + box_bonus[0], totals[1] + box_bonus[1]),
    )
