/**
 * Who may read what is written, whatever the process's umask is: answers are for everybody, as a web server of another user
 * reads them; what is not published is for this user alone.
 */
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
export const OPEN_FOLDER = 0o755;
export const OPEN_FILE = 0o644;

/** Makes a folder that everybody may read, and those above it that are missing; one that exists is left as it is. */
export function makeOpenFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, OPEN_FOLDER);
}

/** Makes a folder for this user alone. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  chmodSync(path, PRIVATE_FOLDER);
}
