/** The forms in which an allow-list file may give a column, by the column's name: the first is the column itself. */

/** `$1` is what the pattern caught. `type` is a slug that many records share. */
const FORMS: readonly (readonly [column: RegExp, others: readonly string[]])[] = [
  [/^(.+)_minor$/, ["$1"]],
  [/^(.+)_html$/, ["$1_text", "$1_markdown"]],
  [/^((?:.+_)?slug|type)$/, ["$1_source"]],
  [/^(title|name|store_name|tagline|excerpt|description|description_short|question|body)$/, ["$1_html"]],
];

/** @example formsOf("price_minor") // ["price_minor", "price"] */
export function formsOf(column: string): readonly string[] {
  const known = FORMS.find(([pattern]) => pattern.test(column));
  if (known === undefined) return [column];
  const [pattern, others] = known;
  return [column, ...others.map((form) => column.replace(pattern, form))];
}

/** Forms of a column among some names. Exactly one is what makes the column. */
export function formsAmong(column: string, names: readonly string[]): readonly string[] {
  return formsOf(column).filter((form) => names.includes(form));
}
