/** Runs commands to their end in one process for each test worker, which keeps the command loaded ({@link ./warm-process.ts}). */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { runFolder } from "./once.ts";
import type { WarmAnswer, WarmRequest } from "./warm-process.ts";

/** Commands that end by themselves and leave nothing behind in their process. A watch does with `--once`. */
const ENDING = new Set(
  "build check diff doctor edge erase export feed get init plan privacy publish releases report rollback".split(
    " ",
  ),
);

const isEnding = ([command = "", ...flags]: readonly string[]) =>
  ENDING.has(command) || (command === "watch" && flags.includes("--once"));
const POLL_MILLISECONDS = 2;
const MOST_MILLISECONDS = 240_000;

/** A command line, and where and with what it runs. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

let child: ChildProcess | undefined;
let isBusy = false;

function start(): ChildProcess {
  const started = fork(join(import.meta.dirname, "warm-process.ts"), { stdio: "ignore" });
  started.unref();
  started.channel?.unref();
  started.on("error", () => undefined);
  return started;
}

/** True if it has ended, or is a zombie: this process gets no event while it waits. */
function isGone({ pid }: ChildProcess): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** True where a variable is another than here that Node reads as it starts. */
function asksNode(env: CommandLine["env"]): boolean {
  return Object.keys(env).some((name) => name.startsWith("NODE_") && env[name] !== process.env[name]);
}

/** Starts a command, and returns a function that asks whether it has ended. Null if it needs a separate process. */
function begin({ program, args, cwd, env }: CommandLine): (() => WarmAnswer | undefined) | null {
  if (isBusy || !isEnding(args) || args.includes("--quiet") || asksNode(env)) return null;
  if (child === undefined || isGone(child)) child = start();
  const own = child;
  mkdirSync(runFolder(process.ppid), { recursive: true });
  const folder = mkdtempSync(join(runFolder(process.ppid), "warm-"));
  const answer = join(folder, "answer");
  const given = Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined);
  const request: WarmRequest = {
    program: join(program, "../program.js"),
    args,
    answer,
    cwd: resolve(cwd),
    env: Object.fromEntries(given),
  };
  own.send(request);
  isBusy = true;
  const deadline = performance.now() + MOST_MILLISECONDS;
  return () => {
    const wasGone = isGone(own);
    const said = existsSync(answer) ? (JSON.parse(readFileSync(answer, "utf8")) as WarmAnswer) : undefined;
    isBusy = said === undefined && !wasGone;
    if (said?.isLast === true) child = undefined;
    if (said !== undefined) rmSync(folder, { recursive: true });
    else if (wasGone) throw new Error(`vitrine ${args.join(" ")} ended its process`);
    else if (performance.now() > deadline) throw new Error(`vitrine ${args.join(" ")} does not end`);
    return said;
  };
}

const clock = new Int32Array(new SharedArrayBuffer(4));

/** Runs a command while this process blocks; null if it needs a separate process. */
export function runWarmSync(line: CommandLine): WarmAnswer | null {
  const look = begin(line);
  for (let said = look?.(); look !== null; said = look()) {
    if (said !== undefined) return said;
    Atomics.wait(clock, 0, 0, POLL_MILLISECONDS);
  }
  return null;
}

/** Runs a command while this process continues; null if it needs a separate process. */
export async function runWarm(line: CommandLine): Promise<WarmAnswer | null> {
  const look = begin(line);
  for (let said = look?.(); look !== null; said = look()) {
    if (said !== undefined) return said;
    await setTimeout(POLL_MILLISECONDS);
  }
  return null;
}
