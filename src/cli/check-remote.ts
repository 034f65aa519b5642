/** `vitrine check --remote`: what a bucket or the public address really serves. */
import { VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import type { ServedReport } from "../publish/served.ts";
import { findOut, type OutFlags } from "./inputs.ts";
import { withTemporaryFolder } from "./interrupt.ts";
import { openPlace, type TargetFlags } from "./remote.ts";

export interface RemoteFlags extends Omit<TargetFlags, "to">, OutFlags {
  /** Check only so many, spread over all; 0 checks every one. */
  readonly sample: number;
}

export async function checkRemote(place: string, flags: RemoteFlags, log: Log): Promise<ServedReport> {
  const [isBucket, isPublic] = [/^(s3|file):\/\//.test(place), /^https?:\/\//.test(place)];
  if (!isBucket && !isPublic)
    throw new VitrineError("usage", `"${place}" cannot be checked: write s3://…, file:///… or https://….`);
  const [{ checkBucket, checkPublic, readPublic }, { openManifest }] = await Promise.all([
    import("../publish/served.ts"),
    import("../snapshot/manifest.ts"),
  ]);
  const progressOf = (what: string) => (done: number, files: number) =>
    log.progress(() => ({ what: "checking", done, of: files, unit: what }));
  if (isBucket) {
    using bucket = await openPlace({ ...flags, to: place });
    const options = { sample: flags.sample, progress: progressOf("files") };
    return await withTemporaryFolder((folder) => checkBucket(bucket, folder, options));
  }
  const read = readPublic(place.replace(/(\/api\/v1)?\/*$/, ""), { callMilliseconds: flags.timeout * 1000 });
  const manifest = openManifest((await findOut(flags)).manifest);
  const options = { sample: flags.sample, progress: progressOf("answers") };
  return checkPublic(read, manifest, options).finally(() => manifest.close());
}
