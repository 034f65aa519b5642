import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell } from "../../src/api/record.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { type Conditions, RecordList } from "../../src/catalog/record-list.ts";
import { type Resource, resourceNamed } from "../../src/catalog/resources.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { planFamilies } from "../../src/site/grid.ts";
import { CHINOOK, demoInputs, smallStore, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

type Columns = Readonly<Record<string, Cell>>;

/** Texts whose order differs by code units, by code points and when folded, and some with the same beginning. */
const TEXTS = ["", "a", "a\u0000", "ab", "b", "B", "é", "\uffee", "\u{1f600}", "2026-11-20", "1"];
/** Equal in a part of their seconds, and the first and the last of all. */
const TIMES = [
  "2026-11-20T19:00:00+00:00",
  "2026-11-20T19:00:01+00:00",
  "2026-11-21T13:12:16+00:00",
  "1969-12-31T23:59:59+00:00",
  "0000-01-01T00:00:00+00:00",
  "9999-12-31T23:59:59+00:00",
];
const NUMBERS = [-7.5, -1, -0, 0, 1, 2, 3, 4, 5, 10, 99.99, 100_000];
/** More rows than are read in one step; most of them repeat. */
const MAX_ROWS = 60;

function columnsOf(resource: Resource): fc.Arbitrary<Columns> {
  const cells = Object.entries(resource.columns).map(([name, type]) => {
    // Short lists of values, because ties are the difficult part. Some values are common, others rare.
    const all: readonly (string | number)[] = type === "TIME" ? TIMES : type === "TEXT" ? TEXTS : NUMBERS;
    const first = all.indexOf(0) + 1;
    const common = all.slice(first, first + 2);
    const whole =
      type === "INTEGER" ? all.filter((value) => typeof value === "string" || value % 1 === 0) : all;
    const cell = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<Cell>(...common) },
      fc.constantFrom<Cell>(null, ...whole),
    );
    return [name, cell] as const;
  });
  return fc.record(Object.fromEntries(cells));
}

/** A database with these rows, `copies` times, with gaps between ids. Copies differ in the range's column, which gets many values. */
function databaseOf(resource: Resource, rows: readonly Columns[], copies: number): Database.Database {
  const db = new Database(":memory:");
  const names = Object.keys(resource.columns);
  const declared = names.map((name) => `${name} ${resource.columns[name]}`);
  db.exec(`CREATE TABLE ${resource.name} (id INTEGER PRIMARY KEY, ${declared.join(", ")})`);
  const insert = db.prepare(`INSERT INTO ${resource.name} VALUES (?, ${names.map(() => "?").join(", ")})`);
  let id = -3;
  db.transaction(() => {
    for (let copy = 0; copy < copies; copy++)
      for (const row of rows) {
        const cellOf = (name: string) =>
          name === resource.range?.column && row[name] != null ? Number(row[name]) + copy : row[name];
        insert.run(id, ...names.map((name) => cellOf(name) ?? null));
        id += id % 3 === 0 ? 5 : 1;
      }
  })();
  return db;
}

interface Asked {
  readonly conditions: Conditions;
  readonly sort: string | null;
  readonly offset: number;
  readonly limit: number;
}

function askedOf(resource: Resource): fc.Arbitrary<Asked> {
  const filters = Object.entries(resource.filters).map(([param, { column }]) => {
    const values = resource.columns[column] === "TEXT" ? TEXTS : NUMBERS.filter((value) => value >= 0);
    return fc.option(
      fc.constantFrom(...values.map(String), "none").map((value) => [param, value] as const),
      {
        freq: 1,
      },
    );
  });
  const bound = resource.range === null ? fc.constant(null) : fc.option(fc.constantFrom(...NUMBERS, 3.5));
  return fc.record({
    conditions: fc.tuple(fc.tuple(...filters), bound, bound).map(([equal, min, max]) => ({
      equal: equal.filter((each) => each !== null),
      ...(min === null ? {} : { min }),
      ...(max === null ? {} : { max }),
    })),
    sort: fc.constantFrom(null, ...Object.keys(resource.sorts)),
    offset: fc.constantFrom(0, 1, 20, 5000, 1e15),
    limit: fc.constantFrom(1, 7, 100, Number.MAX_SAFE_INTEGER),
  });
}

/** Ids of all rows that meet the conditions, from SQLite. */
function idsBySql(db: Database.Database, resource: Resource, { conditions, sort }: Asked): number[] {
  const { equal, min, max } = conditions;
  const isText = (column: string) => resource.columns[column] === "TEXT";
  const wheres = equal.map(([param]) => {
    const { column, compare } = resource.filters[param] as Resource["filters"][string];
    return `${column} ${compare === "equals" ? "=" : ">="} ?`;
  });
  const values: Cell[] = equal.map(([param, value]) => {
    const { column } = resource.filters[param] as Resource["filters"][string];
    return isText(column) ? value : value === "none" ? Number.NaN : Number(value);
  });
  if (min !== undefined) wheres.push(`${resource.range?.column} >= ${min}`);
  if (max !== undefined) wheres.push(`${resource.range?.column} <= ${max}`);
  const keys = resource.sorts[sort ?? (Object.keys(resource.sorts)[0] as string)] ?? [];
  const order = keys.map(({ column, descending }) => `${column}${descending ? " DESC" : ""}`);
  const where = wheres.length === 0 ? "" : `WHERE ${wheres.join(" AND ")}`;
  const sql = `SELECT id FROM ${resource.name} ${where} ORDER BY ${[...order, "id DESC"].join(", ")}`;
  return db
    .prepare<Cell[], number>(sql)
    .pluck()
    .all(...values);
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function idsOf({ ids }: RecordList, rows: Uint32Array): (number | undefined)[] {
  return [...rows].map((row) => ids[row]);
}

describe.each(["product", "review", "thread"] as const)("the list of %ss", (name) => {
  const resource = resourceNamed(name);
  const shops = fc.record({
    rows: fc.array(columnsOf(resource), { maxLength: MAX_ROWS, size: "max" }),
    copies: fc.constantFrom(1, 3, 30),
    asked: fc.array(askedOf(resource), { minLength: 20, maxLength: 60 }),
  });

  it("has the same pages as SQLite, also past the end", () => {
    fc.assert(
      fc.property(shops, ({ rows, copies, asked }) => {
        const db = databaseOf(resource, rows, copies);
        const list = RecordList.read(db, resource);
        for (const each of asked) {
          const ids = idsBySql(db, resource, each);
          const page = list.page(each.conditions, each.sort, each.offset, each.limit);
          expect(page.total).toBe(ids.length);
          expect(idsOf(list, page.rows)).toEqual(ids.slice(each.offset, each.offset + each.limit));
        }
        db.close();
      }),
      { numRuns: 15 },
    );
  });

  it("filters and sorts a search's hits", () => {
    fc.assert(
      fc.property(shops, fc.nat(), ({ rows, copies, asked }, step) => {
        const db = databaseOf(resource, rows, copies);
        const list = RecordList.read(db, resource);
        const all = [...list.rowsInOrder(null)];
        // Some rows, in an order that no column has.
        const found = all
          .map((_, at) => (at * 7919 + step) % Math.max(1, all.length))
          .filter((row) => row % 3 > 0);
        const unique = Uint32Array.from(new Set(found));
        for (const { conditions, sort, offset, limit } of asked) {
          const page = list.page({ ...conditions, found: unique }, sort, offset, limit);
          const kept = new Set(idsBySql(db, resource, { conditions, sort, offset, limit }));
          const best = idsOf(list, unique).filter((id) => kept.has(id ?? Number.NaN));
          const ids = sort === null ? best : [...kept].filter((id) => best.includes(id));
          expect(page.total).toBe(ids.length);
          expect(idsOf(list, page.rows)).toEqual(ids.slice(offset, offset + limit));
        }
        db.close();
      }),
      { numRuns: 10 },
    );
  });

  it("finds rows by id", () => {
    const db = databaseOf(resource, [{}, {}, {}, {}, {}], 2);
    const list = RecordList.read(db, resource);
    for (const [row, id] of list.ids.entries()) {
      expect(list.rowOf(id)).toBe(row);
      if (list.ids[row + 1] !== id + 1) expect(list.rowOf(id + 1)).toBe(-1);
    }
    expect([...list.rowsOf(list.ids.toReversed())]).toEqual([...list.ids.keys()].reverse());
    db.close();
  });
});

/** A quarter of Chinook. */
function partOfChinook(): string {
  const file = join(folder, "chinook-store.sqlite");
  copyFileSync(CHINOOK.store, file);
  const db = new Database(file);
  db.exec(
    "PRAGMA foreign_keys = OFF; DELETE FROM Track WHERE AlbumId % 4 > 0; DELETE FROM Album WHERE AlbumId % 4 > 0",
  );
  db.close();
  return file;
}

describe.each([
  ["the demo shop", demoInputs(smallStore(), "")],
  ["Chinook", { ...CHINOOK, store: partOfChinook(), out: "" }],
])("the lists of %s", (shop, inputs) => {
  it("are the ones that its pages are made of", async () => {
    const file = join(folder, `${shop}.sqlite`);
    await extractTemporarily(inputs, file);
    using catalog = openCatalog(file);
    let lists = 0;
    const config = { ...catalog.config, grid: { ...catalog.config.grid, depth: 2 } };
    for (const family of planFamilies(config)) {
      if (family.kind === "single" || family.kind === "detail") continue;
      const { resource, filters, sort, endpoint } = family;
      const list = catalog.list(resource.name);
      const isDefault = (param: string, value: string) =>
        endpoint.params.find(({ name }) => name === param)?.default === value;
      const found = new Set<string>();
      for (const { values, rows } of list.groups(filters, sort, isDefault)) {
        lists += 1;
        found.add(values.join("\n"));
        const equal = filters.map((param, at) => [param, values[at] ?? ""] as const);
        const page = list.page({ equal }, sort, 0, list.size);
        if (page.total !== rows.length || !bytesOf(page.rows).equals(bytesOf(rows)))
          expect(rows, `${family.name} ${values.join()}`).toEqual(page.rows);
      }
      const [param, another] = filters;
      if (param === undefined || another !== undefined) continue;
      const wanted = list.valuesOf(param).filter((value) => {
        const { total } = list.page({ equal: [[param, value]] }, sort, 0, 1);
        return total > 0 && !isDefault(param, value);
      });
      expect([...found], family.name).toEqual(wanted);
    }
    expect(lists).toBeGreaterThan(100);
  });
});
