/** PRIVACY.md: of every table and column of a store, what the SQL files do with it. Told from the files' text. */
import { formsOf } from "../api/forms.ts";
import { QUERY_COLUMNS } from "../extract/allow-list.ts";
import type { Schema } from "./schema.ts";

/** Columns of tables that a file names: those that it gives as they are, and others that it looks at. */
interface Named {
  readonly given: ReadonlyMap<string, ReadonlySet<string>>;
  readonly looked: ReadonlyMap<string, ReadonlySet<string>>;
}

const SOURCE = /\b(?:FROM|JOIN)\s+["`]?(\w+)["`]?(?:\s+AS)?\s+(\w+)/gi;
const MENTION = /\b(\w+)\.["`]?(\w+)["`]?(?:\s+AS\s+(\w+))?/gi;

function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}

/** By `table.column`. A name that stands for several tables counts for each that has such a column. */
function namesIn(file: string, sql: string, schema: Schema): Named {
  const text = withoutComments(sql);
  const tables = new Map<string, Set<string>>();
  for (const [, table = "", alias = ""] of text.matchAll(SOURCE))
    if (schema.has(table)) add(tables, alias, table);
  const name = file.replace(/\.sql$/, "");
  const outs = new Set(QUERY_COLUMNS[name]?.flatMap(formsOf));
  const given = new Map<string, Set<string>>();
  const looked = new Map<string, Set<string>>();
  for (const [, alias = "", column = "", out] of text.matchAll(MENTION)) {
    for (const table of tables.get(alias) ?? []) {
      if (schema.get(table)?.some((each) => each.name === column) !== true) continue;
      const key = `${table}.${column}`;
      if (out !== undefined && outs.has(out)) add(given, key, `${name}.${out}`);
      else add(looked, key, file);
    }
  }
  return { given, looked };
}

function cellOf(key: string, all: readonly Named[]): string {
  const given = all.flatMap((each) => [...(each.given.get(key) ?? [])]);
  const looked = all.flatMap((each) => [...(each.looked.get(key) ?? [])]);
  const parts = [
    given.length > 0 ? `public as ${given.map((name) => `\`${name}\``).join(", ")}` : "",
    looked.length > 0 ? `read by ${[...new Set(looked)].map((file) => `\`${file}\``).join(", ")}` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "left out" : parts.join("; ");
}

const HEAD = `# What of the store is public

Every table and column of the store, as it was when these files were written. _Public as_ names the answer's field;
_read by_ says that a file looks at the column, to decide what is public or to make something of it; look there what becomes
of it. What is left out is never read. Told from the text of the SQL files: when you change one, change this too.
`;

/**
 * @param files SQL by file name
 * @param about what is known of the shop, as Markdown
 */
export function privacyPage(
  schema: Schema,
  files: ReadonlyMap<string, string>,
  about: string | null,
): string {
  const all = [...files].map(([file, sql]) => namesIn(file, sql, schema));
  const isNamed = (table: string) =>
    all.some(({ given, looked }) =>
      [...given.keys(), ...looked.keys()].some((key) => key.startsWith(`${table}.`)),
    );
  const tables = [...schema].filter(([table]) => isNamed(table));
  const out = [...schema].filter(([table]) => !isNamed(table));
  return [
    HEAD,
    ...(about === null ? [] : [about.replace(/^#/gm, "##")]),
    ...tables.map(([table, columns]) =>
      [
        `## ${table}`,
        "",
        "| column | |",
        "| --- | --- |",
        ...columns.map(({ name }) => `| \`${name}\` | ${cellOf(`${table}.${name}`, all)} |`),
        "",
      ].join("\n"),
    ),
    "## Tables that no file names",
    "",
    "All their columns are left out.",
    "",
    ...out.map(
      ([table, columns]) => `- \`${table}\`: ${columns.map(({ name }) => `\`${name}\``).join(", ")}`,
    ),
    "",
  ].join("\n");
}
