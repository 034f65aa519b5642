/** The item at a place of a list or typed array. @throws RangeError where there is none: a bug of ours, and never a zero */
export function itemAt<Item>(items: ArrayLike<Item>, place: number): Item {
  const found = items[place];
  if (found === undefined) throw new RangeError(`No item at ${place} of ${items.length}`);
  return found;
}

/**
 * As {@link itemAt}, of one kind of array alone: engines make one fast load of it, where one function for all kinds
 * costs ten times as much. For loops over all rows of a list.
 */
export function uintAt(items: Uint32Array, place: number): number {
  const found = items[place];
  if (found === undefined) throw new RangeError(`No item at ${place} of ${items.length}`);
  return found;
}

/** As {@link uintAt}. */
export function floatAt(items: Float64Array, place: number): number {
  const found = items[place];
  if (found === undefined) throw new RangeError(`No item at ${place} of ${items.length}`);
  return found;
}

/** As {@link uintAt}. */
export function byteAt(items: Uint8Array, place: number): number {
  const found = items[place];
  if (found === undefined) throw new RangeError(`No item at ${place} of ${items.length}`);
  return found;
}
