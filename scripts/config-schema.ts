/** Writes `vitrine.config.schema.json`, for editors, from the table that validates: `npm run schema`. */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Config } from "../src/config/schema.ts";

/** The parts of JSON Schema that the configuration's schema uses. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A schema of what people write: fields with a default may be left out. */
function asWritten({ required, properties, ...rest }: Schema): Schema {
  if (properties === undefined) return rest;
  const left = required?.filter((name) => properties[name]?.default === undefined) ?? [];
  const below = Object.entries(properties).map(([name, schema]) => [name, asWritten(schema)] as const);
  return {
    ...rest,
    ...(left.length > 0 ? { required: left } : {}),
    properties: Object.fromEntries(below),
  };
}

export function makeConfigSchema(): Schema {
  return asWritten(JSON.parse(JSON.stringify(Config)) as Schema);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync("vitrine.config.schema.json", `${JSON.stringify(makeConfigSchema(), null, 2)}\n`);
}
