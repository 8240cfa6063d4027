"""A client that signs: its key files, its moves over good and bad connections, and cheating."""

import asyncio
import base64
import os
import random
import stat
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support_client import FakeServer, connected, serving
from support_logs import Table, changed, events_of, played, relinked
from support_node import node
from support_server import in_process
from support_story import Story

from ginrummy.audit.audit import audit
from ginrummy.bots import SimpleBot
from ginrummy.client import (
    Client,
    ForgedMoveError,
    KeyFile,
    KeyFileError,
    KeyFiles,
    KeyLostError,
    MemoryKeys,
    RefusedError,
    SigningUnavailableError,
    connect,
    sync,
    to_decide,
)
from ginrummy.client.signing import can_sign
from ginrummy.client.verifier import Verifier
from ginrummy.log.ed25519 import public_key, sign
from ginrummy.log.lines import line_hash, read_line
from ginrummy.rules.commands import Draw, Pass, Resign, Take
from ginrummy.v1.match_service_pb2 import PlayRequest
from ginrummy.v1.ruleset_pb2 import (
    SIGNING_POLICY_OPTIONAL,
    SIGNING_POLICY_REQUIRED,
    Ruleset,
    SigningPolicy,
)

SHORT = Ruleset(hands=1)

X25519 = """-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VuBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
-----END PRIVATE KEY-----
"""
PLAYER = "p_2c9rj4x7wqk0m5t8hz3vb6nd1f"


# --- key files ------------------------------------------------------------------------------------


def test_a_key_is_made_once_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    keys = KeyFiles(tmp_path / "state" / "keys")
    secret = keys.secret(PLAYER)
    assert len(secret) == 32
    assert KeyFiles(tmp_path / "state" / "keys").secret(PLAYER) == secret
    assert keys.secret("p_another") != secret
    file = keys.file(PLAYER)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert {path.name for path in file.parent.iterdir()} == {f"{PLAYER}.pem", "p_another.pem"}


def test_whoever_comes_at_the_same_time_gets_the_same_key(tmp_path: Path) -> None:
    """Two programs of one player that start together sign by one key."""
    for number in range(20):
        keys = KeyFiles(tmp_path / str(number))
        with ThreadPoolExecutor(8) as threads:
            found = set(threads.map(lambda _: keys.secret(PLAYER), range(8)))  # noqa: B023
        assert found == {keys.secret(PLAYER)}


def test_a_file_system_without_links_keeps_keys_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(path: Path, target: str) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", without)
    keys = KeyFiles(tmp_path)
    assert keys.secret(PLAYER) == keys.secret(PLAYER)
    assert [path.name for path in tmp_path.iterdir()] == [f"{PLAYER}.pem"]


def test_a_key_file_is_one_that_other_programs_read(tmp_path: Path) -> None:
    path = tmp_path / "own.pem"
    secret = KeyFile(path).secret(PLAYER)
    script = """
        const crypto = require("crypto"), fs = require("fs");
        const key = crypto.createPrivateKey(fs.readFileSync(process.argv[1]));
        console.log(crypto.sign(null, Buffer.from("a move"), key).toString("hex"));
    """
    run = node("-e", script, path)
    assert (run.stderr, run.stdout) == ("", sign(secret, b"a move").hex() + "\n")


def test_a_key_of_another_program_is_taken(tmp_path: Path) -> None:
    script = """
        const { privateKey } = require("crypto").generateKeyPairSync("ed25519");
        console.log(privateKey.export({ type: "pkcs8", format: "pem" }));
        console.log(privateKey.export({ format: "jwk" }).d);
    """
    pem, _, secret = node("-e", script).stdout.rstrip().rpartition("\n")
    path = tmp_path / "own.pem"
    path.touch(mode=0o600)
    path.write_text(pem)
    found = KeyFile(path).secret(PLAYER)
    assert found == base64.urlsafe_b64decode(secret + "=")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        "nonsense",
        "00" * 32,
        "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nnot base64!\n-----END PRIVATE KEY-----\n",
        # An X25519 key: the same length, for something else.
        X25519,
        "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
    ],
)
def test_what_holds_no_key_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "own.pem"
    path.touch(mode=0o600)
    path.write_text(content)
    with pytest.raises(KeyFileError, match="holds no Ed25519 key"):
        KeyFile(path).secret(PLAYER)
    assert path.read_text() == content


def test_a_key_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.pem"
    path.touch(mode=0o600)
    path.write_bytes(b"\xff\xfe" * 20)
    with pytest.raises(KeyFileError, match="cannot be used"):
        KeyFile(path).secret(PLAYER)
    with pytest.raises(KeyFileError, match="cannot be used"):
        KeyFile(tmp_path).secret(PLAYER)


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes there")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "own.pem"
    KeyFile(path).secret(PLAYER)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match="chmod 600"):
        KeyFile(path).secret(PLAYER)


@pytest.mark.parametrize("name", ["../outside", "", "a/b", ".hidden"])
def test_an_id_is_not_let_out_of_the_directory(tmp_path: Path, name: str) -> None:
    with pytest.raises(KeyFileError, match="no player's id"):
        KeyFiles(tmp_path).secret(name)


def test_a_key_is_in_no_text_that_a_program_might_print(tmp_path: Path) -> None:
    keys = MemoryKeys()
    secret = keys.secret(PLAYER)
    assert secret.hex() not in repr(keys)
    assert secret.hex() not in repr(vars(KeyFiles(tmp_path)))


# --- at a server ----------------------------------------------------------------------------------


async def both_play(
    signing: SigningPolicy.ValueType, ann: dict[str, object], bob: dict[str, object]
) -> list[bytes]:
    """Let two bots play a hand, and return the log."""
    async with (
        in_process() as server,
        connect(server.address, **ann) as first,  # type: ignore[arg-type]  # whatever it takes
        connect(server.address, **bob) as second,  # type: ignore[arg-type]  # likewise
    ):
        await first.sign_up("Ann")
        await second.sign_up("Bob")
        match = (await first.create_match(rules=SHORT, signing=signing)).id
        await asyncio.gather(first.play(match, SimpleBot()), second.play(match, SimpleBot()))
        return [line async for line in first.log(match)]


def signed_by(log: list[bytes]) -> Counter[str]:
    lines = [read_line(raw) for raw in log]
    return Counter(line.by for line in lines if line.sig)


async def test_where_everybody_signs_a_client_does_by_itself(tmp_path: Path) -> None:
    """One keeps its key in a file, the other in memory."""
    log = await both_play(SIGNING_POLICY_REQUIRED, {"keys": KeyFiles(tmp_path)}, {})
    report = audit(log)
    assert report.clean, report.faults
    assert report.check("signatures").detail == "each move is signed by its player"
    assert len(signed_by(log)) == 2
    (file,) = tmp_path.iterdir()  # noqa: ASYNC240 -- nothing else runs
    joined = [read_line(raw).event for raw in log[1:3]]
    own = public_key(KeyFile(file).secret("")).hex()
    assert [getattr(event, "key", None) == own for event in joined].count(True) == 1


async def test_where_one_may_sign_those_do_who_have_been_given_keys() -> None:
    log = await both_play(SIGNING_POLICY_OPTIONAL, {"keys": MemoryKeys()}, {})
    assert audit(log).clean
    assert len(signed_by(log)) == 1


async def test_where_nobody_signs_keys_are_left_alone(tmp_path: Path) -> None:
    log = await both_play(0, {"keys": KeyFiles(tmp_path / "keys")}, {})  # type: ignore[arg-type]  # off
    assert not signed_by(log)
    assert not (tmp_path / "keys").exists()


async def begun(server_address: str, first: Client, second: Client, policy: int) -> str:
    """Return a match at which the first hand is dealt; both play by single calls."""
    await first.sign_up("Ann")
    await second.sign_up("Bob")
    match = (await first.create_match(rules=SHORT, signing=policy)).id  # type: ignore[arg-type]  # one of them
    for client in (first, second):
        await client.join(match)
    for client in (first, second):
        await client.reveal_nonce(match)
    return match


@pytest.mark.parametrize("keys", [None, MemoryKeys()])
async def test_single_calls_are_signed_as_well(keys: MemoryKeys | None) -> None:
    async with (
        in_process() as server,
        connect(server.address, keys=keys) as ann,
        connect(server.address, keys=keys) as bob,
    ):
        match = await begun(server.address, ann, bob, SIGNING_POLICY_REQUIRED)
        view = await ann.view(match)
        mover = (ann, bob)[view.hand.to_move]
        answer = await mover.make_move(match, Pass(), view.seq, "r1")
        assert read_line(answer.events[0].line).sig
        # The same again, also by a client that has forgotten that it made it.
        assert await mover.make_move(match, Pass(), view.seq, "r1") == answer
        async with connect(server.address, token=mover._token, keys=mover.keys) as again:
            if keys is not None:
                assert await again.make_move(match, Pass(), view.seq, "r1") == answer
        with pytest.raises(RefusedError):
            await mover.make_move(match, Draw(), view.seq + 1)
        await mover.make_move(match, Resign(), view.seq + 1)
        report = audit([line async for line in ann.log(match)])
        assert report.clean, report.faults
        assert report.check("signatures").count == 2


async def test_a_session_gives_up_by_a_signed_move() -> None:
    async with (
        in_process() as server,
        connect(server.address) as ann,
        connect(server.address) as bob,
    ):
        match = await begun(server.address, ann, bob, SIGNING_POLICY_REQUIRED)
        async with ann.sit(match) as seat:
            await seat.wait()
            await seat.resign()
        log = [line async for line in ann.log(match)]
    assert audit(log).clean
    assert sum(signed_by(log).values()) == 1


async def test_the_waiting_face_signs_too(tmp_path: Path) -> None:
    async with in_process() as server:

        def play(name: str) -> None:
            with sync.connect(server.address, keys=KeyFiles(tmp_path / name)) as client:
                client.sign_up(name)
                client.play(match, SimpleBot())

        async with connect(server.address) as eve:
            await eve.sign_up("Eve")
            made = await eve.create_match(rules=SHORT, signing=SIGNING_POLICY_REQUIRED)
            match = made.id
            await asyncio.gather(*(asyncio.to_thread(play, name) for name in ("Ann", "Bob")))
            log = [line async for line in eve.log(match)]
    assert audit(log).clean
    assert len(signed_by(log)) == 2


async def test_a_key_that_is_not_here_is_missed_before_the_first_move() -> None:
    async with (
        in_process() as server,
        connect(server.address) as ann,
        connect(server.address) as bob,
    ):
        match = await begun(server.address, ann, bob, SIGNING_POLICY_REQUIRED)
        for keys in (None, MemoryKeys()):
            async with connect(server.address, token=ann._token, keys=keys) as again:
                with pytest.raises(KeyLostError, match="the `keys` that you joined with"):
                    async with again.sit(match):
                        pass
                if keys is not None:
                    with pytest.raises(KeyLostError):
                        await again.make_move(match, Pass(), 6)


async def test_whoever_joined_without_a_key_plays_on_without_one() -> None:
    async with (
        in_process() as server,
        connect(server.address) as ann,
        connect(server.address) as bob,
    ):
        match = await begun(server.address, ann, bob, SIGNING_POLICY_OPTIONAL)
        async with connect(server.address, token=ann._token, keys=MemoryKeys()) as again:
            assert await again.signer(match) is None


async def test_without_the_library_one_is_told_which_extra_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with in_process() as server, connect(server.address) as ann:
        await ann.sign_up("Ann")
        required = (await ann.create_match(signing=SIGNING_POLICY_REQUIRED)).id
        optional = (await ann.create_match(signing=SIGNING_POLICY_OPTIONAL)).id
        monkeypatch.setitem(sys.modules, "ginrummy.log.ed25519", None)
        assert not can_sign()
        for attempt in (ann.join(required), ann.play(required, SimpleBot())):
            with pytest.raises(SigningUnavailableError, match=r"ginrummy\[signing\]"):
                await attempt
        assert not any(seat.player_id for seat in (await ann.match(required)).seats)
        await ann.join(optional)


# --- over bad connections -------------------------------------------------------------------------


def signing_server(seed: int = 1, **terms: Any) -> FakeServer:  # noqa: ANN401 -- handed on
    return FakeServer(Table(seed, signing="required", keys=(False, True), **terms))


def moves_of(server: FakeServer) -> list[PlayRequest]:
    return [one for one in server.requests if isinstance(one, PlayRequest) and one.HasField("move")]


@pytest.mark.parametrize("fault", ["lost", "answer lost", "hung up", "refused by the end"])
async def test_a_move_is_sent_again_with_the_same_signature(fault: str) -> None:
    server = signing_server(hands=1)
    server.play_faults.extend(["", fault])
    async with connected(server) as client:
        await client.play(server.table.stream, SimpleBot())
    by_id: dict[str, set[bytes]] = {}
    for one in moves_of(server):
        by_id.setdefault(one.move.request_id, set()).add(one.move.signature)
    assert all(len(signatures) == 1 for signatures in by_id.values())
    assert server.streams == 2
    assert audit(server.table.log).clean


@pytest.mark.parametrize("seed", range(3))
async def test_a_signed_match_survives_any_losses(seed: int) -> None:
    rng = random.Random(seed)
    server = signing_server(seed, target=30)
    server.play_faults.extend(
        rng.choice(["", "", "lost", "answer lost", "hung up"]) for _ in range(2000)
    )
    async with connected(server) as client:
        await client.play(server.table.stream, SimpleBot())
    assert server.streams > 3
    report = audit(server.table.log)
    assert report.clean, report.faults


# --- a server that cheats -------------------------------------------------------------------------


async def test_a_server_that_drops_a_signature_is_found_out() -> None:
    server = FakeServer(Table(1, signing="optional", keys=(False, False), hands=1))
    act = server.table.act

    def forgetful(command: object, by: str, **more: object) -> None:
        more.pop("sig", None)
        act(command, by, **more)  # type: ignore[arg-type]  # as it came

    server.table.act = forgetful  # type: ignore[method-assign]  # it cheats
    async with serving(server) as address, connect(address, token="t", keys=MemoryKeys()) as client:
        with pytest.raises(ForgedMoveError, match="another signature than it was sent with"):
            await client.play(server.table.stream, SimpleBot())


SIGNED = played(6, signing="required", hands=2)


def verified(log: list[bytes], seat: int = 0, public: str = "") -> None:
    """Tell a seat everything that is in a log."""
    story = Story(SIGNED, 1 if seat else 0)
    key = SIGNED.signers[seat]
    assert key is not None
    check = Verifier(
        SIGNED.stream,
        SIGNED._nonces[seat],
        SIGNED.players[seat],
        public or public_key(key).hex(),
    )
    for line, raw in zip(SIGNED.lines, log, strict=True):
        event = story.event(line)
        event.line = raw
        check.add(event)


def lines_with(index: int, spoil: Callable[[bytes], bytes]) -> list[bytes]:
    """Return the log as a server would tell it that had that line otherwise from the start."""
    log = SIGNED.log
    return relinked([*log[:index], spoil(log[index]), *log[index + 1 :]])


@pytest.mark.parametrize("seat", [0, 1])
def test_an_honest_match_is_believed(seat: int) -> None:
    verified(SIGNED.log, seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_move_that_a_player_did_not_sign_is_found_out_as_it_comes(seat: int) -> None:
    """One's own, and the opponent's."""
    for place in (0, 1):
        index = events_of(SIGNED.log, "discarded")[place]
        other = "KC" if SIGNED.log[index].find(b'"KC"') < 0 else "AS"
        with pytest.raises(ForgedMoveError) as error:
            verified(lines_with(index, partial(changed, data_card=other)), seat)
        assert error.value.seq == index + 1


def test_a_move_without_a_signature_is_found_out_as_it_comes() -> None:
    index = events_of(SIGNED.log, "stock_drawn")[0]

    def unsigned(raw: bytes) -> bytes:
        head, _, rest = raw.partition(b',"sig":"')
        return head + rest[129:]

    with pytest.raises(ForgedMoveError, match="is not signed"):
        verified(lines_with(index, unsigned))


def test_another_key_for_ones_own_seat_is_found_out() -> None:
    index = events_of(SIGNED.log, "player_joined")[0]
    key = public_key(b"k" * 32).hex()
    with pytest.raises(ForgedMoveError, match="by another key than its own"):
        verified(lines_with(index, lambda raw: changed(raw, data_key=key)))
    with pytest.raises(ForgedMoveError, match="by another key than its own"):
        verified(SIGNED.log, public=key)


async def test_the_signature_is_over_the_line_that_was_seen() -> None:
    server = signing_server(hands=1)
    async with connected(server) as client, client.sit(server.table.stream) as seat:
        view = await seat.wait()
        while not to_decide(view):
            view = await seat.wait()
        move = Take() if not view.hand.legal.pass_upcard else Pass()
        await seat.move(move)
    sent = moves_of(server)[-1].move
    line = server.table.lines[sent.expected_seq]
    assert line.prev == view.head_hash == line_hash(server.table.log[sent.expected_seq - 1])
    assert line.sig == sent.signature.hex()
