/** Where releases go: what the credentials may do there, and its clock. Writes only where that is asked for. */
import { randomUUID } from "node:crypto";
import { VitrineError } from "../base/error.ts";
import { type Bucket, CONTROL } from "../publish/bucket.ts";
import { probeConditions } from "../publish/conditional-writes.ts";
import { readPointer } from "../publish/documents.ts";
import { judgeClock, REFUSED_SECONDS, readClock } from "./clock.ts";
import { type Found, ok, problem } from "./finding.ts";

async function tried(work: () => Promise<Found>): Promise<Found> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VitrineError)) throw error;
    return problem(error.message, "");
  }
}

async function readLive(bucket: Bucket): Promise<Found> {
  const live = await readPointer(bucket);
  const release = live === null ? "nothing was published there yet" : `live is ${live.pointer.release}`;
  return ok(`${bucket.url} can be read: ${release}`);
}

/** What a first publish looks for. */
async function list(bucket: Bucket): Promise<Found> {
  for await (const _ of bucket.inTheWay?.({ roots: [CONTROL], has: () => true }) ?? []) break;
  return ok(`${bucket.url} can be listed`);
}

async function write(bucket: Bucket): Promise<Found> {
  const style = await probeConditions(bucket, randomUUID());
  const spelling = style === "quoted" ? "" : ", with ETags without quotes";
  return ok(`${bucket.url} can be written and deleted, and keeps If-Match and If-None-Match${spelling}`);
}

/** @param writes whether a key in `.vitrine/`, where no reader looks, may be put and deleted */
export async function checkPlace(bucket: Bucket, writes: boolean): Promise<Found[]> {
  const found = [await tried(() => readLive(bucket)), await tried(() => list(bucket))];
  if (writes) found.push(await tried(() => write(bucket)));
  else found.push(ok("Whether it can be written is not tried without --try-writing"));
  const { clock } = bucket;
  if (clock !== undefined)
    found.push(
      await tried(async () => judgeClock("The store's clock", await readClock(clock), REFUSED_SECONDS)),
    );
  return found;
}
