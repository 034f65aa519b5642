/**
 * Whether a b-tree still has the pages that it had, told from its interior pages and from those that differ: what all its
 * pages are, `dbstat` tells only by reading each.
 *
 * Where no interior page differs, the leaves are the same ones. Where what the changed leaves keep elsewhere stands on pages
 * that were the tree's before, it gained none. It may have lost some: they are taken for its own until they are another's,
 * which then gained them.
 */
import { childrenOf, isInterior, overflowsOf } from "./sqlite-btree.ts";
import { type Picture, type ReadPages, withPages } from "./sqlite-picture.ts";
import type { DifferingPage } from "./sqlite-ranges.ts";

/** Where in the first page the number of bytes stands that each page keeps for others. */
const RESERVED_AT = 20;

export interface KnownTree {
  readonly root: number;
  /** True of the pages that the tree had. */
  readonly owned: (page: number) => boolean;
  /** Those of them that differ. */
  readonly differing: ReadonlySet<number>;
}

/** Where the pages that differ stand in the tree; null where its pages may be others than those that it had. */
export function placesIn(picture: Picture, tree: KnownTree): readonly DifferingPage[] | null {
  return withPages(picture, (read) => new Structure(picture, read, tree).places());
}

class Structure {
  readonly #picture: Picture;
  readonly #read: ReadPages;
  readonly #tree: KnownTree;
  readonly #found: DifferingPage[] = [];
  /** Pages that may still be visited: a store that is not sound has circles. */
  #left: number;

  constructor(picture: Picture, read: ReadPages, tree: KnownTree) {
    this.#picture = picture;
    this.#read = read;
    this.#tree = tree;
    this.#left = 2 * picture.pages;
  }

  places(): readonly DifferingPage[] | null {
    const { root, differing } = this.#tree;
    // The schema's b-tree begins in the file's header, and decides all others.
    if (root === 1) return null;
    const depth = this.#depth();
    const usable = this.#usable();
    if (depth === null || usable === null) return null;
    const leaves = this.#differingLeaves(depth);
    if (leaves === null || !leaves.every((leaf) => this.#follow(leaf, usable))) return null;
    return this.#found.length === differing.size ? this.#found : null;
  }

  /** A page of the tree; null where it was none of its pages. */
  #page(page: number): Buffer | null {
    this.#left -= 1;
    if (this.#left < 0 || page < 1 || page > this.#picture.pages || !this.#tree.owned(page)) return null;
    const bytes = Buffer.alloc(this.#picture.pageSize);
    return this.#read(page, 1, bytes) ? bytes : null;
  }

  #usable(): number | null {
    const first = Buffer.alloc(this.#picture.pageSize);
    return this.#read(1, 1, first) ? this.#picture.pageSize - first.readUInt8(RESERVED_AT) : null;
  }

  /** Interior pages above each leaf: as many above one as above any other. */
  #depth(): number | null {
    let page = this.#tree.root;
    for (let depth = 0; ; depth++) {
      const bytes = this.#page(page);
      if (bytes === null) return null;
      if (!isInterior(bytes)) return depth;
      page = childrenOf(bytes)?.[0] ?? 0;
    }
  }

  /** Null where an interior page differs, or a leaf was not the tree's. */
  #differingLeaves(depth: number): readonly DifferingPage[] | null {
    const { root, differing, owned } = this.#tree;
    let level: DifferingPage[] = [{ page: root, path: "/" }];
    for (let at = 1; at <= depth; at++) {
      const next: DifferingPage[] = [];
      for (const { page, path } of level) {
        const bytes = differing.has(page) ? null : this.#page(page);
        const children = bytes && childrenOf(bytes);
        if (!children?.every(owned)) return null;
        for (const [place, child] of children.entries())
          if (at < depth || differing.has(child))
            next.push({ page: child, path: `${path}${hex(place, 3)}/` });
      }
      level = next;
    }
    return level.filter(({ page }) => differing.has(page));
  }

  /** Finds what of a leaf that differs stands elsewhere; false where that was not the tree's. */
  #follow(leaf: DifferingPage, usable: number): boolean {
    const { differing } = this.#tree;
    const bytes = this.#page(leaf.page);
    const overflows = bytes && overflowsOf(bytes, usable);
    if (overflows === null) return false;
    this.#found.push(leaf);
    for (const { cell, page } of overflows) {
      for (let [next, at] = [page, 0]; next !== 0; at++) {
        const part = this.#page(next);
        if (part === null) return false;
        if (differing.has(next))
          this.#found.push({ page: next, path: `${leaf.path}${hex(cell, 3)}+${hex(at, 6)}` });
        next = part.readUInt32BE(0);
      }
    }
    return true;
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
