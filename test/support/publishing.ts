/** Publishing as tests do it: to a prefix of the run's store, through the fault proxy, with a quick hand. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { expect } from "vitest";
import { CLOCK } from "../../src/base/clock.ts";
import type { RetryPolicy } from "../../src/base/retries.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import type { Bucket } from "../../src/publish/bucket.ts";
import { openS3 } from "../../src/publish/buckets/s3.ts";
import { readLive } from "../../src/publish/documents.ts";
import { fetchIndex, fetchNeeded } from "../../src/publish/fetch-release.ts";
import { type PublishPorts, type PublishRules, rulesOf, type Snapshot } from "../../src/publish/options.ts";
import { fetchRelease } from "../../src/publish/rollback.ts";
import { OBJECTS, objectKey } from "../../src/release/objects.ts";
import { objectsOf } from "../../src/release/release-index.ts";
import { connectFaulty, createFaultyStore, type FaultyStore } from "./faults.ts";
import { createMemoryStore, type MemoryStore } from "./memory-bucket.ts";
import { openMemory } from "./memory-port.ts";
import type { Rgw } from "./rgw.ts";
import { HastyClock } from "./simulated-clock.ts";
import { SILENT } from "./tiny-shop.ts";

// Signing needs keys, even if no server checks the signature.
process.env["AWS_ACCESS_KEY_ID"] ??= "key";
process.env["AWS_SECRET_ACCESS_KEY"] ??= "secret";
process.env["AWS_REGION"] ??= "us-east-1";

export const QUICK: RetryPolicy = {
  attempts: 5,
  baseMilliseconds: 2,
  maxMilliseconds: 20,
  callMilliseconds: 20_000,
  budgetMilliseconds: 60_000,
};

/** Tests publish the same few snapshots in any order: older-snapshot.test.ts is about that order. */
export const OPTIONS: PublishRules = rulesOf({ leaseSeconds: 30, waitSeconds: 0, allowOlder: true });

export interface FaultyMemory extends FaultyStore {
  readonly upstream: MemoryStore;
}

export function createFaultyMemory(): FaultyMemory {
  return createFaultyStore(createMemoryStore()) as FaultyMemory;
}

/** A clock for requests to a store: the deadline of one that hangs passes, and that of others that are under way with it. */
export function hastyFor(store: FaultyStore): HastyClock {
  const clock = new HastyClock();
  // A request may last longer than that by its bytes.
  store.hung = () => clock.skip(2 * QUICK.callMilliseconds);
  return clock;
}

/** A prefix of a store in memory, through the port without the SDK. */
export function memoryAt(
  store: FaultyStore,
  prefix: string,
  concurrency = 8,
  change: Partial<RetryPolicy> = {},
  bucket = "shop",
): Bucket {
  return openMemory(store, { bucket, prefix, concurrency, retries: { ...QUICK, ...change } });
}

/** A prefix of a store, through the port to S3: a store in memory, or the one at an address. */
export function bucketAt(
  store: string | FaultyStore,
  prefix: string,
  concurrency = 8,
  change: Partial<RetryPolicy> = {},
  bucket = "shop",
): Bucket {
  const retries = { ...QUICK, ...change };
  const place = { bucket, prefix, service: "test", concurrency, retries };
  return typeof store === "string"
    ? openS3({ ...place, endpoint: store })
    : openS3({ ...place, endpoint: "http://memory.invalid" }, connectFaulty(store));
}

let pids = 1;

/** Ports of one publisher, as if it were a separate process; `gone` says which others are dead. */
export function portsOf(bucket: Bucket, more: Partial<PublishPorts> = {}): PublishPorts {
  return {
    bucket,
    cdn: (spec) => {
      throw new Error(`no CDN ${spec}`);
    },
    log: SILENT,
    clock: CLOCK,
    uptimeSeconds: () => performance.now() / 1000,
    holder: { host: "test", publisher: randomUUID(), pid: pids++, machine: "test", began: "1" },
    isGone: () => false,
    ...more,
  };
}

/** Everything below a prefix, control objects apart. */
async function readAll(store: Rgw | MemoryStore, prefix: string): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>();
  const take = (whole: string, body: Uint8Array) => {
    const key = whole.slice(prefix.length + 1);
    if (whole.startsWith(`${prefix}/`) && !key.startsWith(".vitrine/")) all.set(key, Buffer.from(body));
  };
  if ("objects" in store) for (const [key, { body }] of store.objects) take(key, body);
  else {
    const { client, bucket: Bucket } = store;
    const list = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${prefix}/` }));
    await Promise.all(
      (list.Contents ?? []).map(async ({ Key = "" }) => {
        const response = await client.send(new GetObjectCommand({ Bucket, Key }));
        take(Key, (await response.Body?.transformToByteArray()) ?? new Uint8Array());
      }),
    );
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The files of a snapshot. */
export function filesOf({ layout, manifest }: Snapshot): Map<string, Buffer> {
  return new Map([...manifest.entries()].map(({ key }) => [key, readFileSync(join(layout.site, key))]));
}

/** Expects exactly the snapshot's files at the prefix, byte for byte. */
export async function expectLive(
  store: Rgw | MemoryStore,
  prefix: string,
  snapshot: Snapshot,
): Promise<void> {
  const [live, files] = [await readAll(store, prefix), filesOf(snapshot)];
  expect([...live.keys()]).toEqual([...files.keys()]);
  for (const [key, bytes] of files) expect(live.get(key)?.equals(bytes), key).toBe(true);
}

/** True where a catalog's file holds a snapshot's content, row for row. */
export function holdsCatalog(file: string, { manifest }: Snapshot): boolean {
  return digestCatalog(file) === manifest.meta["catalog_digest"];
}

/** Keys of all objects that the kept releases of a place name, their indexes included, in order. */
export async function keptObjects(bucket: Bucket): Promise<string[]> {
  const { releases } = await readLive(bucket);
  const keys = new Set<string>();
  for (const { index } of releases) {
    keys.add(objectKey(index));
    for (const name of objectsOf(await fetchIndex(bucket, index))) keys.add(objectKey(name));
  }
  return [...keys].sort();
}

interface ReleaseContent {
  readonly catalogDigest: string;
  readonly entries: readonly (readonly [key: string, etag: string])[];
}

/** What releases hold, by their indexes' names: after each of a hundred faults the same release is looked at. */
const contents = new Map<string, ReleaseContent>();

/** @throws VitrineError if an object of the live release is missing, or is not what its name says */
async function liveContent(bucket: Bucket): Promise<ReleaseContent> {
  const pointer = await readLive(bucket);
  const index = pointer.releases[0]?.index ?? "";
  const known = contents.get(index);
  if (known !== undefined) {
    for (const name of objectsOf(await fetchIndex(bucket, index))) await fetchNeeded(bucket, name);
    return known;
  }
  const folder = mkdtempSync(join(tmpdir(), "vitrine-objects-"));
  try {
    const file = join(folder, "catalog.sqlite");
    const manifest = await fetchRelease(bucket, pointer, pointer.release, file, folder);
    const entries = entriesOf(manifest);
    manifest.close();
    const content = { catalogDigest: digestCatalog(file), entries };
    contents.set(index, content);
    return content;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const entriesOf = (manifest: Snapshot["manifest"]) =>
  [...manifest.entries()].map(({ key, etag }) => [key, etag] as const);

/** The place has exactly the objects of its kept releases, and the live release's catalog is a snapshot's. */
export async function expectObjects(bucket: Bucket, { manifest }: Snapshot): Promise<void> {
  const there = [];
  for await (const key of bucket.list(OBJECTS)) there.push(key);
  expect(there.sort()).toEqual(await keptObjects(bucket));
  const { catalogDigest, entries } = await liveContent(bucket);
  expect(entries).toEqual(entriesOf(manifest));
  expect(catalogDigest).toBe(manifest.meta["catalog_digest"]);
}

/** The details that lists name, by a list's bytes: a publish shows the same lists at each of its changes. */
const named = new WeakMap<Buffer, readonly string[]>();

function detailsNamed(list: Buffer): readonly string[] {
  const known = named.get(list);
  if (known !== undefined) return known;
  const { data } = JSON.parse(list.toString("utf8")) as { data: { slug: string; id: number }[] };
  const keys = data.flatMap(({ slug, id }) => [
    `api/v1/product/slug=${slug}.json`,
    `api/v1/product/id=${id}.json`,
  ]);
  named.set(list, keys);
  return keys;
}

/** Keys that lists name and that are not there: what no reader may ever see. */
export function missingDetails(files: ReadonlyMap<string, Buffer>): string[] {
  const missing: string[] = [];
  for (const [key, bytes] of files) {
    if (!key.startsWith("api/v1/products/")) continue;
    for (const detail of detailsNamed(bytes)) if (!files.has(detail)) missing.push(`${key} names ${detail}`);
  }
  return missing;
}

/** Watches every change that reaches a store; returns what a reader could have missed. */
export function watchReaders(store: FaultyStore, prefix: string): string[] {
  const problems: string[] = [];
  store.changed = (shadow) => {
    const files = [...shadow].flatMap(([key, body]): [string, Buffer][] =>
      key.startsWith(`${prefix}/`) ? [[key.slice(prefix.length + 1), body]] : [],
    );
    problems.push(...missingDetails(new Map(files)));
  };
  return problems;
}
