/** Whether a snapshot fits where it is to be served from. */
import { existsSync } from "node:fs";
import { formatBytes, formatCount } from "../base/log.ts";
import { layoutOf } from "../snapshot/layout.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { type Found, ok, problem } from "./finding.ts";

/** What a place takes. */
export interface Limits {
  /** Whose they are, for messages: "grid.maxFiles". */
  readonly whose: string;
  readonly maxFiles: number;
  /** Of one file; Infinity where nobody says. */
  readonly maxFileBytes: number;
}

/** @throws VitrineError snapshot_unreadable */
export function checkLimits(out: string, { whose, maxFiles, maxFileBytes }: Limits): Found[] {
  const { manifest: file } = layoutOf(out);
  if (!existsSync(file)) return [ok(`No snapshot yet; ${whose} allows ${formatCount(maxFiles)} files`)];
  const manifest = openManifest(file);
  try {
    const { files } = manifest.totals();
    let largest = { key: "", sizeBytes: 0 };
    for (const entry of manifest.entries()) if (entry.sizeBytes > largest.sizeBytes) largest = entry;
    const found: Found[] = [];
    if (files > maxFiles)
      found.push(
        problem(
          `The snapshot has ${formatCount(files)} files, and ${whose} allows ${formatCount(maxFiles)}`,
          "Build again: grid.maxFiles, grid.depth and grid.pages say how many there are.",
        ),
      );
    if (largest.sizeBytes > maxFileBytes)
      found.push(
        problem(
          `${largest.key} has ${formatBytes(largest.sizeBytes)}, and ${whose} allows ${formatBytes(maxFileBytes)}`,
          "Shorten the texts of that page, or leave large values out of pageSizes.",
        ),
      );
    const fits = `${formatCount(files)} of ${formatCount(maxFiles)} files (${whose}), the largest has ${formatBytes(largest.sizeBytes)}`;
    return found.length > 0 ? found : [ok(fits)];
  } finally {
    manifest.close();
  }
}
