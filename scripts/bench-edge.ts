/**
 * How much of nginx's own speed is left: the same file by its path, without a query, with a canonical query, with a query that needs
 * the key function; and the same answer from the fallback.
 * `npx node scripts/bench-edge.ts`; nginx, libnginx-mod-http-js and wrk must be installed.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startContestants } from "./edge/contestants.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
const SECONDS = Number(process.env["SECONDS_EACH"] ?? 2);

/** Requests per second of one run. */
function measure(url: string): number {
  const said = execFileSync("wrk", ["-t1", "-c32", `-d${SECONDS}s`, url]).toString();
  if (/Non-2xx|Socket errors/.test(said)) throw new Error(`${url}: ${said}`);
  return Number(/Requests\/sec:\s+([0-9.]+)/.exec(said)?.[1]);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const { contestants, stop } = await startContestants(folder);
try {
  const runs = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (const { url } of contestants) measure(url); // Warm.
  for (let round = 0; round < ROUNDS; round++) {
    // Interleaved, and in reverse order each time, so that other load affects all alike.
    const order = round % 2 === 0 ? contestants : [...contestants].reverse();
    for (const { name, url } of order) runs.get(name)?.push(measure(url));
  }
  process.stdout.write(`${ROUNDS} rounds of ${SECONDS} s, wrk -t1 -c32; medians\n`);
  for (const { name, of } of contestants) {
    const values = runs.get(name) ?? [];
    const reference = of === undefined ? [] : (runs.get(of) ?? []);
    const ratio = median(values.map((value, at) => value / (reference[at] ?? Number.NaN)));
    const share = of === undefined ? "" : `  ${ratio.toFixed(2)} of ${of}`;
    process.stdout.write(`${name.padEnd(52)} ${String(Math.round(median(values))).padStart(6)}/s${share}\n`);
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
