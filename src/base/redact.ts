/** Redacts secrets in messages and logs. Knows how addresses, parameters and headers carry them, no names of Vitrine's own. */

/** `postgres://shop:PW@db`, also misspelt: `postgres:shop:PW@db`, `mysql//shop:PW@db`, `shop%3APW@db`. */
const IN_ADDRESS =
  /((?:\b(?:postgres(?:ql)?|mysql|mariadb)[:/]{1,3}|\/\/)[^\s:@/]{0,256}?)(?::|%3a)\S{1,1024}@/gi;

const NAMES =
  "[\\w-]{0,40}(?:pass(?:word|wd|phrase)?|pwd|secret|token|signature|credential|(?:api|access)_?key(?:_?id)?)[\\w-]{0,40}";

/** `password=PW`, `?token=…`, `"password": "…"` */
const IN_PARAMETER = new RegExp(
  `(\\b${NAMES}["']?\\s{0,9}=\\s{0,9}|["']${NAMES}["']\\s{0,9}:\\s{0,9})` +
    `("(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?|[^\\s&;,)]+)`,
  "gi",
);

/** `Authorization: Bearer …` */
const IN_HEADER = /\b(authorization\s{0,9}:\s{0,9}(?:[\w-]{1,40} )?|bearer )[^\s,]+/gi;

/** The text with `***` in place of each secret. */
export function redactSecrets(text: string): string {
  return text.replace(IN_ADDRESS, "$1:***@").replace(IN_PARAMETER, "$1***").replace(IN_HEADER, "$1***");
}
