"""Logs that somebody has spoiled: one change each, raw or with every link made good after it.

    a log -> mutants(log, rng) -> Mutant(kind, forged, lines)

A raw mutant is what an accident or a clumsy hand leaves. A forgery is what only the log's own
writer could leave: all numbers and hashes after the change are right again.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from support_logs import Log, changed, events_of, relinked, without

from ginrummy.log.instants import read_instant, write_instant

__all__ = ["CLASSES", "Mutant", "mutant"]


class Mutant(NamedTuple):
    """A log with one change."""

    kind: str
    """What was changed: one of CLASSES."""
    type: str
    """The event in whose line it was changed; empty where whole lines were."""
    field: str
    """Which field; empty where whole lines were."""
    forged: bool
    """The links were made good after the change."""
    lines: Log


_Json = dict[str, Any]
_Change = tuple[str, _Json] | None

_ORIGIN: _Json = {
    "kind": "fork",
    "match": "m_" + "0" * 26,
    "seq": 7,
    "hash": "0" * 64,
    "hand": 1,
    "scores": [0, 0],
    "hands_won": [0, 0],
    "unseen": "same",
    "seat": None,
    "position": "0" * 64,
    "moves": 3,
}

_RANKS, _SUITS = "A23456789TJQK", "SHDC"


def _other(rng: random.Random, value: object, *choices: object) -> object:
    return rng.choice([choice for choice in choices if choice != value])


def _other_card(rng: random.Random, card: str) -> str:
    return str(_other(rng, card, *(rank + suit for rank in _RANKS for suit in _SUITS)))


def _other_digit(rng: random.Random, digits: str) -> str:
    place = rng.randrange(len(digits))
    digit = str(_other(rng, digits[place], *"0123456789abcdef"))
    return digits[:place] + digit + digits[place + 1 :]


# --- the classes: each returns the changed field's name and the changed line ----------------------


def _card(line: _Json, rng: random.Random) -> _Change:
    data = line["data"]
    places: list[tuple[str, list[Any] | _Json, int | str]] = [
        (name, data, name) for name in ("card", "upcard") if name in data
    ]
    places += [("melds", meld, i) for meld in data.get("melds", ()) for i in range(len(meld))]
    places += [("layoffs", layoff, "card") for layoff in data.get("layoffs", ())]
    if line["type"] in ("knocked", "laid_off"):
        places += [("deadwood", data["deadwood"], i) for i in range(len(data["deadwood"]))]
    if not places:
        return None
    name, holder, key = rng.choice(places)
    holder[key] = _other_card(rng, holder[key])  # type: ignore[index]  # the key is the holder's
    return name, line


def _meld(line: _Json, rng: random.Random) -> _Change:
    """Move cards between melds, lay-offs and deadwood, or into another order."""
    data = line["data"]
    if line["type"] not in ("knocked", "laid_off"):
        return None
    match rng.randrange(5):
        case 0 if len(data["melds"]) > 1:
            data["melds"].reverse()
            return "order", line
        case 1 if data["melds"]:
            data["melds"][-1].reverse()
            return "order", line
        case 2 if len(data["deadwood"]) > 1:
            data["deadwood"].reverse()
            return "deadwood", line
        case 3 if data["melds"]:
            order = [rank + suit for suit in _SUITS for rank in _RANKS]
            data["deadwood"] = sorted(data["deadwood"] + data["melds"].pop(), key=order.index)
            return "melds", line
        case 4 if data.get("layoffs"):
            layoff = rng.choice(data["layoffs"])
            layoff["meld"] = _other(rng, layoff["meld"], -1, 0, 1, 2, 3)
            return "layoffs", line
    return None


_SCORES = {
    "hand_scored": "points difference bonus deadwood kind winner doubled",
    "match_ended": "points hands_won game_bonus box_bonus totals doubled winner reason",
    "hand_voided": "reason",
    "forfeited": "reason",
    "knocked": "gin",
    "result_adjusted": "points hands_won game_bonus box_bonus totals doubled winner reason",
}


def _score(line: _Json, rng: random.Random) -> _Change:
    names = _SCORES.get(line["type"])
    if names is None:
        return None
    name = rng.choice(names.split())
    match line["data"][name]:
        case bool() as value:
            line["data"][name] = not value
        case [*values]:
            place = rng.randrange(2)
            values[place] += rng.choice((-1, 1, 10))
            line["data"][name] = values
        case str() as value:
            words = {
                "kind": ("knock", "undercut", "gin", "big_gin"),
                "hand_voided": ("stock", "discard_draws"),
                "forfeited": ("illegal_moves", "crash", "stall", "no_show", "withdrawn"),
                "match_ended": ("target", "hands", "resigned", "clock", "aborted", "crash"),
                "result_adjusted": ("target", "hands", "resigned", "ruling", "aborted"),
            }
            of = "kind" if name == "kind" else line["type"]
            line["data"][name] = _other(rng, value, *words[of])
        case value if name == "winner":
            line["data"][name] = _other(rng, value, 0, 1, None)
        case value:
            line["data"][name] = value + rng.choice((-1, 1, 10))
    return name, line


def _number(line: _Json, rng: random.Random) -> _Change:
    if line["data"].get("hand") is None:
        return None
    line["data"]["hand"] += rng.choice((-1, 1, 5, 10**20))
    return "hand", line


def _time(line: _Json, rng: random.Random) -> _Change:
    shift = rng.choice((-3_600_000_000, -1_000_000, -1, 1, 700_000, 30_000_000, 90_000_000_000))
    line["at"] = write_instant(read_instant(line["at"]) + shift)
    return "earlier" if shift < 0 else "later", line


def _name(line: _Json, rng: random.Random) -> _Change:
    if "name" not in line["data"]:
        return None
    line["data"]["name"] += rng.choice(("x", '"', "\\", "\x07", "ü", "\u2028", "\x7f"))
    return "name", line


def _rule(line: _Json, rng: random.Random) -> _Change:
    if line["type"] != "match_created":
        return None
    rules = line["data"]["rules"]
    name = rng.choice(sorted(rules))
    match rules[name]:
        case bool() as value:
            rules[name] = not value
        case str() as value:
            rules[name] = _other(rng, value, "alternate", "loser", "winner")
        case None:
            rules[name] = rng.choice((1, 5, 7, 13))
        case value:
            rules[name] = _other(rng, value, None, -1, 0, 1, 4, 10, value + 1, value - 1)
    return name, line


def _terms(line: _Json, rng: random.Random) -> _Change:
    """Change what else `match_created` fixes."""
    if line["type"] != "match_created":
        return None
    data = line["data"]
    name = rng.choice(sorted({*data} - {"rules", "commitment", "name"}))
    match name:
        case "clock":
            clock = {"bank_ms": 9_000, "increment_ms": 0, "decision_ms": None}
            data[name] = clock if data[name] is None else None
        case "limits":
            limit = rng.choice(sorted(data[name]))
            data[name][limit] = rng.choice((-1, 0, 1, 2_000, data[name][limit] + 1, 10**20))
        case "reveal":
            data[name] = _other(rng, data[name], "match", "hand", "director")
        case "chain":
            data[name] += rng.choice((-data[name], -data[name] + 1, -1, 1, 10**20))
        case "board":
            if data[name] is None:
                data[name] = {"tournament": "t_x", "number": 1, "mix": "0" * 64}
            else:
                data[name] = rng.choice((None, data[name] | {"number": data[name]["number"] + 1}))
        case "first_dealer":
            data[name] = _other(rng, data[name], None, 0, 1)
        case "signing":
            data[name] = _other(rng, data[name], "off", "optional", "required")
        case "dispute_ms":
            data[name] = rng.choice((-1, data[name] + 1, 10**20))
        case "origin":
            data[name] = _ORIGIN if data[name] is None else rng.choice((None, _origin(data, rng)))
        case _:
            data[name] = [rng.choice((None, "p_somebody")), data[name][1]]
    return name, line


def _origin(data: _Json, rng: random.Random) -> _Json:
    """Return the origin of a fork with another value in one of its fields."""
    origin: _Json = data["origin"]
    name = rng.choice(sorted(origin))
    changes: _Json = {
        "kind": "replay",
        "match": "m_" + "0" * 26,
        "unseen": _other(rng, origin["unseen"], "same", "reshuffled", "fresh"),
        "seat": _other(rng, origin["seat"], None, 0, 1),
        "position": rng.choice((None, "0" * 64)),
        "hash": _other_digit(rng, origin["hash"]),
    }
    if name in ("scores", "hands_won"):
        changes[name] = [origin[name][0] + rng.choice((-1, 1, 10, 10**20)), origin[name][1]]
    elif name not in changes:
        changes[name] = max(name != "moves", origin[name] + rng.choice((-1, 1, 10**20)))
    return origin | {name: changes[name]}


def _position(line: _Json, rng: random.Random) -> _Change:
    """Change what comes out of a fork's position."""
    if line["type"] != "position_revealed":
        return None
    cards = line["data"]["cards"]
    match rng.randrange(4):
        case 0:
            line["data"]["salt"] = _other_digit(rng, line["data"]["salt"])
            return "salt", line
        case 1:
            place = rng.randrange(52)
            held = [card for card in cards if card is not None]
            cards[place] = None if cards[place] is not None else _other_card(rng, rng.choice(held))
        case 2:
            first, second = rng.sample(range(52), 2)
            cards[first], cards[second] = cards[second], cards[first]
        case _:
            cards.pop()
    return "cards", line


_REASONS = ("score_wrong", "card_not_in_deck", "log_changed", "conduct", "other", "unknown")
_TEXTS = ("", " ", "x" * 1000, "x" * 1001, "a\tb", "a\nb", "a\u202eb", "a\x00b", "It is ♠.")


def _claim(line: _Json, rng: random.Random) -> _Change:
    """Change what somebody claims, or the words of whoever appeals or rules."""
    data = line["data"]
    match line["type"]:
        case "dispute_opened":
            name = rng.choice(("dispute", "hand", "event", "scored", "reason", "text"))
        case "dispute_appealed":
            name = rng.choice(("dispute", "text"))
        case "dispute_ruled":
            name = "why"
        case _:
            return None
    match name:
        case "dispute":
            data[name] = _other(rng, data[name], 0, 1, 2, 3, 4)
        case "hand":
            data[name] = _other(rng, data[name], None, 0, 1, 2, 3)
        case "event":
            data[name] = _other(rng, data[name], 0, 1, data[name] - 1, data[name] + 1, 10**20)
        case "scored":
            points = 7 if data[name] is None else data[name]["points"]
            scored = (
                {"winner": seat, "points": points + more} for seat in (0, 1) for more in (0, 1)
            )
            data[name] = _other(rng, data[name], None, {"winner": 0, "points": -1}, *scored)
        case "reason":
            data[name] = _other(rng, data[name], *_REASONS)
        case _:
            data[name] = _other(rng, data[name], *_TEXTS)
    return "words" if name in ("text", "why") else name, line


def _ruling(line: _Json, rng: random.Random) -> _Change:
    """Change what a director rules, or what has come of it."""
    data = line["data"]
    match line["type"]:
        case "dispute_ruled":
            name = rng.choice(("dispute", "instance", "ruling", "points", "seat", "rule"))
        case "hand_replayed":
            name = rng.choice(("dispute", "instance", "match", "seq", "hash", "reason", "scored"))
        case "result_adjusted":
            name = "dispute"
        case _:
            return None
    match name:
        case "dispute":
            data[name] = _other(rng, data[name], 0, 1, 2, 3, 4)
        case "instance":
            data[name] = _other(rng, data[name], 0, 1, 2, 3)
        case "ruling":
            kinds = ("dismiss", "uphold", "adjust", "void", "replay", "forfeit", "unknown")
            data[name] = _other(rng, data[name], *kinds)
        case "points":
            place = rng.randrange(2)
            data[name][place] += rng.choice((-1, 1, -(10**6), 10**7, 10**20))
        case "seat":
            data[name] = _other(rng, data[name], None, 0, 1)
        case "rule":
            data[name] = _other(rng, data[name], "", "R1", "R10", "S1", "Q1", "T2", "S1 ")
        case "match":
            data[name] = data[name][:2] + _other_digit(rng, "0123456789abcdef") + data[name][18:]
        case "seq":
            data[name] = _other(rng, data[name], 0, 1, data[name] + 1, 10**20)
        case "hash":
            data[name] = _other_digit(rng, data[name])
        case "reason":
            data[name] = _other(rng, data[name], "hands", "resigned", "aborted", "clock", "target")
        case _:
            data[name] = _other(
                rng, data[name], None, {"winner": 0, "points": 1}, {"winner": 1, "points": 20}
            )
    return name, line


def _seat(line: _Json, rng: random.Random) -> _Change:
    names = [name for name in ("seat", "dealer", "winner") if line["data"].get(name) in (0, 1)]
    if not names:
        return None
    name = rng.choice(names)
    line["data"][name] = 1 - line["data"][name]
    return name, line


def _of_hex(*names: str) -> Callable[[_Json, random.Random], _Change]:
    def change(line: _Json, rng: random.Random) -> _Change:
        held = [name for name in names if line["data"].get(name)]
        if not held:
            return None
        name = rng.choice(held)
        line["data"][name] = _other_digit(rng, line["data"][name])
        return name, line

    return change


def _request(line: _Json, rng: random.Random) -> _Change:
    line["cmd"] = _other(rng, line["cmd"], "", line["cmd"] + "x", "another")
    return "cmd", line


def _by(line: _Json, rng: random.Random) -> _Change:
    line["by"] = _other(rng, line["by"], "server", "p_" + "0" * 26, line["by"][:-1] + "0")
    return "by", line


def _player(line: _Json, rng: random.Random) -> _Change:
    if line["type"] != "player_joined":
        return None
    name = rng.choice(("player", "nonce_by", "key", "nonce_commitment"))
    other = {
        "player": "p_" + "0" * 26,
        "nonce_by": _other(rng, line["data"]["nonce_by"], "server", "player", None),
        "key": "ab" * 32,
        "nonce_commitment": _other(rng, line["data"]["nonce_commitment"], None, "ab" * 32),
    }
    line["data"][name] = other[name]
    return name, line


_KEYS = (
    None,
    "ab" * 32,
    "01" + "00" * 31,  # of order 1: any text is signed under it
    "ec" + "ff" * 30 + "7f",  # of order 2
    "ee" + "ff" * 31,  # another spelling of a point
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",  # somebody else's
)


def _key(line: _Json, rng: random.Random) -> _Change:
    if line["type"] != "player_joined":
        return None
    key = line["data"]["key"]
    other = _other(rng, key, *_KEYS)
    line["data"]["key"] = _other_digit(rng, key) if key and rng.random() < 0.3 else other
    return "key", line


def _signature(line: _Json, rng: random.Random) -> _Change:
    """Change a signature, take it away, or put one where there is none."""
    prev, sig = line.pop("prev"), line.pop("sig", None)
    if sig is None:
        line["sig"] = rng.choice(("ab" * 64, "00" * 64, "01" + "00" * 63))
    elif rng.random() < 0.7:
        line["sig"] = _other(rng, _other_digit(rng, sig), sig[64:] + sig[:64], sig.upper())
    line["prev"] = prev
    return "sig", line


def _stream(line: _Json, rng: random.Random) -> _Change:
    line["stream"] = _other_digit(rng, line["stream"][2:])
    return "stream", line


def _type(line: _Json, rng: random.Random) -> _Change:
    kinds = ("stock_drawn", "upcard_passed", "resigned", "clock_expired", "secret_revealed")
    line["type"] = _other(rng, line["type"], *kinds)
    return "type", line


def _hash(line: _Json, rng: random.Random) -> _Change:
    line["prev"] = _other_digit(rng, line["prev"])
    return "prev", line


_FIELDS: Mapping[str, Callable[[_Json, random.Random], _Change]] = {
    "card": _card,
    "meld": _meld,
    "score": _score,
    "number": _number,
    "time": _time,
    "name": _name,
    "rule": _rule,
    "terms": _terms,
    "position": _position,
    "claim": _claim,
    "ruling": _ruling,
    "seat": _seat,
    "nonce": _of_hex("nonce", "nonce_commitment"),
    "secret": _of_hex("secret", "commitment"),
    "request": _request,
    "by": _by,
    "player": _player,
    "key": _key,
    "signature": _signature,
    "stream": _stream,
    "type": _type,
}
"""The classes of changes in one line that a forger may make good."""

_OF_LINES = ("swap", "cut-tail", "cut-middle", "double", "signature-moved")

CLASSES = (*_FIELDS, "hash", "byte", *_OF_LINES)
"""What can be changed in a log."""

_TRIES = 20
_SELDOM = (
    *("match_created", "player_joined", "nonce_revealed", "hand_dealt", "knocked", "laid_off"),
    *("hand_scored", "hand_voided", "match_ended", "secret_revealed", "clock_resumed"),
    "position_revealed",
    *("dispute_opened", "dispute_ruled", "dispute_appealed", "hand_replayed", "result_adjusted"),
)
"""Events that are changed as often as all others together."""

_BYTES = b'0123456789abcdefAKQJTSHDCmp_{}[]":,.-TZ \\\n\r\x00\xff'


def mutant(log: Log, kind: str, rng: random.Random) -> Mutant | None:
    """Return a log with one change of that class, which is not the log itself.

    None where a few tries found nothing of that class to change.
    """
    seldom = [*events_of(log, *_SELDOM), 0, len(log) - 1]
    made: Mutant | None
    for _ in range(_TRIES):
        if kind in _OF_LINES:
            made = _of_lines(log, kind, rng)
        else:
            index = rng.choice((rng.choice(seldom), rng.randrange(len(log))))
            made = _in_a_line(log, kind, 0 if kind in ("rule", "terms") else index, rng)
        if made is not None and made.lines != log:
            return made
    return None


def _in_a_line(log: Log, kind: str, index: int, rng: random.Random) -> Mutant | None:
    if kind == "byte":
        raw = bytearray(log[index])
        raw[rng.randrange(len(raw))] = rng.choice(_BYTES)
        lines = b"\n".join((*log[:index], bytes(raw), *log[index + 1 :])).split(b"\n")
        return Mutant(kind, "", "", forged=False, lines=lines)
    line: _Json = msgspec.json.decode(log[index])
    event = line["type"]
    found = (_hash if kind == "hash" else _FIELDS[kind])(line, rng)
    if found is None:
        return None
    lines = [*log[:index], msgspec.json.encode(found[1]), *log[index + 1 :]]
    forged = kind != "hash" and rng.random() < 0.7
    return Mutant(kind, event, found[0], forged=forged, lines=relinked(lines) if forged else lines)


def _of_lines(log: Log, kind: str, rng: random.Random) -> Mutant:
    first, second = sorted(rng.sample(range(len(log)), 2))
    match kind:
        case "swap":
            lines = [*log]
            if rng.random() < 0.5:
                second = first + 1
            lines[first], lines[second] = lines[second], lines[first]
        case "cut-tail":
            lines = log[:second]
        case "cut-middle":
            lines = without(log, *range(first, second))
        case "signature-moved":
            lines = _with_signature_moved(log, rng)
        case _:
            lines = [*log[:second], log[first], *log[second:]]
    forged = rng.random() < 0.5
    return Mutant(kind, "", "", forged=forged, lines=relinked(lines) if forged else lines)


def _with_signature_moved(log: Log, rng: random.Random) -> Log:
    """Return the log with the signature of one line in another; the log itself if none is there."""
    signed = [index for index, raw in enumerate(log) if b',"sig":"' in raw]
    if len(signed) < 2:
        return log
    source, target = rng.sample(signed, 2)
    sig = msgspec.json.decode(log[source])["sig"]
    return [*log[:target], changed(log[target], sig=sig), *log[target + 1 :]]
