/**
 * What differs between the records of two catalogs, counted by what it says of them. SQLite walks both by id and hands
 * over only pairs that differ, so memory does not grow with the catalogs.
 */

import type Database from "better-sqlite3";
import { columnsIn, type Field, type Fields } from "../api/field.ts";
import type { RecordDef } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogChanges, Changed, RecordChanges } from "./comparison.ts";
import { joinDetailSql } from "./row.ts";

type Shape = Readonly<Record<string, unknown>>;

/** A row that differs: both fragments, and 1 for each hidden column that differs. */
type Pair = Readonly<Record<string, number>> & { readonly before: string; readonly after: string };

/** A field, and the fact that it belongs to. */
interface FieldFact {
  readonly name: string;
  readonly field: Field<unknown>;
  readonly fact: string;
  /** Where it shows in no fragment: a column of the narrow table. */
  readonly isColumn: boolean;
}

/**
 * The fact that a field belongs to: fields that are read from several columns, of which the first is the same, share one. A
 * single column gives its name (`description_html` → `description`), of several the first field does (`price` for `pricing`).
 */
function factOf(fields: Fields, name: string, field: Field<unknown>): string {
  const [column, ...more] = columnsIn(name, field);
  if (column === undefined) return name;
  if (more.length === 0) return column.name.replace(/_(html|id)$/, "");
  const isAlike = ([other, each]: [string, Field<unknown>]) => {
    const columns = columnsIn(other, each);
    return columns.length > 1 && columns[0]?.name === column.name;
  };
  return Object.entries(fields).find(isAlike)?.[0] ?? name;
}

function embeddedId(value: unknown): unknown {
  return typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
}

/** True where a difference is another record's: of what is gathered from others, or inside a record that is embedded. */
function isFollowed({ from }: Field<unknown>, before: unknown, after: unknown): boolean {
  if (Array.isArray(from) && from.length === 0) return true;
  const id = embeddedId(before);
  return id !== undefined && id === embeddedId(after);
}

/** Columns of hidden fields: filters and orders show them, fragments do not. */
function hiddenColumns({ hidden, columns }: RecordDef): string[] {
  return Object.keys(columns).filter((column) => column in hidden);
}

/** Counts records and their facts, which come out in the order in which fields are declared. */
class FactCounter {
  #records = 0;
  readonly #facts = new Map<string, number>();

  constructor(fields: readonly FieldFact[]) {
    for (const { fact } of fields) this.#facts.set(fact, 0);
  }

  /** Each fact counts once for a record. */
  add(facts: ReadonlySet<string>): void {
    if (facts.size > 0) this.#records += 1;
    for (const fact of facts) this.#facts.set(fact, (this.#facts.get(fact) ?? 0) + 1);
  }

  get result(): Changed {
    const facts = [...this.#facts].filter(([, records]) => records > 0);
    return { records: this.#records, facts: Object.fromEntries(facts) };
  }
}

/** A test asserts that the other tables are read by id. */
export function differingRows(record: RecordDef<RecordName>): string {
  const { name, detail } = record;
  const hidden = hiddenColumns(record);
  const marks = hidden.map((column) => `, a.${column} IS NOT b.${column} AS ${column}`).join("");
  const differ = hidden.map((column) => ` OR a.${column} IS NOT b.${column}`).join("");
  const [before, after] =
    detail === null
      ? ["x.json", "y.json"]
      : [joinDetailSql("x.json", "added.json"), joinDetailSql("y.json", "other_added.json")];
  const added = `JOIN main.${name}_added AS added USING (id) JOIN other.${name}_added AS other_added USING (id)`;
  return `SELECT ${before} AS before, ${after} AS after${marks}
    FROM main.${name} AS a JOIN other.${name} AS b USING (id)
    JOIN main.${name}_list AS x USING (id) JOIN other.${name}_list AS y USING (id) ${detail === null ? "" : added}
    WHERE x.json <> y.json${detail === null ? "" : " OR added.json <> other_added.json"}${differ}`;
}

/** Counts records of `main` that `other` has not, or the other way round. A test asserts that they are found by id. */
export function countWithout(name: RecordName, [here, there]: readonly [string, string]): string {
  return `SELECT COUNT(*) FROM ${here}.${name} AS a
    WHERE NOT EXISTS (SELECT 1 FROM ${there}.${name} AS b WHERE b.id = a.id)`;
}

function fieldFactsOf(record: RecordDef<RecordName>): FieldFact[] {
  const fields: Fields = { ...record.fields, ...record.added, ...record.hidden };
  const columns = hiddenColumns(record);
  return Object.entries(fields).map(([name, field]) => ({
    ...{ name, field, fact: factOf(fields, name, field) },
    isColumn: columns.includes(name),
  }));
}

/** Facts that differ between two rows of a record: its own, and those of others. */
function differingFacts(fields: readonly FieldFact[], pair: Pair): { own: Set<string>; others: Set<string> } {
  const [before, after] = [JSON.parse(pair.before) as Shape, JSON.parse(pair.after) as Shape];
  const [own, others] = [new Set<string>(), new Set<string>()];
  for (const { name, field, fact, isColumn } of fields) {
    const differs = isColumn
      ? pair[name] === 1
      : JSON.stringify(before[name]) !== JSON.stringify(after[name]);
    if (differs) (isFollowed(field, before[name], after[name]) ? others : own).add(fact);
  }
  return { own, others };
}

function compareRecords(db: Database.Database, record: RecordDef<RecordName>): RecordChanges {
  const fields = fieldFactsOf(record);
  const [changed, followed] = [new FactCounter(fields), new FactCounter(fields)];
  for (const pair of db.prepare<[], Pair>(differingRows(record)).iterate()) {
    const { own, others } = differingFacts(fields, pair);
    changed.add(own);
    followed.add(others);
  }
  const total = (sql: string) => Number(db.prepare<[], number>(sql).pluck().get());
  return {
    new: total(countWithout(record.name, ["other", "main"])),
    gone: total(countWithout(record.name, ["main", "other"])),
    changed: changed.result,
    followed: followed.result,
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
