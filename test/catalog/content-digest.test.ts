/** The digests that say whether two catalogs, or two manifests, are the same. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeJson } from "../../src/base/json.ts";
import type { Sql } from "../../src/base/sql.ts";
import { type CatalogFileWriter, changeCatalog, createCatalog } from "../../src/catalog/catalog-file.ts";
import { digestOfRows } from "../../src/catalog/content-digest.ts";
import { RecordDigests } from "../../src/catalog/record-digests.ts";
import { resourceNamed } from "../../src/catalog/resources.ts";
import { type CatalogRow, storedDocument } from "../../src/catalog/row.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import { copyManifest, createManifest, type ManifestEntry } from "../../src/site/manifest.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const TIME = "2026-11-20T12:00:00+00:00";
const META = { config: "{}", store: "{}" };
const free = (): string => join(mkdtempSync(join(folder, "digest-")), "file.sqlite");

function category(id: number, name: string, slug = `category-${id}`): CatalogRow {
  const cells = Object.keys(resourceNamed("category").columns).map((column) =>
    column === "slug" ? slug : null,
  );
  return { id, cells, list: encodeJson({ id, name, slug }), added: null, document: null };
}

function catalogOf(
  put: (writer: CatalogFileWriter) => void,
  file = free(),
): { file: string; digest: string } {
  const writer = createCatalog(file);
  put(writer);
  const digest = writer.finish(META, TIME);
  writer.commit();
  return { file, digest };
}

it("is one digest for one catalog, whatever was put, changed and deleted on the way", () => {
  const rows = [category(1, "Kits"), category(2, "Themes"), category(3, "Fonts")];
  const straight = catalogOf((writer) => {
    for (const row of rows) writer.put("category", row);
  });
  const { file } = catalogOf((writer) => {
    for (const row of [category(9, "Gone"), category(3, "Old", "category-2"), category(1, "Kits")])
      writer.put("category", row);
  });
  const writer = changeCatalog(file);
  writer.delete("category", 9);
  for (const row of rows.toReversed()) writer.put("category", row);
  expect(writer.finish(META, TIME)).toBe(straight.digest);
  writer.commit();
  expect(digestCatalog(file)).toBe(straight.digest);
});

it("reads the digests of any number of rows, in texts that a Durable Object allows", () => {
  const { file } = catalogOf(() => undefined);
  const db = new Database(file);
  db.exec(`WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 70000)
    INSERT INTO review_digest SELECT id * 3, randomblob(16), iif(id % 2, randomblob(16), NULL) FROM n`);
  let longest = 0;
  const sql: Sql = {
    exec: (text) => db.exec(text),
    prepare: (text) => {
      const statement = db.prepare(text);
      const seen = {
        raw: () => {
          statement.raw();
          return seen;
        },
        get: (...bound: unknown[]) => {
          const row = statement.get(...bound) as (string | number | null)[];
          longest = Math.max(longest, ...row.map((cell) => String(cell).length));
          return row;
        },
      };
      return seen as never;
    },
  };
  const digests = new RecordDigests(sql).of("review");
  const stored = db.prepare("SELECT list, detail FROM review_digest ORDER BY id").raw().all() as [
    Buffer,
    Buffer | null,
  ][];
  const rows = [...stored.keys()];
  expect(digests.joined(Uint32Array.from(rows))).toEqual(Buffer.concat(stored.map(([list]) => list)));
  const wrong = rows.filter((row) => !digests.detail(row).equals(stored[row]?.[1] ?? Buffer.alloc(16)));
  expect(wrong).toEqual([]);
  expect(longest).toBeLessThan(2_000_000);
  db.close();
});

it("changes nothing for an equal row, and everything that differs of another", () => {
  const { file } = catalogOf((writer) => writer.put("category", category(1, "Kits")));
  const writer = changeCatalog(file);
  const writes = () => Number(writer.db.prepare("SELECT total_changes()").pluck().get());
  const before = writes();
  expect(writer.put("category", category(1, "Kits"))).toBe(false);
  expect(writes()).toBe(before);
  const document = storedDocument({ title: "Kits", excerpt: "", text: "of parts" });
  for (const next of [
    category(1, "Tools"),
    category(1, "Tools", "tools"),
    { ...category(1, "Tools", "tools"), document },
    { ...category(1, "Kits", "tools"), document: { ...document, text: "of tools" } },
  ]) {
    expect(writer.put("category", next)).toBe(true);
    const digest = writer.finish(META, TIME);
    expect(digest).toBe(catalogOf((other) => other.put("category", next)).digest);
  }
  writer.commit();
  digestCatalog(file);
});

it("has a row that lost its slug and gets it back in the same change", () => {
  const rows = [category(1, "Kits"), category(2, "Themes")];
  const { file, digest } = catalogOf((writer) => {
    for (const row of rows) writer.put("category", row);
  });
  const writer = changeCatalog(file);
  writer.put("category", category(2, "Themes", "category-1"));
  for (const row of rows.toReversed()) writer.put("category", row);
  expect(writer.finish(META, TIME)).toBe(digest);
  writer.commit();
  expect(digestCatalog(file)).toBe(digest);
});

it("differs for rows whose digests have the same sum, or the same differences bit by bit", () => {
  const { file } = catalogOf((writer) => {
    for (const id of [1, 2]) writer.put("category", category(id, "Kits"));
  });
  const db = new Database(file);
  const digestWith = (...lists: readonly number[]) => {
    const set = db.prepare("UPDATE category_digest SET list = ? WHERE id = ?");
    for (const [at, last] of lists.entries()) set.run(Buffer.alloc(16).fill(last, 15), at + 1);
    return digestOfRows(new RecordDigests(db));
  };
  const all = [digestWith(4, 8), digestWith(5, 7), digestWith(8, 4), digestWith(5, 9), digestWith(0, 12)];
  expect(new Set(all).size).toBe(all.length);
  db.close();
});

it("is not accepted if a stored digest is not its row's, or of no row", () => {
  for (const damage of [
    "UPDATE category_digest SET list = randomblob(16)",
    "INSERT INTO category_digest VALUES (2, randomblob(16), NULL)",
  ]) {
    const { file } = catalogOf((writer) => writer.put("category", category(1, "Kits")));
    const db = new Database(file);
    db.exec(damage);
    db.close();
    expect(() => digestCatalog(file), damage).toThrow(/category/);
  }
});

it("is one digest for one set of files, whatever was added, replaced and removed on the way", () => {
  const entry = (key: string, etag: string): ManifestEntry => ({
    key,
    digest: "d".repeat(64),
    sizeBytes: 10,
    etag: `W/"${etag.padStart(32, "0")}"`,
    generatedAt: "2026-11-20T12:00:00+00:00" as ManifestEntry["generatedAt"],
  });
  const keys = fc.uniqueArray(fc.stringMatching(/^[a-zé]{1,3}$/), { minLength: 1, maxLength: 12 });
  const made = { fingerprint: "", inputs: "", why: "" };
  fc.assert(
    fc.property(keys, (names) => {
      const wanted = names.map((name, at) => entry(`${name}.json`, String(at)));
      const straight = createManifest(free());
      for (const each of wanted) straight.add(each);
      const file = free();
      const before = createManifest(file);
      before.add(entry("Z.json", "9"));
      for (const each of wanted.toReversed()) before.add({ ...each, etag: 'W/"1"' });
      before.finish({});
      const next = copyManifest(file, free());
      next.remove(entry("Z.json", "9"));
      for (const each of wanted) next.replace({ ...each, etag: 'W/"1"' }, each, made);
      expect(next.finish({})).toEqual(straight.finish({}));
    }),
    { numRuns: 20 },
  );
});
