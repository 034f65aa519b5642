/**
 * Finds where SQL reads columns that it does not name: `*`, NATURAL, and in PostgreSQL a row as a whole (`to_jsonb(p)`,
 * `p::text`) and renamed columns (`products AS p (a, b)`). Judged by words alone: if in doubt, it reports the place. Pure.
 */
import { type SqlToken, sqlTokens } from "../../base/sql-words.ts";

/** Positions at which SQL may read columns that it does not name. `tables`: tables whose rows can be values; null in dialects without such. */
export function allColumnsAt(sql: string, tables: ReadonlySet<string> | null): readonly number[] {
  const places = FORMS.flatMap((form) =>
    [...sql.matchAll(form)].map(({ 0: text, index }) => {
      const star = text.indexOf("*");
      return index + Math.max(0, star);
    }),
  );
  if (tables === null) return places;
  // A string or a comment may end elsewhere than it seems to: nothing after it is certain.
  const odd = /\\'|\$\w*\$|`|\/\*(?:(?!\*\/)[\s\S])*\/\*/u.exec(sql);
  return [...places, ...(odd === null ? [] : [odd.index]), ...wholeRowsAt(sql, tables)];
}

/** Between two words: blanks and comments. */
const GAP = String.raw`(?:\s|/\*[^]*?\*/|--[^\n]*\n)*`;

const AFTER_STAR = "from|into|where|order|group|limit|union|intersect|except|window|having";

const FORMS = [
  new RegExp(String.raw`(?:[.,]|\b(?:select|distinct|all))${GAP}\*`, "giu"),
  // After anything else, a * that no factor follows is not a product: SELECT DISTINCT ON (a) *. Not count(*).
  new RegExp(String.raw`(?<!\(\s*)\*${GAP}(?:[,);]|$|(?:${AFTER_STAR})\b)`, "giu"),
  /\bnatural\b/giu,
  // TABLE products
  /(?:^|[(;]|\b(?:union|intersect|except|all|distinct|as))\s*\btable\s+["`\w]/giu,
];

/** Words after which tables are listed, words that begin another part of a SELECT, and other words that are not names. */
const TABLES_FOLLOW = new Set(["from", "join", "lateral", "only"]);

const PARTS = new Set(
  "select where on using by having returning values limit offset fetch set with union intersect except window filter over".split(
    " ",
  ),
);

const NO_NAMES = new Set([
  ...TABLES_FOLLOW,
  ...PARTS,
  ..."for when then else case end and or not in is as all distinct cross inner left right full natural order group tablesample".split(
    " ",
  ),
]);

/** True if a token is in a list of tables. */
function isListed(tokens: readonly SqlToken[], place: number): boolean {
  let depth = 0;
  let isBehindComma = false;
  for (let at = place - 1; at >= 0; at -= 1) {
    const text = tokens[at]?.word ?? "";
    if (text === ")") depth += 1;
    else if (text === "(" && depth > 0) depth -= 1;
    else if (text === "(") {
      // An argument of a function, or a list of tables in brackets.
      const before = tokens[at - 1];
      if (before?.kind === "name" && !TABLES_FOLLOW.has(before.word)) return false;
    } else if (depth === 0 && TABLES_FOLLOW.has(text)) return true;
    else if (depth === 0 && text === ",") isBehindComma = true;
    // FROM a JOIN b ON a.id = b.id, c
    else if (depth === 0 && PARTS.has(text)) return isBehindComma && (text === "on" || text === "using");
  }
  return false;
}

/** Functions that may be called on a row: `p.to_jsonb`. */
const OF_ROWS = /^(?:to_jsonb?|row_to_json|jsonb?_agg|array_agg|hstore|record_out|record_send|text)$/;

/** Where rows of tables are used as a whole, or with renamed columns: positions in the text. */
function wholeRowsAt(sql: string, tables: ReadonlySet<string>): number[] {
  const tokens = sqlTokens(sql).filter(({ kind }) => kind !== "comment");
  const rows = new Set(tables);
  const found: number[] = [];
  const text = (at: number) => tokens[at]?.word ?? "";
  for (const [place, token] of tokens.entries()) {
    const isBracket = token.word === ")";
    if (!isBracket && !(token.kind === "name" && tables.has(token.word))) continue;
    const at = text(place + 1) === "as" ? place + 2 : place + 1;
    const alias = tokens[at];
    if (alias?.kind !== "name" || NO_NAMES.has(alias.word)) continue;
    if (!isBracket) rows.add(alias.word);
    // Brackets may hold a function's arguments or a SELECT, whose columns are named there.
    if (text(at + 1) === "(" && (!isBracket || isJoin(tokens, place))) found.push(alias.at);
  }
  for (const [place, { word, kind, at }] of tokens.entries()) {
    if (kind !== "name" || !rows.has(word)) continue;
    const [before, after] = [text(place - 1), text(place + 1)];
    if (after === "." && OF_ROWS.test(text(place + 2))) found.push(at);
    if (after === "." || after === "(" || /^(?:\.|as|collate)$/.test(before)) continue;
    // WITH products AS (SELECT …)
    if (after === "as" && /^(?:\(|not|materialized)$/.test(text(place + 2))) continue;
    if (!isListed(tokens, place) && !isColumnOfExpression(tokens, place)) found.push(at);
  }
  return found;
}

/** True if the brackets that end here hold joined tables. */
function isJoin(tokens: readonly SqlToken[], end: number): boolean {
  let depth = 0;
  for (let at = end; at >= 0; at -= 1) {
    const text = tokens[at]?.word;
    depth += text === ")" ? 1 : text === "(" ? -1 : 0;
    if (depth > 0) continue;
    const [before, first] = [tokens[at - 1], tokens[at + 1]?.word ?? ""];
    const isCall = before?.kind === "name" && !TABLES_FOLLOW.has(before.word);
    return !isCall && !["select", "values", "with"].includes(first);
  }
  return false;
}

/** True for a name in the column list of a common table expression: WITH lowest (id, price) AS (SELECT …). */
function isColumnOfExpression(tokens: readonly SqlToken[], place: number): boolean {
  const behind = tokens.slice(place).findIndex(({ word }) => word === "(" || word === ")");
  const words = tokens.slice(place + behind, place + behind + 6).map(({ word }) => word);
  return (
    behind > 0 && /^\) as (?:(?:not )?materialized )?\( (?:select|with|values|table|\()/.test(words.join(" "))
  );
}
