/** What the information schema of MySQL and MariaDB says of a store, as the capture asks it. */
import { type Ask, type CaptureDialect, CHANGES, REGISTRY, type StoreTable } from "./dialect.ts";
import { DEFINER } from "./mysql-definer.ts";

/** Tells which storage each table has: TRUNCATE and EXCHANGE PARTITION change nothing else, and only PROCESS may see it. */
export const STORAGE = "vitrine_storage";

const HERE = "table_schema = DATABASE()";
const OURS = `t.table_name IN ('${CHANGES}', '${REGISTRY}')`;
const OUR_TRIGGERS = "trigger_schema = DATABASE() AND trigger_name LIKE 'vitrine\\_capture\\_%'";
const quoted = (name: string) => `CONCAT('\`', REPLACE(${name}, '\`', '\`\`'), '\`')`;

/** JSON arrays of what is known of each table, by its name as spelled. */
const grouped = (name: string, cells: string, from: string, order: string) =>
  `(SELECT CAST(${name} AS BINARY) AS of, CONCAT('[', GROUP_CONCAT(JSON_ARRAY(${cells}) ORDER BY ${order}), ']') AS cells
    FROM information_schema.${from} GROUP BY CAST(${name} AS BINARY))`;

const COLUMNS = grouped(
  "table_name",
  "column_name, column_type, character_set_name, collation_name, is_nullable, column_default, extra",
  `columns WHERE ${HERE}`,
  "ordinal_position",
);
const NUMBERS = `(SELECT CAST(table_name AS BINARY) AS of, CONCAT('[', GROUP_CONCAT(JSON_QUOTE(column_name) ORDER BY ordinal_position), ']') AS cells
    FROM information_schema.columns WHERE ${HERE} AND data_type IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint')
    GROUP BY CAST(table_name AS BINARY))`;
const PARTS = grouped(
  "table_name",
  "partition_name, partition_method, partition_expression, partition_description",
  `partitions WHERE ${HERE} AND partition_name IS NOT NULL`,
  "partition_name",
);
const TRIGGERS = grouped(
  "event_object_table",
  "CONCAT(action_timing, ' ', event_manipulation), action_statement, sql_mode, created",
  `triggers WHERE ${OUR_TRIGGERS}`,
  "trigger_name",
);

/** Cascades of foreign keys, over children of children, too; and the columns whose change one is. */
const CASCADES = `WITH RECURSIVE links (parent, child) AS (
    SELECT referenced_table_name, table_name FROM information_schema.referential_constraints
    WHERE constraint_schema = DATABASE() AND unique_constraint_schema = DATABASE()
      AND (delete_rule NOT IN ('RESTRICT', 'NO ACTION') OR update_rule NOT IN ('RESTRICT', 'NO ACTION'))
  ), reached (parent, child) AS (
    SELECT parent, child FROM links UNION SELECT r.parent, l.child FROM reached AS r JOIN links AS l ON l.parent = r.child
  )
  SELECT parent, child, NULL FROM reached
  UNION SELECT r.referenced_table_name, NULL, k.referenced_column_name
  FROM information_schema.referential_constraints AS r
  JOIN information_schema.key_column_usage AS k
    ON k.constraint_schema = r.constraint_schema AND k.constraint_name = r.constraint_name AND k.table_name = r.table_name
  WHERE r.constraint_schema = DATABASE() AND r.update_rule NOT IN ('RESTRICT', 'NO ACTION')
  ORDER BY 1, 2, 3`;

/** `shop/a 19`, `shop/b#P#p1 20` → by table; names with other characters are spelled in a way of the server's own, so they count for all. */
function storageOf(text: string): (table: string) => string {
  const lines = text.split("\n").map((line) => line.slice(line.indexOf("/") + 1));
  const tableOf = (line: string) => (/^[^ #]*/.exec(line)?.[0] ?? "").toLowerCase();
  return (table) =>
    lines.filter((line) => tableOf(line) === table || /@/.test(line) || !/^\w+$/.test(table)).join();
}

/** With their storage, and with what of others changes with them. */
export async function complete(ask: Ask, tables: readonly StoreTable[]): Promise<StoreTable[]> {
  // Where it can't be called, nothing is made of what stands here.
  const [[stored] = []] = await ask(`SELECT ${STORAGE}()`).catch(() => []);
  const storage = storageOf(String(stored ?? ""));
  const cascades = await ask(CASCADES);
  const sqlOf = new Map(tables.map(({ name, sql }) => [name, sql]));
  return tables.map((table) => {
    const own = cascades.filter(([parent]) => String(parent).toLowerCase() === table.name);
    const children = own.flatMap(([, child]) => sqlOf.get(String(child).toLowerCase()) ?? []);
    const columns = own.flatMap(([, , column]) => (column === null ? [] : [String(column)]));
    return {
      ...table,
      definition: JSON.stringify([table.definition, storage(table.name), own]),
      ...(children.length === 0 ? {} : { cascades: { children, columns } }),
    };
  });
}

export async function readRefusal(ask: Ask): Promise<string | null> {
  const isCallable = (await ask(`SELECT ${STORAGE}()`).catch(() => null)) !== null;
  if (isCallable) return null;
  return `${STORAGE}() can't be called: GRANT EXECUTE ON FUNCTION ${STORAGE}, or install again if its definer is gone`;
}

export const MYSQL_SELECT: CaptureDialect["select"] = {
  own: `SELECT t.table_name, ${quoted("t.table_name")}, c.may_read, c.names, CONCAT(t.create_time, c.definition)
    FROM information_schema.tables AS t
    JOIN (SELECT table_name, MIN(FIND_IN_SET('select', privileges) > 0) AS may_read,
        CONCAT('[', GROUP_CONCAT(JSON_QUOTE(column_name) ORDER BY ordinal_position), ']') AS names,
        GROUP_CONCAT(JSON_ARRAY(column_name, column_type, is_nullable, column_default) ORDER BY ordinal_position) AS definition
      FROM information_schema.columns WHERE ${HERE} GROUP BY table_name) AS c ON c.table_name = t.table_name
    WHERE t.${HERE} AND ${OURS} ORDER BY 1`,
  names: `SELECT '${CHANGES}', '${REGISTRY}'`,
  tables: `SELECT t.table_name, ${quoted("t.table_name")},
      IF(t.engine = 'InnoDB' AND t.table_type = 'BASE TABLE', NULL, CONCAT(t.engine, ' tables may change without triggers')),
      JSON_ARRAY(t.engine, t.table_type, t.create_time, t.table_collation, t.create_options, c.cells, p.cells, g.cells),
      n.cells, g.cells, JSON_ARRAY(${quoted("t.table_name")})
    FROM information_schema.tables AS t
    LEFT JOIN ${COLUMNS} AS c ON c.of = CAST(t.table_name AS BINARY)
    LEFT JOIN ${NUMBERS} AS n ON n.of = CAST(t.table_name AS BINARY)
    LEFT JOIN ${PARTS} AS p ON p.of = CAST(t.table_name AS BINARY)
    LEFT JOIN ${TRIGGERS} AS g ON g.of = CAST(t.table_name AS BINARY)
    WHERE t.${HERE} AND t.table_type <> 'VIEW' AND NOT ${OURS} ORDER BY 1`,
  // A definition that we may not see is empty. One that calls a function of the store's own, or reads another database, is
  // not known either; the database writes it in its own way.
  views: `SELECT table_name, IF(view_definition = '' OR view_definition REGEXP '\`[^\`]+\`[.]\`[^\`]+\`[(]'
      OR REPLACE(view_definition, CONCAT('\`', DATABASE(), '\`.'), '') REGEXP '(from|join)[ (]+\`[^\`]+\`[.]', NULL, view_definition)
    FROM information_schema.views WHERE ${HERE}`,
  opaque: `SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()
      AND routine_name NOT IN ('${STORAGE}', '${DEFINER}')
    UNION SELECT schema_name FROM information_schema.schemata WHERE schema_name <> DATABASE()`,
  // The server, and what of its settings decides how values are shown.
  identity: `SHOW VARIABLES WHERE variable_name IN ('server_uuid', 'server_uid', 'datadir', 'hostname', 'time_zone',
    'system_time_zone', 'sql_mode', 'lc_time_names', 'div_precision_increment', 'default_week_format', 'collation_connection')`,
  removal: `SELECT CONCAT('DROP TRIGGER ', ${quoted("trigger_name")}) FROM information_schema.triggers WHERE ${OUR_TRIGGERS}
    UNION ALL SELECT 'DROP FUNCTION IF EXISTS ${STORAGE}' UNION ALL SELECT 'DROP FUNCTION IF EXISTS ${DEFINER}'
    UNION ALL SELECT 'DROP TABLE IF EXISTS ${REGISTRY}, ${CHANGES}'`,
};
