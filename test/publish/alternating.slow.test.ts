/**
 * Two publishers of one place, each with a separate folder and memory, which is outdated whenever the other one has published. They
 * alternate or run in parallel, and die at any request: the last published snapshot is live, and nothing else is left.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JOURNAL_KEY } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { rulesOf, type Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import {
  createFaultyMemory,
  expectLive,
  expectObjects,
  memoryAt,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { randomOf } from "../support/random.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const FOLDERS = ["left", "right"] as const;

describe("two publishers of one place", () => {
  let shop: TinyShop;
  beforeAll(() => {
    shop = createTinyShop(6);
  });
  afterAll(() => shop.close());

  it.each([1, 2])("end with the last published snapshot, however they die: seed %i", async (seed) => {
    const random = randomOf(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const store = createFaultyMemory();
    const bucket = memoryAt(store, "shop");
    const problems = watchReaders(store, "shop");
    const rules = () =>
      rulesOf({ leaseSeconds: 30, waitSeconds: 0, allowShrink: 1000, allowOlder: true, keep: 1 + pick(3) });
    const ports = () => portsOf(bucket, { isGone: () => true });
    const buildIn = async (folder: string): Promise<Snapshot> => {
      const slug = shop.slugs[1 + pick(shop.slugs.length - 1)];
      const isGone = random() < 0.4;
      shop.sql(
        isGone
          ? `UPDATE products SET status = CASE status WHEN 'draft' THEN 'published' ELSE 'draft' END WHERE slug = '${slug}'`
          : `UPDATE products SET name = 'Name ${pick(50)}' WHERE slug = '${slug}'`,
      );
      return shop.build(`${folder}-${seed}`);
    };
    let died = 0;
    let raced = 0;
    for (let round = 0; round < 24; round++) {
      const folder = FOLDERS[pick(2)] ?? "left";
      const snapshot = await buildIn(folder);
      const way = random();
      if (way < 0.45) {
        const at = pick(32);
        store.reset();
        store.fault = (n) => (n === at ? "dead" : null);
        died += await publish(snapshot, rules(), ports()).then(
          () => 0,
          () => 1,
        );
        store.reset();
      } else if (way < 0.6) {
        const other = await buildIn(FOLDERS.find((each) => each !== folder) ?? "right");
        // Neither considers the other one dead.
        const both = [snapshot, other].map((one) => publish(one, rules(), portsOf(bucket)));
        const results = await Promise.allSettled(both);
        for (const result of results)
          if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "publisher_busy" });
        raced += 1;
      }
      // Either of them finishes or undoes what was begun.
      const last = random() < 0.5 ? snapshot : await buildIn(FOLDERS[pick(2)] ?? "left");
      if (random() < 0.9 || !store.shadow.has("shop/.vitrine/current.json")) {
        const { release } = await publish(last, rules(), ports());
        expect((await readLive(bucket)).release).toBe(release);
        await expectLive(store.upstream, "shop", last);
        await expectObjects(bucket, last);
        expect(store.shadow.has(`shop/${JOURNAL_KEY}`)).toBe(false);
      }
    }
    expect(problems).toEqual([]);
    expect(died).toBeGreaterThan(1);
    expect(raced).toBeGreaterThan(0);
  });
});
