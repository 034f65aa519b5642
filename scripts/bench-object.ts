/**
 * The fallback as a Durable Object in workerd, beside `vitrine fallback` in the same run: following a first release, one price and a
 * whole other release; five kinds of requests, with the runtime's own part of them; cold starts; rows read and written, which are
 * billed; memory; the bundle's size. Answers are timed at the runtime's own socket, in turns.
 * `npx node scripts/bench-object.ts [--products 5000]`, some two minutes; 20,000 take six
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { OBJECT_WORKER_FILE } from "../src/package.ts";
import { extractTemporarily } from "../src/pipeline/plan.ts";
import { ObjectHost, type Release, releaseFrom } from "../test/object/host.ts";
import { freePort } from "../test/support/free-port.ts";
import { DEMO_CONFIG } from "../test/support/shop.ts";
import { until } from "../test/support/until.ts";
import { buildObject } from "./build-object.ts";
import { startBareWorker } from "./edge/bare-worker.ts";
import { HeapWatch, mostProcessBytes, processorSeconds, runtimeProcess } from "./edge/runtime.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({ options: { products: { type: "string", default: "5000" } } });
/** Blocks of requests of each kind to each server, in turns. */
const ROUNDS = Number(process.env["ROUNDS"] ?? 20);
const BLOCK = 10;
const FOLLOW_MILLISECONDS = 400_000;

/** A different address each time, so that nothing is remembered of it. */
const KINDS: Readonly<
  Record<string, { readonly hasKey: boolean; readonly targetAt: (at: number) => string }>
> = {
  "a filter with bounds": {
    hasKey: false,
    targetAt: (at) => `products?min_price=${at % 40}.5&max_price=99&sort=rating&category=scripts`,
  },
  "a deep page": { hasKey: true, targetAt: (at) => `products?page=${10 + (at % 150)}&sort=title_asc` },
  "a detail": { hasKey: true, targetAt: (at) => `product?id=${100 + at}` },
  "a search": { hasKey: false, targetAt: (at) => `search?q=invoice%20${at}` },
  "a search with a typing error": {
    hasKey: false,
    targetAt: (at) => `search?q=invoce&page=${1 + (at % 100)}`,
  },
};

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

function median(times: readonly number[]): number {
  return percentile(times, 0.5);
}

function say(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(44)} ${value}\n`);
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds until the whole answer is there. */
function timed(url: string): Promise<number> {
  const began = performance.now();
  return new Promise((done, fail) => {
    get(url, { agent }, (reply) => {
      reply.resume();
      // Hidden products have no detail.
      const isRight = reply.statusCode === 200 || reply.statusCode === 404;
      reply.on("end", () =>
        isRight ? done(performance.now() - began) : fail(new Error(`${reply.statusCode} at ${url}`)),
      );
    }).on("error", fail);
  });
}

/** What was billed since this object was started. */
async function rowsOf(host: ObjectHost): Promise<{ read: number; written: number; stored: number }> {
  const text = await host.metrics();
  const of = (name: string) => Number(new RegExp(`^vitrine_object_${name} (\\d+)$`, "m").exec(text)?.[1]);
  return { read: of("rows_read_total"), written: of("rows_written_total"), stored: of("storage_bytes") };
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const store = join(folder, "store.sqlite");

async function releaseAs(name: string, sql: string): Promise<Release> {
  const db = new Database(store);
  db.exec(sql);
  db.close();
  mkdirSync(join(folder, name));
  const file = join(folder, name, "catalog.sqlite");
  const inputs = {
    store,
    queries: "templates/queries",
    config: DEMO_CONFIG,
    now: BASE_TIME,
    maxLeftOut: 1e6,
  };
  await extractTemporarily(inputs, file);
  return releaseFrom(file);
}

/** Seconds until a release is answered, and the rows that it took. */
async function followed(host: ObjectHost, release: Release): Promise<string> {
  const before = await rowsOf(host);
  const began = performance.now();
  const id = await host.point(release);
  while ((await host.ready()).release !== id) {
    if (performance.now() - began > FOLLOW_MILLISECONDS) throw new Error("the release was not followed");
    await host.notify();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const seconds = (performance.now() - began) / 1000;
  const after = await rowsOf(host);
  return `${seconds.toFixed(1)} s; ${after.read - before.read} rows read, ${after.written - before.written} written`;
}

seedStore({ products: Number(values.products), seed: "vitrine", now: parseTime(BASE_TIME) }, store);
const first = await releaseAs("first", "SELECT 1");
const price = await releaseAs("price", "UPDATE products SET regular_price_minor = 1234 WHERE id = 101");
const other = await releaseAs("other", "UPDATE products SET name = name || ' II'");
await buildObject();
const bundle = readFileSync(OBJECT_WORKER_FILE);
const partitions = Object.values(first.index.lists).reduce((sum, names) => sum + names.length, 0);
say("products; partitions", `${values.products}; ${partitions}`);
say("bundle", `${bundle.length} bytes, ${gzipSync(bundle, { level: 9 }).length} gzipped`);
say("load of the machine", loadavg()[0]?.toFixed(1) ?? "");

const port = await freePort();
const flags = ["src/cli/main.ts", "fallback", "--out", join(folder, "first"), "--port", String(port)];
const fallback = spawn(process.execPath, flags, { stdio: "ignore" });
const inspectorPort = await freePort();
const home = join(folder, "object");
let host = await ObjectHost.start({ folder: home, inspectorPort, isDirect: true });
let bare: Awaited<ReturnType<typeof startBareWorker>> | undefined;
try {
  const runtime = runtimeProcess();
  using heap = await HeapWatch.open(inspectorPort);
  for (const release of [first, price, other]) await host.putObjects(release);
  say("first release followed", await followed(host, first));
  say("storage", `${(await rowsOf(host)).stored} bytes`);

  bare = await startBareWorker();
  const { address } = bare;
  const objectAt = (target: string) => new URL(`/api/v1/${target}`, host.address).href;
  const fallbackAt = (target: string) => `http://127.0.0.1:${port}/api/v1/${target}`;
  await until("the fallback", () => timed(fallbackAt("search?q=kit")).catch(() => undefined));
  for (const [kind, { hasKey, targetAt }] of Object.entries(KINDS)) {
    const bareAt = (target: string) => new URL(hasKey ? `/file/${target}` : `/${target}`, address).href;
    const times = { object: [] as number[], fallback: [] as number[], bare: [] as number[] };
    const cost = { object: 0, fallback: 0 };
    const before = await rowsOf(host);
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const targets = Array.from({ length: BLOCK }, (_, at) => targetAt(round * BLOCK + at));
      const ask = async (name: keyof typeof times, urlAt: (target: string) => string, pid?: number) => {
        const began = pid === undefined ? 0 : processorSeconds(pid);
        for (const target of targets) {
          const milliseconds = await timed(urlAt(target));
          if (round > 0) times[name].push(milliseconds);
        }
        if (pid !== undefined && name !== "bare" && round > 0) cost[name] += processorSeconds(pid) - began;
      };
      await ask("object", objectAt, runtime);
      await ask("fallback", fallbackAt, fallback.pid);
      await ask("bare", bareAt);
    }
    const after = await rowsOf(host);
    const shown = (name: keyof typeof times) =>
      `p50 ${median(times[name]).toFixed(2)} p99 ${percentile(times[name], 0.99).toFixed(1)} ms`;
    say(`${kind}, object`, shown("object"));
    say("  fallback", shown("fallback"));
    say("  the runtime alone", shown("bare"));
    say(
      "  object / fallback",
      `p50 ${(median(times.object) / median(times.fallback)).toFixed(2)}, processor ${(cost.object / cost.fallback).toFixed(2)}; ${Math.round((after.read - before.read) / times.object.length)} rows read a request`,
    );
  }

  say("one price followed", await followed(host, price));
  say("first search after it", `${(await timed(objectAt("search?q=kit%201"))).toFixed(0)} ms`);

  const calm: number[] = [];
  const times: number[] = [];
  const kinds = Object.values(KINDS);
  const askAny = async (at: number) => timed(objectAt(kinds[at % kinds.length]?.targetAt(at % 90) ?? ""));
  for (let at = 0; at < 100; at++) calm.push(await askAny(at));
  const isFollowed = { whole: false };
  const asking = (async () => {
    for (let at = 0; !isFollowed.whole; at++) {
      times.push(await askAny(at));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const whole = followed(host, other).finally(() => {
    isFollowed.whole = true;
  });
  // A failed answer ends the run.
  await Promise.all([whole, asking]);
  say("a whole other release followed", await whole);
  say(
    `  ${times.length} answers meanwhile, none failed`,
    `p50 ${median(times).toFixed(1)} (${median(calm).toFixed(1)} before) p99 ${percentile(times, 0.99).toFixed(0)} longest ${Math.max(...times).toFixed(0)} ms`,
  );
  say("most of the isolate's heap and buffers", `${(heap.most / 2 ** 20).toFixed(0)} MiB`);
  say("most memory of the runtime's process", `${(mostProcessBytes(runtime) / 2 ** 20).toFixed(0)} MiB`);

  const cold = { filter: [] as number[], search: [] as number[] };
  for (let start = 0; start < 3; start++) {
    await host[Symbol.asyncDispose]();
    host = await ObjectHost.start({ folder: home, isDirect: true });
    cold.filter.push(await timed(objectAt("products?min_price=5")));
    cold.search.push(await timed(objectAt("search?q=kit")));
  }
  say("first filter after a cold start", `${median(cold.filter).toFixed(0)} ms, median of 3`);
  say("first search after it", `${median(cold.search).toFixed(0)} ms, median of 3`);
  say("load of the machine", loadavg()[0]?.toFixed(1) ?? "");
} finally {
  fallback.kill();
  agent.destroy();
  await bare?.stop();
  await host[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
