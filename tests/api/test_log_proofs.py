"""What is signed of the log, and the proofs about it, over a port."""

from collections.abc import AsyncIterator

import pytest
from support_house import House, check, housed, refused

from ginrummy.log.checkpoints import read_checkpoint
from ginrummy.log.merkle import check_consistency, check_inclusion, leaf_hash
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import read_receipt
from ginrummy.log.signing import check_signed
from ginrummy.rules.commands import Pass
from ginrummy.v1 import log_service_pb2 as logs
from ginrummy.v1 import match_service_pb2 as matches


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


async def key_of(house: House) -> VerifierKey:
    answer = await house.taps["eve"].ask("GetKey", logs.GetKeyRequest())
    return VerifierKey.read(answer.key)


async def receipt_of(house: House, match_id: str) -> logs.GetReceiptResponse:
    answer = await house.taps["eve"].ask("GetReceipt", logs.GetReceiptRequest(match_id=match_id))
    assert isinstance(answer, logs.GetReceiptResponse)
    return answer


async def test_a_receipt_proves_the_last_line(house: House) -> None:
    match_id = await house.playing(Pass(), Pass())
    answer = await receipt_of(house, match_id)
    lines = [line async for line in house.clients["eve"].log(match_id)]
    found = read_receipt(answer.receipt.encode())
    assert (found.stream, found.seq) == (match_id, answer.seq) == (match_id, len(lines))
    check_signed(found.checkpoint.note, await key_of(house))
    found.check(leaf_hash(lines[-1]))


async def test_every_line_is_proved(house: House) -> None:
    match_id = await house.ended()
    lines = [line async for line in house.clients["eve"].log(match_id)]
    key = await key_of(house)
    for seq, line in enumerate(lines, 1):
        request = logs.ProveInclusionRequest(match_id=match_id, seq=seq)
        answer = await house.taps["bob"].ask("ProveInclusion", request)
        signed = read_checkpoint(answer.checkpoint.encode())
        check_signed(signed.note, key)
        assert answer.seq == seq
        check_inclusion(answer.index, signed.size, leaf_hash(line), answer.hashes, signed.root)


async def test_a_log_is_shown_to_have_only_grown(house: House) -> None:
    tap = house.taps["eve"]
    await receipt_of(house, await house.playing())
    old = await tap.ask("GetCheckpoint", logs.GetCheckpointRequest())
    await receipt_of(house, await house.ended())
    new = await tap.ask("GetCheckpoint", logs.GetCheckpointRequest())
    assert new.size > old.size
    request = logs.ProveConsistencyRequest(old_size=old.size)
    proof = await tap.ask("ProveConsistency", request)
    assert proof.new_size == new.size
    before, after = (read_checkpoint(each.checkpoint.encode()).root for each in (old, new))
    check_consistency(old.size, new.size, before, after, proof.hashes)
    again = await tap.ask("GetCheckpoint", logs.GetCheckpointRequest(size=old.size))
    assert again == old


async def test_what_is_not_there_is_said_to_be_so(house: House) -> None:
    match_id = await house.ended()
    seq = await house.seq(match_id)
    await receipt_of(house, match_id)
    for method, request, code, reason in (
        ("GetReceipt", logs.GetReceiptRequest(match_id="m_none"), "NOT_FOUND", "NO_SUCH_MATCH"),
        (
            "GetReceipt",
            logs.GetReceiptRequest(match_id="t_" + "0" * 26),
            "NOT_FOUND",
            "NO_SUCH_TOURNAMENT",
        ),
        (
            "ProveInclusion",
            logs.ProveInclusionRequest(match_id=match_id, seq=seq + 1),
            "NOT_FOUND",
            "NO_SUCH_EVENT",
        ),
        (
            "ProveInclusion",
            logs.ProveInclusionRequest(match_id=match_id, seq=-1),
            "NOT_FOUND",
            "NO_SUCH_EVENT",
        ),
        (
            "GetCheckpoint",
            logs.GetCheckpointRequest(size=10**9),
            "NOT_FOUND",
            "NO_SUCH_CHECKPOINT",
        ),
        (
            "ProveConsistency",
            logs.ProveConsistencyRequest(old_size=10**9),
            "NOT_FOUND",
            "NO_SUCH_CHECKPOINT",
        ),
        (
            "ProveConsistency",
            logs.ProveConsistencyRequest(old_size=3, new_size=2),
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
        ),
        (
            "GetCheckpoint",
            logs.GetCheckpointRequest(size=-1),
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
        ),
    ):
        check(await refused(house.taps["eve"], method, request), code, reason)


async def test_a_refused_move_comes_with_the_head_that_it_was_judged_on(house: House) -> None:
    match_id = await house.playing()
    view = await house.clients["eve"].view(match_id)
    waiting = ("ann", "bob")[1 - view.hand.to_move]
    talk = house.taps[waiting].talk("Play")
    await talk.say(matches.PlayRequest(start=matches.PlayStart(match_id=match_id)))
    await talk.hear()
    move = matches.PlayMove(request_id="r", expected_seq=view.seq)
    move.move.pass_upcard.SetInParent()
    await talk.say(matches.PlayRequest(move=move))
    refusal = (await talk.hear()).refusal
    assert (refusal.seq, refusal.head_hash) == (view.seq, view.head_hash)
