/** A base and deltas, as they were fetched → the catalog of a release. Nothing is believed that its rows do not say. */
import { proveCatalog } from "../catalog/verify.ts";
import { applyDeltas, assertDigest } from "../site/apply-deltas.ts";
import { type WorkerJob, WorkerPool } from "../workers.ts";
import { readingObject } from "./bucket.ts";

/** A file that was fetched, and the address of the object. */
export interface FetchedFile {
  readonly file: string;
  readonly name: string;
}

export interface CatalogOrder {
  /** The base's file, which becomes the release's. */
  readonly catalog: string;
  /** Of the base: its object's address, and how the digest of its rows must begin. */
  readonly base: { readonly name: string; readonly digest: string };
  /** Applied in one transaction, in their order. */
  readonly deltas: readonly FetchedFile[];
  /** What the digest must be in the end, or how it begins; and the object that says so. */
  readonly digest: string;
  readonly digestBy: string;
}

/** @throws VitrineError remote_invalid */
export function makeCatalog({ catalog, base, deltas, digest, digestBy }: CatalogOrder): null {
  const proven = readingObject(base.name, () => {
    const found = proveCatalog(catalog);
    assertDigest(found, base.digest);
    return found;
  });
  const names = new Map(deltas.map(({ file, name }) => [file, name]));
  const reading = (file: string, read: () => void) => readingObject(names.get(file) ?? file, read);
  readingObject(digestBy, () => {
    if (deltas.length === 0) assertDigest(proven, digest);
    else applyDeltas(catalog, [...names.keys()], { digest, reading });
  });
  return null;
}

const CATALOG: WorkerJob<CatalogOrder, null> = { name: "catalog" };

/** As {@link makeCatalog}, in a worker, so that this thread goes on serving. */
export async function makeCatalogInWorker(order: CatalogOrder): Promise<void> {
  const worker = new WorkerPool(1);
  try {
    await worker.run(CATALOG, order);
  } finally {
    await worker.close();
  }
}
