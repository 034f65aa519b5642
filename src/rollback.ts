/** An older release made live again: its catalog is rendered once more, and published as the difference. */
import { join } from "node:path";
import { type Log, SILENT } from "./base/log.ts";
import { temporaryFolder } from "./base/temporary-folder.ts";
import { toMetaTime, toSqlTime } from "./base/time.ts";
import { wholePages } from "./build/pages.ts";
import { openCatalog } from "./catalog/catalog.ts";
import { copyFragments } from "./catalog/fragments.ts";
import { TOOL_VERSION, templateFolder } from "./package.ts";
import type { Bucket } from "./publish/bucket.ts";
import type { Snapshot } from "./publish/ports.ts";
import { fetchOlderRelease } from "./publish/rollback.ts";
import { openSnapshot } from "./publish/snapshot.ts";
import {
  openPlace,
  type PublishOptions,
  type PublishReport,
  publishTo,
  rulesOf,
} from "./publish-snapshot.ts";
import { planCatalog } from "./render/plan.ts";
import { renderPlan } from "./render/render.ts";
import { layoutOf, type OutLayout } from "./snapshot/layout.ts";
import { type Manifest, metaOf } from "./snapshot/manifest.ts";
import { beginStaging } from "./snapshot/out.ts";
import { restoreSnapshot } from "./snapshot/writer.ts";

/** Renders the catalog that stands in an empty folder; files that `older` knows get the bytes they had. */
function renderSnapshot(layout: OutLayout, older: Manifest): Snapshot {
  beginStaging(layout);
  const fragments = copyFragments(layout.catalog, layout.nextFragments);
  const catalog = openCatalog(layout.catalog, { fragments });
  const { digest } = catalog;
  const writer = restoreSnapshot(layout, older, toMetaTime(toSqlTime(new Date())));
  try {
    const widgets = templateFolder("widgets");
    const pages = wholePages(catalog);
    const plan = planCatalog(catalog, pages.weight);
    renderPlan(catalog, plan, { writer, widgets, pages, tell: () => undefined });
  } catch (error) {
    writer.discard();
    throw error;
  } finally {
    catalog.close();
  }
  writer.commit(metaOf({ digest, nextChangeAt: null, vitrine: TOOL_VERSION }));
  return openSnapshot(layout, TOOL_VERSION);
}

/**
 * An older release as a snapshot in a folder of its own, to be published. `named`: its id, or the beginning of it; else
 * the one before the live one. The snapshot's manifest must be closed.
 */
export async function restoreRelease(
  bucket: Bucket,
  named: string | undefined,
  folder: string,
  log: Log,
): Promise<{ readonly snapshot: Snapshot; readonly id: string }> {
  const layout = layoutOf(join(folder, "out"));
  log.progress(() => "fetching the older catalog");
  const { record, manifest } = await fetchOlderRelease(bucket, named, layout, folder);
  log.progress(() => `rendering release ${record.id}`);
  return { snapshot: renderSnapshot(layout, manifest), id: record.id };
}

export interface RollbackReport extends Omit<PublishReport, "repaired"> {
  /** The release that was made live again. */
  readonly rollbackOf: string;
}

/** Makes an older release live: `named` by its id, or the beginning of it; else the one before the live one. */
export async function rollback(named: string | undefined, options: PublishOptions): Promise<RollbackReport> {
  const { log = SILENT } = options;
  await using folder = await temporaryFolder();
  const bucket = await openPlace(options);
  try {
    const { snapshot, id } = await restoreRelease(bucket, named, folder.path, log);
    try {
      const rules = { ...rulesOf(options), rollbackOf: id };
      const { changedKeys, ...report } = await publishTo(bucket, snapshot, rules, options);
      return { ...report, to: bucket.url, rollbackOf: id };
    } finally {
      snapshot.manifest.close();
    }
  } finally {
    bucket.close?.();
  }
}
