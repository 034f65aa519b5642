/** A base and deltas, as they were fetched → the catalog of a release. Nothing is believed that its rows do not say. */
import { ThreadPool } from "../base/thread-pool.ts";
import { applyRows } from "../catalog/apply.ts";
import { checkMeta, proveCatalog } from "../catalog/verify.ts";
import { changeCatalog } from "../catalog/writer.ts";
import { startedModule } from "../package.ts";
import { openDelta, rowsOf, stepOf } from "../snapshot/delta.ts";
import { readingObject } from "./invalid.ts";

/** A file that was fetched, and the address of the object. */
export interface Fetched {
  readonly file: string;
  readonly name: string;
}

export interface CatalogOrder {
  readonly catalog: string;
  /** Where it is just fetched: its object's address, and how the digest of its rows must begin. */
  readonly base: { readonly name: string; readonly digest: string } | null;
  /** Applied in one transaction, in their order. */
  readonly deltas: readonly Fetched[];
  /** What the digest must be in the end, or how it begins; and the object that says so. */
  readonly digest: string;
  readonly digestBy: string;
}

function assertDigest(found: string, expected: string): void {
  if (!found.startsWith(expected))
    throw new Error(`its rows give the digest ${found.slice(0, 12)}, not ${expected.slice(0, 12)}`);
}

function prove(catalog: string, base: NonNullable<CatalogOrder["base"]>): string {
  return readingObject(base.name, () => {
    const digest = proveCatalog(catalog);
    assertDigest(digest, base.digest);
    return digest;
  });
}

/** Applies all deltas, or none where the catalog does not become what it must. */
function apply({ catalog, deltas, digest, digestBy }: CatalogOrder): void {
  const writer = changeCatalog(catalog);
  try {
    for (const { file, name } of deltas) {
      readingObject(name, () => {
        const delta = openDelta(file);
        checkMeta(delta.header.meta);
        applyRows(writer, rowsOf(delta), stepOf(delta.header));
      });
    }
    readingObject(digestBy, () => assertDigest(writer.meta("digest") ?? "", digest));
    writer.commit();
  } finally {
    writer.close();
  }
}

/** @throws VitrineError remote_invalid */
export function makeCatalog(order: CatalogOrder): null {
  const { catalog, base, deltas, digest, digestBy } = order;
  const proven = base === null ? null : prove(catalog, base);
  if (proven === null || deltas.length > 0) apply(order);
  else readingObject(digestBy, () => assertDigest(proven, digest));
  return null;
}

/** As {@link makeCatalog}, beside this thread. */
export async function makeCatalogAside(order: CatalogOrder): Promise<void> {
  const threads = new ThreadPool<CatalogOrder, null>(startedModule("publish/release-thread"), 1, null);
  try {
    await threads.run(order);
  } finally {
    await threads.close();
  }
}
