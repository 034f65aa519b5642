/**
 * What clients notice of releases that a running fallback takes up: waiting and memory, by delta and loaded whole.
 * `npm run bench:fallback -- --releases [--products N]`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Database from "better-sqlite3";
import { SILENT } from "../../src/base/log.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { loadConfig } from "../../src/config/load.ts";
import { buildSnapshot } from "../../src/pipeline/build.ts";
import { layoutOf } from "../../src/site/layout.ts";

const PORT = 8473;
const CLIENTS = 8;
/** Between a client's requests: the server is busy, but not saturated. */
const PAUSE_MILLISECONDS = 4;

const A_PRODUCT = "(SELECT MAX(id) / 2 FROM products)";
const EDITS: Readonly<Record<string, string>> = {
  "one price": `UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE id = ${A_PRODUCT}`,
  "100 prices": "UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE id % 1000 < 5",
  "one review": `UPDATE reviews SET status = 'rejected'
    WHERE id = (SELECT MAX(id) FROM reviews WHERE status = 'approved')`,
  "one title": `UPDATE products SET name = name || ' anew' WHERE id = ${A_PRODUCT}`,
};

interface Release {
  readonly what: string;
  readonly catalog: string;
  /** Null for the first. */
  readonly delta: string | null;
}

/** Builds the releases of some edits, one after the other. */
async function makeReleases(store: string, folder: string): Promise<Release[]> {
  const layout = layoutOf(join(folder, "out"));
  const { config } = loadConfig("vitrine.config.json");
  const releases: Release[] = [];
  for (const [what, sql] of [["nothing", ""], ...Object.entries(EDITS)] as const) {
    const db = new Database(store);
    db.exec(sql);
    db.close();
    const number = releases.length;
    const inputs = {
      store,
      queries: "templates/queries",
      config: { ...config, grid: { depth: 0, maxFiles: 250_000, pages: 1 } },
      out: join(folder, "out"),
      now: `2026-11-20 12:0${number}:00`,
      maxLeftOut: 0,
      allowShrink: 100,
      force: false,
      full: false,
    };
    await buildSnapshot(inputs, SILENT);
    const [catalog, delta] = [join(folder, `${number}.sqlite`), join(folder, `${number}.ndjson`)];
    copyFileSync(layout.catalog, catalog);
    const name = number === 0 ? undefined : readdirSync(layout.deltas).sort().at(-1);
    if (name !== undefined) copyFileSync(join(layout.deltas, name), delta);
    releases.push({ what, catalog, delta: name === undefined ? null : delta });
  }
  rmSync(join(folder, "out"), { recursive: true, force: true });
  return releases;
}

interface Load {
  /** Waiting times, in milliseconds, and failures since it was last asked. */
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

/** Puts a release where the fallback looks, and measures until it is taken up and all is calm again. */
async function takeUp(server: ChildProcess, place: string, release: Release, load: Load): Promise<string> {
  const next = openCatalog(release.catalog);
  const digest = next.digest.slice(0, 12);
  next.close();
  const before = residentBytes(server);
  let most = before;
  load.take();
  const begun = performance.now();
  copyFileSync(release.catalog, `${place}.next`);
  renameSync(`${place}.next`, place);
  while ((await releaseOf()) !== digest) {
    most = Math.max(most, residentBytes(server));
    await wait(50);
  }
  const seconds = (performance.now() - begun) / 1000;
  for (let i = 0; i < 20; i++) {
    most = Math.max(most, residentBytes(server));
    await wait(50);
  }
  const memory = `memory ${(before / 1e6).toFixed(0)} → ${(most / 1e6).toFixed(0)} MB (${(most / before).toFixed(2)})`;
  return `${describe(load.take())}; taken up after ${seconds.toFixed(1)} s; ${memory}`;
}

async function run(releases: readonly Release[], targets: readonly string[], folder: string): Promise<void> {
  const [place, deltas] = [join(folder, "live/catalog.sqlite"), join(folder, "live/deltas")];
  mkdirSync(deltas, { recursive: true });
  copyFileSync(releases[0]?.catalog ?? "", place);
  const begun = performance.now();
  const args = ["dist/cli/main.js", "fallback", "--catalog", place, "--cache", folder, "--port", `${PORT}`];
  const server = spawn("node", [...args, "--quiet"], { stdio: "inherit" });
  try {
    while ((await releaseOf()) === "") await wait(20);
    console.log(`started in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    const load = startLoad(targets);
    await wait(3000);
    load.take();
    await wait(5000);
    console.log(`calm               ${describe(load.take())}`);
    for (const [number, release] of releases.slice(1).entries()) {
      copyFileSync(release.delta ?? "", join(deltas, `${String(number + 1).padStart(8, "0")}.ndjson`));
      const said = await takeUp(server, place, release, load);
      console.log(`${`${release.what}, by delta`.padEnd(24)} ${said}`);
    }
    rmSync(deltas, { recursive: true });
    const [first] = releases;
    if (first !== undefined)
      console.log(`${"loaded whole".padEnd(24)} ${await takeUp(server, place, first, load)}`);
    load.stop();
  } finally {
    server.kill("SIGTERM");
    await new Promise((resolve) => server.once("exit", resolve));
  }
}

/** @param targetsOf makes targets to ask for of a catalog's file */
export async function benchReleases(
  store: string,
  folder: string,
  targetsOf: (catalog: string) => readonly string[],
): Promise<void> {
  const releases = await makeReleases(store, folder);
  const lists = targetsOf(releases[0]?.catalog ?? "");
  const others = ["/api/v1/search?q=kit", "/api/v1/product?id=100", "/api/v1/reviews?min_rating=4&page=3"];
  await run(releases, [...lists.slice(0, 300), ...Array.from({ length: 40 }, () => others).flat()], folder);
}
