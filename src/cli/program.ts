/** The program behind `vitrine`: parses, loads the command's module, prints errors once, exits. */
import { CommanderError } from "commander";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { explainMachineFailure } from "../base/write-failure.ts";
import { createProgram } from "./commands.ts";
import { printError } from "./errors.ts";
import { endFirstProcessBySignals } from "./stop.ts";

/** Prints an error on standard error and returns its exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const explained = explainMachineFailure(error);
  printError(explained);
  return explained instanceof VitrineError ? explained.exitCode : 1;
}

/** Runs the command that the process was started with. */
export async function run(): Promise<void> {
  // If the reader has gone (`vitrine … | head`), the output is dropped and the work continues: no publish stops half way, and the
  // exit code is that of the work.
  let unwritten: unknown;
  process.stdout.on("error", (error) => {
    unwritten = error;
    if (systemCodeOf(error) === "EPIPE") return;
    process.exitCode = report(
      new VitrineError("write_failed", `Cannot write the result: ${messageOf(error)}.`),
    );
  });
  // Without standard error there is no place left to report to.
  process.stderr.on("error", () => undefined);

  endFirstProcessBySignals();
  try {
    await createProgram(process.argv.includes("--all")).parseAsync();
  } catch (error) {
    // A command that waits for its output fails with the same error.
    if (error !== unwritten) process.exitCode = report(error);
  } finally {
    // pm2 7 listens for messages inside each process that it starts: one that is over would stay, and a stopped server be killed.
    process.channel?.unref();
  }
}
