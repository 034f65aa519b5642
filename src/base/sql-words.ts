/**
 * The words of SQL in any dialect. What databases read differently (a backslash in a string, `#`, `$$`, `--1`, nested comments) is
 * odd: then no comment is cut, so that a reader of the words sees too many and never too few. Pure.
 */

export interface SqlToken {
  readonly kind: "comment" | "text" | "name" | "sign";
  /** In lower case, a name without its quotes. */
  readonly word: string;
  readonly at: number;
  readonly length: number;
  /** True if dialects differ on what it is, or on where it ends. */
  readonly isOdd: boolean;
}

/** Its groups have no names: an object of them for each token would take longer than the search. */
const TOKEN = new RegExp(
  [
    // A comment.
    String.raw`(--(?=\s|$)[^\n]*|/\*(?![!+]|M!)(?:(?!\*/|/\*)[^])*\*/)`,
    // A text.
    "('(?:[^']|'')*')",
    // A name in quotes.
    '("(?:[^"]|"")*"|`(?:[^`]|``)*`)',
    // A name.
    String.raw`((?:[\p{L}\p{N}_]|\$(?!\w*\$))+)`,
    // Odd signs. PostgreSQL's arrays are SQLite's names: they are the same words if they have no quotes and no comments.
    "(--|/\\*|[#\\\\'\"`$]|\\[(?![^\\]'\"`\\-/#$\\\\]*\\]))",
    String.raw`\S`,
  ].join("|"),
  "gu",
);

export function sqlTokens(sql: string): SqlToken[] {
  return Array.from(sql.matchAll(TOKEN), (match) => {
    const [whole, comment, text, quoted, name, odd] = match;
    const mark = quoted?.[0] ?? "";
    return {
      kind:
        comment !== undefined ? "comment" : text !== undefined ? "text" : (quoted ?? name) ? "name" : "sign",
      word: (quoted?.slice(1, -1).replaceAll(mark + mark, mark) ?? whole).toLowerCase(),
      at: match.index,
      length: whole.length,
      isOdd: odd !== undefined || (text ?? quoted)?.includes("\\") === true,
    };
  });
}

/** True if every dialect sees the same comments and quoted texts in the SQL. */
export function isCertain(tokens: readonly SqlToken[]): boolean {
  return !tokens.some(({ isOdd }) => isOdd);
}

/** SQL with each comment replaced by a blank and its line breaks; unchanged if comments cannot be recognised. */
export function withoutComments(sql: string): string {
  if (!/--|\/\*/.test(sql)) return sql;
  const tokens = sqlTokens(sql);
  if (!isCertain(tokens)) return sql;
  let text = "";
  let end = 0;
  for (const { kind, at, length } of tokens) {
    if (kind !== "comment") continue;
    text += `${sql.slice(end, at)} ${sql.slice(at, at + length).replaceAll(/[^\n]/g, "")}`;
    end = at + length;
  }
  return text + sql.slice(end);
}

/** The names in SQL: every word counts, also in strings and comments. */
export interface SqlNames {
  /** In lower case. */
  readonly words: ReadonlySet<string>;
  /** The whole SQL in lower case, without quotes: for names that are not words. */
  readonly bare: string;
}

const WORD = /[\p{L}\p{N}_$]+/gu;
const IS_WORD = /^[\p{L}\p{N}_$]+$/u;

function withoutQuotes(text: string): string {
  return text.toLowerCase().replaceAll(/["'`[\]]/g, "");
}

export function namesIn(sql: string): SqlNames {
  const words = new Set(sql.match(WORD)?.map((word) => word.toLowerCase()));
  return { words, bare: withoutQuotes(sql) };
}

/** True if a name is in the SQL, quoted or not. */
export function hasName({ words, bare }: SqlNames, name: string): boolean {
  return IS_WORD.test(name) ? words.has(name.toLowerCase()) : bare.includes(withoutQuotes(name));
}

/** SQL and the text of all views that it uses, which are given by name; null if the text of one is null. */
export function textWithViews(sql: string, views: ReadonlyMap<string, string | null>): string | null {
  const found = new Map<string, string>();
  const queue = [sql];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    const names = namesIn(text);
    for (const [name, view] of views) {
      if (found.has(name) || !hasName(names, name)) continue;
      if (view === null) return null;
      found.set(name, view);
      queue.push(view);
    }
  }
  return [sql, ...found.values()].join("\n");
}
