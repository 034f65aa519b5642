/** A remote that is wrong: what is told of an object of it that cannot be used, whoever wrote it. */
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { nameNewer } from "../base/formats.ts";

/** Codes of failures of this machine: of the system's calls, and of SQLite where it cannot work. */
const OF_THIS_MACHINE = /^(E[A-Z0-9]+|SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|READONLY)\w*)$/;
/** What those who read files say of one that is wrong: they do not know whose it is. */
const OF_A_FILE: readonly string[] = ["delta_refused", "catalog_unreadable", "snapshot_unreadable"];

/** The error to throw where reading an object has failed: with its name, unless that failed for another reason. */
export function invalidObject(name: string, error: unknown): unknown {
  if (error instanceof VitrineError && error.code === "newer_format") return nameNewer(name, error);
  if (
    error instanceof VitrineError
      ? !OF_A_FILE.includes(error.code)
      : OF_THIS_MACHINE.test(systemCodeOf(error))
  )
    return error;
  const reason = messageOf(error).replace(/[.\s]+$/, "");
  return new VitrineError(
    "remote_invalid",
    `${name} cannot be used: ${reason}. Somebody else wrote it, or another version of Vitrine. Nothing was done by it. ` +
      "Update Vitrine; or restore the object; or publish to an empty place.",
    { cause: error },
  );
}

/** Reads an object. @throws VitrineError remote_invalid, with its name, where it cannot be used */
export function readingObject<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw invalidObject(name, error);
  }
}
