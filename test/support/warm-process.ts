/**
 * A process that has the command loaded, and runs it again and again as `node main.js …` would: with its arguments, environment and
 * folder each time; what it prints and its exit code are its answer.
 */
import { renameSync, writeFileSync } from "node:fs";
import { type ProgramRun, runProgram } from "./run-program.ts";

export interface WarmRequest extends ProgramRun {
  readonly env: Readonly<Record<string, string>>;
  /** Where the answer is written. */
  readonly answer: string;
}

export interface WarmAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True where the process ends with it, and takes no other command. */
  readonly isLast: boolean;
}

/** Replaces what a stream writes to; returns how to get what was written. */
function capture(stream: NodeJS.WriteStream): () => string {
  const { write } = stream;
  const pieces: Buffer[] = [];
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    pieces.push(Buffer.from(chunk as Uint8Array));
    const done = rest.find((each) => typeof each === "function") as (() => void) | undefined;
    if (done !== undefined) process.nextTick(done);
    return true;
  }) as typeof write;
  return () => {
    stream.write = write;
    return Buffer.concat(pieces).toString("utf8");
  };
}

function setEnvironment(env: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

const { exit } = process;

async function run({ env, answer, ...given }: WarmRequest): Promise<void> {
  const listeners = new Map([process.stdout, process.stderr].map((each) => [each, each.listeners("error")]));
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const respond = (status: number, isLast: boolean) => {
    const text = JSON.stringify({ status, stdout: stdout(), stderr: stderr(), isLast } satisfies WarmAnswer);
    writeFileSync(`${answer}.part`, text);
    renameSync(`${answer}.part`, answer);
  };
  // Who exits is gone: another process takes its place.
  const leave = (status: number) => {
    respond(status, true);
    exit(0);
  };
  process.exit = ((status?: number) => leave(Number(status ?? process.exitCode ?? 0))) as typeof process.exit;
  process.removeAllListeners("uncaughtException").on("uncaughtException", (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    leave(1);
  });
  setEnvironment(env);
  respond(await runProgram(given), false);
  for (const [stream, before] of listeners)
    for (const each of stream.listeners("error"))
      if (!before.includes(each)) stream.removeListener("error", each as () => void);
}

process.on("message", (request: WarmRequest) => void run(request));
process.on("disconnect", () => exit(0));
