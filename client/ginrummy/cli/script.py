"""`gin script`: whole hands from stacked decks, played by the rules and nobody else."""

from typing import Any, Literal, TypeAlias, assert_never

import click
import msgspec

from ginrummy.cli.lazy import examples
from ginrummy.cli.lines import UnusableLineError, answer_lines, standard_input
from ginrummy.rules import hand
from ginrummy.rules.cards import DECK, Seat, parse_card, parse_cards
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Take
from ginrummy.rules.errors import IllegalMoveError
from ginrummy.rules.events import HandDealt, HandScored, LayOffCard, Meld
from ginrummy.rules.ruleset import Ruleset, make_ruleset

__all__ = ["script"]


_FORMS = """\b
One line in:
  {"rules": "standard", or {"preset": "classic", FIELD: VALUE...},
   "deck": "52 cards, the first one dealt first", "dealer": 0,
   "moves": [{"seat": 1, "do": "take"}, ...]}

\b
The moves:
  {"seat": 0 or 1, "do": "pass", "take", "draw", or
   "discard"  with "card": "KS"
   "knock"    with "card": "KS", and "melds": ["2D 2C 2H", ...] or none for the best
   "big_gin"  with "melds" or none
   "lay_off"  with "melds" and "layoffs": [{"card": "2S", "meld": 0}, ...] in their order,
              or with "auto": true for the best}

\b
One line out:
  {"ok": true, "result": {"kind": "knock", "gin", "big_gin", "undercut", "void" or "open",
   "winner": 0, 1 or null, "points": N, "deadwood": [seat 0's, seat 1's] or null}}
  {"ok": false, "move": the refused one's index, "reason": "WRONG_PHASE", "rule": "T1"}"""


@click.command(
    epilog="\n\n".join(
        (
            _FORMS,
            examples(
                "gin script - < hands.jsonl",
                "gin script - < hands.jsonl | jq -r 'select(.ok) | .result.kind' | sort | uniq -c",
            ),
        )
    )
)
@standard_input
def script() -> None:
    """Play scripted hands.

    Takes a hand a line of standard input, as JSON: a stacked deck and the moves of both seats.
    Answers each with a line: how it ended, or which move is refused first, and why.
    """
    answer_lines(_played)


class _Wish(
    msgspec.Struct,
    tag_field="do",
    tag=lambda name: name.strip("_").lower(),
    forbid_unknown_fields=True,
):
    """A scripted move: who is to make it, and which."""

    seat: Seat


class _Pass(_Wish): ...


class _Take(_Wish): ...


class _Draw(_Wish): ...


class _Discard(_Wish):
    card: str


class _Knock(_Wish):
    card: str
    melds: list[str] | None = None


class _BigGin(_Wish, tag="big_gin"):
    melds: list[str] | None = None


class _LaidOff(msgspec.Struct, forbid_unknown_fields=True):
    card: str
    meld: int


class _LayOff(_Wish, tag="lay_off"):
    melds: list[str] | None = None
    layoffs: list[_LaidOff] = []
    auto: bool = False


_AnyWish: TypeAlias = _Pass | _Take | _Draw | _Discard | _Knock | _BigGin | _LayOff


class _Script(msgspec.Struct, forbid_unknown_fields=True):
    deck: str
    dealer: Seat
    moves: list[_AnyWish]
    rules: str | dict[str, Any] = "standard"


class _Result(msgspec.Struct):
    kind: Literal["knock", "gin", "big_gin", "undercut", "void", "open"]
    winner: Seat | None = None
    points: int = 0
    deadwood: tuple[int, int] | None = None


class _Done(msgspec.Struct, kw_only=True):
    ok: bool = True
    result: _Result


class _Refused(msgspec.Struct, kw_only=True):
    ok: bool = False
    move: int
    """The index of the first refused move."""
    reason: str
    rule: str


_read = msgspec.json.Decoder(_Script).decode
_write = msgspec.json.Encoder().encode


def _played(line: str) -> str:
    try:
        scripted = _read(line)
    except msgspec.MsgspecError as error:
        raise UnusableLineError(str(error)) from error
    return _write(_play(scripted)).decode()


def _play(scripted: _Script) -> _Done | _Refused:
    deck = parse_cards(scripted.deck)
    if len(deck) != len(DECK):
        raise UnusableLineError(f"the deck has {len(deck)} cards, not {len(DECK)}")
    moves = [(wish.seat, _move(wish)) for wish in scripted.moves]
    dealt, *after = hand.deal(_ruleset(scripted.rules), 1, scripted.dealer, deck)
    assert isinstance(dealt, HandDealt)
    present: hand.Hand = hand.start(_ruleset(scripted.rules), dealt, deck)
    for event in after:
        present = hand.evolve(present, event)
    for index, (seat, move) in enumerate(moves):
        try:
            events = hand.decide(present, seat, move)
        except IllegalMoveError as refusal:
            return _Refused(move=index, reason=refusal.reason.value, rule=refusal.rule)
        for event in events:
            present = hand.evolve(present, event)
    return _Done(result=_result(present))


def _result(present: hand.Hand) -> _Result:
    if not isinstance(present, hand.Finished):
        return _Result("open")
    scored = present.result
    if isinstance(scored, HandScored):
        return _Result(scored.kind, scored.winner, scored.points, scored.deadwood)
    return _Result("void")


def _ruleset(rules: str | dict[str, Any]) -> Ruleset:
    if isinstance(rules, str):
        return make_ruleset(rules)
    fields = dict(rules)
    preset = fields.pop("preset", "standard")
    if not isinstance(preset, str):
        raise UnusableLineError("rules: the preset is not a name")
    return make_ruleset(preset, fields)


def _move(wish: _AnyWish) -> Move:
    match wish:
        case _Pass():
            return Pass()
        case _Take():
            return Take()
        case _Draw():
            return Draw()
        case _Discard():
            return Discard(parse_card(wish.card))
        case _Knock():
            return Knock(parse_card(wish.card), _melds(wish.melds))
        case _BigGin():
            return BigGin(_melds(wish.melds))
        case _LayOff():
            return _lay_off(wish)
        case _:
            assert_never(wish)


def _lay_off(wish: _LayOff) -> LayOff:
    if wish.auto and (wish.melds is not None or wish.layoffs):
        raise UnusableLineError("lay_off is either auto or names melds and layoffs")
    layoffs = tuple(LayOffCard(parse_card(one.card), one.meld) for one in wish.layoffs)
    return LayOff(_melds(wish.melds), layoffs)


def _melds(melds: list[str] | None) -> tuple[Meld, ...] | None:
    # Each card is read by itself: one that is named twice is for the rules to refuse (M3).
    if melds is None:
        return None
    return tuple(tuple(map(parse_card, meld.split())) for meld in melds)
