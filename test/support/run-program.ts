/** The command's program, run in this process as if it were its own. */
import { pathToFileURL } from "node:url";

export interface ProgramRun {
  /** The file of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Runs the program to its end, and returns its exit code. */
export async function runProgram({ program, args, cwd }: ProgramRun): Promise<number> {
  process.chdir(cwd);
  process.argv = [process.argv[0] ?? "node", program, ...args];
  process.exitCode = undefined;
  await (await import(pathToFileURL(program).href)).run();
  // A program that is over lets its process end; this one takes further commands.
  process.channel?.ref();
  const status = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return status;
}
