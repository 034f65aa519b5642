/** Files that are made in pieces, for writers of tests that take them whole. */
import type { OpenFile } from "../../src/base/part-file.ts";

export function openInto(put: (key: string, bytes: Buffer) => void): (key: string) => OpenFile {
  return (key) => {
    const pieces: Buffer[] = [];
    return {
      // A copy: the piece's memory is not its taker's.
      add: (bytes) => void pieces.push(Buffer.from(bytes)),
      put() {
        const bytes = Buffer.concat(pieces);
        put(key, bytes);
        return bytes.length;
      },
      [Symbol.dispose]: () => undefined,
    };
  };
}
