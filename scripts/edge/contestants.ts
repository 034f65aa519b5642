/** The contestants of the edge benchmark: each with its address for the same list of products. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../test/support/free-port.ts";

export interface Contestant {
  readonly name: string;
  /** The contestant to compare with; undefined for a reference. */
  readonly of?: string;
  readonly url: string;
}

async function waitFor(url: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const up = await fetch(url).catch(() => null);
    if (up?.ok) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`nothing answers at ${url}`);
}

/** The same nginx without our configuration: the file by its path, with the headers of an answer. */
function plainServer(port: number, site: string): string {
  return `
server {
    listen 127.0.0.1:${port};
    root "${site}";
    types { application/json json; }
    charset utf-8;
    charset_types application/json;
    add_header X-Content-Type-Options nosniff;
    add_header Access-Control-Allow-Origin "*";
    add_header Access-Control-Expose-Headers "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window";
    add_header Cache-Control "public, max-age=60, s-maxage=300, stale-if-error=86400";
    add_header Vary Accept-Encoding;
}
`;
}

const CLI = ["src/cli/main.ts"];

function vitrine(...flags: readonly string[]): void {
  execFileSync(process.execPath, [...CLI, ...flags], { stdio: ["ignore", "ignore", "inherit"] });
}

/** nginx with our configuration; its limit counts every request, but is so high that no run reaches it. */
function writeNginx(folder: string, out: string, ports: Ports): void {
  vitrine(
    ...["edge", "nginx", "--into", folder, "--site", join(out, "site")],
    ...["--fallback", `127.0.0.1:${ports.fallback}`, "--listen", `127.0.0.1:${ports.edge}`],
  );
  const file = join(folder, "vitrine.conf");
  const text = execFileSync("cat", [file]).toString();
  const open = text.replace("rate=120r/m", "rate=900000r/s").replace("burst=119", "burst=900000");
  writeFileSync(file, open + plainServer(ports.plain, join(out, "site")));
}

interface Ports {
  readonly edge: number;
  readonly plain: number;
  readonly fallback: number;
}

export async function startContestants(
  folder: string,
): Promise<{ contestants: Contestant[]; stop: () => Promise<void> }> {
  const out = join(folder, "out");
  const store = join(folder, "store.sqlite");
  chmodSync(folder, 0o755);
  execFileSync(process.execPath, ["scripts/seed-store.ts", "--out", store], {
    stdio: "ignore",
  });
  vitrine("build", "--store", store, "--out", out);
  const ports: Ports = {
    edge: await freePort(),
    plain: await freePort(),
    fallback: await freePort(),
  };
  const nginxFolder = join(folder, "nginx");
  writeNginx(nginxFolder, out, ports);
  const children: ChildProcess[] = [
    spawn("nginx", ["-p", nginxFolder, "-c", "nginx.conf", "-g", "daemon off;"], { stdio: "ignore" }),
    spawn(
      process.execPath,
      [
        ...CLI,
        "fallback",
        "--quiet",
        "--catalog",
        join(out, "catalog.sqlite"),
        "--port",
        `${ports.fallback}`,
      ],
      { stdio: "ignore" },
    ),
  ];
  const at = (port: number, target: string) => `http://127.0.0.1:${port}/api/v1${target}`;
  const one = "/products?category=scripts&sort=price_asc";
  const list = "nginx, the list's file by its path";
  const filtered = "nginx, the filtered list's file by its path";
  const contestants: Contestant[] = [
    { name: list, url: at(ports.plain, "/products/page=1.json") },
    { name: "our nginx, /products", of: list, url: at(ports.edge, "/products") },
    { name: "our nginx, ?page=1", of: list, url: at(ports.edge, "/products?page=1") },
    { name: filtered, url: at(ports.plain, "/products/category=scripts/sort=price_asc/page=1.json") },
    { name: `our nginx, ${one}`, of: filtered, url: at(ports.edge, one) },
    {
      name: "our nginx, in another order (JavaScript)",
      of: filtered,
      url: at(ports.edge, "/products?sort=price_asc&category=scripts"),
    },
    { name: "our nginx, /products again", url: at(ports.edge, "/products") },
    {
      name: "the fallback, /products",
      of: "our nginx, /products again",
      url: at(ports.fallback, "/products"),
    },
  ];
  for (const { url } of contestants) await waitFor(url);
  return {
    contestants,
    stop: async () => {
      for (const child of children) child.kill("SIGTERM");
      await Promise.all(children.map((child) => new Promise((done) => child.once("exit", done))));
    },
  };
}
