/**
 * Memory of its own for what is large: it goes back to the system at once when nobody needs it any more. Of what comes out
 * of the process's heaps, those keep what lies between things that are still needed.
 */

/** What is smaller shares pages with others. */
const LARGE_BYTES = 2 ** 16;

// Only memory that may grow is mapped by itself: this one may grow by nothing.

/** For threads to have in common. */
export function sharedMemory(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes, bytes < LARGE_BYTES ? undefined : { maxByteLength: bytes });
}

/** For one thread, or to go from one to another. */
export function ownMemory(bytes: number): ArrayBuffer {
  return new ArrayBuffer(bytes, bytes < LARGE_BYTES ? undefined : { maxByteLength: bytes });
}
