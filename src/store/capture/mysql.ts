/**
 * The capture in MySQL and MariaDB. Changes are numbered when they are made, not when they are committed: numbers that are
 * missing when a build looks are remembered, and looked for by the next.
 */
import { quoteName as quoteNameOf } from "../sql.ts";
import {
  type Ask,
  type CaptureDialect,
  CHANGES,
  type ChangesRead,
  type Installation,
  LOOKED_AT,
  MOST_CHANGES,
  type Position,
  PREFIX,
  PRUNED,
  type Source,
  type StoreTable,
  sourcesOf,
} from "./dialect.ts";
import { complete, MYSQL_SELECT, readRefusal, STORAGE } from "./mysql-catalog.ts";
import { DEFINER, definerFor, quoteText, readFaults } from "./mysql-definer.ts";

const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;

/** Most numbers that are waited for: of transactions that are open, or were rolled back. The oldest are forgotten. */
const MOST_GAPS = 10_000;

interface Cursor {
  readonly highest: number;
  /** Missing below it, in their order. */
  readonly gaps: readonly number[];
}

const quoteName = (name: string) => quoteNameOf(name, "mysql");

/** What a trigger runs. If that fails, the table's number is written alone; nothing of it fails the shop's own write. */
function bodyOf(table: StoreTable, sources: readonly Source[], event: (typeof EVENTS)[number]): string {
  const own = sourcesOf(table, sources);
  const insert = (rows: readonly string[]) => `INSERT INTO ${CHANGES} (src, id) VALUES ${rows.join(", ")};`;
  const rowsOf = (row: string) =>
    own.map(
      ({ number, column }) => `(${number}, ${column === null ? "NULL" : `${row}.${quoteName(column)}`})`,
    );
  const wholly = (tables: readonly string[]) =>
    tables.flatMap((sql) => sourcesOf({ sql }, sources).slice(0, 1)).map(({ number }) => `(${number}, NULL)`);
  const ifOther = (columns: readonly string[], rows: readonly string[]) => {
    if (columns.length === 0 || rows.length === 0) return "";
    const same = columns.map((column) => `OLD.${quoteName(column)} <=> NEW.${quoteName(column)}`);
    const isKnown = columns.every((column) => table.numbers.includes(column));
    return `IF ${isKnown ? `NOT (${same.join(" AND ")})` : "TRUE"} THEN ${insert(rows)} END IF;`;
  };
  const { children = [], columns = [] } = table.cascades ?? {};
  const keys = own.flatMap(({ column }) => (column === null ? [] : [column]));
  const steps = {
    INSERT: [insert(rowsOf("NEW"))],
    UPDATE: [insert(rowsOf("OLD")), ifOther(keys, rowsOf("NEW")), ifOther(columns, wholly(children))],
    DELETE: [insert([...rowsOf("OLD"), ...wholly(children)])],
  };
  return `BEGIN
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN
    DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
    ${insert(wholly(event === "INSERT" ? [table.sql] : [table.sql, ...children]))}
  END;
  ${steps[event].filter((step) => step !== "").join("\n  ")}
END`;
}

function triggersOf(table: StoreTable, sources: readonly Source[]): Map<string, string> {
  return new Map(EVENTS.map((event) => [`AFTER ${event}`, bodyOf(table, sources, event)]));
}

function isCursor(value: unknown): value is Cursor {
  return typeof value === "object" && value !== null && "highest" in value && "gaps" in value;
}

async function readChanges(ask: Ask, changes: string, position: Position | null): Promise<ChangesRead> {
  const newestSql = `SELECT seq, CAST(at AS CHAR) FROM ${changes}`;
  const [[last = 0, at = ""] = []] = await ask(`${newestSql} ORDER BY seq DESC LIMIT 1`);
  const [highest, newest] = [Number(last), `${last} ${at}`];
  const { cursor, newest: known = "0 " } = position ?? {};
  const [seq] = known.split(" ");
  const [[, then = ""] = []] = await ask(`${newestSql} WHERE seq = ${Number(seq)}`);
  const stands = known === "0 " || known === `${seq} ${then}`;
  const isKnown =
    isCursor(cursor) && stands && cursor.highest <= highest && highest - cursor.highest <= MOST_CHANGES;
  // Also of what stands when there is no build before: numbers among it may still be to come.
  const before: Cursor = isKnown ? cursor : { highest: Math.max(0, highest - MOST_CHANGES), gaps: [] };
  const missing = before.gaps.length === 0 ? "" : ` OR seq IN (${before.gaps.map(Number).join()})`;
  const rows = await ask(
    `SELECT src, id, seq FROM ${changes} WHERE seq > ${Number(before.highest)}${missing} ORDER BY seq`,
  );
  const seen = new Set(rows.map(([, , seq]) => Number(seq)));
  const gaps = before.gaps.filter((seq) => !seen.has(seq));
  for (let seq = before.highest + 1; seq <= highest; seq++) if (!seen.has(seq)) gaps.push(seq);
  const found = rows.map(([source, id = null]) => [Number(source), id] as const);
  // What a prune took may be among what this build has not seen: what came after it, and what it waits for.
  const oldest = Math.min(before.highest + 1, ...before.gaps);
  const isLost = found.some(([source, below]) => source === PRUNED && oldest < Number(below));
  const next = { cursor: { highest, gaps: gaps.slice(-MOST_GAPS) } satisfies Cursor, newest };
  return { ...next, changes: isKnown && !isLost ? found : null };
}

async function installSql(ask: Ask, { own, sources, tables, definer }: Installation): Promise<string[]> {
  const { account, statements } = await definerFor(ask, definer, tables);
  const [[database, version] = []] = await ask("SELECT DATABASE(), VERSION()");
  const list = /MariaDB/i.test(String(version)) ? "innodb_sys_tables" : "innodb_tables";
  const only = /^\w+$/.test(String(database)) ? ` WHERE t.name LIKE ${quoteText(`${database}/%`)}` : "";
  return [
    // A long transaction of the shop's must not make all others wait behind this one.
    "SET SESSION lock_wait_timeout = 10",
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES'",
    `CREATE TABLE ${own.registry} (name VARCHAR(20) PRIMARY KEY, value MEDIUMTEXT NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4`,
    `CREATE TABLE ${own.changes} (seq BIGINT AUTO_INCREMENT PRIMARY KEY, src INT NOT NULL, id BIGINT,
  at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)) ENGINE = InnoDB CHARACTER SET utf8mb4`,
    `CREATE FUNCTION ${STORAGE}() RETURNS LONGTEXT CHARACTER SET utf8mb4 READS SQL DATA SQL SECURITY DEFINER
  RETURN (SELECT GROUP_CONCAT(t.name, ' ', t.table_id ORDER BY t.name SEPARATOR '\n')
    FROM information_schema.${list} AS t${only})`,
    ...statements,
    ...tables.flatMap((table) =>
      [...triggersOf(table, sources)].map(
        ([on, body]) =>
          `CREATE DEFINER = ${account} TRIGGER ${PREFIX}${sourcesOf(table, sources)[0]?.number}_${on.slice(6).toLowerCase()}
  ${on} ON ${table.sql} FOR EACH ROW ${body}`,
      ),
    ),
  ];
}

export const MYSQL_CAPTURE: CaptureDialect = {
  changeColumns: ["seq", "src", "id", "at"],
  select: MYSQL_SELECT,
  ...{ complete, readRefusal, triggersOf, readChanges, installSql, quoteText, readFaults },
  lookSql: (changes) =>
    `SELECT COUNT(*), SUM(n.seq) FROM (SELECT seq FROM ${changes} ORDER BY seq DESC LIMIT ${LOOKED_AT}) AS n`,
  // With the change that says so. Numbers that are missing leave fewer than `keep`, never more.
  pruneBelow: (changes, keep) =>
    `SELECT CASE WHEN MIN(seq) <= MAX(seq) - ${keep} THEN MAX(seq) - ${keep} + 2 END FROM ${changes}`,
  // In one transaction: who sees that changes are gone sees that they were pruned.
  pruneSql: (changes, below) => [
    "START TRANSACTION",
    `INSERT INTO ${changes} (src, id) VALUES (${PRUNED}, ${below})`,
    `DELETE FROM ${changes} WHERE seq < ${below}`,
    "COMMIT",
  ],
  grants: (tables) => [
    ...[STORAGE, DEFINER].map((name) => `GRANT EXECUTE ON FUNCTION ${name} TO …`),
    // Without it, triggers can't be seen.
    ...tables.map(({ sql }) => `GRANT TRIGGER ON ${sql} TO …`),
  ],
};
