/**
 * What a fallback's workers bring: answers a second and memory of one and of several, on all cores; then what becomes of
 * twice as many requests as that, sent at a fixed rate. wrk and h2load (Debian: wrk, nghttp2-client) take a part of the same
 * cores where the machine has no others.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PORT = 8473;
const CONNECTIONS = 32;
/** On so many connections comes what is too much: each asks again only when it has its response. */
const FLOOD_CONNECTIONS = 400;
/** They all come at once; what becomes of their requests counts from then on. */
const SETTLED_SECONDS = 2;

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

/** Requests that the folder of the load's script holds. */
export interface Mix {
  readonly lua: string;
  readonly targets: readonly string[];
}

interface Load {
  readonly perSecond: number;
  readonly p99: number;
  /** Refused or worse, which only happens where others use the machine. */
  readonly failed: number;
}

function load({ lua }: Mix, seconds: number): Load {
  const args = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", lua, `http://127.0.0.1:${PORT}`];
  const text = execFileSync("wrk", args, { encoding: "utf8" });
  const [, perSecond, , p99, failed] = (/RESULT (\S+) (\S+) (\S+) (\S+)/.exec(text) ?? []).map(Number);
  if (perSecond === undefined || p99 === undefined || failed === undefined) throw new Error(text);
  return { perSecond, p99, failed };
}

interface Flood {
  readonly asked: number;
  readonly answered: number;
  readonly answeredP99: number;
  readonly refused: number;
  readonly refusedP99: number;
}

/** The time, in milliseconds, that all but one in a hundred stay under. */
function p99Of(microseconds: readonly number[]): number {
  const sorted = [...microseconds].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length * 0.99)] ?? 0) / 1000;
}

/** So many requests a second, whatever becomes of those before: answers and refusals of each second, and how long they took. */
function flood({ lua, targets }: Mix, perSecond: number, seconds: number): Flood {
  const uris = join(dirname(lua), "uris.txt");
  const log = join(dirname(lua), "flood.log");
  writeFileSync(uris, targets.map((target) => `http://127.0.0.1:${PORT}${target}`).join("\n"));
  rmSync(log, { force: true });
  const rate = (perSecond / FLOOD_CONNECTIONS).toFixed(2);
  const flags = [
    "--h1",
    "-t1",
    `-c${FLOOD_CONNECTIONS}`,
    `-D${seconds}`,
    `--rps=${rate}`,
    `--log-file=${log}`,
  ];
  execFileSync("h2load", [...flags, "-i", uris], { stdio: "ignore" });
  const all = readFileSync(log, "utf8").trimEnd().split("\n");
  const began = Math.min(...all.map((row) => Number.parseInt(row, 10)));
  const rows = all.filter((row) => Number.parseInt(row, 10) - began >= SETTLED_SECONDS * 1e6);
  const counted = seconds - SETTLED_SECONDS;
  const took = (wanted: string) =>
    rows.flatMap((row) => {
      const [, status, microseconds] = row.split("\t");
      return status === wanted ? [Number(microseconds)] : [];
    });
  const [answered, refused] = [took("200"), took("503")];
  if (answered.length + refused.length < rows.length) throw new Error(`${log}: neither 200 nor 503`);
  return {
    asked: rows.length / counted,
    answered: answered.length / counted,
    answeredP99: p99Of(answered),
    refused: refused.length / counted,
    refusedP99: p99Of(refused),
  };
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

interface Measured {
  readonly perSecond: number;
  /** Memory before the first request, and after them. */
  readonly quietBytes: number;
  readonly usedBytes: number;
}

async function measure(catalog: string, workers: number, mix: Mix, seconds: number): Promise<Measured> {
  const child = await start(catalog, workers);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const quietBytes = memoryOf(child);
    load(mix, 3);
    const usual = load(mix, seconds);
    const usedBytes = memoryOf(child);
    const twice = flood(mix, 2 * usual.perSecond, seconds + SETTLED_SECONDS);
    const floodedBytes = memoryOf(child);
    console.log(
      `${workers} worker(s)   ${usual.perSecond.toFixed(0)}/s, p99 ${usual.p99.toFixed(1)} ms, ${usual.failed} failed, ` +
        `${(quietBytes / 1e6).toFixed(0)} MB before, ${(usedBytes / 1e6).toFixed(0)} MB after it, ${(floodedBytes / 1e6).toFixed(0)} MB after the flood   ` +
        `asked ${twice.asked.toFixed(0)}/s: ${twice.answered.toFixed(0)}/s answered, p99 ${twice.answeredP99.toFixed(0)} ms, ` +
        `${twice.refused.toFixed(0)}/s refused, p99 ${twice.refusedP99.toFixed(0)} ms`,
    );
    return { perSecond: usual.perSecond, quietBytes, usedBytes };
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

export async function benchWorkers(
  catalog: string,
  workers: number,
  mix: Mix,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const one = await measure(catalog, 1, mix, seconds);
    const several = await measure(catalog, workers, mix, seconds);
    const ratio = (of: (measured: Measured) => number) => (of(several) / of(one)).toFixed(2);
    console.log(
      `ratio   ${ratio((measured) => measured.perSecond)} of answers, memory ` +
        `${ratio((measured) => measured.quietBytes)} before and ${ratio((measured) => measured.usedBytes)} after`,
    );
  }
}
