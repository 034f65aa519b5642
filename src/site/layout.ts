/** Where things stand in an output folder. Keys are `src/key`'s business; this is what is around them. */
import { join } from "node:path";

export interface OutLayout {
  /** The snapshot's files, by key. */
  readonly site: string;
  readonly catalog: string;
  readonly manifest: string;
  /** What the last build saw of the store. Private: nothing of it is ever published. */
  readonly readings: string;
  /** Deltas that were applied, the newest last. */
  readonly deltas: string;
  /** The next snapshot while it is made; gone once it is in place. */
  readonly next: string;
  readonly nextCatalog: string;
  readonly nextManifest: string;
  readonly nextFiles: string;
  /** What the next snapshot's build saw of the store. */
  readonly nextReadings: string;
  /** The files of a first snapshot, by key: it is put in place as one folder. */
  readonly nextSite: string;
  /** The delta that leads to the next snapshot, where it is made by one. */
  readonly nextDelta: string;
  /** Rows of the delta that is made, before it is one. */
  readonly nextRows: string;
  /** What the names of files begin with that are made in pieces, until they are whole. */
  readonly nextPart: string;
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
    readings: join(out, ".readings.sqlite"),
    deltas: join(out, "deltas"),
    next,
    nextCatalog: join(next, "catalog.sqlite"),
    nextManifest: join(next, "manifest.sqlite"),
    nextFiles: join(next, "files"),
    nextReadings: join(next, "readings.sqlite"),
    nextSite: join(next, "site"),
    nextDelta: join(next, "delta.ndjson"),
    nextRows: join(next, "rows"),
    nextPart: join(next, "part"),
    // By this name unfinished builds of every version are found.
    moves: join(next, "journal"),
    lock: join(out, ".lock"),
  };
}
