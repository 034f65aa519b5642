/** Publishing as tests do it: to a prefix of the run's store, through the fault proxy, with a quick hand. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { expect } from "vitest";
import type { Bucket } from "../../src/publish/bucket.ts";
import type { PublishOptions, PublishPorts, Snapshot } from "../../src/publish/ports.ts";
import type { RetryPolicy } from "../../src/publish/retry.ts";
import { openS3 } from "../../src/publish/targets/s3.ts";
import { createS3Client } from "../../src/publish/targets/s3-client.ts";
import type { FaultProxy } from "./fault-proxy.ts";
import type { Rgw } from "./rgw.ts";
import { SILENT } from "./tiny-shop.ts";

export const QUICK: RetryPolicy = {
  attempts: 5,
  baseMilliseconds: 2,
  maxMilliseconds: 20,
  callMilliseconds: 20_000,
  budgetMilliseconds: 60_000,
};

export const OPTIONS: PublishOptions = {
  dryRun: false,
  allowShrink: 0,
  adopt: false,
  singlePublisher: false,
  keep: 10,
  leaseSeconds: 30,
  stallSeconds: 300,
  purge: [],
};

/** `callMilliseconds`: how long one request may go without an answer. */
export function bucketAt(
  endpoint: string,
  prefix: string,
  concurrency = 8,
  callMilliseconds = QUICK.callMilliseconds,
): Bucket {
  const client = createS3Client({ endpoint, region: undefined, concurrency });
  return openS3({
    client,
    bucket: "shop",
    prefix,
    service: "test",
    concurrency,
    retries: { ...QUICK, callMilliseconds },
  });
}

let pids = 1;

/** Ports of one publisher, a process of its own; `gone` says which others are dead. */
export function portsOf(bucket: Bucket, more: Partial<PublishPorts> = {}): PublishPorts {
  return {
    bucket,
    cdn: (spec) => {
      throw new Error(`no CDN ${spec}`);
    },
    log: SILENT,
    now: () => new Date(),
    newAttempt: () => randomUUID(),
    holder: { host: "test", pid: pids++, machine: "test" },
    isGone: () => false,
    ...more,
  };
}

/** Everything below a prefix, control objects apart. */
async function readAll({ client, bucket }: Rgw, prefix: string): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>();
  const list = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}/` }));
  await Promise.all(
    (list.Contents ?? []).map(async ({ Key = "" }) => {
      const key = Key.slice(prefix.length + 1);
      if (key.startsWith(".vitrine/")) return;
      const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
      all.set(key, Buffer.from((await answer.Body?.transformToByteArray()) ?? []));
    }),
  );
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files of a snapshot. */
export function filesOf({ layout, manifest }: Snapshot): Map<string, Buffer> {
  return new Map([...manifest.entries()].map(({ key }) => [key, readFileSync(join(layout.site, key))]));
}

/** What stands at the prefix are the snapshot's files, byte for byte, and nothing else. */
export async function expectLive(rgw: Rgw, prefix: string, snapshot: Snapshot): Promise<void> {
  const [live, files] = [await readAll(rgw, prefix), filesOf(snapshot)];
  expect([...live.keys()]).toEqual([...files.keys()]);
  for (const [key, bytes] of files) expect(live.get(key)?.equals(bytes), key).toBe(true);
}

/** Keys that lists name and that are not there: what no reader may ever see. */
export function missingDetails(files: ReadonlyMap<string, Buffer>): string[] {
  const missing: string[] = [];
  for (const [key, bytes] of files) {
    if (!key.startsWith("api/v1/products/")) continue;
    const { data } = JSON.parse(bytes.toString("utf8")) as { data: { slug: string; id: number }[] };
    for (const { slug, id } of data) {
      for (const detail of [`api/v1/product/slug=${slug}.json`, `api/v1/product/id=${id}.json`])
        if (!files.has(detail)) missing.push(`${key} names ${detail}`);
    }
  }
  return missing;
}

/** Watches every change that passes a proxy; returns what a reader could have missed. */
export function watchReaders(proxy: FaultProxy, prefix: string): string[] {
  const problems: string[] = [];
  proxy.changed = (shadow) => {
    const files = [...shadow].flatMap(([key, body]): [string, Buffer][] =>
      key.startsWith(`${prefix}/`) ? [[key.slice(prefix.length + 1), body]] : [],
    );
    problems.push(...missingDetails(new Map(files)));
  };
  return problems;
}
