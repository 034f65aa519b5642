/** Deltas → the catalog that they lead to: by a build, by whoever fetches a release, by a fallback. */
import { applyRows, type RowChange } from "../catalog/apply.ts";
import { checkMeta } from "../catalog/verify.ts";
import { changeCatalog } from "../catalog/writer.ts";
import { openDelta, rowsOf, stepOf } from "./delta.ts";

export interface Applying {
  /** The content digest that the catalog must have in the end, or how it begins. */
  readonly digest: string;
  /** Of a line. */
  readonly mostBytes?: number;
  /** Sees the rows on their way. */
  readonly noted?: (rows: Iterable<RowChange>) => Iterable<RowChange>;
  /** Reads one of the files: for whoever says whose it is where that fails. */
  readonly reading?: (file: string, read: () => void) => void;
}

export function assertDigest(found: string | null, expected: string): void {
  if (!found?.startsWith(expected))
    throw new Error(`its rows give the digest ${found?.slice(0, 12)}, not ${expected.slice(0, 12)}`);
}

/**
 * Applies deltas in one transaction: all, or none if the catalog does not become what it must.
 * @throws VitrineError delta_refused, newer_format
 */
export function applyDeltas(
  catalog: string,
  files: readonly string[],
  { digest, mostBytes, noted = (rows) => rows, reading = (_, read) => read() }: Applying,
): void {
  const writer = changeCatalog(catalog);
  try {
    for (const file of files) {
      reading(file, () => {
        const delta = openDelta(file, mostBytes);
        checkMeta(delta.header.meta);
        applyRows(writer, noted(rowsOf(delta)), stepOf(delta.header));
      });
    }
    assertDigest(writer.meta("digest"), digest);
    writer.commit();
  } finally {
    writer.close();
  }
}
