/**
 * Every request of a publish spoiled in turn, in every way. After each: no reader ever saw a list that names a missing
 * detail, and the next publish ends with the snapshot's bytes and nothing else.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOURNAL_KEY } from "../../src/publish/bucket.ts";
import type { Snapshot } from "../../src/publish/ports.ts";
import { publish } from "../../src/publish/publish.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import { FAULTS, type Fault } from "../support/faults.ts";
import {
  bucketAt,
  createFaultyMemory,
  expectLive,
  OPTIONS,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

/** How long a request of these publishes may go without a response. */
const PATIENCE = 50;
/** A shop of a few files loses a fifth of them with one product. */
const ALLOW = { ...OPTIONS, allowShrink: 1000, purge: ["memory"] };

describe("a publish of which one request is spoiled", () => {
  const store = createFaultyMemory();
  const memory = store.upstream;
  let shop: TinyShop;
  let before: Snapshot;
  let after: Snapshot;

  beforeAll(async () => {
    shop = createTinyShop(3);
    before = await shop.build("before");
    await publish(before, { ...OPTIONS, singlePublisher: false }, portsOf(bucketAt(store, "base")));
    // One product changes, one goes: puts, deletions and purges all have something to do.
    shop.sql(`UPDATE products SET name = 'Renamed' WHERE slug = '${shop.slugs[0]}';
      DELETE FROM products WHERE slug = '${shop.slugs[1]}'`);
    after = await shop.build("after");
  });
  afterAll(() => shop.close());

  /** A prefix at which `before` is live, copied from the one that was published. */
  function prepare(prefix: string): void {
    memory.copy("base/", `${prefix}/`);
    for (const [key, body] of [...store.shadow])
      if (key.startsWith("base/")) store.shadow.set(prefix + key.slice("base".length), body);
  }

  /** Requests of the publish when all goes well. */
  async function countRequests(first: boolean): Promise<number> {
    const prefix = `count-${randomUUID()}`;
    if (!first) prepare(prefix);
    store.reset();
    const cdn = createMemoryCdn();
    await publish(first ? before : after, ALLOW, portsOf(bucketAt(store, prefix, 4), { cdn: () => cdn }));
    return store.seen.length;
  }

  async function spoil(fault: Fault, at: number, first: boolean): Promise<void> {
    const prefix = `f${randomUUID()}`;
    if (!first) prepare(prefix);
    const cdn = createMemoryCdn();
    const snapshot = first ? before : after;
    store.reset();
    const problems = watchReaders(store, prefix);
    store.fault = (n) => (n === at ? fault : null);
    const patience = fault.startsWith("hang") ? PATIENCE : undefined;
    const ports = () => portsOf(bucketAt(store, prefix, 4, patience), { cdn: () => cdn });
    const failed = await publish(snapshot, ALLOW, ports()).then(
      () => false,
      () => true,
    );
    store.reset();
    if (failed) expect(fault).toBe("dead");
    const mended = await publish(snapshot, ALLOW, { ...ports(), isGone: () => true });
    expect(mended.outcome === "published" || mended.finished !== null || !first || !failed).toBe(true);
    const name = `${fault} at ${at}`;
    expect(problems, name).toEqual([]);
    await expectLive(memory, prefix, snapshot);
    expect(store.shadow.has(`${prefix}/${JOURNAL_KEY}`), name).toBe(false);
    if (!first) expect(cdn.hasPurged(`/api/v1/product/slug=${shop.slugs[1]}.json`), name).toBe(true);
    if (!first) expect(cdn.hasPurged("/api/v1/products/page=1.json"), name).toBe(true);
  }

  for (const fault of [...FAULTS, "dead"] as const) {
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
    const ports = () => portsOf(bucketAt(store, prefix), { isGone: () => true });
    const { files } = after.manifest.totals();
    const isAnswer = (key: string) => !key.includes("/.vitrine/");
    const answers = (method: string) =>
      store.seen.filter((one) => one.method === method && isAnswer(one.key)).length;
    store.reset();
    let put = 0;
    store.fault = (_, { method, key }) => (method === "PUT" && isAnswer(key) && put++ === 6 ? "dead" : null);
    await expect(publish(after, OPTIONS, ports())).rejects.toMatchObject({ code: "remote_failed" });
    const stood = [...store.shadow.keys()].filter((key) => key.startsWith(prefix) && isAnswer(key)).length;
    expect(stood).toBeGreaterThanOrEqual(6);
    store.reset();
    await publish(after, OPTIONS, ports());
    expect([answers("HEAD"), answers("PUT")]).toEqual([files, files - stood]);
    await expectLive(memory, prefix, after);
  });

  it("undoes a publish that was cut off when the older snapshot is published again", async () => {
    const prefix = `undo-${randomUUID()}`;
    prepare(prefix);
    const cdn = createMemoryCdn();
    store.reset();
    // A few puts get through, then the machine dies.
    store.fault = (n) => (n === 9 ? "dead" : null);
    const ports = () => portsOf(bucketAt(store, prefix, 2), { cdn: () => cdn, isGone: () => true });
    await expect(publish(after, ALLOW, ports())).rejects.toMatchObject({ code: "remote_failed" });
    store.reset();
    await publish(before, ALLOW, ports());
    await expectLive(memory, prefix, before);
    expect(cdn.hasPurged("/api/v1/products/page=1.json")).toBe(true);
  });
});
