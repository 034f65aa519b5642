/** Which release to go back to, and what is needed to derive it again: its catalog and its manifest. */
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { createManifest, type Manifest, openManifest } from "../snapshot/manifest.ts";
import type { Bucket } from "./bucket.ts";
import type { Pointer, ReleaseRecord } from "./documents.ts";
import { fetchCatalog } from "./follow-release.ts";
import { fetchManifest, readLive } from "./state.ts";

/** The named release, or the one before the live one. A beginning of its id will do. @throws VitrineError usage */
function chooseRelease({ release: live, releases }: Pointer, named: string | undefined): ReleaseRecord {
  const list = releases.map(({ id }) => id).join(", ");
  if (named === undefined) {
    const [, before] = releases;
    if (before !== undefined) return before;
    throw new VitrineError("usage", `There is no older release to go back to; kept is ${list}.`);
  }
  const found = releases.filter(({ id }) => id === named || id.startsWith(named));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new VitrineError(
      "usage",
      `"${named}" is ${found.length > 1 ? "several releases" : "no release"} of ${list}.`,
    );
  }
  if (only.id !== live) return only;
  throw new VitrineError("usage", `${only.id} is live already: name an older one of ${list}.`);
}

export interface OlderRelease {
  readonly record: ReleaseRecord;
  readonly manifest: Manifest;
}

/** Brings an older release's catalog to `layout.catalog`, and its manifest. */
export async function fetchOlderRelease(
  bucket: Bucket,
  named: string | undefined,
  layout: OutLayout,
  folder: string,
): Promise<OlderRelease> {
  const record = chooseRelease(await readLive(bucket), named);
  await fetchCatalog(bucket, record.id, layout.catalog);
  const entries = await fetchManifest(bucket, record.id, folder);
  if (entries === null) {
    throw new VitrineError(
      "remote_failed",
      `The manifest of ${record.id} is missing in ${bucket.url}: choose another.`,
    );
  }
  const file = join(folder, "older.sqlite");
  const writer = createManifest(file);
  for await (const entry of entries()) writer.add(entry);
  writer.finish({});
  return { record, manifest: openManifest(file) };
}
