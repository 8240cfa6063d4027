// A zip file read as strictly as an evidence bundle is built (docs/disputes.md), for node 20 or
// later and without a library.
//
//     const { members, damaged } = readArchive(bytes);   // Maps of names to Buffers, to whys
//
// Members stand one after the other from the first byte on, their directory follows, and nothing
// is before, between or behind. Throws UnusableArchive for any other file.

import { inflateRawSync } from "node:zlib";

export const LARGEST_MEMBER = 64 << 20;
export const LARGEST_BUNDLE = 256 << 20;
const MOST_MEMBERS = 100;

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_SIZE, CENTRAL_SIZE, END_SIZE] = [30, 46, 22];
const [STORED, DEFLATED] = [0, 8];
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,60}(?:\/[a-z0-9][a-z0-9._-]{0,60})?$/;

export class UnusableArchive extends Error {}

function demand(holds, message) {
  if (!holds) throw new UnusableArchive(message);
}

// CRC-32 as zip files use it: node has it in no version that is old enough.
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

// The fields that a member has in its own header and in the directory, from a place on.
const common = (raw, at) => ({
  flags: raw.readUInt16LE(at),
  method: raw.readUInt16LE(at + 2),
  crc: raw.readUInt32LE(at + 8),
  packed: raw.readUInt32LE(at + 12),
  size: raw.readUInt32LE(at + 16),
  length: raw.readUInt16LE(at + 20),
  extra: raw.readUInt16LE(at + 22),
});

function entryAt(raw, at, limit) {
  demand(at + CENTRAL_SIZE <= limit, "its directory breaks off");
  const found = common(raw, at + 8);
  const name = raw.toString("latin1", at + CENTRAL_SIZE, at + CENTRAL_SIZE + found.length);
  const isNamed = raw.readUInt32LE(at) === CENTRAL && NAME.test(name);
  demand(isNamed && name.length === found.length, `${JSON.stringify(name)} is no member's name`);
  const [comment, disk] = [raw.readUInt16LE(at + 32), raw.readUInt16LE(at + 34)];
  const isPlain = found.flags === 0 && found.extra === 0 && comment === 0 && disk === 0;
  const isKnown = found.method === STORED || found.method === DEFLATED;
  demand(isPlain && isKnown, `${name} is packed in a way that no bundle is`);
  return { ...found, name, at: raw.readUInt32LE(at + 42), next: at + CENTRAL_SIZE + found.length };
}

function directoryOf(raw) {
  demand(raw.length <= LARGEST_BUNDLE + (1 << 20), "it is larger than a bundle can be");
  const end = raw.length - END_SIZE;
  demand(end >= 0 && raw.readUInt32LE(end) === END, "it does not end as a bundle's zip file does");
  const [here, number] = [raw.readUInt16LE(end + 8), raw.readUInt16LE(end + 10)];
  const [size, start] = [raw.readUInt32LE(end + 12), raw.readUInt32LE(end + 16)];
  const isOne = raw.readUInt32LE(end + 4) === 0 && raw.readUInt16LE(end + 20) === 0;
  demand(isOne && here === number && number <= MOST_MEMBERS, "its end is not that of a bundle");
  demand(start + size === end, "its directory is not where its end says: it was cut or changed");
  const entries = [];
  let at = start;
  for (let index = 0; index < number; index++) {
    entries.push(entryAt(raw, at, end));
    at = entries[index].next;
  }
  demand(at === end, "its directory holds more than its members");
  return { entries, start };
}

function packedOf(raw, entry) {
  const begin = entry.at + LOCAL_SIZE;
  demand(begin <= raw.length, `${entry.name} is not where the directory says`);
  const said = common(raw, entry.at + 6);
  const name = raw.toString("latin1", begin, begin + said.length);
  const isSame = ["flags", "method", "crc", "packed", "size"].every((f) => said[f] === entry[f]);
  const isIt = raw.readUInt32LE(entry.at) === LOCAL && name === entry.name && said.extra === 0;
  demand(isSame && isIt, `${entry.name} is not what the directory says of it`);
  const data = begin + said.length;
  demand(data + entry.packed <= raw.length, `${entry.name} breaks off`);
  return { packed: raw.subarray(data, data + entry.packed), end: data + entry.packed };
}

// Return a member's bytes, or why they cannot be had.
function unpacked(packed, entry) {
  let data = packed;
  if (entry.method === DEFLATED) {
    try {
      const { buffer, engine } = inflateRawSync(packed, {
        maxOutputLength: entry.size + 1,
        info: true,
      });
      if (engine.bytesWritten !== packed.length) return "it does not unpack to what it says";
      data = buffer;
    } catch {
      return "it cannot be unpacked: it was changed";
    }
  }
  if (data.length !== entry.size) return "it does not unpack to as many bytes as it says";
  return crc32(data) === entry.crc ? data : "its checksum is another one: it was changed";
}

export function readArchive(bytes) {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { entries, start } = directoryOf(raw);
  const [members, damaged, folded] = [new Map(), new Map(), new Set()];
  let [end, total] = [0, 0];
  for (const entry of entries) {
    const { name, size } = entry;
    demand(!folded.has(name.toLowerCase()), `${name} is in it twice`);
    folded.add(name.toLowerCase());
    total += size;
    const fits = size <= LARGEST_MEMBER && total <= LARGEST_BUNDLE;
    demand(fits, `${name} says that it has ${size} bytes, more than a bundle takes`);
    demand(entry.at === end, `${name} does not follow what is before it`);
    const found = packedOf(raw, entry);
    end = found.end;
    const data = unpacked(found.packed, entry);
    if (typeof data === "string") damaged.set(name, data);
    else members.set(name, data);
  }
  demand(end === start, "there is something between its members and their directory");
  return { members, damaged };
}
