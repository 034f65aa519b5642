/** What differs from the live release, where deltas that the builds have kept lead from it to the snapshot. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { itemAt } from "../base/item-at.ts";
import { keysOf, openDelta } from "../snapshot/delta.ts";
import { composeDeltas, deltasBetween } from "../snapshot/delta-chain.ts";
import { endsOf } from "../snapshot/manifest.ts";
import { deltaFiles } from "../snapshot/writer.ts";
import { type Changes, collectChanges } from "./changes.ts";
import { JOURNAL_KEYS, type Pointer } from "./documents.ts";
import { zip } from "./gzip.ts";
import { createHeaderMaker, headerPolicy } from "./headers.ts";
import { chainOf, takesDelta } from "./parts.ts";
import type { Publication, Snapshot } from "./ports.ts";
import type { ReleasedEntry } from "./release-manifest.ts";

/** Files of the deltas that lead from what is live to the snapshot; null where none do. */
function deltasSince(
  { content, headerPolicy: live, releases }: Pointer,
  snapshot: Snapshot,
): string[] | null {
  if (live !== headerPolicy(snapshot.config)) return null;
  const from = { catalog: itemAt(releases, 0).catalogDigest, content };
  const { deltas } = snapshot.layout;
  const kept = deltaFiles(snapshot.layout).map((name) => join(deltas, name));
  return deltasBetween(kept, from, endsOf(snapshot.manifest.meta));
}

/** Keys that the deltas name; null where a journal could not name them, or nobody would take the deltas. */
function namedKeys(files: readonly string[], uncertain: readonly string[]): Set<string> | null {
  const named = new Set<string>();
  try {
    for (const file of files) {
      for (const change of keysOf(openDelta(file))) {
        named.add("file" in change ? change.file.key : change.gone);
        if (named.size + uncertain.length > JOURNAL_KEYS) return null;
      }
    }
  } catch (error) {
    // Damaged, or with a record that is longer than a line may be.
    if (error instanceof VitrineError && error.code === "delta_refused") return null;
    throw error;
  }
  return named;
}

interface Keys {
  /** In the snapshot, and to be put. */
  readonly put: readonly ReleasedEntry[];
  readonly gone: readonly string[];
}

/** What becomes of keys is what the snapshot says of them now. */
function sortKeys(keys: Iterable<string>, { manifest, config }: Snapshot): Keys {
  const headers = createHeaderMaker(config);
  const put: ReleasedEntry[] = [];
  const gone: string[] = [];
  for (const key of keys) {
    const entry = manifest.get(key);
    if (entry === undefined) gone.push(key);
    else put.push({ ...entry, headers: headers.digestOf(key) });
  }
  return { put, gone };
}

interface Counted {
  readonly files: number;
  readonly liveFiles: number;
  readonly put: number;
  readonly uncertain: number;
  readonly deleted: number;
}

/** A key that came and went since is counted as deleted: nothing says that it was never live. */
function countsOf({ files, liveFiles, put, uncertain, deleted }: Counted) {
  const certain = put - uncertain;
  const added = Math.min(certain, Math.max(0, files - liveFiles + deleted));
  return { new: added, changed: certain - added, headers: 0, uncertain, deleted, kept: files - put };
}

/** Null where the manifests must be compared, or where it is time for a new base. */
export async function changesByDelta({ snapshot, state }: Publication): Promise<Changes | null> {
  const live = state.live?.pointer;
  const left = state.journal?.journal.keys ?? [];
  if (live === undefined || state.journal?.journal.keys === null) return null;
  const chain = chainOf(live.parts, live.release);
  const files = takesDelta(chain, 0) ? deltasSince(live, snapshot) : null;
  const named = files === null ? null : namedKeys(files, left);
  if (files === null || named === null) return null;
  const uncertain = new Set(left);
  const keys = sortKeys(new Set([...named, ...uncertain]), snapshot);
  const counts = countsOf({
    files: snapshot.manifest.totals().files,
    liveFiles: itemAt(live.releases, 0).files,
    put: keys.put.length,
    uncertain: keys.put.filter(({ key }) => uncertain.has(key)).length,
    deleted: keys.gone.filter((key) => named.has(key)).length,
  });
  const changes = await collectChanges(async (into) => {
    // How many keys came is known, not which.
    for (const entry of keys.put) into.put(entry, counts.new + counts.uncertain > 0);
    for (const key of keys.gone) into.delete(key);
    const file = await writeReleaseDelta(files, into.folder, keys);
    return { counts, form: { kind: "delta", file } };
  });
  if (takesDelta(chain, statSync(changes.form.file).size)) return changes;
  changes.close();
  return null;
}

/** One delta from the live release to the next, gzipped. */
async function writeReleaseDelta(files: readonly string[], folder: string, keys: Keys): Promise<string> {
  const plain = join(folder, "delta.ndjson");
  composeDeltas(files, plain, keys);
  await zip(plain, `${plain}.gz`);
  return `${plain}.gz`;
}
