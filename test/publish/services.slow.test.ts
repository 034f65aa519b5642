/**
 * Services, played in memory: what docs/s3-services.md says about each, according to others' reports (the sources are there). Ceph is
 * tested for real (ceph.slow.test.ts, contract.slow.test.ts).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forEachAtOnce } from "../../src/base/at-once.ts";
import { type Bucket, OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { createFaultyStore } from "../support/faults.ts";
import { createMemoryStore, type Quirks } from "../support/memory-bucket.ts";
import { bucketAt, expectLive, OPTIONS, portsOf } from "../support/publishing.ts";
import { hasConditions, SERVICES } from "../support/services.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const PLAYED = SERVICES.flatMap((service) =>
  service.quirks === undefined ? [] : [{ ...service, quirks: service.quirks }],
);

describe("a service", () => {
  let shop: TinyShop;
  let first: Snapshot;
  let second: Snapshot;
  beforeAll(async () => {
    shop = createTinyShop();
    first = await shop.build("first");
    shop.sql(`UPDATE products SET name = 'Renamed', deleted_at = NULL WHERE slug = '${shop.slugs[0]}'`);
    shop.sql(`UPDATE products SET status = 'draft' WHERE slug = '${shop.slugs[1]}'`);
    second = await shop.build("second");
  });
  afterAll(() => shop.close());

  const STORES: readonly (readonly [name: string, quirks: Quirks])[] = [
    ...PLAYED.filter(hasConditions).map(({ name, quirks }) => [`as ${name}`, quirks] as const),
    ["that refuses checksums as invalid", { refusesChecksums: 400 }],
    ["that names only what it could not delete", { isQuiet: true }],
    ["that lists names unencoded", { hasPlainNames: true }],
    ["that answers a PUT without an ETag", { putsWithoutEtag: true }],
  ];
  it.each(STORES)("%s: needs no options to publish", async (_, quirks) => {
    const memory = createMemoryStore("shop", quirks);
    const store = createFaultyStore(memory);
    // Another program's object, with a name that only looks encoded.
    using others = bucketAt(store, "");
    await others.put("place/100% ours", Buffer.from("x"), OBJECT_HEADERS);
    using bucket = bucketAt(store, "place");
    await publish(first, OPTIONS, portsOf(bucket));
    const { counts } = await publish(second, { ...OPTIONS, allowShrink: 1000 }, portsOf(bucket));
    expect(counts.deleted).toBeGreaterThan(0);
    memory.objects.delete("place/100% ours");
    await expectLive(memory, "place", second);
  });

  it.each<[string, Quirks]>([
    ...PLAYED.filter((service) => !hasConditions(service)).map(({ name, quirks }): [string, Quirks] => [
      `as ${name}`,
      quirks,
    ]),
    ["that refuses conditions as invalid", { conditions: 400 }],
  ])("%s: is refused at once, and accepts a single publisher", async (_, quirks) => {
    const memory = createMemoryStore("shop", quirks);
    const store = createFaultyStore(memory);
    using bucket = bucketAt(store, "place");
    await expect(publish(first, OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "conditions_ignored",
    });
    expect(store.seen.length).toBeLessThan(20);
    expect([...memory.objects.keys()]).toEqual([]);
    await publish(first, { ...OPTIONS, singlePublisher: true }, portsOf(bucket));
    await expectLive(memory, "place", first);
  });

  it("that accepts few requests at once gets fewer, until it accepts all", async () => {
    const most = 3;
    const memory = createMemoryStore();
    let active = 0;
    let refused = 0;
    const ask: typeof memory.ask = async (request) => {
      active += 1;
      try {
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (active <= most) return await memory.ask(request);
        refused += 1;
        const body = Buffer.from(
          "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>",
        );
        return { status: 503, headers: {}, body };
      } finally {
        active -= 1;
      }
    };
    using bucket: Bucket = bucketAt(createFaultyStore({ ...memory, ask }), "place", 64);
    const keys = Array.from({ length: 400 }, (_, at) => `api/${at}`);
    await forEachAtOnce(keys, 64, (key) => bucket.put(key, Buffer.from(key), OBJECT_HEADERS));
    expect(memory.objects.size).toBe(400);
    // Without a pace, each of the 64 would try five times in vain.
    expect(refused).toBeLessThan(400);
  });
});
