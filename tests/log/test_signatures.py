"""What is signed of a move, and that it is what the move's line shows and nothing else."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256

import pytest
from support_logs import Table, played
from support_play import eager_move, soak
from support_two_worlds import Position, other_decks

from ginrummy.log.ed25519 import public_key
from ginrummy.log.fold import Fold
from ginrummy.log.lines import GENESIS, MatchLine
from ginrummy.log.signatures import (
    MOVE_EVENTS,
    is_move_signed,
    move_text,
    sign_text,
    signed_text,
    wish_text,
)
from ginrummy.rules import hand as hands
from ginrummy.rules.arrangements import arranged
from ginrummy.rules.cards import Card, Deck, parse_cards
from ginrummy.rules.commands import BigGin, Knock, LayOff, Move, Play
from ginrummy.rules.events import (
    Discarded,
    DiscardTaken,
    HandDealt,
    HandVoided,
    Knocked,
    LaidOff,
    LayOffCard,
    Resigned,
    StockDrawn,
    UpcardPassed,
)
from ginrummy.rules.hand import LayingOff
from ginrummy.rules.match import Ended, Match, Playing, evolve, with_deck
from ginrummy.rules.wishes import wish_of

SECRET = bytes(range(32))
STREAM = "m_4vk2c8w0r6ht9zq3nx5b7jd1ge"

TEXTS = (
    (UpcardPassed(0), "pass"),
    (StockDrawn(1), "draw"),
    (DiscardTaken(0, Card("AH")), "take"),
    (Discarded(1, Card("KC")), "discard KC"),
    (
        Knocked(
            0,
            (parse_cards("7S 7H 7D"), parse_cards("2C 3C 4C 5C")),
            parse_cards("AS 2H 3D"),
            gin=False,
        ),
        "knock | 7S 7H 7D | 2C 3C 4C 5C | deadwood AS 2H 3D",
    ),
    (
        Knocked(
            0,
            (parse_cards("7S 7H 7D"), parse_cards("2C 3C 4C 5C 6C 7C 8C")),
            (),
            gin=True,
        ),
        "knock | 7S 7H 7D | 2C 3C 4C 5C 6C 7C 8C",
    ),
    (
        Knocked(
            0,
            (parse_cards("7S 7H 7D 7C"), parse_cards("AC 2C 3C 4C 5C 6C"), ()),
            parse_cards("9S"),
            gin=True,
        ),
        "big_gin | 7S 7H 7D 7C | AC 2C 3C 4C 5C 6C |  | deadwood 9S",
    ),
    (
        LaidOff(
            1,
            (parse_cards("TS TH TD"),),
            (LayOffCard(Card("6C"), 1), LayOffCard(Card("7C"), 0)),
            parse_cards("9S 5H QH 4D KD"),
        ),
        "lay_off | TS TH TD | 6C>1 7C>0 | deadwood 9S 5H QH 4D KD",
    ),
    (LaidOff(1, (), (), parse_cards("9S 5H")), "lay_off | deadwood 9S 5H"),
    (Resigned(0), "resign"),
)


@pytest.mark.parametrize(("event", "text"), TEXTS, ids=lambda value: str(value)[:20])
def test_a_move_is_signed_as_its_line_shows_it(event: object, text: str) -> None:
    assert isinstance(event, MOVE_EVENTS)
    assert move_text(event) == text


def test_the_signed_text_is_four_lines_for_a_person_to_read() -> None:
    assert signed_text(STREAM, GENESIS, "discard KC") == (
        f"ginrummy/v1/move\n{STREAM}\n{GENESIS}\ndiscard KC\n".encode()
    )


def test_a_signature_holds_for_one_move_on_one_line_of_one_match() -> None:
    event, key = Discarded(1, Card("KC")), public_key(SECRET).hex()
    prev = sha256(b"the line before").hexdigest()
    sig = sign_text(SECRET, signed_text(STREAM, prev, move_text(event)))
    assert len(sig) == 128
    assert is_move_signed(key, STREAM, prev, event, sig)
    assert not is_move_signed(key, STREAM, prev, Discarded(1, Card("QC")), sig)
    assert not is_move_signed(key, STREAM, GENESIS, event, sig)
    assert not is_move_signed(key, STREAM[:-1] + "0", prev, event, sig)
    assert not is_move_signed(public_key(bytes(32)).hex(), STREAM, prev, event, sig)
    assert not is_move_signed(key, STREAM, prev, HandVoided(1, "stock"), sig)


def test_no_second_signature_comes_of_one_without_the_secret() -> None:
    """The half that is a number may not be raised by the group's order."""
    event, key = Discarded(1, Card("KC")), public_key(SECRET).hex()
    sig = sign_text(SECRET, signed_text(STREAM, GENESIS, move_text(event)))
    order = 2**252 + 27742317777372353535851937790883648493
    number = int.from_bytes(bytes.fromhex(sig[64:]), "little") + order
    raised = sig[:64] + number.to_bytes(32, "little").hex()
    assert is_move_signed(key, STREAM, GENESIS, event, sig)
    assert not is_move_signed(key, STREAM, GENESIS, event, raised)


def test_what_a_player_signs_beforehand_is_what_the_line_will_show() -> None:
    """For every legal move of many positions, its arrangement named or left to the server."""
    kinds = set()
    for seed in range(soak(60, 12)):
        rng = random.Random(seed)
        preset = ("standard", "oklahoma", "straight", "eaai")[seed % 4]
        for match in _positions(seed, preset):
            seat = hands.to_move(match.hand)
            assert seat is not None
            cards, run_max = match.hand.layout.hands[seat], match.terms.rules.run_max
            spread = match.hand.knocked.melds if isinstance(match.hand, LayingOff) else ()
            wishes: list[Move] = list(hands.legal_moves(match.hand))
            rng.shuffle(wishes)
            for wish in wishes:
                named = arranged(wish, cards, spread, run_max)
                (event, *_) = hands.decide(match.hand, seat, wish)
                assert hands.decide(match.hand, seat, named)[0] == event
                assert isinstance(event, MOVE_EVENTS)
                assert wish_text(named, cards) == move_text(event)
                kinds.add(type(wish))
    assert {Knock, LayOff} <= kinds


def _positions(seed: int, preset: str) -> list[Playing]:
    found: list[Playing] = []

    def noticed(match: object) -> bool:
        if isinstance(match, Playing) and hands.to_move(match.hand) is not None:
            found.append(match)
        return False

    Table(seed, preset, hands=2).seated().play(eager_move, until=noticed)
    return found


def test_two_worlds_that_differ_in_hidden_cards_have_the_same_signatures() -> None:
    """So nobody can find a drawn or a face-down card by trying which one a signature fits.

    In the other world the same moves are made with other cards in hand, and signed anew.
    """
    seen: Counter[str] = Counter()
    presets = ("standard", "classic", "oklahoma", "eaai")
    for seed in range(soak(300, 40)):
        table = played(
            seed, presets[seed % 4], signing="required", hands=1, reveal="director", chain=1000
        )
        position = position_of(table)
        for eyes in (0, 1, None):
            decks = other_decks(position, eyes, random.Random(seed))
            for line, before in in_the_world_of(decks, table):
                assert isinstance(line.event, MOVE_EVENTS)
                wish = wish_of(before, line.event)
                assert isinstance(wish, Play)
                secret = table.signers[wish.seat]
                assert secret is not None
                cards = before.hand.layout.hands[wish.seat]
                spread = before.hand.knocked.melds if isinstance(before.hand, LayingOff) else ()
                named = arranged(wish.move, cards, spread, table.match.terms.rules.run_max)
                text = signed_text(line.stream, line.prev, wish_text(named, cards))
                assert sign_text(secret, text) == line.sig
                seen[line.type] += 1
                seen["face down"] += isinstance(line.event, Knocked) and wish != wish_of(
                    state_before(table, line), line.event
                )
    assert seen["face down"] > 10
    assert seen["knocked"] > seen["face down"]
    assert seen["laid_off"] > 10


def position_of(table: Table) -> Position:
    """Return a table's whole match, as it ended."""
    hands_of = {}
    for line in table.lines:
        match = state_before(table, line)
        if isinstance(match, Playing):
            hands_of[match.hand.layout.dealt.number] = match.hand
    last = table.match.last if isinstance(table.match, Ended) else None
    assert last is not None
    hands_of[last.layout.dealt.number] = last
    return Position(
        table.stream,
        tuple(table.lines),
        table.players,
        table.secrets,
        table.match,
        tuple(hands_of.values()),
    )


def state_before(table: Table, line: MatchLine) -> Match | None:
    """Return the match as it stood before a line, in the world as it was."""
    fold = Fold(table.secrets)
    for earlier in table.lines[: line.seq - 1]:
        fold.add(earlier)
    return fold.match


def in_the_world_of(decks: Sequence[Deck], table: Table) -> Iterator[tuple[MatchLine, Playing]]:
    """Yield each signed line with the match before it, had the hands been dealt these decks."""
    match: Match | None = None
    for line in table.lines:
        if line.sig:
            assert isinstance(match, Playing)
            yield line, match
        match = evolve(match, line.event, line.at)
        if isinstance(line.event, HandDealt):
            match = with_deck(match, decks[line.event.hand - 1])


def test_big_gin_names_all_eleven_cards() -> None:
    table = played(1860, "oklahoma", signing="required", target=120)
    texts = [
        move_text(line.event)
        for line in table.lines
        if line.sig and isinstance(line.event, Knocked)
    ]
    (text,) = (text for text in texts if text.startswith("big_gin"))
    assert len(text.replace("|", " ").split()) == 12
    assert "deadwood" not in text


def test_an_illegal_move_has_a_text_too() -> None:
    cards = 0
    assert wish_text(Knock(Card("7H"), (parse_cards("2S 2H"),)), cards) == "knock | 2S 2H"
    assert wish_text(BigGin(), cards) == "big_gin"
    assert wish_text(LayOff((), ()), Card("KC").bit) == "lay_off | deadwood KC"
