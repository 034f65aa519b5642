/**
 * Which rows of a table stand on pages that differ between two pictures, as ranges of the numbers in whose order they are stored:
 * rowids, or what a table WITHOUT ROWID has in the first column of its key (sqlite.org/fileformat2.html, 1.6).
 * Whatever differs in a b-tree is reached from its root over pages that do not, up to a first one that does: that page has the
 * same place in both, and so the same range, which the keys above it tell.
 */
import { type IdRange, idRange } from "../id-ranges.ts";
import { type Interior, interiorOf } from "./sqlite-btree.ts";
import { type Picture, type ReadPages, withPages } from "./sqlite-picture.ts";

/** A page of a b-tree that differs, and its path as `dbstat` gives it: `/000/1c2/`, `/000/1c2/003+000001` */
export interface DifferingPage {
  readonly page: number;
  readonly path: string;
}

/** Null where that may be all rows, or is not known. */
export function rangesOf(
  picture: Picture,
  root: number,
  differing: readonly DifferingPage[],
): readonly IdRange[] | null {
  if (differing.length === 0) return null;
  const pages = new Set(differing.map(({ page }) => page));
  return withPages(picture, (read) => {
    const walk = new Walk(picture, read, root, pages);
    const ranges: IdRange[] = [];
    for (const { path } of differing) {
      const range = walk.rangeAt(path);
      if (range === null) return null;
      ranges.push(range);
    }
    return ranges;
  });
}

class Walk {
  readonly #picture: Picture;
  readonly #read: ReadPages;
  readonly #root: number;
  readonly #differing: ReadonlySet<number>;
  readonly #known = new Map<number, Interior | null>();

  constructor(picture: Picture, read: ReadPages, root: number, differing: ReadonlySet<number>) {
    this.#picture = picture;
    this.#read = read;
    this.#root = root;
    this.#differing = differing;
  }

  /** The range of the first page on a path that differs. */
  rangeAt(path: string): IdRange | null {
    const places = path.slice(0, path.lastIndexOf("/")).split("/").slice(1);
    let page = this.#root;
    let [after, last]: [bigint | null, bigint | null] = [null, null];
    let isIndex = false;
    for (const place of places) {
      if (this.#differing.has(page)) break;
      const interior = this.#interior(page);
      const at = Number.parseInt(place, 16);
      const child = interior?.children[at];
      if (interior === null || child === undefined) return null;
      const [before, own] = [interior.keys[at - 1], interior.keys[at]];
      if (before === null || own === null) return null;
      after = before ?? after;
      last = own ?? last;
      isIndex = interior.isIndex;
      page = child;
    }
    const isLed = this.#differing.has(page) || !path.endsWith("/");
    if (!isLed || page === this.#root) return null;
    // Other records with the number of the one before may follow it.
    return idRange(isIndex && after !== null ? after - 1n : after, last);
  }

  #interior(page: number): Interior | null {
    const known = this.#known.get(page);
    if (known !== undefined) return known;
    const bytes = Buffer.alloc(this.#picture.pageSize);
    const found = this.#read(page, 1, bytes) ? interiorOf(bytes) : null;
    this.#known.set(page, found);
    return found;
  }
}
