/**
 * Keeps V8's heap small. What lives in a large build is a tenth of what V8 lets the process grow to: by its own rules the space for new
 * objects ends at 128 MB, and old garbage may become several times what lives before it is collected.
 */
import { setFlagsFromString } from "node:v8";

/**
 * Loads the program so that afterwards the space for new objects stays at about 16 MB, and the heap is collected whenever it is half
 * larger than what lived.
 *
 * V8 reads the limit of that space (`--max-semi-space-size`) only when Node starts, but its growth factor at each growth. With a factor
 * of 8 it grows once while the modules are loaded, in Node 22.14, 24 and 26 alike, and with 1 it does not grow again.
 *
 * Measured: docs/performance.md.
 */
export async function loadWithSmallHeap<T>(load: () => Promise<T>): Promise<T> {
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--semi-space-growth-factor=8");
  const loaded = await load();
  setFlagsFromString("--semi-space-growth-factor=1");
  return loaded;
}
