/** Follows a bucket into a folder, as a fallback does. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Notes, SILENT } from "../../src/base/log.ts";
import type { Bucket } from "../../src/publish/bucket.ts";
import { releaseSource } from "../../src/publish/release-source.ts";
import { CatalogCopy, type CopyChange } from "../../src/serve/catalog-copy.ts";
import { followReleases } from "../../src/serve/catalog-source.ts";

export interface Follower {
  /** The copy, which is another one once all was fetched. */
  file(): string;
  /** Its log. */
  log(): string;
  /** Looks now; true where another release was taken up. */
  look(): Promise<boolean>;
  stop(): Promise<void>;
}

interface Options {
  readonly log?: Notes;
  /** Polls by itself, so often. */
  readonly everyMilliseconds?: number;
  readonly changed?: (change: CopyChange) => void;
}

export async function followBucket(bucket: Bucket, home: string, options: Options = {}): Promise<Follower> {
  const { log = SILENT, everyMilliseconds = 3_600_000, changed } = options;
  mkdirSync(home, { recursive: true });
  const copy = await CatalogCopy.open(followReleases(releaseSource(bucket, everyMilliseconds)), home, {
    log,
  });
  copy.follow({ take: async (change) => changed?.(change), refresh: async () => {}, drop: () => {} });
  const release = () => (JSON.parse(readFileSync(join(home, "present.json"), "utf8")) as { id: string }).id;
  return {
    file: () => copy.file ?? "",
    log: () => `${copy.file}-wal`,
    async look() {
      const before = release();
      await copy.poll();
      return release() !== before;
    },
    stop: () => copy[Symbol.asyncDispose](),
  };
}
