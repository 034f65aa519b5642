/**
 * The rule for what can be made again: what is remembered of the store's rows, of a place, of its last check, and a fallback's copy. Such
 * a memory never fails the work. One that cannot be read is empty, one that cannot be written is not written, and only proven damage
 * deletes it. Each is said once, with what follows.
 */
import { rmSync } from "node:fs";
import { isLocked, messageOf, systemCodeOf, VitrineError } from "./error.ts";
import { NOT_FILE } from "./files.ts";
import type { Notes } from "./log.ts";

export interface Memory {
  /** Its file. */
  readonly file: string;
  /** For messages: `what the last build read of the store` */
  readonly what: string;
  /** What follows without it, for messages: `the next build makes everything again` */
  readonly follows: string;
  /** Null for a user that has no lock: it only reads, says nothing and deletes nothing. */
  readonly log: Notes | null;
}

/**
 * `absent`: there is nothing yet. `other`: sound, but of another version or not this memory at all; it is replaced by the next writing.
 * `damaged`: proven by the content itself. `unusable`: the machine or another process is in the way now, which proves nothing.
 */
type Trouble = "absent" | "other" | "damaged" | "unusable";

const DAMAGED = "MEMORY_DAMAGED";
const OTHER = "MEMORY_OTHER";

/** The error for a memory whose content is wrong. */
export function damagedMemory(why: string): Error {
  return Object.assign(new Error(why), { code: DAMAGED });
}

/** The error for a memory that this version does not read. */
export function otherMemory(why: string): Error {
  return Object.assign(new Error(why), { code: OTHER });
}

/** SQLite found wrong bytes, or the end of the file before its header says. All other input errors may be gone at the next try. */
const PROVEN = /^(MEMORY_DAMAGED$|SQLITE_(CORRUPT|NOTADB|IOERR_(SHORT_READ|DATA|CORRUPTFS)))/;
/** Of SQLite, of the system, and of Node where it cannot start a thread or load SQLite. */
const MACHINE =
  /^(SQLITE_(BUSY|LOCKED|READONLY|CANTOPEN|FULL|IOERR|NOMEM|PERM|AUTH|PROTOCOL)(_|$)|ERR_(WORKER_(OUT_OF_MEMORY|INIT_FAILED)|DLOPEN_FAILED)$)/;
/**
 * Of the system: no right, no room, no resource, a failing or remote disk, another process, something else in the file's place. Others
 * are bugs (EBADF, EINVAL) or mean that a file is missing (ENOENT), which is what it says.
 */
const SYSTEM = new Set(
  (
    "EACCES EPERM EROFS ENOSPC EDQUOT EFBIG EMFILE ENFILE ENOMEM EAGAIN ENOLCK EMLINK EIO EREMOTEIO ENXIO ENODEV ENOTCONN ESTALE " +
    "ETIMEDOUT EHOSTDOWN EUCLEAN EOVERFLOW EBUSY ETXTBSY EINTR EDEADLK EEXIST ENOTEMPTY ENOTDIR EISDIR ELOOP ENAMETOOLONG EXDEV " +
    `ENOTSUP EOPNOTSUPP ENOSYS ${NOT_FILE}`
  ).split(" "),
);
/** Errors without a code: better-sqlite3 looks for the folder itself, and a thread's start says so only in words. */
const MACHINE_WORDS = /the directory does not exist|too many (open files|files are open)/i;

/** An error and what caused it, outermost first. */
function* causesOf(error: unknown): Generator<unknown> {
  let next = error;
  // Causes may form a circle.
  for (let depth = 0; next instanceof Error && depth < 8; depth++) {
    yield next;
    next = next.cause;
  }
}

/** True if the content of a file is proven to be wrong, by this error or what caused it. */
export function isDamage(error: unknown): boolean {
  return [...causesOf(error)].some((each) => PROVEN.test(systemCodeOf(each)));
}

/** True if a memory is sound, and this version does not read it. */
export function isOtherMemory(error: unknown): boolean {
  return [...causesOf(error)].some((each) => systemCodeOf(each) === OTHER);
}

/** True if a file is missing: it was never made, or another process has taken it away. */
export function isAbsent(error: unknown): boolean {
  return [...causesOf(error)].some((each) => systemCodeOf(each) === "ENOENT");
}

/** True if the machine or another process is in the way (no room, no descriptors, no permission, a lock): that proves nothing about a file. */
export function isMachineTrouble(error: unknown): boolean {
  if (isDamage(error)) return false;
  return [...causesOf(error)].some(
    (each) =>
      MACHINE.test(systemCodeOf(each)) ||
      SYSTEM.has(systemCodeOf(each)) ||
      MACHINE_WORDS.test((each as Error).message),
  );
}

/** Null for an error that no memory expects: a bug. */
function troubleOf(error: unknown): Trouble | null {
  if (isDamage(error)) return "damaged";
  if (isOtherMemory(error)) return "other";
  if (isAbsent(error)) return "absent";
  return isMachineTrouble(error) ? "unusable" : null;
}

/** What was said last of a file, by log. */
const said = new WeakMap<Notes, Map<string, string>>();

function sayOnce({ file, log }: Memory, message: string): void {
  if (log === null) return;
  const lines = said.get(log) ?? new Map<string, string>();
  said.set(log, lines);
  if (lines.get(file) === message) return;
  lines.set(file, message);
  log.warn(message);
}

/** Deletes a database or a file with what belongs to it: a journal that is left behind would be applied to the next file. */
export function deleteDamaged({ what, file, follows, log }: Memory, error: unknown): void {
  if (log === null) return;
  const is = `${what} (${file}) is damaged: ${messageOf(error)}.`;
  try {
    for (const suffix of ["-journal", "-wal", "-shm", ""]) rmSync(`${file}${suffix}`, { force: true });
    log.warn(`${is} It was deleted: ${follows}.`);
  } catch (failure) {
    if (!isMachineTrouble(failure)) throw failure;
    sayOnce({ what, file, follows, log }, `${is} It cannot be deleted (${messageOf(failure)}): ${follows}.`);
  }
}

/** Says why a memory was not written. @throws the error if no memory expects it */
export function forgive(memory: Memory, error: unknown): void {
  // temporaryFolder and others have said it in their words.
  const reason = error instanceof VitrineError && error.code === "write_failed" ? error.cause : error;
  const trouble = troubleOf(reason);
  if (trouble === null) throw error;
  const { what, file, follows } = memory;
  const then = isLocked(reason) ? `unless that one keeps it, ${follows}` : follows;
  sayOnce(memory, `${what} cannot be kept in ${file} (${messageOf(reason)}): ${then}.`);
}

/** What `read` returns; null if the memory cannot be read. @throws only what no memory expects */
export function readMemory<Value>(memory: Memory, read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    if (trouble === "damaged") deleteDamaged(memory, error);
    else if (trouble === "unusable")
      sayOnce(
        memory,
        `${memory.what} (${memory.file}) cannot be read (${messageOf(error)}): ${memory.follows}.`,
      );
    return null;
  }
}

/**
 * What `write` returns; null if the memory cannot be written. What is damaged or of another version is deleted, and written once more.
 * @throws only what no memory expects
 */
export function writeMemory<Value>(memory: Memory, write: () => Value): Value | null {
  try {
    try {
      return write();
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === "damaged") deleteDamaged(memory, error);
      else if (trouble === "other") rmSync(memory.file, { force: true });
      else throw error;
      return write();
    }
  } catch (error) {
    forgive(memory, error);
    return null;
  }
}
