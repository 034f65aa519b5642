/** `vitrine rollback`: an older release, rendered again from its catalog and published as the difference. */
import { Argument } from "commander";
import { commandOf } from "../options.ts";
import { PUBLISH_FLAGS, publishOptions } from "../remote.ts";
import { printSummary, terminalLog } from "../terminal.ts";
import { reportLines } from "./publish.ts";

export const addRollback = commandOf(
  {
    name: "rollback",
    does: "make an older release live: render its catalog, publish the difference",
    takes: [
      new Argument("[release]", "its id or the beginning of it (default: the one before the live one)"),
    ],
    flags: PUBLISH_FLAGS,
    examples: [
      "vitrine rollback --to s3://shop/catalog",
      "vitrine rollback --to s3://shop/catalog 00000041 --dry-run",
      "vitrine releases --to s3://shop/catalog",
    ],
  },
  async (flags, named?: string) => {
    const { rollback } = await import("../../build/rollback.ts");
    const log = terminalLog(flags.json === true);
    const report = await rollback(named, publishOptions(flags, log)).finally(() => log.done());
    printSummary(flags.json === true, report, [`went back to ${report.rollbackOf}`, ...reportLines(report)]);
  },
);
