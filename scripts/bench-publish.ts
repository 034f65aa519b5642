/**
 * Requests and bytes of publishes to an S3 service in memory: the first one, a changed price, and a rollback:
 * `npm run bench:publish [-- --products N --prices N --store FILE]`. Each command runs in a separate process.
 * `--beside vitrine,rclone,aws [--rounds N]`: the times of the first and a price beside those programs, to a Ceph.
 */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startFaultProxy } from "../test/support/fault-proxy.ts";
import type { Upstream, UpstreamRequest } from "../test/support/faults.ts";
import { createMemoryStore } from "../test/support/memory-bucket.ts";
import { besideOthers } from "./bench/beside.ts";
import { benchFolder, runProcess } from "./bench/measure.ts";
import { Shop } from "./bench/shop.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({
  options: {
    products: { type: "string", default: "20000" },
    prices: { type: "string", default: "3" },
    store: { type: "string" },
    beside: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});
const BUCKET = "shop";

/** The traffic of a command. */
interface Traffic {
  /** By method. */
  readonly requests: Map<string, number>;
  /** Puts of keys that readers see, and of Vitrine's own. */
  readonly served: { puts: number; bytes: number };
  readonly own: { puts: number; bytes: number };
  fetchedBytes: number;
}

const noTraffic = (): Traffic => ({
  requests: new Map(),
  served: { puts: 0, bytes: 0 },
  own: { puts: 0, bytes: 0 },
  fetchedBytes: 0,
});

/** A store that counts its traffic. `take` returns the traffic since the last call. */
function counted(store: Upstream): Upstream & { take(): Traffic } {
  let traffic = noTraffic();
  return {
    ...store,
    async ask(request: UpstreamRequest) {
      const { method, path, body } = request;
      traffic.requests.set(method, (traffic.requests.get(method) ?? 0) + 1);
      if (method === "PUT") {
        const kind = path.includes("/.vitrine/") ? traffic.own : traffic.served;
        kind.puts += 1;
        kind.bytes += body.length;
      }
      const response = await store.ask(request);
      traffic.fetchedBytes += response.body.length;
      return response;
    },
    take() {
      const taken = traffic;
      traffic = noTraffic();
      return taken;
    },
  };
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0);

/** A row of the table. */
function rowOf(what: string, seconds: number, traffic: Traffic, first: number): string {
  const { requests, served, own, fetchedBytes } = traffic;
  const all = [...requests.values()].reduce((sum, count) => sum + count, 0);
  const methods = [...requests].map(([method, count]) => `${count} ${method}`).join(", ");
  const sent = served.bytes + own.bytes;
  const cells = [
    what,
    seconds.toFixed(1),
    `${all} (${methods})`,
    `${served.puts}, ${kilobytes(served.bytes)} kB`,
    `${own.puts}, ${kilobytes(own.bytes)} kB`,
    `${kilobytes(fetchedBytes)} kB`,
    (sent / first).toFixed(4),
  ];
  return `| ${cells.join(" | ")} |`;
}

function makeStore(store: string): void {
  if (values.store !== undefined) copyFileSync(values.store, store);
  else seedStore({ products: Number(values.products), seed: "bench", now: parseTime(BASE_TIME) }, store);
}

async function measure(folder: string): Promise<void> {
  const store = join(folder, "store.sqlite");
  const out = join(folder, "out");
  makeStore(store);

  const memory = createMemoryStore(BUCKET);
  const bucket = counted(memory);
  const server = await startFaultProxy(bucket);
  const credentials = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "us-east-1" };
  const env = { ...process.env, ...credentials };
  const run = (...args: string[]) =>
    runProcess(process.execPath, ["dist/cli/main.js", ...args, "--json"], { env });
  const build = () => run("build", "--store", store, "--out", out);
  const place = ["--to", `s3://${BUCKET}/api`, "--endpoint", server.url];
  const publish = () => run("publish", ...place, "--out", out, "--allow-local");

  const rows: string[] = [];
  let first = 0;
  const add = (what: string, seconds: number) => {
    const traffic = bucket.take();
    if (first === 0) first = traffic.served.bytes + traffic.own.bytes;
    rows.push(rowOf(what, seconds, traffic, first));
  };
  try {
    await build();
    add("first", (await publish()).seconds);
    const shop = new Shop(store, join(out, "site"));
    for (let at = 0; at < Number(values.prices); at++) {
      shop.price();
      await build();
      add("one price", (await publish()).seconds);
    }
    shop.close();
    add("rollback", (await run("rollback", ...place)).seconds);
  } finally {
    await server.close();
  }
  const sizes = [...memory.objects.values()].map(({ body }) => body.length);
  const stored = sizes.reduce((sum, size) => sum + size, 0);
  const title = `${values.store ?? `${values.products} products`}; at the end ${sizes.length} keys, ${kilobytes(stored)} kB`;
  const head =
    "| publish | s | requests | served keys put | of .vitrine put | fetched | sent, of the first |";
  process.stdout.write([title, "", head, "|---|---|---|---|---|---|---|", ...rows, ""].join("\n"));
}

const folder = benchFolder();
try {
  await runProcess("npm", ["run", "--silent", "build"]);
  if (values.beside === undefined) await measure(folder);
  else {
    const shop = join(folder, "shop");
    const store = join(shop, "store.sqlite");
    mkdirSync(shop);
    makeStore(store);
    await runProcess(process.execPath, [
      "dist/cli/main.js",
      "build",
      "--store",
      store,
      "--out",
      join(shop, "out"),
      "--json",
    ]);
    await besideOthers(folder, values.beside.split(","), Number(values.rounds));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
