"""The text that the EAAI challenge's program prints of a game, written of a match of ours."""

from collections.abc import Iterator, Sequence

from support_logs import Table

from ginrummy.replay.stepping import positions
from ginrummy.rules.cards import Card, Seat, cards_in, other
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    Event,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchEnded,
    Meld,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand import Discarding, Finished, Offering
from ginrummy.rules.match import Dealing, Match, Playing

_SEATS: tuple[Seat, Seat] = (0, 1)


def eaai_text(table: Table) -> list[str]:
    """Return the lines of a match's game, in the challenge's words."""
    writer = _Writer()
    return [
        line
        for position in positions(table.log, table.secrets)
        for line in writer.lines(position.line.event, position.match)
    ]


class _Writer:
    def __init__(self) -> None:
        self._spread: list[Meld] = []

    def lines(self, event: Event, match: Match) -> Iterator[str]:
        match event:
            case HandDealt():
                yield from _deal(event, match)
            case UpcardPassed(seat=seat):
                assert isinstance(match, Playing)
                yield f"Player {seat} declines {match.hand.layout.dealt.upcard}."
            case StockDrawn(seat=seat):
                assert isinstance(match, Playing)
                assert isinstance(match.hand, Discarding)
                yield f"Player {seat} draws {match.hand.drawn}."
            case DiscardTaken(seat=seat, card=card):
                yield f"Player {seat} draws {card}."
            case Discarded(seat=seat, card=card):
                yield f"Player {seat} discards {card}."
                yield f"Player {seat} has [] with 99 deadwood."
            case Knocked():
                yield from self._knock(event, match)
            case LaidOff():
                yield from self._lay_off(event)
            case HandScored(winner=winner, difference=difference):
                yield f"Player {winner} scores the deadwood difference of {difference}."
                yield from _score(match)
            case HandVoided():
                yield (
                    "The draw pile was reduced to two cards without knocking,"
                    " so the hand is cancelled."
                )
                yield from _score(match)
            case MatchEnded(reason="target", winner=winner):
                yield f"Player {winner} wins."
            case _:
                pass

    def _knock(self, event: Knocked, match: Match) -> Iterator[str]:
        assert isinstance(match, Playing)
        (face_down,) = cards_in(match.hand.layout.face_down)
        self._spread = list(event.melds)
        yield f"Player {event.seat} discards {face_down}."
        if event.gin:
            yield f"Player {event.seat} goes gin with melds {_melds(event.melds)}."
            return
        count = sum(card.points for card in event.deadwood)
        left = f"{count} deadwood from {_cards(event.deadwood)}"
        yield f"Player {event.seat} melds {_melds(event.melds)} with {left}."

    def _lay_off(self, event: LaidOff) -> Iterator[str]:
        yield f"Player {event.seat} melds {_melds(event.melds)}."
        for layoff in event.layoffs:
            on = self._spread[layoff.meld]
            yield f"Player {event.seat} lays off {layoff.card} on {_cards(on)}."
            self._spread[layoff.meld] = (*on, layoff.card)
        count = sum(card.points for card in event.deadwood)
        yield f"Player {event.seat} has {count} deadwood with {_cards(event.deadwood)}"


def _deal(event: HandDealt, match: Match) -> Iterator[str]:
    assert isinstance(match, Playing)
    assert isinstance(match.hand, Offering)
    deck = match.hand.layout.dealt.deck
    assert deck is not None
    starter = other(event.dealer)
    for seat in _SEATS:
        dealt = deck[0:20:2] if seat == starter else deck[1:20:2]
        yield f"Player {seat} is dealt {_cards(dealt)}."
    yield f"Player {starter} starts."
    yield f"The initial face up card is {event.upcard}."


def _score(match: Match) -> Iterator[str]:
    assert isinstance(match, Dealing)
    assert isinstance(match.last, Finished)
    yield "Player\tScore"
    yield from (f"{seat}\t{match.score.points[seat]}" for seat in _SEATS)


def _cards(cards: Sequence[Card]) -> str:
    return f"[{', '.join(map(str, cards))}]"


def _melds(melds: Sequence[Meld]) -> str:
    return f"[{', '.join(map(_cards, melds))}]"
