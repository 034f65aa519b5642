/** Whether a snapshot fits where it is to be served from. */
import { existsSync } from "node:fs";
import type { PublicConfig } from "../api/config.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import { hostNamed } from "../hosts/hosts.ts";
import { layoutOf } from "../snapshot/layout.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { type Found, ok, problem } from "./finding.ts";

/** What a place takes; Infinity where nobody says. */
export interface Limits {
  /** Whose they are, for messages. */
  readonly whose: string;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxSiteBytes: number;
  /** Files without which it does not answer. */
  readonly files: readonly string[];
  /** What makes a snapshot that fits. */
  readonly next: string;
}

/** Those of the configuration, and of the host that it is for. */
export function limitsOf({ grid, for: host }: PublicConfig): Limits {
  const { maxFiles, maxBytes = 0 } = grid;
  const next = "Build again: grid.maxFiles, grid.depth and grid.pages say how many files there are.";
  if (host === undefined)
    return {
      whose: "grid.maxFiles",
      maxFiles,
      maxFileBytes: Infinity,
      maxSiteBytes: Infinity,
      files: [],
      next,
    };
  const { title, limits, files } = hostNamed(host);
  return {
    ...{ whose: title, maxFiles, files },
    maxFileBytes: limits.fileBytes ?? Infinity,
    // A build counts before it makes files, and leaves room for what it cannot know.
    maxSiteBytes: Math.max(maxBytes, limits.siteBytes ?? 0) || Infinity,
    next: `Build with --for ${host}, which keeps its limits (docs/hosts.md).`,
  };
}

/** @throws VitrineError snapshot_unreadable */
export function checkLimits(out: string, limits: Limits): Found[] {
  const { whose, maxFiles, maxFileBytes, maxSiteBytes, next } = limits;
  const { manifest: file } = layoutOf(out);
  if (!existsSync(file)) return [ok(`No snapshot yet; ${whose} allows ${formatCount(maxFiles)} files`)];
  const manifest = openManifest(file);
  try {
    const { files, sizeBytes } = manifest.totals();
    let largest = { key: "", sizeBytes: 0 };
    for (const entry of manifest.entries()) if (entry.sizeBytes > largest.sizeBytes) largest = entry;
    const lacking = limits.files.filter((key) => manifest.get(key) === undefined);
    const measures = [
      {
        what: "The snapshot has",
        has: files,
        most: maxFiles,
        format: (value: number) => `${formatCount(value)} files`,
      },
      { what: "The snapshot has", has: sizeBytes, most: maxSiteBytes, format: formatBytes },
      { what: `${largest.key} has`, has: largest.sizeBytes, most: maxFileBytes, format: formatBytes },
    ];
    const beyond = measures
      .filter(({ has, most }) => has > most)
      .map(({ what, has, most, format }) =>
        problem(`${what} ${format(has)}, and ${whose} allows ${format(most)}`, next),
      );
    const found = [
      ...(lacking.length === 0
        ? []
        : [problem(`The snapshot lacks ${lacking.join(", ")}, which ${whose} needs`, next)]),
      ...beyond,
    ];
    const sizes = `${formatBytes(sizeBytes)} in all, ${formatBytes(largest.sizeBytes)} in the largest file`;
    return found.length > 0
      ? found
      : [ok(`${formatCount(files)} of ${formatCount(maxFiles)} files (${whose}), ${sizes}`)];
  } finally {
    manifest.close();
  }
}
