/** The program behind `vitrine`: parses, loads the command's module, prints errors once, exits. */
import { CommanderError } from "commander";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { explainMachineFailure } from "../base/write-failure.ts";
import { createProgram } from "./commands.ts";
import { printError } from "./errors.ts";

/** Prints what was thrown on standard error; its exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const explained = explainMachineFailure(error);
  printError(explained);
  return explained instanceof VitrineError ? explained.exitCode : 1;
}

// What a reader that went away (`vitrine … | head`) does not want is dropped; the work goes on to its end, so that no
// publish stops half way, and the exit code is the work's.
process.stdout.on("error", (error) => {
  if (systemCodeOf(error) === "EPIPE") return;
  process.exitCode = report(
    new VitrineError("write_failed", `Cannot write the result: ${messageOf(error)}.`),
  );
});
// Where standard error cannot be written, there is nobody to report to.
process.stderr.on("error", () => undefined);

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
