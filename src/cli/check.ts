/** `vitrine check` */
import type { Command } from "commander";
import { VitrineError } from "../base/error.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import { outLayout } from "./inputs.ts";
import { printResult, terminalLog } from "./terminal.ts";

const SHOWN = 20;
const EXAMPLES = `
Examples:
  vitrine check
  vitrine check --out public --json`;

export function addCheck(program: Command): void {
  program
    .command("check")
    .description("check every file of a snapshot against its schema and the manifest")
    .option("--out <folder>", "where the snapshot stands (default: out)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: { out?: string; json?: true }) => {
      const { verifySnapshot } = await import("../snapshot/verify.ts");
      const log = terminalLog(flags.json === true);
      const report = await verifySnapshot(outLayout(flags.out), (files) => {
        log.progress(`checked ${formatCount(files)} files`);
      });
      log.done();
      const { files, sizeBytes, problems } = report;
      if (problems.length === 0) {
        printResult(flags.json === true, report, [
          `${formatCount(files)} files, ${formatBytes(sizeBytes)}: all hold`,
        ]);
        return;
      }
      if (flags.json === true) printResult(true, report, []);
      const more = problems.length > SHOWN ? `\n  … and ${formatCount(problems.length - SHOWN)} more` : "";
      throw new VitrineError(
        "check_failed",
        `The snapshot does not hold, ${formatCount(problems.length)} ${problems.length === 1 ? "thing is" : "things are"} wrong:\n` +
          `  ${problems.slice(0, SHOWN).join("\n  ")}${more}\n` +
          "Delete manifest.sqlite and site/ in that folder and build again: that writes every file anew.",
      );
    });
}
