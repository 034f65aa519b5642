/** Files that are gzipped on their way to a bucket, and back. A piece is in memory at a time. */
import { createReadStream, createWriteStream } from "node:fs";
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

export async function unzip(zipped: string, file: string): Promise<void> {
  await pipeline(createReadStream(zipped), createGunzip(), createWriteStream(file));
}
