/** `npx node scripts/bench-search.ts`: our search beside MiniSearch, on the demo store's judged queries. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCatalog } from "../src/catalog/catalog.ts";
import { makeDemoCatalog } from "../test/support/demo.ts";
import { type Engine, openMiniSearch, openOurs, readDocuments } from "./bench/engines.ts";
import { type Judged, placeOf, qualityOf, readJudged } from "./bench/judged.ts";
import { Random } from "./bench/random.ts";

const HELP = `Usage: npx node scripts/bench-search.ts [options]

Prints success@1, success@3, MRR and latency of the engines for the judged queries of test/search/judged.json, and
the latency of ours for queries that most documents answer.

  --rounds N      how often each query is timed (default 20)
  --products N    size of the demo store (default 240); the queries are judged for the default, so that of another
                  size only the latency tells something
  --ours          leave the other engine out
  --misses        list the queries that ours does not answer first
`;

interface Result {
  readonly name: string;
  readonly places: readonly number[];
  /** Milliseconds, ascending. */
  readonly times: Float64Array;
}

/** What most documents have: the words and beginnings that say least, and cost most. */
const BROAD: readonly Judged[] = [
  ..."abcdefghijklmnopqrstuvwxyz",
  ...[
    "th",
    "wi",
    "pr",
    "for",
    "the",
    "with",
    "what you get",
    "a the",
    "updates are small",
    "the licence covers",
  ],
].flatMap((query) => [
  { query, kind: "broad", expect: [] },
  { query, kind: "broad", endpoint: "products", expect: [] },
]);

/** Judges each query once, then times all of them in an order that differs from round to round. */
function run(engine: Engine, queries: readonly Judged[], rounds: number): Result {
  const places: number[] = [];
  for (const judged of queries) places.push(placeOf(judged, engine.search(judged)));
  const random = new Random("bench", "search");
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < queries.length; i++) {
      const judged = queries[random.below(queries.length)] as Judged;
      const started = performance.now();
      engine.search(judged);
      times.push(performance.now() - started);
    }
  }
  return { name: engine.name, places, times: Float64Array.from(times).sort() };
}

function percentile(times: Float64Array, share: number): string {
  return `${(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2)} ms`;
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${cells.join("  ")}\n`);
  }
}

function printResults(results: readonly Result[]): void {
  const rows = results.map(({ name, places, times }) => {
    const { success1, success3, mrr } = qualityOf(places);
    return [
      name,
      ...[success1, success3, mrr].map((value) => value.toFixed(3)),
      percentile(times, 0.5),
      percentile(times, 0.99),
    ];
  });
  printTable([["engine", "success@1", "success@3", "MRR", "p50", "p99"], ...rows]);
}

/** Makes the catalog in a process of its own: what seeding leaves on the heap would show in every time. */
function makeCatalog(folder: string, products: string): string {
  const make = [import.meta.filename, "--make", folder, "--products", products];
  execFileSync(process.execPath, [...process.execArgv, ...make], { stdio: "inherit" });
  return join(folder, "catalog.sqlite");
}

function printMisses(queries: readonly Judged[], places: readonly number[]): void {
  queries.forEach((judged, at) => {
    if (places[at] === 1) return;
    process.stdout.write(`${places[at]}  ${judged.query}  ${judged.expect.join(" ")}\n`);
  });
}

interface Options {
  readonly rounds: number;
  readonly products: string;
  readonly ours: boolean;
  readonly misses: boolean;
}

function bench(options: Options, folder: string): void {
  const catalog = openCatalog(makeCatalog(folder, options.products));
  const queries = readJudged();
  const ours = openOurs(catalog);
  const engines = [ours];
  if (!options.ours) {
    const documents = readDocuments(catalog);
    for (const combineWith of ["AND", "OR"] as const) engines.push(openMiniSearch(documents, combineWith));
  }
  const results: Result[] = [];
  for (const engine of engines) results.push(run(engine, queries, options.rounds));
  process.stdout.write(`${queries.length} judged queries, demo store of ${options.products} products\n`);
  printResults(results);
  const { times } = run(ours, BROAD, options.rounds);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  process.stdout.write(`ours for ${BROAD.length} broad queries: p50 ${p50}, p99 ${p99}\n`);
  if (options.misses) printMisses(queries, results[0]?.places ?? []);
  catalog.close();
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    products: { type: "string", default: "240" },
    ours: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    make: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else if (values.make !== undefined) await makeDemoCatalog(values.make, Number(values.products));
else {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-search-"));
  try {
    bench({ ...values, rounds: Number(values.rounds) }, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
