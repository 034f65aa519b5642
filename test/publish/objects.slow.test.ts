/** What releases cost and contain: shared objects, few bytes for a price, and a complete release for every reader. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restoreRelease } from "../../src/pipeline/rollback.ts";
import { OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { fetchIndex } from "../../src/publish/fetch-release.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { checkBucket } from "../../src/publish/served.ts";
import { objectKey } from "../../src/release/objects.ts";
import { objectsOf } from "../../src/release/release-index.ts";
import {
  createFaultyMemory,
  expectLive,
  expectObjects,
  keptObjects,
  memoryAt,
  OPTIONS,
  portsOf,
} from "../support/publishing.ts";
import { createTinyShop, SILENT, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

const store = createFaultyMemory();
let shop: TinyShop;
let folder: string;
beforeAll(() => {
  shop = createTinyShop(8);
  folder = mkdtempSync(join(tmpdir(), "vitrine-objects-"));
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

let prices = 1000;

/** Changes one price and builds in a folder of this name. */
async function reprice(name: string): Promise<Snapshot> {
  prices += 1;
  shop.sql(`UPDATE products SET regular_price_minor = ${prices} WHERE slug = '${shop.slugs[0]}'`);
  return shop.build(name);
}

const at = (prefix: string) => memoryAt(store, prefix);
const publishTo = (prefix: string, snapshot: Snapshot, more = {}) =>
  publish(snapshot, { ...OPTIONS, ...more }, portsOf(at(prefix)));

/** Keys that were requested since the last reset, below a prefix: `GET objects` */
const seenAt = (prefix: string) =>
  store.seen.map(
    ({ method, key }) => `${method} ${key.slice(prefix.length + 1).replace(/^\.vitrine\//, "")}`,
  );

describe("a release", () => {
  it("with one changed price takes a request per key, one per changed object, and ten", async () => {
    await publishTo("cost", await shop.build("cost"), { keep: 2 });
    await publishTo("cost", await reprice("cost"), { keep: 2 });
    await publishTo("cost", await reprice("cost"), { keep: 2 });
    store.reset();
    const after = await reprice("cost");
    const { counts } = await publishTo("cost", after, { keep: 2 });
    const files = after.manifest.totals().files;
    expect(counts).toMatchObject({ new: 0, deleted: 0, uncertain: 0, kept: files - counts.changed });
    expect(counts.changed).toBeGreaterThan(2);
    const objects = seenAt("cost").filter((one) => one.startsWith("PUT objects/")).length;
    const others = store.seen.filter(({ key }) => !/\/(api|widgets|explore|\.vitrine\/objects)\//.test(key));
    const requests = others.map(({ method, key }) => `${method} ${key.replace("cost/.vitrine/", "")}`);
    expect([...requests.slice(0, 2).sort(), ...requests.slice(2)]).toEqual([
      "GET current.json",
      "GET journal.json",
      "PUT journal.json",
      "GET current.json",
      // The lock names the release that is being made.
      "PUT journal.json",
      "PUT current.json",
      // Objects that no kept release names, then indexes, then the lock.
      "POST ?delete",
      "POST ?delete",
      "POST ?delete",
    ]);
    // The index, one partition of products, and at most one partition of the manifest per key.
    expect(objects).toBeLessThanOrEqual(counts.changed + 2);
    await expectLive(store.upstream, "cost", after);
    await expectObjects(at("cost"), after);
  });

  it("is compared with the live one, whatever was built in between, with each key once and in its current state", async () => {
    await publishTo("several", await shop.build("several"));
    const { slugs } = shop;
    shop.sql(`UPDATE products SET name = name || ' II' WHERE slug = '${slugs[1]}';
      UPDATE products SET description_html = '<p>Another text.</p>' WHERE slug = '${slugs[0]}'`);
    await shop.build("several");
    shop.sql(`UPDATE products SET slug = 'waiting' WHERE slug = '${slugs[2]}';
      UPDATE products SET slug = '${slugs[2]}' WHERE slug = '${slugs[3]}';
      UPDATE products SET slug = '${slugs[3]}' WHERE slug = 'waiting'`);
    await shop.build("several");
    shop.sql(`UPDATE products SET name = rtrim(name, ' I') WHERE slug = '${slugs[1]}'`);
    const after = await reprice("several");
    const { counts } = await publishTo("several", after);
    expect([counts.new, counts.deleted]).toEqual([0, 0]);
    await expectLive(store.upstream, "several", after);
    await expectObjects(at("several"), after);
  });

  it("counts added and deleted files", async () => {
    await publishTo("counts", await shop.build("counts"));
    shop.sql(`UPDATE products SET slug = 'another-slug' WHERE slug = '${shop.slugs[0]}'`);
    const after = await shop.build("counts");
    shop.sql(`UPDATE products SET slug = '${shop.slugs[0]}' WHERE slug = 'another-slug'`);
    const { counts } = await publishTo("counts", after);
    expect(counts).toMatchObject({ new: 1, deleted: 1 });
    await expectLive(store.upstream, "counts", after);
  });

  it("shares objects with the previous one, and is fetched only as far as this machine does not know it", async () => {
    await publishTo("foreign", await shop.build("foreign"));
    const [before] = (await readLive(at("foreign"))).releases;
    store.reset();
    // Another folder, on another machine, has the same shop.
    const other = await reprice("foreign-other");
    await publishTo("foreign", other);
    const [after] = (await readLive(at("foreign"))).releases;
    const [old, next] = await Promise.all(
      [before, after].map((one) => fetchIndex(at("foreign"), one?.index ?? "")),
    );
    if (old === undefined || next === undefined) throw new Error("two releases");
    const shared = [...objectsOf(next)].filter((name) => objectsOf(old).has(name)).length;
    expect(shared).toBeGreaterThan(objectsOf(next).size / 3);
    const puts = store.seen.filter(({ method, key }) => method === "PUT" && key.includes("/objects/"));
    expect(puts.length).toBe(objectsOf(next).size - shared + 1);
    await expectLive(store.upstream, "foreign", other);
    store.reset();
    await publishTo("foreign", await reprice("foreign-other"));
    expect(seenAt("foreign").filter((one) => one.startsWith("GET objects/"))).toEqual([]);
    // The first machine catches up with the partitions that differ.
    store.reset();
    const last = await reprice("foreign");
    await publishTo("foreign", last);
    const gets = seenAt("foreign").filter((one) => one.startsWith("GET objects/")).length;
    expect(gets).toBeGreaterThan(0);
    expect(gets).toBeLessThan(objectsOf(next).size);
    await expectLive(store.upstream, "foreign", last);
    await expectObjects(at("foreign"), last);
  });

  it("is right also if the machine's memory is missing, damaged or in use", async () => {
    await publishTo("memory", await shop.build("memory"));
    for (const spoil of [
      (places: string) => rmSync(places, { recursive: true }),
      (places: string) => cpSync(new URL(import.meta.url).pathname, join(places, "x.sqlite")),
    ]) {
      const snapshot = await reprice("memory");
      spoil(snapshot.layout.places);
      await publishTo("memory", snapshot);
      await expectLive(store.upstream, "memory", snapshot);
      await expectObjects(at("memory"), snapshot);
    }
    const snapshot = await reprice("memory");
    await Promise.allSettled([
      publishTo("memory", snapshot),
      publishTo("memory-2", snapshot, { adopt: true }),
    ]);
    await expectLive(store.upstream, "memory", snapshot);
    await expectLive(store.upstream, "memory-2", snapshot);
  });

  it("keeps exactly the objects of the kept releases, over many releases", async () => {
    let snapshot = await shop.build("many");
    for (let round = 0; round < 6; round++) {
      await publishTo("many", snapshot, { keep: 3 });
      await expectObjects(at("many"), snapshot);
      snapshot = await reprice("many");
    }
    expect((await readLive(at("many"))).releases.length).toBe(3);
  });

  it("can be rolled back byte for byte, and forward again", async () => {
    const bucket = at("back");
    await publishTo("back", await shop.build("back"));
    const target = await reprice("back");
    await publishTo("back", target);
    const answers = () => new Map([...store.shadow].filter(([key]) => /^back\/(api|widgets)/.test(key)));
    const expected = answers();
    await publishTo("back", await shop.build("back-whole", { ...TINY_CONFIG, pageSizes: [2] }), {});
    await publishTo("back", await reprice("back-whole"), { allowShrink: 1000 });
    const objects = await keptObjects(bucket);
    const out = mkdtempSync(join(folder, "back-"));
    const { snapshot, id } = await restoreRelease(bucket, "00000002", out, SILENT);
    await publish(snapshot, { ...OPTIONS, allowShrink: 1000, rollbackOf: id }, portsOf(bucket));
    snapshot.manifest.close();
    expect(answers()).toEqual(expected);
    // An older release already has its objects.
    expect((await keptObjects(bucket)).filter((key) => !objects.includes(key))).toEqual([]);
    const forward = await reprice("back");
    await publish(forward, { ...OPTIONS, allowShrink: 1000, resume: true }, portsOf(bucket));
    await expectLive(store.upstream, "back", forward);
    await expectObjects(bucket, forward);
  });

  it("is the reference for check --to", async () => {
    const options = { sample: 0, progress: () => undefined };
    const bucket = at("checked");
    await publishTo("checked", await shop.build("checked"));
    await publishTo("checked", await reprice("checked"));
    expect((await checkBucket(bucket, options)).problems).toEqual([]);
    await bucket.put(`api/v1/product/slug=${shop.slugs[0]}.json`, Buffer.from("{}"), OBJECT_HEADERS);
    const [live] = (await readLive(bucket)).releases;
    const { lists, manifest } = await fetchIndex(bucket, live?.index ?? "");
    const name = lists.product.find((each) => each !== null) ?? "";
    await bucket.delete([objectKey(name)]);
    expect((await checkBucket(bucket, { ...options, sample: 1_000_000 })).problems).toEqual([
      expect.stringContaining(name),
      `api/v1/product/slug=${shop.slugs[0]}.json: the bytes differ from the release's`,
    ]);
    // The answers of the manifest's other parts are checked all the same.
    const [whole, last = ""] = [(await checkBucket(bucket, options)).files, manifest.at(-1)];
    await bucket.delete([objectKey(last)]);
    const { files, problems } = await checkBucket(bucket, options);
    expect(problems).toContainEqual(expect.stringContaining(last));
    expect(problems).toContain(
      `the live release's manifest: 1 of ${manifest.length} parts are lost, and the answers in them are not checked`,
    );
    expect(problems).toContain(
      `api/v1/product/slug=${shop.slugs[0]}.json: the bytes differ from the release's`,
    );
    expect([files > 0, files < whole]).toEqual([true, true]);
  });
});

describe("two publishers, each with a memory", () => {
  it("one commits; the other compares, and publishes after it", async () => {
    const live = await shop.build("race");
    await publishTo("race", live);
    const snapshots: Snapshot[] = [];
    for (const name of ["race-a", "race-b"]) {
      cpSync(dirname(live.layout.site), join(shop.folder, name), { recursive: true });
      snapshots.push(await reprice(name));
    }
    await Promise.allSettled(snapshots.map((snapshot) => publishTo("race", snapshot)));
    const { content } = await readLive(at("race"));
    const winner = snapshots.find(({ manifest }) => manifest.meta["content"] === content);
    if (winner === undefined) throw new Error("no publisher's snapshot is live");
    await expectLive(store.upstream, "race", winner);
    await expectObjects(at("race"), winner);
    for (const snapshot of snapshots) {
      await publishTo("race", snapshot);
      await expectLive(store.upstream, "race", snapshot);
      await expectObjects(at("race"), snapshot);
    }
  });
});
