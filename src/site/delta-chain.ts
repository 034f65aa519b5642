/** Deltas that are kept with a snapshot, in order: which lead from where to where, and one in their place. */

import { itemAt } from "../base/arrays.ts";
import { systemCodeOf, VitrineError } from "../base/error.ts";
import type { RowChange } from "../catalog/apply.ts";
import { type Ends, openDelta, RowLines, readHeader, rowsOf, writeDelta } from "./delta.ts";
import type { ManifestEntry } from "./manifest.ts";

/** A catalog, and where it is known the content of its snapshot. */
type Point = Pick<Ends, "catalog"> & Partial<Ends>;

function isSame(ends: Ends, { catalog, content = ends.content }: Point): boolean {
  return ends.catalog === catalog && ends.content === content;
}

/** What a delta leads from and to; null of one that cannot be read, or is gone: it leads nowhere. */
function endsOf(file: string): { readonly from: Ends; readonly to: Ends } | null {
  try {
    return readHeader(file);
  } catch (error) {
    if (error instanceof VitrineError || systemCodeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Of files of deltas, the oldest first, those that lead from one catalog to another; null where none do. */
export function deltasBetween(files: readonly string[], from: Point, to: Point): string[] | null {
  const chain: string[] = [];
  let end = to;
  for (const file of files.toReversed()) {
    const ends = endsOf(file);
    if (ends === null || !isSame(ends.to, end)) continue;
    chain.unshift(file);
    if (isSame(ends.from, from)) return chain;
    end = ends.from;
  }
  return null;
}

function rowName(row: RowChange): string {
  const id = "put" in row ? row.put.id : "listed" in row ? row.listed.id : row.deleted;
  return `${row.resource} ${id}`;
}

/** Of each row the files that say the last of it: of the whole, and of what lists show if that came later. */
class LastWords {
  readonly #whole = new Map<string, string>();
  readonly #listed = new Map<string, string>();

  note(row: RowChange, file: string): void {
    const name = rowName(row);
    if ("listed" in row) this.#listed.set(name, file);
    else {
      this.#whole.set(name, file);
      this.#listed.delete(name);
    }
  }

  isLast(row: RowChange, file: string): boolean {
    return ("listed" in row ? this.#listed : this.#whole).get(rowName(row)) === file;
  }
}

/** Writes one delta in the place of several: of each row what the last of them say, and the keys as they are given. */
export function composeDeltas(
  files: readonly string[],
  target: string,
  { put, gone }: { readonly put: Iterable<ManifestEntry>; readonly gone: Iterable<string> },
): void {
  const lastWords = new LastWords();
  for (const file of files) for (const row of rowsOf(openDelta(file))) lastWords.note(row, file);
  const rows = new RowLines(`${target}.rows`);
  for (const file of files) {
    for (const row of rowsOf(openDelta(file))) {
      if (!lastWords.isLast(row, file)) continue;
      if ("put" in row) rows.put(row.resource, row.put);
      else if ("listed" in row) rows.list(row.resource, row.listed);
      else rows.delete(row.resource, row.deleted);
    }
  }
  const { from } = readHeader(itemAt(files, 0));
  const { delta: _, ...last } = readHeader(itemAt(files, files.length - 1));
  writeDelta(target, { ...last, from }, rows, put, gone);
}
