/** `vitrine rollback`: an older release, rendered again from its catalog and published as the difference. */
import type { Command } from "commander";
import { reportLines } from "./publish.ts";
import { rollbackInThread } from "./publishing.ts";
import { addPublishOptions, type PublishFlags, publishOptions } from "./remote.ts";
import { printSummary, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine releases --to s3://shop/catalog
  vitrine rollback --to s3://shop/catalog
  vitrine rollback --to s3://shop/catalog 00000041 --dry-run`;

export function addRollback(program: Command): void {
  addPublishOptions(
    program
      .command("rollback")
      .description("make an older release live: render its catalog, publish the difference")
      .argument("[release]", "its id or the beginning of it (default: the one before the live one)"),
  )
    .addHelpText("after", EXAMPLES)
    .action(async (named: string | undefined, flags: PublishFlags) => {
      const log = terminalLog(flags.json === true);
      const { log: _, ...options } = publishOptions(flags, log);
      const report = await rollbackInThread({ rollback: named ?? null, options }, log).finally(() =>
        log.done(),
      );
      printSummary(flags.json === true, report, [
        `went back to ${report.rollbackOf}`,
        ...reportLines(report),
      ]);
    });
}
