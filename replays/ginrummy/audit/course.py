"""The course of a match as the rules want it: what had to come, and how the match stood.

    event -> wish_of -> the command that it answers -> decide -> the events that had to come

Where a hand's secret is known, so is every card. Where it is not, a move is judged in a hand that
holds what the move shows (`unseen`).
"""

from msgspec.structs import replace

from ginrummy.audit.unseen import (
    deck_turning,
    laid_down,
    supposing,
    with_face_down,
    with_laid_off,
)
from ginrummy.audit.words import rule_of
from ginrummy.log.boards import secret_number
from ginrummy.log.deck import Shuffle
from ginrummy.log.fold import Secrets, shuffle_for
from ginrummy.log.instants import Instant
from ginrummy.rules.cards import Deck, cards_in, other, write_cards
from ginrummy.rules.commands import Command, Deal
from ginrummy.rules.disputes.commands import Disputed
from ginrummy.rules.disputes.events import DisputeEvent
from ginrummy.rules.disputes.wishes import dispute_wish
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import (
    ClockExpired,
    Event,
    HandDealt,
    HandScored,
    HandVoided,
    Knocked,
    LaidOff,
    MatchEnded,
)
from ginrummy.rules.hand import Finished
from ginrummy.rules.match import (
    Clock,
    Dealing,
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

__all__ = ["Course"]


class Course:
    """A match as far as it has been followed."""

    def __init__(self, stream: str, secrets: Secrets | None) -> None:
        """Start before the match's first event, with the secrets of some hands or without."""
        self.match: Match | None = None
        """The match as it stands; None before it is created."""
        self.hidden: tuple[int, int] | None = None
        """The first and the last hand whose deck is not known; None where all are."""
        self.deck: Deck | None = None
        """The present hand's deck; None where it is not known."""
        self._stream = stream
        self._secrets = secrets
        # Gin in a hand that is not known: what follows depends on what the opponent then shows.
        self._gin: tuple[Playing, Command] | None = None

    @property
    def after_unknown_gin(self) -> bool:
        """What follows can only be said when the opponent's hand is on the table."""
        return self._gin is not None

    # --- what had to come -----------------------------------------------------------------------

    def right_events(self, event: Event, at: Instant) -> tuple[Event, ...]:
        """Return the events that had to come where `event` came.

        Raises IllegalMoveError or ImpossibleCardsError where none such may come at all.
        """
        match = self.match
        if self.deck is None and isinstance(match, Playing):
            match = supposing(match, event)
        command = wish_of(match, event)
        if command is None:
            if isinstance(event, HandDealt):
                return self._right_deal(event, at)
            raise IllegalMoveError(Reason.WRONG_PHASE, rule_of(event), self._why_no_wish(event))
        events = decide(match, command, at)
        if self.deck is None and isinstance(event, Knocked) and event.gin:
            assert isinstance(match, Playing)
            self._gin = match, command
        return events

    def right_in_dispute(
        self, event: DisputeEvent, by: str, about: Disputed | None, at: Instant
    ) -> tuple[Event, ...]:
        """Return the events that had to come where `event`, about a dispute, came by `by`.

        `about` is what the log has of the hand, or of the match, that is disputed. Raises
        IllegalMoveError where none such may come at all.
        """
        command = dispute_wish(event, by, about)
        if command is None:
            raise IllegalMoveError(Reason.WRONG_PHASE, rule_of(event), "it follows from nothing")
        return decide(self.match, command, at)

    def right_after_gin(self, event: LaidOff, at: Instant) -> tuple[Event, ...]:
        """Return what had to follow from gin, now that the opponent's hand is on the table.

        `at` is when gin was gone. Raises ImpossibleCardsError.
        """
        assert self._gin is not None
        match, command = self._gin
        self._gin = None
        assert isinstance(self.match, Playing)
        # The gin lies on the table by now: whoever lays down after it has none of its cards.
        with_laid_off(self.match, event)
        return decide(with_laid_off(match, event), command, at)[1:]

    def right_deal(self) -> tuple[Event, ...]:
        """Return the events of the next deal; nothing where none is due, or its deck not known."""
        shuffled = self._shuffled()
        if shuffled is None or self.match is None or due(self.match) != "deal":
            return ()
        self.deck = shuffled.deck
        return decide(self.match, Deal(*shuffled), 0)

    def right_account(self, event: MatchEnded) -> MatchEnded:
        """Return what a match's end has to say, if it ended as the event says."""
        assert isinstance(self.match, Dealing | Playing)
        score = self.match.score
        return end_match(
            self.match.terms.rules, event.reason, event.winner, score.points, score.hands_won
        )

    def right_end_on_time(self, event: ClockExpired) -> MatchEnded:
        """Return the match's end that has to follow when a seat's time is over."""
        assert isinstance(self.match, Playing)
        score = self.match.score
        return end_match(
            self.match.terms.rules, "clock", other(event.seat), score.points, score.hands_won
        )

    def _right_deal(self, event: HandDealt, at: Instant) -> tuple[Event, ...]:
        self.deck = None
        shuffled = self._shuffled()
        if shuffled is None:
            return decide(self.match, Deal(deck_turning(event.upcard), event.dealer), at)
        events = decide(self.match, Deal(*shuffled), at)
        self.deck = shuffled.deck
        return events

    def _shuffled(self) -> Shuffle | None:
        """Return the committed deck of the next hand, or None where it is not known."""
        match = self.match
        if self._secrets is None or not isinstance(match, Dealing):
            return None
        hand = hands_dealt(match) + 1
        if secret_number(match.terms, hand) > match.terms.chain:
            return None
        return shuffle_for(match, self._stream, hand, self._secrets)

    def _why_no_wish(self, event: Event) -> str:
        match = self.match
        if isinstance(event, Knocked) and isinstance(match, Playing):
            laid = laid_down(event)
            stray = laid & ~match.hand.layout.hands[event.seat]
            if stray:
                return f"{write_cards(cards_in(stray))} is not in the hand"
            return f"{laid.bit_count()} cards are laid down"
        return "it follows from nothing"

    # --- going on -------------------------------------------------------------------------------

    def take(self, event: Event, at: Instant, by: str = "") -> None:
        """Go on with an event that had to come, and was caused by `by`."""
        match = evolve(self.match, event, at, by)
        if type(event) is HandDealt:
            if self.deck is not None:
                match = with_deck(match, self.deck)
            else:
                first, _ = self.hidden or (event.hand, 0)
                self.hidden = first, event.hand
        elif self.deck is None and isinstance(event, Knocked):
            assert isinstance(self.match, Playing)
            assert isinstance(match, Playing)
            kept = self.match.hand.layout.shown[event.seat] & ~laid_down(event)
            match = with_face_down(match, kept)
        self.match = match

    def take_result(self, result: HandScored | HandVoided, at: Instant) -> None:
        """Go on from a hand's result as it is written, whatever was played before it."""
        match = self.match
        assert isinstance(match, Playing)
        score = match.score
        if isinstance(result, HandScored):
            winner = result.winner
            score = Score(
                points=score.points.put(winner, score.points[winner] + result.points),
                hands_won=score.hands_won.put(winner, score.hands_won[winner] + 1),
            )
        last = Finished(match.hand.layout, None, None, result)
        clock = Clock(bank=None, since=at)
        self.match = Dealing(match.terms, match.seats, score, clock, last, match.revealed)

    def lose_clocks(self, at: Instant) -> None:
        """Go on without the banks, which nobody can count any more, at the start of a decision."""
        assert isinstance(self.match, Playing)
        self.match = replace(self.match, clock=Clock(bank=None, since=at))

    def lose_decks(self) -> None:
        """Go on without knowing any deck."""
        self._secrets = None

    def lose_hand(self) -> None:
        """Forget what would follow: nobody knows how the hand stands."""
        self._gin = None
