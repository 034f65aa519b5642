/**
 * Every request of a publish spoiled in turn, in every way. After each: no reader ever saw a list that names a missing
 * detail, and the next publish ends with the snapshot's bytes and nothing else.
 */
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bucket, JOURNAL_KEY } from "../../src/publish/bucket.ts";
import type { Part } from "../../src/publish/documents.ts";
import { fetchCatalog } from "../../src/publish/fetch-release.ts";
import { chainOf } from "../../src/publish/parts.ts";
import type { Snapshot } from "../../src/publish/ports.ts";
import { publish } from "../../src/publish/publish.ts";
import { readLive } from "../../src/publish/state.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import { FAULTS, type Fault } from "../support/faults.ts";
import {
  bucketAt,
  createFaultyMemory,
  expectLive,
  holdsCatalog,
  OPTIONS,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

/** How long a request of these publishes may go without a response. */
const PATIENCE = 50;
/** A shop of a few files loses a fifth of them with one product. */
const ALLOW = { ...OPTIONS, allowShrink: 1000, purge: ["memory"] };

/** What goes live, and what is live before it. */
interface Update {
  readonly shop: TinyShop;
  /** Where `before` is live; it is copied from there. */
  readonly base: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** What the release stands as in the bucket. */
  readonly kind: Part["kind"];
}

describe("a publish of which one request is spoiled", () => {
  const store = createFaultyMemory();
  const memory = store.upstream;
  const folder = mkdtempSync(join(tmpdir(), "vitrine-faults-"));
  let whole: Update;
  let byDelta: Update;
  /** Of the update that all is compared for. */
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
    whole = { shop, base: "base", before, after, kind: "base" };
    byDelta = await prepareDelta();
  });
  afterAll(() => {
    shop.close();
    byDelta.shop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A shop of which little changes, built over what is live. */
  async function prepareDelta(): Promise<Update> {
    const larger = createTinyShop(25);
    const live = await larger.build("before");
    await publish(live, OPTIONS, portsOf(bucketAt(store, "delta")));
    cpSync(dirname(live.layout.site), join(larger.folder, "after"), { recursive: true });
    larger.sql(`UPDATE products SET slug = 'another-slug' WHERE slug = '${larger.slugs[1]}'`);
    return { shop: larger, base: "delta", before: live, after: await larger.build("after"), kind: "delta" };
  }

  /** A prefix at which `before` is live, copied from the one that was published. */
  function prepare(prefix: string, base = "base"): void {
    memory.copy(`${base}/`, `${prefix}/`);
    for (const [key, body] of [...store.shadow])
      if (key.startsWith(`${base}/`)) store.shadow.set(prefix + key.slice(base.length), body);
  }

  /** Requests of the publish when all goes well. Null: the first one. */
  async function countRequests(update: Update | null): Promise<number> {
    const prefix = `count-${randomUUID()}`;
    if (update !== null) prepare(prefix, update.base);
    store.reset();
    const ports = portsOf(bucketAt(store, prefix, 4), { cdn: createMemoryCdn });
    await publish(update?.after ?? before, ALLOW, ports);
    return store.seen.length;
  }

  /** The catalog of what is live, fetched, is the snapshot's. */
  async function expectCatalog(bucket: Bucket, snapshot: Snapshot, kind: Part["kind"]): Promise<void> {
    const { parts, release } = await readLive(bucket);
    const chain = chainOf(parts, release);
    expect(chain.at(-1)?.kind).toBe(kind);
    await fetchCatalog(bucket, chain, join(folder, "catalog.sqlite"));
    expect(holdsCatalog(join(folder, "catalog.sqlite"), snapshot)).toBe(true);
  }

  async function spoil(fault: Fault, at: number, update: Update | null): Promise<void> {
    const prefix = `f${randomUUID()}`;
    if (update !== null) prepare(prefix, update.base);
    const cdn = createMemoryCdn();
    const snapshot = update?.after ?? before;
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
    expect(mended.outcome === "published" || mended.finished !== null || update !== null || !failed).toBe(
      true,
    );
    const name = `${fault} at ${at}`;
    expect(problems, name).toEqual([]);
    await expectLive(memory, prefix, snapshot);
    await expectCatalog(bucketAt(store, prefix), snapshot, update?.kind ?? "base");
    expect(store.shadow.has(`${prefix}/${JOURNAL_KEY}`), name).toBe(false);
    if (update === null) return;
    expect(cdn.hasPurged(`/api/v1/product/slug=${update.shop.slugs[1]}.json`), name).toBe(true);
    expect(cdn.hasPurged("/api/v1/products/page=1.json"), name).toBe(true);
  }

  for (const fault of [...FAULTS, "dead"] as const) {
    it(`repairs an update: ${fault}`, async () => {
      const requests = await countRequests(whole);
      for (let at = 0; at < requests; at++) await spoil(fault, at, whole);
    });
    it(`repairs an update by delta: ${fault}`, async () => {
      const requests = await countRequests(byDelta);
      for (let at = 0; at < requests; at++) await spoil(fault, at, byDelta);
    });
  }

  it("puts what an update by delta left uncertain again with the next delta", async () => {
    const prefix = `next-${randomUUID()}`;
    prepare(prefix, "delta");
    const ports = () => portsOf(bucketAt(store, prefix, 1), { isGone: () => true });
    store.reset();
    store.fault = (n) => (n === 7 ? "dead" : null);
    await expect(publish(byDelta.after, OPTIONS, ports())).rejects.toMatchObject({ code: "remote_failed" });
    store.reset();
    cpSync(dirname(byDelta.after.layout.site), join(byDelta.shop.folder, "next"), { recursive: true });
    byDelta.shop.sql(`UPDATE products SET name = 'Later' WHERE slug = '${byDelta.shop.slugs[0]}'`);
    const next = await byDelta.shop.build("next");
    const { counts } = await publish(next, OPTIONS, ports());
    expect(counts.uncertain).toBeGreaterThan(0);
    await expectLive(memory, prefix, next);
    await expectCatalog(bucketAt(store, prefix), next, "delta");
    expect(
      [...store.shadow.keys()].filter((key) => key.startsWith(`${prefix}/.vitrine/releases/`)).length,
    ).toBe(3);
  });

  it("repairs a first publish that was cut off at any request", async () => {
    const requests = await countRequests(null);
    for (let at = 0; at < requests; at++) await spoil("dead", at, null);
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
