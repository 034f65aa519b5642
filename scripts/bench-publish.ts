/**
 * Publishing against rclone, to the same object store in the same run, in turns, each in a process of its own:
 * a first publish of 5,000 files, of nothing and of one changed price, and the memory of large ones. Prints ratios, judges nothing.
 * `npm run bench:publish [-- --rounds N --shops 1]`: one shop is the comparison alone. With `--large PRODUCTS` only a shop of so
 * many, whole: its first publish, and one price, with its requests and bytes counted.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { openManifest } from "../src/snapshot/manifest.ts";
import { RGW_ENV, startRgw, stopRgw } from "../test/support/rgw.ts";
import { startCountingProxy } from "./bench/counting-proxy.ts";
import { median, type Ran, runProcess } from "./bench/measure.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    shops: { type: "string", default: "3" },
    large: { type: "string" },
  },
});
const ROUNDS = Number(options.rounds);
const CONCURRENCY = 64;
/** The first is compared with rclone; the others show what memory depends on. */
const SHOPS = [
  { files: 5000, products: 240 },
  { files: 25_000, products: 240 },
  { files: 100_000, products: 1500 },
] as const satisfies readonly Shop[];

const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const env = { ...process.env, ...RGW_ENV, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
// rclone's transport takes no bundle of certificates from the environment.
const { AWS_CA_BUNDLE: _, ...rcloneEnv } = { ...env, AWS_CA_BUNDLE: "" };

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = env): Promise<Ran> {
  return runProcess(command, args, { env: environment });
}

function vitrine(...args: string[]): Promise<Ran> {
  return run(process.execPath, ["dist/cli/main.js", ...args]);
}

interface Shop {
  /** As many as the grid may have; null: as it is where nobody says. */
  readonly files: number | null;
  readonly products: number;
}

async function buildSnapshot({ files, products }: Shop): Promise<string> {
  const store = join(folder, `store-${products}.sqlite`);
  if (!existsSync(store)) seedStore({ products, seed: "bench", now: parseTime(BASE_TIME) }, store);
  const out = join(folder, `out-${files}`);
  const config = join(folder, `config-${files}.json`);
  const base = { baseUrl: "https://shop.example/api/v1", siteUrl: "https://shop.example" };
  const grid = files === null ? {} : { pageSizes: [10, 20, 50], grid: { depth: 3, maxFiles: files } };
  writeFileSync(config, JSON.stringify({ ...base, ...grid }));
  await vitrine("build", "--store", store, "--config", config, "--out", out);
  return out;
}

/** Changes one price in the store, builds, and publishes what changed. */
async function publishPrice(shop: Shop, target: readonly string[]): Promise<Ran> {
  const store = new Database(join(folder, `store-${shop.products}.sqlite`));
  store.exec(`UPDATE products SET regular_price_minor = regular_price_minor + 100
    WHERE id = (SELECT MIN(id) FROM products WHERE status = 'published' AND visibility = 'visible')`);
  store.close();
  await buildSnapshot(shop);
  return vitrine("publish", ...target);
}

function countFiles(out: string): number {
  const manifest = openManifest(join(out, "manifest.sqlite"));
  const { files } = manifest.totals();
  manifest.close();
  return files;
}

async function compare(endpoint: string, out: string): Promise<void> {
  const [ours, theirs, nothing]: [number[], number[], number[]] = [[], [], []];
  const many = String(CONCURRENCY);
  const publishOnce = async (round: number) => {
    const target = ["--to", `s3://shop/v${round}`, "--endpoint", endpoint, "--out", out];
    ours.push((await vitrine("publish", ...target, "--concurrency", many)).seconds);
    nothing.push((await vitrine("publish", ...target)).seconds);
  };
  const copyOnce = async (round: number) => {
    const target = `:s3,provider=Ceph,env_auth=true,endpoint='${endpoint}':shop/r${round}`;
    const args = ["copy", "--transfers", many, "--checkers", many, join(out, "site"), target];
    theirs.push((await run("rclone", args, { ...rcloneEnv, RCLONE_CONFIG: "/dev/null" })).seconds);
  };
  for (let round = 0; round < ROUNDS; round++) {
    // Who goes first changes: a store is not the same after a thousand writes.
    for (const once of round % 2 === 0 ? [publishOnce, copyOnce] : [copyOnce, publishOnce]) await once(round);
  }
  const line = (name: string, values: readonly number[]) =>
    process.stdout.write(
      `${name.padEnd(34)} ${median(values).toFixed(2)} s  (${values.map((v) => v.toFixed(2)).join(", ")})\n`,
    );
  process.stdout.write(
    `${countFiles(out)} files, ${CONCURRENCY} at once, Ceph RGW on this machine, median of ${ROUNDS}\n`,
  );
  line("rclone copy", theirs);
  line("vitrine publish, first", ours);
  line("vitrine publish, nothing changed", nothing);
  // Of each round: what slows the machine for a while slows both of a pair.
  const ratios = theirs.map((seconds, round) => seconds / (ours[round] ?? seconds));
  const all = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  process.stdout.write(`rclone / vitrine: ${median(ratios).toFixed(2)}, median of each round's (${all})\n`);
}

/** What a release of one price costs in a large shop, as a share of the first. */
async function publishLarge(endpoint: string, shop: Shop): Promise<void> {
  const out = await buildSnapshot(shop);
  const proxy = await startCountingProxy(endpoint);
  const target = ["--to", "s3://shop/large", "--out", out, "--endpoint"];
  try {
    const first = await vitrine("publish", ...target, endpoint, "--concurrency", String(CONCURRENCY));
    process.stdout.write(
      `${shop.products} products, ${countFiles(out)} files: first publish ${first.seconds.toFixed(1)} s, peak ${(first.peakBytes / 1e6).toFixed(0)} MB\n`,
    );
    // At another address, the proxy's, a publish first looks at what there is.
    await publishPrice(shop, [...target, proxy.url]);
    for (let round = 0; round < 3; round++) {
      proxy.seen.requests = {};
      proxy.seen.bytes = 0;
      const { seconds, peakBytes, stdout } = await publishPrice(shop, [...target, proxy.url, "--json"]);
      const { counts } = JSON.parse(stdout) as { counts: { changed: number } };
      const share = ((seconds / first.seconds) * 100).toFixed(2);
      process.stdout.write(
        `one price, ${counts.changed} keys: ${seconds.toFixed(2)} s (${share} % of the first), peak ${(peakBytes / 1e6).toFixed(0)} MB; ` +
          `${JSON.stringify(proxy.seen.requests)}, ${(proxy.seen.bytes / 1e6).toFixed(3)} MB sent\n`,
      );
    }
  } finally {
    proxy.close();
  }
}

async function main(): Promise<void> {
  await run("npm", ["run", "--silent", "build"]);
  const store = join(folder, "rgw");
  mkdirSync(store);
  try {
    Object.assign(process.env, RGW_ENV);
    await startRgw(store);
    const endpoint = readFileSync(join(store, "endpoint"), "utf8");
    if (options.large !== undefined) {
      return await publishLarge(endpoint, { files: null, products: Number(options.large) });
    }
    for (const shop of SHOPS.slice(0, Number(options.shops))) {
      const out = await buildSnapshot(shop);
      if (shop === SHOPS[0]) {
        // The store's first writes make its pools: nobody's time.
        await vitrine("publish", "--to", "s3://shop/warm", "--endpoint", endpoint, "--out", out);
        await compare(endpoint, out);
      }
      const target = ["--to", `s3://shop/m${shop.files}`, "--endpoint", endpoint, "--out", out];
      const first = await vitrine("publish", ...target);
      const again = await vitrine("publish", ...target);
      const price = await publishPrice(shop, target);
      process.stdout.write(
        `${countFiles(out)} files: first publish ${first.seconds.toFixed(1)} s, peak ${(first.peakBytes / 1e6).toFixed(0)} MB; ` +
          `nothing changed ${again.seconds.toFixed(2)} s, peak ${(again.peakBytes / 1e6).toFixed(0)} MB; ` +
          `one price changed ${price.seconds.toFixed(2)} s, peak ${(price.peakBytes / 1e6).toFixed(0)} MB\n`,
      );
    }
  } finally {
    await stopRgw(store);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();
