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

/** From here on an array has memory of its own, which goes back to the system at once; smaller ones share pages with others. */
const LARGE_BYTES = 2 ** 16;

/** For threads to have in common. */
function sharedMemory(bytes: number): SharedArrayBuffer {
  // Only memory that may grow is mapped by itself: this one may grow by nothing.
  return new SharedArrayBuffer(bytes, bytes < LARGE_BYTES ? undefined : { maxByteLength: bytes });
}

/** Gives back the memory of an array that has it for itself, at once and not when V8 finds out: it is empty then. */
export function letGo({ buffer }: ArrayBufferView<ArrayBuffer>): void {
  buffer.transfer(0);
}

// Each array below is given its length: it does not follow that of memory which may grow.

/** All zeros, as the others are. */
export function byteArray(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(sharedMemory(length), 0, length);
}

export function uintArray(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(sharedMemory(length * Uint32Array.BYTES_PER_ELEMENT), 0, length);
}

export function floatArray(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(sharedMemory(length * Float64Array.BYTES_PER_ELEMENT), 0, length);
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
