/**
 * What differs between a snapshot and the live release: a merge of two lists in order of key, neither held in memory.
 * A file is the same where its validator is: one that was only rebuilt elsewhere, with another `generated_at`, keeps
 * the bytes that are live. Pure.
 */
import type { ManifestEntry } from "../snapshot/manifest.ts";
import type { ReleasedEntry } from "./release-manifest.ts";

export type Change =
  | { readonly kind: "kept"; readonly entry: ReleasedEntry }
  /** To be put: new, other content, other headers, or left uncertain by a publish that was cut off. */
  | { readonly kind: PutKind; readonly entry: ReleasedEntry }
  | { readonly kind: "deleted"; readonly key: string };
type PutKind = "new" | "changed" | "headers" | "uncertain";

export interface CompareInputs {
  /** The snapshot, in order of key. */
  readonly local: Iterable<ManifestEntry>;
  /** The live release, in order of key; empty before the first. */
  readonly released: AsyncIterable<ReleasedEntry>;
  readonly headersOf: (key: string) => string;
  /** True for keys that a publish which was cut off may have put. */
  readonly isUncertain: (key: string) => boolean;
}

function changeOf(inputs: CompareInputs, local: ManifestEntry, released: ReleasedEntry): Change {
  const headers = inputs.headersOf(local.key);
  const entry = { ...local, headers };
  if (inputs.isUncertain(local.key)) return { kind: "uncertain", entry };
  if (local.etag !== released.etag) return { kind: "changed", entry };
  return headers === released.headers ? { kind: "kept", entry: released } : { kind: "headers", entry };
}

export async function* compareManifests(inputs: CompareInputs): AsyncGenerator<Change> {
  const local = inputs.local[Symbol.iterator]();
  let next = local.next();
  const added = (entry: ManifestEntry): Change => ({
    kind: "new",
    entry: { ...entry, headers: inputs.headersOf(entry.key) },
  });
  for await (const released of inputs.released) {
    while (!next.done && next.value.key < released.key) {
      yield added(next.value);
      next = local.next();
    }
    if (!next.done && next.value.key === released.key) {
      yield changeOf(inputs, next.value, released);
      next = local.next();
    } else yield { kind: "deleted", key: released.key };
  }
  for (; !next.done; next = local.next()) yield added(next.value);
}

/** Keys in order; several runs where several releases are concerned. */
export type KeyRuns = readonly (() => AsyncIterable<string>)[];

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
