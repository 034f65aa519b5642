/**
 * File modes, whatever the process's umask is: answers are readable by everybody, because a web server runs as another user;
 * everything that is not published is readable by this user only.
 */
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
export const OPEN_FOLDER = 0o755;
export const OPEN_FILE = 0o644;

/** Makes a folder that everybody may read, and its missing parents; existing folders are left as they are. */
export function makeOpenFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, OPEN_FOLDER);
}

/** Makes a folder that only this user may read. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  chmodSync(path, PRIVATE_FOLDER);
}
