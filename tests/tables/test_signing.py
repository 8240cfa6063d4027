"""Signed moves at a table: what is refused before anything is stored, and what a retry gets.

The moves are made as a client would make them, with nothing but the head's hash and the seat's own
cards to sign by.
"""

import hashlib
from collections.abc import AsyncIterator

import pytest
from support_tables import ALICE, NONCES, PLAYERS, card_room, legal, to_move

from ginrummy.audit.audit import audit
from ginrummy.log import curve25519 as curve
from ginrummy.log.ed25519 import public_key
from ginrummy.log.signatures import sign_text, signed_text, wish_text
from ginrummy.rules.arrangements import arranged
from ginrummy.rules.cards import Seat, cards_in
from ginrummy.rules.commands import (
    Discard,
    Draw,
    Knock,
    LayOff,
    Move,
    Pass,
    Play,
    Resign,
    RevealNonce,
    Take,
)
from ginrummy.rules.errors import IllegalMoveError, Reason
from ginrummy.rules.events import Limits, SigningPolicy
from ginrummy.rules.hand import LayingOff
from ginrummy.rules.match import Ended, Playing
from ginrummy.rules.ruleset import PRESETS, Ruleset
from ginrummy.store import MemoryStore
from ginrummy.tables.errors import RequestIdReusedError, SignatureRefusedError, StaleSeqError
from ginrummy.tables.room import CardRoom, NewMatch
from ginrummy.tables.table import Request, Step, Table

SECRETS = (bytes(range(32)), bytes(range(32, 64)))


@pytest.fixture
async def room() -> AsyncIterator[CardRoom]:
    async with card_room() as room:
        yield room


async def begun(
    room: CardRoom,
    signing: SigningPolicy = "required",
    keys: tuple[bool, bool] = (True, True),
    limits: Limits | None = None,
    rules: Ruleset | None = None,
) -> Table:
    """Return a table at which the first hand is dealt, and those seats have keys."""
    rules = rules or PRESETS["standard"]
    wish = NewMatch(rules=rules, signing=signing, limits=limits or Limits())
    table = await room.create(ALICE[0], wish)
    for seat, (player, nonce) in enumerate(zip(PLAYERS, NONCES, strict=True)):
        key = public_key(SECRETS[seat]).hex() if keys[seat] else None
        commitment = hashlib.sha256(nonce).hexdigest()
        await room.join(table.match_id, player, None, commitment, key=key)
    for seat, player in enumerate(PLAYERS):
        await table.act(Request(player[0], RevealNonce(1 if seat else 0, NONCES[seat].hex())))
    return table


def signature(table: Table, move: Move, seat: Seat | None = None, *, prev: str = "") -> str:
    """Return the signature of the seat to move, or another, over a move decided on the head."""
    seat = to_move(table) if seat is None else seat
    match = table.match
    text = "resign"
    if isinstance(match, Playing):
        cards = match.hand.layout.hands[seat]
        spread = match.hand.knocked.melds if isinstance(match.hand, LayingOff) else ()
        text = wish_text(arranged(move, cards, spread, match.terms.rules.run_max), cards)
    return sign_text(SECRETS[seat], signed_text(table.match_id, prev or table.head_hash, text))


async def send(
    table: Table, move: Move, sig: str | None, cmd: str = "", seat: Seat | None = None
) -> tuple[Step, ...]:
    seat = to_move(table) if seat is None else seat
    return await table.act(Request(PLAYERS[seat][0], Play(seat, move), cmd, table.seq, sig))


async def refused(table: Table, move: Move, sig: str | None, seat: Seat | None = None) -> str:
    """Return why a move is refused; nothing is stored by it."""
    before = table.seq, table.head_hash
    with pytest.raises(SignatureRefusedError) as error:
        await send(table, move, sig, seat=seat)
    assert (table.seq, table.head_hash) == before
    assert len(str(error.value)) > 20
    return error.value.reason


# --- what is stored -------------------------------------------------------------------------------


async def test_a_whole_match_in_which_everybody_signs(room: CardRoom) -> None:
    """Arrangements are named or left to the server, by turns."""
    table = await begun(room, rules=Ruleset(target=40))
    number = 0
    while not isinstance(table.match, Ended):
        number += 1
        choices = legal(table)
        move = choices[-1] if len(choices) > 11 or number % 2 else choices[0]
        sig = signature(table, move)
        steps = await send(table, move, sig, f"r{number}")
        assert steps[0].line.sig == sig
        assert all(step.line.sig is None for step in steps[1:])
    lines = [step.line.raw for step in await table.steps_after(0)]
    report = audit(lines)
    assert report.clean, report.faults
    assert report.check("signatures").count == number


async def test_where_nobody_signs_lines_are_what_they_were(room: CardRoom) -> None:
    table = await begun(room, "off", keys=(False, False))
    (step, *_) = await send(table, Pass(), None)
    assert b'"sig"' not in step.line.raw
    assert step.line.v == 1


async def test_where_one_may_sign_each_move_is_signed_or_not(room: CardRoom) -> None:
    table = await begun(room, "optional")
    move = legal(table)[0]
    sig = signature(table, move)
    assert (await send(table, move, sig))[0].line.sig == sig
    assert (await send(table, legal(table)[0], None))[0].line.sig is None


async def test_giving_up_is_signed_by_whoever_gives_up(room: CardRoom) -> None:
    table = await begun(room)
    seat: Seat = 1 if to_move(table) == 0 else 0
    assert await refused(table, Resign(), None, seat) == "SIGNATURE_MISSING"
    other = signature(table, Resign())
    assert await refused(table, Resign(), other, seat) == "SIGNATURE_WRONG"
    (step, *_) = await send(table, Resign(), signature(table, Resign(), seat), seat=seat)
    assert step.line.type == "resigned"
    assert step.line.sig


async def test_a_player_may_leave_before_the_start_and_signs_that(room: CardRoom) -> None:
    table = await room.create(ALICE[0], NewMatch(rules=PRESETS["standard"], signing="required"))
    key = public_key(SECRETS[0]).hex()
    await room.join(table.match_id, ALICE, 0, hashlib.sha256(NONCES[0]).hexdigest(), key=key)
    assert await refused(table, Resign(), None, 0) == "SIGNATURE_MISSING"
    await send(table, Resign(), signature(table, Resign(), 0), seat=0)
    assert isinstance(table.match, Ended)


# --- what is refused ------------------------------------------------------------------------------


async def test_a_move_without_a_signature(room: CardRoom) -> None:
    table = await begun(room)
    for move in legal(table):
        assert await refused(table, move, None) == "SIGNATURE_MISSING"


async def test_signatures_that_do_not_hold(room: CardRoom) -> None:
    table = await begun(room)
    seat = to_move(table)
    move = Pass()
    other: Seat = 1 if seat == 0 else 0
    by_the_other = sign_text(SECRETS[other], signed_text(table.match_id, table.head_hash, "pass"))
    on_another_line = signature(table, move, prev="0" * 64)
    of_another_match = sign_text(
        SECRETS[seat], signed_text("m_" + "0" * 26, table.head_hash, "pass")
    )
    of_another_move = signature(table, Take())
    for sig in (by_the_other, on_another_line, of_another_match, of_another_move, "00" * 64):
        assert await refused(table, move, sig) == "SIGNATURE_WRONG"
    await send(table, move, signature(table, move))


async def test_a_knock_is_signed_with_the_cards_that_it_lays_down(room: CardRoom) -> None:
    """K2, K3 nobody can say afterwards that other melds were named, or another card left over."""
    table = await until_a_knock(room)
    assert isinstance(table.match, Playing)
    knocks = [move for move in legal(table) if isinstance(move, Knock)]
    sigs = {move.card: signature(table, move) for move in knocks}
    for move in knocks:
        for card, sig in sigs.items():
            if card is not move.card and sig != sigs[move.card]:
                assert await refused(table, move, sig) == "SIGNATURE_WRONG"
    steps = await send(table, knocks[0], sigs[knocks[0].card])
    assert steps[0].line.sig == sigs[knocks[0].card]
    if isinstance(table.match, Playing) and isinstance(table.match.hand, LayingOff):
        assert await refused(table, LayOff(), None) == "SIGNATURE_MISSING"
        named = LayOff((), ())
        assert await refused(table, LayOff(), signature(table, named)) == "SIGNATURE_WRONG"
        await send(table, LayOff(), signature(table, LayOff()))


async def until_a_knock(room: CardRoom) -> Table:
    table = await begun(room)
    while not any(isinstance(move, Knock) for move in legal(table)):
        move = legal(table)[-1]
        await send(table, move, signature(table, move))
    return table


async def test_a_signature_where_nobody_signs(room: CardRoom) -> None:
    table = await begun(room, "off", keys=(False, False))
    assert await refused(table, Pass(), "ab" * 64) == "SIGNING_OFF"


async def test_a_signature_of_a_player_without_a_key(room: CardRoom) -> None:
    table = await begun(room, "optional", keys=(False, False))
    assert await refused(table, Pass(), signature(table, Pass())) == "KEY_MISSING"


async def test_a_wrong_signature_where_one_need_not_sign(room: CardRoom) -> None:
    table = await begun(room, "optional")
    assert await refused(table, Pass(), "ab" * 64) == "SIGNATURE_WRONG"


async def test_joining_with_a_key_and_without(room: CardRoom) -> None:
    commitment = hashlib.sha256(NONCES[0]).hexdigest()
    for signing, key, reason in (
        ("required", None, Reason.KEY_MISSING),
        ("off", public_key(SECRETS[0]).hex(), Reason.SIGNING_OFF),
    ):
        wish = NewMatch(rules=PRESETS["standard"], signing=signing)  # type: ignore[arg-type]  # one of them
        table = await room.create(ALICE[0], wish)
        with pytest.raises(IllegalMoveError) as error:
            await room.join(table.match_id, ALICE, 0, commitment, key=key)
        assert error.value.reason is reason
        assert table.seq == 1


# --- what is counted ------------------------------------------------------------------------------


async def test_a_token_alone_loses_no_match_by_what_is_refused(room: CardRoom) -> None:
    """Illegal moves that the key's holder has not signed count for nobody."""
    table = await begun(room, limits=Limits(illegal_moves=3))
    seat = to_move(table)
    for sig in (None, "ab" * 64, signature(table, Pass())):
        for _ in range(3):
            with pytest.raises(IllegalMoveError):
                await send(table, Draw(), sig)
            with pytest.raises(SignatureRefusedError):
                await send(table, Pass(), "ab" * 64)
    assert table.refusals_left(seat) == 3
    assert isinstance(table.match, Playing)


async def test_illegal_moves_that_are_signed_count(room: CardRoom) -> None:
    table = await begun(room, limits=Limits(illegal_moves=3))
    seat = to_move(table)
    assert isinstance(table.match, Playing)
    held = cards_in(table.match.hand.layout.hands[seat])
    for move in (Draw(), Discard(held[0]), Knock(held[0], ((held[1], held[2]),))):
        with pytest.raises(IllegalMoveError):
            await send(table, move, signature(table, move))
    assert isinstance(table.match, Ended)
    assert table.match.outcome.reason == "illegal_moves"


async def test_where_one_need_not_sign_illegal_moves_count_as_ever(room: CardRoom) -> None:
    table = await begun(room, "optional", limits=Limits(illegal_moves=2))
    for _ in range(2):
        with pytest.raises(IllegalMoveError):
            await send(table, Draw(), None)
    assert isinstance(table.match, Ended)


# --- retries --------------------------------------------------------------------------------------


async def test_a_signed_move_sent_again_is_answered_as_the_first_time(room: CardRoom) -> None:
    table = await begun(room)
    seat, seq, sig = to_move(table), table.seq, signature(table, Pass())
    request = Request(PLAYERS[seat][0], Play(seat, Pass()), "r1", seq, sig)
    first = await table.act(request)
    assert await table.act(request) == first
    assert table.seq == seq + 1


async def test_a_request_id_stands_for_one_signature(room: CardRoom) -> None:
    """Without one, or with one that does not hold, it is another command."""
    table = await begun(room)
    seat, seq, sig = to_move(table), table.seq, signature(table, Pass())
    by, play = PLAYERS[seat][0], Play(seat, Pass())
    await table.act(Request(by, play, "r1", seq, sig))
    for other in (None, "ab" * 64, sig[:-1] + ("0" if sig[-1] != "0" else "1")):
        with pytest.raises(RequestIdReusedError):
            await table.act(Request(by, play, "r1", seq, other))
    with pytest.raises(RequestIdReusedError):
        await table.act(Request(by, Play(seat, Take()), "r1", seq, sig))
    assert table.seq == seq + 1


async def test_an_unsigned_move_is_not_signed_by_sending_it_again(room: CardRoom) -> None:
    table = await begun(room, "optional")
    seat, seq, sig = to_move(table), table.seq, signature(table, Pass())
    by, play = PLAYERS[seat][0], Play(seat, Pass())
    first = await table.act(Request(by, play, "r1", seq))
    with pytest.raises(RequestIdReusedError):
        await table.act(Request(by, play, "r1", seq, sig))
    assert await table.act(Request(by, play, "r1", seq)) == first


async def test_another_signature_that_holds_is_the_same_request(room: CardRoom) -> None:
    """Some signers draw a number for each signature, so that a second one is another."""
    table = await begun(room)
    seat, seq = to_move(table), table.seq
    text = signed_text(table.match_id, table.head_hash, "pass")
    by, play = PLAYERS[seat][0], Play(seat, Pass())
    first = await table.act(Request(by, play, "r1", seq, signature(table, Pass())))
    again = drawn_signature(SECRETS[seat], text)
    assert again != first[0].line.sig
    assert await table.act(Request(by, play, "r1", seq, again)) == first


async def test_a_join_is_repeated_with_the_same_key(room: CardRoom) -> None:
    table = await room.create(ALICE[0], NewMatch(rules=PRESETS["standard"], signing="optional"))
    commitment = hashlib.sha256(NONCES[0]).hexdigest()
    key = public_key(SECRETS[0]).hex()
    await room.join(table.match_id, ALICE, 0, commitment, "r1", key)
    await room.join(table.match_id, ALICE, 0, commitment, "r1", key)
    for other in (None, public_key(SECRETS[1]).hex()):
        with pytest.raises(RequestIdReusedError):
            await room.join(table.match_id, ALICE, 0, commitment, "r1", other)
    assert table.seq == 2


async def test_after_a_restart_a_retry_still_gets_its_answer() -> None:
    store = MemoryStore()
    async with card_room(store) as room:
        table = await begun(room)
        seat, seq, sig = to_move(table), table.seq, signature(table, Pass())
        request = Request(PLAYERS[seat][0], Play(seat, Pass()), "r1", seq, sig)
        first = await table.act(request)
        match_id = table.match_id
    async with card_room(store) as room:
        table = await room.table(match_id)
        assert await table.act(request) == first
        with pytest.raises(StaleSeqError):
            await table.act(Request(PLAYERS[seat][0], Play(seat, Pass()), "r2", seq, sig))


def drawn_signature(secret: bytes, text: bytes) -> str:
    """Return a signature with another random number than RFC 8032 has it, which holds as well."""
    order = 2**252 + 27742317777372353535851937790883648493
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    base = curve._point(bytes([0x58]) + bytes([0x66]) * 31)
    assert base is not None
    number = 123456789
    x, y, z, _ = curve._times(number, base)
    inverse = pow(z, -1, 2**255 - 19)
    x, y = x * inverse % (2**255 - 19), y * inverse % (2**255 - 19)
    r = (y | (x & 1) << 255).to_bytes(32, "little")
    h = int.from_bytes(hashlib.sha512(r + public_key(secret) + text).digest(), "little") % order
    return (r + ((number + h * scalar) % order).to_bytes(32, "little")).hex()
