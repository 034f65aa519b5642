/** Deltas that are kept beside a snapshot, one after the other: which lead from where to where, and one in their place. */
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { itemAt } from "../base/item-at.ts";
import type { RowChange } from "../catalog/apply.ts";
import { type Ends, openDelta, RowLines, readHeader, rowsOf, writeDelta } from "./delta.ts";
import type { OutLayout } from "./layout.ts";
import type { ManifestChanges } from "./manifest.ts";
import { deltaFiles } from "./writer.ts";

function isSame(one: Ends, other: Ends): boolean {
  return one.catalog === other.catalog && one.content === other.content;
}

/** Files of the kept deltas that lead from one snapshot to another, oldest first; null where none do. */
export function deltasBetween(layout: OutLayout, from: Ends, to: Ends): string[] | null {
  const found: string[] = [];
  let end = to;
  try {
    for (const name of deltaFiles(layout).reverse()) {
      const file = join(layout.deltas, name);
      const header = readHeader(file);
      if (!isSame(header.to, end)) return null;
      found.unshift(file);
      if (isSame(header.from, from)) return found;
      end = header.from;
    }
  } catch (error) {
    // A damaged one leads nowhere, as one that is not there.
    if (!(error instanceof VitrineError)) throw error;
  }
  return null;
}

function nameOf(row: RowChange): string {
  const id = "put" in row ? row.put.id : "listed" in row ? row.listed.id : row.deleted;
  return `${row.resource} ${id}`;
}

/** Of each row the files that say the last of it: of the whole, and of what lists show if that came later. */
class LastWords {
  readonly #whole = new Map<string, string>();
  readonly #listed = new Map<string, string>();

  note(row: RowChange, file: string): void {
    const name = nameOf(row);
    if ("listed" in row) this.#listed.set(name, file);
    else {
      this.#whole.set(name, file);
      this.#listed.delete(name);
    }
  }

  isLast(row: RowChange, file: string): boolean {
    return ("listed" in row ? this.#listed : this.#whole).get(nameOf(row)) === file;
  }
}

/** Writes one delta in the place of several: of each row what the last of them say, and the keys as they are given. */
export function composeDeltas(
  files: readonly string[],
  target: string,
  { put, gone }: Omit<ManifestChanges, "meta">,
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
