"""docs/log-format.md shows how a receipt is checked with a shell, and what is shown there works."""

import re
import subprocess
from base64 import b64decode
from pathlib import Path

import pytest
from support_golden import GOLDEN

from ginrummy.log.checkpoints import checkpoint_text
from ginrummy.log.merkle import GrowingRoot, fold, inclusion_proof, leaf_hash
from ginrummy.log.notes import VerifierKey
from ginrummy.log.receipts import write_receipt
from ginrummy.log.signing import SigningKey, signed
from ginrummy.notary.keys import signing_key
from ginrummy.store import MemoryStore

PAGE = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text()
CHECKING = PAGE.split("### Checking by hand")[1].split("\n## ")[0]
SIGNATURE, HASHES, RECEIPT = re.findall(r"```sh\n(.*?)```", CHECKING, re.DOTALL)
LINE = (GOLDEN / "classic.log").read_bytes().splitlines()[-1]
KEY = SigningKey("ginrummy.log/example", bytes(range(32)))


def shell(folder: Path, script: str) -> str:
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout


def written(folder: Path, index: int, size: int) -> None:
    """Write the files that the page names, for a tree in which the log's last line is a leaf."""
    lines = [b"%d" % number if number != index else LINE for number in range(size)]
    leaves, tree = [leaf_hash(line) for line in lines], GrowingRoot()
    for leaf in leaves:
        tree.add(leaf)

    def subtree(level: int, place: int) -> bytes:
        return fold(leaves[place << level : (place + 1) << level])

    note = signed(checkpoint_text(KEY.name, size, tree.root()), KEY)
    proof = inclusion_proof(index, size, subtree)
    (folder / "final.tlog-proof").write_bytes(write_receipt("m_a", 99, index, proof, note))
    (folder / "note").write_bytes(note)
    (folder / "server.key").write_text(f"{KEY.verifier}\n")
    (folder / "match.log").write_bytes((GOLDEN / "classic.log").read_bytes())


@pytest.mark.parametrize(
    ("index", "size"), [(0, 1), (0, 2), (1, 2), (2, 3), (4, 7), (6, 7), (5, 8), (20, 23), (22, 23)]
)
def test_a_receipt_is_checked_with_a_shell(tmp_path: Path, index: int, size: int) -> None:
    written(tmp_path, index, size)
    assert shell(tmp_path, RECEIPT) == "the line is in that log\n"
    log = tmp_path / "match.log"
    log.write_bytes(log.read_bytes().replace(b'"cmd":"', b'"cmd":"x'))
    assert shell(tmp_path, RECEIPT) == ""


def test_a_signature_is_checked_with_openssl(tmp_path: Path) -> None:
    written(tmp_path, 4, 7)
    assert shell(tmp_path, SIGNATURE) == "Signature Verified Successfully\n"
    note = tmp_path / "note"
    note.write_bytes(note.read_bytes().replace(b"\n7\n", b"\n8\n"))
    assert "Verification Failure" in shell(tmp_path, SIGNATURE)


def test_hashes_are_made_with_sha256sum(tmp_path: Path) -> None:
    written(tmp_path, 0, 1)
    left, right = leaf_hash(b"left"), leaf_hash(b"right")
    leaf, node = shell(tmp_path, f"left={left.hex()} right={right.hex()}\n{HASHES}").splitlines()
    assert leaf.split()[0] == leaf_hash(LINE).hex()
    assert node.split()[0] == fold([left, right]).hex()


def test_the_examples_are_what_the_page_says_of_them() -> None:
    (key,) = re.findall(r"^    (ginrummy\.log/\S+\+\S+)$", PAGE, re.MULTILINE)
    verifier = VerifierKey.read(key)
    made = signing_key(MemoryStore(), lambda count: bytes(range(count)))
    assert len(verifier.name) == len(made.name)
    (extra,) = re.findall(r"^    extra (\S+)$", PAGE, re.MULTILINE)
    assert b64decode(extra) == b"m_4vk2c8w0r6ht9zq3nx5b7jd1ge 57"
    (signature,) = re.findall(rf"^    — {verifier.name} (\w+)…$", PAGE, re.MULTILINE)
    assert b64decode(signature + "==") == verifier.key_id
