"""The check of everything that a seat is told against what the server bound itself to.

    events ──> chain ──> what this seat saw of each hand ──┐
    a secret comes out ──> its deck, played through again ─┴─> every card the same, or an error

Nothing here does any I/O: events and views go in as they arrive. Until a hand's secret is out,
its cards can only be kept; then the committed deck is put under the recorded moves, and every card
that was dealt, drawn, discarded or laid down must be where that deck has it.
"""

from typing import NamedTuple

from ginrummy.client.chain import Chain
from ginrummy.client.decks import committed_deck
from ginrummy.client.errors import ForgedMoveError, TamperedDeckError
from ginrummy.log.boards import secret_number
from ginrummy.log.deck import LONGEST_CHAIN, SECRET_BYTES, hash_down, nonce_commitment
from ginrummy.log.lines import MatchLine
from ginrummy.log.positions import Position
from ginrummy.log.reveals import proven_position
from ginrummy.log.signatures import MOVE_EVENTS, is_move_signed
from ginrummy.rules import hand as hands
from ginrummy.rules.cards import (
    DECK,
    Card,
    CardSet,
    Seat,
    card_set,
    cards_in,
)
from ginrummy.rules.events import (
    Discarded,
    HandDealt,
    HandEvent,
    Knocked,
    LaidOff,
    MatchCreated,
    NonceRevealed,
    PlayerJoined,
    PositionRevealed,
    SecretRevealed,
    StockDrawn,
)
from ginrummy.v1.events_pb2 import Event
from ginrummy.v1.match_pb2 import View

__all__ = ["Verifier"]


_SERVER = "server"

_CARDS = {str(card): card for card in DECK}


class _Told(NamedTuple):
    """One event of a hand, and what this seat alone was told with it."""

    seq: int
    event: HandEvent
    drawn: Card | None


class _Hand:
    """What a seat has seen of one hand."""

    __slots__ = ("dealt", "held", "seq", "told")

    def __init__(self, seq: int, dealt: HandDealt) -> None:
        self.seq = seq
        self.dealt = dealt
        self.told: list[_Told] = []
        self.held: dict[int, CardSet] = {}
        """The own cards as a view showed them, by the number of the hand's event before it."""

    @property
    def last_seq(self) -> int:
        """The number of the hand's last event so far."""
        return self.told[-1].seq if self.told else self.seq


class Verifier:
    """One seat's memory of a match: its chain, its cards, and whether they were the committed ones.

    Feed it every event (`add`) and every view (`saw`) in the order in which they arrive. Both
    raise BrokenChainError or TamperedDeckError at the first contradiction.
    """

    def __init__(
        self,
        match_id: str,
        nonce: bytes | None = None,
        player_id: str = "",
        public_key: str = "",
    ) -> None:
        """Start before the first event, for the player who drew `nonce`, or for a spectator.

        Without a nonce, as where the server drew it, whether it went into the deck is not checked.
        With the `public_key`, in hex, of a player who signs, all signatures are checked as well.
        """
        self.player_id = player_id
        """Whose seat it is; empty for a spectator."""
        self.chain = Chain(match_id)
        self.checked = 0
        """The last hand that was checked against its deck; those before it were, too."""
        self._nonce = nonce
        self._public_key = public_key
        self._seat: Seat | None = None
        self._created: MatchCreated | None = None
        self._joined: dict[Seat, PlayerJoined] = {}
        self._nonces: dict[Seat, bytes] = {}
        self._position: Position | None = None
        self._secret = (0, "")
        self._hands: list[_Hand] = []

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self.chain.match_id

    @property
    def dealt(self) -> int:
        """How many hands have been dealt."""
        return len(self._hands)

    @property
    def reveals_at_end(self) -> bool:
        """Whether every secret is out by the match's end, without a director's doing."""
        return self._created is not None and self._created.reveal != "director"

    def add(self, event: Event) -> MatchLine | None:
        """Take in the next event; return its line, or None where it came in before.

        What counts is the stored line that the event carries, which others see as well.
        """
        line = self.chain.add(event.line, event.seq)
        if line is not None:
            if self._public_key:
                self._check_signature(line)
            self._take_in(line, event.drawn)
        return line

    def saw(self, view: View) -> None:
        """Take in a view of the match as it stands after the last event."""
        if view.seq != self.chain.seq:
            raise self.chain.fault(view.seq, f"a view of it came after event {self.chain.seq}")
        self.chain.check_head(view.seq, view.head_hash)
        if self._seat is None or not view.HasField("hand"):
            return
        if not self._hands or view.hand.number != self._hands[-1].dealt.hand:
            raise self.chain.fault(view.seq, f"a view shows hand {view.hand.number}, not dealt")
        hand = self._hands[-1]
        own = card_set(self._card(view.seq, text) for text in view.hand.hands[self._seat].cards)
        before = hand.held.setdefault(hand.last_seq, own)
        if own != before:
            what = "a later view shows other cards in hand"
            raise self._wrong(view.seq, hand.dealt.hand, what, before & ~own, own & ~before)

    def _take_in(self, line: MatchLine, drawn: str) -> None:
        if isinstance(line.event, MatchCreated) != (line.seq == 1):
            raise self.chain.fault(line.seq, f"{line.type} has no place there")
        match line.event:
            case MatchCreated() as created:
                self._created = created
                self._secret = (0, created.commitment)
            case PlayerJoined() as joined:
                self._take_seat(line, joined)
            case NonceRevealed(seat=seat, nonce=nonce):
                self._take_nonce(line, seat, bytes.fromhex(nonce))
            case HandDealt() as dealt:
                self._deal(line, dealt)
            case PositionRevealed() as revealed:
                self._open_position(line, revealed)
            case SecretRevealed(hand=hand, secret=secret):
                self._open(line, hand, bytes.fromhex(secret))
            case event if isinstance(event, HandEvent):
                card = self._card(line.seq, drawn) if drawn else None
                if isinstance(event, StockDrawn) and event.seat == self._seat and card is None:
                    raise self.chain.fault(line.seq, "the card drawn was not shown to its seat")
                self._present(line).told.append(_Told(line.seq, event, card))
            case _:
                pass

    def _card(self, seq: int, text: str) -> Card:
        card = _CARDS.get(text)
        if card is None:
            raise self.chain.fault(seq, f"it shows {text!r}, which is no card")
        return card

    def _take_seat(self, line: MatchLine, joined: PlayerJoined) -> None:
        if joined.seat in self._joined:
            raise self.chain.fault(line.seq, f"seat {joined.seat} is taken twice")
        self._joined[joined.seat] = joined
        if joined.player != self.player_id:
            return
        self._seat = joined.seat
        if self._public_key and joined.key != self._public_key:
            raise self._forged(line, "the log has this seat sign by another key than its own")
        if self._nonce is not None and joined.nonce_commitment != nonce_commitment(self._nonce):
            raise self._tampered(
                line.seq,
                0,
                "the log has this seat committed to another nonce than its own",
                nonce_commitment(self._nonce),
                joined.nonce_commitment or "none",
            )

    def _check_signature(self, line: MatchLine) -> None:
        """Check that a move is signed by its player, and nobody's but theirs."""
        event = line.event
        if not isinstance(event, MOVE_EVENTS) or line.by == _SERVER or self._created is None:
            return
        joined = self._joined.get(event.seat)
        key = None if joined is None else joined.key
        if line.sig is None:
            if self._created.signing == "required":
                raise self._forged(line, f"a move of seat {event.seat} is not signed")
        elif key is None or not is_move_signed(key, line.stream, line.prev, event, line.sig):
            raise self._forged(line, f"a move of seat {event.seat} has not that seat's signature")

    def _forged(self, line: MatchLine, what: str) -> ForgedMoveError:
        return ForgedMoveError(what, match_id=self.match_id, seq=line.seq)

    def _take_nonce(self, line: MatchLine, seat: Seat, nonce: bytes) -> None:
        joined = self._joined.get(seat)
        if joined is None or joined.nonce_commitment is None or seat in self._nonces:
            raise self.chain.fault(line.seq, f"seat {seat} has no nonce to reveal")
        if nonce_commitment(nonce) != joined.nonce_commitment:
            raise self._tampered(
                line.seq,
                0,
                f"the nonce of seat {seat} is not the one committed to",
                joined.nonce_commitment,
                nonce_commitment(nonce),
            )
        self._nonces[seat] = nonce

    def _deal(self, line: MatchLine, dealt: HandDealt) -> None:
        if self._hands and self._created is not None and self._created.board is not None:
            raise self.chain.fault(line.seq, "a second hand is dealt at a board")
        if dealt.hand != len(self._hands) + 1:
            raise self.chain.fault(
                line.seq, f"hand {dealt.hand} is dealt after hand {len(self._hands)}"
            )
        if self.player_id and self._seat is None:
            raise self.chain.fault(line.seq, "a hand is dealt, and this player sits at no seat")
        self._hands.append(_Hand(line.seq, dealt))

    def _present(self, line: MatchLine) -> _Hand:
        if not self._hands:
            raise self.chain.fault(line.seq, f"{line.type} comes before any hand is dealt")
        return self._hands[-1]

    # --- when a secret comes out -------------------------------------------------------------

    def _open_position(self, line: MatchLine, revealed: PositionRevealed) -> None:
        """Take in the position of a fork, which has to be the one that it is committed to."""
        assert self._created is not None
        position = proven_position(self._created, revealed)
        if position is None:
            origin = self._created.origin
            raise self._tampered(
                line.seq,
                1,
                "the position in which the match began is not the one committed to",
                (origin and origin.position) or "none",
                Position(bytes.fromhex(revealed.salt), revealed.cards).commitment,
            )
        self._position = position

    def _open(self, line: MatchLine, number: int, secret: bytes) -> None:
        """Check a revealed secret, and with it the decks of all hands up to its own."""
        if self._created is None or not self.checked < number <= len(self._hands):
            raise self.chain.fault(line.seq, f"the secret of hand {number} is revealed out of turn")
        assert len(secret) == SECRET_BYTES
        before, known = self._secret
        place = secret_number(self._created, number)
        if place - before > LONGEST_CHAIN:
            raise self.chain.fault(line.seq, f"no chain of secrets reaches as far as {place}")
        found = hash_down(secret, place - before).hex()
        if found != known:
            what = f"the revealed secret does not hash to that of hand {self.checked}"
            if before == 0:
                what = "the revealed secret does not hash to the commitment"
            raise self._tampered(line.seq, number, what, known, found)
        for hand in self._hands[self.checked : number]:
            self._check(hand, hash_down(secret, number - hand.dealt.hand))
            # What has been checked need not be kept.
            hand.told.clear()
            hand.held.clear()
        self._secret = (place, secret.hex())
        self.checked = number

    def _check(self, hand: _Hand, secret: bytes) -> None:
        """Play a hand through again from its committed deck, and compare every card."""
        created, number = self._created, hand.dealt.hand
        assert created is not None
        try:
            found = committed_deck(
                created, self.match_id, number, secret, self._nonces, self._position
            )
        except ValueError as error:
            raise self.chain.fault(hand.seq, str(error)) from error
        upcard = found.deck[20]
        if upcard is not hand.dealt.upcard:
            raise self._wrong(hand.seq, number, "the upcard", upcard.bit, hand.dealt.upcard.bit)
        agreed = found.first_dealer if created.first_dealer is None else created.first_dealer
        if number == 1 and agreed != hand.dealt.dealer:
            raise self._tampered(
                hand.seq,
                number,
                "the first dealer",
                f"seat {agreed}",
                f"seat {hand.dealt.dealer}",
            )
        present: hands.Hand = hands.start(created.rules, hand.dealt, found.deck)
        self._compare_held(hand, hand.seq, present)
        for told in hand.told:
            self._compare_shown(number, told, present)
            try:
                present = hands.evolve(present, told.event)
            except ValueError as error:
                raise self.chain.fault(told.seq, str(error)) from error
            if told.drawn is not None and isinstance(present, hands.Discarding):
                drawn = present.drawn.bit if present.drawn is not None else 0
                if drawn != told.drawn.bit:
                    raise self._wrong(told.seq, number, "the drawn card", drawn, told.drawn.bit)
            self._compare_held(hand, told.seq, present)

    def _compare_held(self, hand: _Hand, seq: int, present: hands.Hand) -> None:
        """Compare the own cards that a view showed with those of the deck."""
        held = hand.held.get(seq)
        if held is None or self._seat is None:
            return
        have = present.layout.hands[self._seat]
        if held != have:
            what = "the cards dealt" if seq == hand.seq else "the cards in hand"
            raise self._wrong(seq, hand.dealt.hand, what, have & ~held, held & ~have)

    def _compare_shown(self, number: int, told: _Told, before: hands.Hand) -> None:
        """Compare the cards that a seat showed with those that it has by the deck."""
        match told.event:
            case Discarded(seat=seat, card=card):
                shown = card.bit
            case Knocked(seat=seat, melds=melds, deadwood=deadwood):
                shown = card_set((*(card for meld in melds for card in meld), *deadwood))
            case LaidOff(seat=seat, melds=melds, layoffs=layoffs, deadwood=deadwood):
                laid_off = (layoff.card for layoff in layoffs)
                shown = card_set((*(card for meld in melds for card in meld), *laid_off, *deadwood))
            case _:
                return
        have = before.layout.hands[seat]
        if shown & ~have:
            what = f"a card that seat {seat} showed is not in its hand"
            raise self._wrong(told.seq, number, what, have, shown & ~have)

    def _wrong(
        self, seq: int, hand: int, what: str, expected: CardSet, got: CardSet
    ) -> TamperedDeckError:
        return TamperedDeckError(
            what,
            match_id=self.match_id,
            seq=seq,
            hand=hand,
            expected=cards_in(expected),
            got=cards_in(got),
        )

    def _tampered(
        self, seq: int, hand: int, what: str, expected: str, got: str
    ) -> TamperedDeckError:
        return TamperedDeckError(
            what, match_id=self.match_id, seq=seq, hand=hand, expected=expected, got=got
        )
