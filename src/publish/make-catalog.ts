/** A base and deltas, as they were fetched → the catalog of a release. Nothing is believed that its rows do not say. */
import { proveCatalog } from "../catalog/verify.ts";
import { applyDeltas, assertDigest } from "../snapshot/apply-deltas.ts";
import { type Job, Workers } from "../workers.ts";
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

const CATALOG: Job<CatalogOrder, null> = { name: "catalog" };

/** As {@link makeCatalog}, beside this thread: whoever serves meanwhile goes on. */
export async function makeCatalogAside(order: CatalogOrder): Promise<void> {
  const worker = new Workers(1);
  try {
    await worker.run(CATALOG, order);
  } finally {
    await worker.close();
  }
}
