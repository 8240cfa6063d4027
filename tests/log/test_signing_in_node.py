"""Somebody who has the guide and the vectors signs the same in another language, and by hand."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from support_golden import GOLDEN, golden_log
from support_node import VERIFIER, node

from ginrummy.log.ed25519 import is_signed, public_key
from ginrummy.log.signatures import sign_text, signed_text

ROOT = Path(__file__).parents[2]
VECTORS = [
    json.loads(line)
    for line in (ROOT / "tests" / "vectors" / "signed_moves.jsonl").read_text().splitlines()
]
PAGE = (ROOT / "docs" / "log-format.md").read_text()
SECTION = PAGE.split("\n## Signed moves\n")[1].split("\n## ")[0]
GUIDE = (ROOT / "docs" / "bots.md").read_text().split("\n### Signatures\n")[1].split("\n### ")[0]
(SNIPPET,) = re.findall(r"```js\n(.*?)```", GUIDE, re.DOTALL)
(SHELL,) = re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)


@pytest.mark.parametrize("row", VECTORS, ids=lambda row: row["move"][:20])
def test_python_gives_the_vectors(row: dict[str, str]) -> None:
    secret = bytes.fromhex(row["secret"])
    text = signed_text(row["match"], row["prev"], row["move"])
    assert public_key(secret).hex() == row["public_key"]
    assert sign_text(secret, text) == row["signature"]
    assert is_signed(public_key(secret), text, bytes.fromhex(row["signature"]))


def test_what_the_guide_shows_gives_the_vectors_in_node(tmp_path: Path) -> None:
    script = tmp_path / "sign.mjs"
    script.write_text(
        SNIPPET
        + """
        import { readFileSync } from 'node:fs'
        for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
          const { secret, match, prev, move } = JSON.parse(line)
          const key = keyOf(Buffer.from(secret, 'hex'))
          const signature = signatureOf(key, match, prev, move)
          console.log(publicKeyOf(key).toString('hex'), signature.toString('hex'))
        }
        """
    )
    run = node(script, given="".join(json.dumps(row) + "\n" for row in VECTORS))
    assert run.stderr == ""
    assert run.stdout.splitlines() == [f"{row['public_key']} {row['signature']}" for row in VECTORS]


def test_the_verifiers_own_check_takes_the_vectors_and_nothing_near_them() -> None:
    """What a page without WebCrypto's Ed25519 goes by, and what one with it does, say the same."""
    script = f"""
        const verifier = require({json.dumps(str(VERIFIER))});
        const bytes = (digits) => Uint8Array.from(Buffer.from(digits, "hex"));
        const ways = [verifier.ownHashes, verifier.webHashes(globalThis.crypto.subtle)];
        (async () => {{
            for (const line of require("fs").readFileSync(0, "utf8").trim().split("\\n")) {{
                const {{ key, text, signature }} = JSON.parse(line);
                const given = [bytes(key), new TextEncoder().encode(text), bytes(signature)];
                const found = await Promise.all(ways.map((way) => way.isSigned(...given)));
                console.log(JSON.stringify(found));
            }}
        }})();
    """
    rows, right = [], []
    order = 2**252 + 27742317777372353535851937790883648493
    for row in VECTORS:
        text = signed_text(row["match"], row["prev"], row["move"]).decode()
        good = {"key": row["public_key"], "text": text, "signature": row["signature"]}
        sig = row["signature"]
        raised = int.from_bytes(bytes.fromhex(sig[64:]), "little") + order
        for changed in (
            {},
            {"text": text[:-1]},
            {"signature": ("0" if sig[0] != "0" else "1") + sig[1:]},
            {"signature": sig[:-1] + ("0" if sig[-1] != "0" else "1")},
            {"signature": sig[64:] + sig[:64]},
            {"signature": sig[:64] + raised.to_bytes(32, "little").hex()},
            {"key": VECTORS[1]["public_key"] if row is not VECTORS[1] else "58" + "66" * 31},
        ):
            rows.append(good | changed)
            expected = is_signed(
                bytes.fromhex(rows[-1]["key"]),
                rows[-1]["text"].encode(),
                bytes.fromhex(rows[-1]["signature"]),
            )
            assert expected == (not changed or (changed.get("key") == row["public_key"]))
            right.append([expected, expected])
    run = node("-e", script, given="".join(json.dumps(row) + "\n" for row in rows))
    assert run.stderr == ""
    assert [json.loads(line) for line in run.stdout.splitlines()] == right


def test_a_signature_is_checked_with_jq_and_openssl(tmp_path: Path) -> None:
    log = golden_log("signed")
    (tmp_path / "match.log").write_bytes((GOLDEN / "signed.log").read_bytes())
    places = [seq for seq, raw in enumerate(log, 1) if b'"type":"discarded"' in raw]
    for seq in places[:4]:
        assert checked_by_hand(tmp_path, seq) == "Signature Verified Successfully\n"
    card = json.loads(log[places[0] - 1])["data"]["card"].encode()
    other = b"AS" if card != b"AS" else b"KC"
    lines = [*log[: places[0] - 1], log[places[0] - 1].replace(card, other), *log[places[0] :]]
    (tmp_path / "match.log").write_bytes(b"".join(line + b"\n" for line in lines))
    assert "Verification Failure" in checked_by_hand(tmp_path, places[0])


def checked_by_hand(folder: Path, seq: int) -> str:
    done = subprocess.run(
        ["bash", "-c", f"seq={seq}\n{SHELL}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


def test_the_page_shows_the_first_vector() -> None:
    shown = re.findall(r"^\| [a-z`]+ \| `([^`]+)` \|$", SECTION, re.MULTILINE)
    row = VECTORS[0]
    assert shown[-6:] == [
        *(row[name] for name in ("secret", "public_key", "match", "prev", "move", "signature"))
    ]
