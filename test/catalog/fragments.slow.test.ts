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
import { planMoves } from "../../src/catalog/moves.ts";
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
const edit = fc.record({
  put: fc.uniqueArray(fc.tuple(id, json), { maxLength: 5, selector: ([key]) => key }),
  deleted: fc.uniqueArray(id, { maxLength: 5 }),
});
const start = fc.uniqueArray(fc.tuple(id, json), { maxLength: 30, selector: ([key]) => key });

function bytesOf(rows: Rows): number {
  return [...rows.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

it("says the same in memory and from the file, after any changes too, and what was stays", () => {
  fc.assert(
    fc.property(start, fc.array(edit, { maxLength: 6 }), (first, edits) => {
      const db = createDatabase();
      let rows: Rows = new Map(first);
      write(db, rows);
      let pool = FragmentStore.load(db, NAME, idsOf(rows));
      let file = new FragmentReader(db, NAME, idsOf(rows));
      for (const { put, deleted } of edits) {
        const before = said(pool, rows.size);
        const former = rows;
        const gone = deleted.filter((one) => !put.some(([own]) => own === one)).sort((a, b) => a - b);
        const come = put.toSorted(([a], [b]) => a - b);
        const changes = { put: come.map(([own]) => ({ id: own })), deleted: gone };
        const moves = planMoves(idsOf(rows), changes);
        const texts = come.map(([, text]) => text);
        const next = new Map(rows);
        for (const one of gone) next.delete(one);
        for (const [own, text] of come) next.set(own, text);
        rows = next;
        write(db, rows);
        const nextPool = pool.next(moves, texts);
        // A second successor of the same list takes nothing from the first.
        const others = texts.map((text) => encodeJson(`other ${text}`));
        const other = pool.next(moves, others);
        expect(said(nextPool, rows.size)).toEqual(expected(rows));
        const changed = come.map(([own], i) => [own, others[i] as Json] as const);
        expect(said(other, rows.size)).toEqual(expected(new Map([...rows, ...changed])));
        expect(said(pool, former.size)).toEqual(before);
        file = file.next(moves);
        expect(said(file, rows.size)).toEqual(expected(rows));
        pool = nextPool;
      }
      db.close();
    }),
    { numRuns: 40 },
  );
});

it("holds at most a quarter more than what lives, however often a list changes", () => {
  const db = createDatabase();
  const text = (seed: number) => encodeJson(`${seed} `.repeat(2000));
  let rows: Rows = new Map(Array.from({ length: 300 }, (_, at) => [at + 1, text(at)]));
  write(db, rows);
  let pool = FragmentStore.load(db, NAME, idsOf(rows));
  for (let i = 0; i < 500; i++) {
    const changed = 1 + ((i * 7919) % 300);
    const moves = planMoves(idsOf(rows), { put: [{ id: changed }], deleted: [] });
    rows = new Map([...rows, [changed, text(i)]]);
    pool = pool.next(moves, [text(i)]);
    expect(pool.heldBytes).toBeLessThanOrEqual(bytesOf(rows) * 1.25);
  }
  expect(said(pool, rows.size)).toEqual(expected(rows));
  db.close();
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
