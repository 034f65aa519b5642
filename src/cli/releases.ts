/** `vitrine releases` */
import type { Command } from "commander";
import { formatBytes, formatCount } from "../base/log.ts";
import type { ReleaseRecord } from "../publish/documents.ts";
import { addTargetOptions, openPlace, type TargetFlags } from "./remote.ts";
import { printResult } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine releases --to s3://shop/catalog
  vitrine releases --to file:///srv/www/shop-api --json`;

function lineOf(record: ReleaseRecord, live: string): string {
  const { id, at, files, sizeBytes, put, deleted, by, rollbackOf } = record;
  const back = rollbackOf === undefined ? "" : `, back to ${rollbackOf}`;
  return (
    `${id === live ? "live" : "    "} ${id}  ${at}  ${formatCount(put)} put, ${formatCount(deleted)} deleted, ` +
    `${formatCount(files)} files, ${formatBytes(sizeBytes)}, by ${by}${back}`
  );
}

export function addReleases(program: Command): void {
  addTargetOptions(program.command("releases").description("list the releases that can be gone back to"))
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: TargetFlags & { json?: true }) => {
      const bucket = await openPlace(flags);
      try {
        const { readLive } = await import("../publish/state.ts");
        const { release, releases, held = false } = await readLive(bucket);
        const hold = "held by a rollback: nothing newer goes live before vitrine publish --resume";
        printResult(flags.json === true, { live: release, held, releases }, [
          ...releases.map((record) => lineOf(record, release)),
          ...(held ? [hold] : []),
        ]);
      } finally {
        bucket.close?.();
      }
    });
}
