/** Ranges of ids: which rows of a file are meant, as numbers that JavaScript holds exactly. */

/** Both ends are in it; one beyond exact numbers is infinite. */
export type IdRange = readonly [first: number, last: number];

/** Rows of a file that have a number of these ranges in a column. The ranges are in order. */
export interface RowsBy {
  readonly column: string;
  readonly ranges: readonly IdRange[];
}

/** More than `after`, up to `last`; null: without an end. */
export function idRange(after: bigint | null, last: bigint | null): IdRange {
  const isExact = (id: bigint) =>
    id >= BigInt(Number.MIN_SAFE_INTEGER) && id < BigInt(Number.MAX_SAFE_INTEGER);
  return [
    after !== null && isExact(after) ? Number(after) + 1 : Number.NEGATIVE_INFINITY,
    last !== null && isExact(last) ? Number(last) : Number.POSITIVE_INFINITY,
  ];
}

/** The same ids, in order and without overlaps. */
export function mergedRanges(ranges: Iterable<IdRange>): IdRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
