/** Files that are gzipped on their way to a bucket, and back. A piece is in memory at a time. */
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Progress } from "./bucket.ts";
import { telling } from "./deadline.ts";

/** Level 3 takes half the time of the standard one, and a sixth more room. */
const LEVEL = 3;

interface ZipPorts {
  readonly signal?: AbortSignal;
  readonly progress?: Progress;
}

export async function zip(
  file: string,
  zipped: string,
  { signal, progress = () => undefined }: ZipPorts = {},
): Promise<void> {
  const [source, target] = [createReadStream(file), createWriteStream(zipped)];
  await pipeline(source, telling(progress), createGzip({ level: LEVEL }), target, {
    ...(signal && { signal }),
  });
}

/** What unzips to more than so many times its size is no file of ours, be it ever so repetitive. */
const MOST_RATIO = 250;
/** So much it may be whatever its size: small files are the most repetitive. */
const LEAST_BOUND = 64 * 1024 * 1024;

/** The bytes of a zipped file. @throws Error where they are more than a file of that size can honestly be */
export async function* unzipped(zipped: string): AsyncGenerator<Buffer> {
  const most = Math.max(LEAST_BOUND, MOST_RATIO * statSync(zipped).size);
  let sizeBytes = 0;
  const source = createReadStream(zipped);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  try {
    for await (const piece of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      sizeBytes += piece.length;
      if (sizeBytes > most) throw new Error(`it unzips to more than ${most} bytes`);
      yield piece;
    }
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

export async function unzip(zipped: string, file: string): Promise<void> {
  await pipeline(unzipped(zipped), createWriteStream(file));
}
