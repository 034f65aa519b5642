/** `vitrine rollback`: an older release, rendered again from its catalog and published as the difference. */
import type { Command } from "commander";
import type { Log } from "../base/log.ts";
import type { Bucket } from "../publish/bucket.ts";
import type { PublishOptions } from "../publish-snapshot.ts";
import { untilInterrupted, withTemporaryFolder } from "./interrupt.ts";
import { reportLines } from "./publish.ts";
import { addPublishOptions, openPlace, type PublishFlags, publishOptions } from "./remote.ts";
import { printSummary, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine releases --to s3://shop/catalog
  vitrine rollback --to s3://shop/catalog
  vitrine rollback --to s3://shop/catalog 00000041 --dry-run`;

/** Makes an older release live. `named`: its id, or the beginning of it; else the one before the live one. */
async function rollback(bucket: Bucket, named: string | undefined, options: PublishOptions, log: Log) {
  const [{ restoreRelease }, { publishTo, rulesOf }] = await Promise.all([
    import("../rollback.ts"),
    import("../publish-snapshot.ts"),
  ]);
  return withTemporaryFolder("vitrine-rollback-", async (folder) => {
    const { snapshot, id } = await restoreRelease(bucket, named, folder, log);
    try {
      const rules = { ...rulesOf(options), rollbackOf: id };
      return { ...(await publishTo(bucket, snapshot, rules, options)), rollbackOf: id };
    } finally {
      snapshot.manifest.close();
    }
  });
}

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
      const bucket = await openPlace(flags);
      try {
        const report = await untilInterrupted((signal) =>
          rollback(bucket, named, { ...publishOptions(flags, log), signal }, log),
        );
        log.done();
        const { changedKeys, ...result } = report;
        printSummary(flags.json === true, { ...result, to: bucket.url }, [
          `went back to ${report.rollbackOf}`,
          ...reportLines(report),
        ]);
      } finally {
        log.done();
        bucket.close?.();
      }
    });
}
