"""The hands of the EAAI challenge's games, each turned into a script and played again."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from ginrummy.replay.eaai.lines import EaaiError, Said, read_cards, read_lines, read_melds
from ginrummy.replay.script import Refused, Result, play_script
from ginrummy.rules.cards import DECK, Card, write_cards

__all__ = ["EaaiHand", "read_hands"]


class EaaiHand(msgspec.Struct, frozen=True):
    """One hand."""

    game: int
    """Which game of the text it is of, from 1."""
    hand: int
    """Which hand of the game, from 1."""
    script: bytes
    """The hand as `gin script` takes it, without a line end."""
    result: Result
    """How it ended, here and there."""
    forfeit: str | None
    """What a player did that the challenge forfeits the game for; the hand was broken off."""


def read_hands(lines: Iterable[str]) -> Iterator[EaaiHand]:
    """Yield the hands that a text tells, in their order.

    Raises EaaiError for a line that is not of the challenge's form, and for a hand that the rules
    do not play as the text tells it, or to another result.
    """
    game, number, scores = 1, 0, [0, 0]
    hand: _Hand | None = None
    for said in read_lines(lines):
        if said.what == "dealt" and (hand is None or hand.is_dealt):
            if hand is not None:
                number += 1
                yield hand.played(game, number, scores)
                if hand.ends_game:
                    game, number, scores = game + 1, 0, [0, 0]
            hand = _Hand(said.number)
        if hand is None:
            if said.what != "summary":
                raise EaaiError(said.number, "no hand has been dealt before it")
            continue
        hand.add(said)
    if hand is not None:
        yield hand.played(game, number + 1, scores)


class _Hand:
    """One hand as its lines come."""

    def __init__(self, number: int) -> None:
        self._first = self._last = number
        self._dealt: dict[int, tuple[Card, ...]] = {}
        self._starter: int | None = None
        self._pile: list[Card] = []
        self._upcard: Card | None = None
        self._drawn: list[Card] = []
        self._moves: list[dict[str, Any]] = []
        self._lines: list[int] = []
        self._spread: list[tuple[Card, ...]] = []
        self._scores: dict[int, int] = {}
        self._forfeit: str | None = None
        self._is_gin = self._is_void = False
        self.ends_game = False
        """The game is over with it."""

    @property
    def is_dealt(self) -> bool:
        """Whether all that begins a hand has been said."""
        return self._upcard is not None

    def add(self, said: Said) -> None:
        """Take the next line."""
        self._last = said.number
        if said.what not in ("dealt", "starts", "upcard", "summary") and self._upcard is None:
            raise EaaiError(said.number, "the hand has not been dealt before it")
        match said.what:
            case "dealt":
                self._dealt[said.seat] = read_cards(said, said.words[0])
            case "starts":
                self._starter = said.seat
            case "upcard":
                (self._upcard,) = read_cards(said, said.words[0])
                self._pile = [self._upcard]
            case "score":
                self._scores[said.seat] = int(said.words[0])
            case "void":
                self._is_void = True
            case "wins":
                self.ends_game = True
            case "forfeits":
                self.ends_game, self._forfeit = True, f"player {said.seat} {said.words[0]}"
            case _:
                self._move(said)

    def _move(self, said: Said) -> None:
        match said.what:
            case "declines":
                self._do(said, "pass")
            case "draws":
                (card,) = read_cards(said, said.words[0])
                if self._pile and card is self._pile[-1]:
                    self._pile.pop()
                    self._do(said, "take")
                else:
                    self._drawn.append(card)
                    self._do(said, "draw")
            case "discards":
                (card,) = read_cards(said, said.words[0])
                self._pile.append(card)
                self._do(said, "discard", card=str(card))
            case "knocks" | "gin":
                self._knock(said)
            case "melds":
                # After gin the rules arrange the opponent's melds, as well as can be.
                melds = [write_cards(meld) for meld in read_melds(said, said.words[0])]
                if not self._is_gin:
                    self._do(said, "lay_off", melds=melds, layoffs=[])
            case "lays_off":
                self._lay_off(said)
            case _:
                pass

    def _do(self, said: Said, what: str, **fields: object) -> None:
        self._moves.append({"seat": said.seat, "do": what, **fields})
        self._lines.append(said.number)

    def _knock(self, said: Said) -> None:
        """Turn the discard before it into the knock that it was."""
        if not self._moves or self._moves[-1]["do"] != "discard":
            raise EaaiError(said.number, "nobody has discarded before it")
        self._spread = list(read_melds(said, said.words[0]))
        self._is_gin = said.what == "gin"
        melds = [write_cards(meld) for meld in self._spread]
        self._moves[-1] |= {"do": "knock", "melds": melds}

    def _lay_off(self, said: Said) -> None:
        if not self._moves or self._moves[-1]["do"] != "lay_off":
            raise EaaiError(said.number, "the player has not melded before it")
        on = read_cards(said, said.words[1])
        if on not in self._spread:
            raise EaaiError(said.number, f"{write_cards(on)} does not lie on the table")
        index = self._spread.index(on)
        (card,) = read_cards(said, said.words[0])
        self._spread[index] = (*on, card)
        self._moves[-1]["layoffs"].append({"card": str(card), "meld": index})

    # --- played again ---------------------------------------------------------------------------

    def played(self, game: int, number: int, scores: list[int]) -> EaaiHand:
        """Return the hand after the rules have played it, and bring the game's scores forward."""
        script = self._script()
        answer = play_script(script)
        if isinstance(answer, Refused):
            raise EaaiError(
                self._lines[answer.move],
                f"the rules refuse it: {answer.reason.value} ({answer.rule})",
            )
        self._check(answer.result, scores)
        return EaaiHand(game, number, script, answer.result, self._forfeit)

    def _script(self) -> bytes:
        if self._starter is None or set(self._dealt) != {0, 1} or self._upcard is None:
            raise EaaiError(self._first, "the hand does not say what was dealt, and who starts")
        first, second = self._dealt[self._starter], self._dealt[1 - self._starter]
        dealt = [card for pair in zip(first, second, strict=False) for card in pair]
        known = [*dealt, self._upcard, *self._drawn]
        # Nobody saw the rest of the stock, and nothing follows from its order.
        deck = [*known, *(card for card in DECK if card not in known)]
        if len(first) + len(second) != 20 or len(deck) != len(DECK):
            raise EaaiError(
                self._first, "the hand does not deal ten cards each, all of them others"
            )
        return msgspec.json.encode(
            {
                "rules": "eaai",
                "deck": write_cards(deck),
                "dealer": 1 - self._starter,
                "moves": self._moves,
            }
        )

    def _check(self, result: Result, scores: list[int]) -> None:
        """Check that it ended as the text says; the scores there are those of the whole game."""
        if self._scores:
            before = list(scores)
            if result.winner is not None:
                scores[result.winner] += result.points
            said = [self._scores.get(seat, 0) for seat in (0, 1)]
            if said != scores:
                raise EaaiError(
                    self._last,
                    f"from {before[0]} and {before[1]} the hand goes to {said[0]} and {said[1]}"
                    f" there, and to {scores[0]} and {scores[1]} by the rules",
                )
        if self._forfeit is not None:
            return
        if self._is_void != (result.kind == "void"):
            raise EaaiError(self._last, f"the hand is {result.kind} by the rules")
        if self._scores and result.kind == "open":
            raise EaaiError(self._last, "the hand is over there, and goes on by the rules")
