/** A publisher whose machine was busy or asleep for longer than its lease: it goes on if the lock is still its own. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bucket, JOURNAL_KEY } from "../../src/publish/bucket.ts";
import { rulesOf, type Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { createFaultyMemory, expectLive, memoryAt, portsOf } from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const RULES = rulesOf({ waitSeconds: 0, leaseSeconds: 60, allowOlder: true });

describe("a publisher that was held up for longer than its lease", () => {
  const store = createFaultyMemory();
  let shop: TinyShop;
  let mine: Snapshot;
  let theirs: Snapshot;
  let prefix: string;
  /** Seconds that the machine slept. */
  let slept = 0;
  beforeAll(async () => {
    shop = createTinyShop();
    mine = await shop.build("mine");
    shop.sql(`UPDATE products SET name = 'Theirs' WHERE slug = '${shop.slugs[0]}'`);
    theirs = await shop.build("theirs");
  });
  afterAll(() => shop.close());
  beforeEach(() => {
    store.reset();
    prefix = randomUUID();
    slept = 0;
  });

  /** A place at whose n-th put of an answer something happens. */
  function placeWith(happens: (n: number) => Promise<void> | void): Bucket {
    const bucket = memoryAt(store, prefix, 4);
    let n = 0;
    return {
      ...bucket,
      async put(key, ...args) {
        if (key.startsWith("api/")) await happens(n++);
        await bucket.put(key, ...args);
      },
    };
  }
  const uptimeSeconds = () => performance.now() / 1000 + slept;
  const ports = (bucket: Bucket) => portsOf(bucket, { uptimeSeconds });

  it("renews it once and goes on, whenever it happens", async () => {
    for (const at of [0, 3, 8]) {
      prefix = randomUUID();
      store.reset();
      const bucket = placeWith((n) => {
        if (n === at) slept += 3600;
      });
      expect(await publish(mine, RULES, ports(bucket))).toMatchObject({ outcome: "published" });
      await expectLive(store.upstream, prefix, mine);
      // Acquired, named its release, renewed; then deleted.
      const journals = store.seen.filter(({ method, key }) => method === "PUT" && key.endsWith(JOURNAL_KEY));
      expect(journals).toHaveLength(3);
      expect(store.shadow.has(`${prefix}/${JOURNAL_KEY}`)).toBe(false);
    }
  });

  it("stops if another one took the lock meanwhile, and says so", async () => {
    const bucket = placeWith(async (n) => {
      if (n !== 3) return;
      await publish(theirs, RULES, portsOf(memoryAt(store, prefix), { isGone: () => true }));
      slept += 3600;
    });
    await expect(publish(mine, RULES, ports(bucket))).rejects.toMatchObject({
      code: "publisher_busy",
      message: expect.stringContaining("was taken over by"),
    });
    await publish(theirs, RULES, portsOf(memoryAt(store, prefix), { isGone: () => true }));
    await expectLive(store.upstream, prefix, theirs);
  });

  it("says what failed if the place does not answer, and how long it was held up", async () => {
    const bucket = placeWith((n) => {
      if (n !== 3) return;
      slept += 3600;
      store.fault = () => "drop-before";
    });
    const error = await publish(mine, RULES, ports(bucket)).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "remote_failed" });
  });

  it("does not blame the place for a machine that never comes to renew it in time", async () => {
    let at = 0;
    const busy = () => {
      if (at > 0) slept += 60;
      return uptimeSeconds();
    };
    const bucket = placeWith(() => {
      at += 1;
    });
    await expect(publish(mine, RULES, portsOf(bucket, { uptimeSeconds: busy }))).rejects.toMatchObject({
      code: "remote_failed",
      message: expect.stringMatching(
        /last renewed \d+ s ago, and its lease is 60 s: this machine is too busy/,
      ),
    });
  });
});
