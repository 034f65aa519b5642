/**
 * Which tables `o.at` and `SELECT * FROM orders` read: `o` is an alias of orders wherever the SQL names it. A name that may be
 * anything else, such as a join in brackets, may stand for any table. What a subquery or a common table expression gives was
 * read inside it, so a table's name may be one of these. Judged by words, in any dialect. Pure.
 */
import { isCertain, type SqlToken, sqlTokens } from "../../base/sql-words.ts";

/** By qualifier in lower case, the tables that it may stand for. A name that is missing may stand for anything. */
export type Owners = ReadonlyMap<string, ReadonlySet<string>>;

/** @param tables names of tables whose rows no view and no other table has */
export function ownersIn(sql: string, tables: ReadonlySet<string>): Owners {
  const all = sqlTokens(sql);
  if (!isCertain(all)) return new Map();
  const tokens = all.filter(({ kind }) => kind !== "comment");
  const found = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const [at, { word, kind }] of tokens.entries()) {
    if (kind !== "name" || tokens[at + 1]?.word === ".") continue;
    const table = tableAt(tokens, at, (name) => tables.has(name));
    if (table === null) unknown.add(word);
    else found.set(word, (found.get(word) ?? new Set()).add(table));
  }
  return new Map([...found].filter(([name]) => !unknown.has(name)));
}

/** The table that a name stands for where it is not a qualifier: FROM orders, FROM orders AS o. Null if that is not certain. */
function tableAt(tokens: readonly SqlToken[], at: number, isTable: (name: string) => boolean): string | null {
  const text = (place: number) => tokens[place]?.word ?? "";
  const before = text(at - 1) === "as" ? at - 2 : at - 1;
  if (isTable(text(before))) return text(before);
  const isListed = /^(?:from|join|,)$/.test(text(at - 1));
  const isExpression = /^\(|^as (?:\(|not$|materialized$)/.test(`${text(at + 1)} ${text(at + 2)}`);
  return isListed && !isExpression && isTable(text(at)) ? text(at) : null;
}

/** The SQL with a 0 in place of each column that is certainly one of other tables; all else stays at its place. */
export function withoutOthers(sql: string, table: string, owners: Owners): string {
  const isOther = (name: string) => owners.get(name.toLowerCase())?.has(table.toLowerCase()) === false;
  return sql
    .replaceAll(QUALIFIED, (text, name: string) =>
      isOther(name) ? `0${text.slice(1).replaceAll(/[^\n]/g, " ")}` : text,
    )
    .replaceAll(ALL_OF_ONE, (text, name: string) => (isOther(name) ? "0" : text));
}

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_$]*`;

const QUALIFIED = new RegExp(
  `(?<![\\p{L}\\p{N}_$.@"'\`\\]])(${NAME})\\s*\\.\\s*(?:"(?:[^"]|"")*"|\`[^\`]*\`|\\*|[\\p{L}\\p{N}_$]+)`,
  "gu",
);

const ENDS = "where|order|group|limit|union|except|intersect|having|window";

const ALL_OF_ONE = new RegExp(
  `(?<=\\bselect\\s+(?:(?:all|distinct)\\s+)?)\\*(?=\\s+from\\s+(${NAME})(?:\\s+(?:as\\s+)?${NAME})?\\s*(?:[);]|$|\\b(?:${ENDS})\\b))`,
  "giu",
);
