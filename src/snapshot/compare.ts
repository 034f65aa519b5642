/** What differs between the files of two snapshots: a merge of their manifests in order of key. Pure. */
import type { Manifest } from "./manifest.ts";

export interface KeyChange {
  readonly key: string;
  /** `changed` where the content is another; another `generated_at` alone is none. */
  readonly kind: "new" | "changed" | "gone" | "same";
}

export function* compareKeys(
  from: Pick<Manifest, "entries">,
  to: Pick<Manifest, "entries">,
): Generator<KeyChange> {
  const earlier = from.entries();
  let next = earlier.next();
  for (const { key, etag } of to.entries()) {
    for (; !next.done && next.value.key < key; next = earlier.next()) {
      yield { key: next.value.key, kind: "gone" };
    }
    if (next.done || next.value.key !== key) yield { key, kind: "new" };
    else {
      yield { key, kind: next.value.etag === etag ? "same" : "changed" };
      next = earlier.next();
    }
  }
  for (; !next.done; next = earlier.next()) yield { key: next.value.key, kind: "gone" };
}
