/** SQL as SQLite reads it → tokens. Knows no grammar. */

export interface Token {
  /** A name without quotes may be a keyword; `value` is a text, a number or a parameter. */
  readonly kind: "word" | "quoted" | "value" | "sign";
  /** Of names in lower case and without quotes, as SQLite compares them. */
  readonly text: string;
}

/** Space and comments, names, names in quotes, values, signs: each alternative is one group. */
const TOKENS = new RegExp(
  [
    String.raw`(\s+|--[^\n]*|/\*[\s\S]*?(?:\*/|$))`,
    String.raw`([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`("(?:[^"]|"")*"|${"`"}(?:[^${"`"}]|${"`"}${"`"})*${"`"}|\[[^\]]*\])`,
    String.raw`('(?:[^']|'')*'|\d[\w.]*(?:[eE][+-]\d+)?|\.\d\w*|[:@$]\w+|\?\d*)`,
    String.raw`(\|\||->>|->|<<|>>|<=|>=|<>|!=|==|[-+*/%&|~<>=(),.;])`,
  ].join("|"),
  "y",
);

function unquoted(name: string): string {
  const quote = name.at(-1) ?? "";
  const inner = name.slice(1, -1);
  return (quote === "]" ? inner : inner.replaceAll(quote + quote, quote)).toLowerCase();
}

/** Null where there is something that SQL does not have. */
export function tokensOf(sql: string): Token[] | null {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < sql.length) {
    const match = TOKENS.exec(sql);
    if (match === null) return null;
    const [, , word, quoted, value, sign] = match;
    if (word !== undefined) tokens.push({ kind: "word", text: word.toLowerCase() });
    else if (quoted !== undefined) tokens.push({ kind: "quoted", text: unquoted(quoted) });
    else if (value !== undefined) tokens.push({ kind: "value", text: value });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
  }
  return tokens;
}
