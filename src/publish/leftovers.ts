/** What a publish that was cut off may have touched: read from its journal, and from manifests where those are too many. */
import type { Bucket } from "./bucket.ts";
import type { Journal } from "./documents.ts";
import { fetchManifest } from "./state.ts";

/** Keys in order; several times in order where several releases are concerned. */
export type KeyRuns = readonly (() => AsyncIterable<string>)[];

export async function fetchTouched(bucket: Bucket, journal: Journal, folder: string): Promise<KeyRuns> {
  const { keys, from, attempted } = journal;
  if (keys !== null) {
    return [
      async function* () {
        yield* keys;
      },
    ];
  }
  const runs: (() => AsyncIterable<string>)[] = [];
  for (const release of [...(from === null ? [] : [from]), ...attempted]) {
    const entries = await fetchManifest(bucket, release, folder);
    // No manifest: that attempt died before its first put.
    if (entries === null) continue;
    runs.push(async function* () {
      for await (const { key } of entries()) yield key;
    });
  }
  return runs;
}

/** Keys of runs that are not among `present`, which is in order of key and may be read several times. */
export async function* keysWithout(
  runs: KeyRuns,
  present: () => AsyncIterable<{ readonly key: string }>,
): AsyncGenerator<string> {
  for (const run of runs) {
    const entries = present()[Symbol.asyncIterator]();
    let next = await entries.next();
    for await (const key of run()) {
      while (!next.done && next.value.key < key) next = await entries.next();
      if (next.done || next.value.key !== key) yield key;
    }
    await entries.return?.();
  }
}
