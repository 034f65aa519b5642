/**
 * A folder's memory of a place: damaged, in another format, torn or lying. A publish still ends correctly, because it fetches whatever the
 * digests do not confirm. Only the names of objects made from partitions (`made`) are trusted: a user who can write there can also write
 * the snapshot, and a follower refuses a release whose records do not give its catalog.
 */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import type { MemoryStore } from "../support/memory-bucket.ts";
import {
  createFaultyMemory,
  expectLive,
  expectObjects,
  memoryAt,
  OPTIONS,
  portsOf,
} from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

interface Inputs {
  readonly file: string;
  /** The snapshot to publish next. */
  readonly next: Snapshot;
}

const sql =
  (text: string) =>
  ({ file }: Inputs): void => {
    const db = new Database(file);
    db.exec(text);
    db.close();
  };

/** Claims that every file is already live as it will be. */
function lie({ file, next }: Inputs): void {
  const db = new Database(file);
  const insert = db.prepare("INSERT OR REPLACE INTO live VALUES (?, ?, ?, ?)");
  for (const { key, etag, sizeBytes, generatedAt } of next.manifest.entries())
    insert.run(key, etag, sizeBytes, generatedAt);
  db.close();
}

const HARMS: Readonly<Record<string, (inputs: Inputs) => void>> = {
  "that is not a database": ({ file }) => writeFileSync(file, "not a database"),
  "that is empty": ({ file }) => writeFileSync(file, ""),
  "cut in half": ({ file }) => truncateSync(file, Math.floor(readFileSync(file).length / 2 / 4096) * 4096),
  "with foreign pages": ({ file }) => {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 4096, 3 * 4096));
  },
  "of another format": sql("PRAGMA user_version = 2"),
  "of another format, with other tables": sql("DROP TABLE live; PRAGMA user_version = 7"),
  "with other tables": sql("DROP TABLE live; CREATE TABLE live (more TEXT)"),
  "with a missing table": sql("DROP TABLE made"),
  "with a trigger": sql("CREATE TRIGGER more AFTER DELETE ON live BEGIN DELETE FROM made; END"),
  "that claims the next files to be live": lie,
  "with other ETags": sql(`UPDATE live SET etag = 'W/"' || hex(zeroblob(16)) || '"'`),
  "with other sizes": sql("UPDATE live SET sizeBytes = sizeBytes + 1"),
  "that lacks a key": sql("DELETE FROM live WHERE key = (SELECT min(key) FROM live)"),
  "that lacks all keys": sql("DELETE FROM live"),
  "with an extra key": sql(
    `INSERT INTO live VALUES ('api/v1/product/slug=ghost.json', 'W/"${"0".repeat(32)}"', 1, 'x')`,
  ),
  "with impossible keys": sql(
    `INSERT INTO live VALUES ('../../victim', 'x', 1, 'x'), (x'ff00', x'00', 1, x'00')`,
  ),
  "with indexes that are not gzip": sql("UPDATE release_index SET content = x'00'"),
  "with swapped indexes": sql(
    "UPDATE release_index SET content = (SELECT content FROM release_index AS o WHERE o.name <> release_index.name)",
  ),
  "without indexes": sql("DELETE FROM release_index"),
  "that names missing objects": sql(`UPDATE made SET name = '${"0".repeat(64)}'`),
  "that names impossible objects": sql("UPDATE made SET name = '../../victim'"),
  "that made nothing": sql("DELETE FROM made"),
};

describe("a memory of a place", () => {
  let shop: TinyShop;
  /** Two releases were published from its folder, and `next` and `after` were built there. */
  let live: MemoryStore["objects"];
  let next: Snapshot;
  let after: Snapshot;
  beforeAll(async () => {
    shop = createTinyShop(8);
    const store = createFaultyMemory();
    for (const name of ["First", "Second"])
      await publish(await build(name), OPTIONS, portsOf(memoryAt(store, "shop")));
    live = store.upstream.objects;
    next = copyOf(await build("Next"), "next");
    after = copyOf(await build("After"), "after");
  });
  afterAll(() => shop.close());

  const build = (name: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return shop.build("memory");
  };

  /** A snapshot with its folder, which has the memory. */
  function copyOf(snapshot: Snapshot, name: string): Snapshot {
    const folder = join(shop.folder, name);
    rmSync(folder, { recursive: true, force: true });
    cpSync(dirname(snapshot.layout.site), folder, { recursive: true });
    const layout = layoutOf(folder);
    return { ...snapshot, layout, manifest: openManifest(layout.manifest) };
  }

  it.each(Object.keys(HARMS))("%s does not spoil the next publish", async (what) => {
    const store = createFaultyMemory();
    for (const [key, object] of live) store.upstream.objects.set(key, object);
    const bucket = memoryAt(store, "shop");
    const harmed = copyOf(next, "harmed");
    const { places } = harmed.layout;
    const [name = ""] = readdirSync(places);
    HARMS[what]?.({ file: join(places, name), next });
    await publish(harmed, OPTIONS, portsOf(bucket));
    harmed.manifest.close();
    await expectLive(store.upstream, "shop", next);
    await expectObjects(bucket, next);
    // And it is right again.
    store.reset();
    const layout = { ...after.layout, places };
    await publish({ ...after, layout }, OPTIONS, portsOf(bucket));
    expect(store.seen.filter(({ method, key }) => method === "GET" && key.includes("/objects/"))).toEqual([]);
    await expectLive(store.upstream, "shop", after);
    await expectObjects(bucket, after);
  });
});
