/**
 * What a file of the allow-list may read, judged by its words alone: each name in it counts, in strings too, and in comments
 * where dialects differ in what one is. So it may say too much and never too little, and no dialect's grammar need be known.
 */
import { withoutComments } from "../extract/sql-parts.ts";
import { isServerAddress, parseServerAddress } from "./address.ts";
import type { Ask } from "./session.ts";

/** What names in a file can stand for, in lower case. */
export interface Definitions {
  readonly tables: ReadonlySet<string>;
  /** SQL of views; null where it may not be read. */
  readonly views: ReadonlyMap<string, string | null>;
  /** Names behind which anything may be read: functions of the store, other databases and schemas. */
  readonly opaque: ReadonlySet<string>;
}

/** What a file leads to, over views. */
export interface FileReads {
  readonly tables: ReadonlySet<string>;
  /** All names in it and in its views, in lower case. */
  readonly words: ReadonlySet<string>;
  /** True where it may read columns that it does not name. */
  readonly isAll: boolean;
}

/** SELECTs that give the definitions of a store. */
interface DefinitionQueries {
  readonly tables: string;
  /** Name and text; no text where it may not be read. */
  readonly views: string;
  readonly opaque: string;
}

const SCHEMAS = "n.nspname = ANY (current_schemas(FALSE))";

const QUERIES: Readonly<Record<"sqlite" | "postgres" | "mysql", DefinitionQueries>> = {
  sqlite: {
    tables: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'",
    views: "SELECT name, sql FROM sqlite_schema WHERE type = 'view'",
    // Names by which SQL reads what is in no table, or another thing each time.
    opaque: `SELECT 'pragma_' || name FROM pragma_pragma_list UNION ALL VALUES ('dbstat'), ('sqlite_schema'), ('sqlite_master'),
      ('sqlite_dbpage'), ('random'), ('randomblob'), ('current_timestamp'), ('current_date'), ('current_time')`,
  },
  postgres: {
    tables: `SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE ${SCHEMAS} AND c.relkind IN ('r', 'p', 'm', 'f', 'S')`,
    // Several schemas may have a view of one name.
    views: `SELECT c.relname, string_agg(pg_get_viewdef(c.oid), chr(10) ORDER BY n.nspname)
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE ${SCHEMAS} AND c.relkind = 'v' GROUP BY 1`,
    // Operators and casts of the store may read anything, and no word of a file names them.
    opaque: `SELECT 'select' WHERE EXISTS (SELECT FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
        WHERE l.lanname NOT IN ('c', 'internal') AND p.pronamespace <> 'pg_catalog'::regnamespace
          AND (p.oid IN (SELECT oprcode FROM pg_operator) OR p.oid IN (SELECT castfunc FROM pg_cast)))
      UNION SELECT p.proname FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.prorettype <> 'trigger'::regtype
      UNION SELECT n.nspname FROM pg_namespace AS n WHERE n.nspname <> 'pg_catalog' AND NOT ${SCHEMAS}
      UNION SELECT p.proname FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace
        AND p.proname ~ '(to_xml|^pg_(read|stat|ls)_|^lo_|^currval|^lastval|^nextval)'`,
  },
  mysql: {
    tables: `SELECT table_name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type <> 'VIEW'`,
    // The text of a view that we may not see is empty. One that calls a function of the store, or reads another database, is
    // not known either; the database writes it in its own way.
    views: `SELECT table_name, IF(view_definition = '' OR view_definition REGEXP '\`[^\`]+\`[.]\`[^\`]+\`[(]'
        OR REPLACE(view_definition, CONCAT('\`', DATABASE(), '\`.'), '') REGEXP '(from|join)[ (]+\`[^\`]+\`[.]', NULL, view_definition)
      FROM information_schema.views WHERE table_schema = DATABASE()`,
    opaque: `SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()
      UNION SELECT schema_name FROM information_schema.schemata WHERE schema_name <> DATABASE()`,
  },
};

/** The tables, views and functions of a store. */
export async function readDefinitions(ask: Ask, store: string): Promise<Definitions> {
  const queries = QUERIES[isServerAddress(store) ? parseServerAddress(store).kind : "sqlite"];
  const namesOf = async (sql: string) =>
    new Set((await ask(sql)).map(([name]) => String(name).toLowerCase()));
  const views = (await ask(queries.views)).map(
    ([name, text]) => [String(name).toLowerCase(), text === null ? null : String(text)] as const,
  );
  return {
    tables: await namesOf(queries.tables),
    views: new Map(views),
    opaque: await namesOf(queries.opaque),
  };
}

const WORD = /[\p{L}\p{N}_$]+/gu;
const QUOTED = /"((?:[^"]|"")+)"|`((?:[^`]|``)+)`/g;

/** Between two words: blanks and comments. */
const GAP = String.raw`(?:\s|/\*[^]*?\*/|--[^\n]*\n)*`;
const ALL_COLUMNS = [
  new RegExp(String.raw`(?:[.,]|\b(?:select|distinct|all))${GAP}\*`, "iu"),
  /\bnatural\b/iu,
  // A row as a whole, in PostgreSQL: to_jsonb(p), p::text
  /\b(?:to_jsonb?|row_to_json|jsonb?_agg|array_agg|row|hstore|concat\w*|format)\s*\([^).]*?(?<![.\w"])"?\w+"?\s*[,)]/iu,
  /(?<![\w."')])"?[a-z_]\w*"?\s*::/iu,
];

/** All names in a text, in lower case. */
function sqlWords(sql: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of sql.matchAll(WORD)) words.add(word.toLowerCase());
  for (const [, double, back] of sql.matchAll(QUOTED))
    words.add((double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? "").toLowerCase());
  return words;
}

/** The text of a file with that of all views that it leads to; null where one may not be read. */
export function textWithViews(sql: string, views: Definitions["views"]): string | null {
  const found = new Map<string, string>();
  const toLook = [sql];
  for (let text = toLook.pop(); text !== undefined; text = toLook.pop()) {
    for (const word of sqlWords(text)) {
      if (found.has(word) || !views.has(word)) continue;
      const view = views.get(word) ?? null;
      if (view === null) return null;
      found.set(word, view);
      toLook.push(view);
    }
  }
  return [sql, ...found.values()].join("\n");
}

/** Null where anything may be read. */
export function readsOf(sql: string, { tables, views, opaque }: Definitions): FileReads | null {
  const own = withoutComments(sql);
  const text = textWithViews(own, views);
  if (text === null || /\bU&"/i.test(own)) return null;
  const words = sqlWords(text);
  if ([...opaque].some((name) => words.has(name))) return null;
  return {
    tables: new Set([...tables].filter((name) => words.has(name))),
    words,
    isAll: ALL_COLUMNS.some((form) => form.test(text)),
  };
}

/** True where a file may read a column of the tables that it names. */
export function mayRead({ words, isAll }: Pick<FileReads, "words" | "isAll">, column: string): boolean {
  return isAll || words.has(column.toLowerCase());
}
