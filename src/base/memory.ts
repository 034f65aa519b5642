/**
 * Memory of its own for what is large: it goes back to the system at once when nobody needs it any more. Of what comes out
 * of the process's heaps, those keep what lies between things that are still needed.
 */

/** What is smaller shares pages with others. */
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
