/** Files of our own folders are opened only if they are files: opening a pipe waits for its other end, which may never come. */
import { readFileSync, statSync } from "node:fs";

/** The code of the error: something else is in the file's place. */
export const NOT_FILE = "NOT_FILE";

/** Does nothing for a folder, which the system refuses by itself. @throws NOT_FILE for a pipe, a socket or a device */
export function refusePipe(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  const kind = found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device";
  throw Object.assign(new Error(`${path} is ${kind}, not a file`), { code: NOT_FILE, path });
}

/** A file's bytes. @throws NOT_FILE, and what the system says */
export function readPlainFile(path: string): Buffer {
  refusePipe(path);
  return readFileSync(path);
}
