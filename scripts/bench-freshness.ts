/**
 * How long readers of a busy shop wait: `npm run bench:freshness [-- --products N --minutes N --rate N]`. `watch` publishes to a Ceph of
 * this machine while the shop changes twice a second: one change in ten is a product that comes or goes, three are reviews, the others
 * prices. A price and a product count from their commit until the bucket's own answer of the product says so. With `--rate`, the bucket
 * is one in memory that takes so many PUTs a second: what a faster store than this machine's Ceph would give.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pMap from "p-map";
import { openPlace } from "../src/build/publish.ts";
import type { BuildReport, PublishReport } from "../src/index.ts";
import { startFaultProxy } from "../test/support/fault-proxy.ts";
import type { Upstream } from "../test/support/faults.ts";
import { createMemoryStore } from "../test/support/memory-bucket.ts";
import { RGW_ENV, startRgw, stopRgw } from "../test/support/rgw.ts";
import { benchFolder, runProcess } from "./bench/measure.ts";
import { Shop } from "./bench/shop.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({
  options: {
    products: { type: "string", default: "2000" },
    minutes: { type: "string", default: "5" },
    rate: { type: "string" },
  },
});
const CHANGE_MILLISECONDS = 500;
const LOOK_MILLISECONDS = 500;
const LOOKS_AT_ONCE = 16;
/** What is not seen by then, once nothing changes any more, is a fault. */
const MOST_SECONDS = 600;
const TO = "s3://shop/live";

/** A change that some reader waits for. */
interface Wait {
  readonly kind: "price" | "product";
  /** Of the product's answer. */
  readonly key: string;
  /** What it says then; null: it is gone. */
  readonly text: string | null;
  readonly since: number;
}

interface Watched {
  readonly built: readonly BuildReport[];
  readonly published: readonly PublishReport[];
  readonly failed: readonly object[];
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Starts `watch`; `end` waits until it has ended. */
function startWatch(args: readonly string[]) {
  const child = spawn(process.execPath, ["dist/cli/main.js", "watch", ...args, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    text += part.toString();
  });
  const watched = (): Watched => {
    const lines = text.split("\n").slice(0, -1);
    const events = lines.map((line) => JSON.parse(line) as { readonly event: string });
    const of = <Report>(name: string) => events.filter(({ event }) => event === name) as unknown as Report[];
    return { built: of("build"), published: of("publish"), failed: of("failed") };
  };
  const end = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  return { watched, end, isOver: () => child.exitCode !== null };
}

function keyOf(slug: string): string {
  return `api/v1/product/slug=${slug}.json`;
}

/** The next change of the shop; null where no reader's answer is looked at. */
function change(shop: Shop, count: number): Omit<Wait, "since"> | null {
  if (count % 20 === 0) return { kind: "product", key: keyOf(shop.addProduct()), text: "" };
  if (count % 20 === 10) return { kind: "product", key: keyOf(shop.hideProduct().slug), text: null };
  if (count % 10 < 4) {
    shop.turnReview();
    return null;
  }
  const { slug, text } = shop.price();
  return { kind: "price", key: keyOf(slug), text };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function figures(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b);
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => percentile(sorted, share).toFixed(1));
  return `p50 ${p50} s, p95 ${p95} s, at most ${most} s (${sorted.length})`;
}

/** Looks at answers until each says what is waited for; notes how long that took. */
async function seeAll(endpoint: string, waits: Wait[], isOver: () => boolean): Promise<[Wait, number][]> {
  using bucket = await openPlace({ to: TO, endpoint });
  const seen: [Wait, number][] = [];
  let deadline = Number.POSITIVE_INFINITY;
  while (!isOver() || waits.length > 0) {
    if (isOver()) deadline = Math.min(deadline, performance.now() + MOST_SECONDS * 1000);
    if (performance.now() > deadline) throw new Error(`never seen: ${JSON.stringify(waits)}`);
    const look = async (wait: Wait) => {
      const found = await bucket.get(wait.key);
      const isSeen = wait.text === null ? found === null : found?.body.includes(wait.text) === true;
      if (!isSeen) return;
      seen.push([wait, (performance.now() - wait.since) / 1000]);
      waits.splice(waits.indexOf(wait), 1);
    };
    await pMap([...waits], look, { concurrency: LOOKS_AT_ONCE });
    await sleep(LOOK_MILLISECONDS);
  }
  return seen;
}

async function changeFor(milliseconds: number, shop: Shop, waits: Wait[]): Promise<number> {
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < milliseconds; count++) {
    await sleep(Math.max(0, began + count * CHANGE_MILLISECONDS - performance.now()));
    const made = change(shop, count);
    if (made !== null) waits.push({ ...made, since: performance.now() });
  }
  return count;
}

function middleOf(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  return percentile(sorted, 0.5).toFixed(0);
}

function printFigures(changes: number, seen: readonly [Wait, number][], watched: Watched): void {
  const [first, ...published] = watched.published;
  const files = watched.built[0]?.files ?? 0;
  const puts = published.map(({ counts }) => counts.new + counts.changed);
  const rates = published.map(({ seconds }, at) => (puts[at] ?? 0) / seconds);
  const of = (kind?: Wait["kind"]) =>
    figures(seen.filter(([wait]) => wait.kind === (kind ?? wait.kind)).map(([, seconds]) => seconds));
  const load = loadavg().map((value) => value.toFixed(1));
  const lines = [
    `${values.products} products, ${files} files, ${changes} changes in ${values.minutes} min; load of the machine ${load.join(", ")}`,
    `first publish: ${(files / (first?.seconds ?? 1)).toFixed(0)} PUT/s`,
    `${published.length} publishes, ${watched.failed.length} failed; ${middleOf(puts)} files each, ${middleOf(rates)} PUT/s (medians)`,
    `commit → the bucket's answer: ${of()}`,
    `  a price: ${of("price")}`,
    `  a product that comes or goes: ${of("product")}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function measure(folder: string, endpoint: string): Promise<void> {
  const [store, out] = [join(folder, "store.sqlite"), join(folder, "out")];
  note(`seeding ${values.products} products`);
  seedStore({ products: Number(values.products), seed: "bench", now: parseTime(BASE_TIME) }, store);
  const watch = startWatch([
    "--store",
    store,
    "--out",
    out,
    "--to",
    TO,
    "--endpoint",
    endpoint,
    "--allow-local",
  ]);
  try {
    while (watch.watched().published.length === 0) {
      if (watch.isOver()) throw new Error("watch ended");
      await sleep(LOOK_MILLISECONDS);
    }
    note("the first release is live; the shop changes");
    const waits: Wait[] = [];
    const shop = new Shop(store, join(out, "site"));
    let isOver = false;
    const [changes, seen] = await Promise.all([
      changeFor(Number(values.minutes) * 60_000, shop, waits).finally(() => {
        isOver = true;
      }),
      seeAll(endpoint, waits, () => isOver),
    ]);
    shop.close();
    printFigures(changes, seen, watch.watched());
  } finally {
    await watch.end();
  }
}

/** A bucket in memory that begins at most `rate` PUTs a second. */
function pacedStore(rate: number): Upstream {
  const store = createMemoryStore("shop");
  let next = performance.now();
  return {
    ...store,
    async ask(request) {
      if (request.method === "PUT") {
        next = Math.max(next + 1000 / rate, performance.now());
        await sleep(Math.max(0, next - performance.now()));
      }
      return store.ask(request);
    },
  };
}

async function measureInMemory(folder: string, rate: number): Promise<void> {
  const proxy = await startFaultProxy(pacedStore(rate));
  try {
    await measure(folder, proxy.url);
  } finally {
    await proxy.close();
  }
}

async function measureOnCeph(folder: string): Promise<void> {
  const ceph = join(folder, "rgw");
  mkdirSync(ceph);
  try {
    await startRgw(ceph);
    await measure(folder, readFileSync(join(ceph, "endpoint"), "utf8"));
  } finally {
    await stopRgw(ceph);
  }
}

const folder = benchFolder();
try {
  await runProcess("npm", ["run", "--silent", "build"]);
  Object.assign(process.env, RGW_ENV);
  await (values.rate === undefined ? measureOnCeph(folder) : measureInMemory(folder, Number(values.rate)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
