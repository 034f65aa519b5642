/**
 * Every request of a publish spoiled in turn, in every way. After each: no reader ever saw a list that names a missing
 * detail, and the next publish ends with the snapshot's bytes and nothing else.
 */
import { randomUUID } from "node:crypto";
import { CopyObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOURNAL_KEY } from "../../src/publish/bucket.ts";
import type { Snapshot } from "../../src/publish/ports.ts";
import { publish } from "../../src/publish/publish.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import { type Fault, type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { bucketAt, expectLive, OPTIONS, portsOf, watchReaders } from "../support/publishing.ts";
import { RGW_MISSING, type Rgw, useRgw } from "../support/rgw.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const FAULTS: readonly Fault[] = [
  "500-after",
  "drop-after",
  "drop-before",
  "slow-down",
  "partial-delete",
  "dead",
  "hang-before",
  "hang-after",
  "hang-midway",
];
/** How long a request of these publishes may go without an answer. */
const PATIENCE = 600;
/** A shop of a few files loses a fifth of them with one product. */
const ALLOW = { ...OPTIONS, allowShrink: 1000, purge: ["memory"] };

describe.skipIf(RGW_MISSING !== null)("a publish of which one request is spoiled", () => {
  let rgw: Rgw;
  let proxy: FaultProxy;
  let shop: TinyShop;
  let before: Snapshot;
  let after: Snapshot;

  beforeAll(async () => {
    rgw = await useRgw();
    proxy = await startFaultProxy(rgw);
    shop = createTinyShop(3);
    before = await shop.build("before");
    await publish(before, { ...OPTIONS, singlePublisher: false }, portsOf(bucketAt(proxy.url, "base")));
    // One product changes, one goes: puts, deletions and purges all have something to do.
    shop.sql(`UPDATE products SET name = 'Renamed' WHERE slug = '${shop.slugs[0]}';
      DELETE FROM products WHERE slug = '${shop.slugs[1]}'`);
    after = await shop.build("after");
  });
  afterAll(async () => {
    await proxy.close();
    shop.close();
  });

  /** A prefix at which `before` is live, copied from the one that was published. */
  async function prepare(prefix: string): Promise<void> {
    const list = await rgw.client.send(new ListObjectsV2Command({ Bucket: rgw.bucket, Prefix: "base/" }));
    await Promise.all(
      (list.Contents ?? []).map(async ({ Key = "" }) => {
        const target = prefix + Key.slice("base".length);
        const CopySource = `${rgw.bucket}/${encodeURIComponent(Key)}`;
        await rgw.client.send(new CopyObjectCommand({ Bucket: rgw.bucket, Key: target, CopySource }));
        const body = proxy.shadow.get(Key);
        if (body !== undefined) proxy.shadow.set(target, body);
      }),
    );
  }

  /** Requests of the publish when all goes well. */
  async function countRequests(first: boolean): Promise<number> {
    const prefix = `count-${randomUUID()}`;
    if (!first) await prepare(prefix);
    proxy.reset();
    const cdn = createMemoryCdn();
    await publish(first ? before : after, ALLOW, portsOf(bucketAt(proxy.url, prefix, 4), { cdn: () => cdn }));
    return proxy.seen.length;
  }

  async function spoil(fault: Fault, at: number, first: boolean): Promise<void> {
    const prefix = `f${randomUUID()}`;
    if (!first) await prepare(prefix);
    const cdn = createMemoryCdn();
    const snapshot = first ? before : after;
    proxy.reset();
    const problems = watchReaders(proxy, prefix);
    proxy.fault = (n) => (n === at ? fault : null);
    const patience = fault.startsWith("hang") ? PATIENCE : undefined;
    const ports = () => portsOf(bucketAt(proxy.url, prefix, 4, patience), { cdn: () => cdn });
    const failed = await publish(snapshot, ALLOW, ports()).then(
      () => false,
      () => true,
    );
    proxy.reset();
    if (failed) expect(fault).toBe("dead");
    const mended = await publish(snapshot, ALLOW, { ...ports(), isGone: () => true });
    expect(mended.outcome === "published" || mended.finished !== null || !first || !failed).toBe(true);
    const name = `${fault} at ${at}`;
    expect(problems, name).toEqual([]);
    await expectLive(rgw, prefix, snapshot);
    expect(proxy.shadow.has(`${prefix}/${JOURNAL_KEY}`), name).toBe(false);
    if (!first) expect(cdn.hasPurged(`/api/v1/product/slug=${shop.slugs[1]}.json`), name).toBe(true);
    if (!first) expect(cdn.hasPurged("/api/v1/products/page=1.json"), name).toBe(true);
  }

  for (const fault of FAULTS) {
    it(`repairs an update: ${fault}`, async () => {
      const requests = await countRequests(false);
      for (let at = 0; at < requests; at++) await spoil(fault, at, false);
    });
  }

  it("repairs a first publish that was cut off at any request", async () => {
    const requests = await countRequests(true);
    for (let at = 0; at < requests; at++) await spoil("dead", at, true);
  });

  it("goes on with a first publish where it was cut off", async () => {
    const prefix = `resume-${randomUUID()}`;
    const ports = () => portsOf(bucketAt(proxy.url, prefix), { isGone: () => true });
    const { files } = after.manifest.totals();
    const isAnswer = (key: string) => !key.includes("/.vitrine/");
    const answers = (method: string) =>
      proxy.seen.filter((one) => one.method === method && isAnswer(one.key)).length;
    proxy.reset();
    let put = 0;
    proxy.fault = (_, { method, key }) => (method === "PUT" && isAnswer(key) && put++ === 6 ? "dead" : null);
    await expect(publish(after, OPTIONS, ports())).rejects.toMatchObject({ code: "remote_failed" });
    const stood = [...proxy.shadow.keys()].filter((key) => key.startsWith(prefix) && isAnswer(key)).length;
    expect(stood).toBeGreaterThanOrEqual(6);
    proxy.reset();
    await publish(after, OPTIONS, ports());
    expect([answers("HEAD"), answers("PUT")]).toEqual([files, files - stood]);
    await expectLive(rgw, prefix, after);
  });

  it("undoes a publish that was cut off when the older snapshot is published again", async () => {
    const prefix = `undo-${randomUUID()}`;
    await prepare(prefix);
    const cdn = createMemoryCdn();
    proxy.reset();
    // A few puts get through, then the machine dies.
    proxy.fault = (n) => (n === 9 ? "dead" : null);
    const ports = () => portsOf(bucketAt(proxy.url, prefix, 2), { cdn: () => cdn, isGone: () => true });
    await expect(publish(after, ALLOW, ports())).rejects.toMatchObject({ code: "remote_failed" });
    proxy.reset();
    await publish(before, ALLOW, ports());
    await expectLive(rgw, prefix, before);
    expect(cdn.hasPurged("/api/v1/products/page=1.json")).toBe(true);
  });
});
