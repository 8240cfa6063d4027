"""A bundle checked: whether it is whole, is what its log makes, and what that says of the claim.

    one zip ──> members ──> manifest ──> Inputs ──> made again ──> compared, member by member

What was given (the log, the receipt, the key, the hashes that were kept) is judged by the audit.
All else follows from it, so it is made again and has to come out the same. What another build of
the program has made can differ in its words: of that the members for programs are compared alone.
"""

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from ginrummy.audit.report import Report
from ginrummy.evidence.bundle.archive import Archive, read_archive
from ginrummy.evidence.bundle.build import Build, own_build
from ginrummy.evidence.bundle.errors import NothingToBundleError, UnusableBundleError
from ginrummy.evidence.bundle.finding import Finding
from ginrummy.evidence.bundle.inputs import Inputs, KeptHeads, subject_of
from ginrummy.evidence.bundle.manifest import MANIFEST, SUMS, Manifest, Subject, read_manifest
from ginrummy.evidence.bundle.members import Evidence, evidence_of
from ginrummy.evidence.bundle.replaying import replay_faults
from ginrummy.log.heads import MalformedHeadsError
from ginrummy.log.notes import InvalidKeyError, VerifierKey
from ginrummy.log.receipts import MalformedReceiptError
from ginrummy.reporting.telling import Status

__all__ = ["BundleCheck", "BundleFault", "BundleReport", "check_bundle"]

_CHECKS = {
    "archive": "each member can be read",
    "manifest": "the members are those that the manifest lists",
    "key": "the server's key is the one that you know",
    "contents": "all else is what the log makes",
    "replays": "each hand played again is what the log says of it",
}
"""The checks of a bundle, beside those of its log."""

_FOR_PROGRAMS = (".json", ".jsonl")

_GIVEN = ("match.log", "receipt.tlog-proof", "server.key", "server.json")


class BundleCheck(msgspec.Struct, frozen=True):
    """One check of a bundle, and what became of it."""

    name: str
    status: Status
    count: int
    detail: str


class BundleFault(msgspec.Struct, frozen=True):
    """Something in a bundle that is not as it has to be."""

    check: str
    member: str
    message: str


class BundleReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of a bundle."""

    subject: Subject
    clean: bool
    """Neither the bundle nor its log has a fault."""
    intact: bool
    """The bundle has none."""
    checks: tuple[BundleCheck, ...]
    faults: tuple[BundleFault, ...]
    audit: Report | None
    """The audit of its log; None where the log could not be read from it."""
    finding: Finding | None
    """What is found of the claim; None where it is about no dispute, or cannot be judged."""
    build: Build | None
    """What made it; None where it does not say."""
    is_own_build: bool
    """It is this very program; of what another one made, the members for people are not compared,
    since it may word them in another way."""
    key: str | None
    """The key that its receipt is checked by; None where there is none."""
    is_key_known: bool
    """The key is the one that whoever asks knows, and not only the bundle's own."""


def check_bundle(
    raw: bytes, key: VerifierKey | None = None, heads: Sequence[KeptHeads] = ()
) -> BundleReport:
    """Return what is found of a bundle.

    `key` is the server's and `heads` are hashes of the match, where whoever asks has them from
    elsewhere: what stands in the bundle is nothing but the word of whoever made it. Raises
    UnusableBundleError for a file that is none, or of which nothing can be judged, and
    MalformedHeadsError for hashes that are none.
    """
    return _Examination(read_archive(raw), key, heads).report()


class _Examination:
    def __init__(
        self, archive: Archive, known_key: VerifierKey | None, heads: Sequence[KeptHeads]
    ) -> None:
        self._members = archive.members
        self._known_key = known_key
        self._own_heads = tuple(heads)
        self._faults: list[BundleFault] = []
        self._counts = dict.fromkeys(_CHECKS, 0)
        self._counts["archive"] = len(archive.members) + len(archive.damaged)
        for name, why in archive.damaged.items():
            self._fault("archive", name, why)
        self._manifest = self._read_manifest(archive)
        self._build = self._read_build()
        self._key = self._read_key()

    def report(self) -> BundleReport:
        evidence = self._made_again()
        intact = not self._faults
        audit = None if evidence is None else evidence.full.report
        key = self._known_key or self._key
        return BundleReport(
            subject=self._manifest.subject,
            clean=intact and audit is not None and audit.clean,
            intact=intact,
            checks=tuple(map(self._check, _CHECKS)),
            faults=tuple(self._faults),
            audit=audit,
            finding=None if evidence is None else evidence.finding,
            build=self._build,
            is_own_build=self._build == own_build(),
            key=None if key is None else str(key),
            is_key_known=self._known_key is not None,
        )

    def _fault(self, check: str, member: str, message: str) -> None:
        self._faults.append(BundleFault(check, member, message))

    def _check(self, name: str) -> BundleCheck:
        number = sum(fault.check == name for fault in self._faults)
        if number:
            detail = "1 fault" if number == 1 else f"{number} faults"
            return BundleCheck(name, "failed", self._counts[name], detail)
        if not self._counts[name]:
            why = "no key was given" if name == "key" else "nothing in this bundle calls for it"
            return BundleCheck(name, "not_applicable", 0, why)
        return BundleCheck(name, "passed", self._counts[name], _CHECKS[name])

    # --- what it says it is -------------------------------------------------------------------

    def _read_manifest(self, archive: Archive) -> Manifest:
        raw = archive.members.get(MANIFEST)
        if raw is None:
            raise UnusableBundleError(f"{MANIFEST} is missing or damaged: it is no bundle")
        try:
            manifest = read_manifest(raw)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UnusableBundleError(f"{MANIFEST} cannot be read: {error}") from error
        listed = {each.name: each for each in manifest.members}
        for name, data in archive.members.items():
            if name == MANIFEST:
                continue
            self._counts["manifest"] += 1
            one = listed.get(name)
            if one is None:
                self._fault("manifest", name, "the manifest does not list it")
            elif (one.bytes, one.sha256) != (len(data), sha256(data).hexdigest()):
                self._fault("manifest", name, "it is another file than the manifest lists")
        for name in listed:
            if name not in archive.members and name not in archive.damaged:
                self._fault("manifest", name, "it is missing")
        return manifest

    def _read_build(self) -> Build | None:
        try:
            said = msgspec.json.decode(self._members.get("server.json", b""), type=_Server)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self._fault("contents", "server.json", f"it cannot be read: {error}")
            return None
        return Build(said.version, said.code)

    def _read_key(self) -> VerifierKey | None:
        raw = self._members.get("server.key")
        found = None
        if raw is not None:
            try:
                found = VerifierKey.read(raw.decode(errors="replace").removesuffix("\n"))
            except InvalidKeyError as error:
                self._fault("key", "server.key", str(error))
        if self._known_key is not None:
            self._counts["key"] = 1
            if found is not None and found != self._known_key:
                self._fault("key", "server.key", f"it is {found}, and you know {self._known_key}")
        return found

    # --- what it would have to be -------------------------------------------------------------

    def _made_again(self) -> Evidence | None:
        log = self._members.get("match.log")
        if log is None:
            self._fault("contents", "match.log", "there is no log to judge by")
            return None
        try:
            inputs = self._inputs(log)
            evidence = evidence_of(inputs)
        except (NothingToBundleError, MalformedHeadsError, MalformedReceiptError) as error:
            self._fault("contents", "match.log", str(error))
            return None
        self._compare(evidence, is_own=inputs.build == own_build())
        self._counts["replays"] = len(inputs.replays)
        for match, why in replay_faults(inputs.lines, inputs.replays):
            self._fault("replays", f"replays/{match}.log", why)
        if self._own_heads or self._known_key not in (None, self._key):
            # What the bundle says by itself says nothing against what somebody knows.
            key = self._known_key or self._key
            heads = (*inputs.heads, *self._own_heads)
            return evidence_of(msgspec.structs.replace(inputs, key=key, heads=heads))
        return evidence

    def _inputs(self, log: bytes) -> Inputs:
        lines = _lines(log)
        subject = self._manifest.subject
        event = None if subject.dispute is not None else subject.event
        right = subject_of(lines, dispute=subject.dispute, event=event)
        if right != subject:
            self._fault("contents", MANIFEST, "its subject is not what the log has of it")
        return Inputs(
            subject=right,
            lines=lines,
            receipt=self._members.get("receipt.tlog-proof"),
            key=self._key,
            heads=tuple(
                KeptHeads(name.removeprefix("heads/").removesuffix(".jsonl"), data)
                for name, data in self._members.items()
                if name.startswith("heads/")
            ),
            replays={
                name.removeprefix("replays/").removesuffix(".log"): _lines(data)
                for name, data in self._members.items()
                if name.startswith("replays/")
            },
            build=self._build or own_build(),
        )

    def _compare(self, evidence: Evidence, *, is_own: bool) -> None:
        """Compare what is in the bundle with what the log makes."""
        for name, right in evidence.members.items():
            if name in (MANIFEST, SUMS) or (not is_own and not name.endswith(_FOR_PROGRAMS)):
                continue
            found = self._members.get(name)
            if found is None:
                self._fault("contents", name, "it is missing, and the log makes one")
                continue
            self._counts["contents"] += 1
            if found != right:
                self._fault("contents", name, "it is not what the log makes")
        for name in self._members:
            if name not in evidence.members:
                self._fault("contents", name, "nothing in the log makes it")


def _lines(log: bytes) -> tuple[bytes, ...]:
    return tuple(log.removesuffix(b"\n").split(b"\n"))


class _Server(msgspec.Struct):
    version: str
    code: str
