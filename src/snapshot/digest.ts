/** SHA-256 of a file of any size, a piece at a time. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const PIECE_BYTES = 1 << 20;

/** Hexadecimal, as `sha256sum` says it. */
export function digestFile(path: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = openSync(path, "r");
  try {
    for (;;) {
      const length = readSync(file, piece, 0, PIECE_BYTES, null);
      if (length === 0) return hash.digest("hex");
      hash.update(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
