/** Follows the releases of a bucket: deltas are applied to a local file where they lead on from it; else it is replaced. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type ErrorCode, messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { type Looked, lookEvery, tellOfLook } from "../base/looked.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import type { Bucket } from "./bucket.ts";
import { type FoundPointer, type Pointer, readFoundLive, refuseNewer } from "./documents.ts";
import {
  applyDeltas,
  fetchCatalog,
  fetchDeltas,
  type NamedCatalog,
  restoreCatalog,
} from "./fetch-release.ts";
import { catalogOf } from "./releases.ts";

/** Another release's catalog in the file. */
interface Arrival {
  readonly release: string;
  /**
   * Files of the deltas that the catalog has taken, in their order: what was read of the former one, they turn into this
   * one. Null where the file is another one.
   */
  readonly deltas: readonly string[] | null;
}

export interface FollowOptions {
  readonly everyMilliseconds?: number;
  /** Told of each; files of deltas are there until it is done. */
  readonly arrived?: (arrival: Arrival) => void | Promise<void>;
  readonly looked?: Looked | undefined;
}

export interface FollowedRelease {
  /** Looks now. True where another release's catalog was put in place. */
  look(): Promise<boolean>;
  stop(): void;
}

/** Applies what leads from a release to the live one; null where nothing does, or the file is not what it should be. */
async function catchUp(
  bucket: Bucket,
  named: NamedCatalog,
  present: string,
  { file, folder }: { readonly file: string; readonly folder: string },
): Promise<string[] | null> {
  const at = named.chain.findIndex(({ id }) => id === present);
  if (at < 0) return null;
  const deltas = await fetchDeltas(bucket, named.chain.slice(at), folder);
  try {
    await applyDeltas(bucket, named, file, deltas);
    return deltas.map((delta) => delta.file);
  } catch {
    return null; // Somebody else wrote to the file: it is fetched whole, and says what is wrong if that fails.
  }
}

/** Brings the live release's catalog to the file. */
async function bring(
  bucket: Bucket,
  pointer: Pointer,
  present: string,
  file: string,
  { arrived }: FollowOptions,
): Promise<void> {
  refuseNewer(pointer.releases[0], bucket.url);
  await using folder = await temporaryFolder(dirname(file));
  const named = catalogOf(pointer, pointer.release);
  const deltas = await catchUp(bucket, named, present, { file, folder: folder.path });
  if (deltas === null) await fetchCatalog(bucket, named, file);
  await writeFile(markOf(file), pointer.release);
  await arrived?.({ release: pointer.release, deltas });
}

/** What no other try would change. */
const REFUSALS: readonly ErrorCode[] = ["remote_invalid", "newer_format"];

/** A pointer whose release cannot be used, and why: it is read again once another one stands there. */
interface Refused {
  readonly etag: string;
  readonly error: VitrineError;
}

/** As {@link bring}. What is wrong with a release is found out once. */
function bringOnce(bucket: Bucket, file: string, options: FollowOptions) {
  let refused: Refused | null = null;
  return async ({ pointer, etag }: FoundPointer, present: string): Promise<void> => {
    if (refused?.etag === etag) throw refused.error;
    refused = null;
    try {
      await bring(bucket, pointer, present, file, options);
    } catch (error) {
      if (error instanceof VitrineError && REFUSALS.includes(error.code)) refused = { etag, error };
      throw error;
    }
  };
}

/** Says beside the file which release it is. */
function markOf(file: string): string {
  return `${file}.release`;
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
  options: FollowOptions = {},
): Promise<FollowedRelease> {
  await mkdir(dirname(file), { recursive: true });
  let present = await readFile(markOf(file), "utf8").catch(() => "");
  const bringFound = bringOnce(bucket, file, options);
  const look = async () => {
    const found = await readFoundLive(bucket);
    if (found.pointer.release === present) return false;
    await bringFound(found, present);
    present = found.pointer.release;
    log.info(`release ${present} fetched`);
    return true;
  };
  const canServe = present !== "" && restoreCatalog(file);
  if (!canServe) present = "";
  await tellOfLook(look, options.looked).catch((error: unknown) => {
    if (!canServe) throw error;
    log.info(`the catalog of release ${present} is served: ${messageOf(error)}`);
  });
  const looks = lookEvery(options.everyMilliseconds ?? 5000, look, options.looked, (error) => {
    log.info(`the old catalog is served on: ${error}`);
  });
  return { look, stop: () => void looks.end() };
}
