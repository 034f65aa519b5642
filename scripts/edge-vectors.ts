/**
 * Makes test/edge/vectors.json: raw request targets, each with the key of the file that may answer it. The file is the
 * promise that all engines keep; it is made anew only when the contract changes: `npx node scripts/edge-vectors.ts`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { targetKey } from "../src/key/key.ts";
import { makeTargets } from "./edge/targets.ts";

const file = fileURLToPath(new URL("../test/edge/vectors.json", import.meta.url));
const vectors = makeTargets().map((target) => [target, targetKey(target)]);
const rows = vectors.map((vector) => `  ${JSON.stringify(vector)}`);
writeFileSync(file, `[\n${rows.join(",\n")}\n]\n`);
process.stdout.write(`${vectors.length} vectors\n`);
