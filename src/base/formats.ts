/**
 * Numbers of the formats that versions of Vitrine exchange. docs/decisions/formats.md says what a number promises and when
 * it is raised. A reader checks the number before anything else.
 */
import { VitrineError } from "./error.ts";

interface Format {
  /** The oldest number that is read. `newest` is also the one that is written. */
  readonly oldest: number;
  readonly newest: number;
}

type FormatName = "catalog" | "manifest" | "releaseIndex" | "pointer" | "journal" | "bulk";

export const FORMATS: Readonly<Record<FormatName, Format>> = {
  /** catalog.sqlite, with the configuration and the store's record in it. */
  catalog: { oldest: 1, newest: 1 },
  /** manifest.sqlite of an output folder. */
  manifest: { oldest: 3, newest: 3 },
  /** The index of a release and the lines of its objects. */
  releaseIndex: { oldest: 1, newest: 1 },
  pointer: { oldest: 1, newest: 1 },
  journal: { oldest: 1, newest: 1 },
  /** bulk/index.json and the lines of the bulk files, with the configuration and the store's record. */
  bulk: { oldest: 2, newest: 2 },
};

/**
 * True if this version reads that number; false if it is too old or not a format number.
 * @param where a file; callers that know an object's address only later add it with {@link nameNewer}
 * @throws VitrineError newer_format
 */
export function readsFormat(name: FormatName, found: unknown, where = "it"): boolean {
  const { oldest, newest } = FORMATS[name];
  if (typeof found !== "number" || !Number.isSafeInteger(found)) return false;
  if (found <= newest) return found >= oldest;
  throw new VitrineError(
    "newer_format",
    `${where} was made by a newer Vitrine: its format is ${found}, and this version reads up to ${newest}. Nothing was changed. ` +
      "Update Vitrine here.",
  );
}

/** Like {@link readsFormat}, for a number that is given as text. */
export function readsFormatText(name: FormatName, found: string | undefined, where?: string): boolean {
  return readsFormat(name, /^[1-9]\d{0,8}$/.test(found ?? "") ? Number(found) : null, where);
}

/** The same error with the file's or object's name, for callers that know it when the reader did not. */
export function nameNewer(where: string, error: VitrineError): VitrineError {
  const message = error.message.replace(/^it /, () => `${where} `);
  return new VitrineError("newer_format", message, { cause: error });
}
