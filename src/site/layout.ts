/** Where things stand in an output folder. Keys are `src/key`'s business; this is what is around them. */
import { join } from "node:path";

export interface OutLayout {
  /** The snapshot's files, by key. */
  readonly site: string;
  readonly catalog: string;
  readonly manifest: string;
  /** What the last build saw of the store. Private: nothing of it is ever published. */
  readonly readings: string;
  /** What is remembered of the places that were published to. Private. */
  readonly places: string;
  /** The next snapshot while it is made; gone once it is in place. */
  readonly next: string;
  readonly nextCatalog: string;
  readonly nextManifest: string;
  readonly nextFiles: string;
  /** What the next snapshot's build saw of the store. */
  readonly nextReadings: string;
  /** The files of a first snapshot, by key: it is put in place as one folder. */
  readonly nextSite: string;
  /** What the names of files begin with that are made in pieces, until they are whole. */
  readonly nextPart: string;
  /** The list of moves. It exists once the next snapshot is complete, and counts once the catalog is the one that it names. */
  readonly moves: string;
  readonly lock: string;
  /** Held by the first of those who wait for the lock. */
  readonly turn: string;
  /** Who holds the lock, for messages. */
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
    nextPart: join(next, "part"),
    // By this name unfinished builds of every version are found.
    moves: join(next, "journal"),
    lock: join(out, ".lock"),
    turn: join(out, ".turn"),
    holders: join(out, ".holders"),
  };
}
