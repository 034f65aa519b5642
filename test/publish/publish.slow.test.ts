/** Publishing to an S3 service: what is put, in how many requests, in what order. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { publish } from "../../src/publish/publish.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { dyingAfter } from "../support/faults.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import {
  bucketAt,
  createFaultyMemory,
  expectLive,
  expectObjects,
  keptObjects,
  memoryAt,
  OPTIONS,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { RGW_ENV } from "../support/rgw.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

describe("publish to S3", () => {
  const store = createFaultyMemory();
  let shop: TinyShop;
  beforeAll(() => {
    shop = createTinyShop();
  });
  afterAll(() => shop.close());

  it("puts everything once, then nothing, then exactly what changed", async () => {
    const bucket = memoryAt(store, "steps");
    const problems = watchReaders(store, "steps");
    const first = await shop.build("steps");
    const report = await publish(first, OPTIONS, portsOf(bucket));
    expect(report).toMatchObject({ outcome: "published", counts: { new: first.manifest.totals().files } });
    await expectLive(store.upstream, "steps", first);
    store.reset();

    expect(await publish(first, OPTIONS, portsOf(bucket))).toMatchObject({ outcome: "unchanged" });
    expect(store.seen.map(({ method }) => method)).toEqual(["GET", "GET"]);
    store.reset();

    shop.sql(`UPDATE products SET name = 'Another name' WHERE slug = '${shop.slugs[0]}'`);
    const second = await shop.build("steps");
    const changed = await publish(second, OPTIONS, portsOf(bucket));
    expect(changed.counts.deleted).toBe(0);
    expect(changed.counts.changed).toBeGreaterThan(2);
    // The journal twice, the pointer, the index, and partitions: one of the list, and those of the manifest that contain changed keys.
    const objects = store.seen.filter(
      ({ method, key }) => method === "PUT" && key.includes("/objects/"),
    ).length;
    expect(store.count("PUT")).toBe(changed.counts.changed + objects + 3);
    expect(objects).toBeLessThanOrEqual(changed.counts.changed + 3);
    // It reads the pointer twice and the journal: the rest is remembered.
    expect(store.count("GET")).toBe(3);
    await expectObjects(bucket, second);
    await expectLive(store.upstream, "steps", second);
    expect(problems).toEqual([]);
  });

  it("puts details before lists, the status after them, and the pointer last", async () => {
    store.reset();
    await publish(await shop.build("order"), OPTIONS, portsOf(memoryAt(store, "order")));
    const puts = store.seen
      .filter(({ method }) => method === "PUT")
      .map(({ key }) => key.slice("order/".length));
    const last = (part: string) => puts.findLastIndex((key) => key.startsWith(part));
    const first = (part: string) => puts.findIndex((key) => key.startsWith(part));
    expect(first(".vitrine/journal")).toBeLessThan(first("api/"));
    expect(last("api/v1/product/")).toBeLessThan(first("api/v1/products/"));
    expect(last("api/v1/products/")).toBeLessThan(first("api/v1/index.json"));
    expect(last("api/v1/index.json")).toBeLessThan(puts.indexOf(".vitrine/current.json"));
    expect(last(".vitrine/objects/")).toBeLessThan(first("api/"));
    expect(puts.at(-1)).toBe(".vitrine/current.json");
  });

  it("sets the headers of each object, and puts it again if only they changed", async () => {
    const bucket = memoryAt(store, "headers");
    const config = { ...TINY_CONFIG, cache: { ...TINY_CONFIG.cache, maxAgeSeconds: 61 } };
    await publish(await shop.build("headers"), OPTIONS, portsOf(bucket));
    const changed = await publish({ ...(await shop.build("headers")), config }, OPTIONS, portsOf(bucket));
    expect(changed.counts.headers).toBe(changed.counts.headers + changed.counts.kept);
    expect(changed.counts.headers).toBeGreaterThan(10);
    const head = await bucket.head(`api/v1/product/slug=${shop.slugs[0]}.json`);
    expect(head).toMatchObject({
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=61, s-maxage=300, stale-if-error=86400",
      metadata: { "cache-tag": "vitrine-product" },
    });
    expect(head?.metadata["digest"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("puts nothing if the same data was built elsewhere, at another time", async () => {
    const bucket = memoryAt(store, "elsewhere");
    const first = await shop.build("elsewhere");
    await publish(first, OPTIONS, portsOf(bucket));
    store.reset();
    const again = await shop.build("elsewhere-again", TINY_CONFIG, "2026-06-01 00:00:01");
    expect(await publish(again, OPTIONS, portsOf(bucket))).toMatchObject({ outcome: "unchanged" });
    expect(store.count("PUT")).toBe(0);
  });

  it("writes nothing in a dry run, and reports what it would put", async () => {
    store.reset();
    const snapshot = await shop.build("dry");
    const report = await publish(snapshot, { ...OPTIONS, dryRun: true }, portsOf(memoryAt(store, "dry")));
    expect(report).toMatchObject({ outcome: "planned", counts: { new: snapshot.manifest.totals().files } });
    expect(new Set(store.seen.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  it("puts a large file with one request, and reads it back whole", async () => {
    Object.assign(process.env, RGW_ENV);
    const proxy = await startFaultProxy(createMemoryStore());
    const bucket = bucketAt(proxy.url, "large");
    proxy.reset();
    const body = randomBytes(20_000_000);
    await bucket.put("large", body, OBJECT_HEADERS);
    expect(proxy.seen.map(({ method }) => method)).toEqual(["PUT"]);
    expect((await bucket.get("large"))?.body.equals(body)).toBe(true);
    for (const fault of ["500-after", "drop-after", "drop-before", "drop-midway", "slow-down"] as const) {
      const next = randomBytes(20_000_000);
      proxy.reset();
      proxy.fault = (n) => (n === 0 ? fault : null);
      await bucket.put("large", next, OBJECT_HEADERS);
      expect(proxy.count("PUT"), fault).toBe(2);
      expect((await bucket.get("large"))?.body.equals(next), fault).toBe(true);
    }
    bucket[Symbol.dispose]();
    await proxy.close();
  });

  it("keeps the wanted number of releases, and deletes the objects of the others", async () => {
    const bucket = memoryAt(store, "keep");
    for (const name of ["One", "Two", "Three"]) {
      shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
      // In separate folders: nothing is remembered from one to the next.
      await publish(await shop.build(`keep-${name}`), { ...OPTIONS, keep: 2 }, portsOf(bucket));
    }
    const live = await readLive(bucket);
    expect(live.releases.map(({ id }) => id.slice(0, 8))).toEqual(["00000003", "00000002"]);
    const kept = [...store.shadow.keys()].filter((key) => key.startsWith("keep/.vitrine/"));
    const named = await keptObjects(bucket);
    expect(kept.sort()).toEqual(["keep/.vitrine/current.json", ...named.map((key) => `keep/${key}`)].sort());
  });

  it("drops surplus releases also if nothing else changed", async () => {
    const bucket = memoryAt(store, "fewer");
    let snapshot = await shop.build("fewer");
    for (const name of ["Four", "Five", "Six"]) {
      shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
      snapshot = await shop.build(`fewer-${name}`);
      await publish(snapshot, OPTIONS, portsOf(bucket));
    }
    const { release, releases } = await readLive(bucket);
    const standing = () => [...store.upstream.objects].filter(([key]) => key.startsWith("fewer/"));
    const before = standing();
    const fewer = { ...OPTIONS, keep: 1 };
    store.reset();
    const report = await publish(snapshot, fewer, portsOf(bucket));
    const dropped = releases.slice(1).map(({ id }) => id);
    expect(report).toMatchObject({ outcome: "unchanged", release, dropped });
    // Pointer and journal twice; the lock, the pointer again, the new pointer; deletions; the lock is deleted.
    expect(store.seen.map(({ method }) => method).join(" ")).toBe("GET GET PUT GET PUT PUT POST POST POST");
    const left = [".vitrine/current.json", ...(await keptObjects(bucket))];
    const controls = () => standing().flatMap(([key]) => (key.includes(".vitrine/") ? [key.slice(6)] : []));
    expect(controls().sort()).toEqual([...left].sort());
    expect(await publish(snapshot, fewer, portsOf(bucket))).toMatchObject({
      outcome: "unchanged",
      dropped: [],
    });
    // Killed anywhere, everything that the pointer names exists, and the next publish continues.
    for (let done = 0; done <= 5; done++) {
      const memory = createFaultyMemory();
      for (const [key, object] of before) {
        memory.upstream.objects.set(key, object);
        memory.shadow.set(key, object.body);
      }
      const again = () => portsOf(memoryAt(memory, "fewer"), { isGone: () => true });
      memory.fault = dyingAfter(done);
      await publish(snapshot, fewer, again()).catch(() => undefined);
      memory.reset();
      for (const key of await keptObjects(memoryAt(memory, "fewer")))
        expect(memory.shadow.has(`fewer/${key}`), `after ${done} changes`).toBe(true);
      await publish(snapshot, fewer, again());
      const keys = [...memory.shadow.keys()].filter((key) => key.includes(".vitrine/"));
      expect(keys.map((key) => key.slice(6)).sort(), `after ${done} changes`).toEqual([...left].sort());
    }
  });

  it("says when readers' files change, also while it finishes what another left", async () => {
    const bucket = memoryAt(store, "left");
    const first = await shop.build("left");
    await publish(first, OPTIONS, portsOf(bucket));
    shop.sql(`DELETE FROM products WHERE slug = '${shop.slugs[0]}'`);
    const second = await shop.build("left");

    const seen: string[] = [];
    const changing = (what: string) => {
      seen.push(what);
      return { [Symbol.dispose]: () => void seen.push(`${what} end`) };
    };
    let isDead = true;
    const dying = new Proxy(bucket, {
      get(of, name) {
        if (name !== "delete") return Reflect.get(of, name);
        return async (keys: readonly string[]) => {
          if (isDead && keys.some((key) => key.startsWith("api/"))) throw new Error("killed");
          if (keys.some((key) => key.startsWith("api/"))) seen.push("deleted");
          return of.delete(keys);
        };
      },
    });
    const ports = () => ({ ...portsOf(dying, { isGone: () => true }), changing });
    await expect(publish(second, OPTIONS, ports())).rejects.toThrow("killed");
    expect(seen).toEqual(["answers", "answers end", "deletions", "deletions end"]);

    isDead = false;
    seen.length = 0;
    const report = await publish(second, OPTIONS, ports());
    expect(report.finished).toMatch(/was live already; its deletions and purges are finished now/);
    expect(seen.slice(0, 3)).toEqual(["deletions", "deleted", "deletions end"]);
    await expectLive(store.upstream, "left", second);
  });
});
