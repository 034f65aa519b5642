/** Typed arrays: checked access, memory of their own, places in ascending ids. */

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

/** Gives back the memory of an array that has it for itself, at once and not when V8 finds out: it is empty then. */
export function letGo({ buffer }: ArrayBufferView<ArrayBuffer>): void {
  buffer.transfer(0);
}

/** The places of `wanted`, which are descending and all in `ids`. @throws RangeError where one is not: a bug of ours */
export function placesIn(ids: Float64Array, wanted: Float64Array): Uint32Array {
  const places = new Uint32Array(wanted.length);
  /** All ids from here on are above what is looked for. */
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
