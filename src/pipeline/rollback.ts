/** Makes an older release live again: renders its catalog once more and publishes the difference. */
import { join } from "node:path";
import { CLOCK } from "../base/clock.ts";
import { type Log, SILENT } from "../base/log.ts";
import { temporaryFolder, writingInto } from "../base/temporary-folder.ts";
import { toMetaTime, toSqlTime } from "../base/time.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { TOOL_VERSION, templateFolder } from "../package.ts";
import type { Bucket } from "../publish/bucket.ts";
import { purgeAll } from "../publish/finish.ts";
import {
  type CommandPorts,
  type Published,
  type PublishOptions,
  rulesOf,
  type Snapshot,
} from "../publish/options.ts";
import { publish } from "../publish/publish.ts";
import { fetchOlderRelease } from "../publish/rollback.ts";
import { openSnapshot } from "../publish/snapshot.ts";
import { layoutOf, type OutLayout } from "../site/layout.ts";
import { siteInputs } from "../site/made-file.ts";
import { type Manifest, metaOf } from "../site/manifest.ts";
import { beginStaging } from "../site/out.ts";
import { planCatalog } from "../site/plan.ts";
import { siteFiles } from "../site/site.ts";
import { NextSnapshot } from "../site/writer.ts";
import { otherFiles } from "./other-files.ts";
import { openPlace, portsOf } from "./publish.ts";

/** Renders the catalog in an otherwise empty folder; files that `older` knows get the same bytes again. */
function renderSnapshot(layout: OutLayout, older: Manifest, readAt: string): Snapshot & Disposable {
  beginStaging(layout);
  const catalog = openCatalog(layout.catalog);
  const { digest, config } = catalog;
  const snapshot = new NextSnapshot(layout, older, {
    now: toMetaTime(toSqlTime(CLOCK.now())),
    mostFileBytes: config.grid.maxFileBytes,
    remembers: false,
    isFirst: true,
  });
  try {
    const others = otherFiles(() => undefined);
    const inputs = siteInputs(catalog);
    const plan = planCatalog(inputs, others.count(catalog));
    for (const file of siteFiles(inputs, plan, others, templateFolder("widgets"))) snapshot.put(file);
  } catch (error) {
    snapshot.discard();
    throw error;
  } finally {
    catalog.close();
  }
  snapshot.commit(metaOf({ digest, nextChangeAt: null, vitrine: TOOL_VERSION }), null);
  return openSnapshot(layout, TOOL_VERSION, readAt);
}

/**
 * An older release as a snapshot in a separate folder, ready to publish. `named`: its id, or the beginning of it; undefined for
 * the one before the live one.
 */
export async function restoreRelease(
  bucket: Bucket,
  named: string | undefined,
  folder: string,
  log: Log,
): Promise<{ readonly snapshot: Snapshot & Disposable; readonly id: string }> {
  const layout = layoutOf(join(folder, "out"));
  log.progress(() => "fetching the older catalog");
  const { record, id, manifest } = await fetchOlderRelease(bucket, named, layout, folder);
  log.progress(() => `rendering release ${record.id}`);
  return { snapshot: renderSnapshot(layout, manifest, record.readAt), id };
}

export interface RollbackReport extends Published {
  /** The bucket's address. */
  readonly to: string;
  /** The release that was made live again. */
  readonly rollbackOf: string;
}

/**
 * Makes an older release live. `named`: its id, or the beginning of it; undefined for the one before the live one. It can be repeated:
 * then nothing changes, and the CDNs forget everything, since the first run may have named none.
 */
export async function rollback(
  named: string | undefined,
  options: PublishOptions,
  { changing }: CommandPorts = {},
): Promise<RollbackReport> {
  await using folder = await temporaryFolder();
  using bucket = await openPlace(options);
  const { snapshot, id } = await writingInto(folder.path, () =>
    restoreRelease(bucket, named, folder.path, options.log ?? SILENT),
  );
  using _snapshot = snapshot;
  const rules = { ...rulesOf(options), rollbackOf: id };
  const ports = portsOf(bucket, snapshot, { ...options, changing });
  const report = await publish(snapshot, rules, ports);
  const { outcome, release, finished } = report;
  const isRepeated = outcome === "unchanged" && release !== null && finished === null && !rules.dryRun;
  const purges = isRepeated ? await purgeAll(release, rules, ports) : report.purges;
  return { ...report, purges, to: bucket.url, rollbackOf: id };
}
