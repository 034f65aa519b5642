/**
 * What a fallback's threads bring: answers a second and memory of one and of several, on all cores; then with so many
 * connections that more is asked than can be answered. wrk takes a part of the same cores where the machine has no others.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const PORT = 8473;
const CONNECTIONS = 32;
/** Far more than can wait for 100 ms. */
const FLOOD = 1000;

/** A process and all that it has started. */
function familyOf(pid: number): number[] {
  const parentOf = (other: string) => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${other}/stat`, "utf8"))?.[1]);
    } catch {
      return null; // It has ended.
    }
  };
  const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [
    pid,
    ...others.filter((other) => parentOf(other) === pid).flatMap((other) => familyOf(Number(other))),
  ];
}

/** Memory, what is shared counted once. */
function memoryOf({ pid = 0 }: ChildProcess): number {
  const kilobytes = familyOf(pid).map((one) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, "utf8"))?.[1]),
  );
  return kilobytes.reduce((sum, size) => sum + size, 0) * 1024;
}

interface Load {
  readonly perSecond: number;
  readonly p99: number;
  readonly refused: number;
}

function load(lua: string, connections: number, seconds: number): Load {
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", lua, `http://127.0.0.1:${PORT}`];
  const text = execFileSync("wrk", args, { encoding: "utf8" });
  const [, perSecond, , p99, refused] = (/RESULT (\S+) (\S+) (\S+) (\S+)/.exec(text) ?? []).map(Number);
  return { perSecond: perSecond ?? 0, p99: p99 ?? 0, refused: refused ?? 0 };
}

async function start(catalog: string, workers: number): Promise<ChildProcess> {
  const flags = [
    "--catalog",
    catalog,
    "--port",
    `${PORT}`,
    "--workers",
    `${workers}`,
    "--max-connections",
    "4096",
  ];
  const child = spawn("node", ["dist/cli/main.js", "fallback", ...flags, "--quiet"], { stdio: "ignore" });
  for (let tries = 0; tries < 1200; tries++) {
    const ready = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
    if (ready?.ok === true) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the fallback does not listen");
}

async function measure(catalog: string, workers: number, lua: string, seconds: number): Promise<void> {
  const child = await start(catalog, workers);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    load(lua, CONNECTIONS, 3);
    const usual = load(lua, CONNECTIONS, seconds);
    const flood = load(lua, FLOOD, seconds);
    console.log(
      `${workers} worker(s)   ${usual.perSecond.toFixed(0)}/s, p99 ${usual.p99.toFixed(1)} ms   ` +
        `with ${FLOOD} connections ${flood.perSecond.toFixed(0)}/s, p99 ${flood.p99.toFixed(1)} ms, ` +
        `${flood.refused} refused   ${(memoryOf(child) / 1e6).toFixed(0)} MB`,
    );
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

export async function benchWorkers(
  catalog: string,
  workers: number,
  lua: string,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const count of [1, workers]) await measure(catalog, count, lua, seconds);
  }
}
