/** What PostgreSQL's catalog says of a store, as the capture asks it. */
import { type CaptureDialect, CHANGES, REGISTRY } from "./dialect.ts";

export const TRIGGER = REGISTRY;
export const SAFE_PATH = "search_path=pg_catalog, pg_temp";

const SCHEMAS = "n.nspname = ANY (current_schemas(FALSE))";
const OWN = `(to_regclass('${CHANGES}'), to_regclass('${REGISTRY}'))`;

/** Of `pg_class AS c`. */
const DEFINITION = `json_build_array(c.oid, c.relkind, c.relfilenode, c.relpersistence,
    (SELECT json_agg(json_build_array(a.attnum, a.attname, a.atttypid, a.atttypmod, a.attcollation, a.attisdropped)
      ORDER BY a.attnum) FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0),
    (SELECT json_agg(json_build_array(t.oid, t.xmin::text) ORDER BY t.oid) FROM pg_trigger AS t
      WHERE t.tgrelid = c.oid AND t.tgname = '${TRIGGER}'),
    (SELECT json_agg(json_build_array(s.oid, s.xmin::text) ORDER BY s.oid) FROM pg_policy AS s WHERE s.polrelid = c.oid))::text`;

/** Why a relation's changes cannot be written down: what of it changes without triggers for rows. */
const REFUSAL = `CASE WHEN c.oid = r.oid AND EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhrelid = c.oid)
      THEN 'it is a part of another table, or inherits from one: only that one is followed'
    WHEN c.relkind = 'm' THEN 'a materialized view changes without triggers'
    WHEN c.relkind = 'f' THEN 'a foreign table changes without triggers'
    WHEN c.relkind = 'S' THEN 'a sequence changes without triggers'
    WHEN row_security_active(c.oid) THEN 'row security decides what of it is read' END`;

/** A table that a name leads to, with all that inherit from it or are parts of it, in whichever schema. */
const TABLES = `WITH RECURSIVE tree (root, oid) AS (
    SELECT c.oid, c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE ${SCHEMAS} AND c.relkind IN ('r', 'p', 'm', 'f', 'S') AND c.relname NOT IN ('${CHANGES}', '${REGISTRY}')
    UNION SELECT t.root, i.inhrelid FROM tree AS t JOIN pg_inherits AS i ON i.inhparent = t.oid
  )
  SELECT r.relname, format('%I.%I', n.nspname, r.relname), MIN(${REFUSAL}),
    string_agg(${DEFINITION}, ' ' ORDER BY c.oid <> r.oid, c.oid),
    (SELECT json_agg(a.attname ORDER BY a.attnum)::text FROM pg_attribute AS a JOIN pg_type AS y ON y.oid = a.atttypid
      WHERE a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND COALESCE(NULLIF(y.typbasetype, 0), y.oid) IN (20, 21, 23)),
    json_agg(json_build_array(format('%I.%I', m.nspname, c.relname), COALESCE((
      SELECT concat_ws(' ', t.tgenabled, t.tgtype, t.tgqual IS NULL AND t.tgattr::text = '' AND t.tgnargs = 0,
        p.prosecdef, array_to_string(p.proconfig, ' '), has_function_privilege('public', p.oid, 'EXECUTE'),
        has_table_privilege(p.proowner, to_regclass('${CHANGES}'), 'INSERT'), p.prosrc)
      FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid WHERE t.tgrelid = c.oid AND t.tgname = '${TRIGGER}'), '')))::text,
    -- Parts get those of the whole.
    json_agg(format('%I.%I', m.nspname, c.relname)) FILTER (WHERE NOT c.relispartition)::text
  FROM tree AS t
  JOIN pg_class AS r ON r.oid = t.root JOIN pg_namespace AS n ON n.oid = r.relnamespace
  JOIN pg_class AS c ON c.oid = t.oid JOIN pg_namespace AS m ON m.oid = c.relnamespace
  GROUP BY r.oid, r.relname, n.nspname ORDER BY 2`;

/** The cluster, its history, the database; who asks, what names mean to it and how values are shown; types that change in their places. */
const IDENTITY = `SELECT (SELECT system_identifier::text FROM pg_control_system()),
  (SELECT timeline_id FROM pg_control_checkpoint()), (SELECT oid FROM pg_database WHERE datname = current_database()),
  current_user, current_schemas(TRUE)::text,
  (SELECT json_agg(json_build_array(s.name, s.setting) ORDER BY s.name)::text FROM pg_settings AS s
    WHERE s.category LIKE 'Client Connection Defaults%' AND s.source <> 'client'),
  (SELECT json_agg(json_build_array(e.enumtypid, e.oid, e.enumsortorder, e.enumlabel) ORDER BY e.oid)::text FROM pg_enum AS e),
  (SELECT json_agg(json_build_array(y.oid, y.xmin::text) ORDER BY y.oid)::text FROM pg_type AS y WHERE y.typtype IN ('d', 'r')
    AND y.oid >= 16384),
  (SELECT json_agg(json_build_array(a.attrelid, a.attnum, a.xmin::text) ORDER BY a.attrelid, a.attnum)::text
    FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid WHERE c.relkind = 'c')`;

/** Operators and casts of the store's own may read anything, and no word of a file names them. */
const OPAQUE = `SELECT 'select' WHERE EXISTS (SELECT FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
    WHERE l.lanname NOT IN ('c', 'internal') AND p.pronamespace <> 'pg_catalog'::regnamespace
      AND (p.oid IN (SELECT oprcode FROM pg_operator) OR p.oid IN (SELECT castfunc FROM pg_cast)))
  UNION SELECT p.proname FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.prorettype <> 'trigger'::regtype
  UNION SELECT n.nspname FROM pg_namespace AS n WHERE n.nspname <> 'pg_catalog' AND NOT ${SCHEMAS}
  UNION SELECT p.proname FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace
    AND p.proname ~ '(to_xml|^pg_(read|stat|ls)_|^lo_|^currval|^lastval|^nextval)'`;

const REMOVAL = `SELECT removal FROM (
    SELECT 1 AS step, format('DROP TRIGGER %I ON %I.%I', t.tgname, n.nspname, c.relname) AS removal
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE t.tgname IN ('${TRIGGER}', '${TRIGGER}_truncate') AND t.tgparentid = 0
    UNION ALL SELECT 2, format('DROP FUNCTION %I.%I()', n.nspname, p.proname)
    FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE ${SCHEMAS} AND p.proname ~ '^${REGISTRY}(_[0-9]+)?$' AND p.pronargs = 0
    UNION ALL SELECT 3, format('DROP TABLE %I.%I', n.nspname, c.relname)
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid IN ${OWN}) AS all_of_it
  ORDER BY step, removal`;

export const POSTGRES_SELECT: CaptureDialect["select"] = {
  own: `SELECT c.relname, format('%I.%I', n.nspname, c.relname), has_table_privilege(c.oid, 'SELECT'),
      (SELECT json_agg(a.attname ORDER BY a.attnum)::text FROM pg_attribute AS a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
      json_build_array(c.oid, c.relfilenode, c.relkind, c.relchecks, c.relhastriggers, c.relhasrules, c.relrowsecurity,
        (SELECT json_agg(json_build_array(a.attnum, a.attname, a.atttypid, a.attnotnull) ORDER BY a.attnum)
          FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0))::text
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid IN ${OWN} ORDER BY 1`,
  names: `SELECT format('%I.${CHANGES}', current_schema()), format('%I.${REGISTRY}', current_schema())`,
  tables: TABLES,
  // Of several schemas they may have one name.
  views: `SELECT lower(c.relname), string_agg(pg_get_viewdef(c.oid) || chr(10) || '-- ' || ${DEFINITION}, chr(10) ORDER BY n.nspname)
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE ${SCHEMAS} AND c.relkind = 'v' GROUP BY 1`,
  ...{ identity: IDENTITY, opaque: OPAQUE, removal: REMOVAL },
};
