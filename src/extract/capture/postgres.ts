/**
 * The capture in PostgreSQL. A change is one that the build before did not see: its transaction was not visible to the
 * snapshot of that build. So none is skipped that was begun early and committed late, whatever its number.
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

const FUNCTION = "vitrine_capture";
const TRIGGERS = [FUNCTION, `${FUNCTION}_truncate`] as const;

const OF_THE_STORE = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_'";

/** Kinds of relations: r, p have triggers for rows; v is text; the others change without any. */
const RELATIONS = `SELECT c.relname, c.relkind::text, c.oid::text || ':' || c.relfilenode::text,
    (SELECT COUNT(*) FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND t.tgenabled = 'A'
      AND t.tgname IN ('${TRIGGERS.join("', '")}')),
    CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE ${OF_THE_STORE} AND pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND c.relname NOT IN ('${CHANGES}', '${REGISTRY}')`;

const COLUMNS = `SELECT c.relname, a.attname
  FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE ${OF_THE_STORE} AND pg_table_is_visible(c.oid) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum`;

const OPAQUE = `SELECT p.proname FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE ${OF_THE_STORE}
  UNION SELECT n.nspname FROM pg_namespace AS n
  WHERE ${OF_THE_STORE} AND NOT n.nspname = ANY (current_schemas(FALSE))`;

async function readSchema(ask: Ask): Promise<StoreSchema> {
  const columns = groupRows(await ask(COLUMNS));
  const tables = new Map<string, StoreTable>();
  const views = new Map<string, string | null>();
  for (const [relation, kind, identity, triggers, definition] of await ask(RELATIONS)) {
    const name = String(relation);
    if (kind === "v") views.set(name.toLowerCase(), definition === null ? null : String(definition));
    else
      tables.set(name.toLowerCase(), {
        name,
        columns: columns.get(name.toLowerCase()) ?? [],
        identity: String(identity),
        triggers: Number(triggers),
      });
  }
  return { tables, views, opaque: namesOf(await ask(OPAQUE)), cascades: new Map() };
}

async function readChanges(ask: Ask, cursor: unknown, pruned: Pruned | null): Promise<ChangesRead> {
  const [[now] = []] = await ask("SELECT pg_current_snapshot()::text");
  if (typeof cursor !== "string" || !/^\d+:\d+:[\d,]*$/.test(cursor)) return { cursor: now, changes: null };
  // All below a snapshot's first number were over by then, so it has seen whatever is gone.
  const [first = ""] = cursor.split(":");
  if (pruned !== null && BigInt(first) < BigInt(pruned.below)) return { cursor: now, changes: null };
  const seen = `'${cursor}'::pg_snapshot`;
  const rows = await ask(
    `SELECT tbl, cols, ids FROM ${CHANGES}
      WHERE xact >= pg_snapshot_xmin(${seen}) AND NOT pg_visible_in_snapshot(xact, ${seen}) LIMIT ${MOST_CHANGES + 1}`,
  );
  return { cursor: now, changes: rows.length > MOST_CHANGES ? null : changesOf(rows) };
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const MAKE_FUNCTION = `CREATE FUNCTION ${FUNCTION}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  before jsonb; after jsonb; differing text; named jsonb := '{}'; place integer;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO ${CHANGES} (tbl) VALUES (TG_ARGV[0]);
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN before := to_jsonb(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN after := to_jsonb(NEW); END IF;
  IF TG_OP = 'UPDATE' THEN
    SELECT string_agg(c.key, ',') INTO differing FROM jsonb_each(before) AS c
      WHERE c.value::text IS DISTINCT FROM (after -> c.key)::text;
    IF differing IS NULL THEN RETURN NULL; END IF;
  END IF;
  FOR place IN 1 .. TG_NARGS - 1 LOOP
    named := named || jsonb_build_object(TG_ARGV[place], jsonb_build_array(before -> TG_ARGV[place], after -> TG_ARGV[place]));
  END LOOP;
  INSERT INTO ${CHANGES} (tbl, cols, ids) VALUES (TG_ARGV[0], differing, named::text);
  RETURN NULL;
END $$`;

function tableSql(table: string, captured: Captured): string[] {
  const on = `ON ${quoteName(table)}`;
  const told = [table, ...captured.keys].map(quoteText).join(", ");
  const [rows, truncate] = TRIGGERS;
  return [
    `CREATE TRIGGER ${rows} AFTER INSERT OR UPDATE OR DELETE ${on} FOR EACH ROW EXECUTE FUNCTION ${FUNCTION}(${told})`,
    `CREATE TRIGGER ${truncate} AFTER TRUNCATE ${on} FOR EACH STATEMENT EXECUTE FUNCTION ${FUNCTION}(${told})`,
    // Also for who replicates into the store, or has triggers off for a session.
    `ALTER TABLE ${quoteName(table)} ENABLE ALWAYS TRIGGER ${rows}, ENABLE ALWAYS TRIGGER ${truncate}`,
    `INSERT INTO ${REGISTRY} VALUES (${quoteText(table)}, ${quoteText(JSON.stringify(captured))})`,
  ];
}

function installSql(tables: ReadonlyMap<string, Captured>, epoch: string): string[] {
  return [
    `CREATE TABLE ${REGISTRY} (tbl text PRIMARY KEY, shape text NOT NULL)`,
    `CREATE TABLE ${CHANGES} (seq bigserial PRIMARY KEY, xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
  tbl text NOT NULL, cols text, ids text)`,
    `CREATE INDEX ${CHANGES}_xact ON ${CHANGES} (xact)`,
    MAKE_FUNCTION,
    ...[...tables].flatMap(([table, captured]) => tableSql(table, captured)),
    `INSERT INTO ${REGISTRY} VALUES ('', ${quoteText(epoch)})`,
  ];
}

const THEIR_TRIGGERS = `SELECT c.oid::regclass::text, t.tgname
  FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE t.tgname IN ('${TRIGGERS.join("', '")}') AND t.tgparentid = 0 AND pg_table_is_visible(c.oid) ORDER BY 1, 2`;

async function removeSql(ask: Ask): Promise<string[]> {
  const triggers = await ask(THEIR_TRIGGERS);
  return [
    ...triggers.map(([table, name]) => `DROP TRIGGER ${name} ON ${table}`),
    `DROP FUNCTION IF EXISTS ${FUNCTION}()`,
    `DROP TABLE IF EXISTS ${REGISTRY}, ${CHANGES}`,
  ];
}

/** Transactions that are over, and that the newest changes are not of. */
async function pruneBelow(ask: Ask, keep: number): Promise<string | null> {
  const [[kept] = []] = await ask(
    `SELECT MIN(n.xact::text::numeric)::text FROM (SELECT xact FROM ${CHANGES} ORDER BY seq DESC LIMIT ${keep}) AS n`,
  );
  const [[open] = []] = await ask("SELECT pg_snapshot_xmin(pg_current_snapshot())::text");
  const [below = 0n] = [kept ?? open, open]
    .map((text) => BigInt(String(text)))
    .sort((a, b) => (a < b ? -1 : 1));
  const [[gone] = []] = await ask(`SELECT COUNT(*) FROM ${CHANGES} WHERE xact < '${below}'::xid8`);
  return Number(gone) === 0 ? null : String(below);
}

function pruneSql(pruned: Pruned): string[] {
  return [
    `INSERT INTO ${REGISTRY} VALUES (${quoteText(PRUNED)}, ${quoteText(JSON.stringify(pruned))})
  ON CONFLICT (tbl) DO UPDATE SET shape = EXCLUDED.shape`,
    `DELETE FROM ${CHANGES} WHERE xact < '${pruned.below}'::xid8`,
  ];
}

export const POSTGRES_CAPTURE: CaptureDialect = {
  triggers: TRIGGERS.length,
  ...{ readSchema, readChanges, pruneBelow, pruneSql, installSql, removeSql },
};
