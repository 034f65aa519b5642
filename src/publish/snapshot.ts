/** The snapshot in an output folder, as a publish reads it. */
import { existsSync } from "node:fs";
import { VitrineError } from "../base/error.ts";
import { type LogOption, SILENT } from "../base/log.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { OutLayout } from "../site/layout.ts";
import { openManifest } from "../site/manifest.ts";
import { lockForReading, whenFree } from "../site/out.ts";
import type { Snapshot } from "./options.ts";

/** `watch` builds again whenever it tries again: whoever comes to the same folder waits, for so long. */
const WAIT_SECONDS = 30;

interface LockOptions extends LogOption {
  readonly signal?: AbortSignal | undefined;
  readonly waitSeconds?: number;
}

/**
 * No build may replace files while they are read: one that is at work is waited for. A folder that cannot be written needs
 * no lock.
 * @throws VitrineError out_busy where the build goes on, or the signal ends the wait
 */
export async function lockSnapshot(
  layout: OutLayout,
  { log = SILENT, signal, waitSeconds = WAIT_SECONDS }: LockOptions,
): Promise<Disposable> {
  const onPause = () => log.progress(() => `waiting for the build that is at work on ${layout.lock}`);
  const take = () => lockForReading(layout.lock);
  const unlock = await whenFree(take, { seconds: waitSeconds, signal, onPause }).catch((error: unknown) => {
    if (error instanceof VitrineError) throw error;
    return () => undefined;
  });
  return { [Symbol.dispose]: unlock };
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
  using catalog = openCatalog(layout.catalog);
  const { config, format: catalogFormat } = catalog;
  return {
    layout,
    manifest,
    config,
    vitrine,
    catalogFormat,
    [Symbol.dispose]: () => manifest.close(),
  };
}
