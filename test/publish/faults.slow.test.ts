/**
 * Every request of a publish in turn fails though it is done, fails and is not done, and is the last one. After each: no
 * reader ever saw a list that names a missing detail, and the next publish ends with the snapshot's bytes and nothing else.
 * What a request of each kind does after each fault is contract.slow.test.ts's to say.
 */
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pMap from "p-map";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bucket, JOURNAL_KEY } from "../../src/publish/bucket.ts";
import type { ReleasePart } from "../../src/publish/documents.ts";
import { readLive } from "../../src/publish/documents.ts";
import { fetchCatalog } from "../../src/publish/fetch-release.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { releaseCatalog } from "../../src/publish/releases.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import type { Fault } from "../support/faults.ts";
import {
  bucketAt,
  createFaultyMemory,
  expectLive,
  type FaultyMemory,
  holdsCatalog,
  OPTIONS,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

/** How long a request may go without a response where one hangs; the others of the same publish must not seem to. */
const PATIENCE = 400;
/** A shop of a few files loses a fifth of them with one product. */
const ALLOW = { ...OPTIONS, allowShrink: 1000, purge: ["memory"] };

/** One request after the other takes the next way, so that each way meets many requests. */
const WAYS: Readonly<Record<string, readonly Fault[]>> = {
  "fails, but is done": ["500-after", "drop-after", "hang-after", "hang-midway"],
  "fails, and is not done": ["drop-before", "drop-midway", "slow-down", "hang-before"],
  "is the last one": ["dead"],
};

/** Where all of it happens: each publish has a store of its own, and this place in it. */
const PREFIX = "shop";
/** Most of a publish that hangs is waiting: so many go on at once. */
const TOGETHER = 8;

/** What goes live, and what is live before it. */
interface Update {
  readonly shop: TinyShop;
  /** Where `before` is live; it is copied from there. */
  readonly live: FaultyMemory;
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** What the release stands as in the bucket. */
  readonly kind: ReleasePart["kind"];
}

type IsSpoiled = (n: number, key: string) => boolean;

describe("a publish of which one request is spoiled", () => {
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
    const live = createFaultyMemory();
    await publish(before, { ...OPTIONS, singlePublisher: false }, portsOf(bucketAt(live, PREFIX)));
    // One product changes, one goes: puts, deletions and purges all have something to do.
    shop.sql(`UPDATE products SET name = 'Renamed' WHERE slug = '${shop.slugs[0]}';
      DELETE FROM products WHERE slug = '${shop.slugs[1]}'`);
    after = await shop.build("after");
    whole = { shop, live, before, after, kind: "base" };
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
    const first = await larger.build("before");
    const live = createFaultyMemory();
    await publish(first, OPTIONS, portsOf(bucketAt(live, PREFIX)));
    cpSync(dirname(first.layout.site), join(larger.folder, "after"), { recursive: true });
    larger.sql(`UPDATE products SET slug = 'another-slug' WHERE slug = '${larger.slugs[1]}'`);
    return { shop: larger, live, before: first, after: await larger.build("after"), kind: "delta" };
  }

  /** A store where `before` is live; an empty one for a first publish. */
  function storeOf(update: Update | null): FaultyMemory {
    const store = createFaultyMemory();
    for (const [key, object] of update?.live.upstream.objects ?? []) {
      store.upstream.objects.set(key, object);
      store.shadow.set(key, object.body);
    }
    return store;
  }

  /** Requests of the publish when all goes well. Null: the first one. */
  async function requestsOf(update: Update | null): Promise<FaultyMemory["seen"]> {
    const store = storeOf(update);
    const ports = portsOf(bucketAt(store, PREFIX, 4), { cdn: createMemoryCdn });
    await publish(update?.after ?? before, ALLOW, ports);
    return store.seen;
  }

  /** The catalog of what is live, fetched, is the snapshot's. */
  async function expectCatalog(bucket: Bucket, snapshot: Snapshot, kind: ReleasePart["kind"]): Promise<void> {
    const pointer = await readLive(bucket);
    const named = releaseCatalog(pointer, pointer.release);
    expect(named.chain.at(-1)?.kind).toBe(kind);
    const file = join(folder, `${randomUUID()}.sqlite`);
    await fetchCatalog(bucket, named, file);
    expect(holdsCatalog(file, snapshot)).toBe(true);
    rmSync(file);
  }

  /** @param isSpoiled asked for each request in turn */
  async function spoil(
    name: string,
    fault: Fault,
    isSpoiled: IsSpoiled,
    update: Update | null,
  ): Promise<void> {
    const store = storeOf(update);
    const cdn = createMemoryCdn();
    const { layout, ...rest } = update?.after ?? before;
    // A connection of its own: several publishes read at once.
    const snapshot = { ...rest, layout, manifest: openManifest(layout.manifest) };
    const problems = watchReaders(store, PREFIX);
    store.fault = (n, request) => (isSpoiled(n, request.key) ? fault : null);
    const patience = fault.startsWith("hang") ? PATIENCE : undefined;
    const ports = (wait?: number) => portsOf(bucketAt(store, PREFIX, 4, wait), { cdn: () => cdn });
    const failed = await publish(snapshot, ALLOW, ports(patience)).then(
      () => false,
      () => true,
    );
    store.reset();
    if (failed) expect(fault, name).toBe("dead");
    const mended = await publish(snapshot, ALLOW, { ...ports(), isGone: () => true });
    expect(mended.outcome === "published" || mended.finished !== null || update !== null || !failed).toBe(
      true,
    );
    expect(problems, name).toEqual([]);
    await expectLive(store.upstream, PREFIX, snapshot);
    await expectCatalog(bucketAt(store, PREFIX), snapshot, update?.kind ?? "base");
    expect(store.shadow.has(`${PREFIX}/${JOURNAL_KEY}`), name).toBe(false);
    snapshot.manifest.close();
    if (update === null) return;
    expect(cdn.hasPurged(`/api/v1/product/slug=${update.shop.slugs[1]}.json`), name).toBe(true);
    expect(cdn.hasPurged("/api/v1/products/page=1.json"), name).toBe(true);
  }

  /** Spoils every request of the publish in turn. */
  async function spoilEach(ways: readonly Fault[], update: Update | null): Promise<void> {
    const requests = await requestsOf(update);
    const spoilAt = (at: number) => {
      const fault = ways[at % ways.length] as Fault;
      return spoil(`${fault} at ${at}`, fault, (n) => n === at, update);
    };
    await pMap(requests.keys(), spoilAt, { concurrency: TOGETHER });
  }

  /** Spoils every deletion of several keys: other requests are not of that kind. */
  async function deleteHalves(update: Update): Promise<void> {
    const deletions = (await requestsOf(update)).filter(({ key }) => key === "?delete");
    expect(deletions.length).toBeGreaterThan(0);
    for (const at of deletions.keys()) {
      let seen = 0;
      const isSpoiled: IsSpoiled = (_, key) => key === "?delete" && seen++ === at;
      await spoil(`the half of deletion ${at}`, "partial-delete", isSpoiled, update);
    }
  }

  for (const [what, ways] of Object.entries(WAYS)) {
    it(`repairs an update of which one request ${what}`, () => spoilEach(ways, whole));
    it(`repairs an update by delta of which one request ${what}`, () => spoilEach(ways, byDelta));
  }
  it("repairs an update of which half a deletion is done", () => deleteHalves(whole));
  it("repairs an update by delta of which half a deletion is done", () => deleteHalves(byDelta));

  it("puts what an update by delta left uncertain again with the next delta", async () => {
    const store = storeOf(byDelta);
    const ports = () => portsOf(bucketAt(store, PREFIX, 1), { isGone: () => true });
    store.fault = (n) => (n === 7 ? "dead" : null);
    await expect(publish(byDelta.after, OPTIONS, ports())).rejects.toMatchObject({ code: "remote_failed" });
    store.reset();
    cpSync(dirname(byDelta.after.layout.site), join(byDelta.shop.folder, "next"), { recursive: true });
    byDelta.shop.sql(`UPDATE products SET name = 'Later' WHERE slug = '${byDelta.shop.slugs[0]}'`);
    const next = await byDelta.shop.build("next");
    const { counts } = await publish(next, OPTIONS, ports());
    expect(counts.uncertain).toBeGreaterThan(0);
    await expectLive(store.upstream, PREFIX, next);
    await expectCatalog(bucketAt(store, PREFIX), next, "delta");
    expect(
      [...store.shadow.keys()].filter((key) => key.startsWith(`${PREFIX}/.vitrine/releases/`)).length,
    ).toBe(3);
  });

  it("repairs a first publish that was cut off at any request", () => spoilEach(["dead"], null));

  it("goes on with a first publish where it was cut off", async () => {
    const store = storeOf(null);
    const ports = () => portsOf(bucketAt(store, PREFIX), { isGone: () => true });
    const { files } = after.manifest.totals();
    const isAnswer = (key: string) => !key.includes("/.vitrine/");
    const answers = (method: string) =>
      store.seen.filter((one) => one.method === method && isAnswer(one.key)).length;
    let put = 0;
    store.fault = (_, { method, key }) => (method === "PUT" && isAnswer(key) && put++ === 6 ? "dead" : null);
    await expect(publish(after, OPTIONS, ports())).rejects.toMatchObject({ code: "remote_failed" });
    const stood = [...store.shadow.keys()].filter((key) => isAnswer(key)).length;
    expect(stood).toBeGreaterThanOrEqual(6);
    store.reset();
    await publish(after, OPTIONS, ports());
    expect([answers("HEAD"), answers("PUT")]).toEqual([files, files - stood]);
    await expectLive(store.upstream, PREFIX, after);
  });

  it("undoes a publish that was cut off when the older snapshot is published again", async () => {
    const store = storeOf(whole);
    const cdn = createMemoryCdn();
    // A few puts get through, then the machine dies.
    store.fault = (n) => (n === 9 ? "dead" : null);
    const ports = () => portsOf(bucketAt(store, PREFIX, 2), { cdn: () => cdn, isGone: () => true });
    await expect(publish(after, ALLOW, ports())).rejects.toMatchObject({ code: "remote_failed" });
    store.reset();
    await publish(before, ALLOW, ports());
    await expectLive(store.upstream, PREFIX, before);
    expect(cdn.hasPurged("/api/v1/products/page=1.json")).toBe(true);
  });
});
