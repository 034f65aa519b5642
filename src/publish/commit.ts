/**
 * Write and commit: puts what a plan names, in the order in which no reader ever misses anything, then replaces the pointer. That
 * conditional write makes the whole release live.
 *
 * It is right because an index is put before all that it names: whenever it ends, the next publish finds what may have been put, or
 * finds no index, and then nothing was. And because the pointer is replaced only while it is the one that the plan was made with.
 */
import { readFile } from "node:fs/promises";
import { forEachAtOnce } from "../base/at-once.ts";
import { VitrineError } from "../base/error.ts";
import { objectFile } from "../release/make-release.ts";
import { objectKey } from "../release/objects.ts";
import { CONTROL_HEADERS, OBJECT_HEADERS, POINTER_KEY } from "./bucket.ts";
import { type KeyChanges, PHASES } from "./changes.ts";
import { compareAndSet } from "./conditional-writes.ts";
import { encodeDocument, type FoundPointer, type Pointer, parsePointer } from "./documents.ts";
import type { Lease } from "./lease.ts";
import type { ReleasePlan } from "./plan.ts";
import type { Publication } from "./publication.ts";
import { putFiles } from "./put-files.ts";

/** Puts the index, then the other objects, which `folder` has. @throws VitrineError publisher_busy, remote_failed */
export async function putObjects(
  { ports: { bucket } }: Publication,
  { objects }: ReleasePlan,
  folder: string,
  lease: Lease,
): Promise<void> {
  const putObject = async (name: string) => {
    await lease.hold();
    await bucket.put(objectKey(name), await readFile(objectFile(folder, name)), OBJECT_HEADERS);
  };
  const [index, ...others] = objects;
  if (index !== undefined) await putObject(index);
  await forEachAtOnce(others, bucket.concurrency, putObject);
}

/** Puts the changed keys, phase by phase. @throws VitrineError publisher_busy, remote_failed, snapshot_unreadable */
export async function putKeys(
  publication: Publication,
  { mayBeThere }: ReleasePlan,
  changes: KeyChanges,
  lease: Lease,
): Promise<void> {
  const { log } = publication.ports;
  let files = 0;
  const done = () => {
    files += 1;
    log.progress(() => ({ what: "putting", done: files, of: changes.puts, unit: "files" }));
  };
  for (const phase of PHASES)
    await putFiles(publication, changes.puttable(phase), lease, { mayBeThere, done });
}

/** Makes a plan's release live. @throws VitrineError publisher_busy, remote_failed */
export async function commitRelease(
  publication: Publication,
  plan: ReleasePlan,
  changes: KeyChanges,
  lease: Lease,
): Promise<FoundPointer> {
  const { snapshot, ports, memory, state } = publication;
  const { bucket } = ports;
  const { made } = plan;
  const at = ports.clock.now().toISOString();
  const pointer: Pointer = {
    ...plan.pointer,
    attempt: lease.attempt,
    conditions: lease.style,
    service: bucket.service,
    releases: plan.pointer.releases.map((release, nth) =>
      made !== null && nth === 0 ? { ...release, at } : release,
    ),
  };
  await lease.hold();
  const outcome = await compareAndSet(bucket, {
    key: POINTER_KEY,
    body: encodeDocument(pointer),
    headers: CONTROL_HEADERS,
    expected: state.live?.etag ?? null,
    style: lease.style,
  });
  if (!outcome.won) {
    const winner =
      outcome.found === null ? null : parsePointer(outcome.found.body, `${bucket.url}/${POINTER_KEY}`);
    throw new VitrineError(
      "publisher_busy",
      `Another publisher was faster on ${bucket.url}: ${winner?.releases[0]?.by ?? "somebody"} made release ` +
        `${winner?.release ?? "(none)"} live.`,
    );
  }
  const committed = { pointer, etag: outcome.etag };
  if (made === null) return committed;
  memory.keepIndex(made.name, made.index);
  const { manifest } = snapshot;
  if (plan.isRemembered)
    memory.replaceEntries(
      () => changes.gone(),
      () => changes.entriesToPut(manifest),
    );
  else memory.replaceEntries("all", () => manifest.entries());
  return committed;
}
