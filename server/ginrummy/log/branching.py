"""Where a match branches off from another: how it stood there, and what goes on from it.

    lines, an event's number ──> branch ──> Branch ──> position ──> what the fork's first deck fixes

A fork goes on where somebody decides something. What follows from an event at once (a hand's
score, a void, the next deal) belongs to it, so an event within such a group stands for the group's
end. Nothing here reads a clock or draws anything: random bytes come in as arguments.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec

from ginrummy.log.deck import SecretChain, shuffled, words
from ginrummy.log.fold import Fold, Secrets
from ginrummy.log.lines import MatchLine, read_line
from ginrummy.log.positions import DEALT_CARDS, SALT_BYTES, Places, Position, exposures, owners
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import DECK, Card, Deck, Seat
from ginrummy.rules.events import (
    ClockExpired,
    Discarded,
    DiscardTaken,
    Forfeited,
    HandDealt,
    HandEvent,
    Knocked,
    MatchCreated,
    MatchEnded,
    Resigned,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.match import (
    Dealing,
    Ended,
    Gathering,
    Match,
    Playing,
    Score,
    hands_dealt,
    next_dealer,
    starting_score,
)

__all__ = [
    "Branch",
    "BranchError",
    "HiddenCardsError",
    "Kept",
    "NoBranchError",
    "NothingToPlayError",
    "branch",
    "position",
]

Kept: TypeAlias = Literal["same", "reshuffled"]
"""Whether the cards that were not seen lie as they lay, or are dealt anew."""

_MOVES = (StockDrawn, Discarded, DiscardTaken, UpcardPassed, Knocked)
_LAST_WORDS = (Resigned, Forfeited, ClockExpired)
"""What ends a match at once; how it stood before is another matter."""


class BranchError(Exception):
    """Anything that keeps a match from branching off where it was asked for."""


class NoBranchError(BranchError):
    """The match has no event of that number."""

    def __init__(self, seq: int, last: int) -> None:
        super().__init__(f"there is no event {seq}: the last one is {last}")
        self.seq = seq
        self.last = last


class NothingToPlayError(BranchError):
    """At that event the match is over."""

    def __init__(self, seq: int, last: int) -> None:
        super().__init__(
            f"with event {seq} the match is over, and nothing is left to play: the last event "
            f"from which it can go on is {last}"
        )
        self.seq = seq
        self.last = last
        """The last event from which the match can be played on."""


class HiddenCardsError(BranchError):
    """The cards that are wanted are not out, and may not be told by a fork either."""

    def __init__(self, hand: int) -> None:
        super().__init__(
            f"the cards of hand {hand} are not out, and a fork that keeps them would give them "
            "away: wait for the hand's secret, or let all that not everybody has seen be dealt anew"
        )
        self.hand = hand


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """How a match stood after one of its events."""

    match: str
    """The match's id."""
    terms: MatchCreated
    seq: int
    """The number of the event; behind the one asked for where others follow from it at once."""
    hash: str
    """The hash of its line."""
    hand: int
    """The hand that is played there, or else the next one."""
    score: Score
    """The account ahead of that hand."""
    dealer: Seat | None
    """Who deals that hand; None where only a deck can say."""
    upcard: Card | None
    """The hand's upcard; None where it is not dealt yet."""
    moves: tuple[HandEvent, ...]
    """What was played of the hand."""
    deck: Deck | None
    """The hand's deck, where it is known."""


def branch(
    lines: Iterable[bytes], seq: int, secrets: SecretChain | Secrets | None = None
) -> Branch:
    """Return how a match stood after event `seq`, from its lines.

    `secrets` are those that whoever asks may know. Raises NoBranchError, NothingToPlayError, or,
    for lines that cannot be followed, LineError or ValueError.
    """
    fold = Fold(secrets)
    moves: list[HandEvent] = []
    last = 0
    for line, following in _with_next(map(read_line, lines)):
        match = fold.add(line)
        if isinstance(line.event, HandDealt):
            moves.clear()
        elif isinstance(line.event, _MOVES):
            moves.append(line.event)
        if _goes_on(match, line, following):
            last = line.seq
            if line.seq >= seq > 0:
                return _branch(match, line, tuple(moves))
    if not 0 < seq <= fold.seq:
        raise NoBranchError(seq, fold.seq)
    raise NothingToPlayError(seq, last)


def _with_next(lines: Iterable[MatchLine]) -> Iterator[tuple[MatchLine, MatchLine | None]]:
    """Yield every line with the one after it."""
    before: MatchLine | None = None
    for line in lines:
        if before is not None:
            yield before, line
        before = line
    if before is not None:
        yield before, None


def _goes_on(match: Match, line: MatchLine, following: MatchLine | None) -> bool:
    """Say whether a match can be played on as it stands, with nothing that follows at once."""
    match match:
        case Ended():
            return False
        case Playing(hand=hand):
            if isinstance(line.event, _LAST_WORDS) or match.copies:
                return False
            return hands.to_move(hand) is not None and hands.void_reason(hand) is None
        case Dealing():
            return following is None or not isinstance(following.event, MatchEnded)
        case Gathering():
            return not isinstance(line.event, _LAST_WORDS)


def _branch(match: Match, line: MatchLine, moves: tuple[HandEvent, ...]) -> Branch:
    hand, dealer, upcard, deck = hands_dealt(match) + 1, match.terms.first_dealer, None, None
    if isinstance(match, Playing):
        dealt = match.hand.layout.dealt
        hand, dealer, upcard, deck = dealt.number, dealt.dealer, dealt.upcard, dealt.deck
    elif isinstance(match, Dealing) and match.last is not None:
        dealer = next_dealer(match.last)
    return Branch(
        match=line.stream,
        terms=match.terms,
        seq=line.seq,
        hash=line.hash,
        hand=hand,
        score=starting_score(match.terms) if isinstance(match, Gathering) else match.score,
        dealer=dealer,
        upcard=upcard,
        moves=moves if isinstance(match, Playing) else (),
        deck=deck,
    )


# --- the cards that stay ------------------------------------------------------------------------


def position(
    at: Branch, kept: Kept, seat: Seat | None, entropy: Callable[[int], bytes]
) -> Position | None:
    """Return which cards of a hand stay where they are; None between two hands.

    `seat` is whose knowledge stays where the others are dealt anew, None for what everybody has
    seen. `entropy` gives as many random bytes as it is asked for. Raises HiddenCardsError where
    that takes cards that are not known.
    """
    if at.upcard is None:
        return None
    salt = entropy(SALT_BYTES)
    if kept == "reshuffled":
        return Position(salt, _seen_places(at, seat, words(entropy(32))))
    if at.deck is None:
        raise HiddenCardsError(at.hand)
    return Position(salt, at.deck)


def _seen_places(at: Branch, viewer: Seat | None, numbers: Iterator[int]) -> Places:
    """Return the places of the cards that the viewer has seen.

    Of the other hands' cards the viewer knows only that they came from there, not whether they
    were dealt or drawn, and when: such a card gets any place from which it can have come, by lot.
    """
    assert at.dealer is not None
    owner = owners(at.dealer, at.moves)
    places: list[Card | None] = [None] * len(DECK)
    places[DEALT_CARDS - 1] = at.upcard
    if viewer is not None:
        if at.deck is None:
            raise HiddenCardsError(at.hand)
        for place, whose in enumerate(owner):
            if whose == viewer:
                places[place] = at.deck[place]
    for seat, card, drawn in exposures(at.moves):
        if seat == viewer:
            continue
        free = [
            place
            for place in range(DEALT_CARDS + drawn)
            if owner[place] == seat and places[place] is None
        ]
        places[shuffled(free, numbers)[0]] = card
    return tuple(places)
