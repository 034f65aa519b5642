/** The reference of the configuration, made from the schema that validates it. */
import { fileURLToPath } from "node:url";
import { makeConfigSchema, type Schema } from "../config-schema.ts";

/** Absolute path of the reference. */
export const CONFIGURATION_FILE = fileURLToPath(new URL("../../docs/configuration.md", import.meta.url));

const INTRODUCTION = `# Configuration

After this page you know every setting of \`vitrine.config.json\`, what it is when you leave it out, and which command reads it. Made
from [\`vitrine.config.schema.json\`](../vitrine.config.schema.json) by \`npm run docs:config\`; a test holds it to that.

Two addresses are all that a configuration must have:

\`\`\`json
{
  "$schema": "./node_modules/vitrine/vitrine.config.schema.json",
  "store": "shop.sqlite",
  "queries": "my-queries",
  "baseUrl": "https://api.shop.example/api/v1",
  "siteUrl": "https://shop.example"
}
\`\`\`

- It is looked for in the working directory; \`--config FILE\` names another one. Paths in it are relative to the file.
- A setting that does not exist, or a value of another type, is refused with its place; nothing is guessed.
- No setting is secret, and none may be: what a shop's answers depend on travels in the catalog, and \`store\` with a password in its
  address is refused ([the password](stores.md#the-password)).
- It takes effect with the next \`vitrine build\`; a changed \`rateLimit\` also when the edge's files are written again
  ([the limit](edges.md#the-limit-what-each-guarantees)).

## All settings
`;

const FURTHER = `
## Which to change first

- **\`grid.depth\`, \`grid.pages\`, \`grid.maxFiles\`** say how many files a snapshot has.
  \`vitrine plan\` counts them before anything is built; [files and where they stand](going-live.md#how-many-files) says in which order they are
  left out.
- **\`grid.maxFileBytes\`** is for [static hosts](hosts.md) that take no larger file.
- **\`cache\`** is how old an answer may be without anybody asking again. Publishing purges a CDN, but not the caches of browsers: keep
  \`maxAgeSeconds\` short.
- **\`endpoints\`**: leave out what your shop does not have, \`forum\` for example. Its addresses then answer 404.
- **\`pages.images\`**: false where visitors of the explorer must not ask the hosts of your pictures.
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

/** A default as one would write it; for a list with all possible values, the word "all". */
function defaultOf({ default: value, items }: Schema, required: boolean): string {
  if (value === undefined) return required ? "**required**" : "";
  if (items?.enum !== undefined && Array.isArray(value) && value.length === items.enum.length) return "all";
  return typeof value === "number" ? number(value) : `\`${JSON.stringify(value)}\``;
}

/** The schema's description, and further conditions of a value; documents that it names are in the same folder. */
function meaningOf(schema: Schema): string {
  const words = (schema.description ?? "").replace(/docs\/([\w-]+\.md)/g, "[$1]($1)");
  const type = typeOf(schema);
  return type === "text" ? words : `${words} (${type})`;
}

/** An object is described by its fields; if it may also be something else, it has a separate row. */
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
