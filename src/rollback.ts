/** An older release made live again: its catalog is rendered once more, and published as the difference. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "./base/log.ts";
import { toMetaTime, toSqlTime } from "./base/time.ts";
import { openCatalog } from "./catalog/catalog.ts";
import type { Bucket } from "./publish/bucket.ts";
import type { Snapshot } from "./publish/ports.ts";
import { fetchOlderRelease } from "./publish/rollback.ts";
import { openSnapshot } from "./publish/snapshot.ts";
import { planCatalog } from "./render/plan.ts";
import { renderPlan } from "./render/render.ts";
import { digestFile } from "./snapshot/digest.ts";
import { layoutOf, type OutLayout } from "./snapshot/layout.ts";
import type { Manifest } from "./snapshot/manifest.ts";
import { restoreSnapshot } from "./snapshot/restore.ts";

/** Of this package: its version, and the folder of the widgets. */
export interface About {
  readonly vitrine: string;
  readonly widgets: string;
}

/** Renders the catalog that stands in an empty folder; files that `older` knows get the bytes they had. */
function renderSnapshot(layout: OutLayout, older: Manifest, { vitrine, widgets }: About): Snapshot {
  mkdirSync(layout.site, { recursive: true });
  const catalog = openCatalog(layout.catalog);
  const { digest } = catalog;
  const writer = restoreSnapshot(layout, older, toMetaTime(toSqlTime(new Date())));
  try {
    renderPlan(catalog, planCatalog(catalog), { writer, widgets, progress: () => undefined });
  } catch (error) {
    writer.discard();
    throw error;
  } finally {
    catalog.close();
  }
  writer.commit({ catalog: digestFile(layout.catalog), catalog_digest: digest, vitrine });
  return openSnapshot(layout, vitrine);
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
  about: About,
): Promise<{ readonly snapshot: Snapshot; readonly id: string }> {
  const layout = layoutOf(join(folder, "out"));
  log.progress(() => "fetching the older catalog");
  const { record, manifest } = await fetchOlderRelease(bucket, named, layout, folder);
  log.progress(() => `rendering release ${record.id}`);
  return { snapshot: renderSnapshot(layout, manifest, about), id: record.id };
}
