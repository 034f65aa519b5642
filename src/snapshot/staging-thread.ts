/** A thread that stages answers: digests them, and writes those that differ from the present snapshot's. */
import { workerData } from "node:worker_threads";
import { answerMessages } from "../base/thread-pool.ts";
import { openManifest } from "./manifest.ts";
import { SnapshotPart, type StagedPart } from "./staging.ts";
import type { StagingData, StagingOrder } from "./staging-pool.ts";

const { layout, now } = workerData as StagingData;
const previous = openManifest(layout.manifest);
answerMessages(({ place, bytes, answers }: StagingOrder): StagedPart => {
  const part = new SnapshotPart(layout, previous, now, place);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (const { key, size, stamped, links } of answers) {
    part.put(key, { bytes: buffer.subarray(start, start + size), stamped });
    for (const link of links) part.link(link);
    start += size;
  }
  return part.staged;
});
