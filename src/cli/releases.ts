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

/** `cannotGoBack`: why this version cannot go back to it. */
type Listed = ReleaseRecord & { readonly cannotGoBack: string | null };

function lineOf(record: Listed, live: string): string {
  const { id, at, files, sizeBytes, put, deleted, by, rollbackOf, cannotGoBack } = record;
  const back = rollbackOf === undefined ? "" : `, back to ${rollbackOf}`;
  const not = cannotGoBack === null ? "" : `; cannot be gone back to: ${cannotGoBack}`;
  return (
    `${id === live ? "live" : "    "} ${id}  ${at}  ${formatCount(put)} put, ${formatCount(deleted)} deleted, ` +
    `${formatCount(files)} files, ${formatBytes(sizeBytes)}, by ${by}${back}${not}`
  );
}

export function addReleases(program: Command): void {
  addTargetOptions(program.command("releases").description("list the releases that can be gone back to"))
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: TargetFlags & { json?: true }) => {
      using bucket = await openPlace(flags);
      const [{ readLive }, { whyNotBack }] = await Promise.all([
        import("../publish/documents.ts"),
        import("../publish/rollback.ts"),
      ]);
      const { release, releases: kept, held = false } = await readLive(bucket);
      const releases = kept.map((record): Listed => ({ ...record, cannotGoBack: whyNotBack(record) }));
      const hold = "held by a rollback: nothing newer goes live before vitrine publish --resume";
      printResult(flags.json === true, { live: release, held, releases }, [
        ...releases.map((record) => lineOf(record, release)),
        ...(held ? [hold] : []),
      ]);
    });
}
