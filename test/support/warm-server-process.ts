/**
 * A process that has the command loaded, and runs one that serves after the other, each until a signal ends it. After the last byte of
 * a command, both its streams have the wanted end, and its parent gets its exit code.
 */
import { writeSync } from "node:fs";
import { type ProgramRun, runProgram } from "./run-program.ts";

export interface ServingRequest extends ProgramRun {
  /** A text that no command says. */
  readonly end: string;
}

async function run({ end, ...given }: ServingRequest): Promise<void> {
  const status = await runProgram(given);
  // Of both signals that it waited for, one came.
  process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM");
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners("error");
    writeSync(stream.fd, end);
  }
  process.send?.(status);
}

process.on("message", (request: ServingRequest) => void run(request));
process.on("disconnect", () => process.exit(0));
