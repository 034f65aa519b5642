/** Publishing by delta: what it costs, what stands in the bucket, and that all who read releases read them whole. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import { restoreRelease } from "../../src/pipeline/rollback.ts";
import { deltaKey, FILE_HEADERS, POINTER_KEY } from "../../src/publish/bucket.ts";
import type { Pointer } from "../../src/publish/documents.ts";
import { readLive } from "../../src/publish/documents.ts";
import { fetchCatalog, fetchManifest } from "../../src/publish/fetch-release.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import type { ReleasedEntry } from "../../src/publish/release-files.ts";
import { chainOf, neededParts, releaseCatalog, takesDelta } from "../../src/publish/releases.ts";
import { checkBucket } from "../../src/publish/served.ts";
import { openDelta } from "../../src/site/delta.ts";
import { deltaFiles } from "../../src/site/writer.ts";
import { followBucket } from "../support/following.ts";
import {
  bucketAt,
  createFaultyMemory,
  expectLive,
  holdsCatalog,
  OPTIONS,
  portsOf,
} from "../support/publishing.ts";
import { createTinyShop, SILENT, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

const store = createFaultyMemory();
let shop: TinyShop;
let folder: string;
beforeAll(() => {
  // So many that a quarter of a base holds two deltas.
  shop = createTinyShop(30);
  folder = mkdtempSync(join(tmpdir(), "vitrine-delta-"));
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

const at = (prefix: string) => bucketAt(store, prefix);
const publishTo = (prefix: string, snapshot: Snapshot, more = {}) =>
  publish(snapshot, { ...OPTIONS, ...more }, portsOf(at(prefix)));

/** Control objects at a prefix. */
function controls(prefix: string): string[] {
  const base = `${prefix}/.vitrine/`;
  return [...store.shadow.keys()]
    .flatMap((key) => (key.startsWith(base) ? [key.slice(base.length)] : []))
    .sort();
}

/** Kinds and numbers of the parts that the pointer names: `base 1, delta 2` */
async function partsAt(prefix: string): Promise<string> {
  const { parts } = await readLive(at(prefix));
  return parts.map(({ id, kind }) => `${kind} ${Number.parseInt(id, 10)}`).join(", ");
}

/** A release as it is fetched has the snapshot's content: its catalog, and its manifest entry by entry. */
async function expectRelease(prefix: string, snapshot: Snapshot): Promise<void> {
  const pointer = await readLive(at(prefix));
  const { parts, release } = pointer;
  const file = join(folder, `${prefix}.sqlite`);
  await fetchCatalog(at(prefix), releaseCatalog(pointer, release), file);
  expect(holdsCatalog(file, snapshot)).toBe(true);
  const read = await fetchManifest(at(prefix), chainOf(parts, release), folder);
  const entries: ReleasedEntry[] = [];
  for await (const entry of read?.() ?? []) entries.push(entry);
  expect(entries.map(({ headers: _headers, ...entry }) => entry)).toEqual([...snapshot.manifest.entries()]);
  expect(new Set(entries.map(({ headers }) => headers.length))).toEqual(new Set([16]));
}

describe("a publish by delta", () => {
  it("of one price takes a request a key and seven, eight where something is needed no more, and few bytes", async () => {
    await publishTo("cost", await shop.build("cost"), { keep: 2 });
    await publishTo("cost", await reprice("cost"), { keep: 2 });
    store.reset();
    let bytes = 0;
    const bucket = at("cost");
    const counting = {
      ...bucket,
      put: (key: string, source: Buffer | { file: string }, headers: typeof FILE_HEADERS) => {
        bytes += (Buffer.isBuffer(source) ? source : readFileSync(source.file)).length;
        return bucket.put(key, source, headers);
      },
      putIf: (...[key, body, headers, condition]: Parameters<typeof bucket.putIf>) => {
        bytes += body.length;
        return bucket.putIf(key, body, headers, condition);
      },
    };
    const after = await reprice("cost");
    const { counts } = await publish(after, { ...OPTIONS, keep: 2 }, portsOf(counting));
    const files = after.manifest.totals().files;
    expect(counts).toMatchObject({ new: 0, deleted: 0, uncertain: 0, kept: files - counts.changed });
    expect(counts.changed).toBeGreaterThan(2);
    expect(store.seen.length).toBe(counts.changed + 7);
    expect(bytes - counts.putBytes).toBeLessThan(10_000);
    await expectLive(store.upstream, "cost", after);
    await expectRelease("cost", after);

    // The third release takes the first one's place; a new base then lets go of what came before it.
    await publishTo("cost", await shop.build("cost-whole", { ...TINY_CONFIG, pageSizes: [2] }), { keep: 2 });
    await publishTo("cost", await shop.build("cost-whole-2"), { keep: 2, allowShrink: 1000 });
    expect(await partsAt("cost")).toBe("base 4, base 5");
    const last = await reprice("cost-whole-2");
    store.reset();
    const report = await publishTo("cost", last, { keep: 2 });
    expect(store.seen.length).toBe(report.counts.changed + 8);
    expect(await partsAt("cost")).toBe("base 5, delta 6");
  });

  it("takes what several builds have done since, each key once and as it is now", async () => {
    await publishTo("several", await shop.build("several"));
    const { slugs } = shop;
    shop.sql(`UPDATE products SET name = name || ' II' WHERE slug = '${slugs[1]}';
      UPDATE products SET description_html = '<p>Another text.</p>' WHERE slug = '${slugs[0]}'`);
    await shop.build("several");
    shop.sql(`UPDATE products SET slug = 'waiting' WHERE slug = '${slugs[2]}';
      UPDATE products SET slug = '${slugs[2]}' WHERE slug = '${slugs[3]}';
      UPDATE products SET slug = '${slugs[3]}' WHERE slug = 'waiting'`);
    await shop.build("several");
    await reprice("several");
    shop.sql(`UPDATE products SET name = rtrim(name, ' I') WHERE slug = '${slugs[1]}'`);
    const after = await reprice("several");
    const deltas = deltaFiles(after.layout).map((file) => join(after.layout.deltas, file));
    expect(deltas.length).toBe(4);
    // A price is no more than what lists show of a product; what a former delta says of its text must stay.
    expect([...openDelta(deltas[2] ?? "").lines].filter((line) => "resource" in line)).toEqual([
      { resource: "product", listed: expect.objectContaining({ columns: expect.anything() }) },
    ]);
    store.reset();
    const { counts } = await publishTo("several", after);
    expect([counts.new, counts.deleted]).toEqual([0, 0]);
    expect(store.seen.length).toBe(counts.changed + 7);
    await expectLive(store.upstream, "several", after);
    await expectRelease("several", after);
    expect(await partsAt("several")).toBe("base 1, delta 2");
  });

  it("counts what came and what went", async () => {
    await publishTo("counts", await shop.build("counts"));
    shop.sql(`UPDATE products SET slug = 'another-slug' WHERE slug = '${shop.slugs[0]}'`);
    const after = await shop.build("counts");
    shop.sql(`UPDATE products SET slug = '${shop.slugs[0]}' WHERE slug = 'another-slug'`);
    const { counts } = await publishTo("counts", after);
    expect(counts).toMatchObject({ new: 1, deleted: 1 });
    expect(await partsAt("counts")).toBe("base 1, delta 2");
    await expectLive(store.upstream, "counts", after);
  });

  it("is none where nothing leads from what is live to the snapshot, or a delta is damaged", async () => {
    await publishTo("foreign", await shop.build("foreign"));
    await reprice("foreign-other");
    await publishTo("foreign", await reprice("foreign-other"));
    expect(await partsAt("foreign")).toBe("base 1, base 2");
    await publishTo("foreign", await reprice("foreign-other"));
    expect(await partsAt("foreign")).toBe("base 1, base 2, delta 3");
    const damaged = await reprice("foreign-other");
    const [last = ""] = deltaFiles(damaged.layout).slice(-1);
    writeFileSync(join(damaged.layout.deltas, last), "{}\n");
    await publishTo("foreign", damaged);
    expect(await partsAt("foreign")).toBe("base 1, base 2, delta 3, base 4");
    await expectLive(store.upstream, "foreign", damaged);
  });

  it("keeps what kept releases are made of, and nothing else, over many releases", async () => {
    let snapshot = await shop.build("many");
    for (let round = 0; round < 20; round++) {
      await publishTo("many", snapshot, { keep: 3 });
      const { parts, releases } = await readLive(at("many"));
      const names = parts.flatMap(({ id, kind }) =>
        (kind === "base" ? ["catalog.sqlite.gz", "manifest.tsv.gz"] : ["delta.ndjson.gz"]).map(
          (name) => `releases/${id}/${name}`,
        ),
      );
      expect(controls("many")).toEqual(["current.json", ...names.sort()]);
      for (const { id } of releases) expect(chainOf(parts, id).length).toBeGreaterThan(0);
      await expectRelease("many", snapshot);
      snapshot = await reprice("many");
    }
    // A quarter of a base so small is soon full: several bases came and went.
    const { parts } = await readLive(at("many"));
    expect(Number.parseInt(parts[0]?.id ?? "", 10)).toBeGreaterThan(1);
  });

  it("goes back over a new base, to a release that is base and deltas, byte for byte", async () => {
    const bucket = at("back");
    await publishTo("back", await shop.build("back"));
    const target = await reprice("back");
    await publishTo("back", target);
    const expected = new Map([...store.shadow].filter(([key]) => /^back\/(api|widgets)/.test(key)));
    await publishTo("back", await shop.build("back-whole", { ...TINY_CONFIG, pageSizes: [2] }), {});
    await publishTo("back", await reprice("back-whole"), { allowShrink: 1000 });
    expect(await partsAt("back")).toMatch(/^base 1, delta 2, base 3, /);
    const out = mkdtempSync(join(folder, "back-"));
    const { snapshot, id } = await restoreRelease(bucket, "00000002", out, SILENT);
    await publish(snapshot, { ...OPTIONS, allowShrink: 1000, rollbackOf: id }, portsOf(bucket));
    snapshot.manifest.close();
    expect(new Map([...store.shadow].filter(([key]) => /^back\/(api|widgets)/.test(key)))).toEqual(expected);
    // And forward again, by the deltas of the builds.
    const forward = await reprice("back");
    await publish(forward, { ...OPTIONS, allowShrink: 1000, resume: true }, portsOf(bucket));
    await expectLive(store.upstream, "back", forward);
    expect(await partsAt("back")).toMatch(/base 5, delta 6$/);
  });

  it("is what check --remote compares with", async () => {
    const options = { sample: 0, progress: () => undefined };
    const bucket = at("checked");
    await publishTo("checked", await shop.build("checked"));
    await publishTo("checked", await reprice("checked"));
    expect((await checkBucket(bucket, folder, options)).problems).toEqual([]);
    await bucket.put(`api/v1/product/slug=${shop.slugs[0]}.json`, Buffer.from("{}"), FILE_HEADERS);
    expect((await checkBucket(bucket, folder, options)).problems).toEqual([
      `api/v1/product/slug=${shop.slugs[0]}.json: other bytes are served than the release's`,
    ]);
  });

  it("reads the pointer of a version that knew no deltas, and begins with a base", async () => {
    const bucket = at("older");
    const first = await shop.build("older");
    await publishTo("older", first);
    await publishTo("older", await reprice("older-2"));
    const { parts: _parts, ...older } = JSON.parse(String((await bucket.get(POINTER_KEY))?.body)) as Pointer;
    await bucket.put(POINTER_KEY, Buffer.from(JSON.stringify({ ...older, format: 1 })), FILE_HEADERS);
    await publishTo("older", await reprice("older-2"));
    expect(await partsAt("older")).toBe("base 1, base 2, base 3");
    const last = await reprice("older-2");
    await publishTo("older", last);
    expect(await partsAt("older")).toBe("base 1, base 2, base 3, delta 4");
    await expectRelease("older", last);
  });
});

describe("two publishers by delta", () => {
  it("of whom one commits; the other compares, and publishes after it", async () => {
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
    if (winner === undefined) throw new Error("what is live is nobody's");
    await expectLive(store.upstream, "race", winner);
    await expectRelease("race", winner);
    for (const snapshot of snapshots) {
      await publishTo("race", snapshot);
      await expectLive(store.upstream, "race", snapshot);
      await expectRelease("race", snapshot);
    }
  });
});

describe("who follows releases", () => {
  const homeOf = (name: string) => join(folder, `follower-${name}`);
  /** Bytes of a file, and of its log. */
  const textOf = (file: string) =>
    [file, `${file}-wal`].map((name) => (existsSync(name) ? readFileSync(name, "latin1") : "")).join();

  it("fetches only the deltas since, applies them to the file, and tells what it is then", async () => {
    await publishTo("follow", await shop.build("follow"));
    const told: string[] = [];
    const follower = await followBucket(at("follow"), homeOf("follow"), {
      told: ({ digest }) => {
        told.push(digest);
      },
    });
    const file = follower.file();
    const digests: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++) {
      const snapshot = await reprice("follow");
      digests.push(snapshot.manifest.meta["catalog_digest"]);
      await publishTo("follow", snapshot);
    }
    const reader = openCatalog(file);
    store.reset();
    expect(await follower.look()).toBe(true);
    // Whoever has the file open sees the new one.
    expect(reader.db.prepare("SELECT value FROM meta WHERE name = 'digest'").pluck().get()).toBe(digests[1]);
    reader.close();
    const { releases, parts } = await readLive(at("follow"));
    expect(store.seen.map(({ key }) => key.slice("follow/".length))).toEqual([
      POINTER_KEY,
      ...releases
        .slice(0, 2)
        .reverse()
        .map(({ id }) => deltaKey(id)),
      POINTER_KEY,
    ]);
    expect(told).toEqual([digests[1]]);
    expect(follower.file()).toBe(file);
    expect(digestCatalog(file)).toBe(digests[1]);
    expect(parts.length).toBe(3);
    expect(await follower.look()).toBe(false);
    await follower.stop();
    expect(readdirSync(homeOf("follow")).sort()).toEqual([basename(dirname(file)), "present.json"]);
  });

  it("fetches nothing where a release has the catalog that it has", async () => {
    await publishTo("same", await shop.build("same"));
    const follower = await followBucket(at("same"), homeOf("same"));
    const file = follower.file();
    await publishTo("same", await reprice("same"));
    const { snapshot } = await restoreRelease(at("same"), undefined, join(folder, "same-back"), SILENT);
    await publishTo("same", snapshot);
    snapshot.manifest.close();
    store.reset();
    expect(await follower.look()).toBe(true);
    expect(store.seen.map(({ key }) => key)).toEqual([`same/${POINTER_KEY}`]);
    expect(follower.file()).toBe(file);
    await follower.stop();
  });

  it("fetches all where its file is not what it should be, whatever it is", async () => {
    await publishTo("odd", await shop.build("odd"));
    const follow = async () => {
      const follower = await followBucket(at("odd"), homeOf("odd"));
      await follower.stop();
      return follower.file();
    };
    let file = await follow();
    const other = await reprice("odd-other");
    const mark = join(homeOf("odd"), "present.json");
    for (const spoil of [
      (file: string) => writeFileSync(file, readFileSync(other.layout.catalog)),
      (file: string) => writeFileSync(file, "garbage"),
      (file: string) => rmSync(file),
      () => rmSync(mark),
      () => writeFileSync(mark, "00000000-nothing"),
      () =>
        writeFileSync(mark, readFileSync(mark, "utf8").replace(/"id":"[^"]+"/, '"id":"00000000-nothing"')),
      () => writeFileSync(mark, '{"id":"x","folder":"../../odd-other"}'),
    ]) {
      spoil(file);
      const snapshot = await reprice("odd");
      await publishTo("odd", snapshot);
      file = await follow();
      expect(holdsCatalog(file, snapshot)).toBe(true);
      expect(readdirSync(homeOf("odd"))).toHaveLength(2);
    }
    expect(existsSync(other.layout.catalog)).toBe(true);
  });

  /** Leaves a file as a process does that dies while it changes it: half of a change is in its log, and was not committed. */
  function cutOff(file: string): void {
    const db = new Database(file);
    db.pragma("cache_size = 1");
    db.exec("BEGIN; UPDATE product_list SET json = json || ' '; UPDATE review_list SET json = json || ' '");
    const log = readFileSync(`${file}-wal`);
    db.exec("ROLLBACK");
    db.close();
    expect(log.length).toBeGreaterThan(0);
    writeFileSync(`${file}-wal`, log);
  }

  it("undoes a change of its file that was cut off, and goes on from there", async () => {
    const first = await shop.build("cut");
    await publishTo("cut", first);
    const follow = async () => {
      const follower = await followBucket(at("cut"), homeOf("cut"));
      await follower.stop();
      return follower.file();
    };
    const file = await follow();
    cutOff(file);
    expect(await follow()).toBe(file);
    expect(holdsCatalog(file, first)).toBe(true);
    cutOff(file);
    const second = await reprice("cut");
    await publishTo("cut", second);
    store.reset();
    expect(await follow()).toBe(file);
    expect(holdsCatalog(file, second)).toBe(true);
    expect(store.seen.some(({ key }) => key.endsWith("catalog.sqlite.gz"))).toBe(false);
  });

  it("has nothing left of a review that was withdrawn, in the file or its log, while somebody reads on", async () => {
    const word = "quixoticzephyr";
    const product = `(SELECT id FROM products WHERE slug = '${shop.slugs[0]}')`;
    shop.sql(`UPDATE reviews SET product_id = ${product}, status = 'approved', title = '${word}', body = '${word} ${word}'
      WHERE id = (SELECT MIN(id) FROM reviews)`);
    await publishTo("gone", await shop.build("gone"));
    const follower = await followBucket(at("gone"), homeOf("gone"));
    const reader = openCatalog(follower.file());
    expect(textOf(follower.file()).includes(word)).toBe(true);
    shop.sql("UPDATE reviews SET status = 'rejected' WHERE id = (SELECT MIN(id) FROM reviews)");
    await publishTo("gone", await shop.build("gone"));
    expect(await partsAt("gone")).toBe("base 1, delta 2");
    await follower.look();
    expect(textOf(follower.file()).includes(word)).toBe(false);
    reader.close();
    await follower.stop();
    const { release } = await readLive(at("gone"));
    const delta = store.shadow.get(`gone/${deltaKey(release)}`);
    expect(gunzipSync(delta ?? Buffer.alloc(0)).toString()).not.toContain(word);
  });

  it("refuses deltas that are out of order, cut off or another's", async () => {
    for (let round = 0; round < 3; round++)
      await publishTo("order", round === 0 ? await shop.build("order") : await reprice("order"));
    const pointer = await readLive(at("order"));
    const named = releaseCatalog(pointer, pointer.release);
    const { chain } = named;
    const file = join(folder, "order", "catalog.sqlite");
    mkdirSync(join(folder, "order"));
    const [second = "", third = ""] = chain.slice(1).map(({ id }) => deltaKey(id));
    const bytesOf = (key: string) => store.shadow.get(`order/${key}`) ?? Buffer.alloc(0);
    const [ofSecond, ofThird] = [bytesOf(second), bytesOf(third)];
    const text = gunzipSync(ofThird).toString();
    const spoiled: [string, Buffer][] = [
      [second, ofThird],
      [third, ofSecond],
      [third, gzipSync(text.slice(0, -20))],
      [third, gzipSync(text.replaceAll(/"regular_price\w*":\d+|"price\w*":\d+/g, '"price":1'))],
    ];
    for (const [key, bytes] of spoiled) {
      await at("order").put(key, bytes, FILE_HEADERS);
      await expect(fetchCatalog(at("order"), named, file)).rejects.toMatchObject({ code: "remote_invalid" });
      await at("order").put(second, ofSecond, FILE_HEADERS);
      await at("order").put(third, ofThird, FILE_HEADERS);
    }
    const [base, , last] = chain;
    if (base === undefined || last === undefined) throw new Error("three parts");
    await expect(fetchManifest(at("order"), [base, last], folder)).rejects.toMatchObject({
      code: "remote_invalid",
    });
    await fetchCatalog(at("order"), named, file);
    const lines = [...openDelta(join(shop.folder, "order/deltas", "00000002.ndjson")).lines];
    expect(lines.length).toBeGreaterThan(1);
  });
});

describe("parts", () => {
  const part = (id: string, kind: "base" | "delta", sizeBytes = 0) => ({ id, kind, sizeBytes });
  const parts = [
    part("1", "base", 1000),
    part("2", "delta"),
    part("3", "base", 1000),
    part("4", "delta", 100),
  ];
  const ids = (chain: readonly { id: string }[]) => chain.map(({ id }) => id).join();

  it.each([
    ["1", "1"],
    ["2", "1,2"],
    ["3", "3"],
    ["4", "3,4"],
  ])("of release %s are %s", (release, chain) => {
    expect(ids(chainOf(parts, release))).toBe(chain);
  });
  it("of a release that nobody knows are told", () => {
    expect(() => chainOf(parts, "5")).toThrow("does not say what release 5 is made of");
  });
  it("take deltas up to a quarter of their base, and fifty of them", () => {
    const chain = chainOf(parts, "4");
    expect([takesDelta(chain, 150), takesDelta(chain, 151)]).toEqual([true, false]);
    const long = [part("0", "base", 1000), ...Array.from({ length: 49 }, (_, at) => part(`${at}`, "delta"))];
    expect([takesDelta(long, 1), takesDelta([...long, part("x", "delta")], 1)]).toEqual([true, false]);
    expect(takesDelta([part("0", "base")], 1)).toBe(false);
  });
  it.each([
    [["5"], "3,4,5"],
    [["5", "4"], "3,4,5"],
    [["5", "4", "3"], "3,4,5"],
    [["5", "4", "3", "2"], "1,2,3,4,5"],
  ])("that are needed for %s are %s", (kept, needed) => {
    expect(ids(neededParts([...parts, part("5", "delta")], kept))).toBe(needed);
    expect(ids(neededParts([...parts, part("5", "base")], ["5"]))).toBe("5");
  });
});
