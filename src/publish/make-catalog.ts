/** A base and deltas, as they were fetched → the catalog of a release. Nothing is believed that its rows do not say. */
import { ThreadPool } from "../base/thread-pool.ts";
import { proveCatalog } from "../catalog/verify.ts";
import { startedModule } from "../package.ts";
import { applyDeltas, assertDigest } from "../snapshot/apply-deltas.ts";
import { readingObject } from "./bucket.ts";

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

function prove(catalog: string, base: NonNullable<CatalogOrder["base"]>): string {
  return readingObject(base.name, () => {
    const digest = proveCatalog(catalog);
    assertDigest(digest, base.digest);
    return digest;
  });
}

function apply({ catalog, deltas, digest, digestBy }: CatalogOrder): void {
  const names = new Map(deltas.map(({ file, name }) => [file, name]));
  const reading = (file: string, read: () => void) => readingObject(names.get(file) ?? file, read);
  readingObject(digestBy, () => applyDeltas(catalog, [...names.keys()], { digest, reading }));
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
