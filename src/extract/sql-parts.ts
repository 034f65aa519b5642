/**
 * Parts of SQL in any dialect: its comments, and its list of common table expressions. Constructs that databases read
 * differently (a backslash in a string, `#`, `$$`, `--1`, nested comments) are not cut at all. Pure.
 */

interface SqlToken {
  readonly kind: "code" | "quoted" | "comment";
  readonly text: string;
}

/** Comments, quoted texts and names, anything else: each alternative is one group. */
const PARTS = new RegExp(
  [
    String.raw`(--(?=\s|$)[^\n]*|/\*(?![!+]|M!)(?:(?!\*/|/\*)[\s\S])*\*/)`,
    String.raw`('(?:[^'\\]|'')*'|"(?:[^"\\]|"")*"|${"`"}(?:[^${"`"}\\]|${"`"}${"`"})*${"`"})`,
    String.raw`([^'"${"`"}\-/#$\\[\]()]+|-(?!-)|/(?!\*)|\$(?!\w*\$)|\[[^\]'"${"`"}\-/#$\\]*\]|[()])`,
  ].join("|"),
  "y",
);

/** Null if the SQL is not read the same way in all dialects. */
function tokensOf(sql: string): SqlToken[] | null {
  const parts: SqlToken[] = [];
  PARTS.lastIndex = 0;
  while (PARTS.lastIndex < sql.length) {
    const match = PARTS.exec(sql);
    if (match === null) return null;
    const [text, comment, quoted] = match;
    parts.push({ kind: comment !== undefined ? "comment" : quoted !== undefined ? "quoted" : "code", text });
  }
  return parts;
}

/** True if every dialect sees the same comments and quoted texts in the SQL. */
export function isCertain(sql: string): boolean {
  return tokensOf(sql) !== null;
}

/** SQL with each comment replaced by a blank and its line breaks; unchanged if comments cannot be recognised. */
export function withoutComments(sql: string): string {
  const parts = tokensOf(sql);
  if (parts === null) return sql;
  return parts
    .map(({ kind, text }) => (kind === "comment" ? ` ${text.replaceAll(/[^\n]/g, "")}` : text))
    .join("");
}

/** All words of SQL in lower case, including quoted ones. */
function namesIn(sql: string): Set<string> {
  return new Set(
    withoutComments(sql)
      .toLowerCase()
      .match(/[\p{L}\p{N}_$]+/gu),
  );
}

/** `a AS (…), b (x) AS (…)` → each with its name and the comments before it; null if one has no plain name. */
function expressionsOf(list: string): { readonly name: string; readonly text: string }[] | null {
  const texts = [""];
  let depth = 0;
  for (const { kind, text } of tokensOf(list) ?? []) {
    const pieces = kind === "code" && depth === 0 ? text.split(",") : [text];
    texts.push((texts.pop() ?? "") + (pieces[0] ?? ""), ...pieces.slice(1));
    if (kind === "code") depth += text === "(" ? 1 : text === ")" ? -1 : 0;
  }
  const named = texts.map((text) => ({
    text,
    name: /^\s*([a-z_]\w*)\s*(?:\(|as\b)/i.exec(withoutComments(text))?.[1]?.toLowerCase() ?? "",
  }));
  return named.every(({ name }) => name !== "") ? named : null;
}

/** The expressions of a list that SQL uses, directly or through others, by name; the whole list if that is unknown. */
export function expressionsFor(sql: string, list: string): string {
  const expressions = expressionsOf(list);
  if (expressions === null) return list;
  const used = new Set<string>();
  const look = (text: string) => {
    const words = namesIn(text);
    for (const expression of expressions) {
      if (used.has(expression.name) || !words.has(expression.name)) continue;
      used.add(expression.name);
      look(expression.text);
    }
  };
  look(sql);
  return expressions
    .filter(({ name }) => used.has(name))
    .map(({ text }) => text)
    .join(",");
}
