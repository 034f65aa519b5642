/**
 * Every request of a publish in turn fails although it is done, fails and is not done, or is the last one. After each: no reader ever saw
 * a list that names a missing detail, and the next publish ends with exactly the snapshot's bytes. What each kind of request does
 * after each fault is tested in contract.slow.test.ts.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pMap from "p-map";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOURNAL_KEY } from "../../src/publish/bucket.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import { type Fault, isChange } from "../support/faults.ts";
import {
  createFaultyMemory,
  expectLive,
  expectObjects,
  type FaultyMemory,
  hastyFor,
  memoryAt,
  OPTIONS,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

/** A shop with few files loses a fifth of them with one product. */
const ALLOW = { ...OPTIONS, allowShrink: 1000, purge: ["memory"] };

/** Requests take these ways in turn, so that each way meets many requests. */
const WAYS: Readonly<Record<string, readonly Fault[]>> = {
  "fails, but is done": ["500-after", "drop-after", "hang-after", "hang-midway"],
  "fails, and is not done": ["drop-before", "drop-midway", "slow-down", "hang-before"],
  "is the last one": ["dead"],
};

/** The same place in a separate store for each publish. */
const PREFIX = "shop";
/** A publish mostly waits for the disk, so this many run in parallel. */
const TOGETHER = 8;

/** A snapshot to publish, and the one that is live before it. */
interface Update {
  readonly shop: TinyShop;
  /** A store in which `before` is live; it is copied. */
  readonly live: FaultyMemory;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

const isAnswer = (key: string) => !key.includes("/.vitrine/");

/** Puts so many answers, then the machine dies. */
function dyingAtAnswer(count: number): FaultyMemory["fault"] {
  let put = 0;
  return (_, { method, key }) => (method === "PUT" && isAnswer(key) && put++ === count ? "dead" : null);
}

type IsSpoiled = (n: number, key: string) => boolean;

describe("a publish with one failing request", () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-faults-"));
  let whole: Update;
  let remembered: Update;
  /** The update that most tests use. */
  let shop: TinyShop;
  let before: Snapshot;
  let after: Snapshot;

  beforeAll(async () => {
    shop = createTinyShop(3);
    before = await shop.build("before");
    const live = createFaultyMemory();
    await publish(before, { ...OPTIONS, singlePublisher: false }, portsOf(memoryAt(live, PREFIX)));
    // One product changes and one is deleted: puts, deletions and purges all have something to do.
    shop.sql(`UPDATE products SET name = 'Renamed' WHERE slug = '${shop.slugs[0]}';
      DELETE FROM products WHERE slug = '${shop.slugs[1]}'`);
    after = await shop.build("after");
    whole = { shop, live, before, after };
    remembered = await prepareRemembered();
  });
  afterAll(() => {
    shop.close();
    remembered.shop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A shop with a small change, built over the live snapshot. */
  async function prepareRemembered(): Promise<Update> {
    const larger = createTinyShop(8);
    const first = await larger.build("before");
    const live = createFaultyMemory();
    await publish(first, OPTIONS, portsOf(memoryAt(live, PREFIX)));
    cpSync(dirname(first.layout.site), join(larger.folder, "after"), { recursive: true });
    larger.sql(`UPDATE products SET slug = 'another-slug' WHERE slug = '${larger.slugs[1]}'`);
    return { shop: larger, live, before: first, after: await larger.build("after") };
  }

  /** A store in which `before` is live; an empty one for a first publish. */
  function storeOf(update: Update | null): FaultyMemory {
    const store = createFaultyMemory();
    for (const [key, object] of update?.live.upstream.objects ?? []) {
      store.upstream.objects.set(key, object);
      store.shadow.set(key, object.body);
    }
    return store;
  }

  /** Requests of the publish if nothing fails. Null: a first publish. */
  async function requestsOf(update: Update | null): Promise<FaultyMemory["seen"]> {
    const store = storeOf(update);
    const ports = portsOf(memoryAt(store, PREFIX, 4), { cdn: createMemoryCdn });
    await publish(update?.after ?? before, ALLOW, ports);
    return store.seen;
  }

  /** @param isSpoiled called for each request in turn */
  async function spoil(
    name: string,
    fault: Fault,
    isSpoiled: IsSpoiled,
    update: Update | null,
  ): Promise<void> {
    const store = storeOf(update);
    const cdn = createMemoryCdn();
    const { layout, ...rest } = update?.after ?? before;
    // A separate connection, because several publishes read at once.
    const snapshot = { ...rest, layout, manifest: openManifest(layout.manifest) };
    const problems = watchReaders(store, PREFIX);
    store.fault = (n, request) => (isSpoiled(n, request.key) ? fault : null);
    const clock = hastyFor(store);
    const ports = () => portsOf(memoryAt(store, PREFIX, 4, { clock }), { cdn: () => cdn });
    const failed = await publish(snapshot, ALLOW, ports()).then(
      () => false,
      () => true,
    );
    store.reset();
    if (failed) expect(fault, name).toBe("dead");
    const repaired = await publish(snapshot, ALLOW, { ...ports(), isGone: () => true });
    expect(repaired.outcome === "published" || repaired.finished !== null || update !== null || !failed).toBe(
      true,
    );
    expect(problems, name).toEqual([]);
    await expectLive(store.upstream, PREFIX, snapshot);
    await expectObjects(memoryAt(store, PREFIX), snapshot);
    expect(store.shadow.has(`${PREFIX}/${JOURNAL_KEY}`), name).toBe(false);
    snapshot.manifest.close();
    if (update === null) return;
    expect(cdn.hasPurged(`/api/v1/product/slug=${update.shop.slugs[1]}.json`), name).toBe(true);
    expect(cdn.hasPurged("/api/v1/products/page=1.json"), name).toBe(true);
  }

  /**
   * Injects a fault into every request of the publish in turn. A request that reads has no outcome: whether it is done is the same, and
   * a death at it leaves what a death at the next change leaves.
   */
  async function spoilEach(ways: readonly Fault[], update: Update | null): Promise<void> {
    const isEach = ways === WAYS["fails, but is done"];
    const requests = [...(await requestsOf(update)).entries()]
      .filter(([, request]) => isEach || isChange(request))
      .map(([at]) => at);
    const spoilAt = (at: number) => {
      const fault = ways[at % ways.length] as Fault;
      return spoil(`${fault} at ${at}`, fault, (n) => n === at, update);
    };
    await pMap(requests, spoilAt, { concurrency: TOGETHER });
  }

  /** Injects a fault into every deletion of several keys; other requests are skipped. */
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
    it(`repairs an update if one request ${what}`, () => spoilEach(ways, whole));
    it(`repairs an update with a remembered place if one request ${what}`, () => spoilEach(ways, remembered));
  }
  it("repairs an update if half of a deletion is done", () => deleteHalves(whole));
  it("repairs an update with a remembered place if half of a deletion is done", () =>
    deleteHalves(remembered));

  it("puts again what an update with a remembered place left uncertain, with the next publish", async () => {
    const store = storeOf(remembered);
    const ports = () => portsOf(memoryAt(store, PREFIX, 1), { isGone: () => true });
    store.fault = dyingAtAnswer(3);
    await expect(publish(remembered.after, OPTIONS, ports())).rejects.toMatchObject({
      code: "remote_failed",
    });
    store.reset();
    cpSync(dirname(remembered.after.layout.site), join(remembered.shop.folder, "next"), { recursive: true });
    remembered.shop.sql(`UPDATE products SET name = 'Later' WHERE slug = '${remembered.shop.slugs[0]}'`);
    const next = await remembered.shop.build("next");
    const { counts } = await publish(next, OPTIONS, ports());
    expect(counts.uncertain).toBeGreaterThan(0);
    await expectLive(store.upstream, PREFIX, next);
    await expectObjects(memoryAt(store, PREFIX), next);
  });

  it("repairs a first publish that was interrupted at any request", () => spoilEach(["dead"], null));

  it("continues an interrupted first publish", async () => {
    const store = storeOf(null);
    const ports = () => portsOf(memoryAt(store, PREFIX), { isGone: () => true });
    const { files } = after.manifest.totals();
    const answers = (method: string) =>
      store.seen.filter((one) => one.method === method && isAnswer(one.key)).length;
    store.fault = dyingAtAnswer(6);
    await expect(publish(after, OPTIONS, ports())).rejects.toMatchObject({ code: "remote_failed" });
    const stood = [...store.shadow.keys()].filter((key) => isAnswer(key)).length;
    expect(stood).toBeGreaterThanOrEqual(6);
    store.reset();
    await publish(after, OPTIONS, ports());
    expect([answers("HEAD"), answers("PUT")]).toEqual([files, files - stood]);
    await expectLive(store.upstream, PREFIX, after);
  });

  it("undoes an interrupted publish when the older snapshot is published again", async () => {
    const store = storeOf(whole);
    const cdn = createMemoryCdn();
    store.fault = dyingAtAnswer(4);
    const ports = () => portsOf(memoryAt(store, PREFIX, 2), { cdn: () => cdn, isGone: () => true });
    await expect(publish(after, ALLOW, ports())).rejects.toMatchObject({ code: "remote_failed" });
    store.reset();
    await publish(before, ALLOW, ports());
    await expectLive(store.upstream, PREFIX, before);
    expect(cdn.hasPurged("/api/v1/products/page=1.json")).toBe(true);
  });
});
