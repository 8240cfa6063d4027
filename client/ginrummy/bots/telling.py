"""What happens in a match, told in sentences: for a spectator, and for a person at the table."""

from collections.abc import Iterable, Sequence

from ginrummy.bots.paint import Paint
from ginrummy.bots.rulings import tell_dispute
from ginrummy.rules.cards import card_set, parse_card
from ginrummy.rules.cards import points as points_of
from ginrummy.v1 import events_pb2 as pb

__all__ = ["Teller", "points"]

_REASONS = {
    pb.END_REASON_TARGET: "the target is reached",
    pb.END_REASON_HANDS: "all hands are played",
    pb.END_REASON_HANDS_EXHAUSTED: "no committed deck is left",
    pb.END_REASON_RESIGNED: "a player has resigned",
    pb.END_REASON_CLOCK: "a player's time is over",
    pb.END_REASON_ILLEGAL_MOVES: "a player has sent too many illegal moves",
    pb.END_REASON_ABANDONED: "nobody played on",
    pb.END_REASON_CRASH: "a player's program has died",
    pb.END_REASON_STALL: "a player's program was silent",
    pb.END_REASON_NO_SHOW: "a player did not come",
    pb.END_REASON_WITHDRAWN: "a player has left the tournament",
    pb.END_REASON_ABORTED: "it was given up",
    pb.END_REASON_ROUND_CLOCK: "the round's time is over",
    pb.END_REASON_RULING: "a director has ruled",
}

_KINDS = {
    pb.HAND_KIND_KNOCK: "by a knock",
    pb.HAND_KIND_UNDERCUT: "by an undercut",
    pb.HAND_KIND_GIN: "by gin",
    pb.HAND_KIND_BIG_GIN: "by big gin",
}

_VOID = {
    pb.VOID_REASON_STOCK: "the stock has run low",
    pb.VOID_REASON_DISCARD_DRAWS: "too many cards were drawn from the discard pile",
}


class Teller:
    """Tells the events of a match, which it has to be given in their order."""

    def __init__(
        self, paint: Paint, names: Sequence[str] = ("", ""), you: int | None = None
    ) -> None:
        """Tell them to the player at seat `you`, or to a spectator; `names` as far as known."""
        self.you = you
        self._paint = paint
        self._names = list(names)
        self._knocked = pb.Knocked()

    def name(self, seat: int) -> str:
        """Return who sits at a seat."""
        return self._names[seat] or f"Seat {seat}"

    def tell(self, event: pb.Event) -> str:
        """Return a sentence about an event; empty where there is nothing to say."""
        return self._of_hand(event) or self._of_match(event)

    def _of_match(self, event: pb.Event) -> str:
        match event.WhichOneof("event"):
            case "match_created":
                return _created(event.match_created)
            case "player_joined":
                joined = event.player_joined
                self._names[joined.seat] = joined.name
                return f"{self.does(joined.seat, 'sit')} down at seat {joined.seat}"
            case "secret_revealed":
                hand = event.secret_revealed.hand
                return f"The secret of hand {hand} is out: its deck can be checked"
            case "position_revealed":
                return "The position in which the match began is out"
            case "clock_paused":
                return "The match is paused"
            case "clock_resumed":
                return "The match goes on"
            case "clock_expired":
                return f"{self.does(event.clock_expired.seat, 'run')} out of time"
            case "resigned":
                return self.does(event.resigned.seat, "resign")
            case "forfeited":
                return f"{self.does(event.forfeited.seat, 'forfeit')} the match"
            case "match_ended":
                return self._ended(event.match_ended)
            case "result_adjusted":
                return f"The result is now: {self.result(event.result_adjusted.outcome)}"
            case _:
                return tell_dispute(event, self.does)

    def _of_hand(self, event: pb.Event) -> str:
        card = self._paint.card
        match event.WhichOneof("event"):
            case "hand_dealt":
                dealt = event.hand_dealt
                deals = self.does(dealt.dealer, "deal")
                return f"Hand {dealt.hand}: {deals}, and {card(dealt.upcard)} is the upcard"
            case "upcard_passed":
                return self.does(event.upcard_passed.seat, "pass")
            case "stock_drawn":
                drawn = f" {card(event.drawn)}" if event.drawn else ""
                return self.does(event.stock_drawn.seat, "draw") + drawn
            case "discard_taken":
                taken = event.discard_taken
                return f"{self.does(taken.seat, 'take')} {card(taken.card)}"
            case "discarded":
                thrown = event.discarded
                return f"{self.does(thrown.seat, 'throw')} {card(thrown.card)}"
            case "knocked":
                return self._has_knocked(event.knocked)
            case "laid_off":
                return self._has_laid_off(event.laid_off)
            case "hand_scored":
                return self._scored(event.hand_scored)
            case "hand_voided":
                return f"The hand is void: {_VOID.get(event.hand_voided.reason, 'so it is')}"
            case _:
                return ""

    def _has_knocked(self, knocked: pb.Knocked) -> str:
        self._knocked = knocked
        melds = self._paint.melds(meld.cards for meld in knocked.melds)
        if knocked.gin:
            big = sum(len(meld.cards) for meld in knocked.melds) == 11
            return f"{self.does(knocked.seat, 'go')} {'big ' if big else ''}gin: {melds}"
        left = self._paint.cards(knocked.deadwood)
        knocks = self.does(knocked.seat, "knock")
        return f"{knocks} with {points(knocked.deadwood)}: {melds}  and {left}"

    def _has_laid_off(self, laid: pb.LaidOff) -> str:
        parts = []
        if laid.melds:
            melds = self._paint.melds(meld.cards for meld in laid.melds)
            parts.append(f"{self.does(laid.seat, 'lay')} down {melds}")
        for layoff in laid.layoffs:
            on = self._paint.cards(self._knocked.melds[layoff.meld].cards)
            card = self._paint.card(layoff.card)
            parts.append(f"{self.does(laid.seat, 'lay')} {card} off on {on}")
        keeps = self.does(laid.seat, "keep")
        if laid.deadwood:
            left = self._paint.cards(laid.deadwood)
            parts.append(f"{keeps} {left}, which is {points(laid.deadwood)}")
        else:
            parts.append(f"{keeps} nothing")
        return "\n".join(parts)

    def _scored(self, scored: pb.HandScored) -> str:
        sums = f"{scored.difference} + {scored.bonus}" if scored.bonus else f"{scored.difference}"
        if scored.doubled:
            sums = f"twice {sums}"
        sums = f" ({sums})" if scored.bonus or scored.doubled else ""
        how = _KINDS.get(scored.kind, "")
        return f"{self.does(scored.winner, 'score')} {scored.points} {how}{sums}"

    def _ended(self, ended: pb.MatchEnded) -> str:
        if not ended.HasField("winner"):
            return f"The match is over without a winner: {_why(ended)}"
        return self._won(ended)

    def result(self, ended: pb.MatchEnded) -> str:
        """Return how a match that is over stands, be it by rulings."""
        if not ended.HasField("winner"):
            return f"nobody wins, {ended.totals[0]} to {ended.totals[1]}: {_why(ended)}"
        return self._won(ended)

    def _won(self, ended: pb.MatchEnded) -> str:
        won, lost = ended.totals[ended.winner], ended.totals[1 - ended.winner]
        return f"{self.does(ended.winner, 'win')} the match {won} to {lost}: {_why(ended)}"

    def does(self, seat: int, verb: str) -> str:
        """Return who does something: `You take`, `Ann takes`."""
        if seat == self.you:
            return f"You {verb}"
        return f"{self.name(seat)} {verb}{'es' if verb.endswith(('s', 'o')) else 's'}"


def _why(ended: pb.MatchEnded) -> str:
    return _REASONS.get(ended.reason, "so it is")


def points(cards: Iterable[str]) -> int:
    """Return what some cards count as deadwood, in points (C2)."""
    return points_of(card_set(map(parse_card, cards)))


def _created(created: pb.MatchCreated) -> str:
    name = f" {created.name}" if created.name else ""
    hands, target = created.rules.hands, created.rules.target
    length = f"over {hands} hands" if hands else f"to {target}"
    origin = created.origin
    if origin.kind == pb.ORIGIN_KIND_REPLAY:
        return f"Hand {origin.hand} of {origin.match_id} is to be played again, by a ruling"
    if origin.kind != pb.ORIGIN_KIND_FORK:
        return f"The match{name} is open, {length}"
    where = f"it goes on from event {origin.seq} of {origin.match_id} and counts for nobody"
    return f"The practice match{name} is open, {length}: {where}"
