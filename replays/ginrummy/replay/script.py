"""One scripted hand: its deck and its moves in, its result or the first refused move out.

    line of JSON ──read──> Script ──play──> Played | Refused ──write──> line of JSON

The script only names cards and moves. Whether a move is allowed, and what comes of it, is the
rules engine's to say.
"""

from typing import Any, Literal, TypeAlias, assert_never

import msgspec

from ginrummy.rules import hand as hands
from ginrummy.rules.cards import BySeat, Card, Deck, Seat, UnreadableCardError, parse_card
from ginrummy.rules.commands import BigGin, Discard, Draw, Knock, LayOff, Move, Pass, Resign, Take
from ginrummy.rules.errors import IllegalMoveError, InvalidRulesetError, Reason
from ginrummy.rules.events import HandDealt, HandKind, HandScored, HandVoided, LayOffCard, Meld
from ginrummy.rules.hand import Hand
from ginrummy.rules.ruleset import Ruleset, make_ruleset

__all__ = ["Answer", "Played", "Refused", "Result", "ScriptError", "play_script", "write_answer"]


class ScriptError(ValueError):
    """A script that cannot be read. An illegal move is no such fault: it is answered."""


class Result(msgspec.Struct, frozen=True):
    """How a scripted hand stands when its moves are made."""

    kind: HandKind | Literal["void", "open"]
    """`open` where the moves end before the hand does, or with a resignation."""
    winner: Seat | None
    points: int
    deadwood: BySeat[int] | None
    """Each seat's final count in points, after the lay-offs; None where nothing was scored."""


class Played(msgspec.Struct, frozen=True):
    """Every move was legal."""

    result: Result
    ok: Literal[True] = True


class Refused(msgspec.Struct, frozen=True):
    """A move was refused; no later one was looked at."""

    move: int
    """Its index in the script, 0 for the first."""
    reason: Reason
    rule: str
    """The number of the rule that it breaks; empty where none stands behind the refusal."""
    ok: Literal[False] = False


Answer: TypeAlias = Played | Refused
"""What a script is answered with."""


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """The common form of a scripted move; `do` says which."""

    seat: Seat


class _Pass(_Step, frozen=True, tag="pass"):
    pass


class _Take(_Step, frozen=True, tag="take"):
    pass


class _Draw(_Step, frozen=True, tag="draw"):
    pass


class _Discard(_Step, frozen=True, tag="discard"):
    card: str


class _Knock(_Step, frozen=True, tag="knock"):
    card: str
    melds: tuple[str, ...] | None = None


class _BigGin(_Step, frozen=True, tag="big_gin"):
    melds: tuple[str, ...] | None = None


class _ScriptedLayOff(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    meld: int


class _LayOff(_Step, frozen=True, tag="lay_off"):
    melds: tuple[str, ...] | None = None
    layoffs: tuple[_ScriptedLayOff, ...] = ()
    auto: bool = False


class _Resign(_Step, frozen=True, tag="resign"):
    pass


_ScriptedMove: TypeAlias = _Pass | _Take | _Draw | _Discard | _Knock | _BigGin | _LayOff | _Resign


class _Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deck: str
    dealer: Seat
    moves: tuple[_ScriptedMove, ...]
    rules: str | dict[str, Any] = "standard"


_READER = msgspec.json.Decoder(_Script)


def play_script(line: bytes | str) -> Answer:
    """Return the answer to one script, a JSON object.

    Raises ScriptError, with a text for whoever wrote it, where the script cannot be read.
    """
    script = _read(line)
    rules = _ruleset(script.rules)
    deck = _deck(script.deck)
    moves = [(step.seat, _move(step, index)) for index, step in enumerate(script.moves)]
    return _play(rules, deck, script.dealer, moves)


def write_answer(answer: Answer) -> bytes:
    """Return the answer as one line of JSON, without the line's end."""
    fields: dict[str, object]
    match answer:
        case Played(result=result):
            fields = {"ok": True, "result": result}
        case Refused(move=move, reason=reason, rule=rule):
            fields = {"ok": False, "move": move, "reason": reason, "rule": rule}
        case _:
            assert_never(answer)
    return msgspec.json.encode(fields)


def _play(rules: Ruleset, deck: Deck, dealer: Seat, moves: list[tuple[Seat, Move]]) -> Answer:
    """Play the moves, the first refused one being the last."""
    dealt, *others = hands.deal(rules, 1, dealer, deck)
    assert isinstance(dealt, HandDealt)
    hand: Hand = hands.start(rules, dealt, deck)
    for event in others:
        hand = hands.evolve(hand, event)
    resigned = False
    for index, (seat, move) in enumerate(moves):
        if resigned:
            return Refused(index, Reason.MATCH_OVER, "X3")
        if isinstance(move, Resign):
            if isinstance(hand, hands.Finished):
                return Refused(index, Reason.HAND_OVER, "")
            resigned = True
            continue
        try:
            events = hands.decide(hand, seat, move)
        except IllegalMoveError as refusal:
            return Refused(index, refusal.reason, refusal.rule)
        for event in events:
            hand = hands.evolve(hand, event)
    return Played(_result(hand))


def _result(hand: Hand) -> Result:
    if not isinstance(hand, hands.Finished):
        return Result("open", None, 0, None)
    match hand.result:
        case HandScored(kind=kind, winner=winner, points=points, deadwood=deadwood):
            return Result(kind, winner, points, deadwood)
        case HandVoided():
            return Result("void", None, 0, None)
        case _:
            assert_never(hand.result)


# --- reading ------------------------------------------------------------------------------------


def _read(line: bytes | str) -> _Script:
    try:
        return _READER.decode(line)
    except msgspec.ValidationError as fault:
        raise ScriptError(f"the script is not in form: {fault}") from fault
    except (msgspec.DecodeError, UnicodeError) as fault:
        raise ScriptError(f"the script is not a JSON object: {fault}") from fault


def _ruleset(named: str | dict[str, Any]) -> Ruleset:
    preset, changes = named, {}
    if isinstance(named, dict):
        changes = dict(named)
        preset = changes.pop("preset", "standard")
    if not isinstance(preset, str):
        raise ScriptError(f"rules: preset: {preset!r} is no name")
    try:
        return make_ruleset(preset, changes)
    except InvalidRulesetError as fault:
        raise ScriptError(f"rules: {fault}") from fault


def _deck(text: str) -> Deck:
    deck = _cards(text, "deck")
    if len(deck) != 52:
        raise ScriptError(f"deck: {len(deck)} cards are no deck, 52 are")
    twice = {card for card in deck if deck.count(card) > 1}
    if twice:
        raise ScriptError(f"deck: {min(map(str, twice))} is in it more than once")
    return deck


def _cards(text: str, where: str) -> tuple[Card, ...]:
    # Word by word: a card that a meld names twice is the rules' to refuse (M3), not the reader's.
    return tuple(_card(word, where) for word in text.replace(",", " ").split())


def _card(text: str, where: str) -> Card:
    try:
        return parse_card(text)
    except UnreadableCardError as fault:
        raise ScriptError(f"{where}: {fault}") from fault


def _melds(texts: tuple[str, ...] | None, where: str) -> tuple[Meld, ...] | None:
    if texts is None:
        return None
    return tuple(_cards(text, where) for text in texts)


def _move(step: _ScriptedMove, index: int) -> Move:
    where = f"move {index}"
    match step:
        case _Pass():
            return Pass()
        case _Take():
            return Take()
        case _Draw():
            return Draw()
        case _Discard(card=card):
            return Discard(_card(card, where))
        case _Knock(card=card, melds=melds):
            return Knock(_card(card, where), _melds(melds, where))
        case _BigGin(melds=melds):
            return BigGin(_melds(melds, where))
        case _LayOff():
            return _lay_off(step, where)
        case _Resign():
            return Resign()
        case _:
            assert_never(step)


def _lay_off(step: _LayOff, where: str) -> LayOff:
    if step.auto:
        if step.melds or step.layoffs:
            raise ScriptError(f"{where}: either auto, or melds and layoffs")
        return LayOff()
    layoffs = tuple(LayOffCard(_card(one.card, where), one.meld) for one in step.layoffs)
    return LayOff(_melds(step.melds, where), layoffs)
