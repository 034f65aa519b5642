/**
 * A process that has the command loaded, and runs one that serves after the other, each until a signal ends it. After the last byte of
 * a command, both its streams have the wanted end, and its parent gets its exit code.
 */
import { writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

export interface ServingRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** A text that no command says. */
  readonly end: string;
}

async function run({ program, args, cwd, end }: ServingRequest): Promise<void> {
  process.chdir(cwd);
  process.argv = [process.argv[0] ?? "node", program, ...args];
  process.exitCode = undefined;
  await (await import(pathToFileURL(program).href)).run();
  const status = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
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
