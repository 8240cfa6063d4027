"""A person at the table: a view drawn in a few lines, a question, and a line typed in answer."""

from typing import Protocol

from ginrummy.bots.paint import Paint, by_rank
from ginrummy.bots.sight import cards_of, held
from ginrummy.bots.telling import Teller, points
from ginrummy.bots.wishes import WISHES, UnreadableWishError, read_wish
from ginrummy.client.bot import HandOver
from ginrummy.client.errors import CallError
from ginrummy.rules.commands import Move, Resign
from ginrummy.rules.melds import arrange, deadwood
from ginrummy.v1.events_pb2 import Event, MatchEnded
from ginrummy.v1.match_pb2 import View

__all__ = ["LeftTableError", "Person", "Terminal", "picture"]

_NAME = 10
"""Letters of a name for which there is room."""

_PILE = 10
"""Cards of the discard pile that are shown, from the top."""


class LeftTableError(Exception):
    """The person has left the table, with the match still going on."""


class Terminal(Protocol):
    """Where a person sits."""

    def say(self, text: str) -> None:
        """Print some lines."""
        ...

    async def ask(self, question: str) -> str | None:
        """Print a question and return the line typed in answer; None where there is no more."""
        ...


class Person:
    """A bot whose decisions are made by a person."""

    def __init__(self, terminal: Terminal, paint: Paint, player_id: str = "") -> None:
        """Sit the player with that id down at a terminal."""
        self._terminal = terminal
        self._paint = paint
        self._player_id = player_id
        self._teller = Teller(paint)
        self._untold: list[str] = []
        self._asked = False
        self._shown = -1

    # --- decisions ------------------------------------------------------------------------------

    async def offer(self, view: View) -> Move:
        """Ask about the upcard."""
        card = self._paint.card(view.hand.upcard)
        return await self._decided(view, f"take {card} (t) or pass (p)?")

    async def draw(self, view: View) -> Move:
        """Ask where to draw from."""
        if not view.hand.legal.take:
            return await self._decided(view, "draw (d)?")
        card = self._paint.card(view.hand.discard_pile[-1])
        return await self._decided(view, f"draw (d) or take {card} (t)?")

    async def discard(self, view: View) -> Move:
        """Ask how the turn ends."""
        legal = view.hand.legal
        question = "throw which card"
        if legal.knocks:
            cards = held(view)
            best = min(cards_of(legal.knocks), key=lambda card: deadwood(cards & ~card.bit))
            left = deadwood(cards & ~best.bit)
            call = "go gin" if left == 0 else f"knock with {left}"
            question += f" or {call} (k {best})"
        if legal.big_gin:
            question += " or big gin (g)"
        return await self._decided(view, question + "?")

    async def lay_off(self, view: View) -> Move:
        """Ask what to lay off."""
        return await self._decided(view, "lay off (l for as well as can be)?")

    async def _decided(self, view: View, question: str) -> Move:
        """Show the view, unless it was just shown, and ask until the answer is a move."""
        self._asked = True
        self._tell_untold()
        if view.seq != self._shown:
            self._shown = view.seq
            self._terminal.say(picture(view, self._teller, self._paint))
        while True:
            line = await self._terminal.ask(f"  {question}")
            if line is None or line.strip().lower() in ("q", "quit"):
                raise LeftTableError
            move = self._read(line, view)
            if isinstance(move, Resign) and not await self._means_it():
                continue
            if move is not None:
                return move

    def _read(self, line: str, view: View) -> Move | None:
        """Return the move of a line, or None where it was something else, which is answered."""
        text = line.strip()
        if not text:
            self._terminal.say(picture(view, self._teller, self._paint))
        elif text in ("?", "h", "help"):
            self._terminal.say(f"{WISHES}\n  q                 leave the table; the match waits")
        else:
            try:
                return read_wish(text)
            except UnreadableWishError as error:
                self._complain(str(error))
        return None

    async def _means_it(self) -> bool:
        answer = await self._terminal.ask("  give up the match (yes or no)?")
        return answer is not None and answer.strip().lower() in ("y", "yes")

    def _complain(self, what: str) -> None:
        self._terminal.say(self._paint.styled(f"  {what}", fg="yellow"))

    # --- what happens ---------------------------------------------------------------------------

    def saw(self, event: Event) -> None:
        """Keep what has happened until there is something to show."""
        kind = event.WhichOneof("event")
        if kind == "player_joined" and event.player_joined.player_id == self._player_id:
            self._teller.you = event.player_joined.seat
        if kind == "hand_dealt" and not self._asked:
            # Whoever comes back hears of the present hand alone.
            self._untold.clear()
        told = self._teller.tell(event)
        if told:
            self._untold.append(told)

    def hand_over(self, _: HandOver) -> None:
        """Tell how the hand ended."""
        if self._asked:
            self._tell_untold()

    def match_over(self, _: MatchEnded) -> None:
        """Tell how the match ended."""
        self._tell_untold()

    def refused(self, _: View, error: CallError) -> None:
        """Say why a move was refused; it is asked for again."""
        self._complain(str(error))
        left = error.answer.refusals_left
        if left is not None and left <= 5:
            self._complain(f"{left} more of these in a row, and the match is lost")

    def _tell_untold(self) -> None:
        for told in self._untold:
            self._terminal.say(self._paint.faint("  > ") + told.replace("\n", "\n    "))
        self._untold.clear()


# --- the picture --------------------------------------------------------------------------------


def picture(view: View, teller: Teller, paint: Paint) -> str:
    """Return what the player of `view` sees of the table, in a few lines of 80 letters."""
    hand, you = view.hand, view.seat
    them = 1 - you
    theirs = hand.hands[them]
    # Whoever has no stream open is away.
    name = teller.name(them)[: _NAME - 1] + ("" if view.connected[them] else "*")
    lines = [
        "",
        _headline(view, teller, paint),
    ]
    if hand.HasField("knocked") and hand.knocked.seat == them:
        lines.append(_row(name, _spread(view, paint)))
    else:
        hidden = [paint.backs(theirs.hidden)] if theirs.hidden else []
        known = [paint.cards(by_rank(theirs.cards))] if theirs.cards else []
        lines.append(_row(name, " ".join(hidden + known)))
    lines.append(_row("stock", f"{hand.stock} cards"))
    lines.append(_row("pile", _pile(view, paint)))
    lines.append(_row("you", _own(view, paint)))
    lines.append("")
    return "\n".join(lines)


def _headline(view: View, teller: Teller, paint: Paint) -> str:
    hand, you = view.hand, view.seat
    limit = "gin only" if hand.gin_only else f"knock with {hand.knock_limit}"
    parts = [
        f"Hand {hand.number}",
        f"you {view.points[you]}",
        f"{teller.name(1 - you)[:_NAME]} {view.points[1 - you]}",
        limit,
    ]
    if view.clock.bank_ms:
        minutes, seconds = divmod(max(view.clock.bank_ms[you], 0) // 1000, 60)
        parts.append(f"{minutes}:{seconds:02} left")
    text = " · ".join(parts) if paint.symbols else " - ".join(parts)
    return "  " + paint.strong(text)


def _row(name: str, text: str) -> str:
    return f"  {name[:_NAME]:<{_NAME}} {text}"


def _spread(view: View, paint: Paint) -> str:
    """Return what the knocker laid down, its melds numbered for lay-offs."""
    knocked = view.hand.knocked
    melds = "  ".join(
        f"{paint.faint(f'{number}:')} {paint.cards(meld.cards)}"
        for number, meld in enumerate(knocked.melds, start=1)
    )
    left = paint.cards(knocked.deadwood)
    return f"{melds}  and {left} ({points(knocked.deadwood)})" if left else melds


def _pile(view: View, paint: Paint) -> str:
    cards = view.hand.discard_pile
    if not cards:
        return paint.faint("empty")
    more = paint.faint("… " if paint.symbols else "... ") if len(cards) > _PILE else ""
    below = paint.cards(cards[-_PILE:-1])
    return f"{more}{below}{' ' if below else ''}[{paint.card(cards[-1])}]"


def _own(view: View, paint: Paint) -> str:
    """Return the own hand: melds first, then what is in none, the high cards last."""
    best = arrange(held(view), None)
    fresh = view.hand.drawn
    melds = [paint.cards(meld, fresh) for meld in best.melds]
    loose = paint.cards(by_rank(map(str, best.deadwood)), fresh)
    cards = "  ".join((*melds, loose) if loose else melds)
    return f"{cards}   {paint.faint(f'deadwood {best.points}')}"
