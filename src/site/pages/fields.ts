/** The parameters and fields of the contract's tables as rows of the reference, each with an anchor: `#products?page`, `#products.title` */
import type { TSchema } from "typebox";
import { type Endpoint, MAX_TEXT_LENGTH, type Param, type ParamKind } from "../../api/endpoints.ts";
import { operationOf } from "../../api/envelope.ts";
import { type Html, html } from "../../base/html.ts";

/** The parts of a schema that are shown. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export type Property = readonly [name: string, schema: Schema];

export const propertiesOf = (schema: TSchema | null | undefined): Property[] =>
  Object.entries(((schema ?? {}) as Schema).properties ?? {});

/** The endpoint's anchor: `products`, `status` */
export const idOf = ({ path }: Endpoint): string => path || "status";

/** `["a", "b", "c"]` → `"a, b or c"` */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

/** What a parameter takes, by its kind. */
const TAKES: Readonly<Record<ParamKind, (param: Param) => string>> = {
  integer: ({ min = 0, max, clamp }) =>
    max !== undefined
      ? `whole number, ${min} to ${max}`
      : `whole number from ${min}${clamp === undefined ? "" : ` to ${clamp}`}`,
  slug: () => "slug",
  flag: () => "1, true, yes or on; 0, false, no or off",
  choice: ({ values = [], textDefault }) =>
    either(textDefault === undefined ? values : [...values, textDefault]),
  price: () => "decimal with at most two places",
  text: () => `text of 1 to ${MAX_TEXT_LENGTH} characters`,
};

/** A row. Its name is a link to itself, so that its address can be copied; Tab skips it, since there are hundreds. */
function row(id: string, name: string, kind: Html, words: Html): Html {
  return html`<div class="row" id="${id}"><dt><a href="#${id}" tabindex="-1">${name}</a> ${kind}</dt><dd>${words}</dd></div>
`;
}

export function parameterRow(endpoint: Endpoint, param: Param): Html {
  const isRequired = endpoint.needs?.length === 1 && endpoint.needs[0] === param.name;
  const kind = html`<span>${TAKES[param.kind](param)}</span>${isRequired ? html` <span><b>required</b></span>` : ""}${
    param.default === undefined ? "" : html` <span>default ${param.default}</span>`
  }`;
  const meaning = operationOf(endpoint).params[param.name] ?? "";
  return row(`${idOf(endpoint)}?${param.name}`, param.name, kind, html`${meaning}`);
}

/** The section that has a record's fields, by the title of its schema: `Release` → `releases` */
export type Anchors = ReadonlyMap<string, string>;

export function anchorsOf(endpoints: readonly Endpoint[]): Anchors {
  return new Map(
    endpoints.flatMap((endpoint) => {
      const { title } = (operationOf(endpoint).list ?? {}) as Schema;
      return title === undefined ? [] : [[title, idOf(endpoint)]];
    }),
  );
}

/** The schema itself, or that of a list's entries, or the one beside null. */
function innerOf(schema: Schema): Schema {
  const { items, anyOf = [] } = schema;
  return items ?? anyOf.find(({ type }) => type !== "null") ?? schema;
}

/** `string`, `list of FAQs`, `number or null`, `published, preorder or coming_soon`, `object`; a record without a section is an object. */
function typeOf(schema: Schema, anchors: Anchors): string {
  const { title = "", type, const: value, anyOf, items, properties } = schema;
  if (anchors.has(title)) return title;
  if (anyOf !== undefined) return either(anyOf.map((each) => typeOf(each, anchors)));
  if (items !== undefined) return `list of ${typeOf(items, anchors)}s`;
  if (properties !== undefined) return "object";
  return value === undefined ? (type ?? "") : String(value);
}

function meaningOf({ description, anyOf = [] }: Schema): string {
  return description ?? anyOf.map(meaningOf).find((words) => words !== "") ?? "";
}

/** The rows of fields, each with those of the object in it; a record that has a section is a link to it. */
export function fieldRows(prefix: string, fields: readonly Property[], anchors: Anchors): Html[] {
  return fields.map(([name, schema]) => {
    const id = `${prefix}.${name}`;
    const inner = innerOf(schema);
    const section = anchors.get(inner.title ?? "");
    const words = typeOf(schema, anchors);
    const meaning = meaningOf(schema);
    if (section !== undefined) {
      const link = html`<span><a href="#${section}">${words}</a></span>`;
      return row(id, name, link, meaning === "" ? html`As in /${section}.` : html`${meaning}`);
    }
    const nested = Object.entries(inner.properties ?? {});
    const below = nested.length === 0 ? "" : html`<dl>${fieldRows(id, nested, anchors)}</dl>`;
    return row(id, name, html`<span>${words}</span>`, html`${meaning}${below}`);
  });
}
