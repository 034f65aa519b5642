/** After a publish: does the public address serve it? What is stale is purged again, by its key, and asked for again. */
import { setTimeout as sleep } from "node:timers/promises";
import { VitrineError } from "../base/error.ts";
import { isHostFile } from "../hosts/hosts.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import type { PublishOptions, PublishPorts, PublishReport, Snapshot } from "./ports.ts";
import { publish } from "./publish.ts";
import { type Cdn, planPurge, runPurge } from "./purge/plan.ts";
import { checkServed, type Reader, sampleOf } from "./served.ts";

export interface VerifyInputs {
  /** Keys that were put. */
  readonly keys: readonly string[];
  readonly manifest: Manifest;
  readonly release: string;
  /** How many of them are asked for. */
  readonly size: number;
}

export interface VerifyPorts {
  readonly read: Reader;
  readonly cdns: readonly Cdn[];
  readonly pauseMilliseconds: number;
}

const ROUNDS = 4;

/** Returns how many were asked for. @throws VitrineError remote_stale */
export async function verifyPublic(inputs: VerifyInputs, ports: VerifyPorts): Promise<number> {
  const asked = inputs.keys.filter((key) => !isHostFile(key));
  const sample = sampleOf(asked, inputs.size);
  let keys = sample;
  for (let round = 1; ; round++) {
    const expectations = keys.flatMap((key) => {
      const entry = inputs.manifest.get(key);
      return entry === undefined ? [] : [{ entry, contentType: null }];
    });
    const problems = await checkServed(expectations, ports.read, () => undefined);
    if (problems.length === 0) return sample.length;
    if (round === ROUNDS) {
      throw new VitrineError(
        "remote_stale",
        `Release ${inputs.release} is live, but ${problems.length} of ${sample.length} answers that were asked for are ` +
          `not: ${problems[0]?.problem}. Look whether the public address leads to this bucket, and purge the CDN.`,
      );
    }
    keys = problems.map(({ key }) => key);
    const pending = { release: `${inputs.release}-verify${round}`, keys, tags: [] };
    for (const cdn of ports.cdns) await runPurge(cdn, planPurge(pending, cdn), pending.release);
    await sleep(ports.pauseMilliseconds * round);
  }
}

export interface VerifiedReport extends PublishReport {
  /** Keys that were asked for at the public address. */
  readonly verified: number;
}

const PAUSE_MILLISECONDS = 2000;

/** Publishes, then asks the public address for `size` of the changed keys. @throws VitrineError as both of them */
export async function publishAndVerify(
  snapshot: Snapshot,
  options: PublishOptions,
  ports: PublishPorts,
  { read, size }: { readonly read: Reader; readonly size: number },
): Promise<VerifiedReport> {
  // A CDN that cannot be used is told before anything is written.
  const cdns = options.purge.map(ports.cdn);
  const report = await publish(snapshot, options, ports);
  if (report.outcome !== "published" || size === 0) return { ...report, verified: 0 };
  const verified = await verifyPublic(
    { keys: report.changedKeys, manifest: snapshot.manifest, release: report.release ?? "", size },
    { read, cdns, pauseMilliseconds: PAUSE_MILLISECONDS },
  );
  return { ...report, verified };
}
