/**
 * The same products, asked for one by one: from a small Node server that reads the database for each request, from nginx in front of
 * it with and without a cache, and from Vitrine's files behind the nginx of `vitrine edge`. Needs nginx with njs, and wrk.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { freePort } from "../../test/support/free-port.ts";
import { cpuSecondsOf } from "./measure.ts";

const SECONDS = 8;
/** As the CDN's lifetime of Vitrine's answers. */
const CACHE_SECONDS = 300;

interface Shop {
  readonly store: string;
  /** The output folder of a build of that store. */
  readonly out: string;
  readonly slugs: readonly string[];
  readonly pages: number;
  readonly perPage: number;
}

/** Rows of the table, in Markdown, each as it is measured. */
export async function* compareLive(folder: string, shop: Shop): AsyncGenerator<string> {
  const ports = { node: await freePort(), plain: await freePort(), cached: await freePort() };
  const own = await freePort();
  writeFileSync(join(folder, "server.mjs"), serverText(shop, ports.node));
  const [proxy, edge] = [join(folder, "proxy"), join(folder, "edge")];
  writeProxy(proxy, ports);
  writeEdge(edge, shop.out, own);
  // nginx's workers may be another user.
  for (const each of [folder, dirname(folder)]) chmodSync(each, 0o755);
  const node = spawn("node", [join(folder, "server.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
  const servers = [proxy, edge].map((at) =>
    spawn("nginx", ["-p", at, "-c", "nginx.conf", "-g", "daemon off;"], { stdio: "ignore" }),
  );
  const [before, edgeServer] = servers;
  const simple = pathsOf(
    shop,
    (slug) => `/product/${slug}`,
    (page) => `/products/${page}`,
  );
  const asked = pathsOf(
    shop,
    (slug) => `/api/v1/product?slug=${slug}`,
    (page) => `/api/v1/products?page=${page}`,
  );
  try {
    for (const { name, port, paths, processes } of [
      { name: "a Node server", port: ports.node, paths: simple, processes: [node] },
      { name: "nginx before it", port: ports.plain, paths: simple, processes: [node, before] },
      { name: "nginx with `proxy_cache`", port: ports.cached, paths: simple, processes: [node, before] },
      { name: "Vitrine's files, its nginx", port: own, paths: asked, processes: [edgeServer] },
    ]) {
      const file = join(folder, "paths.lua");
      writeFileSync(file, walkOf(paths));
      await answers(`http://127.0.0.1:${port}${paths[0]}`);
      // Once around: what is to be cached is.
      ask(port, file, 5);
      const busy = () =>
        processes.flatMap((each) => pidsOf(each)).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
      const started = busy();
      const { requests, perSecond, median, bytes } = ask(port, file, SECONDS);
      const cpu = (1e6 * (busy() - started)) / requests;
      const cells = [
        name,
        perSecond.toLocaleString("en"),
        median,
        `${cpu.toFixed(0)} µs`,
        `${(bytes / requests / 1000).toFixed(1)} kB`,
      ];
      yield `| ${cells.join(" | ")} |`;
    }
  } finally {
    const children = [node, ...servers];
    for (const child of children) child.kill("SIGTERM");
    await Promise.all(
      children.map((child) => child.exitCode ?? new Promise((done) => child.once("exit", done))),
    );
  }
}

function pathsOf(
  { slugs, pages }: Shop,
  product: (slug: string) => string,
  list: (page: number) => string,
): string[] {
  return [...slugs.map(product), ...Array.from({ length: pages }, (_, at) => list(at + 1))];
}

/** A server as one writes it in ten minutes: prepared statements, the rows as JSON. */
function serverText({ store, perPage }: Shop, port: number): string {
  return `import Database from "${resolve("node_modules/better-sqlite3/lib/index.js")}";
import { createServer } from "node:http";
const db = new Database("${store}", { readonly: true });
const columns = "id, slug, name AS title, description_html, regular_price_minor / 100.0 AS price, currency, featured, created_at";
const one = db.prepare(\`SELECT \${columns} FROM products WHERE status = 'published' AND slug = ?\`);
const list = db.prepare(\`SELECT \${columns} FROM products WHERE status = 'published' ORDER BY id LIMIT ${perPage} OFFSET ?\`);
createServer((request, response) => {
  const [, kind, name] = request.url.split("/");
  const data = kind === "product" ? one.get(name) : list.all((Number(name) - 1) * ${perPage});
  response.writeHead(data === undefined ? 404 : 200, { "content-type": "application/json", "cache-control": "max-age=${CACHE_SECONDS}" });
  response.end(JSON.stringify({ data }));
}).listen(${port}, "127.0.0.1");
`;
}

/** nginx as a proxy, twice: it passes each request on, or keeps the answers. */
function writeProxy(
  at: string,
  { node, plain, cached }: Readonly<Record<"node" | "plain" | "cached", number>>,
): void {
  for (const name of ["cache", "logs"]) mkdirSync(join(at, name), { recursive: true });
  const location = `proxy_pass http://shop; proxy_http_version 1.1; proxy_set_header Connection "";`;
  writeFileSync(
    join(at, "nginx.conf"),
    `worker_processes 1;
pid nginx.pid;
error_log logs/error.log;
events {}
http {
  access_log logs/access.log combined buffer=64k flush=1s;
  open_file_cache max=10000;
  proxy_cache_path cache levels=1:2 keys_zone=shop:10m;
  upstream shop { server 127.0.0.1:${node}; keepalive 32; }
  server { listen 127.0.0.1:${plain}; location / { ${location} } }
  server { listen 127.0.0.1:${cached}; location / { proxy_cache shop; proxy_cache_valid 200 ${CACHE_SECONDS}s; ${location} } }
}
`,
  );
}

/** The nginx that \`vitrine edge\` writes; its limit counts every request, but is so high that no run reaches it. */
function writeEdge(at: string, out: string, port: number): void {
  const place = ["--site", join(out, "site"), "--listen", `127.0.0.1:${port}`, "--fallback", "127.0.0.1:9"];
  execFileSync("node", [resolve("dist/cli/main.js"), "edge", "nginx", "--into", at, ...place], {
    cwd: join(out, ".."),
    stdio: "ignore",
  });
  for (const [name, edit] of [
    [
      "vitrine.conf",
      (text: string) => text.replace("rate=120r/m", "rate=900000r/s").replace("burst=119", "burst=900000"),
    ],
    ["nginx.conf", (text: string) => text.replace(/worker_processes .*;/, "worker_processes 1;")],
  ] as const)
    writeFileSync(join(at, name), edit(readFileSync(join(at, name), "utf8")));
}

/** A walk over all paths, for wrk. */
function walkOf(paths: readonly string[]): string {
  return `local paths = {${paths.map((path) => `"${path}"`).join(",")}}
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
`;
}

async function answers(url: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`nothing answers at ${url}`);
}

interface Asked {
  readonly requests: number;
  readonly perSecond: number;
  /** As wrk writes it: `1.23ms`. */
  readonly median: string;
  readonly bytes: number;
}

function ask(port: number, walk: string, seconds: number): Asked {
  const said = execFileSync(
    "wrk",
    ["-t1", "-c16", `-d${seconds}s`, "--latency", "-s", walk, `http://127.0.0.1:${port}`],
    { encoding: "utf8" },
  );
  if (/Non-2xx|Socket errors/.test(said)) throw new Error(said);
  const [, requests = "", size = "", unit = ""] =
    /(\d+) requests in [^,]+, ([\d.]+)(\w+) read/.exec(said) ?? [];
  return {
    requests: Number(requests),
    perSecond: Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(said)?.[1])),
    median: (/^ +50% +(\S+)/m.exec(said)?.[1] ?? "").replace(/(?<=\d)(?=[a-z])/, " "),
    bytes: Number(size) * ({ KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 }[unit] ?? 1),
  };
}

/** A server's process, and its workers. */
function pidsOf(child: ChildProcess | undefined): number[] {
  const pid = child?.pid;
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number))];
}
