/** `vitrine check --remote`: what a bucket or the public address really serves. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { formatCount, type Log } from "../base/log.ts";
import type { Expectation } from "../publish/served.ts";
import type { ManifestEntry } from "../snapshot/manifest.ts";
import { findOut, type OutFlags } from "./inputs.ts";
import { onInterrupt } from "./interrupt.ts";
import { openPlace, type TargetFlags } from "./remote.ts";

export interface RemoteReport {
  readonly files: number;
  readonly problems: readonly string[];
}

export interface RemoteFlags extends Omit<TargetFlags, "to">, OutFlags {
  /** Check only so many, spread over all; 0 checks every one. */
  readonly sample: number;
}

/** Of `total` entries every n-th, so that about `size` come through. */
async function* thin<Entry>(
  entries: AsyncIterable<Entry>,
  total: number,
  size: number,
): AsyncGenerator<Entry> {
  const step = size === 0 ? 1 : Math.max(1, Math.floor(total / size));
  let at = 0;
  for await (const entry of entries) if (at++ % step === 0) yield entry;
}

async function* expectationsOf(entries: AsyncIterable<ManifestEntry>): AsyncGenerator<Expectation> {
  const { contentTypeOf } = await import("../publish/headers.ts");
  for await (const entry of entries) yield { entry, contentType: contentTypeOf(entry.key) };
}

/** Against the manifest of the live release, which says what the bucket should hold. */
async function checkBucket(place: string, flags: RemoteFlags, log: Log): Promise<RemoteReport> {
  const [{ readBucket, checkServed }, { fetchLiveEntries, readPointer, readLive }] = await Promise.all([
    import("../publish/served.ts"),
    import("../publish/state.ts"),
  ]);
  const bucket = await openPlace(place, flags);
  const folder = mkdtempSync(join(tmpdir(), "vitrine-check-"));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  const release = onInterrupt(clear);
  try {
    const files = (await readLive(bucket)).releases[0]?.files ?? 0;
    const entries = await fetchLiveEntries(bucket, await readPointer(bucket), folder);
    let checked = 0;
    const problems = await checkServed(
      expectationsOf(thin(entries(), files, flags.sample)),
      readBucket(bucket),
      (done) => {
        checked = done;
        log.progress(() => `checked ${formatCount(done)} of ${formatCount(files)} files`);
      },
    );
    return { files: checked, problems: problems.map(({ problem }) => problem).sort() };
  } finally {
    clear();
    release();
    bucket.close();
  }
}

/** Against the local snapshot: the public address is asked as a client asks. */
async function checkPublic(origin: string, flags: RemoteFlags, log: Log): Promise<RemoteReport> {
  const [{ readPublic, checkServed }, { openManifest }] = await Promise.all([
    import("../publish/served.ts"),
    import("../snapshot/manifest.ts"),
  ]);
  const manifest = openManifest((await findOut(flags)).manifest);
  try {
    async function* entries() {
      yield* manifest.entries();
    }
    const { files } = manifest.totals();
    let checked = 0;
    const problems = await checkServed(
      expectationsOf(thin(entries(), files, flags.sample)),
      readPublic(origin.replace(/(\/api\/v1)?\/*$/, ""), { callMilliseconds: flags.timeout * 1000 }),
      (done) => {
        checked = done;
        log.progress(() => `checked ${formatCount(done)} of ${formatCount(files)} answers`);
      },
    );
    return { files: checked, problems: problems.map(({ problem }) => problem).sort() };
  } finally {
    manifest.close();
  }
}

export function checkRemote(place: string, flags: RemoteFlags, log: Log): Promise<RemoteReport> {
  if (/^(s3|file):\/\//.test(place)) return checkBucket(place, flags, log);
  if (/^https?:\/\//.test(place)) return checkPublic(place, flags, log);
  throw new VitrineError("usage", `"${place}" cannot be checked: write s3://…, file:///… or https://….`);
}
