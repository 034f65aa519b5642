/**
 * The fallback as a Durable Object in workerd, beside `vitrine fallback` in the same run: following a first release, one price and a
 * whole other release; five kinds of requests; a cold start; rows read and written; memory; the bundle's size.
 * `npx node scripts/bench-object.ts [--products 5000]`
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { OBJECT_WORKER_FILE } from "../src/package.ts";
import { extractTemporarily } from "../src/pipeline/plan.ts";
import { ObjectHost, releaseFrom } from "../test/object/host.ts";
import { freePort } from "../test/support/free-port.ts";
import { DEMO_CONFIG } from "../test/support/shop.ts";
import { until } from "../test/support/until.ts";
import { buildObject } from "./build-object.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({ options: { products: { type: "string", default: "5000" } } });
const ROUNDS = Number(process.env["ROUNDS"] ?? 100);

/** A different address each time, so that nothing is remembered of it. */
const KINDS: Readonly<Record<string, (at: number) => string>> = {
  "a filter with bounds": (at) => `products?min_price=${at % 40}.5&max_price=99&sort=rating&category=scripts`,
  "a deep page": (at) => `products?page=${10 + at}&sort=title_asc`,
  "a detail": (at) => `product?id=${100 + at}`,
  "a search": (at) => `search?q=invoice%20${at}`,
  "a search with a typing error": (at) => `search?q=invoce&page=${1 + at}`,
};

function percentiles(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5).padStart(7)} p99 ${at(0.99).padStart(7)}`;
}

async function timed(ask: () => Promise<Response>): Promise<number> {
  const began = performance.now();
  const reply = await ask();
  await reply.arrayBuffer();
  // Hidden products have no detail.
  if (reply.status !== 200 && reply.status !== 404) throw new Error(`${reply.status} at ${reply.url}`);
  return performance.now() - began;
}

/** The largest memory of the runtime that this process started, in megabytes. */
function runtimeMegabytes(): number {
  const sizes = readdirSync("/proc").flatMap((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const isOurs = status.includes(`PPid:\t${process.pid}\n`) && status.startsWith("Name:\tworkerd");
      return isOurs ? [Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024] : [];
    } catch {
      // Not a process, or one that has ended.
      return [];
    }
  });
  return Math.max(0, ...sizes);
}

function say(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(52)} ${value}\n`);
}

async function rowsOf(host: ObjectHost): Promise<string> {
  const text = await host.metrics();
  const of = (name: string) => new RegExp(`^vitrine_object_${name} (\\d+)$`, "m").exec(text)?.[1] ?? "?";
  return `${of("rows_read_total")} rows read, ${of("rows_written_total")} written, ${of("storage_bytes")} bytes stored`;
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const store = join(folder, "store.sqlite");
async function catalogAs(name: string, sql: string): Promise<string> {
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
  return file;
}

seedStore({ products: Number(values.products), seed: "vitrine", now: parseTime(BASE_TIME) }, store);
const first = await catalogAs("first", "SELECT 1");
const price = await catalogAs("price", "UPDATE products SET regular_price_minor = 1234 WHERE id = 101");
const other = await catalogAs("other", "UPDATE products SET name = name || ' II'");
await buildObject();
const bundle = readFileSync(OBJECT_WORKER_FILE);
say("products", values.products);
say("bundle", `${bundle.length} bytes, ${gzipSync(bundle, { level: 9 }).length} gzipped`);

const port = await freePort();
const flags = ["src/cli/main.ts", "fallback", "--out", join(folder, "first"), "--port", String(port)];
const fallback = spawn(process.execPath, flags, { stdio: "ignore" });
let host = await ObjectHost.start({ folder: join(folder, "object") });
try {
  await host.putObjects(releaseFrom(first));
  await host.putObjects(releaseFrom(price));
  await host.putObjects(releaseFrom(other));

  let began = performance.now();
  const id = await host.point(releaseFrom(first));
  await host.following(id);
  say(
    "first release followed",
    `${((performance.now() - began) / 1000).toFixed(1)} s; ${await rowsOf(host)}`,
  );

  const askObject = (target: string) => host.ask(`/api/v1/${target}`);
  const askFallback = (target: string) => fetch(`http://127.0.0.1:${port}/api/v1/${target}`);
  await until(
    "the fallback",
    async () => (await askFallback("search?q=kit").catch(() => null))?.status === 200,
  );
  for (const [kind, targetAt] of Object.entries(KINDS)) {
    const times = { object: [] as number[], fallback: [] as number[] };
    for (let at = 0; at < ROUNDS; at++) {
      times.object.push(await timed(() => askObject(targetAt(at))));
      times.fallback.push(await timed(() => askFallback(targetAt(at))));
    }
    say(`${kind}, object`, `${percentiles(times.object)} ms`);
    say(`${kind}, fallback`, `${percentiles(times.fallback)} ms`);
  }
  say("after 500 requests", await rowsOf(host));

  began = performance.now();
  await host.following(await host.point(releaseFrom(price)));
  say("one price followed", `${((performance.now() - began) / 1000).toFixed(2)} s; ${await rowsOf(host)}`);
  say("first search after it", `${(await timed(() => askObject("search?q=kit%201"))).toFixed(0)} ms`);

  began = performance.now();
  const next = await host.point(releaseFrom(other));
  const times: number[] = [];
  let isDone = false;
  const asking = (async () => {
    for (let at = 0; !isDone; at++) {
      const targetAt = Object.values(KINDS)[at % 5];
      times.push(await timed(() => askObject(targetAt?.(at % 90) ?? "")));
    }
  })();
  await until("the other release", async () => {
    await host.notify();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return (await host.ready()).release === next;
  });
  isDone = true;
  await asking;
  say(
    "a whole other release followed",
    `${((performance.now() - began) / 1000).toFixed(1)} s; ${await rowsOf(host)}`,
  );
  say(
    `${times.length} answers meanwhile`,
    `${percentiles(times)} ms, longest ${Math.max(...times).toFixed(0)} ms`,
  );
  say("most memory of the runtime", `${runtimeMegabytes().toFixed(0)} MB`);

  await host[Symbol.asyncDispose]();
  host = await ObjectHost.start({ folder: join(folder, "object") });
  say(
    "first filter after a cold start",
    `${(await timed(() => askObject("products?min_price=5"))).toFixed(0)} ms`,
  );
  say("first search after it", `${(await timed(() => askObject("search?q=kit"))).toFixed(0)} ms`);
} finally {
  fallback.kill();
  await host[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
