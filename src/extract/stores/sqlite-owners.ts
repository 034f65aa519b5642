/**
 * Whose b-tree each page of a store is. Made by a look at every page, and kept: where a b-tree's pages, from its root to the
 * last, are what they were, it has the same pages still, for each but the root is named by another.
 */
import Database from "better-sqlite3";
import type { Picture } from "./sqlite-picture.ts";
import type { DifferingPage } from "./sqlite-ranges.ts";
import { placesIn } from "./sqlite-structure.ts";

/** A page of no b-tree, and one of which that is not known. */
const NOBODY = 0;
const UNKNOWN = 0xffff;

/** Owners as they are now, and where those of some pages stand that changed, by the b-tree's name. */
interface FoundOwners {
  readonly owners: Owners;
  readonly differing: ReadonlyMap<string, readonly DifferingPage[]>;
}

export interface Owners {
  /** Names of b-trees as `dbstat` tells them; the place of a name, from 1, is its number. */
  readonly names: readonly string[];
  /** For each page, from the first, the number of its b-tree. */
  readonly numbers: Uint16Array;
}

/** Names of the b-trees that had one of these pages; null where that is not known of one. */
export function ownersOf({ names, numbers }: Owners, pages: Iterable<number>): ReadonlySet<string> | null {
  const owners = new Set<string>();
  for (const page of pages) {
    const number = numbers[page - 1] ?? NOBODY;
    if (number === UNKNOWN) return null;
    if (number !== NOBODY) owners.add(names[number - 1] ?? "");
  }
  return owners;
}

/** Owners of all pages of the store as the connection sees it. */
export function allOwners(db: Database.Database, pages: number): Owners {
  return readOwners(db, { names: [], numbers: new Uint16Array(pages) }, [null], new Set()).owners;
}

/**
 * Owners after some pages changed, and with them b-trees. Those that cannot have other pages than they had are not read.
 * @param changed root pages of those b-trees, by name
 */
export function nextOwners(
  db: Database.Database,
  picture: Picture,
  { names, numbers }: Owners,
  changed: ReadonlyMap<string, number>,
  differing: readonly number[],
): FoundOwners {
  const next = new Uint16Array(picture.pages);
  next.set(numbers.subarray(0, picture.pages));
  const known = new Map<string, readonly DifferingPage[]>();
  const toRead: string[] = [];
  for (const [name, root] of changed) {
    const number = names.indexOf(name) + 1;
    const owned = (page: number) => numbers[page - 1] === number;
    const places = placesIn(picture, { root, owned, differing: new Set(differing.filter(owned)) });
    if (places !== null) known.set(name, places);
    else {
      toRead.push(name);
      for (let at = 0; at < next.length; at++) if (next[at] === number) next[at] = NOBODY;
    }
  }
  const { owners, differing: read } = readOwners(db, { names, numbers: next }, toRead, new Set(differing));
  return { owners, differing: new Map([...known, ...read]) };
}

/** @param trees names of those that are read; null: all */
function readOwners(
  db: Database.Database,
  { names, numbers }: Owners,
  trees: readonly (string | null)[],
  wanted: ReadonlySet<number>,
): FoundOwners {
  const differing = new Map<string, DifferingPage[]>();
  const known = new Map(names.map((name, at) => [name, at + 1]));
  try {
    for (const tree of trees) {
      const rows = db
        .prepare<string[], [string, number, string]>(
          `SELECT name, pageno, path FROM dbstat ${tree === null ? "" : "WHERE name = ?"}`,
        )
        .raw()
        .iterate(...(tree === null ? [] : [tree]));
      for (const [name, page, path] of rows) {
        const number = known.get(name) ?? known.size + 1;
        known.set(name, number);
        numbers[page - 1] = number;
        if (!wanted.has(page)) continue;
        const found = differing.get(name);
        if (found === undefined) differing.set(name, [{ page, path }]);
        else found.push({ page, path });
      }
    }
  } catch (error) {
    // A store that is not sound: what of it can be read is.
    if (!(error instanceof Database.SqliteError)) throw error;
    numbers.fill(UNKNOWN);
    differing.clear();
  }
  if (known.size >= UNKNOWN) numbers.fill(UNKNOWN);
  return { owners: { names: [...known.keys()], numbers }, differing };
}
