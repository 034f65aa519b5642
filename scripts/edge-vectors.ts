/**
 * Writes the keys of test/edge/vectors.json again: raw request targets, each with the key of the file that may answer it. The file is
 * what all engines promise; it changes only with the contract: add `["/the/target"]` for each new target, then run
 * `npx node scripts/edge-vectors.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { targetKey } from "../src/key/key.ts";

const file = "test/edge/vectors.json";
const vectors = JSON.parse(readFileSync(file, "utf8")) as [target: string][];
const rows = vectors.map(([target]) => `  ${JSON.stringify([target, targetKey(target)])}`);
writeFileSync(file, `[\n${rows.join(",\n")}\n]\n`);
process.stdout.write(`${vectors.length} vectors\n`);
