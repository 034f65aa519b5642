/**
 * The capture in MySQL and MariaDB. Changes are numbered when they are made, not when they are committed: numbers that are
 * missing when a build looks are remembered, and looked for by the next.
 */
import type { Captured, Pruned } from "./changes.ts";
import { CHANGES, PRUNED, REGISTRY } from "./changes.ts";
import {
  type Ask,
  type CaptureDialect,
  type ChangesRead,
  changesOf,
  groupRows,
  MOST_CHANGES,
  namesOf,
} from "./dialect.ts";
import type { StoreSchema, StoreTable } from "./reads.ts";

/** Names of triggers begin so; they stand beside tables in one list for the whole database. */
const TRIGGER = "vitrine_capture_";
const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;

/** Most numbers that are waited for: of transactions that are open, or were rolled back. A prune keeps as many changes. */
const MOST_GAPS = 1000;

interface Cursor {
  readonly highest: number;
  /** Missing below it, in their order. */
  readonly gaps: readonly number[];
  /** The last prune that was known then. */
  readonly pruned: string | null;
}

const TABLES = `SELECT table_name, create_time FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_type <> 'VIEW' AND table_name NOT IN ('${CHANGES}', '${REGISTRY}')`;

const VIEWS =
  "SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = DATABASE()";

const OUR_TRIGGERS = `SELECT event_object_table, trigger_name FROM information_schema.triggers
  WHERE trigger_schema = DATABASE() AND trigger_name LIKE '${TRIGGER.replaceAll("_", "\\_")}%'`;

const COLUMNS = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = DATABASE()
  ORDER BY table_name, ordinal_position`;

const OPAQUE = `SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()
  UNION SELECT schema_name FROM information_schema.schemata WHERE schema_name <> DATABASE()`;

const CASCADES = `SELECT table_name, referenced_table_name FROM information_schema.referential_constraints
  WHERE constraint_schema = DATABASE()
    AND (delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR update_rule NOT IN ('RESTRICT', 'NO ACTION'))`;

async function readSchema(ask: Ask): Promise<StoreSchema> {
  const columns = groupRows(await ask(COLUMNS));
  const triggers = groupRows(await ask(OUR_TRIGGERS));
  const tables = new Map<string, StoreTable>();
  for (const [table, created] of await ask(TABLES)) {
    const [name, key] = [String(table), String(table).toLowerCase()];
    const [identity, own] = [String(created), triggers.get(key)?.length ?? 0];
    tables.set(key, { name, columns: columns.get(key) ?? [], identity, triggers: own });
  }
  // A definition that we may not see is empty.
  const views = new Map(
    (await ask(VIEWS)).map(([name, sql]) => [String(name).toLowerCase(), sql ? String(sql) : null] as const),
  );
  const cascades = groupRows(await ask(CASCADES));
  const parents = [...cascades].map(
    ([child, names]) => [child, names.map((name) => name.toLowerCase())] as const,
  );
  return { tables, views, opaque: namesOf(await ask(OPAQUE)), cascades: new Map(parents) };
}

function isCursor(value: unknown): value is Cursor {
  return typeof value === "object" && value !== null && "highest" in value && "gaps" in value;
}

/** True where a change that is waited for may be gone: it may have been written and pruned between two builds. */
function mayHaveLost({ gaps, pruned: known }: Cursor, pruned: Pruned | null): boolean {
  return pruned !== null && pruned.id !== known && gaps.some((seq) => seq < Number(pruned.below));
}

async function readChanges(ask: Ask, cursor: unknown, pruned: Pruned | null): Promise<ChangesRead> {
  const [[last] = []] = await ask(`SELECT MAX(seq) FROM ${CHANGES}`);
  const highest = Number(last ?? 0);
  const least = Number(pruned?.below ?? 0) - 1;
  // Of what stands already, the end is looked through for numbers that are still to come.
  const before: Cursor = isCursor(cursor)
    ? cursor
    : { highest: Math.max(0, highest - MOST_GAPS), gaps: [], pruned: null };
  const isKnown =
    isCursor(cursor) &&
    cursor.highest <= highest &&
    cursor.highest >= least &&
    highest - cursor.highest <= MOST_CHANGES;
  if (isCursor(cursor) && !isKnown) return readChanges(ask, null, pruned);
  const missing = before.gaps.length === 0 ? "" : ` OR seq IN (${before.gaps.map(Number).join()})`;
  const rows = await ask(
    `SELECT tbl, cols, ids, seq FROM ${CHANGES} WHERE seq > ${Number(before.highest)}${missing} ORDER BY seq`,
  );
  const seen = new Set(rows.map(([, , , seq]) => Number(seq)));
  const gaps = before.gaps.filter((seq) => !seen.has(seq));
  for (let seq = before.highest + 1; seq <= highest; seq++) if (!seen.has(seq)) gaps.push(seq);
  const next: Cursor = { highest, gaps: gaps.slice(-MOST_GAPS), pruned: pruned?.id ?? null };
  const isTold = isKnown && gaps.length <= MOST_GAPS && !mayHaveLost(before, pruned);
  return { cursor: next, changes: isTold ? changesOf(rows) : null };
}

/** Numbers that are missing leave fewer than `keep`, never more. */
async function pruneBelow(ask: Ask, keep: number): Promise<string | null> {
  const [[first, last] = []] = await ask(`SELECT MIN(seq), MAX(seq) FROM ${CHANGES}`);
  const below = Number(last ?? 0) - keep + 1;
  return Number(first ?? 0) < below ? String(below) : null;
}

/** In one transaction: who sees that changes are gone sees which prune it was. */
function pruneSql(pruned: Pruned): string[] {
  return [
    "START TRANSACTION",
    `REPLACE INTO ${REGISTRY} VALUES (${quoteText(PRUNED)}, ${quoteText(JSON.stringify(pruned))})`,
    `DELETE FROM ${CHANGES} WHERE seq < ${Number(pruned.below)}`,
    "COMMIT",
  ];
}

function quoteName(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** What a trigger writes; OLD and NEW are there as the event has them. */
function insertSql(
  table: string,
  { keys }: Captured,
  event: (typeof EVENTS)[number],
  columns: string,
): string {
  const rows = event === "UPDATE" ? ["OLD", "NEW"] : [event === "INSERT" ? "NEW" : "OLD"];
  const named = keys.map(
    (key) => `${quoteText(key)}, JSON_ARRAY(${rows.map((row) => `${row}.${quoteName(key)}`).join(", ")})`,
  );
  const values = [quoteText(table), columns, `JSON_OBJECT(${named.join(", ")})`];
  return `INSERT INTO ${CHANGES} (tbl, cols, ids) VALUES (${values.join(", ")})`;
}

function tableSql(table: string, captured: Captured, place: number): string[] {
  const triggers = EVENTS.map((event) => {
    const name = `${TRIGGER}${place}_${event.toLowerCase()}`;
    const head = `CREATE TRIGGER ${name} AFTER ${event} ON ${quoteName(table)} FOR EACH ROW`;
    if (event !== "UPDATE") return `${head} ${insertSql(table, captured, event, "NULL")}`;
    // By their bytes: collations call texts equal that are not.
    const differing = captured.columns.map((column) => {
      const [before, after] = [`OLD.${quoteName(column)}`, `NEW.${quoteName(column)}`];
      return `IF(BINARY ${before} <=> BINARY ${after}, NULL, ${quoteText(column)})`;
    });
    return `${head} BEGIN
  DECLARE differing TEXT DEFAULT CONCAT_WS(',', ${differing.join(",\n    ")});
  IF differing <> '' THEN ${insertSql(table, captured, event, "differing")}; END IF;
END`;
  });
  const shape = quoteText(JSON.stringify(captured));
  return [...triggers, `INSERT INTO ${REGISTRY} VALUES (${quoteText(table)}, ${shape})`];
}

function installSql(tables: ReadonlyMap<string, Captured>, epoch: string): string[] {
  return [
    `CREATE TABLE ${REGISTRY} (tbl VARCHAR(64) PRIMARY KEY, shape MEDIUMTEXT NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4`,
    `CREATE TABLE ${CHANGES} (seq BIGINT AUTO_INCREMENT PRIMARY KEY, tbl VARCHAR(64) NOT NULL, cols TEXT, ids TEXT)
  ENGINE = InnoDB CHARACTER SET utf8mb4`,
    ...[...tables].flatMap(([table, captured], place) => tableSql(table, captured, place)),
    `INSERT INTO ${REGISTRY} VALUES ('', ${quoteText(epoch)})`,
  ];
}

async function removeSql(ask: Ask): Promise<string[]> {
  const triggers = await ask(`${OUR_TRIGGERS} ORDER BY trigger_name`);
  return [
    ...triggers.map(([, name]) => `DROP TRIGGER ${quoteName(String(name))}`),
    `DROP TABLE IF EXISTS ${REGISTRY}, ${CHANGES}`,
  ];
}

export const MYSQL_CAPTURE: CaptureDialect = {
  triggers: EVENTS.length,
  ...{ readSchema, readChanges, pruneBelow, pruneSql, installSql, removeSql },
};
