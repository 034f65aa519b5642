/** `vitrine rollback`: makes the files of an older release from its catalog, and publishes the difference. */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import { formatBytes, formatCount } from "../../base/log.ts";
import type { RollbackReport } from "../../pipeline/rollback.ts";
import type { ReleaseRecord } from "../../publish/documents.ts";
import { commandOf, flag } from "../options.ts";
import { openNamedBucket, PUBLISH_FLAGS, publishOptions, requirePlace, type TargetFlags } from "../remote.ts";
import { sayWhenStopped } from "../stop.ts";
import { printResult, printSummary, terminalLog } from "../terminal.ts";
import { reportLines } from "./publish.ts";

/** `cannotGoBack`: why this version of Vitrine cannot go back to it. */
type Listed = ReleaseRecord & { readonly cannotGoBack: string | null };

function lineOf(record: Listed, live: string): string {
  const { id, at, files, sizeBytes, put, deleted, by, rollbackOf, cannotGoBack } = record;
  const back = rollbackOf === undefined ? "" : `, back to ${rollbackOf}`;
  const not = cannotGoBack === null ? "" : `; this version cannot go back to it: ${cannotGoBack}`;
  return (
    `${id === live ? "live" : "    "} ${id}  ${at}  ${formatCount(put)} put, ${formatCount(deleted)} deleted, ` +
    `${formatCount(files)} files, ${formatBytes(sizeBytes)}, by ${by}${back}${not}`
  );
}

async function listReleases(flags: TargetFlags & { readonly to: string }, json: boolean): Promise<void> {
  using bucket = await openNamedBucket(flags);
  const [{ readLive }, { whyNotBack }] = await Promise.all([
    import("../../publish/documents.ts"),
    import("../../publish/rollback.ts"),
  ]);
  const { release, releases: kept, held = false } = await readLive(bucket);
  const releases = kept.map((record): Listed => ({ ...record, cannotGoBack: whyNotBack(record) }));
  const hold = "a rollback holds it: nothing newer goes live before vitrine publish --resume";
  printResult(json, { live: release, held, releases }, [
    ...releases.map((record) => lineOf(record, release)),
    ...(held ? [hold] : []),
  ]);
}

/** Somebody who runs it twice to go two releases back must see that it did not. */
function firstLine({ outcome, rollbackOf }: RollbackReport): string {
  if (outcome === "planned") return `would go back to ${rollbackOf}`;
  if (outcome === "published") return `went back to ${rollbackOf}`;
  return `${rollbackOf} is what is live already; to go further back, name a release that --list shows`;
}

export const addRollback = commandOf(
  {
    name: "rollback",
    does: "make an older release live again",
    takes: [
      new Argument(
        "[release]",
        "id of the release, or its beginning (default: the one before the live one; after a rollback, the same one again)",
      ),
    ],
    flags: { list: flag("list the kept releases, newest first; change nothing"), ...PUBLISH_FLAGS },
    examples: [
      "vitrine rollback --to s3://shop-api --list",
      "vitrine rollback --to s3://shop-api",
      "vitrine rollback --to s3://shop-api 00000041 --dry-run",
    ],
  },
  async (given, named?: string) => {
    const flags = await requirePlace(given);
    if (flags.list === true) {
      if (named !== undefined)
        throw new VitrineError("usage", "--list lists all releases: leave out the release.");
      return listReleases(flags, flags.json === true);
    }
    const { rollback } = await import("../../pipeline/rollback.ts");
    const log = terminalLog(flags.json === true);
    const options = publishOptions(flags, log);
    const report = await rollback(named, options, { changing: sayWhenStopped }).finally(() => log.done());
    printSummary(flags.json === true, report, [firstLine(report), ...reportLines(report)]);
  },
);
