/** `vitrine publish` */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { VitrineError } from "../base/error.ts";
import { formatBytes, formatCount, type Log } from "../base/log.ts";
import { TOOL_VERSION } from "../package.ts";
import type { PublishReport, Snapshot } from "../publish/ports.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { addOutOptions, findOut, type OutFlags } from "./inputs.ts";
import {
  addPublishOptions,
  openPlace,
  type PublishFlags,
  publishAndVerify,
  publishOptions,
  publishPorts,
} from "./remote.ts";
import { printResult, terminalLog } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine publish --to s3://shop-api --dry-run
  vitrine publish --to s3://shop/catalog --purge cloudfront:E1ABCDEFGHIJKL --verify 20
  vitrine publish --to s3://shop --endpoint https://ACCOUNT.r2.cloudflarestorage.com --region auto
  vitrine publish --to file:///srv/www/shop-api`;

/** No build may replace files while they are read. A folder that cannot be written needs no lock. */
async function lockSnapshot(layout: OutLayout): Promise<() => void> {
  const { lockForReading } = await import("../snapshot/lock.ts");
  try {
    return lockForReading(layout.lock);
  } catch (error) {
    if (error instanceof VitrineError) throw error;
    return () => undefined;
  }
}

/** The snapshot in an output folder, with the configuration it was built with. */
export async function openSnapshot(layout: OutLayout): Promise<Snapshot> {
  const [{ openCatalog }, { openManifest }] = await Promise.all([
    import("../catalog/catalog.ts"),
    import("../snapshot/manifest.ts"),
  ]);
  if (existsSync(layout.journal)) {
    throw new VitrineError(
      "snapshot_unreadable",
      "A build was interrupted: run vitrine build, then publish.",
    );
  }
  const manifest = openManifest(layout.manifest);
  const catalog = openCatalog(layout.catalog);
  const { config } = catalog;
  catalog.close();
  return { layout, manifest, config, vitrine: TOOL_VERSION };
}

function countLine({ counts, outcome }: PublishReport): string {
  const parts = [
    [counts.new, "new"],
    [counts.changed, "changed"],
    [counts.headers, "with other headers"],
    [counts.uncertain, "put again after a publish that was cut off"],
    [counts.deleted, outcome === "planned" ? "to delete" : "deleted"],
    [counts.kept, "as they were"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return `${told.join(", ") || "nothing"}: ${formatBytes(counts.putBytes)} to put`;
}

/** What people read after a publish or a rollback. */
export function reportLines(report: PublishReport & { verified: number }): string[] {
  const { outcome, release, purges, finished, verified, seconds } = report;
  const first = finished === null ? [] : [finished];
  if (outcome === "unchanged") return [...first, `nothing changed: release ${release} stays live`];
  const purgeLines = purges.map(({ cdn, requests, cost }) => {
    const kinds = [...new Set(requests.map(({ kind }) => kind))].join(", ");
    return `${outcome === "planned" ? "would purge" : "purged"} ${cdn}, ${kinds}: ${cost}`;
  });
  const head =
    outcome === "planned"
      ? "dry run, nothing was written"
      : `release ${release} is live after ${seconds.toFixed(1)} s`;
  const tail =
    verified > 0 ? [`${formatCount(verified)} answers asked for at the public address: all hold`] : [];
  return [...first, head, countLine(report), ...purgeLines, ...tail];
}

/** Publishes what stands in an output folder. The folder's lock is held meanwhile. */
async function publishOut(layout: OutLayout, flags: PublishFlags, log: Log) {
  const snapshot = await openSnapshot(layout);
  const bucket = await openPlace(flags.to, flags);
  try {
    const ports = await publishPorts(bucket, snapshot.config, log);
    const report = await publishAndVerify(snapshot, publishOptions(flags), ports, flags);
    return { report, to: bucket.url };
  } finally {
    bucket.close();
    snapshot.manifest.close();
  }
}

export function addPublish(program: Command): void {
  const command = program
    .command("publish")
    .description("make a snapshot live: put exactly what changed, then purge");
  addOutOptions(addPublishOptions(command))
    .addHelpText("after", EXAMPLES)
    .action(async (flags: PublishFlags & OutFlags) => {
      const log = terminalLog(flags.json === true);
      const layout = await findOut(flags);
      const unlock = await lockSnapshot(layout);
      try {
        const { report, to } = await publishOut(layout, flags, log);
        log.done();
        const { changedKeys, ...result } = report;
        printResult(flags.json === true, { ...result, to }, reportLines(report));
      } finally {
        log.done();
        unlock();
      }
    });
}
