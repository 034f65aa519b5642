/** Puts the files of a plan, tier by tier: nothing of a tier is begun before all of the one before it stand. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../base/error.ts";
import { formatBytes, formatCount, type Log } from "../base/log.ts";
import type { Bucket, ObjectHeaders } from "./bucket.ts";
import type { ChangePlan, PlannedPut } from "./change-plan.ts";
import type { HeaderMaker } from "./headers.ts";
import { forEachAdaptive } from "./retry.ts";
import { TIER_NAMES, TIERS } from "./tiers.ts";

export interface UploadPorts {
  readonly bucket: Bucket;
  readonly log: Log;
  /** Throws where the lock is lost. */
  readonly assertHeld: () => void;
  /** A publish that was cut off may have put any of the keys: those that stand as they should are asked for, not put. */
  readonly mayStand: boolean;
}

/** Whether an object is the one that would be put: its digest is part of its headers. */
async function stands(bucket: Bucket, key: string, headers: ObjectHeaders): Promise<boolean> {
  const found = await bucket.head(key);
  return (
    found?.contentType === headers.contentType &&
    found.cacheControl === headers.cacheControl &&
    Object.entries(headers.metadata).every(([name, value]) => found.metadata[name] === value)
  );
}

/** Small files are read in one go: four trips to a thread pool take longer than the reading. */
function readSmall(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new VitrineError("snapshot_unreadable", `Cannot read ${file}: ${messageOf(error)}. Build again.`, {
      cause: error,
    });
  }
}

/** Bytes of a file, certainly those that the manifest means. @throws VitrineError snapshot_unreadable */
function readAnswer(site: string, { key, digest }: PlannedPut): Buffer {
  const file = join(site, key);
  const body = readSmall(file);
  if (hash("sha256", body, "hex") === digest) return body;
  throw new VitrineError(
    "snapshot_unreadable",
    `${file} changed while it was published: its digest is not the manifest's. Build again, then publish.`,
  );
}

function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return "";
  return seconds < 90 ? `, ${Math.ceil(seconds)} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

export async function uploadChanges(
  plan: ChangePlan,
  site: string,
  headers: HeaderMaker,
  { bucket, log, assertHeld, mayStand }: UploadPorts,
): Promise<void> {
  const total = plan.counts.putBytes;
  const started = performance.now();
  let files = 0;
  let bytes = 0;
  const describe = () => {
    const left = (((performance.now() - started) / 1000) * (total - bytes)) / bytes;
    return (
      `${formatCount(files)} of ${formatCount(plan.puts)} files, ${formatBytes(bytes)} of ${formatBytes(total)}` +
      `${formatSeconds(left)}, ${bucket.concurrency.now} at once`
    );
  };
  const put = async (entry: PlannedPut) => {
    const made = headers.of(entry.key, entry.digest);
    if (!mayStand || !(await stands(bucket, entry.key, made))) {
      const body = readAnswer(site, entry);
      assertHeld();
      await bucket.put(entry.key, body, made);
    }
    files += 1;
    bytes += entry.sizeBytes;
    log.progress(describe);
  };
  for (const tier of TIERS) {
    log.progress(() => `putting ${TIER_NAMES[tier]}`);
    await forEachAdaptive(plan.puttable(tier), bucket.concurrency, put);
  }
}
