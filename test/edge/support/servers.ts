/** The fallback and the edges in front of it, each with its own configuration, on free loopback ports. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { dirname, join } from "node:path";
import { Miniflare } from "miniflare";
import type { PublicConfig } from "../../../src/api/config.ts";
import { type Catalog, openCatalog } from "../../../src/catalog/catalog.ts";
import { type Edge, planEdge } from "../../../src/edge/edges.ts";
import { createFallback } from "../../../src/serve/fallback.ts";
import { listen, stop } from "../../../src/serve/http.ts";
import { freePort } from "../../support/free-port.ts";
import { DEMO_CONFIG } from "../../support/shop.ts";
import { until } from "../../support/until.ts";
import { send } from "./wire.ts";

export interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

/** Polls until a server answers. */
async function waitFor(port: number, child: ChildProcess, said: () => string): Promise<void> {
  await until(`a server on ${port}`, async () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${said()}`);
    // From an address whose requests no test counts.
    const up = await send({ port, from: "127.0.0.99" }, { target: "/up" }).catch(() => null);
    return up !== null;
  });
}

async function run(
  command: string,
  flags: readonly string[],
  folder: string,
  port: number,
): Promise<Running> {
  const child = spawn(command, flags, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await waitFor(port, child, () => said);
  return {
    port,
    stop: async () => {
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(killer);
    },
  };
}

/** A fallback in this process. */
export async function startFallback(
  catalogFile: string,
  options: { port?: number; targetHeader?: boolean; seen?: (target: string) => void } = {},
): Promise<Running> {
  const catalog: Catalog = openCatalog(catalogFile);
  const server: Server = createFallback(() => catalog, {
    access: ({ target }) => options.seen?.(target),
    failed: (error) => {
      throw error;
    },
    targetHeader: options.targetHeader === true,
  });
  const url = await listen(server, "127.0.0.1", options.port ?? 0);
  return {
    port: Number(new URL(url).port),
    stop: async () => {
      server.closeAllConnections();
      await stop(server);
      catalog.close();
    },
  };
}

export interface EdgeOptions {
  readonly folder: string;
  readonly site: string;
  readonly fallbackPort: number;
  /** If there are several. */
  readonly fallbackPorts?: readonly number[];
  readonly trusted?: readonly string[];
  readonly exempt?: readonly string[];
  readonly certificate?: string;
  readonly brotli?: boolean;
  /**
   * How long a fallback may take. By default 20 s, as long as a busy machine may make it take; `short`: one that hangs is soon given
   * up, and one that is only slow is not; `shipped`: as in the template.
   */
  readonly timeouts?: "short" | "shipped";
  /** The snapshot's files (default: the demo's). */
  readonly config?: PublicConfig;
  /** The rate limit (default: the demo's). */
  readonly requests?: number;
  /** Final changes to a file before the edge starts. */
  readonly change?: (name: string, text: string) => string;
}

const TIMEOUTS = /^( *(?:proxy_(?:connect|send|read)_timeout|proxy_next_upstream_timeout)) .*;$/gm;

function withTimeouts(text: string, timeouts: EdgeOptions["timeouts"]): string {
  if (timeouts === "shipped") return text;
  if (timeouts === undefined) return text.replace(TIMEOUTS, "$1 20s;");
  return text.replace(TIMEOUTS, (_, name: string) => `${name} ${name.includes("upstream") ? "5s" : "2s"};`);
}

/** Writes an edge's files as `vitrine edge` does. */
function writeEdge(
  edge: Edge,
  options: EdgeOptions,
  listenOn: readonly string[],
  fallbacks = (options.fallbackPorts ?? [options.fallbackPort]).map((port) => `127.0.0.1:${port}`),
): void {
  const { config = DEMO_CONFIG } = options;
  const settings = {
    config: { ...config, rateLimit: { requests: options.requests ?? config.rateLimit.requests } },
    site: options.site,
    fallbacks,
    listen: options.certificate === undefined ? listenOn : [],
    listenTls: options.certificate === undefined ? [] : listenOn,
    trusted: options.trusted ?? [],
    exempt: options.exempt ?? [],
    certificate: options.certificate,
    brotli: options.brotli === true,
  };
  for (const { name, text } of planEdge(edge, settings, (file) =>
    readFileSync(join("templates/edge", file), "utf8"),
  )) {
    const file = join(options.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    const timed = withTimeouts(text, options.timeouts);
    writeFileSync(file, options.change?.(name, timed) ?? timed);
  }
}

/** If root starts nginx, its workers run as the user nobody, who may not read a test's folder. */
const FOREGROUND = ["-g", process.getuid?.() === 0 ? "daemon off; user root;" : "daemon off;"];

export async function startNginx(options: EdgeOptions): Promise<Running> {
  const port = await freePort();
  writeEdge("nginx", options, [`127.0.0.1:${port}`]);
  return run("nginx", ["-p", options.folder, "-c", "nginx.conf", ...FOREGROUND], options.folder, port);
}

/** The used part of R2's interface; miniflare's own types need a whole Workers environment. */
interface BucketPort {
  put(key: string, text: string): Promise<unknown>;
}

/** The Worker in workerd; its bucket has the named files of the snapshot. */
export async function startWorker(
  options: Pick<EdgeOptions, "site" | "fallbackPort" | "requests" | "config"> & {
    readonly windowSeconds?: 10;
  },
  keys: readonly string[],
): Promise<Running> {
  const { config = DEMO_CONFIG } = options;
  const requests = options.requests ?? config.rateLimit.requests;
  const miniflare = new Miniflare({
    modules: true,
    scriptPath: "templates/edge/cloudflare/worker.js",
    compatibilityDate: "2026-04-01",
    r2Buckets: ["SITE"],
    ratelimits: {
      RATE_LIMIT: { namespace_id: "1001", simple: { limit: requests, period: options.windowSeconds ?? 60 } },
    },
    bindings: {
      FALLBACK_URL: `http://127.0.0.1:${options.fallbackPort}`,
      CACHE_CONTROL: "public, max-age=60, s-maxage=300, stale-if-error=86400",
      ERROR_CACHE_CONTROL: "public, max-age=10",
      BASE_URL: config.baseUrl,
      PAGES: `${config.pages !== false}`,
      RATE_LIMIT_REQUESTS: String(requests),
    },
    cf: false,
    host: "127.0.0.1",
    port: 0,
  });
  const url = await miniflare.ready;
  const bucket = (await miniflare.getR2Bucket("SITE")) as unknown as BucketPort;
  const present = keys.filter((key) => existsSync(join(options.site, key)));
  await Promise.all(present.map((key) => bucket.put(key, readFileSync(join(options.site, key), "utf8"))));
  return { port: Number(url.port), stop: () => miniflare.dispose() };
}

/**
 * Rules of `_routes.json` as Pages reads them, for the asset server that plays it: there `/foo/*` is for `/foo`, too, which the
 * router of Workers' assets does not think (templates/pages-dev-util.ts of wrangler 4.86.0, made to match deployed projects).
 */
const asPagesReads = (rules: readonly string[]) => [
  ...new Set(rules.flatMap((rule) => (rule.endsWith("/*") ? [rule.slice(0, -2), rule] : [rule]))),
];

/**
 * Cloudflare Pages in workerd: its own asset server with the files of `vitrine edge cloudflare-pages` and the named files of the
 * snapshot.
 */
export async function startPages(
  options: Pick<EdgeOptions, "folder" | "site" | "config"> & { readonly fallbackPort?: number },
  keys: readonly string[],
): Promise<Running> {
  const { folder, fallbackPort } = options;
  writeEdge("cloudflare-pages", { ...options, fallbackPort: 9 }, [], ["fallback.example"]);
  for (const key of keys)
    if (existsSync(join(options.site, key))) cpSync(join(options.site, key), join(folder, key));
  const { include, exclude } = JSON.parse(readFileSync(join(folder, "_routes.json"), "utf8"));
  const miniflare = new Miniflare({
    modules: true,
    script: readFileSync(join(folder, "_worker.js"), "utf8"),
    compatibilityDate: "2026-04-01",
    ...(fallbackPort === undefined ? {} : { bindings: { FALLBACK_URL: `http://127.0.0.1:${fallbackPort}` } }),
    assets: {
      directory: folder,
      binding: "ASSETS",
      assetConfig: { not_found_handling: "404-page" },
      routerConfig: {
        has_user_worker: true,
        static_routing: { user_worker: asPagesReads(include), asset_worker: asPagesReads(exclude) },
      },
    },
    cf: false,
    host: "127.0.0.1",
    port: 0,
  });
  const url = await miniflare.ready;
  return { port: Number(url.port), stop: () => miniflare.dispose() };
}
