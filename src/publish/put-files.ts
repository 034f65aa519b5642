/** Puts files of a snapshot under their keys. */
import { hash } from "node:crypto";
import { join } from "node:path";
import { forEachAtOnce } from "../base/at-once.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { readPlainFile } from "../base/files.ts";
import { type Bucket, headerProblem, type ObjectHeaders } from "./bucket.ts";
import type { PlannedPut } from "./changes.ts";
import { createHeaderMaker } from "./headers.ts";
import type { Lease } from "./lease.ts";
import type { Publication } from "./publication.ts";

/** True if the object is already the wanted one: its digest is part of its headers. */
async function isThere(bucket: Bucket, key: string, headers: ObjectHeaders): Promise<boolean> {
  const found = await bucket.head(key);
  return found !== null && headerProblem(found, headers) === null;
}

const FULL_BUILD =
  "vitrine build --full writes missing and wrong files again, then publish; vitrine check names all of them";

/**
 * The bytes of a file, checked against the manifest. Reads synchronously: for small files, four trips to a thread pool take
 * longer than the reading.
 * @throws VitrineError snapshot_unreadable
 */
function readPlanned(site: string, { key, digest }: PlannedPut): Buffer {
  const file = join(site, key);
  let body: Buffer;
  try {
    body = readPlainFile(file);
  } catch (error) {
    const message = `Cannot read ${file}: ${messageOf(error)}.`;
    throw new VitrineError("snapshot_unreadable", message, { cause: error, hint: FULL_BUILD });
  }
  if (hash("sha256", body, "hex") === digest) return body;
  throw new VitrineError(
    "snapshot_unreadable",
    `${file} is not as it was built: its digest is not the manifest's. It is damaged, or something else than vitrine wrote it, such as a ` +
      "restored backup that ran during a build.",
    { hint: FULL_BUILD },
  );
}

interface PutOptions {
  /** Checks each key first and skips it if the right object is there. */
  readonly mayBeThere: boolean;
  /** Called after each file. */
  readonly done: () => void;
}

export async function putFiles(
  { snapshot, ports }: Publication,
  files: Iterable<PlannedPut>,
  lease: Lease,
  { mayBeThere, done }: PutOptions,
): Promise<void> {
  const headers = createHeaderMaker(snapshot.config);
  await forEachAtOnce(files, ports.bucket.concurrency, async (entry) => {
    await lease.hold();
    const made = headers.of(entry.key, entry.digest);
    if (!mayBeThere || !(await isThere(ports.bucket, entry.key, made))) {
      const body = readPlanned(snapshot.layout.site, entry);
      await lease.hold();
      await ports.bucket.put(entry.key, body, made);
    }
    done();
  });
}
