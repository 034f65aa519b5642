/** The snapshot in an output folder, as a publish reads it. */
import { existsSync } from "node:fs";
import { VitrineError } from "../base/error.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { lockForReading } from "../snapshot/out.ts";
import type { Snapshot } from "./options.ts";

/** No build may replace files while they are read. A folder that cannot be written needs no lock. */
export function lockSnapshot(layout: OutLayout): Disposable {
  try {
    return { [Symbol.dispose]: lockForReading(layout.lock) };
  } catch (error) {
    if (error instanceof VitrineError) throw error;
    return { [Symbol.dispose]: () => undefined };
  }
}

/** With the configuration it was built with. `vitrine`: this version, for the release's record. */
export function openSnapshot(layout: OutLayout, vitrine: string): Snapshot & Disposable {
  if (existsSync(layout.moves)) {
    throw new VitrineError(
      "snapshot_unreadable",
      "A build was interrupted: run vitrine build, then publish.",
    );
  }
  const manifest = openManifest(layout.manifest);
  const catalog = openCatalog(layout.catalog);
  const { config, format: catalogFormat } = catalog;
  catalog.close();
  return {
    ...{ layout, manifest, config, vitrine, catalogFormat },
    [Symbol.dispose]: () => manifest.close(),
  };
}
