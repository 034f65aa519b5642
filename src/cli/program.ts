/** The program behind `vitrine`: parses, loads the command's module, prints errors once, exits. */
import { Command, CommanderError } from "commander";
import { API_VERSION } from "../api/endpoints.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { TOOL_VERSION } from "../package.ts";
import { addBuild } from "./build.ts";
import { addCapture } from "./capture.ts";
import { addCheck } from "./check.ts";
import { addDiff } from "./diff.ts";
import { addEdge } from "./edge.ts";
import { addFallback } from "./fallback.ts";
import { addGet } from "./get.ts";
import { addPlan } from "./plan.ts";
import { addPublish } from "./publish.ts";
import { addReleases } from "./releases.ts";
import { addRollback } from "./rollback.ts";
import { addServe } from "./serve.ts";
import { describeError } from "./terminal.ts";
import { addWatch } from "./watch.ts";

const program = new Command("vitrine")
  .description("Turns a store's private database into a public catalog API made of plain JSON files.")
  .version(`${TOOL_VERSION} (API ${API_VERSION})`)
  .exitOverride()
  .showHelpAfterError("(add --help for help)");

const commands = [addBuild, addPlan, addCheck, addGet, addServe, addFallback, addEdge];
for (const add of [...commands, addPublish, addReleases, addRollback, addDiff, addWatch, addCapture]) add(program);

/** Exit code of whatever was thrown, told on standard error. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`vitrine: ${describeError(error)}\n`);
  return error instanceof VitrineError ? error.exitCode : 1;
}

// What a reader that went away (`vitrine … | head`) does not want is dropped; the work goes on to its end, so that no
// publish stops half way, and the exit code is the work's.
process.stdout.on("error", (error) => {
  if (systemCodeOf(error) === "EPIPE") return;
  process.exitCode = report(
    new VitrineError("write_failed", `Cannot write the result: ${messageOf(error)}.`),
  );
});
// Where standard error cannot be written, nobody is left to be told.
process.stderr.on("error", () => undefined);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
