/** Failures of the machine, mostly of its disk, as errors that say what is wrong and what to do: none of them is a bug. */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { AFTER_LOCK, messageOf, systemCodeOf, VitrineError } from "./error.ts";
import { NOT_FILE, refusePipe } from "./files.ts";

interface Failure {
  readonly what?: string;
  readonly next: string;
  /** If the code's own hint, which is about rooms and rights, would mislead. */
  readonly hint?: string;
}

const FULL = {
  what: "the disk is full",
  next: "Make room and try again.",
  // A disk without inodes still has gigabytes, and what a refused build has removed again makes it look empty.
  hint: "df -h FOLDER shows how many bytes are free on its disk, df -i FOLDER how many files more fit on it: either can end first",
};
const QUOTA = {
  what: "this user's quota on the disk is used up",
  next: "Raise it or make room, and try again.",
  hint: "df shows the room of the whole disk: quota -s, as this user, shows its own, in bytes and files",
};
const LONG_FILE = {
  what: "a file would become longer than this process may write, or its disk failed",
  next: "Raise the limit (ulimit -f, LimitFSIZE= of a unit) and try again.",
  hint: "ulimit -f shows the limit; without one, check the disk",
};
const BROKEN = { next: "Check that disk, or name another folder." };
const TOO_MANY_OPEN = {
  what: "too many files are open",
  next: "Raise the limit for this process (ulimit -n, LimitNOFILE= of a unit) and try again.",
  hint: "ulimit -n shows the limit, /proc/sys/fs/file-nr how many files the whole machine has open",
};
/** SQLite does not say why it can't open a file. */
const UNOPENED = {
  next: "Let this user write there, move away what is in its place, or name another folder.",
};
const FORBIDDEN = {
  next: "Let this user write there, or name another folder.",
  hint: "ls -ld shows whose a folder is; find FOLDER ! -user USER lists what others made in it, as root does, and chown -R USER FOLDER gives it back",
};

const LOCKED = {
  what: "another process keeps a database in it locked",
  next: AFTER_LOCK,
  hint: "fuser FILE names the processes that have a file open: a reader such as the sqlite3 shell keeps its lock until it ends its transaction",
};

const READ_ONLY = {
  what: "its file system is mounted read-only",
  next: "Mount it for writing, or name another folder.",
  hint: "findmnt -T FOLDER shows how it is mounted; a system remounts a disk read-only after errors, which dmesg shows",
};

/** Errors of the machine, at any step of the program. */
const MACHINE_FAILURES: Readonly<Record<string, Failure>> = {
  ENOSPC: FULL,
  EDQUOT: QUOTA,
  EFBIG: LONG_FILE,
  SQLITE_FULL: FULL,
  EIO: BROKEN,
  SQLITE_IOERR: BROKEN,
  EMFILE: TOO_MANY_OPEN,
  ENFILE: TOO_MANY_OPEN,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: READ_ONLY,
};

const IN_THE_WAY = { next: "Move away what is in its place, or name another folder." };
/** A folder in the folder is a mount: of another disk, or of the same one elsewhere. */
const MOUNTED = {
  next: "What is inside must be on one file system: mount the whole folder, then run the same command again.",
};
const DELETED = {
  next: "That folder is missing, can't be made there, or was deleted meanwhile: try again, or name another folder.",
};

/** The database or its journal is no longer there: its messages are "attempt to write a readonly database" and "disk I/O error". */
const GONE = /^SQLITE_(READONLY_DBMOVED|IOERR_DELETE_NOENT)$/;

/** By the system's or SQLite's code; SQLite's codes are cut to their first two words. */
const FOLDER_FAILURES: Readonly<Record<string, Failure>> = {
  ...MACHINE_FAILURES,
  SQLITE_BUSY: LOCKED,
  SQLITE_READONLY: FORBIDDEN,
  SQLITE_CANTOPEN: UNOPENED,
  EEXIST: IN_THE_WAY,
  ENOTDIR: IN_THE_WAY,
  EISDIR: IN_THE_WAY,
  ENOTEMPTY: IN_THE_WAY,
  [NOT_FILE]: IN_THE_WAY,
  EXDEV: MOUNTED,
  EBUSY: MOUNTED,
  SQLITE_NOTADB: IN_THE_WAY,
  ENAMETOOLONG: { next: "Name a folder with a shorter path." },
  ENOENT: DELETED,
};

const FEW = 16;

/** True if the process has hardly a descriptor left: SQLite calls that a file which it can't open. False where it can't be seen. */
function hasFewDescriptors(): boolean {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    // Some were closed since the failure.
    return readdirSync("/proc/self/fd").length > Number(limit) - FEW;
  } catch (error) {
    return MACHINE_FAILURES[systemCodeOf(error)] === TOO_MANY_OPEN;
  }
}

/** True if this process may not write files of any length: SQLite calls the end of that a broken disk. */
function hasFileLimit(): boolean {
  try {
    return /^Max file size +\d/m.test(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    // Not Linux.
    return false;
  }
}

function shortCodeOf(error: unknown): string {
  // better-sqlite3 checks the folder itself and sets no code.
  if (error instanceof Error && error.message.endsWith("the directory does not exist")) return "ENOENT";
  // A thread that cannot be started says so only in its message.
  if (error instanceof Error && /too many (open files|files are open)/i.test(error.message)) return "EMFILE";
  const code = systemCodeOf(error).split("_").slice(0, 2).join("_");
  if (code === "SQLITE_IOERR" && !GONE.test(systemCodeOf(error)) && hasFileLimit()) return "EFBIG";
  return code === "SQLITE_CANTOPEN" && hasFewDescriptors() ? "EMFILE" : code;
}

function failure(
  place: string,
  error: unknown,
  { what = messageOf(error), next, hint }: Failure,
): VitrineError {
  return new VitrineError("write_failed", `Cannot write${place}: ${what}. ${next}`, { cause: error, hint });
}

/** True if the system names the file, and it is neither in the folder nor on the way to it. */
function isElsewhere(error: unknown, folder: string): boolean {
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  if (typeof path !== "string") return false;
  const isOutside = (from: string, to: string) => relative(from, to).split(sep)[0] === "..";
  return isOutside(folder, path) && isOutside(path, folder);
}

/** Failures that concern one file, not a disk. */
const OF_ONE_FILE: readonly string[] = ["ENOENT", "EACCES", "EPERM"];

/** The error to throw for one that was met while writing a folder; unknown errors are returned as they are. */
export function explainWriteFailure(error: unknown, folder: string): unknown {
  if (error instanceof VitrineError) return error;
  const code = shortCodeOf(error);
  const known = FOLDER_FAILURES[code];
  if (known === undefined || (OF_ONE_FILE.includes(code) && isElsewhere(error, folder))) return error;
  // SQLite reports a file that was deleted while it was open as a broken or a read-only disk, also before the folder is empty and gone.
  const isDeleted = code.startsWith("SQLITE") && (GONE.test(systemCodeOf(error)) || !existsSync(folder));
  return failure(` to ${folder}`, error, isDeleted ? DELETED : known);
}

/** True if an error of any step was caused by too few descriptors, which its own advice does not know. */
function lacksDescriptors({ code, cause }: VitrineError): boolean {
  if (code === "write_failed" || !(cause instanceof Error)) return false;
  return cause instanceof VitrineError
    ? lacksDescriptors(cause)
    : MACHINE_FAILURES[shortCodeOf(cause)] === TOO_MANY_OPEN;
}

/** The error to report for one that no other code explained; if it is not the machine's failure, it is returned as it is. */
export function explainMachineFailure(error: unknown): unknown {
  // The first failure, not a later one of the cleanup. Node 22 lacks the class and only has errors with its name.
  if (error instanceof Error && error.name === "SuppressedError" && "suppressed" in error)
    return explainMachineFailure(error.suppressed);
  if (error instanceof VitrineError) {
    if (!lacksDescriptors(error)) return error;
    const { what, next, hint } = TOO_MANY_OPEN;
    const message = `Cannot go on: ${what} (${messageOf(error.cause)}). ${next}`;
    return new VitrineError("write_failed", message, { cause: error, hint });
  }
  // Node asks for it as soon as a relative path is made absolute.
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")
    return new VitrineError("usage", "The working directory was deleted. Change to another folder.", {
      cause: error,
      hint: 'if a folder of that name was made again, cd "$PWD" enters it',
    });
  const known = MACHINE_FAILURES[shortCodeOf(error)];
  if (known === undefined) return error;
  if (known === FORBIDDEN)
    return new VitrineError(
      "write_failed",
      `Cannot go on: ${messageOf(error)}. Give this user the right to do so.`,
      {
        cause: error,
        hint: "ls -ld shows whose a file or a folder is, and who may read and write it",
      },
    );
  // The system's message names the file, if there is one.
  return failure("", error, {
    ...known,
    what: known.what === undefined ? messageOf(error) : `${known.what} (${messageOf(error)})`,
  });
}

/** Replaces a file's text, atomically. @throws VitrineError write_failed */
export function replaceFile(file: string, text: string): void {
  try {
    refusePipe(`${file}.new`);
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new VitrineError("write_failed", `Cannot write ${file}: ${messageOf(error)}.`, { cause: error });
  }
}
