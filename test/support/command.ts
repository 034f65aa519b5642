/** The command as a user runs it: bundled, laid out as in the package, in a separate process. */
import {
  type ChildProcess,
  type ChildProcessByStdio,
  execFileSync,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from "node:child_process";
import { copyFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { onceARun } from "./once.ts";
import { until } from "./until.ts";
import { runWarm, runWarmSync } from "./warm.ts";

/** A folder like the installed package, without types: made once per run. */
export function packageFolder(): string {
  return onceARun("package", (folder) => {
    execFileSync("node", ["scripts/build-dist.ts", join(folder, "dist")]);
    for (const made of ["public", "edge"]) symlinkSync(resolve("dist", made), join(folder, "dist", made));
    for (const file of ["package.json", "vitrine.config.schema.json"]) copyFileSync(file, join(folder, file));
    for (const shared of ["node_modules", "templates", "examples"])
      symlinkSync(resolve(shared), join(folder, shared));
  });
}

/** The command's entry. */
export function commandFile(): string {
  return join(packageFolder(), "dist/cli/main.js");
}

type Ended = Pick<SpawnSyncReturns<string>, "status" | "stdout" | "stderr">;

/** Lines of progress, of which a command prints one every ten seconds: on a busy machine any command may take so long. */
const PROGRESS = /^(?:checking|comparing|extracting|fetching|looking into|putting|reading|rendering)\b.*\n/gm;

/**
 * Runs a command to its end, in a folder. It uses a process that has run others, which is four times as fast as a new one. Its
 * standard error is without progress.
 */
export function vitrine(args: readonly string[], env: Record<string, string> = {}, cwd = "."): Ended {
  const line = { program: commandFile(), args, cwd, env: { ...process.env, ...env } };
  const { status, stdout, stderr } =
    runWarmSync(line) ?? spawnSync("node", [line.program, ...args], { ...line, encoding: "utf8" });
  return { status, stdout, stderr: stderr.replace(PROGRESS, "") };
}

export interface Ran {
  /** Exit code; null if a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  /** Without progress. */
  readonly err: string;
}

/** Runs a command to its end while this process continues serving. `onStart` gets the process, which is then a new one. */
export async function runVitrine(
  args: readonly string[],
  onStart?: (pid: number) => void,
  env: Record<string, string> = {},
  command = commandFile(),
): Promise<Ran> {
  const whole = { ...process.env, ...env };
  const said = onStart === undefined ? await runWarm({ program: command, args, cwd: ".", env: whole }) : null;
  if (said !== null) return { code: said.status, out: said.stdout, err: said.stderr.replace(PROGRESS, "") };
  return new Promise((resolve) => {
    const child = spawn("node", [command, ...args], { env: whole });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on("data", (part: Buffer) => out.push(part.toString()));
    child.stderr.on("data", (part: Buffer) => err.push(part.toString()));
    onStart?.(child.pid ?? 0);
    child.on("close", (code) =>
      resolve({ code, out: out.join(""), err: err.join("").replace(PROGRESS, "") }),
    );
  });
}

export interface Running {
  readonly child: ChildProcess;
  /** Standard output and error so far. */
  said(): string;
  /** Resolves with the exit code, or null if a signal ended it, once all that it said has been read. */
  readonly ended: Promise<number | null>;
}

/** Starts a command and returns. */
export function startVitrine(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = ".",
  command = commandFile(),
): Running {
  const child = spawn("node", [command, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  return listenTo(child);
}

/** Collects what a process says. */
export function listenTo(child: ChildProcessByStdio<null, Readable, Readable>): Running {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, said: () => text, ended };
}

/**
 * Starts a command that serves, on a free port if none is named; resolves to its address. A fallback ends without listening on for
 * clients that would have to be told, unless the test says how long.
 */
export async function startServer(
  args: readonly string[],
  cwd = ".",
  command = commandFile(),
): Promise<Running & { url: string }> {
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const drain = args[0] === "fallback" && !args.includes("--drain") ? ["--drain", "0"] : [];
  const running = startVitrine([...args, ...port, ...drain], {}, cwd, command);
  const look = async () => {
    if (running.child.exitCode === null && running.child.signalCode === null)
      return /listening on (http:[^\s"]+)/.exec(running.said())?.[1];
    await running.ended;
    throw new Error(running.said());
  };
  const url = await until("a server that listens", look);
  return { ...running, url };
}
