/** Typed arrays: checked access, memory to give back, binary search in ascending ids. */

/** The item at an index of a list or typed array. @throws RangeError if it is missing: that is a bug, and must not read as 0 */
export function itemAt<Item>(items: ArrayLike<Item>, place: number): Item {
  const found = items[place];
  if (found === undefined) throw new RangeError(`No item at ${place} of ${items.length}`);
  return found;
}

/**
 * As {@link itemAt}, for one kind of array: engines compile it to one fast load, where a function for all kinds of array
 * costs ten times as much. For loops over all rows of a list.
 */
export function uintAt(items: Uint32Array, place: number): number {
  const found = items[place];
  if (found === undefined) throw new RangeError(`No item at ${place} of ${items.length}`);
  return found;
}

/** Frees the memory of an array that does not share its buffer, at once instead of at V8's next collection. The array is empty then. */
export function freeMemory({ buffer }: ArrayBufferView<ArrayBuffer>): void {
  buffer.transfer(0);
}

/** The indexes of `wanted`, which is descending and a subset of `ids`. @throws RangeError if an id is missing: a bug */
export function placesIn(ids: Float64Array, wanted: Float64Array): Uint32Array {
  const places = new Uint32Array(wanted.length);
  /** All ids from this index on are greater than the current one. */
  let end = ids.length;
  for (let i = 0; i < wanted.length; i++) {
    const id = itemAt(wanted, i);
    let step = 1;
    while (step < end && itemAt(ids, end - step) > id) step *= 2;
    let low = Math.max(0, end - step);
    let high = end - (step >>> 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (itemAt(ids, middle) > id) high = middle;
      else low = middle + 1;
    }
    end = low - 1;
    if (ids[end] !== id) throw new RangeError(`No id ${id} among ${ids.length}`);
    places[i] = end;
  }
  return places;
}
