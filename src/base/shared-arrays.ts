/** Data whose arrays threads have in common: they are sent to a thread without being copied, and stand once in memory. */
import { sharedMemory } from "./memory.ts";

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

function isNumbers(value: object): value is NumberArray {
  return ArrayBuffer.isView(value);
}

function share(array: NumberArray): NumberArray {
  const memory = sharedMemory(array.byteLength);
  new Uint8Array(memory).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  const { length } = array;
  if (array instanceof Float64Array) return new Float64Array(memory, 0, length);
  if (array instanceof Uint32Array) return new Uint32Array(memory, 0, length);
  return array instanceof Uint16Array
    ? new Uint16Array(memory, 0, length)
    : new Uint8Array(memory, 0, length);
}

/** The same, or where a part is another one, a copy with that part. */
function mapped<Value>(parts: readonly Value[]): { readonly parts: Value[]; readonly isSame: boolean } {
  const made = parts.map(shareArrays);
  return { parts: made, isSame: made.every((part, at) => part === parts[at]) };
}

/** The data with all its arrays of numbers in shared memory; what is there already, and texts, stay what they are. */
export function shareArrays<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (isNumbers(value)) return value.buffer instanceof SharedArrayBuffer ? value : (share(value) as Value);
  if (Array.isArray(value)) {
    // Values of a column: some hundred thousand texts, and nothing else.
    if (typeof value[0] !== "object") return value;
    const { parts, isSame } = mapped(value);
    return isSame ? value : (parts as Value);
  }
  const isMap = value instanceof Map;
  const entries: [unknown, unknown][] = isMap ? [...value] : Object.entries(value);
  const { parts, isSame } = mapped(entries.map(([, part]) => part));
  if (isSame) return value;
  const made = entries.map(([name], at) => [name, parts[at]] as const);
  return (isMap ? new Map(made) : Object.fromEntries(made as [string, unknown][])) as Value;
}
