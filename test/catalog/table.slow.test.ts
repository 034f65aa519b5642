import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell } from "../../src/api/record.ts";
import { type Resource, resourceNamed } from "../../src/catalog/resources.ts";
import { type RowChanges, Table } from "../../src/catalog/table.ts";

type Columns = Readonly<Record<string, Cell>>;
type Rows = ReadonlyMap<number, Columns>;

/** Texts whose order by code units, by code points and by folding differ, and some that begin alike. */
const TEXTS = [
  "",
  "a",
  "a\u0000",
  "ab",
  "b",
  "B",
  "é",
  "\uffee",
  "\u{1f600}",
  "2026-11-20",
  `${"long ".repeat(9)}1`,
];
const NUMBERS = [-7.5, -1, 0, 1, 2, 3, 4, 5, 10, 99.99, 100_000];

function sortedIds(rows: Rows): number[] {
  return [...rows.keys()].sort((a, b) => a - b);
}

/** A database that has just these rows. */
function databaseOf(resource: Resource, rows: Rows): Database.Database {
  const db = new Database(":memory:");
  const names = Object.keys(resource.columns);
  const declared = names.map((name) => `${name} ${resource.columns[name]}`);
  db.exec(`CREATE TABLE ${resource.name} (id INTEGER PRIMARY KEY, ${declared.join(", ")})`);
  const insert = db.prepare(`INSERT INTO ${resource.name} VALUES (?, ${names.map(() => "?").join(", ")})`);
  for (const id of sortedIds(rows)) insert.run(id, ...names.map((name) => rows.get(id)?.[name] ?? null));
  return db;
}

function loaded(resource: Resource, rows: Rows): Table {
  const db = databaseOf(resource, rows);
  const table = Table.load(db, resource);
  db.close();
  return table;
}

function columnsOf(resource: Resource): fc.Arbitrary<Columns> {
  const cells = Object.entries(resource.columns).map(([name, type]) => {
    // Short lists of values: ties are what is difficult. Some values are those of most rows, others rare.
    const [common, all] = type === "TEXT" ? [TEXTS.slice(0, 2), TEXTS] : [NUMBERS.slice(2, 4), NUMBERS];
    const cell = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<Cell>(...common) },
      fc.constantFrom<Cell>(null, ...all),
    );
    return [name, cell] as const;
  });
  return fc.record(Object.fromEntries(cells));
}

interface Edit {
  readonly put: readonly (readonly [id: number, columns: Columns])[];
  readonly deleted: readonly number[];
}

const MAX_ID = 400;

function editOf(resource: Resource): fc.Arbitrary<Edit> {
  const id = fc.integer({ min: 1, max: MAX_ID });
  return fc.record({
    put: fc.uniqueArray(fc.tuple(id, columnsOf(resource)), { maxLength: 12, selector: ([key]) => key }),
    deleted: fc.uniqueArray(id, { maxLength: 12 }),
  });
}

function changesOf({ put, deleted }: Edit): RowChanges {
  const putIds = new Set(put.map(([id]) => id));
  return {
    put: put.map(([id, columns]) => ({ id, columns })).sort((a, b) => a.id - b.id),
    deleted: deleted.filter((id) => !putIds.has(id)).sort((a, b) => a - b),
  };
}

function applied(rows: Rows, { put, deleted }: RowChanges): Rows {
  const next = new Map(rows);
  for (const id of deleted) next.delete(id);
  for (const { id, columns } of put) next.set(id, columns);
  return next;
}

const BOUNDS = [{}, { min: 0, max: 5 }, { min: 2 }, { max: -1 }, { min: 6, max: 7 }] as const;

/** All that a table says: every sort, with every filter's values, two filters, bounds, pages and positions. */
function said(table: Table): unknown {
  const { resource } = table;
  const filters = Object.keys(resource.filters);
  const valuesOf = (param: string) => [...table.filter(param).values, "none"];
  const equals = [
    [],
    ...filters.flatMap((param) => valuesOf(param).map((value) => [[param, value] as const])),
    ...filters.slice(1).flatMap((param, i) => {
      const other = filters[i] as string;
      return [
        [[param, valuesOf(param)[0] as string] as const, [other, valuesOf(other)[0] as string] as const],
      ];
    }),
  ];
  const bounds = resource.range === null ? [{}] : BOUNDS;
  const ids = (rows: Uint32Array) => [...rows].map((row) => table.idAt(row));
  return [
    Array.from({ length: table.size }, (_, row) => table.idAt(row)),
    ...Object.keys(resource.sorts).flatMap((sort) =>
      equals.flatMap((equal) =>
        bounds.map((bound) => {
          const { total, slice } = table.select({ equal, ...bound }, sort);
          return [sort, equal, bound, total, ids(slice(0, total)), ids(slice(3, 5))];
        }),
      ),
    ),
  ];
}

/** As SQLite says it, which knows nothing of codes. */
function orderedBySql(resource: Resource, rows: Rows, sort: string): unknown[] {
  const db = databaseOf(resource, rows);
  const keys = (resource.sorts[sort] ?? []).map(
    ({ column, descending }) => `${column}${descending ? " DESC" : ""}`,
  );
  const ids = db
    .prepare(`SELECT id FROM ${resource.name} ORDER BY ${[...keys, "id DESC"].join(", ")}`)
    .pluck()
    .all();
  db.close();
  return ids;
}

const NAMES = ["product", "review", "thread"] as const;

function start(resource: Resource): fc.Arbitrary<Rows> {
  const rows = fc.array(columnsOf(resource), { maxLength: 220, size: "max" });
  return rows.map((list) => new Map(list.map((columns, i) => [i + (i > 100 ? 20 : 1), columns])));
}

describe.each(NAMES)("the list of %ss", (name) => {
  const resource = resourceNamed(name);

  it("has the orders that SQLite has", () => {
    fc.assert(
      fc.property(start(resource), (rows) => {
        const table = loaded(resource, rows);
        for (const sort of Object.keys(resource.sorts)) {
          const ids = [...table.select({ equal: [] }, sort).slice(0, table.size)].map((row) =>
            table.idAt(row),
          );
          expect(ids).toEqual(orderedBySql(resource, rows, sort));
        }
      }),
      { numRuns: 12 },
    );
  });

  it("is after any changes what it would be loaded from scratch, and stays what it was", () => {
    fc.assert(
      fc.property(
        start(resource),
        fc.array(fc.tuple(editOf(resource), fc.boolean()), { minLength: 1, maxLength: 4 }),
        (rows, edits) => {
          let [table, model] = [loaded(resource, rows), rows];
          for (const [edit, looked] of edits) {
            // What was looked at is there to be carried over; what was not must be made later.
            const before = looked ? said(table) : null;
            const changes = changesOf(edit);
            const next = table.next(changes);
            model = applied(model, changes);
            expect(said(next)).toEqual(said(loaded(resource, model)));
            if (before !== null) expect(said(table)).toEqual(before);
            table = next;
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it("takes the same change twice", () => {
    fc.assert(
      fc.property(start(resource), editOf(resource), (rows, edit) => {
        const once = loaded(resource, rows).next(changesOf(edit));
        expect(said(once.next(changesOf(edit)))).toEqual(said(once));
      }),
      { numRuns: 10 },
    );
  });

  it("knows how many of a selection stand before any row", () => {
    fc.assert(
      fc.property(start(resource), (rows) => {
        const table = loaded(resource, rows);
        for (const sort of Object.keys(resource.sorts)) {
          const all = [...table.select({ equal: [] }, sort).slice(0, table.size)];
          for (const [param, value] of Object.keys(resource.filters).flatMap((filter) =>
            table
              .filter(filter)
              .values.slice(0, 3)
              .map((one) => [filter, one] as const),
          )) {
            const { total, slice } = table.select({ equal: [[param, value]] }, sort);
            const members = new Set(slice(0, total));
            let before = 0;
            for (const row of all) {
              expect(table.positionIn([[param, value]], sort, row)).toBe(before);
              if (members.has(row)) before += 1;
            }
          }
          expect(all.map((row) => table.positionIn([], sort, row))).toEqual(all.map((_, rank) => rank));
        }
      }),
      { numRuns: 10 },
    );
  });
});

it("does not keep values that no row has any more", () => {
  const resource = resourceNamed("category");
  let table = loaded(resource, new Map([[1, { slug: "one", name_key: "one" }]]));
  for (let i = 0; i < 3000; i++) {
    table = table.next({ put: [{ id: 2, columns: { name_key: `name ${i}` } }], deleted: [] });
  }
  expect([...table.select({ equal: [] }, "name").slice(0, 2)].map((row) => table.idAt(row))).toEqual([2, 1]);
});
