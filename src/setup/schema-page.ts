/** SCHEMA.md: the store's tables, columns, types and numbers of rows, for those who write the SQL files. No row is read. */
import { counted } from "../base/log.ts";
import { codeOf } from "./privacy.ts";
import type { Column, Schema } from "./schema.ts";

export const SCHEMA_FILE = "SCHEMA.md";

const HEAD = `# The store's tables

Written by \`vitrine init\` from the database's own definitions: tables, columns, types, keys and numbers of rows, no value
of any row. The files in \`queries/\` say which of this becomes public. No table and no column is public before a file
selects it.
`;

function noteOf({ isKey, references }: Column): string {
  const tables = [...new Set(references)].map((table) => `refers to ${codeOf(table)}`);
  return [...(isKey ? ["key"] : []), ...tables].join(", ");
}

/** `decimal(10,2)` as it is; codeOf escapes what could end a cell. */
function typeOf({ type }: Column): string {
  if (type === "") return "";
  return /^[\w (),'.-]+$/.test(type) ? `\`${type}\`` : codeOf(type);
}

/** @param counts rows by table; null of one that may not be read */
export function schemaPage(schema: Schema, counts: ReadonlyMap<string, number | null>): string {
  const tables = [...schema].flatMap(([table, columns]) => {
    const rows = counts.get(table) ?? null;
    return [
      `## ${codeOf(table)}`,
      "",
      rows === null ? "This user may not read its rows." : `${counted(rows, ["row"])}.`,
      "",
      "| column | type | |",
      "| --- | --- | --- |",
      ...columns.map((column) => `| ${codeOf(column.name)} | ${typeOf(column)} | ${noteOf(column)} |`),
      "",
    ];
  });
  return [HEAD, ...tables].join("\n");
}
