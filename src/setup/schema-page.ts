/** SCHEMA.md: the store's tables, columns, types and numbers of rows, for people who write the SQL files. No row is read. */
import { counted } from "../base/log.ts";
import { codeOf, UNREADABLE } from "./privacy/page.ts";
import type { Schema, TableColumn } from "./schema.ts";

export const SCHEMA_FILE = "SCHEMA.md";

const HEAD = `# The store's tables

Written by \`vitrine init\` from the database's definitions: tables, columns, types, keys and numbers of rows, but no values.
The files in \`queries/\` say what becomes public: a table or column is public only if a file selects it.
`;

function noteOf({ isKey, references }: TableColumn): string {
  const tables = [...new Set(references)].map((table) => `refers to ${codeOf(table)}`);
  return [...(isKey ? ["key"] : []), ...tables].join(", ");
}

/** Plain types like `decimal(10,2)` as they are; codeOf escapes characters that could end a cell. */
function typeOf({ type }: TableColumn): string {
  if (type === "") return "";
  return /^[\w (),'.-]+$/.test(type) ? `\`${type}\`` : codeOf(type);
}

function rowsOf(columns: readonly TableColumn[], rows: number | null): string {
  if (columns.length === 0) return `This is ${UNREADABLE}.`;
  return rows === null ? "Its rows can't be read." : `${counted(rows, ["row"])}.`;
}

function columnLines(columns: readonly TableColumn[]): string[] {
  if (columns.length === 0) return [];
  const lines = columns.map((column) => `| ${codeOf(column.name)} | ${typeOf(column)} | ${noteOf(column)} |`);
  return ["| column | type | |", "| --- | --- | --- |", ...lines, ""];
}

/** @param counts rows by table; null for a table that this user may not read */
export function schemaPage(schema: Schema, counts: ReadonlyMap<string, number | null>): string {
  const tables = [...schema].flatMap(([table, columns]) => [
    `## ${codeOf(table)}`,
    "",
    rowsOf(columns, counts.get(table) ?? null),
    "",
    ...columnLines(columns),
  ]);
  return [HEAD, ...tables].join("\n");
}
