/** How releases are followed, step by step: what happens between two pauses, and after a stop at any of them. */
import { beforeAll, describe, expect, it } from "vitest";
import { Follower } from "../../src/object/follower.ts";
import { StorageSql } from "../../src/object/storage.ts";
import { catalogsAfter } from "../support/changed-catalogs.ts";
import { type MemoryRelease, memorySource, releaseOf } from "../support/memory-source.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type NodeStorage, nodeStorage } from "./node-storage.ts";

const CHANGES = {
  first: "DELETE FROM reviews WHERE id % 4 > 0",
  price: "UPDATE products SET regular_price_minor = 1234 WHERE slug = 'invoice-kit'",
  other: "UPDATE products SET name = name || ' II'",
  // The same number of partitions, and in most of them a record less.
  fewer: "DELETE FROM products WHERE id % 5 = 0; DELETE FROM reviews WHERE id % 8 = 0",
} as const;
type Step = keyof typeof CHANGES;
const releases = {} as Record<Step, MemoryRelease>;
/** Its records are in other partitions, so that all of it is fetched. */
let cutOtherwise: MemoryRelease;

beforeAll(async () => {
  for (const [step, file] of Object.entries(await catalogsAfter(temporaryFolder(), CHANGES)) as [
    Step,
    string,
  ][]) {
    releases[step] = releaseOf(file, 100);
    if (step === "other") cutOtherwise = releaseOf(file, 10);
  }
}, 120_000);

const LOG = { info: () => undefined, warn: () => undefined };

/** Follows a release to its end; `pause` may throw. */
async function follow(
  storage: NodeStorage,
  release: MemoryRelease,
  pause: () => Promise<void> = async () => undefined,
): Promise<Follower> {
  const ports = { log: LOG, pause, hasReaders: () => true };
  const follower = new Follower(new StorageSql(storage), memorySource(release), ports);
  if (await follower.look()) while (await follower.proceed(3));
  return follower;
}

describe("following", () => {
  it("answers from a release once all of it was put", async () => {
    const follower = await follow(nodeStorage(), releases.first);
    expect(follower.view?.digest).toBe(releases.first.catalog.digest);
  });

  it("pauses after a few records, however many a partition has", async () => {
    const storage = nodeStorage();
    const between: number[] = [];
    let before = 0;
    const pause = async () => {
      between.push(storage.statements - before);
      before = storage.statements;
    };
    await follow(storage, releases.first, pause);
    // A record takes at most nine statements, and up to 32 and what ends a slice are written at once; setting up and finishing takes more.
    const most = [...between].sort((a, b) => b - a);
    expect(most.length).toBeGreaterThan(50);
    expect(most[Math.floor(most.length / 50)]).toBeLessThan(9 * 36);
  });

  it("writes only the records that differ", async () => {
    const storage = nodeStorage();
    await follow(storage, releases.first);
    const sql = new StorageSql(storage);
    const source = memorySource(releases.price);
    const follower = new Follower(sql, source, {
      log: LOG,
      pause: async () => undefined,
      hasReaders: () => true,
    });
    expect(await follower.look()).toBe(false);
    expect(follower.view?.digest).toBe(releases.price.catalog.digest);
    expect(sql.rowsWritten).toBeLessThan(20);
  });

  it("keeps the lists and words that a change does not touch", async () => {
    const storage = nodeStorage();
    await follow(storage, releases.first);
    const source = memorySource(releases.first);
    const ports = { log: LOG, pause: async () => undefined, hasReaders: () => true };
    const follower = new Follower(new StorageSql(storage), source, ports);
    const { lists, words } = follower.view?.memory() ?? {};
    source.release = releases.price;
    await follower.look();
    const known = follower.view?.known();
    expect(known?.words).toBe(words);
    expect(known?.lists.get("review")).toBe(lists?.get("review"));
    expect(known?.lists.has("product")).toBe(false);
    source.release = releases.other;
    await follower.look();
    expect(follower.view?.digest).toBe(releases.other.catalog.digest);
    expect(follower.view?.known().words).toBe(null);
  });

  /** Stops at a pause, as an eviction does: what was written stays, all else is lost. */
  async function stopped(storage: NodeStorage, release: MemoryRelease, at: number): Promise<boolean> {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === at) throw new Error("stopped");
    };
    try {
      await follow(storage, release, pause);
      return false;
    } catch (error) {
      if (error instanceof Error && error.message === "stopped") return true;
      throw error;
    }
  }

  it("goes on after a stop at any pause, also with a release whose partitions have fewer records", async () => {
    let stops = 0;
    for (let at = 1; ; at += 7) {
      const storage = nodeStorage();
      if (!(await stopped(storage, releases.other, at))) break;
      const next = at % 2 === 0 ? releases.fewer : releases.other;
      const follower = await follow(storage, next);
      expect(follower.view?.digest, `after ${at} pauses`).toBe(next.catalog.digest);
      storage.db.close();
      stops += 1;
    }
    expect(stops).toBeGreaterThan(10);
  });

  it("forgets what it fetched of a release if the place has the one again that it answers from", async () => {
    const storage = nodeStorage();
    await follow(storage, releases.first);
    const source = memorySource(cutOtherwise);
    const ports = { log: LOG, pause: async () => undefined, hasReaders: () => true };
    const follower = new Follower(new StorageSql(storage), source, ports);
    expect(await follower.look()).toBe(true);
    expect(await follower.proceed(3)).toBe(true);
    expect(follower.done).toBeGreaterThan(0);
    source.release = releases.first;
    expect(await follower.look()).toBe(false);
    expect(follower.done).toBe(0);
  });

  it("answers the release before if it is stopped at any pause of a small change", async () => {
    for (let at = 1; ; at += 1) {
      const storage = nodeStorage();
      await follow(storage, releases.first);
      const isStopped = await stopped(storage, releases.price, at);
      const ports = { log: LOG, pause: async () => undefined, hasReaders: () => true };
      const { view } = new Follower(new StorageSql(storage), memorySource(releases.first), ports);
      expect(view?.digest).toBe((isStopped ? releases.first : releases.price).catalog.digest);
      storage.db.close();
      if (!isStopped) break;
    }
  });
});
