/** The files and folders of an output folder. `src/key` defines the keys below `site`. */
import { join } from "node:path";

export interface OutLayout {
  /** The snapshot's files, by key. */
  readonly site: string;
  readonly catalog: string;
  readonly manifest: string;
  /** What the last build saw of the store. Private: never published. */
  readonly readings: string;
  /** What is remembered of the places that were published to. Private. */
  readonly places: string;
  /** The next snapshot while it is made; deleted once the snapshot is in place. */
  readonly next: string;
  readonly nextCatalog: string;
  readonly nextManifest: string;
  readonly nextFiles: string;
  /** What the next snapshot's build saw of the store. */
  readonly nextReadings: string;
  /** The files of a first snapshot, by key: moved into place as one folder. */
  readonly nextSite: string;
  /** The list of moves. Written when the next snapshot is complete; valid once the catalog is the one that it names. */
  readonly moves: string;
  readonly lock: string;
  /** Locked by the first process in the queue for `lock`. */
  readonly turn: string;
  /** The processes that hold the lock, for messages. */
  readonly holders: string;
}

export function layoutOf(out: string): OutLayout {
  const next = join(out, ".next");
  return {
    site: join(out, "site"),
    catalog: join(out, "catalog.sqlite"),
    manifest: join(out, "manifest.sqlite"),
    readings: join(out, ".readings.sqlite"),
    places: join(out, ".places"),
    next,
    nextCatalog: join(next, "catalog.sqlite"),
    nextManifest: join(next, "manifest.sqlite"),
    nextFiles: join(next, "files"),
    nextReadings: join(next, "readings.sqlite"),
    nextSite: join(next, "site"),
    // All versions use this name, so that each finds the unfinished builds of the others.
    moves: join(next, "journal"),
    lock: join(out, ".lock"),
    turn: join(out, ".turn"),
    holders: join(out, ".holders"),
  };
}
