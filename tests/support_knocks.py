"""Hands that have come to a knock, a gin or a lay-off. Seat 0 deals; seat 1 knocks."""

from support_rules import cards, carried_out, dealt, melds, played, stack, turn

from ginrummy.rules.cards import BySeat, Card, Deck, Seat
from ginrummy.rules.commands import Deal, Discard, Draw, Knock, LayOff, Move, Pass, Play
from ginrummy.rules.events import HandScored, Knocked, LaidOff, LayOffCard, Meld
from ginrummy.rules.hand import Hand
from ginrummy.rules.match import Match, hands_dealt

TO_THE_DRAW = (Pass(), Pass(), Draw())
"""Both pass, and the non-dealer, seat 1, draws the stock's top."""

KNOCKER = "3S 4S 5S 7H 8H 9H QS QH QD 2C"
DEFENDER = "6S 7S TH QC KC KD 2D 4D 8C 9C"
SPREAD = melds("QS QH QD", "3S 4S 5S", "7H 8H 9H")
"""How the server lays `KNOCKER` down."""
KNOCK_DECK = stack(KNOCKER, DEFENDER, upcard="JC", stock="KH")


def drawn(deck: Deck = KNOCK_DECK, preset: str = "standard", **changes: object) -> Hand:
    """Return the hand in which seat 1 has drawn from the stock."""
    return played(dealt(deck, 0, preset, **changes), *TO_THE_DRAW)


def off(*layoffs: str) -> tuple[LayOffCard, ...]:
    """Read lay-offs: a card and its meld's index."""
    return tuple(LayOffCard(Card(text[:2]), int(text[2:])) for text in layoffs)


def knocked(
    deck: Deck = KNOCK_DECK, preset: str = "standard", melded: tuple[Meld, ...] | None = None
) -> Hand:
    """Return the hand in which seat 1 has knocked with KH thrown."""
    return played(drawn(deck, preset), Knock(Card("KH"), melded))


GIN_HAND = "3S 4S 5S 7H 8H 9H QS QH QD QC"
GIN_SPREAD = melds("QS QH QD QC", "3S 4S 5S", "7H 8H 9H")
AGAINST_GIN = "KC KD 8S 5H 5D 5C 9C 2D 3D JS"
GIN = stack(GIN_HAND, AGAINST_GIN, upcard="JC", stock="KH")


def gin_events(spread: tuple[Meld, ...] = GIN_SPREAD) -> tuple[Knocked, LaidOff, HandScored]:
    """Return what gin with `GIN` brings about."""
    return (
        Knocked(1, spread, (), gin=True),
        LaidOff(0, melds("5H 5D 5C"), (), cards("8S JS 2D 3D KD 9C KC")),
        HandScored(
            hand=1,
            kind="gin",
            winner=1,
            points=52 + 25,
            deadwood=BySeat(52, 0),
            difference=52,
            bonus=25,
            doubled=False,
        ),
    )


# --- whole hands in a match ---------------------------------------------------------------------

FOR_24 = stack(KNOCKER, "TC TD TS 4D 4H 4C KC KD 5H AC", upcard="JC", stock="KH")
"""The non-dealer knocks for 24 points."""
THE_DEALER_KNOCKS = stack("TC TD TS 4D 4H 4C KC KD 5H AC", KNOCKER, upcard="JC", stock="KH KS")
"""The dealer knocks for 24 points, after the non-dealer has thrown KH."""


def non_dealer_wins(match: Match, first_dealer: Seat = 0) -> Match:
    """Return the match after a hand that the non-dealer won by 24 points."""
    return moved(dealt_from(match, FOR_24, first_dealer), *TO_THE_DRAW, Knock(Card("KH")), LayOff())


def dealer_wins(match: Match, first_dealer: Seat = 0) -> Match:
    """Return the match after a hand that the dealer won by 24 points."""
    match = dealt_from(match, THE_DEALER_KNOCKS, first_dealer)
    return moved(match, *TO_THE_DRAW, Discard(Card("KH")), Draw(), Knock(Card("KS")), LayOff())


def dealt_from(match: Match, deck: Deck, first_dealer: Seat = 0) -> Match:
    """Return the match after the next hand's deal."""
    first = first_dealer if hands_dealt(match) == 0 else None
    return carried_out(match, Deal(deck, first))[1]


def moved(match: Match, *moves: Move) -> Match:
    """Return the match after legal moves, each of the seat that is then to decide."""
    for move in moves:
        match = carried_out(match, Play(turn(match), move))[1]
    return match
