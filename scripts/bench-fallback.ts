/**
 * Measures the fallback on a 100,000-product store beside a bare `node:http` server that sends bodies of the same
 * sizes: `npm run bench:fallback [-- --products N --seconds S]`. Each server has one core, wrk the other; runs alternate.
 * Then measures the fallback alone, without and with clients that flood it and never read. `--catalog FILE` skips the seeding.
 * With `--releases` measures only what clients notice when it takes up releases (bench/releases.ts).
 * Needs wrk and taskset (Debian: wrk, util-linux).
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openCatalog } from "../src/catalog/catalog.ts";
import { answerTarget } from "../src/serve/answer.ts";
import { Random } from "./bench/random.ts";
import { benchReleases } from "./bench/releases.ts";

const { values } = parseArgs({
  options: {
    products: { type: "string", default: "100000" },
    queries: { type: "string", default: "10000" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    flat: { type: "string", default: "60" },
    attackers: { type: "string", default: "60" },
    catalog: { type: "string" },
    releases: { type: "boolean", default: false },
  },
});
const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const folder = mkdtempSync(join(base, "vitrine-bench-"));
const CONNECTIONS = 32;

/** Different filter queries with all of the contract's filters, but no search. */
function makeTargets(catalogFile: string, count: number): { targets: string[]; sizes: number[] } {
  const random = new Random("bench", "queries");
  const catalog = openCatalog(catalogFile);
  const valuesOf = (param: string) => catalog.list("product").valuesOf(param);
  const targets = new Set<string>();
  while (targets.size < count) {
    const parts: string[] = [];
    for (const param of ["category", "type", "status", "featured", "coming_soon", "preorder"]) {
      if (random.chance(30)) parts.push(`${param}=${random.pick(valuesOf(param))}`);
    }
    if (random.chance(50)) parts.push(`min_price=${random.between(0, 120)}.${random.between(10, 99)}`);
    if (random.chance(50)) parts.push(`max_price=${random.between(20, 300)}.${random.between(10, 99)}`);
    if (random.chance(70)) {
      const sorts = [
        "newest",
        "oldest",
        "updated",
        "price_asc",
        "price_desc",
        "title_asc",
        "title_desc",
        "rating",
      ];
      parts.push(`sort=${random.pick(sorts)}`);
    }
    parts.push(`page=${random.between(1, 40)}`);
    targets.add(`/api/v1/products?${parts.join("&")}`);
  }
  const list = [...targets];
  const sizes = list.map((target) => {
    const answer = answerTarget(catalog, target);
    if (answer.status !== 200) throw new Error(`${target}: ${answer.body.toString()}`);
    return answer.body.length;
  });
  catalog.close();
  return { targets: list, sizes };
}

const BARE = `
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
const sizes = JSON.parse(readFileSync(process.argv[2], "utf8"));
const bytes = Buffer.alloc(Math.max(...sizes), 120);
let at = 0;
createServer((request, response) => {
  const size = sizes[at++ % sizes.length];
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": size });
  response.end(bytes.subarray(0, size));
}).listen(Number(process.argv[3]), "127.0.0.1");
`;

async function start(command: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn("taskset", ["-c", "0", "node", ...command], { stdio: "ignore" });
  for (let tries = 0; tries < 1200; tries++) {
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`);
      return child;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`${command.join(" ")} does not listen`);
}

interface Load {
  readonly perSecond: number;
  /** Processor time of the server per request, user and system. */
  readonly cpuMicroseconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

/** Processor time that a process has used, in seconds; the kernel counts in hundredths. */
function cpuSeconds(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function load(child: ChildProcess, port: number, seconds: number, lua: string): Load {
  const cpuBefore = cpuSeconds(child);
  const args = [
    "-c",
    "1",
    "wrk",
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    "-s",
    lua,
    `http://127.0.0.1:${port}`,
  ];
  const text = execFileSync("taskset", args, { encoding: "utf8" });
  const found = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(text);
  if (found === null) throw new Error(text);
  const [perSecond, p50, p99, failed] = found.slice(1).map(Number) as [number, number, number, number];
  const cpuMicroseconds = ((cpuSeconds(child) - cpuBefore) / (perSecond * seconds)) * 1e6;
  return { perSecond, cpuMicroseconds, p50, p99, failed };
}

function luaFor(targets: readonly string[]): string {
  const file = join(folder, "mix.lua");
  writeFileSync(join(folder, "targets.txt"), targets.join("\n"));
  writeFileSync(
    file,
    `local targets = {}
local at = 0
init = function()
  for line in io.lines("${join(folder, "targets.txt")}") do targets[#targets + 1] = wrk.format("GET", line) end
end
request = function() at = at % #targets + 1; return targets[at] end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %f %f %f %d\\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, e.connect + e.read + e.write + e.status + e.timeout))
end`,
  );
  return file;
}

function residentBytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

function seedStore(): string {
  const store = join(folder, "store.sqlite");
  execFileSync("npx", ["node", "scripts/seed-store.ts", "--products", values.products, "--out", store], {
    stdio: "ignore",
  });
  return store;
}

function makeCatalog(): string {
  const [store, catalog] = [seedStore(), join(folder, "catalog.sqlite")];
  execFileSync("npx", ["node", "scripts/make-catalog.ts", store, catalog], { stdio: "inherit" });
  return catalog;
}

/** Waiting times of other clients, and the server's memory, without and with clients that flood it and never read. */
function measureAttack(server: ChildProcess, port: number, lua: string): void {
  const seconds = Number(values.seconds);
  const [calm, calmBytes] = [load(server, port, seconds, lua), residentBytes(server)];
  const attacker = spawn("taskset", [
    "-c",
    "1",
    "node",
    "scripts/fallback-attack.ts",
    `${port}`,
    values.attackers,
  ]);
  children.push(attacker);
  load(server, port, 3, lua);
  const [attacked, attackedBytes] = [load(server, port, seconds, lua), residentBytes(server)];
  console.log(
    `attack  ${values.attackers} connections: p99 ${calm.p99.toFixed(1)} ms without and ${attacked.p99.toFixed(1)} ms with, ` +
      `ratio ${(attacked.p99 / calm.p99).toFixed(2)}; ${calm.perSecond.toFixed(0)}/s and ${attacked.perSecond.toFixed(0)}/s, ` +
      `${attacked.failed} failed; memory ${(calmBytes / 1e6).toFixed(0)} MB and ${(attackedBytes / 1e6).toFixed(0)} MB`,
  );
}

const children: ChildProcess[] = [];

async function benchLoad(): Promise<void> {
  const catalog = values.catalog ?? makeCatalog();
  const { targets, sizes } = makeTargets(catalog, Number(values.queries));
  writeFileSync(join(folder, "sizes.json"), JSON.stringify(sizes));
  writeFileSync(join(folder, "bare.mjs"), BARE);
  const lua = luaFor(targets);
  const fallback = await start(
    ["dist/cli/main.js", "fallback", "--catalog", catalog, "--port", "8471"],
    8471,
  );
  const bare = await start([join(folder, "bare.mjs"), join(folder, "sizes.json"), "8472"], 8472);
  children.push(fallback, bare);
  load(fallback, 8471, 3, lua);
  load(bare, 8472, 3, lua);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  console.log(
    `${values.products} products, ${targets.length} different filter queries, mean body ${(mean / 1000).toFixed(1)} kB`,
  );
  const ratios: number[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    const ours = load(fallback, 8471, Number(values.seconds), lua);
    const theirs = load(bare, 8472, Number(values.seconds), lua);
    ratios.push(ours.perSecond / theirs.perSecond);
    console.log(
      `round ${round}   fallback ${ours.perSecond.toFixed(0)}/s, p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms, ${ours.failed} failed` +
        `   bare ${theirs.perSecond.toFixed(0)}/s   ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)}` +
        `   processor ${ours.cpuMicroseconds.toFixed(0)} and ${theirs.cpuMicroseconds.toFixed(0)} µs/request, ` +
        `ratio ${(theirs.cpuMicroseconds / ours.cpuMicroseconds).toFixed(2)}`,
    );
  }
  console.log(`ratio   ${ratios.toSorted((a, b) => a - b)[ratios.length >> 1]?.toFixed(2)} (median)`);
  const before = residentBytes(fallback);
  const flat = load(fallback, 8471, Number(values.flat), lua);
  console.log(
    `memory  ${(before / 1e6).toFixed(0)} MB before and ${(residentBytes(fallback) / 1e6).toFixed(0)} MB after ${values.flat} s and ` +
      `${(flat.perSecond * Number(values.flat)).toFixed(0)} requests`,
  );
  measureAttack(fallback, 8471, lua);
}

try {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  if (values.releases) {
    const targetsOf = (catalog: string) => makeTargets(catalog, Number(values.queries)).targets;
    await benchReleases(seedStore(), folder, targetsOf);
  } else await benchLoad();
} finally {
  for (const child of children) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
}
