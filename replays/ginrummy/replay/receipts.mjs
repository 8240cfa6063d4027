// What a server has signed of its whole log: keys and notes (c2sp.org/signed-note), and the proof
// that a line is in its tree (c2sp.org/tlog-proof, RFC 6962), for node 20 or later.

import { createHash, createPublicKey, verify as isSigned } from "node:crypto";

export const sha256 = (...parts) => {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest();
};

const ED25519_DER = Buffer.from("302a300506032b6570032100", "hex");

// Read `name+key id+base64`; null for what is no Ed25519 key of a signed note.
export function readKey(line) {
  const found = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(line);
  if (found === null) return null;
  const material = Buffer.from(found[3], "base64");
  if (material.length !== 33 || material[0] !== 1) return null;
  const id = sha256(`${found[1]}\n`, material).subarray(0, 4);
  if (id.toString("hex") !== found[2]) return null;
  const der = Buffer.concat([ED25519_DER, material.subarray(1)]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  return { line, name: found[1], id, key };
}

// Read the hashes of events that somebody has kept, a line each: what is there of its `seq` and
// `hash`, or null for a line that keeps none. The last line may have been broken off.
export function readHeads(raw) {
  return raw
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      try {
        const { seq, hash } = JSON.parse(line);
        return Number.isSafeInteger(seq) && seq > 0 && typeof hash === "string"
          ? { seq, hash }
          : null;
      } catch {
        return null;
      }
    });
}

// Say what is wrong with a checkpoint's signature; null where nothing is.
export function signatureFault(note, key) {
  const at = note.lastIndexOf("\n\n");
  const signed = Buffer.from(note.slice(0, at + 1));
  const own = note
    .slice(at + 2)
    .split("\n")
    .map((line) => /^\u2014 (\S+) (\S+)$/.exec(line))
    .filter((found) => found !== null && found[1] === key.name)
    .map((found) => Buffer.from(found[2], "base64"))
    .filter((bytes) => bytes.subarray(0, 4).equals(key.id));
  if (own.length === 0) return `the receipt's checkpoint is not signed by ${key.line}`;
  const holds = own.every((bytes) => isSigned(null, signed, key.key, bytes.subarray(4)));
  if (!holds) return "the signature of the receipt's checkpoint does not hold: it was changed";
  const origin = note.split("\n", 1)[0];
  return origin === key.name ? null : `the receipt is of the log ${origin}, not of ${key.name}`;
}

// Read a c2sp.org/tlog-proof file; null for what is none.
export function readReceipt(raw) {
  const [head, ...rest] = raw.split("\n\n");
  const note = rest.join("\n\n");
  const [header, ...lines] = head.split("\n");
  const extra = lines[0]?.startsWith("extra ") ? lines.shift().slice(6) : null;
  const index = /^index (0|[1-9][0-9]{0,15})$/.exec(lines.shift() ?? "");
  const about = Buffer.from(extra ?? "", "base64").toString();
  const named = /^(\w{1,64}) ([1-9][0-9]{0,15})$/.exec(about);
  const proof = lines.map((line) => Buffer.from(line, "base64"));
  const [origin, size, root] = note.split("\n");
  const isOne =
    header === "c2sp.org/tlog-proof@v1" && index !== null && /^(0|[1-9][0-9]{0,15})$/.test(size);
  if (!isOne || proof.some((hash) => hash.length !== 32)) return null;
  return {
    ...{ stream: named?.[1] ?? null, seq: named === null ? null : Number(named[2]) },
    ...{ index: Number(index[1]), proof, note, origin },
    ...{ size: Number(size), root: Buffer.from(root ?? "", "base64") },
  };
}

// The root that an inclusion proof leads to (RFC 6962, 2.1.1); null where it leads nowhere.
export function rootOf({ index, size, proof }, leaf) {
  let [at, last, hash] = [index, size - 1, sha256(Buffer.from([0]), leaf)];
  if (at > last) return null;
  const halve = () => ([at, last] = [Math.floor(at / 2), Math.floor(last / 2)]);
  for (const beside of proof) {
    if (last === 0) return null;
    const isRight = at % 2 === 1 || at === last;
    const pair = isRight ? [beside, hash] : [hash, beside];
    hash = sha256(Buffer.from([1]), ...pair);
    while (isRight && at % 2 === 0 && at !== 0) halve();
    halve();
  }
  return last === 0 ? hash : null;
}
