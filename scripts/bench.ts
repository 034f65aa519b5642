/**
 * Measures a full build, and then the cost of one change: `npm run bench [-- --products N --runs N --store FILE --reference FOLDER]`;
 * with `--table`, makes the README's table of three shops instead.
 * Each command runs in a separate process, on files in memory. Beside each figure is its share of F, the full build of the reference
 * (an older version's checkout with its packages and `dist/`) or, without one, of this version. `--store` skips the
 * seeding.
 */
import { copyFileSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { BuildReport, PublishReport } from "../src/index.ts";
import { benchFolder, median, type Ran, runProcess } from "./bench/measure.ts";
import { Shop } from "./bench/shop.ts";
import { measureWatch } from "./bench/watched.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({
  options: {
    products: { type: "string", default: "20000" },
    runs: { type: "string", default: "3" },
    store: { type: "string" },
    reference: { type: "string" },
    table: { type: "boolean", default: false },
  },
});
const RUNS = Number(values.runs);
const WATCH_ROUNDS = 20;
/** A file written less than two seconds ago has no stamp: a build right after that would not find it unchanged. */
const STAMP_MILLISECONDS = 2500;

const folder = benchFolder();
const store = join(folder, "store.sqlite");
const out = join(folder, "out");

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not as it must be: ${what}`);
}

function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 3 : 1)} s`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

async function run<Report>(...args: string[]): Promise<Ran & { readonly report: Report }> {
  const ran = await runProcess(process.execPath, ["dist/cli/main.js", ...args, "--json"]);
  return { ...ran, report: JSON.parse(ran.stdout) as Report };
}

const build = () => run<BuildReport>("build", "--store", store, "--out", out);
const publish = () => run<PublishReport>("publish", "--to", `file://${join(folder, "live")}`, "--out", out);

async function copySeconds(site: string): Promise<number> {
  const copy = join(folder, "copy");
  const ran = await runProcess("cp", ["-r", site, copy]);
  rmSync(copy, { recursive: true, force: true });
  return ran.seconds;
}

/** The reference's full build, with the installed Node, and a copy of the site that it makes. */
async function buildReference(reference: string): Promise<{ full: Ran; copy: number }> {
  const at = join(folder, "reference");
  // An npm script finds this project's own Node first.
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));
  const args = [join(resolve(reference), "dist/cli/main.js"), "build", "--store", store, "--out", at];
  const env = { ...process.env, PATH: path.join(delimiter) };
  const full = await runProcess("node", args, { cwd: reference, env });
  const copy = await copySeconds(join(at, "site"));
  rmSync(at, { recursive: true, force: true });
  return { full, copy };
}

async function measure(): Promise<void> {
  const rows: { readonly name: string; readonly seconds: number; readonly more: string }[] = [];
  const add = (name: string, value: number, more = "") => {
    rows.push({ name, seconds: value, more });
    note(`${name}: ${seconds(value)}${more}`);
  };

  if (values.reference !== undefined) {
    const { full, copy } = await buildReference(values.reference);
    add("full build of the reference", full.seconds, `, ${mebibytes(full.peakBytes)}`);
    add("`cp -r` of its site", copy);
  }
  await sleep(STAMP_MILLISECONDS);
  const fulls: Awaited<ReturnType<typeof build>>[] = [];
  const copies: number[] = [];
  for (let at = 0; at < RUNS; at++) {
    rmSync(out, { recursive: true, force: true });
    fulls.push(await build());
    copies.push(await copySeconds(join(out, "site")));
  }
  const full = median(fulls.map((one) => one.seconds));
  add("full build", full, `, ${mebibytes(Math.max(...fulls.map(({ peakBytes }) => peakBytes)))}`);
  add("of that, rows to the catalog", median(fulls.map(({ report }) => report.seconds.extract)));
  add(
    "of that, catalog to files",
    median(fulls.map(({ report }) => report.seconds.render + report.seconds.commit)),
  );
  add("`cp -r` of its site", median(copies));

  const shop = new Shop(store, join(out, "site"));
  const changes: readonly [name: string, change: () => unknown, work: BuildReport["work"]][] = [
    ["nothing changed", () => undefined, "none"],
    ["store changed, nothing public", () => shop.order(), "none"],
    ["one price", () => shop.price(), "part"],
    ["one review approved", () => shop.approveReview(), "part"],
    ["one product added", () => shop.addProduct(), "part"],
    ["one product hidden", () => shop.hideProduct(), "part"],
  ];
  for (const [name, change, work] of changes) {
    const builds: Awaited<ReturnType<typeof build>>[] = [];
    for (let at = 0; at < RUNS; at++) {
      change();
      const built = await build();
      const { report } = built;
      must(report.work === work, `${name}: a build by "${work}", not "${report.work}"`);
      must(report.written > 0 === (work !== "none"), `${name}: ${report.written} files written`);
      builds.push(built);
    }
    const files = median(builds.map(({ report }) => report.written + report.deleted));
    add(name, median(builds.map((one) => one.seconds)), files > 0 ? `, ${files} files` : "");
  }

  const first = await publish();
  add("publish to a folder, first", first.seconds);
  shop.price();
  await build();
  const next = await publish();
  must(next.report.counts.changed > 0, "the publish of a price puts files");
  add("publish to a folder, one price", next.seconds);

  const watching = ["dist/cli/main.js", "watch", "--store", store, "--out", out, "--json"];
  const { builds, visible, peakBytes } = await measureWatch(watching, shop, WATCH_ROUNDS);
  add("`watch`: the build of one price, p50", median(builds), `, ${mebibytes(peakBytes)}`);
  const most = `, at most ${seconds(Math.max(...visible))}`;
  add("`watch`: commit to new bytes in the file, p50", median(visible), most);
  shop.close();
  await run("check", "--out", out);

  const ofFull = values.reference === undefined ? full : (rows[0]?.seconds ?? full);
  const what = values.store === undefined ? `${values.products} products` : values.store;
  const how = `Node ${process.versions.node}; ${RUNS} runs each (\`watch\`: ${WATCH_ROUNDS}), medians`;
  const lines = rows.map(
    (row) => `| ${row.name} | ${seconds(row.seconds)}${row.more} | ${(row.seconds / ofFull).toFixed(4)} |`,
  );
  const title = `${what}: ${fulls[0]?.report.files} files; ${how}`;
  process.stdout.write([title, "", "| | | of F |", "|---|---|---|", ...lines, ""].join("\n"));
}

async function measureOne(): Promise<void> {
  if (values.store === undefined) {
    note(`seeding ${values.products} products`);
    seedStore({ products: Number(values.products), seed: "bench", now: parseTime(BASE_TIME) }, store);
  } else {
    copyFileSync(values.store, store);
  }
  await measure();
}

/** Numbers of products: the demo's shop, and two larger ones of its kind. */
const TABLE_PRODUCTS = [56, 5000, 20_000];
/** Dollars, at the list prices of Amazon S3 in us-east-1, November 2026. */
const DOLLARS_PER_PUT = 0.000_005;
const DOLLARS_PER_GB_MONTH = 0.023;

/** Prints a row for each shop: what `plan` counts, what S3 asks for that, a full build and the build of one price. */
async function printTable(): Promise<void> {
  const lines = [
    "| products | files | size | full build | after one price | files that it changes | S3: first upload | S3: storage a month |",
    "|---|---|---|---|---|---|---|---|",
  ];
  for (const products of TABLE_PRODUCTS) {
    rmSync(out, { recursive: true, force: true });
    rmSync(store, { force: true });
    note(`${products} products`);
    if (products === TABLE_PRODUCTS[0]) copyFileSync("examples/demo/store.sqlite", store);
    else seedStore({ products, seed: "bench", now: parseTime(BASE_TIME) }, store);
    const { report: plan } = await run<{ files: number; sizeBytes: number }>("plan", "--store", store);
    const full = await build();
    const shop = new Shop(store, join(out, "site"));
    const prices: Awaited<ReturnType<typeof build>>[] = [];
    for (let at = 0; at < RUNS; at++) {
      shop.price();
      prices.push(await build());
    }
    shop.close();
    const megabytes = Math.round(plan.sizeBytes / 1e6);
    const upload = (plan.files * DOLLARS_PER_PUT).toFixed(2);
    const storage = ((plan.sizeBytes / 1e9) * DOLLARS_PER_GB_MONTH).toFixed(3);
    const cells = [
      products.toLocaleString("en"),
      plan.files.toLocaleString("en"),
      `${megabytes} MB`,
      `${full.seconds.toFixed(1)} s`,
      `${median(prices.map((one) => one.seconds)).toFixed(1)} s`,
      String(median(prices.map(({ report }) => report.written + report.deleted))),
      `$${upload}`,
      `$${storage}`,
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

try {
  await runProcess("npm", ["run", "--silent", "build"]);
  if (values.table) await printTable();
  else await measureOne();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
