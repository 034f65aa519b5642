/** The error when an output folder cannot be written: what is wrong there, and what to do about that. */
import { renameSync, writeFileSync } from "node:fs";
import { messageOf, systemCodeOf, VitrineError } from "./error.ts";

const FULL = { what: "the disk is full", next: "Make room and try again." };
const FORBIDDEN = { next: "Let this user write there, or name another folder with --out." };
const IN_THE_WAY = { next: "Move away what stands there, or name another folder with --out." };
const BROKEN = { next: "Look after that disk, or name another folder with --out." };

/** By the system's or SQLite's code; of SQLite's codes the first two words count. */
const FAILURES: Readonly<Record<string, { readonly what?: string; readonly next: string }>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_FULL: FULL,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: FORBIDDEN,
  SQLITE_READONLY: FORBIDDEN,
  SQLITE_CANTOPEN: FORBIDDEN,
  EEXIST: IN_THE_WAY,
  ENOTDIR: IN_THE_WAY,
  EISDIR: IN_THE_WAY,
  ENOTEMPTY: IN_THE_WAY,
  SQLITE_NOTADB: IN_THE_WAY,
  ENAMETOOLONG: { next: "Name a folder with a shorter path." },
  EIO: BROKEN,
  SQLITE_IOERR: BROKEN,
};

/** The error to throw instead of one that was met while a folder was written; any other is given back as it is. */
export function explainWriteFailure(error: unknown, folder: string): unknown {
  if (error instanceof VitrineError) return error;
  const code = systemCodeOf(error).split("_").slice(0, 2).join("_");
  const failure = FAILURES[code];
  if (failure === undefined) return error;
  const what = failure.what ?? messageOf(error);
  return new VitrineError("write_failed", `Cannot write to ${folder}: ${what}. ${failure.next}`, {
    cause: error,
  });
}

/** Puts a text in the place of a file, whole or not at all. @throws VitrineError write_failed */
export function replaceFile(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new VitrineError("write_failed", `Cannot write ${file}: ${messageOf(error)}.`, { cause: error });
  }
}
