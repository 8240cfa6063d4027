"""GetEvidence: who may have a match's evidence, and that it is what anybody makes of the log."""

from collections.abc import AsyncIterator

import pytest
from support_bundles import judged_by_us, members_of
from support_house import House, check, housed, refused, told_by

from ginrummy.evidence.bundle import making
from ginrummy.evidence.bundle.making import make_bundle
from ginrummy.evidence.bundle.manifest import MANIFEST, read_manifest
from ginrummy.log.heads import write_head
from ginrummy.log.lines import read_line
from ginrummy.log.notes import VerifierKey
from ginrummy.v1 import log_service_pb2 as logs


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with housed() as house:
        yield house


async def test_a_player_fetches_what_anybody_could_make_of_the_log(house: House) -> None:
    match_id = await house.ended()
    client = house.clients["ann"]
    lines = [line async for line in client.log(match_id)]
    line = read_line(lines[5])
    heads = write_head(line.seq, line.hash, line.at)
    found = await client.evidence(match_id, event=6, heads={"seat-0": heads})
    members = members_of(found)
    assert members["match.log"] == b"".join(raw + b"\n" for raw in lines)
    assert members["heads/seat-0.jsonl"] == heads
    assert read_manifest(members[MANIFEST]).subject.event == 6
    key = VerifierKey.read(await client.key())
    report = judged_by_us(found, key)
    assert (report.clean, report.is_own_build, report.is_key_known) == (True, True, True)
    ours = make_bundle(lines, event=6, receipt=members["receipt.tlog-proof"], key=key)
    assert members_of(ours)["views/seat-0.jsonl"] == members["views/seat-0.jsonl"]


async def test_it_is_for_players_directors_and_auditors(house: House) -> None:
    match_id = await house.ended()
    request = logs.GetEvidenceRequest(match_id=match_id)
    for name in ("ann", "bob", "dee", "abe"):
        assert await house.clients[name].evidence(match_id)
    check(
        await refused(house.taps["eve"], "GetEvidence", request),
        "PERMISSION_DENIED",
        "NOT_PERMITTED",
    )


async def test_what_is_not_there_or_makes_no_sense_is_refused(house: House) -> None:
    match_id = await house.ended()
    ann = house.taps["ann"]
    for request, field in (
        (logs.GetEvidenceRequest(match_id=match_id, dispute=1), "dispute"),
        (logs.GetEvidenceRequest(match_id=match_id, dispute=-1), "dispute"),
        (logs.GetEvidenceRequest(match_id=match_id, event=9999), "event"),
        (logs.GetEvidenceRequest(match_id=match_id, dispute=1, event=2), "event"),
    ):
        refusal = await refused(ann, "GetEvidence", request)
        check(refusal, "INVALID_ARGUMENT", "INVALID_FIELD")
        assert [wrong for wrong, _ in told_by(refusal).wrong] == [field]
    for holder, heads in (("seat-2", b""), ("../x", b""), ("seat-0", b"nonsense\n")):
        request = logs.GetEvidenceRequest(
            match_id=match_id, heads=[logs.KeptHeads(holder=holder, heads=heads)]
        )
        check(await refused(ann, "GetEvidence", request), "INVALID_ARGUMENT", "INVALID_FIELD")
    request = logs.GetEvidenceRequest(match_id="m_none")
    check(await refused(ann, "GetEvidence", request), "NOT_FOUND", "NO_SUCH_MATCH")


async def test_f7_a_match_that_is_too_long_for_a_bundle_is_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await house.ended()
    monkeypatch.setattr(making, "LARGEST_MEMBER", 1000)
    request = logs.GetEvidenceRequest(match_id=match_id)
    refusal = await refused(house.taps["ann"], "GetEvidence", request)
    check(refusal, "RESOURCE_EXHAUSTED", "LIMIT_REACHED")
    assert told_by(refusal).info.metadata["what"] == "bytes of one match"
    assert told_by(refusal).info.metadata["limit"] == str(64 << 20)
