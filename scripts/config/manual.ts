/** The reference of the configuration, made from the schema that validates it. */
import { fileURLToPath } from "node:url";
import { makeConfigSchema, type Schema } from "../config-schema.ts";

/** Absolute path of the reference. */
export const CONFIGURATION_FILE = fileURLToPath(new URL("../../docs/configuration.md", import.meta.url));

const INTRODUCTION = `# Configuration

Every setting of \`vitrine.config.json\`, with its default. Made from
[\`vitrine.config.schema.json\`](../vitrine.config.schema.json) by \`npm run docs:config\`.

Two addresses are all that a configuration must have:

\`\`\`json
{
  "$schema": "./node_modules/vitrine/vitrine.config.schema.json",
  "store": "shop.sqlite",
  "queries": "queries",
  "baseUrl": "https://api.shop.example/api/v1",
  "siteUrl": "https://shop.example"
}
\`\`\`

- Commands read it from the working directory; \`--config FILE\` names another one. Paths in it are relative to the file.
- An unknown setting or a wrong value is refused, and the message names its line and column.
- Never write a secret into it: settings that show in answers are part of the published catalog. A password in the address of
  \`store\` is refused ([the password](stores.md#the-password)), and so is one in \`to\` or \`endpoint\`.
- Flags win over settings of the same name.
- A change takes effect with the next \`vitrine build\`; a changed \`rateLimit\` also needs new files for the edge
  ([the limit](edges.md#the-limit-what-each-guarantees)).

## Name the place once

Put the place that you publish to into the configuration, and you need not type it again:

\`\`\`json
{
  "store": "shop.sqlite",
  "baseUrl": "https://api.shop.example/api/v1",
  "siteUrl": "https://shop.example",
  "to": "s3://shop-api",
  "purge": ["cloudfront:E1ABCDEFGHIJKL"],
  "verify": 20
}
\`\`\`

\`publish\`, \`watch\`, \`rollback\`, \`erase\`, \`fallback\` and \`doctor\` then use that place; \`check --to\` checks it. \`endpoint\`, \`region\`,
\`purge\`, \`keep\` and \`verify\` belong to it: with \`--to ANOTHER\` they do not apply. \`watch --no-publish\` only builds. Credentials
and tokens come from the environment ([S3](publish.md#aws-s3-and-cloudfront)).

## All settings
`;

const FURTHER = `
## Which to change first

- **\`grid\`** says how many files a snapshot has, and how large they may be ([in which order they are left
  out](going-live.md#how-many-files)); \`vitrine plan\` counts them before anything is built.
- **\`cache\`** says how old an answer in a cache may be. Publishing purges a CDN, but not the caches of browsers: keep
  \`maxAgeSeconds\` short.
- **\`endpoints\`**: leave out what your shop does not have, \`forum\` for example. Its addresses then answer 404.
- **\`pages.images\`**: false if visitors of the explorer must not load pictures from their hosts.
`;

const number = (value: number) => value.toLocaleString("en");

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return "";
  return maximum === undefined
    ? ` from ${number(minimum)}`
    : ` from ${number(minimum)} to ${number(maximum)}`;
}

function typeOf(schema: Schema): string {
  const { type, enum: values, items, anyOf, examples } = schema;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (values !== undefined) return `one of ${values.map((value) => `\`${value}\``).join(", ")}`;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (type === "array") return `list; each ${typeOf(items ?? {})}`;
  if (type === "integer") return `whole number${rangeOf(schema)}`;
  if (type === "boolean") return "`true` or `false`";
  if (type === "string") return examples === undefined ? "text" : `text, like \`${examples.join("`, `")}\``;
  return type ?? "";
}

/** A default as JSON; "all" for a list of all possible values. */
function defaultOf({ default: value, items }: Schema, required: boolean): string {
  if (value === undefined) return required ? "**required**" : "";
  if (items?.enum !== undefined && Array.isArray(value) && value.length === items.enum.length) return "all";
  return typeof value === "number" ? number(value) : `\`${JSON.stringify(value)}\``;
}

/** The schema's description and the type of the value; documents that it names become links. */
function meaningOf(schema: Schema): string {
  const words = (schema.description ?? "").replace(/docs\/([\w-]+\.md)/g, "[$1]($1)");
  const type = typeOf(schema);
  return type === "text" ? words : `${words} (${type})`;
}

/** The rows of a setting: an object has a row for each field, and one for itself if it may also be something else. */
function rowsOf(name: string, schema: Schema, required: boolean): string[] {
  const below = [schema, ...(schema.anyOf ?? [])].flatMap(({ properties }) =>
    Object.entries(properties ?? {}),
  );
  const words = [`\`${name}\``, defaultOf(schema, required), meaningOf(schema)];
  const own = schema.type === "object" ? [] : [`| ${words.join(" | ")} |`];
  return [...own, ...below.flatMap(([field, one]) => rowsOf(`${name}.${field}`, one, false))];
}

export function makeConfigurationReference(): string {
  const { properties = {}, required = [] } = makeConfigSchema();
  const rows = Object.entries(properties).flatMap(([name, schema]) =>
    rowsOf(name, schema, required.includes(name)),
  );
  const table = ["| setting | default | means |", "| --- | --- | --- |", ...rows];
  return `${INTRODUCTION}\n${table.join("\n")}\n${FURTHER}`;
}
