// The command line of the independent verifier, for node 20 or later.
//
//     node verify.mjs match.log…         one line a fault: `seq check message`
//     node verify.mjs --json match.log…  one report a file, as JSON
//     node verify.mjs [--key VKEY] [--heads FILE…] evidence.zip…
//                                        evidence bundles: one line a fault, `member check message`
//                                        or as above, and a last one with what the record says of
//                                        the claim: `claim reason outcome why`
//     node verify.mjs --many             logs from standard input, a JSON object a line:
//                                        {"log": base64, "receipt": {"seq", "hash"},
//                                        "origin": base64, "replays": [base64]}; a report each
//
// `--origin FILE` compares a match that branches off from another, a fork or a hand that is played
// again, with the log of that one; `--replay FILE…` compares what a match says of hands that were
// played again with their logs. Where they are not given, it is not shown, and said so.
// `--own-hashes` leaves WebCrypto aside. It exits with 0 where no fault was found, with 1 where one
// was, with 2 where there is nothing to check.

import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { UnusableArchive, verifyBundle } from "./bundle.mjs";
import { readHeads, readKey } from "./receipts.mjs";
import verifier from "./verifier.js";

const FLAGS = {
  heads: { type: "string", multiple: true },
  key: { type: "string" },
  json: { type: "boolean" },
  many: { type: "boolean" },
  origin: { type: "string" },
  replay: { type: "string", multiple: true },
  "own-hashes": { type: "boolean" },
};
const CLEAN = 0;
const FAULTS = 1;
const UNUSABLE = 2;

const spelled = (report) =>
  JSON.stringify(report, (_, value) => (typeof value === "bigint" ? String(value) : value));

const isArchive = (bytes) => bytes.subarray(0, 2).toString("latin1") === "PK";
const isUnusable = (error) =>
  error instanceof verifier.UnusableLog || error instanceof UnusableArchive;

const byMatch = (logs) => new Map(logs.map((log) => [verifier.streamOf(log), log]));

const lineOf = ({ seq, check, message }) => `${seq} ${check} ${message}`;

// Return what is said of a file, a line each.
function linesOf(report) {
  if (!("log" in report)) return report.faults.map(lineOf);
  const own = report.faults.map(({ member, check, message }) => `${member} ${check} ${message}`);
  const { reason, outcome, why } = report.finding ?? {};
  const claim = report.finding === null ? [] : [`claim ${reason} ${outcome} ${why}`];
  return [...own, ...(report.log?.faults ?? []).map(lineOf), ...claim];
}

// Return what would take a further file to show, a line each.
function* unshownBy({ unshown }) {
  if (unshown?.origin) yield "it branches off from a match whose log is not given (--origin)";
  if (unshown?.replays) {
    yield `hands were played again, and the logs of ${unshown.replays} are not given (--replay)`;
  }
}

async function verifyFiles(paths, options, asJson) {
  let worst = CLEAN;
  for (const path of paths) {
    try {
      const bytes = await readFile(path);
      const isBundle = isArchive(bytes);
      // What somebody wants to have compared is never passed over.
      if (!isBundle && (options.key ?? options.heads) !== undefined) {
        throw new UnusableArchive("--key and --heads judge evidence bundles, and this is a log");
      }
      const report = await (isBundle ? verifyBundle : verifier.verify)(bytes, options);
      if (asJson) console.log(spelled(report));
      const name = paths.length > 1 ? `${path}: ` : "";
      for (const line of asJson ? [] : linesOf(report)) {
        // Names in a file that one is sent are anybody's to choose: none steers a terminal.
        console.log(`${name}${line}`.replace(/\p{C}/gu, "?"));
      }
      for (const line of asJson ? [] : unshownBy(report.log ?? report)) {
        console.error(`${path}: not shown: ${line}`);
      }
      worst = Math.max(worst, report.clean ? CLEAN : FAULTS);
    } catch (error) {
      if (!isUnusable(error) && error.code === undefined) throw error;
      console.error(`${path}: ${error.message}`);
      worst = UNUSABLE;
    }
  }
  return worst;
}

async function verifyMany(options) {
  for await (const line of createInterface({ input: createReadStream(null, { fd: 0 }) })) {
    const { log, receipt, origin, replays } = JSON.parse(line);
    try {
      const given = { ...options };
      if (receipt) given.receipt = receipt;
      if (origin) given.origin = Buffer.from(origin, "base64");
      if (replays) given.replays = byMatch(replays.map((one) => Buffer.from(one, "base64")));
      console.log(spelled(await verifier.verify(Buffer.from(log, "base64"), given)));
    } catch (error) {
      if (!(error instanceof verifier.UnusableLog)) throw error;
      console.log(JSON.stringify({ clean: false, unusable: error.message, faults: [] }));
    }
  }
  return CLEAN;
}

function usage() {
  const options =
    "[--json] [--origin FILE] [--replay FILE] [--key VKEY] [--heads FILE] [--own-hashes]";
  console.error(`usage: node verify.mjs ${options} FILE…, or --many`);
  return UNUSABLE;
}

const read = (path) => readFile(path);

// Return a file of kept hashes; throw where there are none in it, or something else.
async function readKept(path) {
  const raw = await readFile(path);
  const heads = readHeads(raw.toString("utf8"));
  if (heads.length === 0) throw new Error(`${path}: no line of it keeps the hash of an event`);
  const wrong = heads.indexOf(null);
  if (wrong !== -1) throw new Error(`${path}, line ${wrong + 1}: it keeps no hash of an event`);
  return raw;
}

function keyOf(vkey) {
  if (readKey(vkey) !== null) return vkey;
  throw new Error(`--key: '${vkey}' is no Ed25519 verifier key: name+key id+base64`);
}

async function main() {
  let given;
  try {
    given = parseArgs({ options: FLAGS, allowPositionals: true });
  } catch (error) {
    console.error(error.message);
    return usage();
  }
  const { values, positionals } = given;
  const options = values["own-hashes"] ? { hashes: verifier.ownHashes } : {};
  try {
    if (values.key !== undefined) options.key = keyOf(values.key);
    if (values.heads !== undefined) options.heads = await Promise.all(values.heads.map(readKept));
    if (values.origin !== undefined) options.origin = await readFile(values.origin);
    if (values.replay !== undefined) {
      options.replays = byMatch(await Promise.all(values.replay.map(read)));
    }
  } catch (error) {
    console.error(error.message.replace(/\p{C}/gu, "?"));
    return UNUSABLE;
  }
  if (values.many) return verifyMany(options);
  return positionals.length > 0 ? verifyFiles(positionals, options, values.json) : usage();
}

process.exitCode = await main();
