/**
 * The capture in PostgreSQL. A change is one that the build before did not see: its transaction was not visible to the
 * snapshot of that build. So none is skipped that was begun early and committed late. Nothing here takes a number of a
 * sequence: `lastval()` is the shop's.
 */
import { quoteName as quoteNameOf, quoteText } from "../sql.ts";
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
  REGISTRY,
  type Source,
  type StoreTable,
  sourcesOf,
} from "./dialect.ts";
import { POSTGRES_SELECT, SAFE_PATH, TRIGGER } from "./postgres-catalog.ts";

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

function triggersOf(table: StoreTable, sources: readonly Source[], changes: string): Map<string, string> {
  // Always, for each row of any change, as its owner, who may write there and whom names can't mislead.
  const text = `A 29 t t ${SAFE_PATH} f t ${bodyOf(table, sources, changes)}`;
  return new Map([...table.triggers.keys()].map((relation) => [relation, text]));
}

async function readChanges(ask: Ask, changes: string, before: Position | null): Promise<ChangesRead> {
  const newestSql = `SELECT xact::text || ' ' || at::text FROM ${changes}`;
  // A standby's snapshot does not list what is under way: there all counts as unseen that may be.
  const [[now] = []] =
    await ask(`SELECT CASE WHEN pg_is_in_recovery() THEN format('%1$s:%1$s:', pg_snapshot_xmin(s)) ELSE s::text END
    FROM pg_current_snapshot() AS s`);
  const [[newest = ""] = []] = await ask(`${newestSql} ORDER BY xact DESC, at DESC LIMIT 1`);
  const next = { cursor: now, newest: String(newest), changes: null };
  const { cursor, newest: known = "" } = before ?? {};
  if (typeof cursor !== "string" || !/^\d+:\d+:[\d,]*$/.test(cursor)) return next;
  if (known !== "") {
    const [xact = "", ...at] = known.split(" ");
    const still = await ask(
      `${newestSql} WHERE xact = ${quoteText(xact)}::xid8 AND at = ${quoteText(at.join(" "))}::timestamptz LIMIT 1`,
    );
    if (still.length === 0) return next;
  }
  const seen = `'${cursor}'::pg_snapshot`;
  const [[isPast] = []] = await ask(
    `SELECT pg_snapshot_xmax(${seen}) <= pg_snapshot_xmax(pg_current_snapshot())`,
  );
  if (isPast !== 1) return next;
  const rows = await ask(
    `SELECT src, id FROM ${changes}
      WHERE xact >= pg_snapshot_xmin(${seen}) AND NOT pg_visible_in_snapshot(xact, ${seen}) LIMIT ${MOST_CHANGES + 1}`,
  );
  const found = rows.map(([source, id = null]) => [Number(source), id] as const);
  // All below a snapshot's first number were over by then, so it has seen whatever is gone.
  const isLost = found.some(
    ([source, below]) => source === PRUNED && Number(cursor.split(":")[0]) < Number(below),
  );
  return { ...next, changes: isLost || rows.length > MOST_CHANGES ? null : found };
}

async function installSql(_: Ask, { own, sources, tables }: Installation): Promise<string[]> {
  const { changes, registry } = own;
  return [
    // A long transaction of the shop's must not make all others wait behind this one.
    "SET LOCAL lock_timeout = '10s'",
    `CREATE TABLE ${registry} (name text PRIMARY KEY, value text NOT NULL)`,
    `CREATE TABLE ${changes} (xact xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id(),
  src integer NOT NULL, id bigint, at timestamptz NOT NULL DEFAULT pg_catalog.clock_timestamp())`,
    `CREATE INDEX ${CHANGES}_xact ON ${changes} (xact)`,
    `ALTER TABLE ${changes} REPLICA IDENTITY FULL`,
    `REVOKE ALL ON TABLE ${changes}, ${registry} FROM PUBLIC`,
    ...tables.flatMap((table) => {
      const schema = registry.slice(0, -REGISTRY.length);
      const call = `${schema}${PREFIX}${sourcesOf(table, sources)[0]?.number}()`;
      return [
        `CREATE FUNCTION ${call} RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET ${SAFE_PATH.replace("=", " = ")}
  AS $vitrine$${bodyOf(table, sources, changes)}$vitrine$`,
        `REVOKE ALL ON FUNCTION ${call} FROM PUBLIC`,
        ...table.on.flatMap((relation) => [
          `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE ON ${relation} FOR EACH ROW EXECUTE FUNCTION ${call}`,
          // Also for who replicates into the store, or has triggers off for a session.
          `ALTER TABLE ${relation} ENABLE ALWAYS TRIGGER ${TRIGGER}`,
        ]),
      ];
    }),
  ];
}

/** Functions of an older form. */
const FAULTS = `SELECT DISTINCT format('%s is of an older form: whoever may write a captured table can run statements as %s by it. '
    || 'Install the capture again.', p.oid::regprocedure, pg_get_userbyid(p.proowner))
  FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE n.nspname = ANY (current_schemas(FALSE)) AND p.proname ~ '^${REGISTRY}(_[0-9]+)?$' AND p.prosecdef
    AND NOT COALESCE(p.proconfig::text[] @> ARRAY['${SAFE_PATH}'], FALSE) ORDER BY 1`;

export const POSTGRES_CAPTURE: CaptureDialect = {
  changeColumns: ["xact", "src", "id", "at"],
  select: POSTGRES_SELECT,
  ...{ triggersOf, readChanges, installSql, quoteText },
  lookSql: (changes) => `SELECT COUNT(*)::text || ' ' || COALESCE(SUM(extract(epoch FROM n.at)), 0)
    FROM (SELECT at FROM ${changes} ORDER BY xact DESC LIMIT ${LOOKED_AT}) AS n`,
  // Transactions that are over, and that the newest changes are not of.
  pruneBelow: (changes, keep) => `SELECT MIN(b.below)::text FROM (
      SELECT LEAST(pg_snapshot_xmin(pg_current_snapshot())::text::numeric, MIN(n.xact::text::numeric)) AS below
      FROM (SELECT xact FROM ${changes} ORDER BY xact DESC LIMIT ${keep}) AS n) AS b
    JOIN ${changes} AS c ON c.xact < b.below::text::xid8`,
  pruneSql: (changes, below) => [
    `INSERT INTO ${changes} (src, id) VALUES (${PRUNED}, ${below})`,
    `DELETE FROM ${changes} WHERE xact < '${below}'::xid8`,
  ],
  grants: () => [],
  readFaults: async (ask) => (await ask(FAULTS)).map(([sentence]) => String(sentence)),
};
