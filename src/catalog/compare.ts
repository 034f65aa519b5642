/**
 * What differs between the records of two catalogs, counted by what it says of them. SQLite walks both by id and hands
 * over only pairs that differ, so memory does not grow with the catalogs.
 */
import type Database from "better-sqlite3";
import type { Field, Fields } from "../api/field.ts";
import type { RecordDef } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Catalog } from "./catalog.ts";

/** How many records differ, and in what: records by fact, `{price: 2, title: 1}`. */
export interface Changed {
  readonly records: number;
  readonly facts: Readonly<Record<string, number>>;
}

interface RecordChanges {
  readonly new: number;
  readonly gone: number;
  /** Something of their own differs. */
  readonly changed: Changed;
  /** What they take from other records differs: a product's rating, a review's product title. */
  readonly followed: Changed;
}

export type CatalogChanges = Readonly<Partial<Record<RecordName, RecordChanges>>>;

type Shape = Readonly<Record<string, unknown>>;

/** A row that differs: both fragments, and 1 beside each hidden column that differs. */
type Pair = Readonly<Record<string, number>> & { readonly before: string; readonly after: string };

interface Tally {
  records: number;
  readonly facts: Record<string, number>;
}

/**
 * The fact that a field tells: fields that are read from the same columns tell the same one. A single column gives its
 * name (`description_html` → `description`), of several the first field does (`price` for `pricing`).
 */
function factOf(fields: Fields, name: string, { from }: Field<unknown>): string {
  if (from === undefined || from.length === 0) return name;
  const [column = name, ...more] = from;
  if (more.length === 0) return column.replace(/_(html|id)$/, "");
  const [first = name] = Object.keys(fields).filter((other) => `${fields[other]?.from}` === `${from}`);
  return first;
}

function idOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
}

/** True where a difference is another record's: of what is gathered from others, or inside a record that is embedded. */
function isFollowed({ from }: Field<unknown>, before: unknown, after: unknown): boolean {
  if (from?.length === 0) return true;
  const id = idOf(before);
  return id !== undefined && id === idOf(after);
}

/** Columns of hidden fields: filters and orders show them, fragments do not. */
function hiddenColumns({ hidden, columns }: RecordDef): string[] {
  return Object.keys(columns).filter((column) => column in hidden);
}

/** Counts a record's facts, each once. */
function count(tally: Tally, facts: ReadonlySet<string>): void {
  if (facts.size > 0) tally.records += 1;
  for (const fact of facts) tally.facts[fact] = (tally.facts[fact] ?? 0) + 1;
}

function differingRows(record: RecordDef<RecordName>): string {
  const { name, detail } = record;
  const fragments = `${name}_${detail === null ? "list" : "detail"}`;
  const hidden = hiddenColumns(record);
  const marks = hidden.map((column) => `, a.${column} IS NOT b.${column} AS ${column}`).join("");
  const differ = hidden.map((column) => ` OR a.${column} IS NOT b.${column}`).join("");
  return `SELECT x.json AS before, y.json AS after${marks}
    FROM main.${name} AS a JOIN other.${name} AS b USING (id)
    JOIN main.${fragments} AS x USING (id) JOIN other.${fragments} AS y USING (id)
    WHERE x.json <> y.json${differ}`;
}

function countWithout(db: Database.Database, name: RecordName, [here, there]: [string, string]): number {
  return Number(
    db
      .prepare<[], number>(
        `SELECT COUNT(*) FROM ${here}.${name} AS a
         WHERE NOT EXISTS (SELECT 1 FROM ${there}.${name} AS b WHERE b.id = a.id)`,
      )
      .pluck()
      .get(),
  );
}

function compareRecords(db: Database.Database, record: RecordDef<RecordName>): RecordChanges {
  const [changed, followed]: [Tally, Tally] = [
    { records: 0, facts: {} },
    { records: 0, facts: {} },
  ];
  const shown = { ...record.fields, ...record.added };
  const fields = { ...shown, ...record.hidden };
  const columns = hiddenColumns(record);
  const own = Object.entries(fields).map(
    ([name, field]) => [name, field, factOf(fields, name, field)] as const,
  );
  for (const pair of db.prepare<[], Pair>(differingRows(record)).iterate()) {
    const [before, after] = [JSON.parse(pair.before) as Shape, JSON.parse(pair.after) as Shape];
    const [theirs, others] = [new Set<string>(), new Set<string>()];
    for (const [name, field, fact] of own) {
      const differs = columns.includes(name)
        ? pair[name] === 1
        : JSON.stringify(before[name]) !== JSON.stringify(after[name]);
      if (differs) (isFollowed(field, before[name], after[name]) ? others : theirs).add(fact);
    }
    count(changed, theirs);
    count(followed, others);
  }
  return {
    new: countWithout(db, record.name, ["other", "main"]),
    gone: countWithout(db, record.name, ["main", "other"]),
    changed,
    followed,
  };
}

function isSome(changes: RecordChanges): boolean {
  return changes.new + changes.gone + changes.changed.records + changes.followed.records > 0;
}

/** The records of a later catalog as changes of an earlier one's: only of kinds in which something differs. */
export function compareCatalogs(from: Catalog, to: Catalog): CatalogChanges {
  if (from.digest === to.digest) return {};
  from.db.prepare("ATTACH ? AS other").run(to.db.name);
  try {
    const all = RECORDS.map((record) => [record.name, compareRecords(from.db, record)] as const);
    return Object.fromEntries(all.filter(([, changes]) => isSome(changes)));
  } finally {
    from.db.exec("DETACH other");
  }
}
