/**
 * What a file of the allow-list may read, judged by its words alone: each name counts, also in strings, and in comments
 * where dialects differ on what a comment is. So it may report too much and never too little, without any dialect's grammar.
 */
import { memo } from "../../base/collections.ts";
import { hasName, namesIn, textWithViews, withoutComments } from "../../base/sql-words.ts";
import { isServerAddress, parseServerAddress } from "../../store/address.ts";
import type { Ask } from "../../store/session.ts";
import { allColumnsAt } from "./all-columns.ts";
import { ownersIn, withoutOthers } from "./qualified.ts";

/** The meaning of names in a file, in lower case. */
export interface Definitions {
  readonly tables: ReadonlySet<string>;
  /**
   * By name, the SQL or the other names that it refers to: a view's SQL, a generated column's table and expression, a table's
   * partitions. Null if it may not be read.
   */
  readonly views: ReadonlyMap<string, string | null>;
  /** Names that may read anything: functions of the store, other databases and schemas. */
  readonly opaque: ReadonlySet<string>;
  /** True if a row as a whole is a value, as in PostgreSQL. */
  readonly hasRows: boolean;
}

/** What SQL reads, including through views. */
export interface FileReads {
  readonly tables: ReadonlySet<string>;
  /** True if it may read a column of one of these tables. */
  readonly mayRead: (table: string, column: string) => boolean;
}

/** Null if the SQL may read anything. */
export function readsOf(sql: string, definitions: Definitions): FileReads | null {
  const { tables, views, opaque, hasRows } = definitions;
  const own = withoutComments(sql);
  const withViews = textWithViews(own, views);
  const text = withViews === null ? null : withoutClauses(withViews);
  if (text === null || /\bU&"/i.test(own)) return null;
  const names = namesIn(text);
  if ([...opaque].some((name) => hasName(names, name))) return null;
  const owners = ownersIn(text, plainTables(definitions));
  const ofTable = memo((table: string) => {
    const masked = withoutOthers(text, table, owners);
    return { names: namesIn(masked), isAll: allColumnsAt(masked, hasRows ? tables : null).length > 0 };
  });
  return {
    tables: new Set([...tables].filter((name) => hasName(names, name))),
    mayRead: (table, column) => ofTable(table).isAll || hasName(ofTable(table).names, column),
  };
}

/**
 * SQL without comments, and without the words of ORDER BY and GROUP BY, which are not the tables that some shops have by these
 * names: unquoted, they are reserved. A word of the same length, after which no table follows either, keeps all places.
 */
function withoutClauses(sql: string): string {
  return withoutComments(sql).replaceAll(/\b(?:order|group)(?=\s+by\b)/giu, "limit");
}

/** Tables that have only rows of their own: no materialised view, partitioned or inherited table. */
function plainTables({ tables, views }: Definitions): ReadonlySet<string> {
  return new Set([...tables].filter((name) => !views.has(name)));
}

/** A line that may read a column. */
export interface ReadLine {
  readonly number: number;
  readonly text: string;
  /** The view through which it does; null if it names the table's column itself. */
  readonly view: string | null;
}

/** The lines of a text of SQL that may read a column of a table. */
export type LinesOf = (table: string, column: string) => readonly ReadLine[];

/**
 * @param sql a file's text
 * @param query the executed SQL, of which it is a part
 */
export function linesOf(sql: string, query: string, definitions: Definitions): LinesOf {
  const { tables, views, hasRows } = definitions;
  const own = withoutClauses(sql);
  const whole = withoutClauses(query);
  const names = namesIn(whole);
  const owners = ownersIn(withoutClauses(textWithViews(whole, views) ?? ""), plainTables(definitions));
  // Most lines are the same whichever table's columns stay in them.
  const namesOfLine = memo(namesIn);
  const ofTable = memo((table: string) => {
    const masked = withoutOthers(own, table, owners);
    const allAt = allColumnsAt(masked, hasRows ? tables : null);
    let start = 0;
    const lines = masked.split("\n").map((text, index) => {
      const end = start + text.length;
      const isAll = allAt.some((at) => at >= start && at <= end);
      start = end + 1;
      return { number: index + 1, names: namesOfLine(text), isAll };
    });
    return { lines, isAll: allAt.length > 0 };
  });
  const namedWith = memo((table: string) => namesIn(withoutOthers(whole, table, owners)));
  const shown = sql.split("\n");
  const over = [...views].flatMap(([name, text]) =>
    text !== null && hasName(names, name) ? [{ name, reads: readsOf(text, definitions) }] : [],
  );
  return (table, column) => {
    const isOwn = hasName(names, table);
    const { lines, isAll } = ofTable(table);
    // A name that refers to a column only, SQLite's rowid, belongs to a table that the file names.
    const ways = over.filter(
      ({ reads }) => reads?.tables.has(table.toLowerCase()) === true || (isOwn && reads?.tables.size === 0),
    );
    return lines.flatMap((line): ReadLine[] => {
      const { number } = line;
      const text = shown[number - 1] ?? "";
      if (isOwn && (line.isAll || hasName(line.names, column))) return [{ number, text, view: null }];
      const way = ways.find(({ name, reads }) => {
        if (reads === null) return false;
        const isRead =
          reads.mayRead(table, column) ||
          (reads.tables.size > 0 && (isAll || hasName(namedWith(table), column)));
        return isRead && name !== table.toLowerCase() && hasName(line.names, name);
      });
      return way === undefined ? [] : [{ number, text, view: way.name }];
    });
  };
}

/** The tables, views and functions of a store. */
export async function readDefinitions(ask: Ask, store: string): Promise<Definitions> {
  const kind = isServerAddress(store) ? parseServerAddress(store).kind : "sqlite";
  const queries = QUERIES[kind];
  const namesOf = async (sql: string) =>
    new Set((await ask(sql)).map(([name]) => String(name).toLowerCase()));
  const views = new Map<string, string | null>();
  for (const [cell, text] of await ask(queries.views)) {
    const name = String(cell).toLowerCase();
    const before = views.has(name) ? views.get(name) : "";
    views.set(name, text === null || before === null ? null : `${before}\n${String(text)}`);
  }
  return {
    tables: await namesOf(queries.tables),
    views,
    opaque: await namesOf(queries.opaque),
    hasRows: kind === "postgres",
  };
}

/** SELECTs that return the definitions of a store. */
interface DefinitionQueries {
  readonly tables: string;
  /** Name and SQL; NULL if the SQL may not be read. */
  readonly views: string;
  readonly opaque: string;
}

const SCHEMAS = "n.nspname = ANY (current_schemas(FALSE))";

/**
 * Extensions of PostgreSQL's own whose functions read only their arguments. citext has a `min`, a `max` and a `replace` for its type:
 * every file that names one of them would otherwise be unknown. Not earthdistance: its functions use its earth(), which is there to
 * be replaced.
 */
const CLOSED_EXTENSIONS = `'btree_gin', 'btree_gist', 'citext', 'cube', 'fuzzystrmatch', 'hstore', 'intarray', 'isn', 'ltree', 'pg_trgm',
  'pgcrypto', 'seg', 'unaccent', 'uuid-ossp'`;

/** A function that CREATE OR REPLACE has given another body is still one of its extension. */
const IS_OWN_BODY = `CASE l.lanname WHEN 'sql' THEN pg_get_functiondef(p.oid) !~* '\\m(from|table)\\M' ELSE l.lanname IN ('c', 'internal') END`;

const QUERIES: Readonly<Record<"sqlite" | "postgres" | "mysql", DefinitionQueries>> = {
  sqlite: {
    tables: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'",
    // A virtual table may read another; an integer primary key has other names; a generated column's expression is in its table's SQL.
    views: `SELECT name, sql FROM sqlite_schema WHERE type = 'view' OR sql LIKE 'CREATE VIRTUAL%'
      UNION ALL SELECT c.name, s.sql FROM sqlite_schema AS s JOIN pragma_table_xinfo(s.name) AS c
        WHERE s.type = 'table' AND s.sql NOT LIKE 'CREATE VIRTUAL%' AND c.hidden > 1
      UNION ALL SELECT n.column1, c.name FROM (VALUES ('rowid'), ('_rowid_'), ('oid')) AS n, sqlite_schema AS s
        JOIN pragma_table_info(s.name) AS c WHERE s.type = 'table' AND s.sql NOT LIKE 'CREATE VIRTUAL%' AND c.pk > 0`,
    // Names that read outside the tables, or return another value each time.
    opaque: `SELECT 'pragma_' || name FROM pragma_pragma_list UNION ALL VALUES ('dbstat'), ('sqlite_schema'), ('sqlite_master'),
      ('sqlite_dbpage'), ('random'), ('randomblob'), ('current_timestamp'), ('current_date'), ('current_time')`,
  },
  postgres: {
    tables: `SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE ${SCHEMAS} AND c.relkind IN ('r', 'p', 'm', 'f', 'S')`,
    // Several schemas may have a view with the same name.
    views: `SELECT c.relname, string_agg(pg_get_viewdef(c.oid), chr(10) ORDER BY n.nspname)
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE ${SCHEMAS} AND c.relkind IN ('v', 'm') GROUP BY 1
      UNION ALL SELECT p.relname, c.relname FROM pg_inherits AS i
        JOIN pg_class AS p ON p.oid = i.inhparent JOIN pg_class AS c ON c.oid = i.inhrelid AND c.relkind IN ('r', 'p', 'f')
      UNION ALL SELECT a.attname, c.relname || ' ' || pg_get_expr(d.adbin, d.adrelid)
        FROM pg_attribute AS a JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        JOIN pg_class AS c ON c.oid = a.attrelid WHERE a.attgenerated <> ''`,
    // Operators and casts of the store may read anything, and a file uses them without naming them.
    opaque: `SELECT 'select' WHERE EXISTS (SELECT FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
        WHERE l.lanname NOT IN ('c', 'internal') AND p.pronamespace <> 'pg_catalog'::regnamespace
          AND (p.oid IN (SELECT oprcode FROM pg_operator) OR p.oid IN (SELECT castfunc FROM pg_cast)))
      UNION SELECT p.proname FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.prorettype <> 'trigger'::regtype
        AND NOT EXISTS (SELECT FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
          JOIN pg_language AS l ON l.oid = p.prolang AND ${IS_OWN_BODY}
          WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
            AND d.refclassid = 'pg_extension'::regclass AND e.extname IN (${CLOSED_EXTENSIONS}))
      UNION SELECT n.nspname FROM pg_namespace AS n WHERE n.nspname <> 'pg_catalog' AND NOT ${SCHEMAS}
      UNION SELECT p.proname FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace
        AND p.proname ~ '(to_xml|^pg_(read|stat|ls)_|^lo_|^currval|^lastval|^nextval)'`,
  },
  mysql: {
    tables: `SELECT table_name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type <> 'VIEW'`,
    // The text of a view that this user may not see is empty. A view that calls a function of the store or reads another database
    // is unknown as well; the database writes such names in its own form.
    views: `SELECT table_name, IF(view_definition = '' OR view_definition REGEXP '\`[^\`]+\`[.]\`[^\`]+\`[(]'
        OR REPLACE(view_definition, CONCAT('\`', DATABASE(), '\`.'), '') REGEXP '(from|join)[ (]+\`[^\`]+\`[.]', NULL, view_definition)
      FROM information_schema.views WHERE table_schema = DATABASE()
      UNION ALL SELECT column_name, CONCAT(table_name, ' ', generation_expression)
        FROM information_schema.columns WHERE table_schema = DATABASE() AND generation_expression <> ''`,
    opaque: `SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()
      UNION SELECT schema_name FROM information_schema.schemata WHERE schema_name <> DATABASE()`,
  },
};
