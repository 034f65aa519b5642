/** Commands that a user hands to one of ours. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { messageOf, VitrineError } from "../base/error.ts";
import { untilInterrupted } from "./interrupt.ts";

/**
 * Runs a command by the shell and passes on what it says; where standard output is for machines, on standard error. When a
 * signal comes, the command is waited for.
 * @throws VitrineError command_failed, with the exit code that a shell gives
 */
export async function runByShell(command: string, isForMachines: boolean): Promise<void> {
  const code = await untilInterrupted(() => exitCodeOf(command, isForMachines));
  if (code === 0) return;
  throw new VitrineError("command_failed", `\`${command}\` ended with exit code ${code}.`, {
    exitCode: code,
  });
}

function exitCodeOf(command: string, isForMachines: boolean): Promise<number> {
  const output = isForMachines ? process.stderr : "inherit";
  const child = spawn(command, { shell: true, stdio: ["ignore", output, "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(
        new VitrineError("command_failed", `Cannot run \`${command}\`: ${messageOf(error)}.`, {
          cause: error,
        }),
      );
    });
    child.once("close", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
  });
}
