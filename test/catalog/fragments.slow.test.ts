import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeJson, type Json } from "../../src/base/json.ts";
import {
  copyFragments,
  FragmentReader,
  FragmentStore,
  type Fragments,
  type PackedFragments,
} from "../../src/catalog/fragments.ts";
import { RESOURCES } from "../../src/catalog/resources.ts";

type Rows = ReadonlyMap<number, Json>;

const NAME = "category";

function createDatabase(): Database.Database {
  const db = new Database(":memory:");
  db.exec(`CREATE TABLE ${NAME}_list (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`);
  return db;
}

function write(db: Database.Database, rows: Rows): void {
  db.exec(`DELETE FROM ${NAME}_list`);
  const insert = db.prepare(`INSERT INTO ${NAME}_list VALUES (?, ?)`);
  for (const [id, json] of rows) insert.run(id, json);
}

function idsOf(rows: Rows): Float64Array {
  return Float64Array.from(rows.keys()).sort();
}

function said(fragments: Fragments, count: number): unknown {
  const rows = Uint32Array.from({ length: count }, (_, row) => count - 1 - row);
  const target = Buffer.alloc(fragments.joinedSize(rows) + 7);
  const end = fragments.join(rows, target, 7);
  return [
    [...rows].map((row) => [fragments.at(row).toString(), fragments.size(row)]),
    target.subarray(7).toString(),
    end,
  ];
}

function expected(rows: Rows): unknown {
  const texts = [...idsOf(rows)].map((id) => rows.get(id) as string).reverse();
  const joined = texts.join(",");
  return [texts.map((text) => [text, Buffer.byteLength(text)]), joined, 7 + Buffer.byteLength(joined)];
}

/** Some are larger than a chunk, and letters have up to four bytes. */
const json = fc
  .tuple(fc.constantFrom("", "é", "\u{1f600}", "plain"), fc.oneof(fc.nat(90_000), fc.nat(40)))
  .map(([text, times]) => encodeJson(text.repeat(times)));
const id = fc.integer({ min: 1, max: 40 });
const start = fc.uniqueArray(fc.tuple(id, json), { maxLength: 30, selector: ([key]) => key });

function bytesOf(rows: Rows): number {
  return [...rows.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

it("says what the file has", () => {
  fc.assert(
    fc.property(start, (all) => {
      const db = createDatabase();
      const rows: Rows = new Map(all);
      write(db, rows);
      expect(said(new FragmentReader(db, NAME, idsOf(rows)), rows.size)).toEqual(expected(rows));
      db.close();
    }),
    { numRuns: 40 },
  );
});

it("says the same where it reads more than it keeps", () => {
  const db = createDatabase();
  const rows: Rows = new Map(
    Array.from({ length: 900 }, (_, at) => [at + 1, encodeJson(`é${at} `.repeat(14_000))]),
  );
  expect(bytesOf(rows)).toBeGreaterThan(64 * 2 ** 20);
  write(db, rows);
  const file = new FragmentReader(db, NAME, idsOf(rows));
  for (let time = 0; time < 2; time++) expect(said(file, rows.size)).toEqual(expected(rows));
  db.close();
});

it.each([64 * 2 ** 20, 2500, 0])(
  "copies them into memory and files alike, with %i bytes of memory",
  (sharedBytes) => {
    const home = mkdtempSync(join(tmpdir(), "vitrine-test-"));
    const [catalog, folder] = [join(home, "catalog.sqlite"), join(home, "fragments")];
    const rows: Rows = new Map([3, 1, 700].map((own) => [own, encodeJson(`é${own} `.repeat(200))]));
    const db = new Database(catalog);
    for (const { name } of RESOURCES)
      db.exec(`CREATE TABLE ${name}_list (id INTEGER PRIMARY KEY, json TEXT NOT NULL)`);
    write(db, rows);
    db.close();
    const copies = copyFragments(catalog, folder, sharedBytes);
    const fragments = new FragmentStore(copies.get(NAME) as PackedFragments);
    expect(said(fragments, rows.size)).toEqual(expected(rows));
    const chunks = [...copies.values()].flatMap((copy) => copy.chunks);
    const inMemory = chunks.reduce<number>(
      (sum, each) => sum + (typeof each === "number" ? 0 : each.length),
      0,
    );
    expect(inMemory).toBeLessThanOrEqual(sharedBytes);
    fragments.close();
    rmSync(home, { recursive: true });
  },
);
