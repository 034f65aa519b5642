/**
 * The limits of a Durable Object. It has 128 MB for everything and can't ask how much of it is used, so this is decided by numbers
 * that are known before.
 */
import { VitrineError } from "../base/error.ts";

/** The most bytes of one object of a release, zipped or not. A partition has 100 records or 200, which are some 100 kB. */
export const MOST_BYTES: number = 8 * 1024 * 1024;

/**
 * The most partitions of a release, of 100 records or so. 3,921 of them (80,000 products, 400,000 records) were followed with 58 MB of
 * arrays and at most 100 MB of other things, which 128 MB do not hold; this is what is in proportion, with a margin.
 */
const MOST_PARTITIONS = 2500;

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
