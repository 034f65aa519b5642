/**
 * The limits of a Durable Object. It has 128 MB for everything and can't ask how much of it is used, so this is decided by numbers
 * that are known before.
 */
import { VitrineError } from "../base/error.ts";

/** The most bytes of one object of a release, zipped or not. A partition has 100 records or 200, which are some 100 kB. */
export const MOST_BYTES: number = 8 * 1024 * 1024;

/**
 * The most partitions of a release, of 100 records or so. 80,000 products with 400,000 records in 3,921 partitions were followed and
 * answered (docs/performance.md): at a switch, the lists and words of both releases are in memory. More were not tried.
 */
const MOST_PARTITIONS = 4000;

export function isTooLarge(partitions: number): boolean {
  return partitions > MOST_PARTITIONS;
}

/** @param what `release 00000007-3fa91c20d4e5`, or a file */
export function tooLargeError(
  what: string,
  partitions: number,
  code: "remote_invalid" | "usage" = "remote_invalid",
): VitrineError {
  return new VitrineError(
    code,
    `${what} is too large for a Durable Object: it has ${partitions} partitions of some 100 records, and at most ${MOST_PARTITIONS} fit. Run vitrine fallback, and name it with vitrine edge cloudflare --fallback.`,
  );
}
