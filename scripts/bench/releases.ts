/**
 * What clients notice while releases are published to a folder that a fallback follows: the time until the fallback has a change,
 * response times meanwhile, and the fallback's memory. `npm run bench:fallback -- --releases [--products N]`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "better-sqlite3";
import type { PublishReport } from "../../src/index.ts";
import { runProcess } from "./measure.ts";

const PORT = 8473;
const CLIENTS = 8;
/** Pause between a client's requests: keeps the server busy, but not saturated. */
const PAUSE_MILLISECONDS = 4;
/** The fallback looks every five seconds. */
const WAIT_MILLISECONDS = 300_000;

const A_PRODUCT = `(SELECT id FROM products WHERE status = 'published' AND regular_price_minor > 100
  ORDER BY ABS(id - (SELECT MAX(id) / 2 FROM products)), id LIMIT 1)`;
const EDITS: Readonly<Record<string, string>> = {
  "one price": `UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE id = ${A_PRODUCT}`,
  "100 prices": `UPDATE products SET regular_price_minor = regular_price_minor + 100
    WHERE id % MAX(1, (SELECT MAX(id) / 100 FROM products)) = 0`,
  "one review": `UPDATE reviews SET status = 'rejected'
    WHERE id = (SELECT MAX(id) FROM reviews WHERE status = 'approved')`,
  "one title": `UPDATE products SET name = name || ' again' WHERE id = ${A_PRODUCT}`,
};

/** A shop that builds and publishes, each command in a separate process. */
function shopOf(store: string, folder: string) {
  const out = join(folder, "out");
  const place = `file://${join(folder, "live")}`;
  const run = (...args: string[]) => runProcess(process.execPath, ["dist/cli/main.js", ...args, "--json"]);
  return {
    place,
    catalog: join(out, "catalog.sqlite"),
    edit(sql: string): void {
      const db = new Database(store);
      db.exec(sql);
      db.close();
    },
    build: () => run("build", "--store", store, "--out", out),
    /** Resolves to its catalog's digest, as `/healthz` reports it. */
    async publish(): Promise<string> {
      const { stdout } = await run("publish", "--to", place, "--out", out);
      const { outcome, release } = JSON.parse(stdout) as PublishReport;
      if (outcome !== "published") throw new Error(`not as it must be: the publish ended as ${outcome}`);
      return release?.split("-")[1] ?? "";
    },
  };
}

type BenchedShop = ReturnType<typeof shopOf>;

interface Load {
  /** Response times, in milliseconds, and failures since the last call. */
  take(): { readonly waits: number[]; readonly failed: number };
  stop(): void;
}

function startLoad(targets: readonly string[]): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let [waits, failed, at, going]: [number[], number, number, boolean] = [[], 0, 0, true];
  const ask = (target: string) =>
    new Promise<void>((resolve) => {
      const begun = performance.now();
      const done = (ok: boolean) => {
        waits.push(performance.now() - begun);
        if (!ok) failed += 1;
        resolve();
      };
      get({ port: PORT, host: "127.0.0.1", path: target, agent }, (response) => {
        response.resume().on("end", () => done(response.statusCode === 200));
      }).on("error", () => done(false));
    });
  for (let client = 0; client < CLIENTS; client++) {
    void (async () => {
      while (going) {
        await ask(targets[at++ % targets.length] ?? "/");
        await wait(PAUSE_MILLISECONDS);
      }
    })();
  }
  return {
    take() {
      const taken = { waits, failed };
      [waits, failed] = [[], 0];
      return taken;
    },
    stop() {
      going = false;
      agent.destroy();
    },
  };
}

function residentBytes({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

async function releaseOf(): Promise<string> {
  const health = await fetch(`http://127.0.0.1:${PORT}/healthz`).catch(() => null);
  return health === null ? "" : ((await health.json()) as { release: string }).release;
}

function describe({ waits, failed }: { waits: number[]; failed: number }): string {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const most = (sorted.at(-1) ?? 0).toFixed(1);
  return `${sorted.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${most} ms, ${failed} failed`;
}

/** Publishes the built snapshot, and measures until the fallback answers from it and response times are normal again. */
async function takeUp(server: ChildProcess, shop: BenchedShop, load: Load): Promise<string> {
  const before = residentBytes(server);
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, residentBytes(server));
  }, 50);
  load.take();
  const begun = performance.now();
  const secondsSoFar = () => (performance.now() - begun) / 1000;
  const digest = await shop.publish();
  const published = secondsSoFar();
  while ((await releaseOf()) !== digest) {
    if (performance.now() - begun > WAIT_MILLISECONDS) throw new Error("the fallback does not take it up");
    await wait(50);
  }
  const taken = secondsSoFar();
  await wait(1000);
  clearInterval(watching);
  const memory = `memory ${(before / 1e6).toFixed(0)} → ${(most / 1e6).toFixed(0)} MB (${(most / before).toFixed(2)})`;
  return `published after ${published.toFixed(1)} s, answered after ${taken.toFixed(1)} s; ${describe(load.take())}; ${memory}`;
}

async function follow(shop: BenchedShop, targets: readonly string[], cache: string): Promise<void> {
  const args = ["fallback", "--to", shop.place, "--cache", cache, "--port", `${PORT}`];
  const begun = performance.now();
  const server = spawn(process.execPath, ["dist/cli/main.js", ...args], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  try {
    while ((await releaseOf()) === "") {
      if (server.exitCode !== null) throw new Error(`the fallback ended with ${server.exitCode}`);
      await wait(20);
    }
    console.log(`started from nothing in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    const load = startLoad(targets);
    await wait(3000);
    load.take();
    await wait(5000);
    console.log(`calm        ${describe(load.take())}`);
    for (const [what, sql] of Object.entries(EDITS)) {
      shop.edit(sql);
      await shop.build();
      console.log(`${what.padEnd(11)} ${await takeUp(server, shop, load)}`);
    }
    load.stop();
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

/** @param targetsOf makes request targets from a catalog's file */
export async function benchReleases(
  store: string,
  folder: string,
  targetsOf: (catalog: string) => readonly string[],
): Promise<void> {
  const shop = shopOf(store, folder);
  mkdirSync(join(folder, "live"));
  await shop.build();
  await shop.publish();
  const lists = targetsOf(shop.catalog).slice(0, 300);
  const others = ["/api/v1/search?q=kit", "/api/v1/product?id=100", "/api/v1/reviews?min_rating=4&page=3"];
  await follow(shop, [...lists, ...Array.from({ length: 40 }, () => others).flat()], join(folder, "cache"));
}
