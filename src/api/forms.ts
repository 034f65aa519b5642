/** The forms in which an allow-list file may give a column, depending on its name. The first is the column itself. */

/** Names and what they hold; `$1` is the pattern's group. `type` is a slug that many records share. */
const FORMS: readonly (readonly [column: RegExp, others: Readonly<Record<string, string>>])[] = [
  [/^(.+)_minor$/, { $1: "a decimal amount, like 19.99, in any precision" }],
  [
    /^(.+)_html$/,
    { $1_text: "plain text", $1_markdown: "Markdown", $1_wordpress: "a text as WordPress stores it" },
  ],
  [/^((?:.+_)?slug|type)$/, { $1_source: "a text, such as a name, from which the slug is made" }],
  [
    /^(title|name|store_name|tagline|question|body|customer_display_name)$/,
    { $1_html: "HTML; its plain text is used" },
  ],
  [
    /^(excerpt|description|description_short)$/,
    {
      $1_html: "HTML; its plain text is used",
      $1_wordpress: "a text as WordPress stores it; its plain text is used",
    },
  ],
];

/** The other names under which a file may give a column, with what each holds. @example otherForms("price_minor") // [["price", …]] */
export function otherForms(column: string): readonly (readonly [name: string, holds: string])[] {
  const known = FORMS.find(([pattern]) => pattern.test(column));
  if (known === undefined) return [];
  const [pattern, others] = known;
  return Object.entries(others).map(([form, holds]) => [column.replace(pattern, form), holds]);
}

/** @example formsOf("price_minor") // ["price_minor", "price"] */
export function formsOf(column: string): readonly string[] {
  return [column, ...otherForms(column).map(([form]) => form)];
}

/** The forms of a column that are among some names. A file must have exactly one. */
export function formsAmong(column: string, names: readonly string[]): readonly string[] {
  return formsOf(column).filter((form) => names.includes(form));
}
