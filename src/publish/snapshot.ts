/** Opens the snapshot in an output folder for a publish. */
import { existsSync } from "node:fs";
import { VitrineError } from "../base/error.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { hasRecords } from "../catalog/resources.ts";
import type { OutLayout } from "../site/layout.ts";
import { openManifest } from "../site/manifest.ts";
import type { Snapshot } from "./options.ts";

/**
 * Has the configuration of its build. `vitrine`: this version, for the release's record; `readAt`: when the store was read, RFC 3339,
 * by this machine's clock.
 */
export function openSnapshot(layout: OutLayout, vitrine: string, readAt: string): Snapshot & Disposable {
  if (existsSync(layout.moves)) {
    throw new VitrineError(
      "snapshot_unreadable",
      "A build was interrupted: run vitrine build, then publish.",
    );
  }
  const manifest = openManifest(layout.manifest);
  using catalog = openCatalog(layout.catalog);
  const { db, config, format: catalogFormat } = catalog;
  return {
    layout,
    manifest,
    config,
    vitrine,
    catalogFormat,
    hasProducts: hasRecords(db, "product"),
    readAt,
    [Symbol.dispose]: () => manifest.close(),
  };
}
