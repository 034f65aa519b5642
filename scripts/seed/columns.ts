/** Describes each column of the tests' store, read from columns.txt. */
import { readSections } from "./texts.ts";

export interface TableColumns {
  /** May leave while the row is visible. */
  readonly public: readonly string[];
  /** Public text columns: in a hidden row each of them carries a canary. */
  readonly words: readonly string[];
  /** Private, but unsuitable for a canary. */
  readonly bound: readonly string[];
}

function readColumns(text: string): TableColumns {
  const names = text.split(/\s+/).filter((name) => name !== "");
  const open = names.filter((name) => !name.startsWith("~"));
  return {
    public: open.map((name) => name.replace("*", "")),
    words: open.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1)),
    bound: names.filter((name) => name.startsWith("~")).map((name) => name.slice(1)),
  };
}

export const TABLES: Readonly<Record<string, TableColumns>> = Object.fromEntries(
  readSections("columns.txt").map(([table, text]) => [table, readColumns(text)]),
);
