/** `npx tsx scripts/bench-search.ts`: our search beside MiniSearch and Orama, on the demo store's judged queries. */
import { parseArgs } from "node:util";
import { openDemo } from "../test/support/demo.ts";
import { type Engine, openMiniSearch, openOrama, openOurs, readDocuments } from "./bench/engines.ts";
import { type Judged, placeOf, qualityOf, readJudged } from "./bench/judged.ts";
import { Random } from "./seed/random.ts";

const HELP = `Usage: npx tsx scripts/bench-search.ts [options]

Prints success@1, success@3, MRR and latency of three engines for the judged queries of test/search/judged.json, and
the latency of ours for queries that most documents answer.

  --rounds N      how often each query is timed (default 20)
  --products N    size of the demo store; more than 240 is for latency only (default 240)
  --ours          leave the other engines out
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
async function run(engine: Engine, queries: readonly Judged[], rounds: number): Promise<Result> {
  const places: number[] = [];
  for (const judged of queries) places.push(placeOf(judged, await engine.search(judged)));
  const random = new Random("bench", "search");
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < queries.length; i++) {
      const judged = queries[random.below(queries.length)] as Judged;
      const started = performance.now();
      await engine.search(judged);
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

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    products: { type: "string", default: "240" },
    ours: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else {
  const demo = openDemo(Number(values.products));
  const queries = readJudged();
  const engines = [openOurs(demo.catalog)];
  if (!values.ours) {
    const documents = readDocuments(demo.catalog);
    for (const combineWith of ["AND", "OR"] as const) engines.push(openMiniSearch(documents, combineWith));
    for (const threshold of [0, 1] as const) engines.push(await openOrama(documents, threshold));
  }
  const results: Result[] = [];
  for (const engine of engines) results.push(await run(engine, queries, Number(values.rounds)));
  process.stdout.write(`${queries.length} judged queries, demo store of ${values.products} products\n`);
  printResults(results);
  const broad = await run(engines[0] as Engine, BROAD, Number(values.rounds));
  process.stdout.write(
    `ours for ${BROAD.length} broad queries: p50 ${percentile(broad.times, 0.5)}, p99 ${percentile(broad.times, 0.99)}\n`,
  );
  if (values.misses) {
    queries.forEach((judged, at) => {
      const place = results[0]?.places[at];
      if (place !== 1) process.stdout.write(`${place}  ${judged.query}  ${judged.expect.join(" ")}\n`);
    });
  }
  demo.close();
}
