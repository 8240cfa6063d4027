// The command line of the independent verifier, for node 20 or later.
//
//     node verify.mjs match.log…         one line a fault: `seq check message`
//     node verify.mjs --json match.log…  one report a file, as JSON
//     node verify.mjs --many             logs from standard input, a JSON object a line:
//                                        {"log": base64, "receipt": {"seq", "hash"},
//                                        "origin": base64}; a report each
//
// `--origin FILE` compares a fork with the log of the match from which it branches off.
// `--own-hashes` leaves WebCrypto aside. It exits with 0 where no fault was found, with 1 where one
// was, with 2 where there is nothing to check.

import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import verifier from "./verifier.js";

const FLAGS = {
  json: { type: "boolean" },
  many: { type: "boolean" },
  origin: { type: "string" },
  "own-hashes": { type: "boolean" },
};
const CLEAN = 0;
const FAULTS = 1;
const UNUSABLE = 2;

const spelled = (report) =>
  JSON.stringify(report, (_, value) => (typeof value === "bigint" ? String(value) : value));

async function verifyFiles(paths, options, asJson) {
  let worst = CLEAN;
  for (const path of paths) {
    try {
      const report = await verifier.verify(await readFile(path), options);
      if (asJson) console.log(spelled(report));
      const name = paths.length > 1 ? `${path}: ` : "";
      for (const { seq, check, message } of asJson ? [] : report.faults) {
        // Names in a file that one is sent are anybody's to choose: none steers a terminal.
        console.log(`${name}${seq} ${check} ${message}`.replace(/\p{C}/gu, "?"));
      }
      worst = Math.max(worst, report.clean ? CLEAN : FAULTS);
    } catch (error) {
      if (!(error instanceof verifier.UnusableLog) && error.code === undefined) throw error;
      console.error(`${path}: ${error.message}`);
      worst = UNUSABLE;
    }
  }
  return worst;
}

async function verifyMany(options) {
  for await (const line of createInterface({ input: createReadStream(null, { fd: 0 }) })) {
    const { log, receipt, origin } = JSON.parse(line);
    try {
      const given = { ...options };
      if (receipt) given.receipt = receipt;
      if (origin) given.origin = Buffer.from(origin, "base64");
      console.log(spelled(await verifier.verify(Buffer.from(log, "base64"), given)));
    } catch (error) {
      if (!(error instanceof verifier.UnusableLog)) throw error;
      console.log(JSON.stringify({ clean: false, unusable: error.message, faults: [] }));
    }
  }
  return CLEAN;
}

function usage() {
  console.error("usage: node verify.mjs [--json] [--origin FILE] [--own-hashes] FILE…, or --many");
  return UNUSABLE;
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
  if (values.origin !== undefined) {
    try {
      options.origin = await readFile(values.origin);
    } catch (error) {
      console.error(`${values.origin}: ${error.message}`);
      return UNUSABLE;
    }
  }
  if (values.many) return verifyMany(options);
  return positionals.length > 0 ? verifyFiles(positionals, options, values.json) : usage();
}

process.exitCode = await main();
