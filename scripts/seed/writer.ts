/** Puts rows into the store: numbers them, fills every private column that a row does not name, marks hidden rows. */
import type { Database, Statement } from "better-sqlite3";
import { hider, privateFiller, type Value } from "./canary.ts";
import { TABLES } from "./columns.ts";
import { resolveTime } from "./time.ts";

/** Columns of a row. A text such as `now-30d` is a moment: see resolveTime. */
export type Row = Readonly<Record<string, Value>>;

interface Column {
  readonly name: string;
  /** The value if the row names none. */
  readonly missing: (row: number) => Value;
  /** The value in a hidden row; undefined to keep the row's own. */
  readonly hide: ((value: Value, row: number) => Value) | undefined;
}

interface Target {
  readonly columns: readonly Column[];
  readonly statement: Statement<Value[]>;
  rows: number;
}

function openBucket(db: Database, table: string): Target {
  const kinds = TABLES[table];
  if (kinds === undefined) throw new Error(`scripts/seed/columns.txt does not name the table ${table}`);
  const infos = db
    .prepare<[string], { name: string; type: string }>("SELECT name, type FROM pragma_table_info(?)")
    .all(table);
  const columns = infos.map(({ name, type }): Column => {
    const isOpen = kinds.public.includes(name) || kinds.bound.includes(name);
    const missing = isOpen ? () => null : privateFiller(table, name, type);
    const hide = kinds.words.includes(name) ? hider(table, name) : undefined;
    return { name, missing: name === "id" && isOpen ? (row) => row : missing, hide };
  });
  const names = columns.map((column) => column.name).join(", ");
  const marks = columns.map(() => "?").join(", ");
  const statement = db.prepare<Value[]>(`INSERT INTO ${table} (${names}) VALUES (${marks})`);
  return { columns, statement, rows: 0 };
}

export class StoreWriter {
  private readonly targets = new Map<string, Target>();
  private readonly db: Database;
  private readonly now: number;

  constructor(db: Database, now: number) {
    this.db = db;
    this.now = now;
  }

  /** Returns the row's number within its table, from 1: its public id, and the basis of its canaries. */
  add(table: string, row: Row, hidden = false): number {
    const target = this.target(table);
    const number = ++target.rows;
    let named = 0;
    const values = target.columns.map(({ name, missing, hide }) => {
      const given = row[name];
      if (given !== undefined) named++;
      const value = given === undefined ? missing(number) : given;
      if (hidden && hide !== undefined) return hide(value, number);
      return typeof value === "string" && value.startsWith("now") ? resolveTime(value, this.now) : value;
    });
    if (named !== Object.keys(row).length) throw new Error(`A row for ${table} names an unknown column`);
    target.statement.run(...values);
    return number;
  }

  count(table: string): number {
    return this.target(table).rows;
  }

  private target(table: string): Target {
    const target = this.targets.get(table) ?? openBucket(this.db, table);
    this.targets.set(table, target);
    return target;
  }
}
