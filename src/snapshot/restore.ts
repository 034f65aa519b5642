/**
 * Makes the snapshot of an older release anew, every file of it, into an empty folder: answers that its manifest knows
 * get the bytes they had, `generated_at` and all.
 */
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MetaTime } from "../base/time.ts";
import { createDigests, stampBody } from "../catalog/envelope.ts";
import type { OutLayout } from "./layout.ts";
import { createManifest, type Manifest, type ManifestEntry, type ManifestMeta } from "./manifest.ts";
import type { SnapshotWriter } from "./staging.ts";

/** A snapshot that is made whole. */
export interface RestoredSnapshot extends SnapshotWriter {
  commit(meta: ManifestMeta): void;
  discard(): void;
}

/** `now` stamps what the older manifest does not know, as where it is rendered by a newer version. */
export function restoreSnapshot(layout: OutLayout, older: Manifest, now: MetaTime): RestoredSnapshot {
  const manifest = createManifest(layout.manifest);
  let last: { entry: ManifestEntry; path: string } | undefined;
  const add = (entry: ManifestEntry, write: (path: string) => void) => {
    const path = join(layout.site, entry.key);
    mkdirSync(dirname(path), { recursive: true });
    write(path);
    manifest.add(entry);
    return path;
  };
  return {
    put(key, body) {
      const { etag, digestOf } = createDigests(body);
      const known = older.get(key);
      const generatedAt = known?.etag === etag ? known.generatedAt : now;
      const bytes = stampBody(body, generatedAt);
      const entry = { key, digest: digestOf(bytes), sizeBytes: bytes.length, etag, generatedAt };
      last = { entry, path: add(entry, (path) => writeFileSync(path, bytes)) };
    },
    link(key) {
      if (last === undefined) throw new Error(`${key} has nothing to link to`);
      const { entry, path } = last;
      add({ ...entry, key }, (target) => linkSync(path, target));
    },
    commit(meta) {
      manifest.finish(meta);
      older.close();
    },
    discard() {
      manifest.close();
      older.close();
    },
  };
}
