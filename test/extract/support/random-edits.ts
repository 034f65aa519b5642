/** Random changes to a store of any schema: its rows, its tables, its file. */
import type Database from "better-sqlite3";
import type { Random } from "../../../scripts/bench/random.ts";

interface Column {
  readonly name: string;
  readonly pk: number;
}

/** Changes of the schema and of the whole file; each may fail where an earlier one stands in its way. */
const RARE: readonly ((at: number, random: Random) => string)[] = [
  (at) => `ALTER TABLE products ADD COLUMN extra_${at} TEXT DEFAULT 'x'`,
  (at, random) => `CREATE INDEX extra_${at} ON ${random.pick(["products (id, slug)", "reviews (status)"])}`,
  (at) => `CREATE VIEW extra_view_${at} AS SELECT id FROM products`,
  (at) => `CREATE TABLE extra_${at % 3} AS SELECT * FROM orders`,
  (at) => `DROP TABLE extra_${at % 3}`,
  () => "VACUUM",
  () => "ANALYZE",
];

function tablesOf(db: Database.Database): string[] {
  return db
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all()
    .sort();
}

/** One row of the table deleted, changed to a value of another row, or copied. */
function changeRow(db: Database.Database, table: string, random: Random): void {
  const columns = db.prepare<[], Column>(`SELECT name, pk FROM pragma_table_info('${table}')`).all();
  const rows = db.prepare<[], number>(`SELECT COUNT(*) FROM "${table}"`).pluck().get() ?? 0;
  if (rows === 0) return;
  const rowAt = (): string => `FROM "${table}" LIMIT 1 OFFSET ${random.below(rows)}`;
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`);
  const key = keys.length === 0 ? "rowid" : keys.join(", ");
  const where = `WHERE (${key}) = (SELECT ${key} ${rowAt()})`;
  const { name } = random.pick(columns);
  const copy = columns.map((column) =>
    column.pk === 1 ? `(SELECT MAX("${column.name}") + 1 FROM "${table}")` : `"${column.name}"`,
  );
  const edits = [
    `DELETE FROM "${table}" ${where}`,
    `UPDATE "${table}" SET "${name}" = (SELECT "${name}" ${rowAt()}) ${where}`,
    `UPDATE "${table}" SET "${name}" = "${name}" || 1 ${where}`,
    `INSERT INTO "${table}" SELECT ${copy.join(", ")} ${rowAt()}`,
  ];
  db.exec(random.pick(edits));
}

/** One column of a table, the same as in some other row or longer, in some of its rows. */
export function editColumn(db: Database.Database, random: Random, table: string): void {
  const columns = db.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  const name = random.pick(columns);
  const every = random.between(1, 50);
  const other = `(SELECT o."${name}" FROM "${table}" AS o LIMIT 1 OFFSET ${random.below(100)})`;
  const value = random.pick([other, `"${name}" || 'x'`, "NULL"]);
  tryTo(() => db.exec(`UPDATE OR IGNORE "${table}" SET "${name}" = ${value} WHERE rowid % ${every} = 0`));
}

/** One to three changes in a transaction, or, in some of a hundred steps, one of the rare ones. */
export function editAtRandom(db: Database.Database, random: Random, step: number, rarePercent = 8): void {
  if (random.chance(rarePercent)) {
    tryTo(() => db.exec(random.pick(RARE)(step, random)));
    return;
  }
  db.exec("BEGIN");
  for (let left = random.between(1, 3); left > 0; left--) {
    tryTo(() => changeRow(db, random.pick(tablesOf(db)), random));
  }
  db.exec("COMMIT");
}

/** What a constraint forbids is left out. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof Error && error.name === "SqliteError")) throw error;
  }
}
