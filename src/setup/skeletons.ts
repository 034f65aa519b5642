/**
 * The SQL files that `vitrine init` writes for an unknown store: comments that describe each column and the field that it
 * becomes. Made from the contract's records.
 */
import { columnsIn, type Fields } from "../api/field.ts";
import { otherForms } from "../api/forms.ts";
import type { RecordDef } from "../api/record.ts";
import { store } from "../api/records/store.ts";
import { OPERATIONS, RECORDS } from "../api/records.ts";
import { OPTIONAL_COLUMNS, QUERY_COLUMNS, REQUIRED } from "../extract/allow-list.ts";
import type { Dialect } from "./schema.ts";

/** Fields, and the words behind their names; null for fields that no answer shows. */
type Place = readonly [fields: Fields, behind: string | null];

interface Skeleton {
  /** Without `.sql`. */
  readonly file: string;
  readonly gives: string;
  /** The answers that the file becomes, and what is missing without it. */
  readonly becomes: string;
  readonly places: readonly Place[];
}

/** The files by name. `currency`: ISO code of the prices' currency, if it is known. */
export function skeletons(dialect: Dialect, currency?: string): ReadonlyMap<string, string> {
  const ofStore: Skeleton = {
    file: store.file,
    gives: "one row about the shop itself; its values may be constants",
    becomes: "It becomes /store. Nothing can be built without it.",
    places: [[store.fields, ""]],
  };
  const texts = [ofStore, ...RECORDS.map(skeletonOf)].map((each): [string, string] => [
    each.file,
    skeletonText(each, dialect, currency),
  ]);
  const files = [...texts, ...otherSkeletons(dialect)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(files.map(([file, text]) => [`${file}.sql`, text]));
}

function skeletonOf(record: RecordDef): Skeleton {
  const { file, name, endpoint, fields, added, hidden } = record;
  const { path: one } =
    Object.values(OPERATIONS).find((each) => record.detail !== null && each.one === record.detail) ?? {};
  const detail = one === endpoint ? `/${one}?slug=…` : `/${one}`;
  const paths = one === undefined ? `/${endpoint}` : `/${endpoint} and ${detail}`;
  return {
    file,
    gives: `one row for each ${name === "faq" ? "FAQ" : name} that everybody may see`,
    becomes: REQUIRED.includes(file)
      ? `It becomes ${paths}. Nothing can be built without it.`
      : `It becomes ${paths}, which ${one === undefined ? "is" : "are"} empty while this file has only comments.`,
    places: [
      [fields, ""],
      [added, ` of ${detail}`],
      [hidden, null],
    ],
  };
}

interface DescribedColumn {
  readonly name: string;
  readonly holds: string;
  readonly example: string;
  /** Its meaning. */
  readonly words: string;
  /** The fields that are read from it: `title`, `gallery of /product`. */
  readonly becomes: string;
}

function skeletonText(
  { file, gives, becomes, places }: Skeleton,
  dialect: Dialect,
  currency: string | undefined,
): string {
  const { name: database, now, path, array } = SPELLINGS[dialect];
  const described = (QUERY_COLUMNS[file] ?? []).map((name) => describeColumn(name, places));
  const isOptional = ({ name }: DescribedColumn) => OPTIONAL_COLUMNS[file]?.has(name) === true;
  const required = described.filter((column) => !isOptional(column));
  const optional = described.filter(isOptional);
  const head = [
    `${file}.sql for ${database}: ${gives}.`,
    becomes,
    "Remove the -- before the query, replace each … by a column of the store (SCHEMA.md), and delete the lines that you do not need.",
    `The moment of the build is ${now}. A path: ${path}.`,
    "A text that may be NULL: COALESCE(t.text, '').",
    ...(described.some(({ holds }) => holds.startsWith("JSON")) ? [`A JSON array: ${array}.`] : []),
  ];
  const query = [
    "SELECT",
    ...required.flatMap((column, at) => columnLines(column, at === 0, currency)),
    ...(optional.length === 0 ? [] : ["  -- Optional; empty if left out:"]),
    ...optional.flatMap((column) => columnLines(column, false, currency)),
    "FROM … AS t",
    `${"WHERE …".padEnd(COMMENTS_AT)} -- only rows that everybody may see`,
  ];
  return `${[...head, "", ...query].map((line) => (line === "" ? "" : `-- ${line}`)).join("\n")}\n`;
}

interface Spelling {
  readonly name: string;
  readonly now: string;
  /** A path made from a column. */
  readonly path: string;
  readonly array: string;
  /** A time as a number, which can be summed up. */
  readonly seconds: string;
}

/** The differences between databases (docs/stores.md). */
const SPELLINGS: Readonly<Record<Dialect, Spelling>> = {
  sqlite: {
    name: "SQLite",
    now: ":now",
    path: "'/item/' || t.id",
    array: "json_group_array(json_object('name', …))",
    seconds: "unixepoch(…)",
  },
  postgres: {
    name: "PostgreSQL",
    now: "current_setting('vitrine.now')::timestamptz",
    path: "'/item/' || t.id",
    array: "json_agg(json_build_object('name', …))::text",
    seconds: "EXTRACT(EPOCH FROM …)",
  },
  mysql: {
    name: "MySQL and MariaDB",
    now: "@now",
    path: "CONCAT('/item/', t.id)",
    array: "CONCAT('[', GROUP_CONCAT(JSON_OBJECT('name', …) SEPARATOR ','), ']')",
    seconds: "TO_SECONDS(…)",
  },
};

function describeColumn(name: string, places: readonly Place[]): DescribedColumn {
  const readers = places.flatMap(([fields, behind]) =>
    Object.entries(fields).flatMap(([of, field]) =>
      columnsIn(of, field)
        .filter((column) => column.name === name)
        .map((column) => ({ of, behind, column, description: Reflect.get(field.schema, "description") })),
    ),
  );
  const main = readers.find(({ of }) => of === name) ?? readers[0];
  const shown = [...new Set(readers.map(({ behind }) => behind))].flatMap((behind) => {
    const names = readers.filter((reader) => reader.behind === behind).map(({ of }) => of);
    return behind === null ? [] : [`${names.join(", ")}${behind}`];
  });
  return {
    name,
    holds: main?.column.holds ?? "whole number",
    example: main?.column.example ?? "12",
    words: String(main?.column.words ?? main?.description ?? "Its key."),
    becomes: shown.length > 0 ? shown.join("; ") : "no field, only filters and orders",
  };
}

/** `currency`: the value of that column, if it is known; elsewhere a person replaces `…`. */
function columnLines(
  { name, holds, example, words, becomes }: DescribedColumn,
  isFirst: boolean,
  currency: string | undefined,
): string[] {
  const value = name === "currency" && currency !== undefined ? `'${currency}'` : "…";
  const said = [
    `${holds}, like ${example} → ${becomes}. ${words}`,
    ...otherForms(name).map(([form, is]) => `or … AS ${form}: ${is}`),
  ];
  return said.map((text, at) => {
    const select = at > 0 ? "" : `  ${isFirst ? " " : ","} ${value} AS ${name}`;
    return `${select.padEnd(COMMENTS_AT)} -- ${text}`;
  });
}

/** The column of text in which comments begin. */
const COMMENTS_AT = 36;

/** Files that belong to no record. */
function otherSkeletons(dialect: Dialect): [file: string, text: string][] {
  const { name: database, now, seconds } = SPELLINGS[dialect];
  return [
    [
      "next_change",
      `-- next_change.sql for ${database}: one row, the next moment after ${now} at which an answer changes by the clock alone:
-- a sale begins or ends, a post is due. watch builds again then. NULL if nothing is scheduled. It becomes no field.

-- SELECT
--     MIN(…) AS next_change_at         -- UTC moment, like '2026-11-20 19:00:00'
-- FROM … AS t
-- WHERE … > ${now}
`,
    ],
    [
      "changed",
      `-- changed.sql for ${database}: one row of any columns that differs whenever public rows have changed.
-- watch runs it every second and reads the store when the row differs, so it must be cheap: use columns with an index. A table
-- without such a time needs a digest of each row: docs/allow-list.md has one for each database.

-- SELECT
--   ${`SUM(${seconds}), COUNT(*)`.padEnd(34)} -- the times when rows were last written, and how many there are
-- FROM … AS t
`,
    ],
  ];
}
