/** Where things stand in an output folder. Keys are `src/key`'s business; this is what is around them. */
import { join } from "node:path";

export interface OutLayout {
  /** The snapshot's files, by key. */
  readonly site: string;
  readonly catalog: string;
  readonly manifest: string;
  /** The next snapshot while it is made; gone once it is in place. */
  readonly next: string;
  readonly nextCatalog: string;
  readonly nextManifest: string;
  readonly nextFiles: string;
  /** The move list. It stands once the next snapshot is complete: from then on that is put in place, whatever happens. */
  readonly moves: string;
  readonly lock: string;
}

export function layoutOf(out: string): OutLayout {
  const next = join(out, ".next");
  return {
    site: join(out, "site"),
    catalog: join(out, "catalog.sqlite"),
    manifest: join(out, "manifest.sqlite"),
    next,
    nextCatalog: join(next, "catalog.sqlite"),
    nextManifest: join(next, "manifest.sqlite"),
    nextFiles: join(next, "files"),
    // By this name unfinished builds of every version are found.
    moves: join(next, "journal"),
    lock: join(out, ".lock"),
  };
}
