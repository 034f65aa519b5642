/** Follows the releases of a bucket: a new one's catalog is fetched and put in a local file's place, in one step. */
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { type Bucket, catalogKey } from "./bucket.ts";
import { readLive } from "./state.ts";

/** Fetches a release's catalog to a file; what stood there stays until the new one is whole and can be opened. */
export async function fetchCatalog(bucket: Bucket, release: string, file: string): Promise<void> {
  const [zipped, draft] = [`${file}.${process.pid}.gz`, `${file}.${process.pid}.draft`];
  try {
    await mkdir(dirname(file), { recursive: true });
    if (!(await bucket.getFile(catalogKey(release), zipped))) {
      throw new VitrineError(
        "remote_failed",
        `${bucket.url}/${catalogKey(release)} is missing: publish again.`,
      );
    }
    await pipeline(createReadStream(zipped), createGunzip(), createWriteStream(draft));
    openCatalog(draft).close();
    await rename(draft, file);
  } finally {
    await Promise.all([rm(zipped, { force: true }), rm(draft, { force: true })]);
  }
}

export interface FollowedRelease {
  /** Looks now. True where another release's catalog was put in place. */
  look(): Promise<boolean>;
  stop(): void;
}

/**
 * Brings the live release's catalog to `file`, then looks for another every so often. The release's id is kept beside
 * it, so that a restart fetches nothing that is there. Once it runs, a bucket that cannot be reached changes nothing.
 * @throws VitrineError where there is no catalog to begin with
 */
export async function followRelease(
  bucket: Bucket,
  file: string,
  log: Pick<Log, "info">,
  everyMilliseconds = 5000,
): Promise<FollowedRelease> {
  const mark = `${file}.release`;
  let present = await readFile(mark, "utf8").catch(() => "");
  const look = async () => {
    const { release } = await readLive(bucket);
    if (release === present) return false;
    await fetchCatalog(bucket, release, file);
    await writeFile(mark, release);
    present = release;
    log.info(`release ${release} fetched`);
    return true;
  };
  const canServe = present !== "" && existsSync(file);
  if (!canServe) present = "";
  await look().catch((error: unknown) => {
    if (!canServe) throw error;
    log.info(`the catalog of release ${present} is served: ${messageOf(error)}`);
  });
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => log.info(`the old catalog is served on: ${messageOf(error)}`))
      .finally(() => {
        looking = false;
      });
  }, everyMilliseconds);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}
