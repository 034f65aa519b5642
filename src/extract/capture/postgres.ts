/**
 * The capture in PostgreSQL. A change is one that the build before did not see: its transaction was not visible to the
 * snapshot of that build. So none is skipped that was begun early and committed late. Nothing here takes a number of a
 * sequence: `lastval()` is the shop's.
 */

import { quoteName as quoteNameOf, quoteText } from "../stores/sql.ts";
import {
  type Ask,
  byName,
  type CaptureDialect,
  CHANGES,
  type ChangesRead,
  columnsOf,
  type Installation,
  LOOKED_AT,
  MOST_CHANGES,
  namesOf,
  type OwnTables,
  type Position,
  PREFIX,
  type Pruned,
  REGISTRY,
  type Rows,
  type Source,
  type StoreSchema,
  type StoreTable,
  sourcesOf,
} from "./dialect.ts";

const TRIGGER = REGISTRY;
const SCHEMAS = "n.nspname = ANY (current_schemas(FALSE))";
const SAFE_PATH = "search_path=pg_catalog, pg_temp";

/** Kinds of relations whose rows change without triggers for rows. */
const REFUSED: Readonly<Record<string, string>> = {
  m: "a materialized view changes without triggers",
  f: "a foreign table changes without triggers",
  S: "a sequence changes without triggers",
};

const nameOf = (table: string) => `(SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = to_regclass('${table}'))`;

const OWN = `SELECT ${nameOf(CHANGES)}, ${nameOf(REGISTRY)},
    has_table_privilege(to_regclass('${CHANGES}'), 'SELECT'), has_table_privilege(to_regclass('${REGISTRY}'), 'SELECT'),
    (SELECT json_agg(json_build_array(c.relname, a.attname) ORDER BY a.attrelid, a.attnum)::text
      FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
      WHERE a.attrelid IN (to_regclass('${CHANGES}'), to_regclass('${REGISTRY}')) AND a.attnum > 0 AND NOT a.attisdropped),
    (SELECT json_agg(json_build_array(attrelid, attnum, attname, atttypid, attnotnull))::text FROM pg_attribute
      WHERE attrelid IN (to_regclass('${CHANGES}'), to_regclass('${REGISTRY}')) AND attnum > 0),
    (SELECT json_agg(json_build_array(oid, relfilenode, relkind, relchecks, relhastriggers, relhasrules, relrowsecurity))::text FROM pg_class
      WHERE oid IN (to_regclass('${CHANGES}'), to_regclass('${REGISTRY}')))`;

async function readOwn(ask: Ask): Promise<OwnTables> {
  const [row = []] = await ask(OWN);
  const [changes, registry, mayReadChanges, mayReadRegistry, columns, attributes, storage] = row;
  const tables = [changes, registry].filter((name) => name !== null).map(String);
  const mayRead = mayReadChanges !== 0 && mayReadRegistry !== 0;
  const grant = `GRANT SELECT ON ${tables.join(", ")} TO …`;
  return {
    ...{
      changes: changes === null ? null : String(changes),
      registry: registry == null ? null : String(registry),
    },
    columns: columnsOf(JSON.parse(String(columns ?? "[]")) as Rows),
    refusal: mayRead ? null : `this role may not read ${tables.join(" and ")}: ${grant}`,
    definition: `${attributes} ${storage}`,
  };
}

/** Relations that a name leads to: it, and all that inherit from it or are parts of it, in whichever schema. */
const RELATIONS = `WITH RECURSIVE tree (root, oid) AS (
    SELECT c.oid, c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE ${SCHEMAS} AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND c.relname NOT IN ('${CHANGES}', '${REGISTRY}')
    UNION SELECT t.root, i.inhrelid FROM tree AS t JOIN pg_inherits AS i ON i.inhparent = t.oid
  )
  SELECT r.relname, format('%I.%I', n.nspname, r.relname), format('%I.%I', m.nspname, c.relname), c.relkind::text,
    c.relispartition, c.oid = r.oid AND EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhrelid = c.oid),
    row_security_active(c.oid),
    (SELECT json_agg(json_build_array(a.attname,
          COALESCE(NULLIF(y.typbasetype, 0), y.oid) IN (20, 21, 23)) ORDER BY a.attnum)::text
      FROM pg_attribute AS a JOIN pg_type AS y ON y.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    (SELECT concat_ws(' ', t.tgenabled, t.tgtype, t.tgqual IS NULL AND t.tgattr::text = '' AND t.tgnargs = 0,
          p.prosecdef, array_to_string(p.proconfig, ' '), has_function_privilege('public', p.oid, 'EXECUTE'),
          has_table_privilege(p.proowner, to_regclass('${CHANGES}'), 'INSERT'), p.prosrc)
      FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid WHERE t.tgrelid = c.oid AND t.tgname = '${TRIGGER}'),
    json_build_array(c.oid, c.relkind, c.relfilenode, c.relpersistence,
      (SELECT json_agg(json_build_array(a.attnum, a.attname, a.atttypid, a.atttypmod, a.attcollation, a.attisdropped)
          ORDER BY a.attnum) FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0),
      (SELECT json_agg(json_build_array(t.oid, t.xmin::text) ORDER BY t.oid) FROM pg_trigger AS t WHERE t.tgrelid = c.oid
        AND t.tgname = '${TRIGGER}'),
      (SELECT json_agg(json_build_array(s.oid, s.xmin::text) ORDER BY s.oid) FROM pg_policy AS s WHERE s.polrelid = c.oid)
    )::text,
    CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END
  FROM tree AS t
  JOIN pg_class AS r ON r.oid = t.root JOIN pg_namespace AS n ON n.oid = r.relnamespace
  JOIN pg_class AS c ON c.oid = t.oid JOIN pg_namespace AS m ON m.oid = c.relnamespace
  ORDER BY 2, c.oid <> r.oid, c.oid`;

/** The cluster, its history, the database; who asks, what names mean to it and how values are shown; types that change in their places. */
const IDENTITY = `SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()),
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT oid FROM pg_database WHERE datname = current_database()),
  current_user, current_schemas(TRUE)::text,
  (SELECT json_agg(json_build_array(s.name, s.setting) ORDER BY s.name) FROM pg_settings AS s
    WHERE s.category LIKE 'Client Connection Defaults%' AND s.source <> 'client'),
  (SELECT json_agg(json_build_array(e.enumtypid, e.oid, e.enumsortorder, e.enumlabel) ORDER BY e.oid) FROM pg_enum AS e),
  (SELECT json_agg(json_build_array(y.oid, y.xmin::text) ORDER BY y.oid) FROM pg_type AS y WHERE y.typtype IN ('d', 'r')
    AND y.oid >= 16384),
  (SELECT json_agg(json_build_array(a.attrelid, a.attnum, a.xmin::text) ORDER BY a.attrelid, a.attnum)
    FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid WHERE c.relkind = 'c'))`;

/** Operators and casts of the store's own may read anything, and no word of a file names them. */
const OPAQUE = `SELECT 'select' WHERE EXISTS (SELECT FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
    WHERE l.lanname NOT IN ('c', 'internal') AND p.pronamespace <> 'pg_catalog'::regnamespace
      AND (p.oid IN (SELECT oprcode FROM pg_operator) OR p.oid IN (SELECT castfunc FROM pg_cast)))
  UNION SELECT p.proname FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.prorettype <> 'trigger'::regtype
  UNION SELECT n.nspname FROM pg_namespace AS n WHERE n.nspname <> 'pg_catalog' AND NOT ${SCHEMAS}
  UNION SELECT p.proname FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace
    AND p.proname ~ '(to_xml|^pg_(read|stat|ls)_|^lo_|^currval|^lastval|^nextval)'`;

/** What of a relation keeps its changes from being written down. */
function refusalOf(kind: unknown, isChild: unknown, isGuarded: unknown): string | null {
  if (isChild === 1) return "it is a part of another table, or inherits from one: only that one is followed";
  return REFUSED[String(kind)] ?? (isGuarded === 1 ? "row security decides what of it is read" : null);
}

async function readSchema(ask: Ask): Promise<StoreSchema> {
  const tables = new Map<string, StoreTable>();
  const views = new Map<string, string>();
  for (const row of await ask(RELATIONS)) {
    const [root, sql, relation, kind, isPart, isChild, isGuarded, columns, trigger, definition, view] = row;
    const name = String(root).toLowerCase();
    if (kind === "v") views.set(name, `${views.get(name) ?? ""}\n${view}\n-- ${definition}`);
    if (kind === "v") continue;
    const given = JSON.parse(String(columns ?? "[]")) as [string, boolean][];
    const known = tables.get(String(sql)) ?? {
      ...{
        name,
        sql: String(sql),
        definition: "",
        refusal: null,
        on: [],
        triggers: new Map<string, string>(),
      },
      columns: given.map(([column]) => column),
      numbers: given.flatMap(([column, isNumber]) => (isNumber ? [column] : [])),
    };
    tables.set(String(sql), {
      ...known,
      definition: `${known.definition} ${definition}`,
      refusal: known.refusal ?? refusalOf(kind, isChild, isGuarded),
      // Parts get those of the whole.
      on: isPart === 1 ? known.on : [...known.on, String(relation)],
      triggers: new Map([...known.triggers, [String(relation), String(trigger ?? "")]]),
    });
  }
  const [[identity] = []] = await ask(IDENTITY);
  const opaque = namesOf(await ask(OPAQUE));
  return { tables: byName(tables.values()), views, identity: String(identity), opaque, cascades: new Map() };
}

const quoteName = (name: string) => quoteNameOf(name, "postgres");

/** What the triggers of a table run. What it writes has no cast, and if it fails, the table's number is written alone. */
function bodyOf(table: StoreTable, sources: readonly Source[], changes: string): string {
  const own = sourcesOf(table, sources);
  const insert = (row: string) =>
    `INSERT INTO ${changes} (src, id) VALUES ${own
      .map(({ number, column }) => `(${number}, ${column === null ? "NULL" : `${row}.${quoteName(column)}`})`)
      .join(", ")};`;
  const keys = own.flatMap(({ column }) => (column === null ? [] : [quoteName(column)]));
  const isOther = keys.map((key) => `OLD.${key} IS DISTINCT FROM NEW.${key}`).join(" OR ") || "FALSE";
  return `
BEGIN
  IF TG_OP <> 'INSERT' THEN ${insert("OLD")} END IF;
  IF TG_OP = 'INSERT' THEN ${insert("NEW")} ELSIF TG_OP = 'UPDATE' THEN
    IF ${isOther} THEN ${insert("NEW")} END IF;
  END IF;
  RETURN NULL;
EXCEPTION WHEN OTHERS THEN
  BEGIN
    INSERT INTO ${changes} (src) VALUES (${own[0]?.number});
  EXCEPTION WHEN OTHERS THEN NULL;
  END;
  RETURN NULL;
END `;
}

function triggersOf(table: StoreTable, sources: readonly Source[], _: StoreSchema, changes: string) {
  // Always, for each row of any change, as its owner, who may write there and whom names can't mislead.
  const text = `A 29 t t ${SAFE_PATH} f t ${bodyOf(table, sources, changes)}`;
  return new Map([...table.triggers.keys()].map((relation) => [relation, text]));
}

/** A standby's snapshot does not list what is under way: there all counts as unseen that may be. */
const SNAPSHOT = `SELECT CASE WHEN pg_is_in_recovery() THEN format('%1$s:%1$s:', pg_snapshot_xmin(s)) ELSE s::text END
  FROM pg_current_snapshot() AS s`;

async function readChanges(
  ask: Ask,
  changes: string,
  before: Position | null,
  pruned: Pruned | null,
): Promise<ChangesRead> {
  const newestSql = `SELECT xact::text || ' ' || at::text FROM ${changes}`;
  const [[now] = []] = await ask(SNAPSHOT);
  const [[newest = ""] = []] = await ask(`${newestSql} ORDER BY xact DESC, at DESC LIMIT 1`);
  const next = { cursor: now, newest: String(newest) };
  const { cursor, newest: known = "" } = before ?? {};
  if (typeof cursor !== "string" || !/^\d+:\d+:[\d,]*$/.test(cursor)) return { ...next, changes: null };
  if (known !== "") {
    const [xact = "", ...at] = known.split(" ");
    const still = await ask(
      `${newestSql} WHERE xact = ${quoteText(xact)}::xid8 AND at = ${quoteText(at.join(" "))}::timestamptz LIMIT 1`,
    );
    if (still.length === 0) return { ...next, changes: null };
  }
  // All below a snapshot's first number were over by then, so it has seen whatever is gone.
  const [first = ""] = cursor.split(":");
  if (pruned !== null && BigInt(first) < BigInt(pruned.below)) return { ...next, changes: null };
  const seen = `'${cursor}'::pg_snapshot`;
  const [[isPast] = []] = await ask(
    `SELECT pg_snapshot_xmax(${seen}) <= pg_snapshot_xmax(pg_current_snapshot())`,
  );
  if (isPast !== 1) return { ...next, changes: null };
  const rows = await ask(
    `SELECT src, id FROM ${changes}
      WHERE xact >= pg_snapshot_xmin(${seen}) AND NOT pg_visible_in_snapshot(xact, ${seen}) LIMIT ${MOST_CHANGES + 1}`,
  );
  const told = rows.map(([source, id = null]) => [Number(source), id] as const);
  return { ...next, changes: rows.length > MOST_CHANGES ? null : told };
}

function lookSql(changes: string): string {
  return `SELECT COUNT(*)::text || ' ' || COALESCE(SUM(extract(epoch FROM n.at)), 0)
    FROM (SELECT at FROM ${changes} ORDER BY xact DESC LIMIT ${LOOKED_AT}) AS n`;
}

async function installSql(ask: Ask, { sources, tables, facts }: Installation): Promise<string[]> {
  const [[schema] = []] = await ask("SELECT quote_ident(current_schema())");
  const [changes, registry] = [`${schema}.${CHANGES}`, `${schema}.${REGISTRY}`];
  return [
    // A long transaction of the shop's must not make all others wait behind this one.
    "SET LOCAL lock_timeout = '10s'",
    `CREATE TABLE ${registry} (name text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE ${changes} (xact xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(),
  src integer NOT NULL, id bigint, at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp())`,
    `CREATE INDEX ${CHANGES}_xact ON ${changes} (xact)`,
    `ALTER TABLE ${changes} REPLICA IDENTITY FULL`,
    `REVOKE ALL ON TABLE ${changes}, ${registry} FROM PUBLIC`,
    ...tables.flatMap((table) => tableSql(table, sources, `${schema}`)),
    ...[...facts].map(
      ([name, value]) => `INSERT INTO ${registry} VALUES (${quoteText(name)}, ${quoteText(value)})`,
    ),
  ];
}

function tableSql(table: StoreTable, sources: readonly Source[], schema: string): string[] {
  const call = `${schema}.${PREFIX}${sourcesOf(table, sources)[0]?.number}()`;
  return [
    `CREATE FUNCTION ${call} RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET ${SAFE_PATH.replace("=", " = ")} AS $vitrine$${bodyOf(
      table,
      sources,
      `${schema}.${CHANGES}`,
    )}$vitrine$`,
    `REVOKE ALL ON FUNCTION ${call} FROM PUBLIC`,
    ...table.on.flatMap((relation) => [
      `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE ON ${relation} FOR EACH ROW EXECUTE FUNCTION ${call}`,
      // Also for who replicates into the store, or has triggers off for a session.
      `ALTER TABLE ${relation} ENABLE ALWAYS TRIGGER ${TRIGGER}`,
    ]),
  ];
}

async function grantsSql(ask: Ask): Promise<string[]> {
  const [[schema] = []] = await ask("SELECT quote_ident(current_schema())");
  return [`GRANT SELECT ON ${schema}.${CHANGES}, ${schema}.${REGISTRY} TO …`];
}

const THEIR_TRIGGERS = `SELECT t.tgname, format('%I.%I', n.nspname, c.relname)
  FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE t.tgname IN ('${TRIGGER}', '${TRIGGER}_truncate') AND t.tgparentid = 0 ORDER BY 2, 1`;

const THEIR_FUNCTIONS = `SELECT format('%I.%I', n.nspname, p.proname)
  FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE ${SCHEMAS} AND p.proname ~ '^${REGISTRY}(_[0-9]+)?$' AND p.pronargs = 0 ORDER BY p.proname`;

async function removeSql(ask: Ask): Promise<string[]> {
  const { changes, registry } = await readOwn(ask);
  const tables = [registry, changes].filter((name) => name !== null);
  return [
    ...(await ask(THEIR_TRIGGERS)).map(([name, relation]) => `DROP TRIGGER ${name} ON ${relation}`),
    ...(await ask(THEIR_FUNCTIONS)).map(([name]) => `DROP FUNCTION ${name}()`),
    ...(tables.length === 0 ? [] : [`DROP TABLE ${tables.join(", ")}`]),
  ];
}

/** Transactions that are over, and that the newest changes are not of. */
async function pruneBelow(ask: Ask, changes: string, keep: number): Promise<string | null> {
  const [[below] = []] = await ask(`SELECT LEAST(pg_snapshot_xmin(pg_current_snapshot())::text::numeric,
    (SELECT MIN(n.xact::text::numeric) FROM (SELECT xact FROM ${changes} ORDER BY xact DESC LIMIT ${keep}) AS n))::text`);
  const [[gone] = []] = await ask(`SELECT COUNT(*) FROM ${changes} WHERE xact < '${below}'::xid8`);
  return Number(gone) === 0 ? null : String(below);
}

function pruneSql(own: { readonly changes: string; readonly registry: string }, pruned: Pruned): string[] {
  return [
    `INSERT INTO ${own.registry} VALUES ('pruned', ${quoteText(JSON.stringify(pruned))})
  ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
    `DELETE FROM ${own.changes} WHERE xact < '${pruned.below}'::xid8`,
  ];
}

const FAULTS = `SELECT DISTINCT p.oid::regprocedure::text, pg_get_userbyid(p.proowner)
  FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE ${SCHEMAS} AND p.proname ~ '^${REGISTRY}(_[0-9]+)?$' AND p.prosecdef
    AND NOT COALESCE(p.proconfig::text[] @> ARRAY['${SAFE_PATH}'], FALSE) ORDER BY 1`;

async function readFaults(ask: Ask): Promise<string[]> {
  return (await ask(FAULTS)).map(
    ([name, owner]) =>
      `${name} is of an older form: whoever may write a captured table can run statements as ${owner} by it. ` +
      "Install the capture again.",
  );
}

export const POSTGRES_CAPTURE: CaptureDialect = {
  changeColumns: ["xact", "src", "id", "at"],
  ...{ readOwn, readSchema, triggersOf, readChanges, lookSql },
  ...{ installSql, grantsSql, removeSql, pruneBelow, pruneSql, readFaults },
};
