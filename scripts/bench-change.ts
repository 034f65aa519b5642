/**
 * Measures what a change costs: `npm run bench:change [-- --products N --reference FOLDER --store FILE --runs N]`. Each figure
 * stands beside F, the full build of a reference: a checkout of an older version, built, with its packages (docs/performance.md
 * says how to make one). Each step in a process of its own, in memory-backed files; `--store` spares the seeding. Prints
 * the table of docs/performance.md.
 */
import { copyFileSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { BuildReport, PublishReport } from "../src/index.ts";
import { benchFolder, median, type Ran, runProcess } from "./bench/measure.ts";
import { Shop } from "./bench/shop.ts";
import { measureWatch, type Watched } from "./bench/watched.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({
  options: {
    products: { type: "string", default: "100000" },
    reference: { type: "string" },
    store: { type: "string" },
    runs: { type: "string", default: "3" },
  },
});
const RUNS = Number(values.runs);
const WATCH_ROUNDS = 20;
/** What was written less than two seconds ago has no stamp yet: a build after that is not one that finds nothing changed. */
const STAMP_MILLISECONDS = 2500;

const folder = benchFolder();
const store = join(folder, "store.sqlite");
const out = join(folder, "out");
const place = `file://${join(folder, "live")}`;

interface Row {
  readonly name: string;
  readonly value: string;
  readonly ratio: string;
  readonly goal: string;
}

type Built = Ran & { readonly report: BuildReport };

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function run<Report>(...args: string[]): Promise<Ran & { report: Report }> {
  const ran = await runProcess(process.execPath, ["dist/cli/main.js", ...args, "--json"]);
  return { ...ran, report: JSON.parse(ran.stdout) as Report };
}

function build(): Promise<Built> {
  return run<BuildReport>("build", "--store", store, "--out", out);
}

function publish(): Promise<Ran & { report: PublishReport }> {
  return run<PublishReport>("publish", "--to", place, "--out", out);
}

function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 3 : 1)} s`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not as it must be: ${what}`);
}

async function copySeconds(site: string): Promise<number> {
  const copy = join(folder, "copy");
  const ran = await runProcess("cp", ["-r", site, copy]);
  rmSync(copy, { recursive: true, force: true });
  return ran.seconds;
}

/** F: the reference's full build, by the Node that is installed, and a copy of the site that it makes. */
async function measureReference(reference: string): Promise<{ full: Ran; copy: number }> {
  note("the reference's full build");
  const at = join(folder, "reference");
  // A script of npm finds this project's own Node first.
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));
  const env = { ...process.env, PATH: path.join(delimiter) };
  const args = [join(resolve(reference), "dist/cli/main.js"), "build", "--store", store, "--out", at];
  const full = await runProcess("node", args, { cwd: reference, env });
  const copy = await copySeconds(join(at, "site"));
  rmSync(at, { recursive: true, force: true });
  return { full, copy };
}

/** Some changes of one kind, each followed by a build in a process of its own. */
async function measureChange(name: string, change: () => void, work: BuildReport["work"]): Promise<Built[]> {
  const builds: Built[] = [];
  for (let at = 0; at < RUNS; at++) {
    change();
    const built = await build();
    const { report } = built;
    must(report.work === work, `${name}: a build by "${work}", not "${report.work}"`);
    must(report.written > 0 === (work !== "none"), `${name}: ${report.written} files written`);
    builds.push(built);
    note(`${name}: ${seconds(built.seconds)}, ${report.written} written, ${report.deleted} deleted`);
  }
  return builds;
}

function printTable(title: string, rows: readonly Row[]): void {
  const lines = rows.map(({ name, value, ratio, goal }) => `| ${name} | ${value} | ${ratio} | ${goal} |`);
  process.stdout.write([title, "", "| | | of F | goal |", "|---|---|---|---|", ...lines, ""].join("\n"));
}

interface Publishes {
  readonly first: Ran;
  readonly next: Ran;
}

async function measurePublish(shop: Shop): Promise<Publishes> {
  note("publish to a folder");
  const first = await publish();
  shop.price();
  await build();
  const next = await publish();
  must(next.report.counts.changed > 0, "the publish of a price puts files");
  return { first, next };
}

/** Figures as rows, each beside its share of F. */
class Table {
  readonly rows: Row[] = [];
  readonly #full: number | undefined;

  constructor(full: number | undefined) {
    this.#full = full;
  }

  add(name: string, value: number, goal = "", more = ""): void {
    const ratio = this.#full === undefined ? "" : (value / this.#full).toFixed(4);
    this.rows.push({ name, value: `${seconds(value)}${more}`, ratio, goal });
  }

  /** Changes of one kind; `goal` may depend on how many files they wrote and deleted. */
  addChange(name: string, builds: readonly Built[], goal: (files: number) => string): void {
    const files = median(builds.map(({ report }) => report.written + report.deleted));
    this.add(
      name,
      median(builds.map((built) => built.seconds)),
      goal(files),
      files > 0 ? `, ${files} files` : "",
    );
  }

  addPublishes({ first, next }: Publishes): void {
    this.add("publish to a folder, first", first.seconds);
    const share = `, ${(next.seconds / first.seconds).toFixed(3)} of the first`;
    this.add("publish to a folder, one price", next.seconds, "a tenth of the first", share);
  }

  addWatched({ builds, visible, peakBytes }: Watched): void {
    this.add("`watch`: the build of one price, p50", median(builds), "0.003", `, ${mebibytes(peakBytes)}`);
    const most = `, at most ${seconds(Math.max(...visible))}`;
    this.add("`watch`: commit → new bytes in the file, p50", median(visible), "1 s", most);
  }
}

async function measureChanges(table: Table, shop: Shop, whole: Built): Promise<void> {
  const change = async (
    name: string,
    work: BuildReport["work"],
    make: () => void,
    goal: (files: number) => string,
  ) => table.addChange(name, await measureChange(name, make, work), goal);
  const fileSeconds = whole.seconds / whole.report.files;
  const ofFiles = (files: number) => `0.04 and ${seconds(files * fileSeconds)}: its files in a full build`;
  await change(
    "nothing changed",
    "none",
    () => {},
    () => "0.005",
  );
  await change(
    "store changed, nothing public",
    "none",
    () => shop.order(),
    () => "0.015",
  );
  await change(
    "one price, cold",
    "delta",
    () => shop.price(),
    () => "0.04",
  );
  await change(
    "one review approved, cold",
    "delta",
    () => shop.approveReview(),
    () => "0.04",
  );
  await change("one product added, cold", "delta", () => shop.addProduct(), ofFiles);
  await change("one product hidden, cold", "delta", () => shop.hideProduct(), ofFiles);
}

async function measure(): Promise<void> {
  const reference = values.reference === undefined ? undefined : await measureReference(values.reference);
  const table = new Table(reference?.full.seconds);
  if (reference !== undefined) {
    const { full, copy } = reference;
    table.add("reference: full build (F)", full.seconds, "", `, ${mebibytes(full.peakBytes)}`);
    table.add("reference: `cp -r` of its site", copy);
  }
  await sleep(STAMP_MILLISECONDS);
  note("full build");
  const whole = await build();
  table.add("full build", whole.seconds, "0.35; 400 MiB", `, ${mebibytes(whole.peakBytes)}`);
  table.add("`cp -r` of its site", await copySeconds(join(out, "site")));
  const shop = new Shop(store, join(out, "site"));
  await measureChanges(table, shop, whole);
  table.addPublishes(await measurePublish(shop));
  note("watch");
  const watching = ["dist/cli/main.js", "watch", "--store", store, "--out", out, "--json"];
  table.addWatched(await measureWatch(watching, shop, WATCH_ROUNDS));
  shop.close();
  note("check");
  await run("check", "--out", out);
  const what = values.store === undefined ? `${values.products} products` : "the store that was named";
  const how = `${RUNS} runs each (\`watch\`: ${WATCH_ROUNDS}), medians`;
  printTable(`${what}: ${whole.report.files} files; Node ${process.versions.node}; ${how}`, table.rows);
}

try {
  await runProcess("npm", ["run", "--silent", "build"]);
  if (values.store === undefined) {
    note(`seeding ${values.products} products`);
    seedStore({ products: Number(values.products), seed: "bench", now: parseTime(BASE_TIME) }, store);
  } else {
    copyFileSync(values.store, store);
  }
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
