"""How a match begins that branches off from another: a fork, or a hand that is played again.

    its first lines ──> Beginning <── the origin's log, where somebody has it
                            └──> what is fixed of a fork's first deck, when it is out

A fork's own log shows that the position is the committed one and fixes no card more or less than
its terms say. That the position was the origin's takes the origin's log as well. Of a hand that is
played again its own log shows that the server has opened it, by a ruling on the origin; what that
ruling was takes the origin's log.
"""

import re
from collections.abc import Iterable
from itertools import islice

from ginrummy.audit.actors import SERVER
from ginrummy.audit.findings import Findings
from ginrummy.log.branching import Branch, BranchError, branch
from ginrummy.log.errors import LineError
from ginrummy.log.fold import Secrets
from ginrummy.log.ids import match_id_for
from ginrummy.log.lines import GENESIS, MatchLine, read_line
from ginrummy.log.positions import DEALT_CARDS, Places, exposures, owners
from ginrummy.log.replays import Ordered, ordered
from ginrummy.log.reveals import proven_position, revealed_secrets
from ginrummy.rules.cards import BySeat, Seat, card_set, cards_in, write_cards
from ginrummy.rules.events import (
    HandDealt,
    HandEvent,
    MatchCreated,
    Origin,
    PositionRevealed,
)
from ginrummy.rules.match import Match, Playing, hands_dealt, is_position_hidden

__all__ = ["Beginning", "OriginLog"]


class OriginLog:
    """The log of the match from which another one branches off."""

    def __init__(self, lines: Iterable[bytes], secrets: Secrets | None = None) -> None:
        """Take its lines, and an operator's own secrets of it, if there are any.

        The lines can be gone through again.
        """
        self._lines = lines
        self._secrets = secrets

    @property
    def as_revealed(self) -> "OriginLog":
        """The same log with no more cards than it gives away by itself."""
        return OriginLog(self._lines)

    def branch(self, origin: Origin) -> Branch:
        """Return how the match stood where the other one branches off.

        Raises BranchError, LineError, or ValueError where it cannot be told.
        """
        self._check_links(origin.seq)
        return branch(self._lines, origin.seq, self._secrets or revealed_secrets(self._lines))

    def ordered(self, origin: Origin) -> Ordered:
        """Return the hand that a ruling has played again with the line that `origin` names.

        Raises LineError, or ValueError where there is none.
        """
        last = self._check_links(origin.seq)
        if last < origin.seq:
            raise ValueError(f"its last event is {last}")
        for each in ordered(islice(self._lines, origin.seq)):
            if each.seq == origin.seq:
                return each
        raise ValueError("that is no ruling which has a hand played again")

    def _check_links(self, seq: int) -> int:
        """Check the chain up to an event, and return the last one's number.

        Raises LineError, or ValueError where it does not hold.
        """
        before, last = GENESIS, 0
        for raw in self._lines:
            line = read_line(raw)
            if line.prev != before:
                raise ValueError(f"its event {line.seq} is not linked to the one before")
            before, last = line.hash, line.seq
            if last == seq:
                break
        return last


class Beginning:
    """The beginning of a match that may branch off from another, as far as it was read."""

    def __init__(self, findings: Findings, origin: OriginLog | None = None) -> None:
        """Start before the first line, with the origin's log or without."""
        self._findings = findings
        self._origin_log = origin
        self._terms: MatchCreated | None = None
        self._at: Branch | None = None
        self._dealt: HandDealt | None = None
        self._moves: list[HandEvent] = []

    def check(self, line: MatchLine, match: Match | None) -> None:
        """Check what a line says of the beginning; `match` is as it stood before."""
        match line.event:
            case MatchCreated() as terms if match is None:
                self._terms = terms
                if terms.origin is not None and terms.origin.kind == "replay":
                    self._check_replay(line, terms, terms.origin)
                else:
                    self._open(line.seq, terms)
            case HandDealt() as dealt if match is not None and not hands_dealt(match):
                self._dealt = dealt
                self._compare_deal(line.seq, dealt)
            case PositionRevealed() as revealed:
                self._check_position(line.seq, revealed)
            case event if isinstance(match, Playing) and match.copies:
                self._take_copy(line.seq, event)  # type: ignore[arg-type]  # a move, or a fault
            case _:
                pass

    def waits(self, match: Match | None) -> bool:
        """Say whether the position is still to come out."""
        return match is not None and hands_dealt(match) > 0 and is_position_hidden(match)

    # --- a hand that is played again ------------------------------------------------------------

    def _check_replay(self, line: MatchLine, terms: MatchCreated, origin: Origin) -> None:
        """Check that the server has opened a replay, as a ruling on its origin has it."""
        if line.by != SERVER:
            self._fault(line.seq, f"a replay is opened by the server, not by {line.by}")
        wanted = re.fullmatch(r"(.*)/[1-9][0-9]*/[12]", line.cmd, re.DOTALL)
        if wanted is None or wanted[1] != origin.match:
            message = f"its request id is not {origin.match}/dispute/instance, as a ruling's is"
            self._fault(line.seq, message)
        elif line.stream != (right := match_id_for(SERVER, line.cmd)):
            self._fault(line.seq, f"by the ruling its id has to be {right}")
        if self._origin_log is None:
            return
        try:
            order = self._origin_log.ordered(origin)
        except (LineError, ValueError) as error:
            self._fault(line.seq, f"its origin cannot be followed to event {origin.seq}: {error}")
            return
        self._findings.counts["origin"] += 1
        if line.cmd != order.request:
            self._fault(line.seq, f"its request id is not the ruling's, {order.request}")
        if names := order.differences(terms):
            self._fault(line.seq, f"by the ruling it has to have another {', '.join(names)}")

    # --- the origin -----------------------------------------------------------------------------

    def _open(self, seq: int, terms: MatchCreated) -> None:
        if self._origin_log is None:
            return
        origin = terms.origin
        if origin is None:
            self._fault(seq, "this match branches off from no other one")
            return
        try:
            at = self._origin_log.branch(origin)
        except (BranchError, LineError, ValueError) as error:
            self._fault(seq, f"its origin cannot be followed to event {origin.seq}: {error}")
            return
        found = {
            "match": (origin.match, at.match),
            "seq": (origin.seq, at.seq),
            "hash": (origin.hash, at.hash),
            "hand": (origin.hand, at.hand),
            "scores": (list(origin.scores), list(at.score.points)),
            "hands_won": (list(origin.hands_won), list(at.score.hands_won)),
        }
        if origin.position is not None:
            found["moves"] = (origin.moves, len(at.moves))
            found["first_dealer"] = (terms.first_dealer, at.dealer)
        elif at.upcard is not None:
            self._fault(seq, f"hand {at.hand} was being played there, and it begins with another")
        for name, (here, there) in found.items():
            self._findings.counts["origin"] += 1
            if here != there:
                self._fault(seq, f"{name} is {here}, but {there} in the origin's log")
        if origin.hash == at.hash:
            # Of another match, or another event of it, nothing else is worth a word.
            self._at = at

    def _compare_deal(self, seq: int, dealt: HandDealt) -> None:
        at = self._at
        if at is None or at.upcard is None:
            return
        self._findings.counts["origin"] += 1
        if dealt.upcard is not at.upcard:
            message = f"the upcard is {dealt.upcard}, but {at.upcard} was turned in the origin"
            self._fault(seq, message)

    def _take_copy(self, seq: int, event: HandEvent) -> None:
        number = len(self._moves)
        self._moves.append(event)
        self._findings.counts["position"] += 1
        if self._at is None or number >= len(self._at.moves):
            return
        self._findings.counts["origin"] += 1
        if event != self._at.moves[number]:
            self._fault(seq, f"move {number + 1} of the hand was another one in the origin")

    def _fault(self, seq: int, message: str) -> None:
        self._findings.fault("origin", seq, message)

    # --- the position ---------------------------------------------------------------------------

    def _check_position(self, seq: int, event: PositionRevealed) -> None:
        terms = self._terms
        if terms is None or terms.origin is None:
            # The line that commits to it could not be read, or there is none: said elsewhere.
            return
        self._findings.counts["position"] += 1
        position = proven_position(terms, event)
        if position is None:
            message = "the position is not the one that the match is committed to"
            self._findings.fault("position", seq, message)
            return
        if self._dealt is None:
            return
        why = _unlike(terms.origin, self._dealt, self._moves, position.places)
        if why is not None:
            self._findings.fault("position", seq, why)
        if self._at is not None and self._at.deck is not None:
            self._compare_deck(seq, terms.origin, position.places, self._at)

    def _compare_deck(self, seq: int, origin: Origin, places: Places, at: Branch) -> None:
        """Compare the places that are known to be the origin's with its deck."""
        assert at.deck is not None
        owner = owners(self._dealt.dealer, self._moves) if self._dealt is not None else []
        self._findings.counts["origin"] += 1
        other = [
            place
            for place, card in enumerate(places)
            if card is not at.deck[place]
            and (origin.unseen == "same" or owner[place] == origin.seat is not None)
        ]
        if other:
            message = f"{len(other)} of the cards that stay are others than in the origin's deck"
            self._fault(seq, message)


def _unlike(
    origin: Origin, dealt: HandDealt, moves: Iterable[HandEvent], places: Places
) -> str | None:
    """Say in what a position is not what its match says of it; None where it is.

    Fixed are all places; or, where the unseen cards were dealt anew, the upcard's, those of the
    cards that the seats have shown, and all of the seat's whose cards stay.
    """
    if places[DEALT_CARDS - 1] is not dealt.upcard:
        return f"it turns {places[DEALT_CARDS - 1] or 'no card'}, and {dealt.upcard} was turned"
    if origin.unseen == "same":
        missing = places.count(None)
        return None if missing == 0 else f"all cards stay, but {missing} places are open"
    moves = tuple(moves)
    owner = owners(dealt.dealer, moves)
    shown = BySeat(0, 0)
    for seat, card, _ in exposures(moves):
        shown = shown.put(seat, shown[seat] | card.bit)
    seats: tuple[Seat, Seat] = (0, 1)
    for seat in seats:
        own = [card for place, card in enumerate(places) if owner[place] == seat]
        fixed = card_set(card for card in own if card is not None)
        if seat == origin.seat:
            if None in own:
                return f"the cards of seat {seat} stay, but {own.count(None)} places are open"
        elif fixed != shown[seat]:
            stray = write_cards(cards_in(fixed ^ shown[seat]))
            return f"of seat {seat} stays what everybody has seen, but {stray} differs from that"
    undealt = [card for place, card in enumerate(places) if owner[place] is None]
    if sum(card is not None for card in undealt) > 1:
        return "cards of the stock stay, which nobody had seen"
    return None
