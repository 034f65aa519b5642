/** Copies the tests' store from its SQLite file into a database server, with the types that such a shop would have there. */
import Database from "better-sqlite3";

type Value = string | number | null | Buffer;
type Meaning = "flag" | "time" | "integer" | "key" | "text";

export interface Target {
  readonly kind: "postgres" | "mysql";
  /** Runs statements, several too. */
  run(sql: string): Promise<unknown>;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

interface Table {
  readonly name: string;
  readonly columns: readonly (Column & { readonly meaning: Meaning })[];
  readonly indexes: readonly (readonly string[])[];
}

const TYPES: Readonly<Record<Target["kind"], Readonly<Record<Meaning, string>>>> = {
  postgres: { flag: "BOOLEAN", time: "TIMESTAMPTZ", integer: "BIGINT", key: "TEXT", text: "TEXT" },
  mysql: { flag: "TINYINT(1)", time: "DATETIME", integer: "BIGINT", key: "VARCHAR(255)", text: "MEDIUMTEXT" },
};

const ROWS_AT_ONCE = 500;

/** How a column is copied: only text columns that are named like times are times. */
function meaningOf({ name, type }: Column, isKey: boolean): Meaning {
  if (type === "INTEGER") return name.startsWith("is_") ? "flag" : "integer";
  if (/_at$|^date_/.test(name)) return "time";
  return isKey ? "key" : "text";
}

function readTables(db: Database.Database): Table[] {
  const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  return names.map((name) => {
    const list = db.pragma(`index_list(${name})`) as readonly { readonly name: string }[];
    const indexes = list.map((index) =>
      (db.pragma(`index_info(${index.name})`) as readonly { readonly name: string }[]).map(
        (part) => part.name,
      ),
    );
    const keys = new Set(indexes.flat());
    const columns = (db.pragma(`table_info(${name})`) as readonly Column[]).map((column) => ({
      ...column,
      meaning: meaningOf(column, column.pk > 0 || keys.has(column.name)),
    }));
    return { name, columns, indexes: indexes.filter(([first]) => columns[0]?.name !== first) };
  });
}

function quoteFor({ kind }: Target): (name: string) => string {
  return (name) => (kind === "postgres" ? `"${name}"` : `\`${name}\``);
}

function keysOf({ columns }: Table): Table["columns"] {
  return columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
}

export async function copyStore(file: string, target: Target): Promise<void> {
  const db = new Database(file, { readonly: true });
  const quote = quoteFor(target);
  try {
    for (const table of readTables(db)) {
      const columns = table.columns.map(
        ({ name, meaning }) => `${quote(name)} ${TYPES[target.kind][meaning]}`,
      );
      const key = `PRIMARY KEY (${keysOf(table)
        .map(({ name }) => quote(name))
        .join(", ")})`;
      await target.run(`CREATE TABLE ${quote(table.name)} (${[...columns, key].join(", ")})`);
      await copyRows(readRows(db, `SELECT * FROM ${table.name}`), table, target);
      // Wide columns are not looked up, and may be too wide for a key.
      for (const [at, names] of table.indexes.entries()) {
        const list = names.filter((name) => !/url|price/.test(name)).map(quote);
        await target.run(`CREATE INDEX ${table.name}_${at} ON ${quote(table.name)} (${list.join(", ")})`);
      }
    }
    await target.run(target.kind === "postgres" ? "ANALYZE" : "SELECT 1");
  } finally {
    db.close();
  }
}

/** Updates a copy of a store in one transaction: the file was like `before`, and is now like `after`. */
export async function copyChanges(before: string, after: string, target: Target): Promise<void> {
  const db = new Database(after, { readonly: true });
  const quote = quoteFor(target);
  try {
    db.prepare("ATTACH ? AS earlier").run(before);
    await target.run("BEGIN");
    for (const table of readTables(db)) {
      const { name, columns } = table;
      const differing = (one: string, other: string) =>
        readRows(db, `SELECT * FROM ${one}.${name} EXCEPT SELECT * FROM ${other}.${name}`);
      for (const row of differing("earlier", "main")) {
        const isRow = keysOf(table).map((column) => {
          const value = row[columns.indexOf(column)] ?? null;
          return `${quote(column.name)} = ${literal(value, column.meaning, target.kind)}`;
        });
        await target.run(`DELETE FROM ${quote(name)} WHERE ${isRow.join(" AND ")}`);
      }
      await copyRows(differing("main", "earlier"), table, target);
    }
    await target.run("COMMIT");
  } finally {
    db.close();
  }
}

function readRows(db: Database.Database, sql: string): Iterable<Value[]> {
  return db.prepare<[], Value[]>(sql).raw().iterate();
}

async function copyRows(rows: Iterable<Value[]>, { name, columns }: Table, target: Target): Promise<void> {
  const { kind, run } = target;
  const quote = quoteFor(target);
  let next: string[] = [];
  const flush = async () => {
    if (next.length > 0) await run(`INSERT INTO ${quote(name)} VALUES ${next.join(",")}`);
    next = [];
  };
  for (const row of rows) {
    next.push(`(${row.map((value, at) => literal(value, columns[at]?.meaning ?? "text", kind)).join(",")})`);
    if (next.length === ROWS_AT_ONCE) await flush();
  }
  await flush();
}

function literal(value: Value, meaning: Meaning, kind: Target["kind"]): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return meaning === "flag" ? String(value === 1) : String(value);
  const quoted = `'${String(value).replaceAll("'", "''")}'`;
  return kind === "mysql" ? quoted.replaceAll("\\", "\\\\") : quoted;
}
