/** Puts rows into the store. Fills every private column that a row does not name, and marks every hidden row. */
import type { Database, Statement } from "better-sqlite3";
import { canaryAmount, canaryEmail, canarySlug, canaryText, canaryTime, privateId } from "./canary.ts";
import { TABLES, type TableColumns } from "./columns.ts";

type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

interface Column {
  readonly name: string;
  /** The value where the row names none. */
  readonly missing: (row: number) => Value;
  /** The value in a hidden row. */
  readonly hide: (value: Value, row: number) => Value;
}

interface Target {
  readonly columns: readonly Column[];
  readonly statement: Statement<Value[]>;
}

const keep = (value: Value): Value => value;

/** A word column of a hidden row: the canary beside what stood there, in the shape of that column. */
function hider(table: string, name: string): (value: Value, row: number) => Value {
  if (name === "slug" || name === "old_slug" || (table === "faqs" && name === "category")) {
    return (_value, row) => canarySlug(table, row);
  }
  if (name.endsWith("url") || name === "cover_image") {
    return (value, row) => `${value ?? "https://hidden.example/"}?${canaryText(table, name, row)}`;
  }
  if (name.endsWith("_html")) {
    return (value, row) => `${value ?? ""}<p>${canaryText(table, name, row)}</p>`;
  }
  return (value, row) => `${value ?? ""} ${canaryText(table, name, row)}`.trimStart();
}

function privateFiller(table: string, name: string, type: string): (row: number) => Value {
  if (type === "INTEGER") {
    const isMoney = /_minor$|^(amount|subtotal|discount|tax|total|purchase_value|min_charge)$/.test(name);
    return isMoney ? canaryAmount : privateId;
  }
  if (name.endsWith("_at") || name.startsWith("date_") || name.endsWith("_date")) return canaryTime;
  if (name.endsWith("email")) return (row) => canaryEmail(table, name, row);
  return (row) => canaryText(table, name, row);
}

function columnOf(table: string, kinds: TableColumns, name: string, type: string): Column {
  const isOpen = kinds.public.includes(name) || kinds.bound.includes(name);
  return {
    name: name,
    missing: isOpen ? () => null : privateFiller(table, name, type),
    hide: kinds.words.includes(name) ? hider(table, name) : keep,
  };
}

function openTarget(db: Database, table: string): Target {
  const kinds = TABLES[table];
  if (kinds === undefined) throw new Error(`scripts/seed/columns.ts does not name the table ${table}`);
  const infos = db
    .prepare<[string], { name: string; type: string }>("SELECT name, type FROM pragma_table_info(?)")
    .all(table);
  const columns = infos.map((info) => columnOf(table, kinds, info.name, info.type));
  const names = columns.map((column) => column.name).join(", ");
  const marks = columns.map(() => "?").join(", ");
  return { columns, statement: db.prepare(`INSERT INTO ${table} (${names}) VALUES (${marks})`) };
}

export class StoreWriter {
  private readonly targets = new Map<string, Target>();
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** `number` is the row's number within its table, from 1: what canaries and private ids are made of. */
  add(table: string, number: number, row: Row, hidden = false): void {
    const target = this.target(table);
    const values: Value[] = [];
    let named = 0;
    for (const column of target.columns) {
      const given = row[column.name];
      if (given !== undefined) named++;
      const value = given === undefined ? column.missing(number) : given;
      values.push(hidden ? column.hide(value, number) : value);
    }
    if (named !== Object.keys(row).length)
      throw new Error(`A row for ${table} names a column it does not have`);
    target.statement.run(...values);
  }

  private target(table: string): Target {
    let target = this.targets.get(table);
    if (target === undefined) {
      target = openTarget(this.db, table);
      this.targets.set(table, target);
    }
    return target;
  }
}
