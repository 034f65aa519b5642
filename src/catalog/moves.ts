/** Where the rows of a list go when records come, change and go: rows are numbered in order of id, so all after them move. */
import { itemAt } from "../base/arrays.ts";

/** What changes in a list. An id that is put again replaces its record; one that is deleted without being there is no fault. */
export interface IdChanges {
  /** In order of id. */
  readonly put: readonly { readonly id: number }[];
  /** In order of id, none of them put. */
  readonly deleted: readonly number[];
}

/** Neighbours that stay neighbours. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Stands in {@link Moves.rows} for a row that is put again or deleted. */
export const GONE = 0xffffffff;

export interface Moves {
  /** After the change, ascending. */
  readonly ids: Float64Array;
  /** For each row before it, the row that it becomes, or {@link GONE}. */
  readonly rows: Uint32Array;
  /** The same for whoever copies: rows that stay, from before to after. */
  readonly runs: readonly Run[];
  /** The row of each record that is put, and the one that it had before or {@link GONE}. */
  readonly put: Uint32Array;
  readonly before: Uint32Array;
  /** True where no record came and none went. */
  readonly sameIds: boolean;
}

function firstNotBelow(ids: Float64Array, id: number, from: number): number {
  let low = from;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(ids, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function numberRows(rows: Uint32Array, from: number, end: number, first: number): void {
  for (let row = from; row < end; row++) rows[row] = first + row - from;
}

export function planMoves(ids: Float64Array, { put, deleted }: IdChanges): Moves {
  const next = new Float64Array(ids.length + put.length);
  const rows = new Uint32Array(ids.length).fill(GONE);
  const runs: Run[] = [];
  const after = new Uint32Array(put.length);
  const before = new Uint32Array(put.length).fill(GONE);
  let from = 0;
  let to = 0;
  let sameIds = true;
  const keepUntil = (end: number): void => {
    if (end === from) return;
    runs.push({ from, to, length: end - from });
    next.set(ids.subarray(from, end), to);
    numberRows(rows, from, end, to);
    to += end - from;
    from = end;
  };
  let gone = 0;
  const deleteUpTo = (id: number): void => {
    for (; gone < deleted.length && itemAt(deleted, gone) < id; gone++) {
      const row = firstNotBelow(ids, itemAt(deleted, gone), from);
      if (ids[row] !== deleted[gone]) continue;
      keepUntil(row);
      from = row + 1;
      sameIds = false;
    }
  };
  put.forEach(({ id }, i) => {
    deleteUpTo(id);
    const row = firstNotBelow(ids, id, from);
    keepUntil(row);
    if (ids[row] === id) {
      before[i] = row;
      from = row + 1;
    } else sameIds = false;
    after[i] = to;
    next[to++] = id;
  });
  deleteUpTo(Number.POSITIVE_INFINITY);
  keepUntil(ids.length);
  return { ids: next.slice(0, to), rows, runs, put: after, before, sameIds };
}
